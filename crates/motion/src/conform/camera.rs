//! Cameras for formats that circle a point, with keys on a grid whose neighbouring frames are a cut.

use super::choose::ease::authored;
use super::tally::key_count;
use crate::compare::{Animation, Comparison, compare};
use crate::keys::KeyPlan;
use crate::keys::camera::{Bounds, CameraKeys, Known, Shot, Shots};
use crate::keys::eased::{MOST_FRAMES, PER_FRAME, Samples};
use crate::sample::pose::{decompose, local_pose, model_pose};
use crate::sample::{Side, channel_at};
use crate::single::finite;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::Capabilities;
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Composition, Curve, EulerOrder, Hierarchy, Law, Laws, Node, NodeIndex,
    Orbit, Property, Scene, Target, TargetKind, Times, Track,
};
use dopesheet_core::order::by_number;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::{agreeing, counted};
use dopesheet_curve::{EULER_YXZ, OrbitConvention, nearest_equivalent_euler, quat_angle};

/// The distance between an orthographic camera and its point; the picture depends on this distance,
/// MikuMikuDance's own. Other cameras stand at the point itself, so that position and angles do not depend on
/// each other.
const ORTHOGRAPHIC: f64 = -45.0;

/// Distance of two keys, in frames, between which no movement is visible.
const AT_ONCE_FRAMES: f64 = 0.01;

/// Fewest frames for each hand-made key.
const SPARSE: usize = 4;

/// A camera taken out of a clip, to be put on a circle.
pub(super) struct Circled {
    track: Track,
    frames: usize,
    keys_before: usize,
    comparison: Comparison,
}

/// Takes the camera out of a clip if the format wants circling cameras and this camera does not circle a
/// point already.
pub(super) fn take_out(
    scene: &Scene,
    clip: &mut Clip,
    plan: &KeyPlan,
    capabilities: &Capabilities,
    tolerance: &Tolerance,
) -> Option<Circled> {
    let node = placed(scene, clip, plan, capabilities)?;
    let source = with_ancestors(scene, clip, node, is_of_camera);
    let circling = Circling { scene, clip: &source, node, rate: plan.rate, basis: scene.basis };
    let (first, count) = keyed_frames(&source, plan)?;
    let count = count.saturating_add(1);
    let circled = circling.circled(first, count, tolerance)?;
    let seen = seen_alone(scene, &source, node, circled.clone());
    let made_of = Animation { scene, clip: &source };
    let comparison = compare(made_of, Animation { scene: &seen.0, clip: &seen.1 }, tolerance);
    let keys_before = remove_channels(clip, node, is_of_camera);
    Some(Circled { track: circled, frames: count, keys_before, comparison })
}

/// Removes channels of a node from a clip; the largest number of keys of one of them.
pub(super) fn remove_channels(clip: &mut Clip, node: NodeIndex, is_wanted: fn(&Channel) -> bool) -> usize {
    let mut keys = 0;
    for track in clip.tracks.iter_mut().filter(|track| is_its(&track.target, node)) {
        let removed = track.channels.iter().filter(|channel| is_wanted(channel));
        keys = removed.map(key_count).fold(keys, usize::max);
        track.channels.retain(|channel| !is_wanted(channel));
    }
    clip.tracks.retain(|track| !track.channels.is_empty());
    keys
}

impl Circled {
    /// Puts the camera back, and reports its error.
    pub(super) fn put_back(self, clip: &mut Clip, metres_per_unit: Option<f64>, report: &mut Report) {
        let keys = self.track.channels.iter().map(key_count).max().unwrap_or_default();
        told_of(&self.comparison, metres_per_unit, report, |channel| {
            format!(
                "camera {channel}: {} became {keys} that {} a point, of {}",
                counted(self.keys_before, "key"),
                agreeing(keys, "circles", "circle"),
                counted(self.frames, "frame")
            )
        });
        clip.tracks.push(self.track);
    }

    /// The camera's largest differences, for each compared property.
    pub(super) const fn comparison(&self) -> &Comparison {
        &self.comparison
    }
}

/// A line for each channel with a difference.
pub(super) fn told_of(
    comparison: &Comparison,
    metres_per_unit: Option<f64>,
    report: &mut Report,
    what: impl Fn(&str) -> String,
) {
    let channels =
        comparison.tracks.iter().flat_map(|track| track.channels.iter().map(move |own| (track, own)));
    for (track, channel) in channels.filter(|(_, channel)| channel.value > 0.0) {
        let factor = match channel.unit {
            ErrorUnit::Metre => metres_per_unit.unwrap_or(1.0),
            _ => 1.0,
        };
        let target = track.target.clone();
        let max_error =
            MaxError { value: channel.value * factor, unit: channel.unit, target, time: channel.time };
        report.approximated(what(&channel.channel), max_error);
    }
}

