//! Document to scene: takes become clips with a start at 0.

use super::bake::{
    self, Account, BakedTake, Course, Errors, Key, Lane, LaneKey, MorphWeights, Motion, Slope, Worst,
};
use super::check;
use super::codes;
use super::document::{Document, Look, LookKind, NodeMotion, Take, Tint};
use super::pictures;
use super::play::PropertyKind;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    AlphaMode, Blend, Channel, Clip, Composition, Curve, Handles, Law, Laws, Native, Node, NodeIndex,
    Property, Scene, SolvedChannel, Target, TargetKind, Times, Track,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Word of a scene for angles as they are stored.
const ANGLES: &str = "angles_deg";

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let mut scene = document.still.clone();
    for remark in document.remarks.iter().filter(|remark| remark.check == codes::WEIGHTS) {
        let what = format!("joints beyond the strongest four of a vertex, in {}", remark.path);
        report.dropped(what, format!("{}; weights of those are scaled up to sum to 1", remark.text));
    }
    for remark in document.remarks.iter().filter(|remark| remark.check == codes::DUAL_QUATERNION) {
        let what = format!("blending of joints as dual quaternions, in {}", remark.path);
        report.dropped(what, "a scene blends joints as matrices");
    }
    let properties = document.remarks.iter().filter(|remark| remark.check == codes::PROPERTIES);
    properties.for_each(|remark| check::say(report, remark));
    document.unplaced.iter().for_each(|what| report.dropped(what, "a scene has no place for them"));
    pictures::add(document, &mut scene, report);
    let shells = shells(&scene);
    let mut left = bake::MOST_BESIDES;
    for take in &document.takes {
        let baked = bake::take(document, take, &mut left, options);
        let clip = clip(take, &baked, (&scene, &shells), options);
        scene.clips.push(clip);
        blend(take, &baked, &mut scene);
        say(take, &baked.account, report);
        let moved = baked.motions.iter().filter(|own| shells.contains(&own.node) && varies(own)).count();
        if moved > 0 {
            let what = format!("motion of {} in take {:?}", counted(moved, "skinned mesh"), take.name);
            report.dropped(what, "joints alone place a skinned mesh");
        }
    }
    scene
}

/// Nodes with a skinned mesh and no further purpose: their places have no effect.
fn shells(scene: &Scene) -> HashSet<NodeIndex> {
    let parents = scene.nodes.iter().filter_map(|node| node.parent);
    let joints = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    let needed: HashSet<NodeIndex> = parents.chain(joints).collect();
    let nodes = scene.nodes.iter().enumerate().map(|(index, node)| (NodeIndex(index), node));
    let is_shell =
        |(_, node): &(_, &Node)| node.skin.is_some() && node.camera.is_none() && node.light.is_none();
    nodes.filter(is_shell).map(|(index, _)| index).filter(|index| !needed.contains(index)).collect()
}

/// Reports the keys added to a take, the course of its curves between the frames of recordings, and omitted properties.
fn say(take: &Take, account: &Account, report: &mut Report) {
    let name = &take.name;
    let (keys, inserted) = (counted(account.keys, "key"), account.inserted);
    let layers = counted(take.layers.len(), "layer");
    for (kind, _, error) in errors(&account.straight, take.begin) {
        let what = format!(
            "{kind} of take {name:?}: curves of {layers} as {keys} with straight segments, {inserted} of them added"
        );
        report.approximated(what, error);
    }
    for (kind, worst, error) in errors(&account.noise, take.begin) {
        let nodes = counted(worst.properties, "node");
        report.approximated(
            format!("{kind} of take {name:?}: {nodes} recorded as still but for noise, as single keys"),
            error,
        );
    }
    for (kind, worst, error) in errors(&account.between, take.begin) {
        let nodes = counted(worst.properties, "node");
        let what = format!(
            "{kind} of take {name:?}, recorded for {nodes}; --between-frames stored keeps their curves"
        );
        report.unsampled(what, error);
    }
    for (property, count) in &take.others {
        let what =
            format!("motion of the property {property:?} of {} in take {name:?}", counted(*count, "object"));
        report.dropped(what, "the common model has no place for it");
    }
}

/// Errors above rounding, with the words for their kinds of values, in times of a clip that starts at `begin`.
fn errors(all: &Errors, begin: Seconds) -> Vec<(&'static str, &Worst, MaxError)> {
    let kinds = [
        ("translations", ErrorUnit::Metre, &all.translation_m),
        ("rotations", ErrorUnit::Radian, &all.rotation_rad),
        ("scales, weights and colours", ErrorUnit::One, &all.ratio),
    ];
    let max_error = |unit, worst: &Worst| {
        let time = Seconds(worst.time.0 - begin.0);
        MaxError { value: worst.value, unit, target: worst.target.clone(), time }
    };
    let large = kinds.into_iter().filter(|(_, _, worst)| worst.value > bake::ROUNDING);
    large.map(|(kind, unit, worst)| (kind, worst, max_error(unit, worst))).collect()
}

