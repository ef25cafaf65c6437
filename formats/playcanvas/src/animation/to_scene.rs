//! [`Document`](super::Document) to scene.

use super::document::{Animation, Component, Key, KeyNames, Node, Version};
use super::turns::Turns;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, JumpSide, Law, Laws, Looping, Node as SceneNode, NodeIndex,
    PoseRelation, Property, RestPose, Scene, Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_curve::{quat_from_euler_degrees_zyx, quat_normalise_or_identity};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

pub(super) fn to_scene(animation: &Animation, options: &ToScene, report: &mut Report) -> Scene {
    let mut scene = Scene::new(Basis { metres_per_unit: None, ..Basis::GLTF });
    (scene.hierarchy, scene.rest) = (Hierarchy::Unknown, RestPose::Unknown);
    let mut builder = Builder {
        animation,
        keep_sources: options.keep_sources,
        picked: Vec::new(),
        times: None,
        thinned: 0,
        clamped: 0,
    };
    let played = played(animation, report);
    let mut tracks = Vec::with_capacity(played.len());
    scene.nodes.reserve_exact(played.len());
    for (index, node) in played {
        let channels = builder.channels(node);
        let mut scene_node = SceneNode::new(node.name.as_str(), None, Transform::IDENTITY);
        scene_node.source_index = Some(index);
        let position = scene.push_node(scene_node);
        tracks.extend(track(node, index, position, channels));
    }
    builder.report(report);
    let name = Some(animation.name.as_str()).filter(|name| !name.is_empty());
    scene.clips.push(Clip {
        name: name.map(str::to_owned).or_else(|| options.fallback_name.clone()),
        duration: Seconds(animation.effective_duration()),
        tracks,
        looping: Looping::Unspecified,
        relation: PoseRelation::Absolute,
        ..Clip::default()
    });
    scene
}

fn track(node: &Node, index: usize, position: NodeIndex, channels: Vec<Channel>) -> Option<Track> {
    if channels.is_empty() {
        return None;
    }
    Some(Track {
        target: Target::new(TargetKind::Joint, node.name.as_str(), index, Some(position)),
        channels,
    })
}

/// For each name its first index and the played node: the last node of that name with anything to play,
/// because in the engine later nodes overwrite earlier ones.
fn played<'a>(animation: &'a Animation, report: &mut Report) -> Vec<(usize, &'a Node)> {
    let mut played: Vec<(usize, &Node)> = Vec::with_capacity(animation.nodes.len());
    let mut slots: HashMap<&str, usize> = HashMap::with_capacity(animation.nodes.len());
    let mut overwritten = 0usize;
    for (index, node) in animation.nodes.iter().enumerate() {
        match slots.entry(&node.name) {
            Entry::Vacant(slot) => {
                slot.insert(played.len());
                played.push((index, node));
            }
            Entry::Occupied(slot) => {
                overwritten += 1;
                if plays(animation, node) {
                    played[*slot.get()].1 = node;
                }
            }
        }
    }
    if overwritten > 0 {
        report.dropped(
            format!("{overwritten} of {}, whose names repeat", counted(animation.nodes.len(), "node")),
            "of nodes with the same name, only the last with keys is played",
        );
    }
    played
}

/// Index of the played node for each first index of a name.
pub(super) fn played_places(animation: &Animation) -> HashMap<usize, usize> {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(animation.nodes.len());
    let mut places = HashMap::with_capacity(animation.nodes.len());
    for (index, node) in animation.nodes.iter().enumerate() {
        let slot = *first.entry(&node.name).or_insert(index);
        if slot == index || plays(animation, node) {
            places.insert(slot, index);
        }
    }
    places
}

fn plays(animation: &Animation, node: &Node) -> bool {
    !node.keys.is_empty() || Component::ALL.into_iter().any(|c| animation.static_value(node, c).is_some())
}

/// A key of a single component.
#[derive(Clone, Copy)]
struct Picked<'a> {
    time: f64,
    numbers: &'a [f64],
    source: Option<usize>,
}

struct Builder<'a> {
    animation: &'a Animation,
    /// True if curves are to state the places of their keys in the file.
    keep_sources: bool,
    /// The times and numbers of the component at hand, and the place of each key in its node.
    picked: Vec<Picked<'a>>,
    /// The times of the last channel; most nodes of a file share theirs.
    times: Option<Arc<[f64]>>,
    thinned: usize,
    clamped: usize,
}

impl<'a> Builder<'a> {
    fn channels(&mut self, node: &'a Node) -> Vec<Channel> {
        let regular = is_regular(&node.keys);
        let mut channels = Vec::with_capacity(3);
        for component in Component::ALL {
            self.pick(node, component);
            if !regular {
                self.order();
            }
            if !self.picked.is_empty() {
                channels.push(self.channel(component));
            }
        }
        channels
    }

