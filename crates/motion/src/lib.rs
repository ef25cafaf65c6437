//! Motion over the common model: evaluate channels exactly, join motions and models, and bring scenes within what a
//! format can hold while measuring what that costs.
//!
//! Modules build on each other: [`sample`] → [`keys`] → [`conform`](mod@conform);
//! [`bind`](mod@bind) and [`compare`](mod@compare) stand beside them.

pub mod bind;
pub mod compare;
pub mod conform;
pub mod humanoid;
pub mod keys;
mod measure;
pub mod points;
pub mod sample;
mod tolerance;

// Names of `sample` under which other modules know them.
pub(crate) use sample::{angles, moving, outside, pose, rig as rigged};

pub use bind::bind;
pub use compare::{Animation, Comparison, compare};
pub use conform::{Conform, arrange, conform, put_in_world};
pub use keys::control_points::{Cubic, cubic};
pub use keys::reduce::reduce;
pub use keys::trim::{Range, trim};
pub use sample::player::{CompiledClip, SoaPose};
pub use sample::{Sampler, Side, channel_at, curve_at, joined_angles, moves, native_parts};
pub use tolerance::{InvalidTolerance, Tolerance};

// Names under which other modules still know what is in `keys`.
pub(crate) use keys::{self as linearise, self as fit, cut, reduce};
