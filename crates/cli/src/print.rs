//! Output of a command: standard output or a file, with or without colour; warnings on standard error.

use crate::args::{Color, Common};
use crate::endings::has_ending;
use crate::failure::{Failure, in_short};
use crate::files::Files;
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
    color: Option<Color>,
    files: Files,
}

impl Printer {
    pub(crate) fn new(common: &Common) -> Result<Self, Failure> {
        let output = common.output.clone().filter(|path| path != Path::new("-"));
        let files = Files::default();
        if let Some(path) = &output {
            missing::refuse_output(path)?;
            files.writes("--output", path)?;
        }
        let printer = Self {
            json: common.json,
            quiet: common.quiet,
            seed: common.seed.unwrap_or(0),
            output,
            color: common.color,
            files,
        };
        printer.choice().write_global();
        Ok(printer)
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
        let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
        terminal.map_or(PAGE, |(width, _)| usize::from(width.0))
    }

    /// Prints a warning to standard error, unless `--quiet`.
    pub(crate) fn warn(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "\x1b[1;33mwarning:\x1b[0m {}", in_short(text));
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
            let _ = writeln!(anstream::stderr(), "{}", in_short(text));
        }
    }

    /// Prints text to standard output, with colour where it is wanted.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = AutoStream::auto(io::stdout().lock());
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        done.map_err(|error| Failure::writing("standard output", &error))
    }

    /// Writes bytes to standard output.
    pub(crate) fn bytes(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
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
        missing::refuse_output(path)?;
        self.files.writes(option, path)
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

    /// Saves a drawing as SVG, or as PNG where the ending says so.
    pub(crate) fn save_picture(&self, path: &Path, svg: &str) -> Result<(), Failure> {
        missing::refuse_output(path)?;
        #[cfg(feature = "png")]
        if has_ending(path, "png") {
            let failed = |error| Failure::wrong(format!("cannot draw {}: {error}; try .svg", path.display()));
            let bytes = fewest_formats::png_of_svg(svg).map_err(failed)?;
            return self.save(path, |out| out.write_all(&bytes));
        }
        self.save(path, |out| out.write_all(svg.as_bytes()))
    }
}

/// Whether a file is to be a picture, by its ending.
pub(crate) fn is_picture(path: &Path) -> bool {
    has_ending(path, "svg") || has_ending(path, "png")
}

/// Table as text: columns aligned, numbers to the right; escape sequences have no width.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = header.iter().map(|cell| cell.width()).collect();
    for row in rows {
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(shown_width(cell)));
    }
    // A column is one of numbers if its first cell is.
    let numbers: Vec<bool> = (0..header.len())
        .map(|at| rows.first().and_then(|row| row.get(at)).is_some_and(|cell| is_number(cell)))
        .collect();
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).zip(&numbers).map(|((cell, width), number)| {
            let padding = " ".repeat(width.saturating_sub(shown_width(cell)));
            if *number { format!("{padding}{cell}") } else { format!("{cell}{padding}") }
        });
        format!("  {}", cells.collect::<Vec<_>>().join("   ")).trim_end().to_owned()
    };
    let mut text = format!("\x1b[1m{}\x1b[0m\n", line(&header));
    rows.iter().for_each(|row| text.extend([line(row).as_str(), "\n"]));
    text
}

fn is_number(cell: &str) -> bool {
    let plain = anstream::adapter::strip_str(cell).to_string();
    plain.starts_with(|first: char| first.is_ascii_digit() || first == '–' || first == '-')
}

fn shown_width(cell: &str) -> usize {
    anstream::adapter::strip_str(cell).to_string().width()
}
