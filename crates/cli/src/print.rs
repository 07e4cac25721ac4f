//! Output of a command: standard output or a file, with or without colour; warnings on standard error.

use crate::args::{Color, Command, Common};
use crate::endings::{Kind, kind_of_output, kind_of_picture};
use crate::failure::{Failure, in_short};
use crate::files::Files;
use crate::fold::{fold, folded_for_errors, shown_width, words};
use crate::missing;
use anstream::{AutoStream, ColorChoice};
use fewest_formats::read::Source;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Columns of a page where the output is not a terminal.
const PAGE: usize = 100;

/// Destination and style of a command's output, and the files that it reads and writes.
pub(crate) struct Printer {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) seed: u64,
    pub(crate) output: Option<PathBuf>,
    /// Kind of the file that `--output` names, by its ending; `None`: there is no ending, or no file.
    pub(crate) kind: Option<Kind>,
    color: Option<Color>,
    files: Files,
    /// Whether standard output is left alone.
    is_silent: bool,
}

impl Printer {
    pub(crate) fn new(common: &Common, command: &Command) -> Result<Self, Failure> {
        let output = common.output.clone().filter(|path| path != Path::new("-"));
        let files = Files::default();
        let mut kind = None;
        if let Some(path) = &output {
            kind = kind_of_output(path, command)?;
            kind.map_or(Ok(()), |kind| missing::refuse_output(path, kind))?;
            files.writes("--output", path)?;
        }
        let printer = Self {
            json: common.json,
            quiet: common.quiet,
            seed: common.seed.unwrap_or(0),
            output,
            kind,
            color: common.color,
            files,
            is_silent: false,
        };
        printer.choice().write_global();
        Ok(printer)
    }

    /// The printer without standard output and warnings, for a program that wants the files alone.
    pub(crate) fn silent(self) -> Self {
        Self { is_silent: true, quiet: true, ..self }
    }

    fn choice(&self) -> ColorChoice {
        match self.color {
            None | Some(Color::Auto) => ColorChoice::Auto,
            Some(Color::Always) => ColorChoice::Always,
            Some(Color::Never) => ColorChoice::Never,
        }
    }

    /// Width of the page in columns.
    pub(crate) fn width(&self) -> usize {
        page_width()
    }

    /// Prints a warning to standard error, unless `--quiet`.
    pub(crate) fn warn(&self, text: &str) {
        if !self.quiet {
            let text = format!("\x1b[1;33mwarning:\x1b[0m {}\n", in_short(text));
            let _ = write!(anstream::stderr(), "{}", folded_for_errors(&text));
        }
    }

    /// Prints a remark about a table to standard error, as a note or as a warning, unless `--quiet`.
    pub(crate) fn say(&self, is_note: bool, text: &str) {
        match is_note {
            true => self.note(&format!("note: {text}")),
            false => self.warn(text),
        }
    }

