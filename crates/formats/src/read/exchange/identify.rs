//! The format of a file, by its first bytes.

/// Bytes at the beginning of a file that show its format.
pub(in crate::read) const HEAD: usize = 4096;

/// Format that is not plain text with cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Kind {
    /// Key in Clavis JSON.
    Clavis,
    /// Directives of DELTA.
    Delta,
    /// Blocks of NEXUS.
    Nexus,
    /// Structured descriptive data in XML.
    Sdd,
    /// Zip archive: a workbook, or the files of a DELTA data set.
    Zip,
    /// Workbook in the binary format of old Excel.
    OldExcel,
    /// Arrow IPC, as a file or as a stream.
    Arrow,
}

impl Kind {
    /// Kind of the file, in words.
    pub(in crate::read) fn words(self) -> &'static str {
        match self {
            Self::Clavis => "a Clavis key",
            Self::Delta => "a file of DELTA",
            Self::Nexus => "a NEXUS file",
            Self::Sdd => "an SDD document",
            Self::Zip => "an Excel workbook or a zip archive",
            Self::OldExcel => "an old Excel workbook",
            Self::Arrow => "an Arrow file",
        }
    }

    /// Whether cells of this format may list several answers.
    pub(in crate::read) fn lists_answers(self) -> bool {
        matches!(self, Self::Clavis | Self::Delta | Self::Nexus | Self::Sdd)
    }
}

/// The format of a file that begins with `head`, if it is one of these.
pub(in crate::read) fn kind_of(head: &[u8]) -> Option<Kind> {
    match head {
        [b'P', b'K', 3, 4, ..] => return Some(Kind::Zip),
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, ..] => return Some(Kind::OldExcel),
        [b'A', b'R', b'R', b'O', b'W', b'1', 0, ..] | [0xFF, 0xFF, 0xFF, 0xFF, _, _, 0, 0, ..] => {
            return Some(Kind::Arrow);
        }
        _ => {}
    }
    let text = letters(head);
    let text = text.trim_start();
    if text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("#nexus")) {
        return Some(Kind::Nexus);
    }
    if text.starts_with('{') && is_clavis(text) {
        return Some(Kind::Clavis);
    }
    if text.starts_with('<') && is_sdd(text) {
        return Some(Kind::Sdd);
    }
    is_delta(text).then_some(Kind::Delta)
}

/// The bytes as text; letters beyond ASCII do not matter here. UTF-16 loses its zero bytes.
fn letters(head: &[u8]) -> String {
    let head = head.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(head);
    let is_utf16 = head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]);
    let head = if is_utf16 { &head[2..] } else { head };
    head.iter().filter(|byte| !is_utf16 || **byte != 0).map(|&byte| char::from(byte)).collect()
}

/// Words that the beginning of a Clavis key holds, beside the braces of JSON.
fn is_clavis(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    has("Clavis") && has("\"$schema\"")
        || has("\"taxa\"")
        || has("\"statements\"")
        || has("\"taxon:")
        || has("\"character:")
}

fn is_sdd(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    has("<Datasets") && (has("UBIF") || has("rs.tdwg.org")) || has("<sdd:Datasets") || has("<Datasets")
}

/// Directives that occur in files of DELTA.
const DIRECTIVES: [&str; 14] = [
    "SHOW",
    "HEADING",
    "COMMENT",
    "CHARACTER",
    "NUMBER OF CHARACTERS",
    "NUMBERS OF STATES",
    "ITEM",
    "MAXIMUM NUMBER",
    "IMPLICIT VALUES",
    "DEPENDENT CHARACTERS",
    "INPUT FILE",
    "TRANSLATE INTO",
    "LISTING FILE",
    "DATA BUFFER SIZE",
];

/// Whether the first line that is not blank is a directive.
fn is_delta(text: &str) -> bool {
    let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) else { return false };
    let Some(directive) = line.strip_prefix('*') else { return false };
    let directive = directive.trim_start().to_ascii_uppercase();
    // A list with bullets or a CSV whose first name begins with a star is no directive.
    let ends = |rest: &str| {
        rest.is_empty() || rest.starts_with(|letter: char| letter.is_whitespace() || letter == 'S')
    };
    DIRECTIVES.iter().any(|word| directive.strip_prefix(word).is_some_and(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        for (head, kind) in [
            (&b"PK\x03\x04.."[..], Some(Kind::Zip)),
            (b"ARROW1\0\0", Some(Kind::Arrow)),
            (b"\n#nexus\nbegin data;", Some(Kind::Nexus)),
            (b"{\"$schema\":\"https://x/Clavis.json\"", Some(Kind::Clavis)),
            (b"{\"title\": \"x\", \"taxa\": [", Some(Kind::Clavis)),
            (b"{\"a\": 1}", None),
            (b"<?xml version=\"1.0\"?>\n<Datasets xmlns=\"http://rs.tdwg.org/UBIF/2006/\">", Some(Kind::Sdd)),
            (b"<?xml version=\"1.0\"?><html>", None),
            (b"\xEF\xBB\xBF*SHOW ~ Grasses\n\n*NUMBER OF CHARACTERS 3", Some(Kind::Delta)),
            (b"*CHARACTER LIST\r\n#1. x/", Some(Kind::Delta)),
            (b"*item,colour\na,red\n", None),
            (b"*star,colour\na,red\n", None),
            (b"o,t\na,1\n", None),
            (b"\xFF\xFE#\0N\0E\0X\0U\0S\0", Some(Kind::Nexus)),
            (b"", None),
        ] {
            assert_eq!(kind_of(head), kind, "{:?}", String::from_utf8_lossy(head));
        }
    }
}
