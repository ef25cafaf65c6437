//! Values of an animation at sample times.
//!
//! * [`evaluate`]: the reference, any channel at any time in f64, by the laws of `dopesheet-curve` alone.
//! * [`pose`]: local and model transforms of all nodes.
//! * [`player`]: clips compiled for speed, in f32, within a stated bound of the reference.
//! * [`rig`]: poses after IK and appended rotations.
//! * [`policy`]: the meaning of a sample at jumps, at ends and between keys.

pub(crate) mod aim;
pub(crate) mod angles;
pub(crate) mod chain_transform;
pub mod evaluate;
pub(crate) mod moving;
pub(crate) mod outside;
pub mod player;
pub mod policy;
pub mod pose;
pub mod rig;
mod sampler;
pub(crate) mod timing;

pub use angles::joined_angles;
pub use evaluate::{Side, channel_at, curve_at, native_parts, stored_at};
pub use moving::moves;
pub use sampler::Sampler;
