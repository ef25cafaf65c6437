//! Two motions as the reference sampler plays them, and how far apart they are.

use dopesheet::core::diag::{ErrorUnit, Loss, Report};
use dopesheet::core::model::{
    Blend, Channel, Clip, Hierarchy, Property, Scene, Target, TargetKind, Track, ValueKind,
};
use dopesheet::core::units::Seconds;
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::motion::{Side, Tolerance, channel_at};
use glam::{DAffine3, DVec3};
use std::collections::{HashMap, HashSet};

/// Differences in metres, radians and plain numbers, each with its target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Off(pub(crate) [(f64, String); 3]);

impl Off {
    pub(crate) fn meet(&mut self, unit: ErrorUnit, value: f64, what: impl FnOnce() -> String) {
        let most = &mut self.0[place(unit)];
        // What is no number is infinitely far off.
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if value > most.0 {
            *most = (value, what());
        }
    }

    /// The larger of both for each unit.
    pub(crate) fn and(&mut self, other: Self) {
        for (most, other) in self.0.iter_mut().zip(other.0) {
            if other.0 > most.0 {
                *most = other;
            }
        }
    }
}

const fn place(unit: ErrorUnit) -> usize {
    match unit {
        ErrorUnit::Metre => 0,
        ErrorUnit::Radian => 1,
        ErrorUnit::One => 2,
    }
}

/// Largest differences that a report states, measured or bounded, in metres, radians and plain numbers.
pub(crate) fn told(report: &Report) -> [f64; 3] {
    let mut told = [0.0f64; 3];
    for loss in &report.losses {
        let (value, unit) = match loss {
            Loss::Approximated { max_error, .. } | Loss::Unsampled { max_error, .. } => {
                (max_error.value, max_error.unit)
            }
            Loss::Bounded { bound, unit, .. } => (*bound, *unit),
            _ => continue,
        };
        let most = &mut told[place(unit)];
        *most = most.max(value);
    }
    told
}

/// Largest movement of keys by rounding their times that a report states, in seconds.
pub(crate) fn moved_s(report: &Report) -> f64 {
    let moved = report.findings.iter().filter(|finding| finding.fault.code == "time-moved");
    let words = moved.filter_map(|finding| finding.fault.found.strip_prefix("keys moved by up to "));
    let numbers = words.map(|words| words.split(' ').next().unwrap_or_default().parse::<f64>().unwrap());
    // Each of several steps moves them on.
    numbers.map(|milliseconds| 1e-3 * milliseconds).sum()
}

/// Which targets are compared.
#[derive(Clone, Copy)]
pub(crate) enum Targets<'a> {
    All,
    But(&'a str),
}

impl Targets<'_> {
    fn has(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::But(other) => name != other,
        }
    }
}

/// A clip by its position in two scenes, with what belongs together.
pub(crate) struct Pair<'a> {
    before: &'a Scene,
    after: &'a Scene,
    clip: usize,
    /// Nodes of both.
    nodes: Vec<(usize, Option<usize>)>,
    /// See [`moved_s`].
    pub(crate) moved_s: f64,
    /// Channels that place no node.
    channels: Vec<(&'a Track, &'a Channel, Option<&'a Channel>)>,
}

impl<'a> Pair<'a> {
    pub(crate) fn new([before, after]: [&'a Scene; 2], clip: usize, targets: Targets<'_>) -> Self {
        let named: HashMap<&str, usize> =
            after.nodes.iter().enumerate().rev().map(|(at, node)| (node.name.as_str(), at)).collect();
        // Of several nodes with one name, those in one place.
        let place = |at: usize, name: &str| {
            let is_there = after.nodes.get(at).is_some_and(|node| node.name == name);
            if is_there { Some(at) } else { named.get(name).copied() }
        };
        let nodes = before.nodes.iter().enumerate().filter(|(_, node)| targets.has(&node.name));
        let nodes = nodes.map(|(at, node)| (at, place(at, &node.name))).collect();
        let moved = |scene: &'a Scene| {
            let tracks = scene.clips.get(clip).into_iter().flat_map(|clip| &clip.tracks);
            let channels =
                tracks.flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
            channels.filter(|(track, channel)| !places(&track.target, channel))
        };
        let name = |track: &'a Track, channel: &'a Channel| {
            (track.target.kind.word(), track.target.name.as_str(), channel.property.word())
        };
        let new: HashMap<_, _> =
            moved(after).map(|(track, channel)| (name(track, channel), channel)).collect();
        let old = moved(before).filter(|(track, _)| targets.has(&track.target.name));
        let channels = old.map(|(track, channel)| (track, channel, new.get(&name(track, channel)).copied()));
        Self { before, after, clip, nodes, moved_s: 0.0, channels: channels.collect() }
    }

