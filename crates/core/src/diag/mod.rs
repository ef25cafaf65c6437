//! Messages about a file: faults, findings, losses and reports.
//!
//! Every fault follows one grammar:
//! `format: byte 0x32 (context path): expected …, found …`, with `line L, column C` (and a JSON pointer) instead of
//! the byte for text formats.

mod loss;
mod verdict;

pub use loss::{ErrorUnit, Loss, MaxError, POINTS, PRECISION};
pub use verdict::{Judgement, MEASURES, Measure, MeasureInfo, MeasureKind, Slide, Verdict};

use crate::units::{ByteOffset, Seconds};
use crate::words::counted;
use std::borrow::Cow;
use std::fmt;

/// A stable word for a kind of fault, unique within a format and never reused.
///
/// Dopesheet's codes are static; a code that a file format's reference checker defines may be any text.
pub type Code = &'static str;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Legal or harmless, but other programs may disagree, or conversion will mend the file.
    Warning,
    /// The file breaks its format's rules.
    Error,
}

impl Severity {
    /// The word used in text and JSON output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Position in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    #[default]
    File,
    /// A byte of a binary file.
    Byte(ByteOffset),
    /// A character of a text file.
    Text {
        /// Line, counted from 1.
        line: u32,
        /// Column in characters, counted from 1.
        column: u32,
        /// JSON pointer of the value, or a path in the format's notation; may be empty (the root).
        pointer: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Text { line, column, .. } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// A fault at a place: the expected and the found value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable word for this kind of fault.
    pub code: Code,
    /// Position of the fault.
    pub place: Place,
    /// Names of the enclosing structures, outermost first: `bone keys[41].rotation`. Empty for the whole file.
    pub path: String,
    /// The content of a sound file at this place.
    pub expected: Cow<'static, str>,
    /// The content of this file at the place.
    pub found: Cow<'static, str>,
}

impl Fault {
    /// A fault without a path yet; enclosing readers add theirs with [`Fault::within`].
    pub fn new(
        code: Code,
        place: Place,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { code, place, path: String::new(), expected: expected.into(), found: found.into() }
    }

    /// The same fault seen from a level further out: `name` is put in front of the path.
    #[must_use]
    pub fn within(mut self, name: impl fmt::Display) -> Self {
        self.path = match self.path.chars().next() {
            None => name.to_string(),
            Some('[') => format!("{name}{}", self.path),
            Some(_) => format!("{name}.{}", self.path),
        };
        self
    }

    /// The same fault of a JSON text seen from the enclosing array or object: `token`, an index or a member's name,
    /// is put in front of its pointer.
    #[cold]
    #[must_use]
    pub fn under(mut self: Box<Self>, token: impl fmt::Display) -> Box<Self> {
        if let Place::Text { pointer, .. } = &mut self.place {
            let token = token.to_string().replace('~', "~0").replace('/', "~1");
            *pointer = format!("/{token}{pointer}");
        }
        self
    }

    /// The index in a list along the pointer or the path: 41 for `bone keys` in `bone keys[41].rotation`, and
    /// for `keys` in `/nodes/0/keys/41/t`. Of several, the first.
    #[must_use]
    pub fn position_in(&self, list: &str) -> Option<usize> {
        let text = match &self.place {
            Place::Text { pointer, .. } if !pointer.is_empty() => pointer,
            _ => &self.path,
        };
        if text.starts_with('/') {
            let mut tokens = text.split('/');
            tokens.find(|token| *token == list)?;
            return tokens.next()?.parse().ok();
        }
        let (_, rest) =
            text.split('.').filter_map(|step| step.split_once('[')).find(|(name, _)| *name == list)?;
        rest.split([',', ']']).next()?.parse().ok()
    }

    /// The same fault with a complete path.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        let pointer = match &self.place {
            Place::Text { pointer, .. } if self.path.is_empty() => pointer.as_str(),
            _ => self.path.as_str(),
        };
        if !pointer.is_empty() {
            write!(f, " ({pointer})")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

/// The target and the time at the place of a fault, for a look at the motion. Names are as stored, as in `sample`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    /// The motion, by its position in the file.
    pub clip: usize,
    /// Name of the target in the source; `None` for markers and the clip as a whole.
    pub target: Option<String>,
    /// The channel, if the fault concerns a single channel.
    pub channel: Option<Cow<'static, str>>,
    /// The time as stored; `None` for a fault of all times.
    pub time: Option<Seconds>,
}

impl Subject {
    /// All channels of a target of the first motion.
    pub fn target(target: impl Into<String>) -> Self {
        Self { target: Some(target.into()), ..Self::default() }
    }

