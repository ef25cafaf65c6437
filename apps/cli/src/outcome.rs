//! The result of a command, and its exit code.

use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything went well.
    Done,
    /// A file failed or did not pass.
    Failed,
    /// The request makes no sense.
    Misused,
}

impl Outcome {
    /// Wrong usage if a request contradicts itself or a file, else a failed file.
    pub(crate) const fn of(error: &dopesheet::Error) -> Self {
        match error {
            dopesheet::Error::Usage(_) | dopesheet::Error::Refused(_) => Self::Misused,
            _ => Self::Failed,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Done => 0,
            Outcome::Failed => 1,
            Outcome::Misused => 2,
        })
    }
}
