//! The parts of Dopesheet shared by all formats and tools.
//!
//! Modules build on each other in a single direction:
//! [`order`] → [`units`] → [`times`] → [`words`] → [`diag`] → [`bytes`] → [`model`] → [`mod@format`].
//! Nothing here knows a particular file format.

pub mod bytes;
pub mod diag;
pub mod format;
pub mod model;
pub mod order;
pub mod times;
pub mod units;
pub mod words;
