//! Generated files.

/// The result of generating something, or the reason it could not be done.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its place, relative to the root of the repository.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}