    /// Prints a note to standard error, unless `--quiet`.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = write!(anstream::stderr(), "{}", folded_for_errors(&format!("{}\n", in_short(text))));
        }
    }

    /// Prints text to standard output, with colour where it is wanted.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        if self.is_silent {
            return Ok(());
        }
        let mut out = AutoStream::auto(io::stdout().lock());
        let folded = if io::stdout().is_terminal() { fold(text, page_width()) } else { text.to_owned() };
        let done = out.write_all(folded.as_bytes()).and_then(|()| out.flush());
        done.map_err(|error| Failure::writing("standard output", &error))
    }

    /// Writes bytes to standard output.
    pub(crate) fn bytes(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        if self.is_silent {
            return Ok(());
        }
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let done = fill(&mut out).and_then(|()| out.flush());
        done.map_err(|error| Failure::writing("standard output", &error))
    }

    /// Writes bytes to the file that `--output` names, or else to standard output.
    pub(crate) fn bytes_to_output(
        &self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match &self.output {
            None => self.bytes(fill),
            Some(path) => self.save(path, fill),
        }
    }

    /// Writes text to the file that `--output` names, without colour, or else to standard output.
    pub(crate) fn text_to_output(&self, text: &str) -> Result<(), Failure> {
        match &self.output {
            None => self.text(text),
            Some(path) => self.save(path, |out| write!(out, "{}", anstream::adapter::strip_str(text))),
        }
    }

    /// Source for a path from the command line. Every file that a command reads goes through here or [`Self::reads`],
    /// and every file that it writes through [`Self::save`], so that no input is overwritten.
    pub(crate) fn source<'p>(&self, path: &'p Path) -> Result<Source<'p>, Failure> {
        self.reads(path)?;
        Ok(Source::of_argument(path))
    }

    /// Registers a file that is read.
    pub(crate) fn reads(&self, path: &Path) -> Result<(), Failure> {
        self.files.reads(path)
    }

    /// Registers a file that `option` will write, so that a conflict is reported before any work is done.
    pub(crate) fn writes(&self, option: &'static str, path: &Path) -> Result<(), Failure> {
        self.files.writes(option, path)
    }

    /// Registers a picture that `option` will write.
    pub(crate) fn draws(&self, option: &'static str, path: &Path) -> Result<(), Failure> {
        missing::refuse_output(path, kind_of_picture(option, path)?)?;
        self.files.writes(option, path)
    }

    /// Whether the output is JSON: by the ending of `--output`, else by `--json`.
    pub(crate) fn wants_json(&self) -> bool {
        self.kind.map_or(self.json, |kind| kind == Kind::Json)
    }

    /// Whether the output is for a reader of text, who sees no more than a screen.
    pub(crate) fn is_short(&self) -> bool {
        matches!(self.kind, None | Some(Kind::Text)) || self.kind.is_some_and(Kind::is_picture)
    }

    /// Writes a file atomically, unless it is an input.
    pub(crate) fn save(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.files.may_write(path)?;
        self.replace(path, fill)
    }

    /// Writes a file atomically, also if it is an input: a session that continues in its own file.
    pub(crate) fn replace(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        fewest_formats::write::write_whole(path, fill)
            .map_err(|error| Failure::writing(&path.display().to_string(), &error))
    }

    /// Saves a drawing as SVG, PNG or PDF, by the ending of the name.
    pub(crate) fn save_picture(&self, path: &Path, svg: &str) -> Result<(), Failure> {
        self.save_pages(path, kind_of_picture("a picture", path)?, &[svg.to_owned()])
    }

    /// Saves a drawing: all pages as PDF, else the first.
    pub(crate) fn save_pages(&self, path: &Path, kind: Kind, pages: &[String]) -> Result<(), Failure> {
        missing::refuse_output(path, kind)?;
        let first = pages.first().map_or("", String::as_str);
        #[cfg(any(feature = "pdf", feature = "png"))]
        let failed = |error| Failure::wrong(format!("cannot draw {}: {error}; try .svg", path.display()));
        #[cfg(any(feature = "pdf", feature = "png"))]
        if matches!(kind, Kind::Png | Kind::Pdf) {
            self.tell_letters_not_drawn(path, &fewest_formats::letters_not_drawn(pages));
        }
        match kind {
            #[cfg(feature = "png")]
            Kind::Png => {
                let bytes = fewest_formats::png_of_svg(first).map_err(failed)?;
                self.save(path, |out| out.write_all(&bytes))
            }
            #[cfg(feature = "pdf")]
            Kind::Pdf => {
                let title =
                    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
                let bytes = fewest_formats::pdf_of_svgs(&title, pages).map_err(failed)?;
                self.save(path, |out| out.write_all(&bytes))
            }
            _ => self.save(path, |out| out.write_all(first.as_bytes())),
        }
    }
}

#[cfg(any(feature = "pdf", feature = "png"))]
impl Printer {
    /// Says which letters of a picture are empty boxes, because the built-in fonts do not have them.
    fn tell_letters_not_drawn(&self, path: &Path, letters: &[char]) {
        const SHOWN: usize = 8;
        if letters.is_empty() {
            return;
        }
        let shown: String = letters.iter().take(SHOWN).collect();
        let more = if letters.len() > SHOWN { " …" } else { "" };
        self.note(&format!(
            "{}: the built-in font has no picture of {} (`{shown}`{more}), which are drawn as empty boxes; .svg and .html show them",
            path.display(),
            fewest_formats::text::count(letters.len(), "letter"),
        ));
    }
}

