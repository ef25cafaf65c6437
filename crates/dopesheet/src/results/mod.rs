//! Facts, findings and differences of files, and the JSON of all results.

pub mod bone_table;
pub mod check;
pub mod diff;
pub mod info;
pub mod json;
