//! The bytes of a document: buffer views, and the numbers in accessors.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

pub(crate) mod accessor;
pub(crate) mod resolve;
pub(crate) mod views;
