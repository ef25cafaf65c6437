//! Arrays of numbers as NumPy stores them, and the motion that people keep in them.

pub mod npz;

pub use npz::Npz;
