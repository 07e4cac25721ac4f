//! Where output goes: standard output or a file, with colour or without, and warnings beside it.

use crate::args::{Color, Common};
use crate::failure::{Failure, in_short};
use anstream::{AutoStream, ColorChoice};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Columns of a page where there is no terminal to ask.
const PAGE: usize = 100;

/// How and where a command speaks.
pub(crate) struct Printer {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) seed: u64,
    pub(crate) output: Option<PathBuf>,
    color: Option<Color>,
}

impl Printer {
    pub(crate) fn new(common: &Common) -> Self {
        let output = common.output.clone().filter(|path| path != Path::new("-"));
        let printer = Self {
            json: common.json,
            quiet: common.quiet,
            seed: common.seed.unwrap_or(0),
            output,
            color: common.color,
        };
        printer.choice().write_global();
        printer
    }

    fn choice(&self) -> ColorChoice {
        match self.color {
            None | Some(Color::Auto) => ColorChoice::Auto,
            Some(Color::Always) => ColorChoice::Always,
            Some(Color::Never) => ColorChoice::Never,
        }
    }

    /// Columns to fill.
    pub(crate) fn width(&self) -> usize {
        let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
        terminal.map_or(PAGE, |(width, _)| usize::from(width.0))
    }

    /// Says something beside the output, unless nobody wants to hear it.
    pub(crate) fn warn(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "\x1b[1;33mwarning:\x1b[0m {}", in_short(text));
        }
    }

    /// Says how it went beside the output, unless nobody wants to hear it.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{}", in_short(text));
        }
    }

    /// Prints text for people to standard output.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = AutoStream::auto(io::stdout().lock());
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        done.map_err(|error| Failure::writing("standard output", &error))
    }

    /// Writes bytes for programs to standard output.
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
            Some(path) => save(path, fill),
        }
    }

    /// Writes text to the file that `--output` names, without colour, or else to standard output.
    pub(crate) fn text_to_output(&self, text: &str) -> Result<(), Failure> {
        match &self.output {
            None => self.text(text),
            Some(path) => save(path, |out| write!(out, "{}", anstream::adapter::strip_str(text))),
        }
    }

    /// A table that is read must not be written over.
    pub(crate) fn refuse_overwriting(&self, table: &Path) -> Result<(), Failure> {
        let same = |output: &PathBuf| match (output.canonicalize(), table.canonicalize()) {
            (Ok(output), Ok(table)) => output == table && output.is_file(),
            _ => false,
        };
        match self.output.as_ref().filter(|output| same(output)) {
            Some(output) => Err(Failure::wrong(format!(
                "--output {} would overwrite the file that is read; name another",
                output.display()
            ))),
            None => Ok(()),
        }
    }
}

/// Writes a file, whole or not at all.
pub(crate) fn save(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    fewest_formats::write::write_whole(path, fill)
        .map_err(|error| Failure::writing(&path.display().to_string(), &error))
}

/// Whether a file is to be a picture, by its ending.
pub(crate) fn is_picture(path: &Path) -> bool {
    let is = |kind: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(kind));
    is("svg") || is("png")
}

/// Saves a drawing as SVG, or as PNG where the ending says so.
pub(crate) fn save_picture(path: &Path, svg: &str) -> Result<(), Failure> {
    let bytes = match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        true => fewest_formats::png_of_svg(svg)
            .map_err(|error| Failure::wrong(format!("cannot draw {}: {error}; try .svg", path.display())))?,
        false => svg.as_bytes().to_vec(),
    };
    save(path, |out| out.write_all(&bytes))
}

/// Rows of cells in columns, numbers to the right; styles do not count as width.
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
