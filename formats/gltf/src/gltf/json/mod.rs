//! The JSON of a document: typed parts, their text, changes of a text, and URIs.

pub(crate) mod numbers;
pub(crate) mod parse;
pub mod parts;
pub(crate) mod place;
pub(crate) mod splice;
pub(crate) mod text;
pub(crate) mod uri;
