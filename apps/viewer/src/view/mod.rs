//! Scenes at a time, the eye that sees them, and the graphics processor that draws them.

pub(crate) mod camera;
mod cast;
pub(crate) mod gpu;
mod sight;
mod still;

pub(crate) use cast::{ASPECT, Cast, Dot};
pub(crate) use sight::Sight;
