//! Texts as literals of other languages: no name can end its quotes, its line or the program.

/// A language's way to write a text between quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    C,
    Go,
    Java,
    Python,
    Rust,
    /// JavaScript and TypeScript, safe within a page as well.
    Script,
    Sql,
}

/// Bytes of a piece of a C literal; compilers must take at least 4,095.
const C_PIECE: usize = 1000;

/// `text` as a literal, with its quotes.
pub(crate) fn literal(text: &str, quotes: Quotes) -> String {
    if quotes == Quotes::Sql {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut piece = 0;
    for letter in text.chars() {
        if quotes == Quotes::C && out.len() - piece > C_PIECE {
            piece = out.len();
            out += "\"\n    \"";
        }
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            // Two question marks begin a trigraph of C, `</script>` ends the script of a page.
            '?' if quotes == Quotes::C => out += "\\?",
            '<' if quotes == Quotes::Script => out += "\\u003c",
            ' '..='~' => out.push(letter),
            _ if letter.is_alphanumeric() && !matches!(quotes, Quotes::C | Quotes::Java) => out.push(letter),
            _ => out += &escaped(letter, quotes),
        }
    }
    out.push('"');
    out
}

/// A letter by its number: control characters, marks that change the direction of writing, and everything else that one
/// might not see.
fn escaped(letter: char, quotes: Quotes) -> String {
    let code = u32::from(letter);
    match quotes {
        Quotes::C => {
            let mut bytes = [0; 4];
            letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")).collect()
        }
        Quotes::Python if code < 0x100 => format!("\\x{code:02x}"),
        Quotes::Python | Quotes::Go if code > 0xffff => format!("\\U{code:08x}"),
        Quotes::Python | Quotes::Go => format!("\\u{code:04x}"),
        // Java reads `\u000a` as the end of a line, even within quotes.
        Quotes::Java if code < 0x80 => format!("\\{code:03o}"),
        Quotes::Java | Quotes::Script => {
            letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
        }
        Quotes::Rust => format!("\\u{{{code:x}}}"),
        Quotes::Sql => letter.to_string(),
    }
}

/// `text` for a comment of any language: one line that neither ends the comment nor escapes from it.
pub(crate) fn comment(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\\' => '/',
        ' '..='~' => letter,
        _ if letter.is_alphanumeric() || "–—λχ²·…≥≤".contains(letter) => letter,
        _ => ' ',
    };
    let text: String = text.chars().map(plain).collect();
    text.replace("*/", "* /").replace("/*", "/ *").replace("-->", "-- >")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARD: &str = "a\"b\\c\n??/*/${x}</s>\u{2028}\u{202e}é😀'";

    #[test]
    fn every_language_has_its_own_escapes() {
        let expect = [
            (Quotes::C, r#""a\"b\\c\n\?\?/*/${x}</s>\342\200\250\342\200\256\303\251\360\237\230\200'""#),
            (Quotes::Go, r#""a\"b\\c\n??/*/${x}</s>\u2028\u202eé\U0001f600'""#),
            (Quotes::Java, r#""a\"b\\c\n??/*/${x}</s>\u2028\u202e\u00e9\ud83d\ude00'""#),
            (Quotes::Python, r#""a\"b\\c\n??/*/${x}</s>\u2028\u202eé\U0001f600'""#),
            (Quotes::Rust, r#""a\"b\\c\n??/*/${x}</s>\u{2028}\u{202e}é\u{1f600}'""#),
            (Quotes::Script, r#""a\"b\\c\n??/*/${x}\u003c/s>\u2028\u202eé\ud83d\ude00'""#),
        ];
        for (quotes, literal_of) in expect {
            assert_eq!(literal(HARD, quotes), literal_of, "{quotes:?}");
        }
        assert_eq!(literal("it's", Quotes::Sql), "'it''s'");
        assert_eq!(literal("\u{7}", Quotes::Java), "\"\\007\"");
    }

    #[test]
    fn a_comment_stays_a_comment() {
        assert_eq!(comment("a */ b\nc \\u000a --> d"), "a * / b c /u000a -- > d");
    }
}
