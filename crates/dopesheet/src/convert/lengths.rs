//! Refusal of lengths and times that no later step could calculate with.

use super::ConvertOptions;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place};
use dopesheet_core::model::{Channel, Composition, Scene, ValueKind};

/// Largest length in the target's unit: more than a thousand times the diameter of the observable universe in
/// metres, and far enough below the largest 32-bit float that squares fit in doubles and sums of many lengths
/// stay finite.
const LARGEST: f64 = 1e30;

/// Longest time in seconds: the number of single precision nearest to 1e30, because files hold single
/// precision.
const LONGEST: f64 = 1e30f32 as f64;

/// Refuses a scene with a length that is too large (from an extreme unit) or a time that is too large (from a
/// scale of almost zero): a file would hold infinity or a clamped number.
pub(super) fn check(scene: &Scene, options: &ConvertOptions<'_>) -> Result<(), ConvertError> {
    let is_beyond = |number: f64, limit: f64| number.is_nan() || number.abs() > limit;
    let length = || rests(scene).chain(keys(scene)).find(|(length, _)| is_beyond(*length, LARGEST));
    let time = ends(scene).find(|(time, _)| is_beyond(*time, LONGEST));
    let (code, expected, (number, whose)) = if let Some(time) = time {
        ("time-too-large", "times up to 1e30 s", time)
    } else if let Some(length) = length() {
        ("length-too-large", "lengths up to 1e30 in the unit of the target", length)
    } else {
        return Ok(());
    };
    let fault = Fault::new(code, Place::File, expected, format!("{number:e}")).at_path(whose);
    Err(ConvertError::new(options.target().info().id, ConvertErrorKind::Fault(Box::new(fault))))
}

/// Ends of clips, and the first and last times of curves.
fn ends(scene: &Scene) -> impl Iterator<Item = (f64, &str)> {
    scene.clips.iter().flat_map(|clip| {
        let spans = clip.tracks.iter().flat_map(|track| {
            let curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
            let ends =
                curves.filter_map(|curve| curve.times.span()).flat_map(|(first, last)| [first.0, last.0]);
            ends.map(|time| (time, track.target.name.as_str()))
        });
        spans.chain([(clip.duration.0, clip.name.as_deref().unwrap_or("a clip"))])
    })
}

fn rests(scene: &Scene) -> impl Iterator<Item = (f64, &str)> {
    let nodes = scene.nodes.iter();
    let nodes = nodes.flat_map(|node| node.rest.translation.map(|length| (length, node.name.as_str())));
    let vertices = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|part| {
        let morphed = part.morphs.iter().flat_map(|morph| &morph.positions).map(|(_, offset)| offset);
        part.positions.iter().chain(morphed)
    });
    nodes.chain(vertices.flatten().map(|length| (f64::from(*length), "a vertex")))
}

fn keys(scene: &Scene) -> impl Iterator<Item = (f64, &str)> {
    let tracks = scene.tracks();
    tracks.flat_map(|track| {
        let lengths = track.channels.iter().filter(|channel| is_length(channel)).flat_map(|channel| {
            channel.composition.curves().flat_map(|curve| curve.values.iter().map(|value| f64::from(*value)))
        });
        lengths.map(|length| (length, track.target.name.as_str()))
    })
}

fn is_length(channel: &Channel) -> bool {
    channel.property.kind() == ValueKind::Position || matches!(channel.composition, Composition::Orbit(_))
}
