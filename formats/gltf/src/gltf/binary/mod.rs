//! The bytes of a document: buffer views, and the numbers in accessors.

pub(crate) mod accessor;
pub(crate) mod resolve;
pub(crate) mod views;