    /// A value for all keys becomes a single key: the first. For editing, it becomes as many keys as the node
    /// has.
    fn pick(&mut self, node: &'a Node, component: Component) {
        let animation = self.animation;
        self.picked.clear();
        if node.keys.is_empty() {
            let picked = |numbers| Picked { time: 0.0, numbers, source: None };
            self.picked.extend(animation.static_value(node, component).map(picked));
            return;
        }
        let hoisted = node.defaults.numbers(component).filter(|_| {
            let short = |key: &Key| animation.names_of(key) == KeyNames::Short;
            animation.version == Version::V4 || node.keys.iter().all(short)
        });
        if let Some(numbers) = hoisted.filter(|_| !self.keep_sources) {
            let first = node.keys.iter().map(|key| key.time).reduce(f64::min);
            self.picked.extend(first.map(|time| Picked { time, numbers, source: None }));
            return;
        }
        for (position, key) in node.keys.iter().enumerate() {
            if let Some(numbers) = animation.value(node, key, component) {
                self.picked.push(Picked { time: key.time, numbers, source: Some(position) });
            }
        }
    }

    /// Sorts by time; of a run of equal times only the first and the last key ever show.
    fn order(&mut self) {
        // Adding zero makes a negative zero positive: they are one time.
        by_number(&mut self.picked, |key| key.time + 0.0);
        let before = self.picked.len();
        let mut kept: Vec<Picked<'_>> = Vec::with_capacity(before);
        for &key in &self.picked {
            if let [.., a, b] = kept[..]
                && a.time == key.time
                && b.time == key.time
            {
                kept.pop();
            }
            kept.push(key);
        }
        self.thinned += before - kept.len();
        self.picked = kept;
    }

    fn channel(&mut self, component: Component) -> Channel {
        let times = Times::Seconds(self.shared_times());
        let (property, width, law) = match component {
            Component::Position => (Property::Translation, 3, Law::LINEAR),
            Component::Rotation => (Property::Rotation, 4, Law::SLERP),
            Component::Scale => (Property::Scale, 3, Law::LINEAR),
        };
        let values = match component {
            Component::Rotation => self.rotations(),
            Component::Position | Component::Scale => self.vectors(),
        };
        let mut curve = Curve::new(times, width, values, Laws::uniform(law));
        curve.jump = JumpSide::Before;
        if self.keep_sources {
            let source = |key: &Picked<'_>| key.source.and_then(|position| u32::try_from(position).ok());
            curve.sources = Some(Arc::new(self.picked.iter().map(source).collect()));
        }
        Channel::whole(property, curve)
    }

    fn shared_times(&mut self) -> Arc<[f64]> {
        let picked = &self.picked;
        match &self.times {
            Some(times)
                if times.len() == picked.len() && times.iter().zip(picked).all(|(a, b)| *a == b.time) =>
            {
                Arc::clone(times)
            }
            _ => {
                let times: Arc<[f64]> = picked.iter().map(|key| key.time).collect();
                self.times = Some(Arc::clone(&times));
                times
            }
        }
    }

    fn rotations(&self) -> Vec<f32> {
        let mut turns = Turns::default();
        let mut values = Vec::with_capacity(self.picked.len() * 4);
        let mut last: Option<(&[f64], [f32; 4])> = None;
        for &Picked { numbers, .. } in &self.picked {
            let stored = match last {
                // Resting joints repeat their angles, and sines are what costs most here.
                Some((before, stored)) if same_bits(before, numbers) => stored,
                _ => turns.store(quaternion(numbers)),
            };
            last = Some((numbers, stored));
            values.extend(stored);
        }
        values
    }

    fn vectors(&mut self) -> Vec<f32> {
        let mut values = Vec::with_capacity(self.picked.len() * 3);
        for value in self.picked.iter().flat_map(|key| key.numbers) {
            let narrow = *value as f32;
            if narrow.is_finite() {
                values.push(narrow);
            } else {
                self.clamped += 1;
                values.push(f32::MAX.copysign(narrow));
            }
        }
        values
    }

    fn report(&self, report: &mut Report) {
        if self.thinned > 0 {
            report.dropped(
                format!("{} between others of the same time", counted(self.thinned, "key")),
                "they are never visible",
            );
        }
        if self.clamped > 0 {
            report.dropped(
                format!("the magnitude of {} beyond 3.4e38", counted(self.clamped, "number")),
                "curves hold single precision; its largest number is used",
            );
        }
    }
}

/// True if the keys are in order, with at most two at the same time.
fn is_regular(keys: &[Key]) -> bool {
    keys.is_sorted_by(|a, b| a.time <= b.time)
        && !keys.windows(3).any(|w| matches!(w, [a, _, c] if a.time == c.time))
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// The rotation given by three Euler angles in degrees or by the four numbers of a quaternion.
pub(super) fn quaternion(numbers: &[f64]) -> [f64; 4] {
    match *numbers {
        [x, y, z] => quat_from_euler_degrees_zyx([x, y, z]),
        [x, y, z, w] => quat_normalise_or_identity([x, y, z, w]),
        _ => dopesheet_curve::QUAT_IDENTITY,
    }
}