fn clip(
    take: &Take,
    baked: &BakedTake,
    (scene, shells): (&Scene, &HashSet<NodeIndex>),
    options: &ToScene,
) -> Clip {
    let mut clock = Clock { begin: take.begin.0, rate: take.rate, known: HashMap::new() };
    let (mut tracks, mut solved) = (Vec::new(), HashSet::new());
    for (motion, source) in baked.motions.iter().zip(&take.motions) {
        if !shells.contains(&motion.node) && motion.moves() {
            tracks.push(joint(motion, source, scene, &mut clock, &mut solved));
        }
    }
    tracks.extend(weights(&baked.weights, scene, &mut clock));
    tracks.extend(looks(&take.looks, &baked.looks, scene, &mut clock));
    tracks.extend(tints(&take.tints, &baked.tints, scene, &mut clock));
    let name = Some(take.name.clone()).filter(|name| !name.is_empty());
    Clip {
        name: name.or_else(|| options.fallback_name.clone()),
        duration: Seconds((take.end.0 - take.begin.0).max(0.0)),
        tracks,
        grid: Some(take.rate),
        solved,
        ..Clip::default()
    }
}

/// Materials that get translucent are blended.
fn blend(take: &Take, baked: &BakedTake, scene: &mut Scene) {
    for (tint, keys) in take.tints.iter().zip(&baked.tints) {
        let is_translucent = keys.iter().any(|key| key.value[3] < 1.0);
        if let Some(material) = scene.materials.get_mut(tint.material).filter(|_| is_translucent) {
            material.alpha = AlphaMode::Blend;
        }
    }
}

impl Motion {
    /// True if any property moves.
    const fn moves(&self) -> bool {
        let is_still = matches!(self.translation, Course::Still) && matches!(self.rotation, Course::Still);
        !(is_still && matches!(self.scale, Course::Still))
    }
}

impl<const N: usize> Course<N> {
    /// True unless the property is constant. Equal keys of a list are one key.
    fn varies(&self) -> bool {
        let varies = |lane: &Lane| lane.keys.windows(2).any(|pair| pair[0].value != pair[1].value);
        match self {
            Self::Still => false,
            Self::Curves(lanes) => lanes.iter().any(varies),
            Self::Keys(keys, _) => keys.len() > 1,
        }
    }
}

fn varies(motion: &Motion) -> bool {
    motion.translation.varies() || motion.rotation.varies() || motion.scale.varies()
}

/// Track of a node. Channels whose keys nobody authored are listed in `solved`.
fn joint(
    motion: &Motion,
    source: &NodeMotion,
    scene: &Scene,
    clock: &mut Clock,
    solved: &mut HashSet<SolvedChannel>,
) -> Track {
    let mut channels = Vec::new();
    for (property, course) in [(Property::Translation, &motion.translation), (Property::Scale, &motion.scale)]
    {
        channels.extend(match course {
            Course::Still => None,
            Course::Curves(lanes) => Some(components(property, lanes, clock)),
            Course::Keys(keys, _) => Some(Channel::whole(property, clock.curve(keys, Law::LINEAR))),
        });
    }
    let rotation = match (&motion.rotation, source.chain.rotation.kind) {
        (Course::Curves(lanes), PropertyKind::Angles(order)) => Some(Channel {
            property: Property::Rotation,
            composition: Composition::Euler { order, angles: clock.lanes(lanes) },
            native: Some(Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() }),
        }),
        (Course::Keys(keys, _), _) => Some(Channel::whole(Property::Rotation, clock.curve(keys, Law::SLERP))),
        (Course::Still | Course::Curves(_), _) => None,
    };
    let at = channels.partition_point(|channel| channel.property == Property::Translation);
    rotation.into_iter().for_each(|channel| channels.insert(at, channel));
    let made = |property, is_made: bool| is_made.then_some(SolvedChannel { node: motion.node, property });
    solved.extend(made(Property::Translation, matches!(motion.translation, Course::Keys(_, true))));
    solved.extend(made(Property::Rotation, matches!(motion.rotation, Course::Keys(_, true))));
    solved.extend(made(Property::Scale, matches!(motion.scale, Course::Keys(_, true))));
    Track { target: target(TargetKind::Joint, motion.node, scene), channels }
}

