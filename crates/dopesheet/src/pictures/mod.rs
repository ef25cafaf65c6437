//! Pictures of a file: dope sheets, curves and rendered poses.

pub mod plot;
pub mod render;
pub mod show;
