//! Description of a format, from which help, documentation and the support matrix are derived.

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
    /// First bytes of every file of the format, if they are fixed.
    pub magics: &'static [Magic],
    /// Main content of its files.
    pub role: Role,
    /// Links to descriptions of the format.
    pub specifications: &'static [&'static str],
    /// Variants that may follow `@` when writing; the first is the default.
    pub variants: &'static [Variant],
    /// The features of a scene that the format can hold.
    pub capabilities: Capabilities,
    /// Every code its reader and `check` may report.
    pub checks: &'static [Check],
}

/// Main content of a format's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Motions, without the model.
    Motion,
    /// A model, without motions.
    Model,
    /// Both motions and the model.
    Scene,
    /// Other files, motions and models among them.
    Archive,
}

/// Bytes at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    /// Position of the bytes, from the start of the file.
    pub offset: usize,
    /// The bytes at that position.
    pub bytes: &'static [u8],
}

/// A dialect that can be requested for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The word after `@`.
    pub name: &'static str,
    /// Description, as a phrase.
    pub about: &'static str,
}

/// A code that reading or checking may report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The code, as messages show it.
    pub code: &'static str,
    /// Severity of the finding.
    pub severity: Severity,
    /// Description of the fault, as a sentence.
    pub about: &'static str,
}

/// Facts about a document that are not in its scene, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The version stated in the file.
    pub version: Option<String>,
    /// The variant of that version, if it has several.
    pub variant: Option<String>,
    /// Name and value of further facts, in a fixed order.
    pub facts: Vec<(&'static str, String)>,
}
