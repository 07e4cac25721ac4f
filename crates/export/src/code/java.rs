//! A strategy as a Java class.
//!
//! A class file holds at most 64 KB of code for all its arrays together, and as much in one text. So the tables are one long
//! text in pieces, which the class reads when it is loaded: numbers with a blank after each, and texts with their length before.

use super::header;
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Units of UTF-16 in a piece; a piece may have 65,535 bytes, three for a unit.
const PIECE: usize = 16_000;
/// Pieces that one method adds: a method is at most 64 KB as well.
const PIECES_A_METHOD: usize = 1000;

const WALK: &str = r#"
    /** What to do after some answers. */
    public enum Kind { ASK, RESULT, UNKNOWN }

    /** A kind, with the number of a test (ASK, UNKNOWN) or of a result (RESULT). */
    public static final class Next {
        public final Kind kind;
        public final int at;

        Next(Kind kind, int at) {
            this.kind = kind;
            this.at = at;
        }
    }

    private static final Reader DATA = new Reader(data());
    /** Names of the tests. */
    public static final String[] TESTS = DATA.texts();
    /** Questions of the tests. */
    public static final String[] QUESTIONS = DATA.texts();
    private static final String[][] ANSWERS = DATA.lists();
    private static final String[][] RESULTS = DATA.lists();
    private static final int[] TEST = DATA.numbers();
    private static final int[] FIRST = DATA.numbers();
    private static final int[] RESULT = DATA.numbers();
    private static final int[] ANSWER = DATA.numbers();
    private static final int[] CHILD = DATA.numbers();

    private Strategy() {}

    /** Answers to the test with this number. */
    public static String[] answers(int test) {
        return ANSWERS[test].clone();
    }

    /** Names of the result with this number. */
    public static String[] names(int result) {
        return RESULTS[result].clone();
    }

    /** What to do after these answers, by the names of the tests. */
    public static Next next(java.util.Map<String, String> answers) {
        int node = 0;
        while (TEST[node] >= 0) {
            int test = TEST[node];
            String given = answers.get(TESTS[test]);
            if (given == null) {
                return new Next(Kind.ASK, test);
            }
            int edge = FIRST[node];
            while (edge < FIRST[node + 1] && !ANSWERS[test][ANSWER[edge]].equals(given)) {
                edge++;
            }
            if (edge == FIRST[node + 1]) {
                return new Next(Kind.UNKNOWN, test);
            }
            node = CHILD[edge];
        }
        return new Next(Kind.RESULT, RESULT[node]);
    }

    /** Reads the tables. */
    private static final class Reader {
        private final String data;
        private int at;

        Reader(String data) {
            this.data = data;
        }

        int number() {
            int end = data.indexOf(' ', at);
            int number = Integer.parseInt(data.substring(at, end));
            at = end + 1;
            return number;
        }

        String text() {
            int length = number();
            at += length;
            return data.substring(at - length, at);
        }

        String[] texts() {
            String[] all = new String[number()];
            for (int i = 0; i < all.length; i++) {
                all[i] = text();
            }
            return all;
        }

        String[][] lists() {
            String[][] all = new String[number()][];
            for (int i = 0; i < all.length; i++) {
                all[i] = texts();
            }
            return all;
        }

        int[] numbers() {
            int[] all = new int[number()];
            for (int i = 0; i < all.length; i++) {
                all[i] = number();
            }
            return all;
        }
    }
"#;

const SELF_TEST: &str = r#"
    /** Walks to every leaf, question by question, and tries an unknown answer at each step. */
    public static void main(String[] arguments) {
        int[] paths = DATA.numbers();
        int leaves = 0;
        for (int i = 0; i < paths.length; leaves++) {
            java.util.Map<String, String> answers = new java.util.HashMap<>();
            for (int steps = paths[i++]; steps > 0; steps--, i += 2) {
                must(answers, Kind.ASK, paths[i]);
                answers.put(TESTS[paths[i]], "\001 no such answer");
                must(answers, Kind.UNKNOWN, paths[i]);
                answers.put(TESTS[paths[i]], ANSWERS[paths[i]][paths[i + 1]]);
            }
            must(answers, Kind.RESULT, paths[i++]);
        }
        System.out.println("ok " + leaves);
    }

    private static void must(java.util.Map<String, String> answers, Kind kind, int at) {
        Next next = next(answers);
        if (next.kind != kind || next.at != at) {
            throw new AssertionError(answers);
        }
    }
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    let mut data = Data(String::new());
    data.texts(flat.tests.iter().map(|test| test.name));
    data.texts(flat.tests.iter().map(|test| test.words()));
    data.number(flat.tests.len());
    flat.tests.iter().for_each(|test| data.texts(test.answers.iter().copied()));
    data.number(flat.results.len());
    flat.results.iter().for_each(|result| data.texts(result.iter().map(String::as_str)));
    for (_, _, numbers) in super::tables(&flat) {
        data.numbers(&numbers);
    }
    if export.with_self_test {
        data.numbers(&flat.path_numbers());
    }
    write!(out, "{}", header(export, "//"))?;
    writeln!(
        out,
        "\n/** What to ask next, and what the answers identify. */\npublic final class Strategy {{"
    )?;
    out.write_all(&WALK.as_bytes()[1..])?;
    if export.with_self_test {
        out.write_all(SELF_TEST.as_bytes())?;
    }
    let pieces = pieces(&data.0);
    writeln!(
        out,
        "\n    private static String data() {{\n        StringBuilder data = new StringBuilder();"
    )?;
    for at in 0..pieces.len().div_ceil(PIECES_A_METHOD) {
        writeln!(out, "        add{at}(data);")?;
    }
    writeln!(out, "        return data.toString();\n    }}")?;
    for (at, some) in pieces.chunks(PIECES_A_METHOD).enumerate() {
        writeln!(out, "\n    private static void add{at}(StringBuilder data) {{")?;
        for piece in some {
            writeln!(out, "        data.append({});", literal(piece, Quotes::Java))?;
        }
        writeln!(out, "    }}")?;
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// The tables as one text.
struct Data(String);

impl Data {
    fn number(&mut self, number: impl std::fmt::Display) {
        self.0 += &format!("{number} ");
    }

    fn text(&mut self, text: &str) {
        self.number(text.encode_utf16().count());
        self.0 += text;
    }

    fn texts<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a str>) {
        self.number(texts.len());
        texts.for_each(|text| self.text(text));
    }

    fn numbers(&mut self, numbers: &[i64]) {
        self.number(numbers.len());
        numbers.iter().for_each(|number| self.number(number));
    }
}

/// `text` in pieces of at most [`PIECE`] units.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut begin, mut units) = (0, 0);
    for (at, letter) in text.char_indices() {
        if units + 2 > PIECE {
            pieces.push(&text[begin..at]);
            (begin, units) = (at, 0);
        }
        units += letter.len_utf16();
    }
    pieces.push(&text[begin..]);
    pieces
}
