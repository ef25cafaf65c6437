//! FBX, the exchange format of Autodesk's programs, read through [ufbx](https://ufbx.github.io).

#[cfg(any(feature = "wasm", not(target_family = "wasm")))]
pub mod fbx;

#[cfg(any(feature = "wasm", not(target_family = "wasm")))]
pub use fbx::Fbx;
