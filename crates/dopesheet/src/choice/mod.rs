//! A caller's choice of a clip and of times.

pub(crate) mod clip_choice;
pub mod times;