fn components(property: Property, lanes: &[Lane; 3], clock: &mut Clock) -> Channel {
    Channel { property, composition: Composition::Components(clock.lanes(lanes)), native: None }
}

fn target(kind: TargetKind, node: NodeIndex, scene: &Scene) -> Target {
    let name = scene.node(node).map_or("", |node| &node.name);
    Target::new(kind, name, node.0, Some(node))
}

/// A track for each node and kind of target: colour and intensity of a light are in the same track.
fn looks(all: &[Look], keys: &[Vec<Key<3>>], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for (look, keys) in all.iter().zip(keys) {
        let mut number =
            |law| clock.curve(&keys.iter().map(|key| key.narrowed::<1>()).collect::<Vec<_>>(), law);
        let (kind, property, curve) = match look.kind {
            LookKind::YFov(_) => (TargetKind::Camera, Property::YFov, number(Law::LINEAR)),
            LookKind::Intensity => (TargetKind::Light, Property::Intensity, number(Law::LINEAR)),
            LookKind::Visible => (TargetKind::Custom, Property::Visible, number(Law::STEP)),
            LookKind::Color => (TargetKind::Light, Property::Color, clock.curve(keys, Law::LINEAR)),
        };
        add(Channel::whole(property, curve), target(kind, look.node, scene), &mut tracks);
    }
    tracks
}

/// A track for each material.
fn tints(all: &[Tint], keys: &[Vec<Key<4>>], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for (tint, keys) in all.iter().zip(keys) {
        let (property, curve) = match tint.is_emission {
            false => (Property::BASE_COLOR, clock.curve(keys, Law::LINEAR)),
            true => {
                let colors: Vec<Key<3>> = keys.iter().map(Key::narrowed).collect();
                (Property::EMISSIVE, clock.curve(&colors, Law::LINEAR))
            }
        };
        let name = scene.materials.get(tint.material).map_or("", |material| &material.name);
        let target = Target::new(TargetKind::Custom, name, tint.material, None);
        add(Channel::whole(property, curve), target, &mut tracks);
    }
    tracks
}

/// Adds a channel to the track of its target.
fn add(channel: Channel, target: Target, tracks: &mut Vec<Track>) {
    match tracks.iter_mut().find(|track| track.target == target) {
        Some(track) => track.channels.push(channel),
        None => tracks.push(Track { target, channels: vec![channel] }),
    }
}

impl<const N: usize> Key<N> {
    /// The key with its first numbers alone.
    fn narrowed<const M: usize>(&self) -> Key<M> {
        Key { time_s: self.time_s, value: std::array::from_fn(|at| self.value[at]) }
    }
}

/// Track of all morphs of a node. Its keys are those of all its morphs, which is exact, because all are
/// straight in between.
fn weights(all: &[MorphWeights], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut by_node: BTreeMap<NodeIndex, BTreeMap<usize, &[Key<1>]>> = BTreeMap::new();
    for own in all.iter().filter(|own| !own.keys.is_empty()) {
        for node in &own.nodes {
            by_node.entry(*node).or_default().insert(own.morph, &own.keys);
        }
    }
    let track = |(node, moved): (NodeIndex, BTreeMap<usize, &[Key<1>]>)| {
        let set = scene.morph_sets.get(scene.node(node)?.morphs?.0)?;
        let rows = rows(&moved);
        let mut values = Vec::with_capacity(rows.len() * set.morphs.len());
        for (time_s, side) in &rows {
            for morph in 0..set.morphs.len() {
                let rest = set.rest.get(morph).copied().unwrap_or(0.0);
                values.push(moved.get(&morph).map_or(rest, |keys| weight(keys, *time_s, *side) as f32));
            }
        }
        let times: Vec<f64> = rows.iter().map(|(time_s, _)| *time_s).collect();
        let curve = Curve::new(clock.times(&times), set.morphs.len(), values, Laws::uniform(Law::LINEAR));
        let channels = vec![Channel::whole(Property::Weights, curve)];
        Some(Track { target: target(TargetKind::Morph, node, scene), channels })
    };
    by_node.into_iter().filter_map(track).collect()
}

/// Side of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    After,
}