    /// A moment of the first motion.
    #[must_use]
    pub fn moment(time: Seconds) -> Self {
        Self::default().at(Some(time))
    }

    /// The same subject in the motion at a position.
    #[must_use]
    pub fn in_clip(self, clip: usize) -> Self {
        Self { clip, ..self }
    }

    /// The same subject, with a channel of its target.
    #[must_use]
    pub fn channel(self, channel: Option<impl Into<Cow<'static, str>>>) -> Self {
        Self { channel: channel.map(Into::into), ..self }
    }

    /// The same at a time, unless the time is not finite.
    #[must_use]
    pub fn at(self, time: Option<Seconds>) -> Self {
        Self { time: time.filter(|time| time.0.is_finite()), ..self }
    }
}

/// A fault with its severity, as `check` lists it.
#[derive(Clone, PartialEq)]
pub struct Finding {
    /// Severity of the fault.
    pub severity: Severity,
    /// The fault, with its place.
    pub fault: Fault,
    /// The target at the fault, once the format was asked: see [`Format::subject`](crate::format::Format::subject).
    pub subject: Option<Subject>,
}

/// Leaves out an empty subject.
impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Finding");
        out.field("severity", &self.severity).field("fault", &self.fault);
        if let Some(subject) = &self.subject {
            out.field("subject", subject);
        }
        out.finish()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.severity.word(), self.fault.code, self.fault)
    }
}

/// Everything found and lost while reading, checking or converting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Faults, in the order of discovery.
    pub findings: Vec<Finding>,
    /// Everything kept, approximated and dropped, in the order of decisions.
    pub losses: Vec<Loss>,
    /// Held stands of feet and hands, with their slides, by clip, bone and time.
    pub slides: Vec<Slide>,
    /// Verdicts on motions that another figure took, by clip.
    pub verdicts: Vec<Verdict>,
}

impl Report {
    /// Adds a finding.
    pub fn push(&mut self, severity: Severity, fault: Fault) {
        self.findings.push(Finding { severity, fault, subject: None });
    }

    /// Adds an error.
    pub fn error(&mut self, fault: Fault) {
        self.push(Severity::Error, fault);
    }

    /// Adds a warning.
    pub fn warn(&mut self, fault: Fault) {
        self.push(Severity::Warning, fault);
    }

    /// Adds an information.
    pub fn info(&mut self, fault: Fault) {
        self.push(Severity::Info, fault);
    }

    /// Notes an item that came through exactly, and is shown by players of the target.
    pub fn kept(&mut self, what: impl Into<String>) {
        self.losses.push(Loss::Kept { what: what.into() });
    }

    /// Notes an item that came through exactly as data that players of the target do not show.
    pub fn kept_as_data(&mut self, what: impl Into<String>) {
        self.losses.push(Loss::KeptAsData { what: what.into() });
    }

    /// Notes an item that came through with a measured error.
    pub fn approximated(&mut self, what: impl Into<String>, max_error: MaxError) {
        self.bounded(what, max_error, None);
    }

    /// As [`approximated`](Self::approximated), with an upper bound of the difference at any time, if one is known.
    pub fn bounded(&mut self, what: impl Into<String>, max_error: MaxError, bound: Option<f64>) {
        self.losses.push(Loss::Approximated { what: what.into(), max_error, bound });
    }

    /// Notes an item that came through within a proved bound that was not measured.
    pub fn proved(&mut self, what: impl Into<String>, bound: f64, unit: ErrorUnit) {
        self.losses.push(Loss::Bounded { what: what.into(), bound, unit });
    }

    /// Notes a further error of rotations, added to the precision of stored rotations. Noted errors of points
    /// up to `shell_m` from a joint grow accordingly.
    pub fn turned_further(&mut self, what: impl Into<String>, max_error: MaxError, shell_m: f64) {
        let (angle, mut before) = (max_error.value, 0.0f64);
        for loss in &mut self.losses {
            if let Loss::Bounded { what, bound, .. } = loss
                && POINTS.iter().any(|start| what.starts_with(start))
            {
                *bound += angle * shell_m;
            }
            let Loss::Approximated { what, max_error, bound } = loss else { continue };
            if POINTS.iter().any(|start| what.starts_with(start)) {
                max_error.value += angle * shell_m;
                *bound = bound.map(|bound| bound + angle * shell_m);
            } else if what.starts_with("rotation") && what.ends_with(PRECISION) {
                before = before.max(max_error.value);
            }
        }
        self.approximated(what, MaxError { value: angle + before, ..max_error });
    }

