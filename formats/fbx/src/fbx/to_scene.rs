//! Document to scene: takes become clips with a start at 0.

use super::check;
use super::codes;
use super::document::{
    Document, Key, Lane, LaneKey, Lanes, Look, LookValues, MorphWeights, Motion, Slope, Take, Tint,
    TintValues, Worst,
};
use super::pictures;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    AlphaMode, Blend, Channel, Clip, Composition, Curve, Handles, Law, Laws, Native, Node, NodeIndex,
    Property, Scene, Target, TargetKind, Times, Track,
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
    for take in &document.takes {
        let clip = clip(take, &scene, &shells, options);
        scene.clips.push(clip);
        blend(take, &mut scene);
        say(take, report);
        let moved = take.motions.iter().filter(|own| shells.contains(&own.node) && varies(own)).count();
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

/// Reports the keys added to a take, and omitted properties.
fn say(take: &Take, report: &mut Report) {
    let baked = &take.baked;
    let name = &take.name;
    if baked.inserted == 0 && baked.keys > 0 {
        report.kept(format!("{} of take {name:?}", counted(baked.keys, "key")));
    }
    for (what, unit, worst) in [
        ("translations", ErrorUnit::Metre, &baked.translation_m),
        ("rotations", ErrorUnit::Radian, &baked.rotation_rad),
        ("scales, weights and colours", ErrorUnit::One, &baked.ratio),
    ] {
        if worst.value > 0.0 && baked.inserted > 0 {
            let what = format!(
                "{what} of take {name:?}: curves of {} as {} with straight segments, {} of them added",
                counted(take.layers, "layer"),
                counted(baked.keys, "key"),
                baked.inserted
            );
            report.approximated(what, max_error(worst, unit, take));
        }
    }
    for (property, count) in &take.others {
        let what =
            format!("motion of the property {property:?} of {} in take {name:?}", counted(*count, "object"));
        report.dropped(what, "the common model has no place for it");
    }
}

fn max_error(worst: &Worst, unit: ErrorUnit, take: &Take) -> MaxError {
    let time = Seconds(worst.time.0 - take.begin.0);
    MaxError { value: worst.value, unit, target: worst.target.clone(), time }
}

fn clip(take: &Take, scene: &Scene, shells: &HashSet<NodeIndex>, options: &ToScene) -> Clip {
    let mut clock = Clock { begin: take.begin.0, rate: take.rate, known: HashMap::new() };
    let mut tracks: Vec<Track> = Vec::new();
    let motions = take.motions.iter().filter(|motion| !is_empty(motion) && !shells.contains(&motion.node));
    tracks.extend(motions.map(|motion| joint(motion, scene, &mut clock)));
    tracks.extend(weights(&take.weights, scene, &mut clock));
    tracks.extend(looks(&take.looks, scene, &mut clock));
    tracks.extend(tints(&take.tints, scene, &mut clock));
    let name = Some(take.name.clone()).filter(|name| !name.is_empty());
    Clip {
        name: name.or_else(|| options.fallback_name.clone()),
        duration: Seconds((take.end.0 - take.begin.0).max(0.0)),
        tracks,
        grid: Some(take.rate),
        ..Clip::default()
    }
}

/// Materials that get translucent are blended.
fn blend(take: &Take, scene: &mut Scene) {
    for tint in &take.tints {
        let TintValues::BaseColor(keys) = &tint.values else { continue };
        let is_translucent = keys.iter().any(|key| key.value[3] < 1.0);
        if let Some(material) = scene.materials.get_mut(tint.material).filter(|_| is_translucent) {
            material.alpha = AlphaMode::Blend;
        }
    }
}

/// True unless a motion is constant.
fn varies(motion: &Motion) -> bool {
    let Lanes { translation, rotation, scale } = &motion.lanes;
    let lanes = [translation.as_ref(), rotation.as_ref().map(|(_, lanes)| lanes), scale.as_ref()];
    let varies = |lane: &Lane| lane.keys.windows(2).any(|pair| pair[0].value != pair[1].value);
    // Equal keys of a list are one key.
    motion.translation.len().max(motion.rotation.len()).max(motion.scale.len()) > 1
        || lanes.into_iter().flatten().flatten().any(varies)
}

const fn is_empty(motion: &Motion) -> bool {
    let Lanes { translation, rotation, scale } = &motion.lanes;
    let has_keys = !motion.translation.is_empty() || !motion.rotation.is_empty() || !motion.scale.is_empty();
    !has_keys && translation.is_none() && rotation.is_none() && scale.is_none()
}

fn joint(motion: &Motion, scene: &Scene, clock: &mut Clock) -> Track {
    let mut channels = Vec::new();
    let Lanes { translation, rotation, scale } = &motion.lanes;
    match translation {
        Some(lanes) => channels.push(components(Property::Translation, lanes, clock)),
        None if motion.translation.is_empty() => {}
        None => {
            channels
                .push(Channel::whole(Property::Translation, clock.curve(&motion.translation, Law::LINEAR)));
        }
    }
    match rotation {
        Some((order, lanes)) => channels.push(Channel {
            property: Property::Rotation,
            composition: Composition::Euler { order: *order, angles: clock.lanes(lanes) },
            native: Some(Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() }),
        }),
        None if motion.rotation.is_empty() => {}
        None => channels.push(Channel::whole(Property::Rotation, clock.curve(&motion.rotation, Law::SLERP))),
    }
    match scale {
        Some(lanes) => channels.push(components(Property::Scale, lanes, clock)),
        None if motion.scale.is_empty() => {}
        None => channels.push(Channel::whole(Property::Scale, clock.curve(&motion.scale, Law::LINEAR))),
    }
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
fn looks(all: &[Look], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for look in all {
        let (kind, channel) = channel(&look.values, clock);
        let target = target(kind, look.node, scene);
        match tracks.iter_mut().find(|track| track.target == target) {
            Some(track) => track.channels.push(channel),
            None => tracks.push(Track { target, channels: vec![channel] }),
        }
    }
    tracks
}

fn channel(values: &LookValues, clock: &mut Clock) -> (TargetKind, Channel) {
    let (kind, property, curve) = match values {
        LookValues::YFov(keys) => (TargetKind::Camera, Property::YFov, clock.curve(keys, Law::LINEAR)),
        LookValues::Intensity(keys) => {
            (TargetKind::Light, Property::Intensity, clock.curve(keys, Law::LINEAR))
        }
        LookValues::Color(keys) => (TargetKind::Light, Property::Color, clock.curve(keys, Law::LINEAR)),
        LookValues::Visible(keys) => (TargetKind::Custom, Property::Visible, clock.curve(keys, Law::STEP)),
    };
    (kind, Channel::whole(property, curve))
}

/// A track for each material.
fn tints(all: &[Tint], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for tint in all {
        let (property, curve) = match &tint.values {
            TintValues::BaseColor(keys) => (Property::BASE_COLOR, clock.curve(keys, Law::LINEAR)),
            TintValues::Emissive(keys) => (Property::EMISSIVE, clock.curve(keys, Law::LINEAR)),
        };
        let name = scene.materials.get(tint.material).map_or("", |material| &material.name);
        let target = Target::new(TargetKind::Custom, name, tint.material, None);
        let channel = Channel::whole(property, curve);
        match tracks.iter_mut().find(|track| track.target == target) {
            Some(track) => track.channels.push(channel),
            None => tracks.push(Track { target, channels: vec![channel] }),
        }
    }
    tracks
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
