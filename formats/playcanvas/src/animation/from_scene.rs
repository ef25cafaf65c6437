//! Scene to [`Document`].

use super::document::{Animation, Component, Components, Document, Key, KeyNames, Node, Rotation, Version};
use super::euler;
use super::keys::{NodeKeys, Pose, StraightCurve, keys};
use dopesheet_core::bytes::json::NumberStyle;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{Format, FromScene, KeyStorage, Rounding, TimeRounding};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Property, Scene, TargetKind, Track, Transform,
};
use dopesheet_core::words::{counted, number};
use std::collections::HashSet;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let (version, numbers) = variant(options.variant.as_deref())?;
    let mut animation = Animation { version, duration: Some(0.0), ..Animation::default() };
    if let Some(clip) = scene.clips.first() {
        animation.name = name(clip, options, version, report);
        animation.duration = Some(clip.end().0);
        let mut ramps = Ramps::default();
        animation.nodes = nodes(scene, clip, (version, numbers), &mut ramps);
        ramps.report(numbers, report);
        let left_out = dropped(clip, report);
        if animation.nodes.is_empty() && !left_out.is_empty() {
            let kind = ConvertErrorKind::NothingToConvert(left_out.join(", "));
            return Err(ConvertError::new(super::PlayCanvas::INFO.id, kind));
        }
        round_times(&mut animation);
        report_repeated_names(&animation, report);
        let keys: usize = animation.nodes.iter().map(|n| n.keys.len()).sum();
        report.kept(format!("{} of {}", counted(keys, "key"), counted(animation.nodes.len(), "node")));
    }
    let mut document = Document::new(animation);
    document.rewrite(numbers);
    Ok(document)
}

/// Version and number style of a variant.
pub(super) fn variant(name: Option<&str>) -> Result<(Version, NumberStyle), ConvertError> {
    match name {
        None | Some("4") => Ok((Version::V4, NumberStyle::ShortestF64)),
        Some("3") => Ok((Version::V3, NumberStyle::ShortestF64)),
        Some("seed") => Ok((Version::Absent, NumberStyle::ShortestF64)),
        Some("4-vendor") => Ok((Version::V4, NumberStyle::SixDigits)),
        Some(other) => {
            let names: Vec<&str> = super::PlayCanvas::INFO.variants.iter().map(|v| v.name).collect();
            let what = format!("the variant {other:?} is unknown; known are {}", names.join(", "));
            Err(ConvertError::new(super::PlayCanvas::INFO.id, ConvertErrorKind::Unsupported(what)))
        }
    }
}

/// Significant digits of the vendor's numbers.
const VENDOR_DIGITS: u8 = 6;

/// Storage of numbers in a variant.
pub(super) fn storage(name: Option<&str>) -> KeyStorage {
    match variant(name) {
        Ok((_, NumberStyle::SixDigits)) => KeyStorage {
            rotations: Rounding::Digits(VENDOR_DIGITS),
            numbers: Rounding::Digits(VENDOR_DIGITS),
            times: TimeRounding::Digits(VENDOR_DIGITS),
            ..KeyStorage::default()
        },
        _ => KeyStorage::default(),
    }
}

fn name(clip: &Clip, options: &FromScene, version: Version, report: &mut Report) -> String {
    let clip_name = clip.name.as_ref().filter(|name| !name.is_empty());
    if version == Version::Absent {
        if let Some(clip_name) = clip_name {
            report.dropped(format!("the name \"{clip_name}\""), "the shape without a version has none");
        }
        return String::new();
    }
    clip_name.or(options.file_stems.first()).cloned().unwrap_or_default()
}

/// Kind of a part that cannot be written: a countable noun and an addition to the noun.
type PartWords = (&'static str, &'static str);

/// Channels that conversion should have joined.
const SPLIT: PartWords = ("channel", " made up of several curves");

