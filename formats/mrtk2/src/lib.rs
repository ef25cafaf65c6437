//! The files of the Mixed Reality Toolkit 2 (MRTK2) for Unity.
//!
//! * [`animation`]: recordings of head, hands and gaze ("input animation", `.bin`).

pub mod animation;

pub use animation::Mrtk2;
