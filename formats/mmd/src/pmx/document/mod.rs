//! The file as stored.

mod bone;
mod geometry;
mod header;
mod morph;
mod physics;

pub use bone::{Append, AppendParts, Bone, BoneFlags, Ik, IkLimit, IkLink, Tail};
pub use geometry::{Material, MaterialFlags, Sdef, Skinning, Toon, Vertex};
pub use header::{Encoding, Header, Index, IndexSize, IndexSizes, Text, Version};
pub use morph::{
    BoneOffset, DisplayFrame, FrameElement, GroupOffset, ImpulseOffset, MaterialOffset, Morph, MorphOffsets,
    UvOffset, VertexOffset,
};
pub use physics::{Anchor, Joint, RigidBody, SoftBody};

use dopesheet_core::format::ResourceName;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A PMX file: all contents of its bytes, in the order of the file. The default is an empty model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Version, encoding and sizes of indices.
    pub header: Header,
    /// Name of the model.
    pub name: Text,
    /// Name of the model in English.
    pub english_name: Text,
    /// Comment of the author on the model.
    pub comment: Text,
    /// Comment of the author on the model, in English.
    pub english_comment: Text,
    /// The points of the surface.
    pub vertices: Vec<Vertex>,
    /// Up to four further texture coordinates; each has one entry per vertex. [`Header::additional_uvs`] is
    /// the number of columns in the file; the remaining columns are empty.
    pub additional_uvs: [Vec<[f32; 4]>; 4],
    /// Indices of vertices, three per triangle, clockwise seen from the front in MikuMikuDance's left-handed axes.
    pub faces: Vec<u32>,
    /// Paths of pictures relative to the model's folder, with `\` or `/`.
    pub textures: Vec<Text>,
    /// Materials of the surface; each owns the triangles behind the triangles of the material before.
    pub materials: Vec<Material>,
    /// The skeleton, in any order.
    pub bones: Vec<Bone>,
    /// Morphs, which change the shape of the model.
    pub morphs: Vec<Morph>,
    /// Groups of bones and morphs in editors.
    pub display_frames: Vec<DisplayFrame>,
    /// Bodies of the physics engine.
    pub rigid_bodies: Vec<RigidBody>,
    /// Joints, which hold the rigid bodies together.
    pub joints: Vec<Joint>,
    /// Bodies that bend. `None` if the file ends before them: files of version 2.0 lack this section.
    pub soft_bodies: Option<Vec<SoftBody>>,
    /// Whatever stands behind the last section.
    pub trailing: Vec<u8>,
    /// The loaded pictures by the names of [`Format::wants`](dopesheet_core::format::Format::wants). They are not part of the file.
    pub pictures: BTreeMap<ResourceName, Arc<[u8]>>,
}

impl Document {
    /// A text of this file, with U+FFFD for bytes without a meaning in its encoding.
    #[must_use]
    pub fn text(&self, text: &Text) -> String {
        text.decode(self.header.encoding).0
    }

    /// The name of the model.
    #[must_use]
    pub fn model_name(&self) -> String {
        self.text(&self.name)
    }
}
