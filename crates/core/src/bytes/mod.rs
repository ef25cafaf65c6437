//! Bounds-checked reading and building of bytes and text.
//!
//! Every read names its field, so that a fault can state its path without a stack kept by the reader on the
//! happy path: enclosing structures add their names while an error travels outwards.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod build;
mod cursor;
pub mod json;
mod number;
pub mod text;

pub use build::ByteBuilder;
pub use cursor::{Codes, Cursor, Endian};
pub use number::{decimal, decimal_word};

/// The result of a small read: a boxed [`Fault`](crate::diag::Fault) keeps the happy path narrow.
pub type Read<T> = Result<T, Box<crate::diag::Fault>>;