/// True of channels that move a camera freely or change its lens.
fn is_of_camera(channel: &Channel) -> bool {
    matches!(
        channel.property,
        Property::Translation | Property::Rotation | Property::YFov | Property::Orthographic
    )
}

/// True of a target that belongs to the node of a camera: by its node, or as a camera's target without a
/// node.
pub(super) fn is_its(target: &Target, node: NodeIndex) -> bool {
    target.node.map_or(target.kind == TargetKind::Camera, |own| own == node)
}

/// The node of a camera that a format requires on a circle.
pub(super) fn placed(
    scene: &Scene,
    clip: &Clip,
    plan: &KeyPlan,
    capabilities: &Capabilities,
) -> Option<NodeIndex> {
    // With a key on every frame it would never move between two.
    let circles = capabilities.parts.orbits && plan.only_on_grid;
    if circles { placed_camera(scene, clip) } else { None }
}

/// The first node with a moving camera that does not circle a point already.
fn placed_camera(scene: &Scene, clip: &Clip) -> Option<NodeIndex> {
    let has_camera = |node: &NodeIndex| scene.node(*node).is_some_and(|node| node.camera.is_some());
    let moves = |track: &&Track| {
        let is_placed = |c: &Channel| matches!(c.property, Property::Translation | Property::Rotation);
        track.target.node.is_some_and(|node| has_camera(&node)) && track.channels.iter().any(is_placed)
    };
    let circles =
        |track: &Track| track.channels.iter().any(|c| matches!(c.composition, Composition::Orbit(_)));
    if clip.tracks.iter().any(circles) {
        return None;
    }
    clip.tracks.iter().find(moves)?.target.node
}

/// A clip of the wanted channels of a node, and of all channels of the nodes above it.
pub(super) fn with_ancestors(
    scene: &Scene,
    clip: &Clip,
    node: NodeIndex,
    is_wanted: impl Fn(&Channel) -> bool,
) -> Clip {
    let mut chain = vec![node];
    while let Some(parent) = chain.last().and_then(|last| scene.node(*last)?.parent) {
        if chain.contains(&parent) {
            break;
        }
        chain.push(parent);
    }
    let moves = |track: &&Track| {
        is_its(&track.target, node) || track.target.node.is_some_and(|node| chain.contains(&node))
    };
    let tracks = clip.tracks.iter().filter(moves).cloned().map(|mut track| {
        let is_own = is_its(&track.target, node);
        track.channels.retain(|channel| !is_own || is_wanted(channel));
        track
    });
    Clip { tracks: tracks.filter(|track| !track.channels.is_empty()).collect(), ..clip.clone() }
}

/// A node with a new track by itself: without a parent.
pub(super) fn seen_alone(scene: &Scene, source: &Clip, node: NodeIndex, track: Track) -> (Scene, Clip) {
    let mut scene = Scene { clips: Vec::new(), ..scene.clone() };
    if let Some(scene_node) = scene.nodes.get_mut(node.0) {
        scene_node.parent = None;
    }
    let mut clip = Clip { tracks: Vec::new(), ..source.clone() };
    let other_tracks = source.tracks.iter().filter(|track| !is_its(&track.target, node)).cloned();
    clip.tracks.extend(other_tracks.chain([track]));
    (scene, clip)
}

/// The first frame with a key within the range of a plan, and the number of frames from there to the last
/// frame with a key.
pub(super) fn keyed_frames(clip: &Clip, plan: &KeyPlan) -> Option<(i64, usize)> {
    let rate = plan.rate;
    let spans: Vec<_> = clip.curves().filter_map(|curve| curve.times.span()).collect();
    let (start, end) = (rate.frame(plan.range.0).ceil(), rate.frame(plan.range.1).floor());
    let first = spans.iter().map(|span| rate.frame(span.0).floor()).fold(f64::INFINITY, f64::min);
    let last = spans.iter().map(|span| rate.frame(span.1).ceil()).fold(f64::NEG_INFINITY, f64::max);
    let first = first.clamp(start, end.max(start));
    let last = last.clamp(first, end.max(first));
    let is_sound = first.abs() < 1e15 && last - first < MOST_FRAMES as f64;
    is_sound.then_some((first as i64, (last - first) as usize))
}

