//! The tests of this crate, in one program: it is linked once.

mod counted_turns;
mod dials;
mod eased_time;
mod eased_way;
mod euler_angles;
mod lines;
mod matrices;
mod orbiting_camera;
mod packed_rotation;
mod repeated_time;
mod rotations;
mod weighted_handles;
