//! The measured figure, and the motion of its nodes.

pub(crate) mod curves;
pub(crate) mod ends;
pub(crate) mod figure;
pub(crate) mod first_frame;
pub(crate) mod ground;
pub mod limb;
pub(crate) mod measures;
pub(crate) mod moves;
pub(crate) mod shape;
mod soles;
pub(crate) mod tracks;
pub(crate) mod upright;
pub(crate) mod values;

use dopesheet_core::model::{Basis, Scene, rebase};
use dopesheet_motion::inside::split_weights;

/// The parts of a scene with the motion of its figures, in glTF's axes and metres and with one track per morph.
pub(crate) fn in_gltf(scene: &Scene) -> Scene {
    let mut source = Scene {
        nodes: scene.nodes.clone(),
        clips: scene.clips.clone(),
        morph_sets: scene.morph_sets.clone(),
        hierarchy: scene.hierarchy,
        rest: scene.rest,
        ..Scene::new(scene.basis)
    };
    if source.basis != Basis::GLTF {
        rebase(&mut source, &Basis::GLTF, None);
    }
    split_weights(&mut source);
    source
}
