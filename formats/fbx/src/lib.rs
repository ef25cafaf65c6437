//! FBX, the format in which Autodesk's programs hand animation to each other, read through [ufbx](https://ufbx.github.io).

pub mod fbx;

pub use fbx::Fbx;
