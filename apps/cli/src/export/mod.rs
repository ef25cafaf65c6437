//! Sampled values as files of other programs.

pub(crate) mod csv;
pub(crate) mod json;
