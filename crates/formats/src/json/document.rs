//! A JSON object written field by field, one to a line: people can skim it, and a tree may have any depth.

use super::{VERSION, certificate, tree};
use crate::NamedTree;
use fewest::{Instance, Proof};
use serde::Serialize;
use std::io::{Result, Write};

/// Document that is being written; each field is written at once.
pub struct Document<W: Write> {
    out: W,
}

impl<W: Write> Document<W> {
    /// Opens a document with its version.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn begin(mut out: W) -> Result<Self> {
        write!(out, "{{\n  \"version\": {VERSION}")?;
        Ok(Self { out })
    }

    /// Writes one field.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        write!(self.out, ",\n  \"{name}\": ")?;
        serde_json::to_writer(&mut self.out, value)?;
        Ok(())
    }

    /// Writes a list with one item to a line.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn list<T: Serialize>(&mut self, name: &str, items: impl Iterator<Item = T>) -> Result<()> {
        write!(self.out, ",\n  \"{name}\": [")?;
        let mut separator = "\n    ";
        for item in items {
            self.out.write_all(separator.as_bytes())?;
            serde_json::to_writer(&mut self.out, &item)?;
            separator = ",\n    ";
        }
        self.out.write_all(b"]")
    }

    /// Writes a tree.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn tree(&mut self, name: &str, tree: &NamedTree) -> Result<()> {
        write!(self.out, ",\n  \"{name}\": ")?;
        tree::write(&mut self.out, tree)
    }

    /// Writes one field, whose JSON `fill` writes.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub(crate) fn raw(&mut self, name: &str, fill: impl FnOnce(&mut W) -> Result<()>) -> Result<()> {
        write!(self.out, ",\n  \"{name}\": ")?;
        fill(&mut self.out)
    }

    /// Writes a proof as the field `certificate`.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn certificate(&mut self, instance: &Instance, proof: &Proof) -> Result<()> {
        self.out.write_all(b",\n  \"certificate\": ")?;
        certificate::write(&mut self.out, instance, proof)
    }

    /// Closes the document.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn end(mut self) -> Result<()> {
        self.out.write_all(b"\n}\n")?;
        self.out.flush()
    }
}
