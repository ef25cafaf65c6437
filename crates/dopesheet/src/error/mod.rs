//! Reasons for the failure of a call of the facade.

pub(crate) mod unbound;
pub(crate) mod wrong_option;

use crate::registry::{HOW_TO_GET_ALL, Optional};
use dopesheet_core::diag::{ConvertError, Finding, ReadError, Severity, WriteError};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::times::NotATime;
use dopesheet_core::words::counted;
use dopesheet_edit::Refused;
use std::fmt;
use std::io;
use std::path::PathBuf;
use unbound::Lost;
use wrong_option::WrongOption;

/// Reason for the failure of a call of the facade.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// No format claims the bytes, and the file's extension suggests no format.
    UnknownFormat {
        /// The first bytes.
        head: Vec<u8>,
    },
    /// The file is in a format that this build lacks.
    NotBuilt(&'static Optional),
    /// The file is damaged.
    Read(ReadError),
    /// The document cannot be written.
    Write(WriteError),
    /// The document or scene cannot be converted.
    Convert(ConvertError),
    /// A loss occurred that the options forbid; see [`ForbiddenLosses`](crate::convert::ForbiddenLosses).
    Forbidden {
        /// Code of the finding, or the kind of the loss.
        code: &'static str,
        /// The finding or loss.
        what: String,
    },
    /// Fewer than half of the moving tracks would reach a target.
    Lost(Box<Lost>),
    /// An operation makes no sense on a clip.
    Refused(Box<Refused>),
    /// An option of an operation makes no sense.
    Option(Box<WrongOption>),
    /// The request contradicts itself or the file; the text says how.
    Usage(String),
}

/// Codes of faults with the meaning: the file asks for more than its length allows, or is longer than the
/// limit.
const OVER_LIMIT: [&str; 3] = ["npz-inflated", "gltf-limit", "file-too-long"];

impl Error {
    /// True if a file was refused for its size in memory or on disk, so that larger
    /// [`Limits`](dopesheet_core::format::Limits) may let it pass.
    #[must_use]
    pub fn is_over_limit(&self) -> bool {
        match self {
            Self::Io { source, .. } => source.kind() == io::ErrorKind::FileTooLarge,
            Self::Read(error) => OVER_LIMIT.iter().any(|code| error.fault.code.ends_with(code)),
            _ => false,
        }
    }

    /// This error as an entry in a list of findings.
    #[must_use]
    pub fn finding(&self) -> Finding {
        let fault = match self {
            Self::Read(error) => (*error.fault).clone(),
            Self::Write(error) => (*error.fault).clone(),
            Self::UnknownFormat { head } => {
                Fault::new("unknown-format", Place::File, expected_formats(), describe(head)).at_path("file")
            }
            Self::NotBuilt(format) => {
                Fault::new("not-built", Place::File, built(format), format.name).at_path("file")
            }
            Self::Io { source, .. } => {
                Fault::new("io", Place::File, "a readable file", source.to_string()).at_path("file")
            }
            Self::Convert(error) => {
                Fault::new("convert", Place::File, "something to convert", error.to_string())
            }
            Self::Lost(lost) => {
                let expected = format!(
                    "at least half of {} to reach {}",
                    counted(lost.tracks, "moving track"),
                    lost.onto
                );
                Fault::new("lost-motion", Place::File, expected, lost.reached.to_string())
            }
            Self::Forbidden { code, what } => {
                Fault::new("forbidden-loss", Place::File, format!("nothing that is {code}"), what.clone())
            }
            Self::Refused(error) => {
                Fault::new("refused-edit", Place::File, "an operation that makes sense", error.to_string())
            }
            Self::Option(wrong) => {
                Fault::new("usage", Place::File, wrong.expected.clone(), wrong.found.clone())
                    .at_path(format!("{} {}", wrong.operation, wrong.option))
            }
            Self::Usage(text) => Fault::new("usage", Place::File, "a request that can be met", text.clone()),
        };
        Finding { severity: Severity::Error, fault, subject: None }
    }
}

/// The feature that a build needs to read a file.
fn built(format: &Optional) -> String {
    format!(
        "a build with the feature {}, which this one lacks (the command has it: {HOW_TO_GET_ALL})",
        format.feature
    )
}

fn expected_formats() -> String {
    let names: Vec<_> = crate::registry::formats().iter().map(|f| f.info().id).collect();
    format!("a file of a known format ({})", names.join(", "))
}

/// First bytes of archives and compressed files that are not read, and names for their kinds.
const PACKED: [(&[u8], &str); 8] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
];

fn describe(head: &[u8]) -> String {
    if let Some((_, name)) = PACKED.iter().find(|(start, _)| head.starts_with(start)) {
        return format!("{name}; unpack it first");
    }
    match head {
        [] => "no bytes at all".into(),
        _ => {
            let hex: Vec<String> = head.iter().take(8).map(|b| format!("{b:02x}")).collect();
            format!("a file that starts with {}", hex.join(" "))
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::UnknownFormat { head } => {
                write!(f, "expected {}, found {}", expected_formats(), describe(head))
            }
            Self::NotBuilt(format) => {
                write!(f, "{}: file: expected {}, found {}", format.id, built(format), format.name)
            }
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Convert(error) => error.fmt(f),
            Self::Lost(lost) => lost.fmt(f),
            Self::Forbidden { code, what } => write!(f, "nothing was written, because of {code}: {what}"),
            Self::Refused(error) => error.fmt(f),
            Self::Option(wrong) => wrong.fmt(f),
            Self::Usage(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Read(error) => Some(error),
            Self::Write(error) => Some(error),
            Self::Convert(error) => Some(error),
            Self::Refused(error) => Some(error),
            Self::Option(wrong) => Some(wrong),
            Self::UnknownFormat { .. }
            | Self::NotBuilt(_)
            | Self::Lost(_)
            | Self::Forbidden { .. }
            | Self::Usage(_) => None,
        }
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<Refused> for Error {
    fn from(error: Refused) -> Self {
        Self::Refused(Box::new(error))
    }
}

impl From<NotATime> for Error {
    fn from(error: NotATime) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Self {
        Self::Lost(Box::new(lost))
    }
}

impl From<ConvertError> for Error {
    fn from(error: ConvertError) -> Self {
        Self::Convert(error)
    }
}
