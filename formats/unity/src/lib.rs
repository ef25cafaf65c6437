//! The files of Unity's editor.
//!
//! * [`animation`]: animation clips as text (`.anim`).

pub mod animation;
mod yaml;

pub use animation::UnityAnim;
