//! Motion over the common model: evaluate channels exactly, join motions and models, and bring scenes within what a
//! format can hold while measuring what that costs.
//!
//! Modules build on each other: [`evaluate`] → [`linearise`](mod@linearise) → [`conform`](mod@conform);
//! [`bind`](mod@bind), [`trim`](mod@trim), [`pose`] and [`clock`] stand beside them.

mod aim;
pub mod bind;
pub mod clock;
pub mod conform;
pub mod evaluate;
pub mod linearise;
mod measure;
mod outside;
pub mod pose;
pub mod trim;

pub use bind::bind;
pub use conform::{Conform, arrange, conform};
pub use evaluate::{Sampler, Side, channel_at, curve_at, native_parts};
pub use trim::{Range, trim};
