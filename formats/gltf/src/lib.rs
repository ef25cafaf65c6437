//! glTF 2.0 as a lossless document and as a scene, in both of its containers.
//!
//! [`Gltf`] reads and writes `.gltf` text, [`Glb`] the same JSON in a binary container. Both share
//! [`Document`]: the room [`mod@gltf`] holds everything about the JSON, the room [`mod@glb`] the chunks
//! around the JSON. [`Vrm`] is a GLB of an avatar, and [`Vrma`] a GLB whose nodes make a human figure; their
//! rooms are [`mod@vrm`] and [`mod@vrma`]. The codec of compressed buffer views stands by itself in
//! [`meshopt`].

mod checks;
mod container;
pub mod glb;
pub mod gltf;
pub mod meshopt;
pub mod vrm;
pub mod vrma;

pub use glb::Glb;
pub use gltf::{Document, Gltf};
pub use vrm::Vrm;
pub use vrma::Vrma;
