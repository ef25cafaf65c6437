//! Sums over everything that a reader made, so that nothing can be left undone.

use dopesheet_core::model::{Composition, Outside, Scene};
use dopesheet_mmd::vmd::Document;
use dopesheet_more::more;
use dopesheet_mrtk2::animation::{self as mrtk2, AnyCurve, Document as Recording, NumberKeys};
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

/// Every field of a recording.
pub(crate) fn recording(recording: &Recording) -> f64 {
    let curves = recording.curves().map(|(_, curve)| {
        let wrap = f64::from(curve.wrap().before) + f64::from(curve.wrap().after);
        let keys: f64 = match curve {
            AnyCurve::Switch(curve) => simple(&curve.keys),
            AnyCurve::Number(curve) => match &curve.keys {
                NumberKeys::Simple(keys) => simple(keys),
                NumberKeys::Full(keys) => keys.iter().map(whole).sum(),
            },
        };
        wrap + keys
    });
    let markers = recording.markers.iter().flatten().map(|m| f64::from(m.time) + bytes(&m.name));
    curves.sum::<f64>() + markers.sum::<f64>()
}

fn simple(keys: &[mrtk2::Key]) -> f64 {
    keys.iter().map(|key| f64::from(key.time) + f64::from(key.value)).sum()
}

fn whole(key: &mrtk2::Keyframe) -> f64 {
    let tangents = f64::from(key.in_tangent) + f64::from(key.out_tangent);
    let weights = f64::from(key.in_weight) + f64::from(key.out_weight) + f64::from(key.weighted_mode);
    f64::from(key.time) + f64::from(key.value) + tangents + weights
}

/// Every field of a MORE animation's keys.
pub(crate) fn more(document: &more::Document) -> f64 {
    let tracks = document.animation().map_or(&[][..], |animation| &animation.tracks);
    tracks
        .iter()
        .map(|track| bytes(&track.name.0) + f64::from(track.track_type.code()) + body(&track.body))
        .sum()
}

fn body(body: &more::animation::Body) -> f64 {
    use more::animation::{Body, Shape, Times};
    let Body::Keys(keys) = body else { return 0.0 };
    let times: f64 = match &keys.times {
        Times::Seconds(times) => floats(times),
        Times::Codes(codes) => codes.iter().map(|c| f64::from(*c)).sum(),
    };
    let shape: f64 = match &keys.shape {
        Shape::Plain => 0.0,
        Shape::Bezier(bezier) => {
            let flat = bezier.flat_out.iter().filter(|flat| **flat).count() as f64;
            values(&bezier.der_src) + bezier.der_dst.as_ref().map_or(0.0, values) + flat
        }
        Shape::Tcb(tcb) => {
            let settings = tcb.settings.iter();
            let settings =
                settings.map(|s| floats(&[s.tension, s.continuity, s.bias, s.ease_to, s.ease_from]));
            let turns = tcb.turns.iter().map(|turn| f64::from(turn.angle) + floats(&turn.axis));
            values(&tcb.der_src) + values(&tcb.der_dst) + settings.sum::<f64>() + turns.sum::<f64>()
        }
    };
    times + values(&keys.values) + shape
}

fn values(values: &more::animation::Values) -> f64 {
    use more::animation::Values;
    match values {
        Values::Integers(v) => v.iter().map(|c| f64::from(*c)).sum(),
        Values::Floats(v) => floats(v),
        Values::Vectors(v) => floats(v.as_flattened()),
        Values::Quaternions(v) => floats(v.as_flattened()),
        Values::Quaternions32(v) => v.iter().map(|c| f64::from(*c)).sum(),
        Values::Quaternions48(v) | Values::Angles(v) => v.as_flattened().iter().map(|c| f64::from(*c)).sum(),
    }
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
