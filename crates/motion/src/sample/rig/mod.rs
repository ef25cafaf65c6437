//! The rig player: the solved pose of a clip on a scene with a rig, at any time, and as keys.

mod bake;
mod frames;
mod morphs;
mod oddities;
mod player;
pub(crate) mod segments;
mod solving;

pub use bake::{bake, cost, take_out};
pub use dopesheet_rig::Behaviour;
pub use oddities::{RIG_CYCLE, RIG_ROUNDS};
pub use player::Player;
