//! Values of a motion at given times: poses, samples and contacts.

pub mod contacts;
#[cfg(feature = "numpy")]
pub(crate) mod npz;
pub(crate) mod on_model;
pub mod played;
pub mod poses;
pub mod rotation;
pub mod sample;
