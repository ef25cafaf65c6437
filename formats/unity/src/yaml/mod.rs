//! The YAML written by Unity: blocks by indentation, flow maps and lists, plain and quoted scalars.
//!
//! Anchors within documents, tags within documents, block scalars (`|`, `>`) and complex keys are not
//! supported.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod cursor;
mod number;
mod scalar;

pub(crate) use cursor::{Codes, Slot, SlotKind, YamlCursor};

pub(crate) use scalar::quoted_if_needed;
