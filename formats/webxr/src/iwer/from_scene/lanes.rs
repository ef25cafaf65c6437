//! Values of a clip at any time: straight from key to key, or held.

use super::super::document::Pose;
use super::SourceParts;
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, NodeIndex, Property, Scene, TargetKind, Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, quat_normalise_or_identity, slerp};
use std::collections::HashMap;

/// The curves of a clip.
pub(super) struct Lanes<'a> {
    poses: HashMap<NodeIndex, [Option<&'a Curve>; 2]>,
    /// By the name of their target.
    numbers: Vec<(&'a str, NumberLane<'a>)>,
    /// By the label of their hand.
    switches: Vec<(&'a str, NumberLane<'a>)>,
}

/// A number over time.
#[derive(Clone, Copy)]
pub(super) struct NumberLane<'a> {
    pub(super) name: &'a str,
    curve: &'a Curve,
}

/// Position and rotation of a node over time.
pub(super) struct PoseLane<'a> {
    position: Option<&'a Curve>,
    turn: Option<&'a Curve>,
    rest: ([f64; 3], [f64; 4]),
}

/// The whole curve of a channel; `None` for other compositions and without keys.
fn whole(channel: &Channel) -> Option<&Curve> {
    match &channel.composition {
        Composition::Whole(curve) if !curve.is_empty() => Some(curve),
        _ => None,
    }
}

fn is_placed(track: &Track) -> bool {
    matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera)
}

impl<'a> Lanes<'a> {
    pub(super) fn new(clip: &'a Clip) -> Self {
        let mut lanes = Self { poses: HashMap::new(), numbers: Vec::new(), switches: Vec::new() };
        for track in &clip.tracks {
            for channel in &track.channels {
                lanes.add(track, channel);
            }
        }
        lanes
    }

    fn add(&mut self, track: &'a Track, channel: &'a Channel) {
        let Some(curve) = whole(channel) else { return };
        match (&channel.property, track.target.node) {
            (Property::Named(name), _) if curve.width == 1 => {
                let lane = NumberLane { name, curve };
                match track.target.kind {
                    TargetKind::Hand => self.switches.push((track.target.label(), lane)),
                    TargetKind::Custom => self.numbers.push((&track.target.name, lane)),
                    _ => {}
                }
            }
            (Property::Translation, Some(node)) if is_placed(track) && curve.width == 3 => {
                self.poses.entry(node).or_default()[0] = Some(curve);
            }
            (Property::Rotation, Some(node)) if is_placed(track) && curve.width == 4 => {
                self.poses.entry(node).or_default()[1] = Some(curve);
            }
            _ => {}
        }
    }

    /// The pose of a node, relative to its parent.
    pub(super) fn pose(&self, scene: &Scene, node: NodeIndex) -> PoseLane<'a> {
        let [translation, turn] = self.poses.get(&node).copied().unwrap_or_default();
        let rest = scene.node(node).map(|node| node.rest).unwrap_or_default();
        PoseLane { position: translation, turn, rest: (rest.translation, rest.rotation) }
    }

    /// The numbers of a target.
    pub(super) fn numbers_of(&self, target: &str) -> impl Iterator<Item = NumberLane<'a>> {
        self.numbers.iter().filter(move |(name, _)| *name == target).map(|(_, lane)| *lane)
    }

    /// The switches of a hand.
    pub(super) fn switches_of(&self, label: Option<&str>) -> impl Iterator<Item = NumberLane<'a>> {
        self.switches.iter().filter(move |(name, _)| Some(*name) == label).map(|(_, lane)| *lane)
    }

    /// True if a track has only numbers of these sources.
    pub(super) fn knows(&self, track: &Track, sources: &[SourceParts]) -> bool {
        sources.iter().any(|source| match track.target.kind {
            TargetKind::Hand => source.names.label.as_deref() == Some(track.target.label()),
            TargetKind::Custom => source.names.ray == track.target.name,
            _ => false,
        })
    }
}

impl NumberLane<'_> {
    pub(super) fn times(&self, out: &mut Vec<f64>) {
        out.extend(self.curve.times.iter().map(|Seconds(time)| time));
    }

    pub(super) fn at(&self, time: f64) -> f64 {
        let [value] = at::<1>(self.curve, time, false);
        value
    }
}

impl PoseLane<'_> {
    /// The times of the keys, and the times right before jumps.
    pub(super) fn times(&self, before_jump_s: f64, out: &mut Vec<f64>) {
        for curve in [self.position, self.turn].into_iter().flatten() {
            let mut last: Option<f64> = None;
            for (key, Seconds(time)) in curve.times.iter().enumerate() {
                let is_step =
                    key.checked_sub(1).is_some_and(|from| curve.laws.get(from).blend == Blend::Step);
                let changes = key.checked_sub(1).and_then(|from| curve.value(from)) != curve.value(key);
                if last == Some(time) || (is_step && changes) {
                    out.push(time - before_jump_s);
                }
                out.push(time);
                last = Some(time);
            }
        }
    }

    pub(super) fn at(&self, time: f64) -> Pose {
        let [x, y, z] = self.position.map_or(self.rest.0, |curve| at(curve, time, false));
        let turn = self.turn.map_or(self.rest.1, |curve| at(curve, time, true));
        let [i, j, k, w] = quat_normalise_or_identity(turn);
        [x, y, z, i, j, k, w]
    }
}

/// The value of a curve: held outside its keys; of several keys at one time the last counts.
fn at<const N: usize>(curve: &Curve, time: f64, is_rotation: bool) -> [f64; N] {
    let value = |key: usize| -> [f64; N] {
        let stored = curve.value(key).and_then(|value| value.first_chunk::<N>());
        stored.map_or([0.0; N], |value| value.map(f64::from))
    };
    let after = curve.times.count_until(Seconds(time));
    let Some(from) = after.checked_sub(1) else { return value(0) };
    let (Some(Seconds(start)), Some(Seconds(end))) = (curve.times.get(from), curve.times.get(after)) else {
        return value(from);
    };
    if curve.laws.get(from).blend == Blend::Step || end <= start {
        return value(from);
    }
    let share = (time - start) / (end - start);
    let (a, b) = (value(from), value(after));
    match (a.first_chunk::<4>(), b.first_chunk::<4>()) {
        (Some(a), Some(b)) if is_rotation => {
            let turn = slerp(*a, *b, share);
            std::array::from_fn(|n| turn.get(n).copied().unwrap_or_default())
        }
        _ => std::array::from_fn(|n| lerp(a[n], b[n], share)),
    }
}
