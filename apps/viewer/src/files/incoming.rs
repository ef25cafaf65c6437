//! Files with their bytes, and files that could not be opened.

use crate::words::here;
use dopesheet::Error;

/// A file with its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    /// Name of the file, with its folders if known.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A file that could not be opened, with the reason in the words of the library.
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
