//! Arrays of numbers as NumPy stores them, and the motion that people keep in them.

/// True of a build that knows pickles and the layouts of research projects. Others read and write what a page has room for.
const RESEARCH: bool = cfg!(feature = "research");

pub mod npz;
mod pickle;

pub use npz::Npz;