    /// Notes a further error of positions, added to noted errors of points.
    pub fn moved_further(&mut self, what: impl Into<String>, max_error: MaxError) {
        for loss in &mut self.losses {
            if let Loss::Approximated { what, max_error: error, bound } = loss
                && POINTS.iter().any(|start| what.starts_with(start))
            {
                error.value += max_error.value;
                *bound = bound.map(|bound| bound + max_error.value);
            }
        }
        self.approximated(what, max_error);
    }

    /// Notes an item measured between the frames on which it is known.
    pub fn unsampled(&mut self, what: impl Into<String>, max_error: MaxError) {
        self.losses.push(Loss::Unsampled { what: what.into(), max_error });
    }

    /// Notes an item that did not come through.
    pub fn dropped(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.losses.push(Loss::Dropped { what: what.into(), why: why.into() });
    }

    /// The worst severity among the findings.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|f| f.severity).max()
    }

    /// Appends everything of another report.
    pub fn extend(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.losses.extend(other.losses);
        self.slides.extend(other.slides);
        self.verdicts.extend(other.verdicts);
    }
}

/// Reading stopped at a structural fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// Id of the format being read.
    pub format: &'static str,
    /// The fault that stopped the reader. Boxed, because the `Result` of every small read has its size.
    pub fault: Box<Fault>,
}

impl ReadError {
    /// `fault` met while reading `format`.
    #[must_use]
    pub fn new(format: &'static str, fault: Fault) -> Self {
        Self { format, fault: Box::new(fault) }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.format, self.fault)
    }
}

impl std::error::Error for ReadError {}

/// A document could not be written as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteError {
    /// Id of the format being written.
    pub format: &'static str,
    /// The part of the document that the format cannot express, and its place.
    pub fault: Box<Fault>,
}

impl WriteError {
    /// `fault` met while writing `format`.
    #[must_use]
    pub fn new(format: &'static str, fault: Fault) -> Self {
        Self { format, fault: Box::new(fault) }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.format, self.fault)
    }
}

impl std::error::Error for WriteError {}

/// Why a conversion between a document and a scene, or between two scenes, did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertErrorKind {
    /// The target can hold nothing of the source. The text describes the source's contents.
    NothingToConvert(String),
    /// The format does not support the operation at all (write, attach, a variant …). The text describes the
    /// request.
    Unsupported(String),
    /// A name cannot be written in the target's encoding, and replacing was not allowed.
    Unencodable {
        /// The name.
        name: String,
        /// The encoding.
        encoding: &'static str,
    },
    /// Nothing in the file to attach to has any of the clip's names.
    NoMatch {
        /// The names looked for.
        names: Vec<String>,
    },
    /// Keys on frames would be too many. They are never cut: a file must not end before its motion does.
    TooManyFrames {
        /// Number of frames needed.
        frames: u64,
        /// Number of numbers on each frame.
        numbers: u64,
        /// Greatest number of frames allowed.
        limit: u64,
    },
    /// A fault of the document that shows only in its interpretation.
    Fault(Box<Fault>),
}

/// A conversion did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConvertError {
    /// Id of the format whose room refused.
    pub format: &'static str,
    /// Reason for the refusal.
    pub kind: ConvertErrorKind,
}

impl ConvertError {
    /// Refused by `format` because of `kind`.
    #[must_use]
    pub const fn new(format: &'static str, kind: ConvertErrorKind) -> Self {
        Self { format, kind }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ConvertErrorKind::NothingToConvert(what) => write!(f, "nothing to convert: {what}"),
            ConvertErrorKind::Unsupported(what) => write!(f, "{}: {what}", self.format),
            ConvertErrorKind::Unencodable { name, encoding } => {
                write!(f, "{}: expected a name that {encoding} can encode, found \"{name}\"", self.format)
            }
            ConvertErrorKind::NoMatch { names } => {
                write!(f, "{}: expected a node with one of the clip's names, found none of: ", self.format)?;
                f.write_str(&names.join(", "))
            }
            ConvertErrorKind::TooManyFrames { frames, numbers, limit } => write!(
                f,
                "{}: expected at most {} with {} each, found {}",
                self.format,
                counted(*limit, "frame"),
                counted(*numbers, "number"),
                counted(*frames, "frame"),
            ),
            ConvertErrorKind::Fault(fault) => write!(f, "{}: {fault}", self.format),
        }
    }
}

impl std::error::Error for ConvertError {}

#[cfg(test)]
mod tests;
