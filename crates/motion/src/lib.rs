//! Motion over the common model: evaluate channels exactly, join motions and models, and bring scenes within
//! the capabilities of a format with a measured error.
//!
//! Modules build on each other: [`sample`] plays, [`compare`](mod@compare) measures, [`keys`] chooses other
//! keys, [`conform`](mod@conform) brings a scene within the capabilities of a format, and [`bind`](mod@bind)
//! joins motions and models.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

pub mod bind;
pub mod compare;
pub mod conform;
pub mod cores;
mod difference;
pub mod keys;
mod rest;
pub mod sample;
mod single;
mod tolerance;

/// Parts of playing and choosing keys for `dopesheet-human` alone.
#[doc(hidden)]
pub mod inside {
    pub use crate::conform::structure::morphs::split as split_weights;
    pub use crate::keys::plan::straight_law;
    pub use crate::sample::aim::swing_rotation;
    pub use crate::sample::chain_transform::ChainTransform;
    pub use crate::sample::moving::changes;
    pub use crate::sample::rig::segments::RelativeKeys;
    pub use crate::single::narrow;
}

pub use bind::bind;
pub use compare::{Animation, Comparison, compare};
pub use conform::{Conform, WorldNodes, arrange, check_frames, conform, frame_rate, is_held, put_in_world};
pub use difference::{difference, unit as error_unit};
pub use keys::control_points::{Cubic, cubic};
pub use keys::reduce::reduce;
pub use keys::trim::{Range, trim};
pub use rest::assume_rest;
pub use sample::player::{CompiledClip, SoaPose};
pub use sample::{Sampler, Side, channel_at, curve_at, joined_angles, moves, native_parts};
pub use tolerance::{InvalidTolerance, Tolerance, length_m};
