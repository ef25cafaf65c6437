//! Arrays of numbers in the files of NumPy, and motion stored in such arrays.

/// True of a build that knows pickles and the layouts of research projects. Other builds read and write only
/// the layouts that a web page has room for.
const RESEARCH: bool = cfg!(feature = "research");

pub mod npz;
mod pickle;

pub use npz::Npz;
