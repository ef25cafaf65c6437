//! The motions in `samples/` and the standard model, drawn by numbers.
//!
//! `cargo xtask samples` writes them into the repository. The library contains the standard model, and people try the command on
//! the motions.

mod file;
mod motions;
mod pictures;
mod puppet;

pub use file::{File, Outcome};

/// The motions, pictures of some of them, and the standard model with its picture.
///
/// # Errors
///
/// The first motion, model or picture that cannot be written in its format.
pub fn files() -> Outcome<Vec<File>> {
    let motions = motions::files()?;
    let pictures = pictures::files(&motions)?;
    Ok(motions.into_iter().chain(pictures).chain(puppet::files()?).collect())
}
