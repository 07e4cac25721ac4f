//! A strategy as a Python module.

use super::{header, literals, names, numbers, tables};
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Numbers beyond which a table is packed: Python reads long tuples slowly.
const LONG: usize = 50_000;

const WALK: &str = r#"

class Unanswered(LookupError):
    """An answer is needed that was not given; `test` says which."""

    def __init__(self, test):
        super().__init__("no answer to %r" % (test,))
        self.test = test


class UnknownAnswer(ValueError):
    """An answer was given that leads nowhere."""

    def __init__(self, test, answer):
        super().__init__("%r is not a known answer to %r here" % (answer, test))
        self.test = test
        self.answer = answer


def next_question(answers):
    """What to do after these answers (a dict from test to answer).

    Returns ("ask", test, question, answers to choose from), ("result", names) or ("unknown", test, answer).
    """
    node = 0
    while TEST[node] >= 0:
        test, question, known = TESTS[TEST[node]]
        edges = range(FIRST[node], FIRST[node + 1])
        if test not in answers:
            return ("ask", test, question, tuple(known[ANSWER[edge]] for edge in edges))
        answer = answers[test]
        for edge in edges:
            if known[ANSWER[edge]] == answer:
                node = CHILD[edge]
                break
        else:
            return ("unknown", test, answer)
    return ("result", RESULTS[RESULT[node]])


def identify(answers):
    """Names that these answers (a dict from test to answer) identify.

    Raises Unanswered where an answer is missing and UnknownAnswer where one leads nowhere.
    """
    kind, *rest = next_question(answers)
    if kind == "ask":
        raise Unanswered(rest[0])
    if kind == "unknown":
        raise UnknownAnswer(*rest)
    return rest[0]
"#;

const SELF_TEST: &str = r#"

def self_test():
    """Walks to every leaf, question by question, and tries an unknown answer at each step."""
    for path, names in PATHS:
        answers = {}
        for test, answer in path:
            assert next_question(answers)[:2] == ("ask", test), (answers, test)
            assert next_question({**answers, test: object()})[0] == "unknown"
            answers[test] = answer
        assert identify(answers) == names, (answers, names)
    return len(PATHS)


if __name__ == "__main__":
    print("ok", self_test())
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    let tables = tables(&flat);
    let is_packed = tables.iter().any(|(_, _, numbers)| numbers.len() > LONG);
    write!(out, "{}", header(export, "#"))?;
    if is_packed {
        writeln!(out, "\nimport array\nimport base64\nimport sys\n")?;
        writeln!(out, "\ndef _unpacked(text):\n    numbers = array.array(\"i\", base64.b64decode(text))")?;
        writeln!(out, "    if sys.byteorder == \"big\":\n        numbers.byteswap()\n    return numbers\n")?;
    }
    writeln!(out, "\n# Each test: its name, its question, its answers.\nTESTS = (")?;
    for test in &flat.tests {
        let question = test.words();
        let answers = literals(test.answers.iter().copied(), Quotes::Python);
        let (name, question) = (literal(test.name, Quotes::Python), literal(question, Quotes::Python));
        writeln!(out, "    ({name}, {question}, ({answers},)),")?;
    }
    writeln!(
        out,
        ")\n# Names that a leaf identifies; several where the tests cannot tell them apart.\nRESULTS = ("
    )?;
    for result in &flat.results {
        writeln!(out, "    ({},),", names(result, Quotes::Python))?;
    }
    writeln!(out, ")")?;
    for (name, about, all) in tables {
        match is_packed {
            true => writeln!(out, "# {about}\n{name} = _unpacked(\n{}\n)", packed(&all))?,
            false => writeln!(out, "# {about}\n{name} = (\n{}\n)", numbers(&all, "    "))?,
        }
    }
    out.write_all(WALK.as_bytes())?;
    if export.with_self_test {
        writeln!(
            out,
            "\n\n# For the test: the answers that lead to each leaf, and what it identifies.\nPATHS = ("
        )?;
        for (path, result) in flat.paths() {
            let step = |(test, answer): &(usize, usize)| {
                let test = &flat.tests[*test];
                format!("({})", literals([test.name, test.answers[*answer]], Quotes::Python))
            };
            let steps: String = path.iter().map(|one| step(one) + ", ").collect();
            writeln!(
                out,
                "    (({}), ({},)),",
                steps.trim_end(),
                names(flat.results[result], Quotes::Python)
            )?;
        }
        writeln!(out, ")")?;
        out.write_all(SELF_TEST.as_bytes())?;
    }
    Ok(())
}

/// Numbers of 32 bits, the lowest byte first, as literals of base64.
fn packed(all: &[i64]) -> String {
    let bytes: Vec<u8> =
        all.iter().flat_map(|number| i32::try_from(*number).unwrap_or(i32::MAX).to_le_bytes()).collect();
    let text = base64(&bytes);
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(92));
        lines.push(format!("    \"{line}\""));
        rest = after;
    }
    lines.join("\n")
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, at| word << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            text.push(if at > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_its_standard() {
        let known = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (text, coded) in known {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }
}
