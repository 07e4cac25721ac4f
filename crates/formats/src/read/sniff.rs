//! Detection of the character that separates cells.

use std::cmp::Reverse;

/// The separators that are recognised.
const SEPARATORS: [u8; 3] = [b',', b'\t', b';'];

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of a cell.
    Start,
    /// In a cell without quotes.
    Plain,
    /// Inside quotes.
    Quoted,
    /// After a closing quote, or the first of a doubled quote.
    Closed,
}

/// Separator of a table that begins with `text`: the most frequent in the header outside quotes. If two are equally
/// frequent, the first of `SEPARATORS`; if there is none, a comma.
pub(super) fn separator(text: &[u8]) -> u8 {
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut firsts = [usize::MAX; SEPARATORS.len()];
    let mut state = State::Start;
    // Blank lines may stand above the header.
    let blank = text.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r')).count();
    for (at, &byte) in text.iter().enumerate().skip(blank) {
        state = match (state, byte) {
            (State::Quoted, b'"') => State::Closed,
            (State::Quoted, _) | (State::Start | State::Closed, b'"') => State::Quoted,
            (_, b'\n' | b'\r') => break,
            (State::Start, b' ') => State::Start,
            _ => State::Plain,
        };
        if state == State::Quoted {
            continue;
        }
        if let Some(number) = SEPARATORS.iter().position(|&separator| separator == byte) {
            counts[number] += 1;
            firsts[number] = firsts[number].min(at);
            state = State::Start;
        }
    }
    let best = (0..SEPARATORS.len()).max_by_key(|&number| (counts[number], Reverse(firsts[number])));
    best.filter(|&number| counts[number] > 0).map_or(b',', |number| SEPARATORS[number])
}

#[cfg(test)]
mod tests {
    use super::separator;

    #[test]
    fn the_most_frequent_separator_of_the_header_wins() {
        assert_eq!(separator(b"a,b,c\n1;2;3;4;5\n"), b',');
        assert_eq!(separator(b"a\tb, c\td\n"), b'\t');
        assert_eq!(separator(b"animal (common, English);legs;eggs\r\n"), b';');
    }

    #[test]
    fn of_equally_frequent_separators_the_first_wins() {
        assert_eq!(separator(b"name;weight, kg;height, m"), b';');
        assert_eq!(separator(b"object,is it so; really"), b',');
    }

    #[test]
    fn separators_between_quotes_do_not_count() {
        assert_eq!(separator(b"\"a, b, c\";d"), b';');
        assert_eq!(separator(b"\"a \"\"x\"\", b, c\";d"), b';');
        assert_eq!(separator(b" \"a,\nb,\"\tc"), b'\t');
    }

    #[test]
    fn a_quote_inside_a_plain_cell_is_a_letter() {
        assert_eq!(separator(b"pipe 5\";a;b,c,d,e\"\n"), b',');
        assert_eq!(separator(b"pipe 5\";a;b,c\n"), b';');
    }

    #[test]
    fn blank_lines_above_the_header_are_skipped() {
        assert_eq!(separator(b"\r\n  \n\na;b\n"), b';');
    }

    #[test]
    fn without_a_separator_it_is_a_comma() {
        assert_eq!(separator(b"name\na;b\n"), b',');
        assert_eq!(separator(b""), b',');
        assert_eq!(separator(b"\"name\"\na;b\n"), b',');
    }
}
