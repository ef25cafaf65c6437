//! What a scene looks like at a time, and the graphics processor that draws it.

pub(crate) mod camera;
mod cast;
pub(crate) mod gpu;

pub(crate) use cast::{ASPECT, Cast, Dot, Options};
