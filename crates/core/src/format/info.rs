//! Description of a format; help, documentation and the support matrix are derived from it.

use super::capabilities::Capabilities;
use crate::diag::Severity;

/// Description of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormatInfo {
    /// The word on the command line: `vmd`.
    pub id: &'static str,
    /// The name people use: "MikuMikuDance motion (VMD)".
    pub name: &'static str,
    /// File name extensions without the dot, lower case, the usual one first.
    pub extensions: &'static [&'static str],
    /// Bytes that start every file of the format, if any do.
    pub magics: &'static [Magic],
    /// Main content of its files.
    pub role: Role,
    /// Where the format is described; links.
    pub specifications: &'static [&'static str],
    /// Variants that may follow `@` when writing; the first is the default.
    pub variants: &'static [Variant],
    /// The features of a scene that it can hold.
    pub capabilities: Capabilities,
    /// Every code its reader and `check` may report.
    pub checks: &'static [Check],
}

/// Main content of a format's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Motions, without the model that moves.
    Motion,
    /// A model, without motions.
    Model,
    /// Both.
    Scene,
    /// Other files, motions and models among them.
    Archive,
}

/// Bytes at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    /// Where they stand, from the start of the file.
    pub offset: usize,
    /// The bytes.
    pub bytes: &'static [u8],
}

/// A dialect that can be asked for when writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The word after `@`.
    pub name: &'static str,
    /// Description, as a phrase.
    pub about: &'static str,
}

/// One code that reading or checking may report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The code.
    pub code: &'static str,
    /// Severity.
    pub severity: Severity,
    /// Description of the fault, as a sentence.
    pub about: &'static str,
}

/// Facts about a document that its scene does not show, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The version that the file states.
    pub version: Option<String>,
    /// Which of several shapes of that version it has.
    pub variant: Option<String>,
    /// Name and value of further facts, in a fixed order.
    pub facts: Vec<(&'static str, String)>,
}