/// A camera with its ancestors.
struct Circling<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    node: NodeIndex,
    rate: FrameRate,
    basis: Basis,
}

impl Circling<'_> {
    fn circled(&self, first: i64, count: usize, tolerance: &Tolerance) -> Option<Track> {
        let flat = self.channel(&Property::Orthographic);
        let is_flat =
            flat.is_some_and(|c| c.composition.curves().any(|c| c.values.iter().any(|x| *x != 0.0)));
        let distance = is_flat.then_some(ORTHOGRAPHIC);
        let tracks = self.placing();
        let steps = self.steps(&tracks);
        let shots = self.shots(first, count, &steps);
        let metres = self.basis.metres_per_unit.unwrap_or(1.0);
        let shell = tolerance.shell_m(self.scene.hierarchy == Hierarchy::Known);
        let bounds = bounds(tolerance.length_m, shell);
        let (cuts, fixed) = (self.jumps(&tracks, &steps, first, count), self.switches(flat, first, count));
        let authored = self.authored_frames(&tracks, first, count);
        let constraints = Known { cuts: &cuts, fixed: &fixed, authored: &authored, distance };
        let keys = shots.keys(count, &constraints, bounds, metres);
        let mut track = track_of(self.target()?, &shots, &keys, first, self.rate);
        track.channels.extend(flat.map(|flat| self.switched(flat, &keys, first)));
        Some(track)
    }

    /// Frames at which the value of a stepped channel changes.
    fn switches(&self, flat: Option<&Channel>, first: i64, count: usize) -> Vec<usize> {
        let Some(flat) = flat else { return Vec::new() };
        let times = flat.composition.curves().flat_map(|curve| curve.times.iter());
        let frames = times.map(|time| self.rate.frame(time).ceil() - first as f64);
        let frames = frames.filter(|at| *at >= 1.0 && *at < count as f64).map(|at| at as usize);
        let is_new = |at: &usize| {
            let (mut before, mut now) = (Vec::new(), Vec::new());
            channel_at(flat, self.time(first, at.saturating_sub(1)), Side::At, &mut before);
            channel_at(flat, self.time(first, *at), Side::At, &mut now);
            before != now
        };
        frames.filter(is_new).collect()
    }

    fn time(&self, first: i64, frame: usize) -> Seconds {
        self.rate.seconds(first as f64 + frame as f64)
    }

    /// A stepped channel with the keys of the camera.
    fn switched(&self, flat: &Channel, keys: &CameraKeys, first: i64) -> Channel {
        let mut value = Vec::new();
        let at = |frame: &usize| {
            channel_at(flat, self.time(first, *frame), Side::At, &mut value);
            value.first().map_or(0.0, |value| finite(*value))
        };
        let values = keys.frames.iter().map(at).collect();
        let times = times_of(keys, first, self.rate);
        Channel::whole(flat.property.clone(), Curve::new(times, 1, values, Laws::uniform(Law::STEP)))
    }

    fn target(&self) -> Option<Target> {
        let node = self.scene.node(self.node)?;
        Some(Target::new(TargetKind::Camera, node.name.clone(), 0, Some(self.node)))
    }

    fn channel(&self, property: &Property) -> Option<&Channel> {
        let tracks = self.clip.tracks.iter().filter(|track| is_its(&track.target, self.node));
        tracks.flat_map(|track| &track.channels).find(|channel| channel.property == *property)
    }

    /// The tracks that place the camera and set its lens. A switch of the lens does not move the camera.
    fn placing(&self) -> Vec<Track> {
        let is_placing = |channel: &&Channel| channel.property != Property::Orthographic;
        let placing = |track: &Track| Track {
            target: track.target.clone(),
            channels: track.channels.iter().filter(is_placing).cloned().collect(),
        };
        self.clip.tracks.iter().map(placing).collect()
    }

    /// Frames after which the camera jumps to another position.
    fn jumps(&self, tracks: &[Track], steps: &[(f64, Seconds)], first: i64, count: usize) -> Vec<usize> {
        let keys = tracks.iter().flat_map(|track| authored(track, self.rate));
        let reached = keys.filter(|key| key.jumps()).map(|key| key.reached(self.rate));
        let reached = reached.chain(steps.iter().map(|(frame, _)| *frame)).map(|frame| frame - first as f64);
        reached.filter(|at| *at >= 0.0 && *at < count as f64).map(|at| at as usize).collect()
    }

    /// Whole frames at which all moving curves have a key; empty if there are too many to be hand-made.
    fn authored_frames(&self, tracks: &[Track], first: i64, count: usize) -> Vec<usize> {
        let curves = tracks.iter().flat_map(|track| &track.channels).flat_map(|c| c.composition.curves());
        let mut common: Option<Vec<usize>> = None;
        for curve in curves.filter(|curve| curve.times.len() > 1) {
            let frames = curve.times.iter().filter_map(|time| {
                let frame = self.rate.frame(time).round();
                let at = frame - first as f64;
                // Stored in single precision; of other keys a few are near a frame, too.
                let slack = f64::from(f32::EPSILON) * time.0.abs();
                let is_whole = (time.0 - self.rate.seconds(frame).0).abs() <= slack;
                (is_whole && at >= 0.0 && at < count as f64).then_some(at as usize)
            });
            let mut frames: Vec<usize> = frames.collect();
            if let Some(common) = &common {
                frames.retain(|frame| common.binary_search(frame).is_ok());
            }
            frames.dedup();
            common = Some(frames);
        }
        common.filter(|frames| frames.len().saturating_mul(SPARSE) <= count).unwrap_or_default()
    }

    /// Jumps made of two keys next to each other, as in formats without another form of jump: the frame
    /// before each jump, and the time from which the camera is at its new position. In single precision this
    /// time may be a little after the intended frame.
    fn steps(&self, tracks: &[Track]) -> Vec<(f64, Seconds)> {
        let curves = tracks.iter().flat_map(|track| &track.channels).flat_map(|c| c.composition.curves());
        let mut steps: Vec<(f64, [Seconds; 2])> = Vec::new();
        for curve in curves {
            let mut before: Option<Seconds> = None;
            for time in curve.times.iter() {
                let frame = self.rate.frame(time);
                if let Some(before) = before.replace(time).filter(|before| *before < time)
                    && frame - self.rate.frame(before) < AT_ONCE_FRAMES
                {
                    steps.push(((frame - AT_ONCE_FRAMES).ceil() - 1.0, [before, time]));
                }
            }
        }
        by_number(&mut steps, |(frame, _)| *frame);
        steps.dedup_by_key(|(frame, _)| *frame);
        steps.retain(|(frame, sides)| {
            let frames = [*frame, frame + 1.0].map(|frame| self.rate.seconds(frame));
            let at_step = self.moved(*sides);
            at_step > 1e-6 && at_step > 0.5 * self.moved(frames)
        });
        steps.into_iter().map(|(frame, [_, after])| (frame, after)).collect()
    }

    /// Length of the camera's path between two times; a metre counts as much as a radian.
    fn moved(&self, times: [Seconds; 2]) -> f64 {
        let [(from, turn), (to, turned)] = times.map(|time| self.at(time));
        let distance = from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        distance * self.basis.metres_per_unit.unwrap_or(1.0) + quat_angle(turn, turned)
    }

    fn shots(&self, first: i64, count: usize, jumps: &[(f64, Seconds)]) -> Shots {
        let last = count.saturating_sub(1).saturating_mul(PER_FRAME);
        let fov = self.channel(&Property::YFov);
        let (mut eyes, mut angles, mut fovs) = (Samples::empty(3), Samples::empty(3), Samples::empty(1));
        let (mut previous, mut value) = ([0.0; 3], Vec::new());
        for step in 0..=last {
            let frame = first as f64 + step as f64 / PER_FRAME as f64;
            let jump = jumps.binary_search_by(|(before, _)| (before + 1.0).total_cmp(&frame));
            let after = jump.ok().and_then(|jump| jumps.get(jump)).map_or(f64::NEG_INFINITY, |jump| jump.1.0);
            let time = Seconds(self.rate.seconds(frame).0.max(after));
            let (eye, turn) = self.at(time);
            previous = nearest_equivalent_euler(EULER_YXZ, OrbitConvention::MMD.angles(turn), previous);
            angles.push(&previous);
            eyes.push(&eye);
            if fov.is_some_and(|fov| channel_at(fov, time, Side::At, &mut value))
                && let Some(own) = value.first_chunk::<1>()
            {
                fovs.push(own);
            }
        }
        Shots { eye: eyes, angles, fov: fov.map(|_| fovs) }
    }

    /// The camera's place in the scene, and its rotation from looking along the axis of the basis.
    fn at(&self, time: Seconds) -> ([f64; 3], [f64; 4]) {
        let pose = model_pose(self.scene, &local_pose(self.scene, self.clip, time));
        let transform = pose.0.get(self.node.0).map(decompose).unwrap_or_default();
        (transform.translation, transform.rotation)
    }
}

