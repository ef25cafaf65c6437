//! Failures of encoders.

use crate::error::Error;

/// A failure of an encoder; writing to memory has no other.
pub(super) fn encoding(error: impl std::fmt::Display) -> Error {
    Error::Usage(format!("expected pictures that can be written, found {error}"))
}