/// Reports the parts without a place in the format, once per kind, and yields the same in words.
fn dropped(clip: &Clip, report: &mut Report) -> Vec<String> {
    let mut kinds: Vec<(PartWords, usize)> = Vec::new();
    let mut count = |kind: PartWords| match kinds.iter_mut().find(|k| k.0 == kind) {
        Some(counted_kind) => counted_kind.1 += 1,
        None => kinds.push((kind, 1)),
    };
    for track in &clip.tracks {
        match track.target.kind {
            TargetKind::Joint => {
                track.channels.iter().filter(|c| curve(c).is_none()).for_each(|c| count(joint_kind(c)));
            }
            TargetKind::Morph => count(("morph track", "")),
            TargetKind::Camera => count(("camera track", "")),
            TargetKind::Light => count(("light track", "")),
            TargetKind::Hand | TargetKind::Custom => count(("custom track", "")),
        }
    }
    clip.markers.iter().for_each(|_| count(("marker", "")));
    let words = |((noun, rest), n): &(PartWords, usize)| format!("{}{rest}", counted(*n, noun));
    for kind in &kinds {
        let why = if kind.0 == SPLIT { "a key holds complete values" } else { "the format only moves nodes" };
        report.dropped(words(kind), why);
    }
    kinds.iter().map(words).collect()
}

const fn joint_kind(channel: &Channel) -> PartWords {
    match (component(&channel.property), &channel.property, &channel.composition) {
        (Some(_), _, Composition::Whole(_)) => ("channel", " without keys"),
        (Some(_), ..) => SPLIT,
        (None, Property::Weight | Property::Weights, _) => ("channel", " of morph weights"),
        (None, ..) => ("channel", " of other properties of nodes"),
    }
}

/// Component of a key for a property.
const fn component(property: &Property) -> Option<Component> {
    match property {
        Property::Translation => Some(Component::Position),
        Property::Rotation => Some(Component::Rotation),
        Property::Scale => Some(Component::Scale),
        _ => None,
    }
}

/// The component moved by a channel, and the channel's curve.
pub(super) fn curve(channel: &Channel) -> Option<(Component, &Curve)> {
    match (component(&channel.property), &channel.composition) {
        (Some(component), Composition::Whole(curve)) if !curve.is_empty() => Some((component, curve)),
        _ => None,
    }
}

/// Reports nodes with a repeated name: players move only one of them, by the last of its lists of keys.
fn report_repeated_names(animation: &Animation, report: &mut Report) {
    let names: HashSet<&str> = animation.nodes.iter().map(|node| node.name.as_str()).collect();
    let hidden = animation.nodes.len() - names.len();
    if hidden > 0 {
        report.dropped(
            format!("the motion of {} with a name that repeats", counted(hidden, "node")),
            "nodes are found by name, and only the last one of a name plays",
        );
    }
}

/// Steep ramps made from jumps.
#[derive(Default)]
struct Ramps {
    jumps: usize,
    longest_s: f64,
}

impl Ramps {
    /// Numbers in full put the two sides of a jump a step of f32 apart, which counts as one time.
    fn report(&self, numbers: NumberStyle, report: &mut Report) {
        if self.jumps > 0 && numbers == NumberStyle::SixDigits {
            let what = format!("the sharpness of {}", counted(self.jumps, "jump"));
            let why = format!(
                "times have {VENDOR_DIGITS} digits, so it takes up to {} ms to reach the new value",
                number(1e3 * self.longest_s)
            );
            report.dropped(what, why);
        }
    }
}

/// Seconds before a jump at which a key holds the old value: the smallest difference representable in a style
/// of numbers.
fn before_jump(numbers: NumberStyle, time: f64) -> f64 {
    match numbers {
        NumberStyle::SixDigits => {
            libm::pow(10.0, libm::log10(time.abs()).floor() - f64::from(VENDOR_DIGITS) + 1.0)
        }
        NumberStyle::ShortestF64 | NumberStyle::ShortestF32 => {
            f64::from(time as f32) - f64::from((time as f32).next_down())
        }
    }
}

fn nodes(scene: &Scene, clip: &Clip, style: (Version, NumberStyle), ramps: &mut Ramps) -> Vec<Node> {
    let joints = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
    joints.filter_map(|track| node(scene, clip, track, style.0, style.1, ramps)).collect()
}

