//! Recordings of WebXR sessions.

pub mod iwer;

pub use iwer::Iwer;