/// Bounds of a camera's parts that together keep points within a shell around the camera to a length, and the
/// gaze to the tolerance.
fn bounds(length: f64, shell: f64) -> Bounds {
    // Between the steps that are looked at errors are a little larger.
    let angle = (0.3 * length / shell.max(1e-9)).min(0.8 * Tolerance::ANGLE_RAD);
    Bounds { place: 0.95 * length - shell * angle, angle, fov: 0.8 * Tolerance::ANGLE_RAD }
}

/// Times of keys whose frames count from `first`.
fn times_of(keys: &CameraKeys, first: i64, rate: FrameRate) -> Times {
    Times::Frames {
        rate,
        frames: keys.frames.iter().map(|frame| first.saturating_add(*frame as i64)).collect(),
    }
}

fn track_of(target: Target, shots: &Shots, keys: &CameraKeys, first: i64, rate: FrameRate) -> Track {
    let times = times_of(keys, first, rate);
    let laws = |part: usize| {
        let law = move |shot: &Shot| {
            let timing = shot.as_ref().and_then(|timings| timings.get(part)).copied();
            timing.map_or(Law::STEP, |timing| Law { timing, blend: Blend::Lerp })
        };
        Laws::from_segments(keys.segments.iter().map(law))
    };
    let column = |samples: &Samples, part: std::ops::Range<usize>| -> Vec<f32> {
        let rows = keys.frames.iter().filter_map(|frame| samples.on(*frame).get(part.clone()));
        rows.flatten().map(|x| finite(*x)).collect()
    };
    let mut point = [const { Vec::new() }; 3];
    for (frame, distance) in keys.frames.iter().zip(&keys.distances) {
        let three = |samples: &Samples| samples.on(*frame).first_chunk::<3>().copied().unwrap_or_default();
        let arm = OrbitConvention::MMD.eye([0.0; 3], three(&shots.angles), *distance);
        let places = three(&shots.eye).into_iter().zip(arm);
        point.iter_mut().zip(places).for_each(|(axis, (eye, arm))| axis.push(finite(eye - arm)));
    }
    let distances = keys.distances.iter().map(|distance| finite(*distance)).collect();
    let curve = |width, values, part| Curve::new(times.clone(), width, values, laws(part));
    let OrbitConvention { angle_signs, axis } = OrbitConvention::MMD;
    let orbit = Orbit {
        target: point.into_iter().enumerate().map(|(axis, values)| curve(1, values, axis)).collect(),
        angles: curve(3, column(&shots.angles, 0..3), 3),
        distance: curve(1, distances, 5),
        order: EulerOrder::Yxz,
        angle_signs,
        axis,
    };
    let composition = Composition::Orbit(Box::new(orbit));
    let mut channels = vec![Channel { property: Property::Placement, composition, native: None }];
    let fov = shots.fov.as_ref().map(|samples| curve(1, column(samples, 0..1), 4));
    channels.extend(fov.map(|curve| Channel::whole(Property::YFov, curve)));
    Track { target, channels }
}