/// The times of all keys of several lists: once, or from both sides at a jump of any list.
fn rows(moved: &BTreeMap<usize, &[Key<1>]>) -> Vec<(f64, Side)> {
    let mut rows: Vec<(f64, Side)> = Vec::new();
    for keys in moved.values() {
        for (at, key) in keys.iter().enumerate() {
            let jumps = at > 0 && keys[at - 1].time_s == key.time_s;
            rows.push((key.time_s, Side::After));
            if jumps {
                rows.push((key.time_s, Side::Before));
            }
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    rows.dedup();
    rows
}

/// The weight at a time, on a side of a jump.
fn weight(keys: &[Key<1>], time_s: f64, side: Side) -> f64 {
    let next = match side {
        Side::Before => keys.partition_point(|key| key.time_s < time_s),
        Side::After => keys.partition_point(|key| key.time_s <= time_s),
    };
    let before = next.checked_sub(1).and_then(|at| keys.get(at));
    match (before, keys.get(next)) {
        (Some(a), Some(b)) if b.time_s > a.time_s => {
            let share = (time_s - a.time_s) / (b.time_s - a.time_s);
            a.value[0] + (b.value[0] - a.value[0]) * share
        }
        (_, Some(key)) | (Some(key), None) => key.value[0],
        (None, None) => 0.0,
    }
}

/// The clock of a clip, with 0 at the start of its take.
struct Clock {
    begin: f64,
    rate: FrameRate,
    /// Earlier lists of times, by their seconds: many channels have their keys at the same times.
    known: HashMap<Vec<u64>, Times>,
}

impl Clock {
    fn curve<const N: usize>(&mut self, keys: &[Key<N>], law: Law) -> Curve {
        let times: Vec<f64> = keys.iter().map(|key| key.time_s).collect();
        let values = keys.iter().flat_map(|key| key.value).map(|number| number as f32).collect();
        Curve::new(self.times(&times), N, values, Laws::uniform(law))
    }

    fn lanes(&mut self, lanes: &[Lane; 3]) -> Vec<Curve> {
        lanes.iter().map(|lane| self.lane(lane)).collect()
    }

    fn lane(&mut self, lane: &Lane) -> Curve {
        let times: Vec<f64> = lane.keys.iter().map(|key| key.time_s).collect();
        let values = lane.keys.iter().map(|key| key.value as f32).collect();
        let laws = lane.keys.iter().map(|key| key.law).take(lane.keys.len().saturating_sub(1).max(1));
        let of = |part: fn(&Slope) -> f64| {
            let numbers = |slope: fn(&LaneKey) -> &Slope| {
                lane.keys.iter().map(|key| part(slope(key)) as f32).collect::<Vec<f32>>()
            };
            Some(Box::new(Handles {
                arriving: numbers(|key| &key.arriving),
                leaving: numbers(|key| &key.leaving),
            }))
        };
        let has = |blend: Blend| lane.keys.iter().any(|key| key.law.blend == blend);
        let is_weighted = has(Blend::WeightedBezier);
        let mut curve = Curve::new(self.times(&times), 1, values, Laws::from_segments(laws));
        if is_weighted || has(Blend::Hermite) {
            curve.handles = of(|slope| slope.slope);
        }
        if is_weighted {
            curve.weights = of(|slope| slope.weight);
        }
        curve
    }

    /// Times on the clock of the file as times of a curve: frames, if all times are frames.
    fn times(&mut self, times_s: &[f64]) -> Times {
        let seconds: Vec<f64> = times_s.iter().map(|time| time - self.begin).collect();
        let bits = seconds.iter().map(|time| time.to_bits()).collect();
        let rate = self.rate;
        let times = || {
            let frames: Vec<f64> = seconds.iter().map(|time| rate.frame(Seconds(*time))).collect();
            let whole = |frame: &f64| frame.fract() == 0.0 && frame.abs() < 1e15;
            let apart = seconds.windows(2).all(|pair| !is_tick(pair[0], pair[1]));
            match apart && frames.iter().all(whole) {
                true => Times::Frames { rate, frames: frames.iter().map(|frame| *frame as i64).collect() },
                false => Times::Seconds(on_frames(&seconds, rate).into()),
            }
        };
        self.known.entry(bits).or_insert_with(times).clone()
    }
}

/// Largest distance of times a tick apart, and of times equal but for rounding, in seconds.
const TICK_S: f64 = 1e-8;

/// True if a time is the next tick of the file's clock.
fn is_tick(from: f64, to: f64) -> bool {
    from < to && to - from < TICK_S
}

/// Times with times near frames exactly on frames; times a tick behind another time stay a tick behind.
fn on_frames(seconds: &[f64], rate: FrameRate) -> Vec<f64> {
    let mut out: Vec<f64> = Vec::with_capacity(seconds.len());
    for (at, time) in seconds.iter().enumerate() {
        let frame = rate.snap(Seconds(*time)).0;
        let before = at.checked_sub(1).and_then(|before| Some((*seconds.get(before)?, *out.get(before)?)));
        let moved = match before {
            Some((before, moved)) if is_tick(before, *time) => moved + (time - before),
            _ if (frame - time).abs() < TICK_S => frame,
            _ => *time,
        };
        out.push(moved);
    }
    out
}
