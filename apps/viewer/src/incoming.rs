//! Files whose bytes have come, and those that could not be opened.

use crate::words::here;
use dopesheet::Error;

/// A file whose bytes are here.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    /// Its name, with folders where they are known.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A file that could not be opened, and why, in the words of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) name: String,
    pub(crate) why: String,
}

impl Failure {
    /// A file that the library could not open.
    pub(crate) fn of(name: &str, error: &Error) -> Self {
        Self { name: name.to_owned(), why: here(&error.to_string()) }
    }
}
