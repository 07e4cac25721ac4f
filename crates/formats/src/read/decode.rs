//! Bytes of any encoding become UTF-8, chunk by chunk.
//!
//! The first byte beyond ASCII decides, so that one pass suffices and nothing is kept. Where a valid UTF-8 sequence
//! begins there, the text is UTF-8, and any broken sequence later is a mistake. Otherwise the text is Windows-1252,
//! and any valid UTF-8 sequence later is a mistake. Mistakes are passed on as bytes that are not UTF-8, because only
//! the code that splits the text into cells knows in which cell they are.

use std::io::{self, Read};

/// A byte that occurs in no UTF-8 text.
const MISTAKE: u8 = 0xFF;

/// The letters of Windows-1252 from 0x80 to 0x9F; from 0xA0 on they are those of Unicode. NUL marks the five
/// bytes without meaning.
const WINDOWS_1252: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', //
    '\0', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// No byte was read yet: a byte order mark may come.
    Unknown,
    /// Only ASCII so far.
    Ascii,
    Utf8,
    Windows1252,
    Utf16(ByteOrder),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    Little,
    Big,
}

/// A stream of bytes, read as text.
pub(super) struct Decode<R> {
    input: R,
    encoding: Encoding,
    /// Bytes that cannot be decoded without those after them, in encodings other than UTF-8.
    raw: Vec<u8>,
}

impl<R: Read> Decode<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, encoding: Encoding::Unknown, raw: Vec::new() }
    }

    pub(super) fn is_windows_1252(&self) -> bool {
        self.encoding == Encoding::Windows1252
    }

    /// Appends about `size` bytes to `text`; returns `false` at the end of the input.
    pub(super) fn fill(&mut self, text: &mut Vec<u8>, size: usize) -> io::Result<bool> {
        match self.encoding {
            Encoding::Unknown | Encoding::Ascii => self.fill_undecided(text, size),
            Encoding::Utf8 => append(&mut self.input, text, size),
            Encoding::Windows1252 | Encoding::Utf16(_) => {
                let more = append(&mut self.input, &mut self.raw, size)?;
                self.decode(text, more);
                Ok(more)
            }
        }
    }

    fn fill_undecided(&mut self, text: &mut Vec<u8>, size: usize) -> io::Result<bool> {
        let start = text.len();
        let mut more = append(&mut self.input, text, size)?;
        if self.encoding == Encoding::Unknown {
            let (encoding, mark) = match &text[start..] {
                [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
                [0xFF, 0xFE, ..] => (Encoding::Utf16(ByteOrder::Little), 2),
                [0xFE, 0xFF, ..] => (Encoding::Utf16(ByteOrder::Big), 2),
                _ => (Encoding::Ascii, 0),
            };
            self.encoding = encoding;
            text.drain(start..start + mark);
            if let Encoding::Utf16(_) = encoding {
                self.raw = text.split_off(start);
                self.decode(text, more);
            }
        }
        if self.encoding == Encoding::Ascii && !text[start..].is_ascii() {
            let first = text[start..].iter().take_while(|byte| byte.is_ascii()).count() + start;
            if more && text.len() - first < 4 {
                more = append(&mut self.input, text, 4)?;
            }
            if sequence_len(&text[first..]).is_some() {
                self.encoding = Encoding::Utf8;
            } else {
                self.encoding = Encoding::Windows1252;
                self.raw = text.split_off(first);
                self.decode(text, more);
            }
        }
        Ok(more)
    }

    /// Decodes bytes from `raw` to `text`: all of them, unless `more` are to come.
    fn decode(&mut self, text: &mut Vec<u8>, more: bool) {
        let done = match self.encoding {
            Encoding::Utf16(order) => decode_utf16(&self.raw, order, more, text),
            _ => decode_windows_1252(&self.raw, more, text),
        };
        self.raw.drain(..done);
    }
}

/// Appends `size` bytes of `input`, or all that are left; returns `false` in the latter case.
fn append(input: &mut impl Read, bytes: &mut Vec<u8>, size: usize) -> io::Result<bool> {
    let mut filled = bytes.len();
    bytes.resize(filled + size, 0);
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let more = filled == bytes.len();
    bytes.truncate(filled);
    Ok(more)
}

/// Length of the UTF-8 sequence beyond ASCII with which `bytes` begin.
fn sequence_len(bytes: &[u8]) -> Option<usize> {
    (2..=bytes.len().min(4))
        .find(|&len| std::str::from_utf8(&bytes[..len]).is_ok_and(|text| text.chars().count() == 1))
}