fn node(
    scene: &Scene,
    clip: &Clip,
    track: &Track,
    version: Version,
    numbers: NumberStyle,
    ramps: &mut Ramps,
) -> Option<Node> {
    let mut lines: [Option<StraightCurve<'_>>; 3] = [None, None, None];
    for channel in &track.channels {
        if let Some((component, curve)) = curve(channel) {
            let unit = channel.native.as_ref().map_or(1.0, |native| native.scale);
            lines[component as usize] = Some(StraightCurve::new(curve, unit));
        }
    }
    if lines.iter().all(Option::is_none) {
        return None;
    }
    let rest = track.target.node.and_then(|node| scene.node(node)).map_or(Transform::IDENTITY, |n| n.rest);
    let before = |time| before_jump(numbers, time);
    let NodeKeys { poses, jumps, longest_s } = keys(&lines, &rest, clip.duration.0, before);
    *ramps = Ramps { jumps: ramps.jumps + jumps, longest_s: ramps.longest_s.max(longest_s) };
    let mut node = Node { name: track.target.name.clone(), ..Node::default() };
    if version == Version::V4 {
        node.defaults = hoist(&poses);
    }
    node.default = (version == Version::Absent).then(Box::default);
    node.keys = written(&poses, &node.defaults, version);
    Some(node)
}

/// The node of one track; `None` if the track has no motion.
pub(super) fn made_node(scene: &Scene, clip: &Clip, track: &Track, version: Version) -> Option<Node> {
    node(scene, clip, track, version, NumberStyle::ShortestF64, &mut Ramps::default())
}

/// The components with equal values in all keys, as stored in curves.
fn hoist(poses: &[Pose]) -> Components {
    let Some((first, rest)) = poses.split_first() else { return Components::default() };
    let same3 = |a: [f64; 3], b: [f64; 3]| a.map(|v| v as f32) == b.map(|v| v as f32);
    let same4 = |a: [f64; 4], b: [f64; 4]| {
        let (a, b) = (a.map(|v| v as f32), b.map(|v| v as f32));
        a == b || a == b.map(|v| -v)
    };
    Components {
        position: rest.iter().all(|p| same3(p.position, first.position)).then(|| first.position.map(exact)),
        rotation: rest
            .iter()
            .all(|p| same4(p.rotation, first.rotation))
            .then(|| euler::angles(first.rotation, None).map(euler::rounded)),
        scale: rest.iter().all(|p| same3(p.scale, first.scale)).then(|| first.scale.map(exact)),
    }
}

fn written(poses: &[Pose], hoisted: &Components, version: Version) -> Vec<Key> {
    let names = if version == Version::V3 { KeyNames::Long } else { KeyNames::Short };
    let mut previous = None;
    let key = |pose: &Pose| {
        let rotation = hoisted.rotation.is_none().then(|| {
            let angles = euler::angles(pose.rotation, previous);
            previous = Some(angles);
            Rotation::Euler(angles.map(euler::rounded))
        });
        Key {
            time: pose.time,
            position: hoisted.position.is_none().then(|| pose.position.map(exact)),
            rotation,
            scale: hoisted.scale.is_none().then(|| pose.scale.map(exact)),
            names,
        }
    };
    poses.iter().map(key).collect()
}

/// The number with the fewest digits among the numbers equal to it in f32.
pub(super) fn exact(number: f64) -> f64 {
    (number as f32).to_string().parse().unwrap_or(number)
}

/// Largest difference that fewer digits of a time may make, in units of the model, radians and factors: a
/// third of a micrometre.
const UNSEEN: f64 = 3e-7;

/// Writes times from a file of f32 numbers with as few digits as f32 needs; in full if a motion is so fast
/// that the missing digits could be seen. Either all times are shortened or none, so that no time overtakes
/// another.
fn round_times(animation: &mut Animation) {
    let times = |animation: &Animation| -> Vec<f64> {
        let keys = animation.nodes.iter().flat_map(|n| &n.keys).map(|k| k.time);
        keys.chain(animation.duration).collect()
    };
    if times(animation).iter().all(|t| f64::from(*t as f32) == *t) {
        animation.duration = animation.duration.map(exact);
        for node in &mut animation.nodes {
            let speeds: Vec<f64> = node.keys.array_windows().map(|[from, to]| speed(from, to)).collect();
            for (index, key) in node.keys.iter_mut().enumerate() {
                let before = index.checked_sub(1).and_then(|before| speeds.get(before));
                let fastest = before.into_iter().chain(speeds.get(index)).fold(0.0f64, |a, b| a.max(*b));
                let short = exact(key.time);
                if (short - key.time).abs() * fastest <= UNSEEN {
                    key.time = short;
                }
            }
        }
    }
}

/// The fastest component between two keys, per second; 0 in a jump, which takes no time.
fn speed(from: &Key, to: &Key) -> f64 {
    let length_s = to.time - from.time;
    if (from.time as f32).next_up() >= to.time as f32 {
        return 0.0;
    }
    let distance = |component: Component| {
        let (from, to) =
            (from.numbers(component).unwrap_or_default(), to.numbers(component).unwrap_or_default());
        from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let turn = distance(Component::Rotation).to_radians();
    distance(Component::Position).max(distance(Component::Scale)).max(turn) / length_s
}
