//! Where output goes: standard output or a file, with colour or without, and warnings beside it.

use crate::args::{Color, Common};
use crate::failure::{Failure, in_short};
use crate::files::Files;
use crate::missing;
use anstream::{AutoStream, ColorChoice};
use fewest_formats::read::Source;
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

    /// Where to read from, for a path that was typed. Every file that a command reads goes through here or [`Self::reads`],
    /// and every file that it writes through [`Self::save`]: so none is written over that was read.
    pub(crate) fn source<'p>(&self, path: &'p Path) -> Result<Source<'p>, Failure> {
        self.reads(path)?;
        Ok(Source::of_argument(path))
    }

    /// Takes note of a file that is read.
    pub(crate) fn reads(&self, path: &Path) -> Result<(), Failure> {
        self.files.reads(path)
    }

    /// Takes note of a file that `option` wants written, so that a mistake is told before any work is done.
    pub(crate) fn writes(&self, option: &'static str, path: &Path) -> Result<(), Failure> {
        missing::refuse_output(path)?;
        self.files.writes(option, path)
    }

    /// Writes a file, whole or not at all, unless it is one that was read.
    pub(crate) fn save(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.files.may_write(path)?;
        self.replace(path, fill)
    }

    /// Writes a file, whole or not at all, also where it was read: a session that goes on in its own file.
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

/// Whether the name of a file ends in `.kind`, in any case.
pub(crate) fn has_ending(path: &Path, kind: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(kind))
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
