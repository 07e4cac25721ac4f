//! Words, signs and commands of NEXUS.

use super::super::super::Problem;
use super::FORMAT;

/// Word or sign of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Word, or a text in quotes; underscores of a word without quotes are blanks.
    Word(String),
    /// One of `,`, `/`, `=`, `(`, `)`, `{`, `}`.
    Sign(char),
}

/// Place in the text of a file.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Line of the file, counted from 1.
    pub(super) fn line(&self) -> usize {
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..self.at]).count()
    }

    pub(super) fn broken(&self, reason: &str) -> Problem {
        super::super::broken(FORMAT, format!("line {}: {reason}", self.line()))
    }

    /// Skips blanks and comments; returns whether a line ended.
    pub(super) fn skip_blanks(&mut self) -> Result<bool, Problem> {
        let mut ended = false;
        while let Some(letter) = self.peek() {
            if letter == '[' {
                self.skip_comment()?;
            } else if letter.is_whitespace() {
                ended |= letter == '\n' || letter == '\r';
                self.bump();
            } else {
                break;
            }
        }
        Ok(ended)
    }

    fn skip_comment(&mut self) -> Result<(), Problem> {
        let start = self.line();
        let mut depth = 0_usize;
        while let Some(letter) = self.bump() {
            match letter {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
        Err(super::super::broken(FORMAT, format!("the comment that opens in line {start} is never closed")))
    }

    /// Next word or sign of the command; `None` at its end, which is passed.
    pub(super) fn token(&mut self) -> Result<Option<Token>, Problem> {
        self.skip_blanks()?;
        match self.peek() {
            None => Ok(None),
            Some(';') => {
                self.bump();
                Ok(None)
            }
            Some(quote @ ('\'' | '"')) => self.quoted(quote).map(|text| Some(Token::Word(text))),
            Some(sign @ (',' | '/' | '=' | '(' | ')' | '{' | '}')) => {
                self.bump();
                Ok(Some(Token::Sign(sign)))
            }
            Some(_) => Ok(Some(Token::Word(self.bare()))),
        }
    }

    /// Text in quotes; two quotes stand for one, and so does one between letters, as in `'bird's head'`.
    fn quoted(&mut self, quote: char) -> Result<String, Problem> {
        let line = self.line();
        self.bump();
        let mut text = String::new();
        while let Some(letter) = self.bump() {
            if letter != quote {
                text.push(letter);
            } else if self.peek() == Some(quote) {
                self.bump();
                text.push(quote);
            } else if self.peek().is_some_and(char::is_alphanumeric) && self.closes_in_line(quote) {
                text.push(quote);
            } else {
                return Ok(text);
            }
        }
        Err(super::super::broken(FORMAT, format!("the quote that opens in line {line} is never closed")))
    }

    /// Whether another quote follows in this line.
    fn closes_in_line(&self, quote: char) -> bool {
        let line = self.rest().split(['\n', '\r']).next().unwrap_or_default();
        line.contains(quote)
    }

    fn bare(&mut self) -> String {
        let is_end = |letter: char| letter.is_whitespace() || ",;/=()[]{}'\"".contains(letter);
        let rest = self.rest();
        let length =
            rest.find(is_end).unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
        self.at += length;
        rest[..length].replace('_', " ")
    }

    /// Next word, if one comes before the end of the command; the end is not passed.
    pub(super) fn word(&mut self) -> Result<Option<String>, Problem> {
        self.skip_blanks()?;
        match self.peek() {
            None | Some(';') => Ok(None),
            Some(_) => Ok(match self.token()? {
                Some(Token::Word(word)) => Some(word),
                Some(Token::Sign(sign)) => Some(sign.to_string()),
                None => None,
            }),
        }
    }

    /// Name of the next command; `None` at the end of the file.
    pub(super) fn next_command(&mut self) -> Result<Option<String>, Problem> {
        loop {
            self.skip_blanks()?;
            match self.peek() {
                None => return Ok(None),
                Some(';') => _ = self.bump(),
                Some(_) => return self.word(),
            }
        }
    }

    /// Passes the next line that only ends a block; returns whether there is one.
    pub(super) fn skip_to_end_line(&mut self) -> bool {
        let mut at = self.at;
        for line in self.rest().split_inclusive('\n') {
            at += line.len();
            let word: String = line.split_whitespace().collect();
            if word.eq_ignore_ascii_case("end;") || word.eq_ignore_ascii_case("endblock;") {
                self.at = at;
                return true;
            }
        }
        false
    }

    /// Passes the end of the command.
    pub(super) fn skip_command(&mut self) -> Result<(), Problem> {
        while self.token()?.is_some() {}
        Ok(())
    }
}
