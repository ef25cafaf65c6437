//! Verbs, one file each: parse arguments, call the library, print.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod extract;
pub(crate) mod formats;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod plot;
pub(crate) mod render;
pub(crate) mod sample;
#[cfg(feature = "table")]
pub(crate) mod table;
#[cfg(not(feature = "table"))]
#[path = "no_table.rs"]
pub(crate) mod table;
pub(crate) mod view;
