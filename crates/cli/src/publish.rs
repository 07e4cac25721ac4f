//! A result as it is wanted: printed as text or JSON, or saved as the kind of file that the ending names.

use crate::endings::Kind;
use crate::failure::Failure;
use crate::print::{Printer, columns};
use fewest_formats::export::{Block, Report};
use std::io::{self, Write};

/// Text of a page for the terminal.
pub(crate) fn text(report: &Report) -> String {
    let mut text = String::new();
    for block in &report.blocks {
        match block {
            Block::Words(words) | Block::Drawn(words) => text += words,
            Block::Table { header, rows } => {
                let header: Vec<&str> = header.iter().map(String::as_str).collect();
                // An invisible letter at the front of a cell aligns it to the left.
                text += &columns(&header, rows).replace('\u{200b}', "");
            }
            Block::Picture(_) | Block::Html(_) => (),
        }
    }
    text
}

impl Printer {
    /// Publishes a result: `json` writes the same facts for programs, and `picture` draws them.
    ///
    /// The ending of `--output` decides what the file holds. Where that is neither text nor JSON, `--json` still prints
    /// JSON; and text is printed beside a picture.
    pub(crate) fn publish(
        &self,
        mut report: Report,
        json: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        picture: Option<&dyn Fn() -> String>,
    ) -> Result<(), Failure> {
        let Some((path, kind)) = self.output.as_deref().zip(self.kind) else {
            return if self.json { self.bytes_to_output(json) } else { self.text_to_output(&text(&report)) };
        };
        match kind {
            Kind::Json => return self.bytes_to_output(json),
            Kind::Text => self.text_to_output(&text(&report))?,
            Kind::Markdown => self.save(path, |out| out.write_all(report.markdown().as_bytes()))?,
            Kind::Csv => self.save(path, |out| out.write_all(report.csv().as_bytes()))?,
            Kind::Html => {
                report.blocks.extend(picture.map(|draw| Block::Picture(draw())));
                self.save(path, |out| out.write_all(report.html().as_bytes()))?;
            }
            _ => {
                let svg = picture.map_or_else(String::new, |draw| draw());
                self.save_pages(path, kind, &[svg])?;
                if !self.json {
                    return self.text(&format!("{}\nSaved {}.\n", text(&report), path.display()));
                }
            }
        }
        if self.json { self.bytes(json) } else { Ok(()) }
    }
}