    /// Differences of the first motion at a time from the second one at another time. Joints are compared in model space, points of a
    /// shell around them included; all else by its values.
    pub(crate) fn off(&self, at: f64, then: f64) -> Off {
        let mut off = Off::default();
        let unit = self.before.basis.metres_per_unit.unwrap_or(1.0);
        let shell = Tolerance::DEFAULT.shell_m(self.before.hierarchy == Hierarchy::Known) / unit;
        let [old, new] =
            [(self.before, at), (self.after, then)].map(|(scene, time)| placed(scene, self.clip, time));
        let untracked =
            [(self.before, at), (self.after, then)].map(|(scene, time)| untracked(scene, self.clip, time));
        for (node, other) in &self.nodes {
            // Nothing shows the joints of a hand that is not there.
            if untracked[0].contains(node) && other.is_some_and(|other| untracked[1].contains(&other)) {
                continue;
            }
            let name = &self.before.nodes[*node].name;
            let Some(other) = other else {
                off.meet(ErrorUnit::Metre, f64::INFINITY, || format!("{name} is gone"));
                continue;
            };
            let what = || format!("{name} at {at} s, which comes to {then} s");
            off.meet(ErrorUnit::Metre, displacement(&old[*node], &new[*other], shell) * unit, what);
        }
        let mut values = [Vec::new(), Vec::new()];
        for (track, channel, other) in &self.channels {
            let what = || {
                format!(
                    "{} {} at {at} s, which comes to {then} s",
                    track.target.name,
                    channel.property.word()
                )
            };
            // So are its buttons, but not that it is gone.
            let is_of_hidden = channel.property.word() != "tracked"
                && untracked.iter().zip([self.before, self.after]).all(|(hidden, scene)| {
                    hidden.iter().any(|node| scene.nodes[*node].name == track.target.name)
                });
            if is_of_hidden || !channel_at(channel, Seconds(at), Side::At, &mut values[0]) {
                continue;
            }
            let Some(true) = other.map(|other| channel_at(other, Seconds(then), Side::At, &mut values[1]))
            else {
                off.meet(ErrorUnit::One, f64::INFINITY, || format!("{} is gone", what()));
                continue;
            };
            let (unit, mut apart_by) = apart(&channel.property, &values[0], &values[1]);
            // A switch whose key moved is that a little earlier or later.
            for other in other.iter().filter(|other| only_steps(other)) {
                for then in [then - self.moved_s, then + self.moved_s] {
                    channel_at(other, Seconds(then), Side::At, &mut values[1]);
                    apart_by = apart_by.min(apart(&channel.property, &values[0], &values[1]).1);
                }
            }
            off.meet(unit, apart_by, what);
        }
        off
    }
}

/// All channels of the first clip of a scene, each with its target.
pub(crate) fn channels(scene: &Scene) -> impl Iterator<Item = (&Target, &Channel)> {
    let tracks = scene.clips.first().into_iter().flat_map(|clip| &clip.tracks);
    tracks.flat_map(|track| track.channels.iter().map(move |channel| (&track.target, channel)))
}

