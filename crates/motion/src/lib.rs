//! Motion over the common model: evaluate channels exactly, join motions and models, and bring scenes within what a
//! format can hold while measuring what that costs.
//!
//! Modules build on each other: [`sample`] → [`linearise`](mod@linearise) → [`conform`](mod@conform);
//! [`bind`](mod@bind), [`trim`](mod@trim) and [`compare`](mod@compare) stand beside them.

mod beside;
pub mod bind;
pub mod compare;
pub mod conform;
mod cubic;
mod cut;
mod evaluate;
pub mod fit;
pub mod humanoid;
pub mod linearise;
mod measure;
pub mod points;
pub mod reduce;
pub mod sample;
mod segment;
mod tolerance;
pub mod trim;

// Names of `sample` under which other modules know them.
pub(crate) use sample::{angles, moving, outside, pose, rig as rigged};

pub use bind::bind;
pub use compare::{Animation, Comparison, compare};
pub use conform::{Conform, arrange, conform, put_in_world};
pub use cubic::{Cubic, cubic};
pub use evaluate::Sampler;
pub use reduce::reduce;
pub use sample::player::{CompiledClip, SoaPose};
pub use sample::{Side, channel_at, curve_at, joined_angles, moves, native_parts};
pub use tolerance::{InvalidTolerance, Tolerance};
pub use trim::{Range, trim};
