//! What a format says of itself; help, documentation and the support matrix are derived from it.

use super::capabilities::Capabilities;
use crate::diag::Severity;

/// What a format says of itself.
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
    /// What its files hold.
    pub role: Role,
    /// Where the format is described; links.
    pub specifications: &'static [&'static str],
    /// What may follow `@` when writing; the first is the default.
    pub variants: &'static [Variant],
    /// What a scene may hold when it is written in this format.
    pub capabilities: Capabilities,
    /// Every code its reader and `check` may report.
    pub checks: &'static [Check],
}

/// What the files of a format hold, mainly.
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
    /// What it is, as a phrase.
    pub about: &'static str,
}

/// One code that reading or checking may report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, as a sentence.
    pub about: &'static str,
}

/// What a document is, in words, beyond what its scene shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The version that the file states.
    pub version: Option<String>,
    /// Which of several shapes of that version it has.
    pub variant: Option<String>,
    /// Name and value of further facts, in a fixed order.
    pub facts: Vec<(&'static str, String)>,
}
