//! Arrays of numbers as NumPy stores them, and the motion that people keep in them.

pub mod npz;
pub mod pickle;

pub use npz::Npz;
