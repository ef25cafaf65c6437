//! The crates of the formats, for whoever wants every field of a file; see [`Opened::document_mut`](crate::Opened::document_mut).

#[cfg(feature = "bvh")]
pub use dopesheet_bvh as bvh;
#[cfg(all(feature = "fbx", not(target_family = "wasm")))]
pub use dopesheet_fbx as fbx;
#[cfg(feature = "gltf")]
pub use dopesheet_gltf as gltf;
#[cfg(feature = "mmd")]
pub use dopesheet_mmd as mmd;
#[cfg(feature = "more")]
pub use dopesheet_more as more;
#[cfg(feature = "mrtk2")]
pub use dopesheet_mrtk2 as mrtk2;
#[cfg(feature = "numpy")]
pub use dopesheet_numpy as numpy;
#[cfg(feature = "playcanvas")]
pub use dopesheet_playcanvas as playcanvas;
#[cfg(feature = "unity")]
pub use dopesheet_unity as unity;
#[cfg(feature = "research")]
pub use dopesheet_webxr as webxr;
