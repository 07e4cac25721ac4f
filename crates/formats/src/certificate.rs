//! A certificate in a file of its own, and files that may be either that or a strategy.

use crate::json::{CertificatePart, Document, InstancePart, ReadingPart, VERSION};
use crate::strategy::{Strategy, StrategyError, from_json, from_json_noting};
use fewest::{Instance, Proof};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::{self, Write};

/// Certificate in a file of its own: a proof that no strategy costs less than a number, without any strategy.
#[derive(Clone, Debug, Deserialize)]
pub struct CertificateFile {
    /// Version of the document.
    pub version: u32,
    /// Size of the problem that the certificate is about.
    pub instance: InstancePart,
    /// Options with which the table was read.
    #[serde(default)]
    pub reading: ReadingPart,
    /// Claims, as they stand in the file.
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

/// Saved file that can be checked against a table: a strategy or a certificate.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A strategy, perhaps with a certificate.
    Strategy(Box<Strategy>),
    /// A certificate alone.
    Certificate(Box<CertificateFile>),
}

impl Saved {
    /// Reads a strategy or a certificate: a file with a certificate and no tree is a certificate.
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

    /// Reads like [`read`](Self::read), and returns the paths of the unknown fields as well: nothing can be said
    /// about these.
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

    /// Size of the problem, as the file states it.
    pub fn instance(&self) -> &InstancePart {
        match self {
            Self::Strategy(strategy) => &strategy.instance,
            Self::Certificate(file) => &file.instance,
        }
    }

    /// Options with which the table was read, as the file states them.
    pub fn reading(&self) -> &ReadingPart {
        match self {
            Self::Strategy(strategy) => &strategy.reading,
            Self::Certificate(file) => &file.reading,
        }
    }

    /// Returns the certificate, if the file has one.
    pub fn into_certificate(self) -> Option<CertificatePart> {
        match self {
            Self::Strategy(strategy) => strategy.certificate,
            Self::Certificate(file) => Some(file.certificate),
        }
    }
}

/// Writes `proof` as a file of its own, as one JSON object. `reading` holds the options with which the table was
/// read.
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
