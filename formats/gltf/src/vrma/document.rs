//! A VRM animation as stored.

use crate::gltf;
use crate::gltf::parts::Index;

/// A VRM animation: a GLB, and the contents of its extension.
///
/// The GLB's text is authoritative; the extension is read from the text and never written back.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The file.
    pub glb: gltf::Document,
    /// `extensions.VRMC_vrm_animation`
    pub extension: Option<Extension>,
}

/// `VRMC_vrm_animation`: the meanings of nodes. Members not listed here stay in the file's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extension {
    /// `specVersion`; `None` if the file leaves it out, in which case players take 1.0.
    pub spec_version: Option<String>,
    /// `humanoid.humanBones`: bones and their nodes, in the order of the file.
    pub bones: Vec<(String, Index)>,
    /// `expressions.preset`: names and their nodes; the X translation of a node is the weight.
    pub presets: Vec<(String, Index)>,
    /// `expressions.custom`
    pub customs: Vec<(String, Index)>,
    /// `lookAt`
    pub look_at: Option<LookAt>,
    /// `extras.rootMotion.node`: the node with the motion of the whole figure, a motion that the hips contain
    /// as well. An addition of Dopesheet.
    pub root_motion: Option<Index>,
}

/// `lookAt`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// `node`: its rotation is the direction of the gaze.
    pub node: Index,
    /// `offsetFromHeadBone`: from the head to the eyes, in metres.
    pub offset_from_head: Option<[f64; 3]>,
}

impl Extension {
    /// All expressions, presets first.
    pub fn expressions(&self) -> impl Iterator<Item = &(String, Index)> {
        self.presets.iter().chain(&self.customs)
    }
}
