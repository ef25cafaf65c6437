//! Edits.

#[cfg(feature = "research")]
mod arrays;
pub(crate) mod bytes;
mod chains;
mod ends;
pub(crate) mod formats;
mod inverses;
pub(crate) mod laws;
mod more;
mod recordings;
mod stated_errors;
mod times;
mod unity;