/// Largest differences of each channel from itself at another time, but for switches and channels that only step in the source.
pub(crate) fn between([source, scene]: [&Scene; 2], at: f64, then: f64) -> Off {
    let name =
        |(target, channel): (&Target, &Channel)| (target.name.clone(), channel.property.word().to_owned());
    let stepping: HashSet<_> =
        channels(source).filter(|(_, channel)| only_steps(channel)).map(name).collect();
    let (mut off, mut values) = (Off::default(), [Vec::new(), Vec::new()]);
    for (target, channel) in channels(scene).filter(|one| !stepping.contains(&name(*one))) {
        let mut times = [at, then].into_iter().zip(&mut values);
        let is_played = times.all(|(time, value)| channel_at(channel, Seconds(time), Side::At, value));
        if is_played && channel.property.kind() != ValueKind::Discrete {
            let (unit, apart_by) = apart(&channel.property, &values[0], &values[1]);
            let metres = if unit == ErrorUnit::Metre { scene.basis.metres_per_unit } else { None };
            let words = || format!("{} {}", target.name, channel.property.word());
            off.meet(unit, apart_by * metres.unwrap_or(1.0), words);
        }
    }
    off
}

/// Model transforms of all nodes.
pub(crate) fn placed(scene: &Scene, clip: usize, time: f64) -> Vec<DAffine3> {
    let rest = Clip::default();
    let clip = scene.clips.get(clip).unwrap_or(&rest);
    model_pose(scene, &local_pose(scene, clip, Seconds(time))).0
}

/// Nodes of hands that are not there at a time, and all that hang on them.
fn untracked(scene: &Scene, clip: usize, time: f64) -> HashSet<usize> {
    let tracks = scene.clips.get(clip).into_iter().flat_map(|clip| &clip.tracks);
    let mut hidden = HashSet::new();
    for track in tracks.filter(|track| track.target.kind == TargetKind::Hand) {
        let tracked = track.channels.iter().find(|channel| channel.property.word() == "tracked");
        let mut value = Vec::new();
        let is_hidden = tracked.is_some_and(|own| channel_at(own, Seconds(time), Side::At, &mut value));
        if is_hidden && value.first().is_some_and(|value| *value <= 0.5) {
            hidden.extend(track.target.node.map(|node| node.0));
        }
    }
    // Parents stand before their children.
    for (at, node) in scene.nodes.iter().enumerate() {
        if node.parent.is_some_and(|parent| hidden.contains(&parent.0)) {
            hidden.insert(at);
        }
    }
    hidden
}

/// Farthest that a point of a shell comes to be off.
fn displacement(a: &DAffine3, b: &DAffine3, shell: f64) -> f64 {
    let linear = a.matrix3 - b.matrix3;
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
    a.translation.distance(b.translation) + shell * axes.into_iter().fold(0.0, f64::max)
}

/// True of a channel that places a node.
pub(crate) fn places(target: &Target, channel: &Channel) -> bool {
    let is_place = matches!(
        channel.property,
        Property::Translation | Property::Rotation | Property::Scale | Property::Placement
    );
    target.node.is_some() && is_place
}

fn angle(old: &[f64], new: &[f64]) -> f64 {
    let [old, new] = [old, new].map(|numbers| DVec3::from_slice(numbers).normalize());
    2.0 * (0.5 * old.distance(new)).asin()
}

fn only_steps(channel: &Channel) -> bool {
    channel.composition.curves().all(|curve| curve.laws.all(|law| law.blend == Blend::Step))
}

fn apart(property: &Property, old: &[f64], new: &[f64]) -> (ErrorUnit, f64) {
    let distance = |sign: f64| old.iter().zip(new).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    let size = old.iter().map(|x| x * x).sum::<f64>().sqrt();
    match property.kind() {
        ValueKind::Position => (ErrorUnit::Metre, distance(1.0)),
        ValueKind::Rotation => (ErrorUnit::Radian, 2.0 * distance(1.0).min(distance(-1.0))),
        ValueKind::Direction => (ErrorUnit::Radian, angle(old, new)),
        ValueKind::Numbers if *property == Property::YFov => (ErrorUnit::Radian, distance(1.0)),
        ValueKind::Numbers => (ErrorUnit::One, distance(1.0) / size.max(1.0)),
        ValueKind::Discrete => (ErrorUnit::One, distance(1.0)),
    }
}
