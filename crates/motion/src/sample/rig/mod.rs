//! Clips on scenes with a rig: the pose that the rig makes of what the clip says, at any time, and as keys.

mod bake;
mod frames;
mod morphs;
mod player;
mod rows;
mod solving;

pub use bake::{bake, solved_nodes, take_out};
pub use dopesheet_rig::Behaviour;
pub use player::Player;
pub(crate) use rows::Keys;