fn decode_windows_1252(raw: &[u8], more: bool, text: &mut Vec<u8>) -> usize {
    let mut at = 0;
    while at < raw.len() && !(more && raw.len() - at < 4) {
        let byte = raw[at];
        at += 1;
        match byte {
            0..0x80 => text.push(byte),
            _ if sequence_len(&raw[at - 1..]).is_some() => text.push(MISTAKE),
            0x80..0xA0 if WINDOWS_1252[usize::from(byte - 0x80)] == '\0' => text.push(MISTAKE),
            0x80..0xA0 => push(text, WINDOWS_1252[usize::from(byte - 0x80)]),
            0xA0.. => push(text, char::from(byte)),
        }
    }
    at
}

fn decode_utf16(raw: &[u8], order: ByteOrder, more: bool, text: &mut Vec<u8>) -> usize {
    let unit = |pair: &[u8]| match order {
        ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
        ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
    };
    let mut at = 0;
    while raw.len() - at >= 2 && !(more && raw.len() - at < 4) {
        let units = raw[at..].chunks_exact(2).take(2).map(unit);
        match char::decode_utf16(units).next() {
            Some(Ok(letter)) => {
                push(text, letter);
                at += 2 * letter.len_utf16();
            }
            Some(Err(_)) | None => {
                text.push(MISTAKE);
                at += 2;
            }
        }
    }
    if !more && at < raw.len() {
        // Half a letter at the end.
        text.push(MISTAKE);
        at = raw.len();
    }
    at
}

fn push(text: &mut Vec<u8>, letter: char) {
    text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes `bytes` in chunks of every size, which must all agree.
    fn decoded(bytes: &[u8]) -> (Vec<u8>, bool) {
        let by_chunks = |size: usize| {
            let mut decode = Decode::new(bytes);
            let mut text = Vec::new();
            while decode.fill(&mut text, size).unwrap() {}
            (text, decode.is_windows_1252())
        };
        let whole = by_chunks(1 << 10);
        // The first chunk is never shorter than the longest byte order mark.
        (4..bytes.len().max(4) + 2).for_each(|size| assert_eq!(by_chunks(size), whole, "chunks of {size}"));
        whole
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf8_passes_unchanged_and_loses_its_mark() {
        assert_eq!(decoded("a,ä,€,🦉".as_bytes()), ("a,ä,€,🦉".into(), false));
        assert_eq!(decoded("\u{FEFF}a,ä".as_bytes()), ("a,ä".into(), false));
        assert_eq!(decoded(b"plain"), (b"plain".into(), false));
        assert_eq!(decoded(b""), (b"".into(), false));
    }

    #[test]
    fn bytes_without_any_utf8_sequence_are_windows_1252() {
        assert_eq!(decoded(b"Gr\xFC\xDFe \x80 \x93x\x94 \xA0"), ("Grüße € “x” \u{A0}".into(), true));
        assert_eq!(decoded(b"caf\xE9"), ("café".into(), true));
    }

    #[test]
    fn a_byte_without_meaning_in_windows_1252_is_a_mistake() {
        for byte in [0x81, 0x8D, 0x8F, 0x90, 0x9D] {
            assert_eq!(decoded(&[b'a', 0xE9, b'b', byte, b'c']).0, [b'a', 0xC3, 0xA9, b'b', MISTAKE, b'c']);
        }
    }

    #[test]
    fn a_mixture_is_a_mistake_whichever_comes_first() {
        let (text, _) = decoded(b"caf\xE9, \xC3\xA9");
        assert!(std::str::from_utf8(&text).is_err());
        let (text, is_windows_1252) = decoded(b"\xC3\xA9, caf\xE9");
        assert!(std::str::from_utf8(&text).is_err() && !is_windows_1252);
    }

    #[test]
    fn utf16_is_known_by_its_mark() {
        let text = "\u{FEFF}name\tGröße\nEule 🦉\t1\n";
        assert_eq!(decoded(&utf16(text, u16::to_le_bytes)), (text[3..].into(), false));
        assert_eq!(decoded(&utf16(text, u16::to_be_bytes)), (text[3..].into(), false));
    }

    #[test]
    fn broken_utf16_is_a_mistake() {
        let half = |bytes: &[u8]| [&[0xFF, 0xFE], bytes].concat();
        assert_eq!(decoded(&half(b"a\0b")).0, [b'a', MISTAKE]);
        assert_eq!(decoded(&half(&[0x00, 0xD8, b'b', 0])).0, [MISTAKE, b'b']);
        assert_eq!(decoded(&half(&[b'b', 0, 0x00, 0xD8])).0, [b'b', MISTAKE]);
    }
}
