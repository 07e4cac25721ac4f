//! A certificate in a file of its own, and files that may be either that or a strategy.

use crate::json::{CertificatePart, Document, InstancePart, ReadingPart, VERSION};
use crate::strategy::{Strategy, StrategyError, from_json, from_json_noting};
use fewest::{Instance, Proof};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::{self, Write};

/// Why no strategy costs less than a number, without any strategy.
#[derive(Clone, Debug, Deserialize)]
pub struct CertificateFile {
    /// The version of the document.
    pub version: u32,
    /// The problem it is about.
    pub instance: InstancePart,
    /// How its table was read.
    #[serde(default)]
    pub reading: ReadingPart,
    /// What it says.
    pub certificate: CertificatePart,
}

impl CertificateFile {
    /// Reads a certificate from JSON.
    ///
    /// # Errors
    /// When the text is no certificate.
    pub fn read(json: &[u8]) -> Result<Self, StrategyError> {
        match from_json::<Self>(json).map_err(StrategyError::Certificate)? {
            file if file.version != VERSION => Err(StrategyError::Version(file.version)),
            file => Ok(file),
        }
    }
}

/// What can be checked against a table.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A strategy, perhaps with a certificate.
    Strategy(Box<Strategy>),
    /// A certificate alone.
    Certificate(Box<CertificateFile>),
}

impl Saved {
    /// Reads either: a file with a certificate and no tree is one of the second kind.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn read(json: &[u8]) -> Result<Self, StrategyError> {
        #[derive(Deserialize)]
        struct Kind {
            tree: Option<IgnoredAny>,
            certificate: Option<IgnoredAny>,
        }
        match from_json::<Kind>(json) {
            Ok(Kind { tree: None, certificate: Some(_) }) => {
                CertificateFile::read(json).map(Box::new).map(Self::Certificate)
            }
            _ => Strategy::read(json).map(Box::new).map(Self::Strategy),
        }
    }

    /// As [`read`](Self::read); also the paths of the fields that were not looked at, and of which nothing can be said.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn read_noting(json: &[u8]) -> Result<(Self, Vec<String>), StrategyError> {
        match Self::read(json)? {
            Self::Strategy(_) => {
                let (strategy, unread) = from_json_noting(json).map_err(StrategyError::Json)?;
                Ok((Self::Strategy(Box::new(strategy)), unread))
            }
            Self::Certificate(_) => {
                let (file, unread) = from_json_noting(json).map_err(StrategyError::Certificate)?;
                Ok((Self::Certificate(Box::new(file)), unread))
            }
        }
    }

    /// How large the problem is said to be.
    pub fn instance(&self) -> &InstancePart {
        match self {
            Self::Strategy(strategy) => &strategy.instance,
            Self::Certificate(file) => &file.instance,
        }
    }

    /// How the table was read.
    pub fn reading(&self) -> &ReadingPart {
        match self {
            Self::Strategy(strategy) => &strategy.reading,
            Self::Certificate(file) => &file.reading,
        }
    }

    /// Its certificate, if it has one.
    pub fn into_certificate(self) -> Option<CertificatePart> {
        match self {
            Self::Strategy(strategy) => strategy.certificate,
            Self::Certificate(file) => Some(file.certificate),
        }
    }
}

/// Writes `proof` as a file of its own, as one JSON object; with `reading`, how the table was read.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_certificate(
    out: impl Write,
    instance: &Instance,
    proof: &Proof,
    reading: Option<&ReadingPart>,
) -> io::Result<()> {
    let mut document = Document::begin(out)?;
    document.field("instance", &InstancePart::new(instance))?;
    if let Some(reading) = reading {
        document.field("reading", reading)?;
    }
    document.certificate(instance, proof)?;
    document.end()
}
