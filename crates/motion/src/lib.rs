//! Motion over the common model: evaluate channels exactly, join motions and models, and bring scenes within what a
//! format can hold while measuring what that costs.
//!
//! Modules build on each other: [`evaluate`] → [`linearise`](mod@linearise) → [`conform`](mod@conform);
//! [`bind`](mod@bind), [`trim`](mod@trim), [`pose`], [`clock`] and [`compare`](mod@compare) stand beside them.

mod aim;
mod angles;
mod beside;
pub mod bind;
pub mod clock;
pub mod compare;
pub mod compiled;
pub mod conform;
mod cubic;
mod cut;
pub mod evaluate;
pub mod fit;
pub mod humanoid;
pub mod linearise;
mod measure;
mod moving;
mod outside;
pub mod points;
pub mod pose;
pub mod reduce;
pub mod rigged;
mod segment;
mod tolerance;
pub mod trim;

pub use angles::joined_angles;
pub use bind::bind;
pub use compare::{Animation, Comparison, compare};
pub use compiled::{CompiledClip, SoaPose};
pub use conform::{Conform, arrange, conform, put_in_world};
pub use cubic::{Cubic, cubic};
pub use evaluate::{Sampler, Side, channel_at, curve_at, native_parts};
pub use moving::moves;
pub use reduce::reduce;
pub use tolerance::{InvalidTolerance, Tolerance};
pub use trim::{Range, trim};
