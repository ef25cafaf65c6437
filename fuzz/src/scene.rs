//! Properties that have to hold for scenes.

use dopesheet::core::model::{Curve, Scene, Transform};
use dopesheet::{Opened, SampleOptions, TimeSpec, sample::Axes, times::TimeValue};

/// Times at which clips are played, in seconds: before, at and behind their start, and where numbers run out.
const TIMES_S: [f64; 6] = [-1.0, 0.0, 0.51, 7.0, 1e9, f64::MAX];

/// Whatever file a scene is from: its indices lead somewhere, and its curves keep their own rules.
pub(crate) fn assert_shape(scene: &Scene) {
    for (index, node) in scene.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|p| p.0 < index), "node {index} comes before its parent");
    }
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        let node = track.target.node;
        assert!(node.is_none_or(|n| n.0 < scene.nodes.len()), "a track moves a node that is not there");
    }
    for curve in curves(scene) {
        curve.validate().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Asserts that a converted scene has only numbers that are numbers.
///
/// Tangents are left out: some formats write a step as an infinite one.
pub(crate) fn assert_finite(scene: &Scene) {
    for node in &scene.nodes {
        let Transform { translation, rotation, scale } = node.rest;
        let numbers = translation.iter().chain(&rotation).chain(&scale);
        assert!(numbers.clone().all(|x| x.is_finite()), "the rest pose of {:?} is not finite", node.name);
    }
    for curve in curves(scene) {
        assert!(curve.values.iter().all(|x| x.is_finite()), "a key is not finite");
    }
    let durations = scene.clips.iter().map(|clip| clip.duration.0);
    assert!(durations.clone().all(f64::is_finite), "a duration is not finite");
}

fn curves(scene: &Scene) -> impl Iterator<Item = &Curve> {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    tracks.flat_map(|track| &track.channels).flat_map(|channel| channel.composition.curves())
}

/// Samples the first clip. Whether all its values are finite; a file that cannot be sampled has none.
pub(crate) fn play(opened: &Opened, axes: Axes) -> bool {
    let times = TIMES_S.map(TimeValue::Seconds).to_vec();
    let options = SampleOptions { axes, ..SampleOptions::at(TimeSpec::List(times)) };
    let Ok(sampled) = dopesheet::sample(opened, &options) else { return true };
    let values = sampled.tracks.iter().flat_map(|t| &t.channels).flat_map(|c| &c.values);
    values.clone().all(|x| x.is_finite())
}
