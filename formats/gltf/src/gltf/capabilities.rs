//! The features of a scene that glTF can hold.

use dopesheet_core::format::{Capabilities, Clips, Compositions, KeyLayout, LawSet, NameRule, Parts};
use dopesheet_core::model::{Basis, PoseRelation};

const LAWS: LawSet =
    LawSet { step: true, linear: true, hermite: true, weighted: false, bezier_timing: false, mixed: false };

/// Pages that describe the format.
pub(crate) const SPECIFICATIONS: &[&str] = &[
    "https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html",
    "https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_animation_pointer",
    "https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_lights_punctual",
];

/// The features of both containers.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    writes: true,
    attaches: true,
    clips: Clips::Many,
    basis: Some(Basis::GLTF),
    relation: PoseRelation::Absolute,
    parts: Parts {
        hierarchy: true,
        translation: true,
        rotation: true,
        scale: true,
        weight_vectors: true,
        cameras: true,
        lights: true,
        markers: true,
        custom_tracks: true,
        numbers: true,
        data: true,
        meshes: true,
        ..Parts::NONE
    },
    compositions: Compositions::WHOLE,
    vector_laws: LAWS,
    rotation_laws: LAWS,
    grid: None,
    negative_times: false,
    layout: KeyLayout::PerChannel,
    names: NameRule::Any,
    humanoid: false,
    eyes: false,
};
