//! The native half of the Python package `dopesheet`: files, keys and poses as NumPy arrays.
//!
//! Everything that knows of animation happens in the library. Here values change hands: arguments become its options,
//! its results become arrays without being copied, or JSON that `python/dopesheet` gives types, and its errors become
//! exceptions. The interpreter is released while the library works.

mod arguments;
mod arrays;
mod clip;
mod curve;
mod document;
mod errors;
mod file;
mod poses;
mod rotations;
mod table;

use pyo3::prelude::*;

/// The module `dopesheet._native`.
#[pymodule]
mod _native {
    /// The version of the library, and of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::clip::Clip;
    #[pymodule_export]
    use super::curve::Curve;
    #[pymodule_export]
    use super::document::{convert, diff, formats, save};
    #[pymodule_export]
    use super::file::{Document, operations};
    #[pymodule_export]
    use super::poses::{from_poses, in_model_space, velocities};
    #[pymodule_export]
    use super::rotations::{from_quaternions, to_quaternions};
    #[pymodule_export]
    use super::table::Table;
}
