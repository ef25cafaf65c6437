//! The parts of Dopesheet that every format and every tool shares.
//!
//! Modules build on each other in one direction only:
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