/// Makes cameras and lights hold their values between neighbouring frames, whatever the law of their curves;
/// true if this loses a movement.
pub fn hold_cuts(nodes: &[Node], clip: &mut Clip) -> bool {
    let mut loses_ways = false;
    let is_optic = |track: &Track| {
        let node = track.target.node.and_then(|node| nodes.get(node.0));
        let carries = node.is_some_and(|node| node.camera.is_some() || node.light.is_some());
        matches!(track.target.kind, TargetKind::Camera | TargetKind::Light) || carries
    };
    let tracks = clip.tracks.iter_mut().filter(|track| is_optic(track));
    for curve in tracks.flat_map(|track| &mut track.channels).flat_map(|c| c.composition.curves_mut()) {
        let Times::Frames { frames, .. } = &curve.times else { continue };
        let is_cut = |[a, b]: &[i64; 2]| a.checked_add(1) == Some(*b);
        if !frames.array_windows().any(is_cut) {
            continue;
        }
        let segments = || frames.array_windows().enumerate();
        let is_way = |at: usize| {
            curve.laws.get(at).blend != Blend::Step && curve.value(at) != curve.value(at.saturating_add(1))
        };
        loses_ways |= segments().any(|(at, ends)| is_cut(ends) && is_way(at));
        let laws = segments().map(|(at, ends)| if is_cut(ends) { Law::STEP } else { curve.laws.get(at) });
        curve.laws = Laws::from_segments(laws.collect::<Vec<_>>());
    }
    loses_ways
}