/// Table as text: columns aligned, numbers to the right; escape sequences have no width. Where it is wider than the page,
/// headings and then the widest column of words are folded.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>]) -> String {
    // Other programs look for whole lines.
    let page = if io::stdout().is_terminal() { page_width() } else { usize::MAX };
    columns_within(header, rows, page)
}

/// Width of the page in columns: that of the terminal, or of a page where there is none.
fn page_width() -> usize {
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    terminal.map_or(PAGE, |(width, _)| usize::from(width.0))
}

fn columns_within(header: &[&str], rows: &[Vec<String>], page: usize) -> String {
    let cell_widths =
        |at: usize| rows.iter().filter_map(move |row| row.get(at)).map(|cell| shown_width(cell));
    let content: Vec<usize> = (0..header.len()).map(|at| cell_widths(at).max().unwrap_or(0)).collect();
    // A column is one of numbers if its first cell is.
    let numbers: Vec<bool> = (0..header.len())
        .map(|at| rows.first().and_then(|row| row.get(at)).is_some_and(|cell| is_number(cell)))
        .collect();
    let longest_word = |text: &str| text.split(' ').map(shown_width).max().unwrap_or(0);
    let total = |widths: &[usize]| widths.iter().sum::<usize>() + 2 + 3 * widths.len().saturating_sub(1);
    let mut widths: Vec<usize> =
        header.iter().zip(&content).map(|(head, width)| head.width().max(*width)).collect();
    if total(&widths) > page {
        widths = header.iter().zip(&content).map(|(head, width)| longest_word(head).max(*width)).collect();
    }
    let widest = (0..widths.len()).filter(|at| !numbers[*at]).max_by_key(|at| widths[*at]);
    if let (true, Some(widest)) = (total(&widths) > page, widest) {
        let others = total(&widths) - widths[widest];
        widths[widest] = page.saturating_sub(others).max(NARROWEST).min(widths[widest]);
    }
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    for line in lines(&header, &widths, &numbers) {
        text += &format!("\x1b[1m{line}\x1b[0m\n");
    }
    for line in rows.iter().flat_map(|row| lines(row, &widths, &numbers)) {
        text.extend([line.as_str(), "\n"]);
    }
    text
}

/// The narrowest column of words.
const NARROWEST: usize = 16;

/// Lines of a row whose cells are folded to these widths.
fn lines(row: &[String], widths: &[usize], numbers: &[bool]) -> Vec<String> {
    let folded = |(cell, width): (&String, &usize)| match shown_width(cell) > *width {
        true => words(cell, *width),
        false => vec![cell.clone()],
    };
    let cells: Vec<Vec<String>> = row.iter().zip(widths).map(folded).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let cells = cells.iter().zip(widths).zip(numbers).map(|((cell, width), number)| {
            let cell = cell.get(at).map_or("", String::as_str);
            let padding = " ".repeat(width.saturating_sub(shown_width(cell)));
            if *number { format!("{padding}{cell}") } else { format!("{cell}{padding}") }
        });
        format!("  {}", cells.collect::<Vec<_>>().join("   ")).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

fn is_number(cell: &str) -> bool {
    let plain = anstream::adapter::strip_str(cell).to_string();
    plain.starts_with(|first: char| first.is_ascii_digit() || first == '–' || first == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        vec![row(&["a name of several words", "1.25", "12"]), row(&["b", "10", "3"])]
    }

    #[test]
    fn a_table_that_fits_has_one_line_for_each_row() {
        let text = columns_within(&["name", "expected cost", "n"], &rows(), 80);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(
            plain,
            "  name                      expected cost    n\n  a name of several words            1.25   12\n  b                                    10    3\n"
        );
    }

    #[test]
    fn a_table_that_is_too_wide_is_folded() {
        let text = columns_within(&["name", "expected cost", "n"], &rows(), 36);
        let plain = anstream::adapter::strip_str(&text).to_string();
        // Of 36 columns, 18 are left for the names: 8 and 2 are taken by numbers, 8 by gaps.
        let lines = [
            "  name                 expected    n",
            "                           cost",
            "  a name of several        1.25   12",
            "  words",
            "  b                          10    3",
        ];
        assert_eq!(plain.lines().collect::<Vec<_>>(), lines);
        assert!(plain.lines().all(|line| line.width() <= 36));
    }
}
