//! Sums over everything that a reader made, so that nothing can be left undone.

use dopesheet_core::model::{Composition, Outside, Scene};
use dopesheet_mmd::vmd::Document;
use mmd_anim::format as peer;

fn bytes(bytes: &[u8]) -> f64 {
    bytes.iter().map(|b| u32::from(*b)).sum::<u32>().into()
}

fn floats(values: &[f32]) -> f64 {
    values.iter().map(|v| f64::from(*v)).sum()
}

/// Every field of a VMD document.
pub(crate) fn vmd(document: &Document) -> f64 {
    let bones = document.bones.iter().map(|k| {
        bytes(&k.name.0)
            + f64::from(k.frame)
            + floats(&k.translation)
            + floats(&k.rotation)
            + bytes(&k.interpolation)
    });
    let morphs = document.morphs.iter().map(|k| bytes(&k.name.0) + f64::from(k.frame) + f64::from(k.weight));
    let cameras = document.cameras.iter().map(|k| {
        f64::from(k.frame)
            + f64::from(k.distance)
            + floats(&k.target)
            + floats(&k.angles)
            + bytes(&k.interpolation)
    });
    bones.sum::<f64>() + morphs.sum::<f64>() + cameras.sum::<f64>() + bytes(&document.trailing)
}

/// Every field of the peer's VMD animation.
pub(crate) fn peer_vmd(animation: &peer::VmdParsedAnimation) -> f64 {
    let bones = animation.bone_frames.iter().map(|k| {
        let name = bytes(k.bone_name.as_bytes()) + bytes(&k.bone_name_bytes);
        name + f64::from(k.frame) + floats(&k.translation) + floats(&k.rotation) + bytes(&k.interpolation)
    });
    let morphs = animation.morph_frames.iter().map(|k| {
        bytes(k.morph_name.as_bytes()) + bytes(&k.morph_name_bytes) + f64::from(k.frame) + f64::from(k.weight)
    });
    let cameras = animation.camera_frames.iter().map(|k| {
        f64::from(k.frame)
            + f64::from(k.distance)
            + floats(&k.position)
            + floats(&k.rotation)
            + bytes(&k.interpolation)
    });
    bones.sum::<f64>() + morphs.sum::<f64>() + cameras.sum::<f64>()
}

/// All keys of all curves of a scene.
pub(crate) fn scene(scene: &Scene) -> f64 {
    let channels = scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels);
    channels.map(|c| composition(&c.composition)).sum()
}

fn composition(composition: &Composition) -> f64 {
    let curve = |c: &dopesheet_core::model::Curve| {
        let times: f64 = c.times.iter().map(|t| t.0).sum();
        let ramp = if let Outside::Ramp { from, .. } = &c.before { floats(from) } else { 0.0 };
        times + floats(&c.values) + c.laws.runs().count() as f64 + ramp
    };
    composition.curves().map(curve).sum()
}
