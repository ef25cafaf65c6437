//! Scene to document. Conversion has brought the scene within the capabilities of the format: its axes,
//! absolute poses, straight lines and steps, no key before 0, and the nodes of [`in_world`] in world space.

mod lanes;
mod parts;

use super::codes;
use super::document::{Frame, Gamepad, GamepadState, Input, Pose, Recording};
use super::info::ID;
use super::names::{PINCH, TRACKED, axis, button, radius};
use super::notes;
use dopesheet_core::bytes::json::NumberStyle;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Clip, HAND_JOINTS, NodeIndex, Scene, plain_name};
use dopesheet_core::order::{ascend, distinct};
use dopesheet_core::words::counted;
use lanes::{Lanes, NumberLane};
use parts::{Parts, SourceParts, parts};

pub(super) use parts::{capabilities, in_world};

/// Time between a jump and the frame before, in seconds.
const JUMP_S: f64 = 1e-6;
/// Distance of two times, in seconds, written as the same time in a file.
const SAME_TIME_S: f64 = 0.5e-9;
/// Fractions of a millisecond in times.
const PER_MS: f64 = 1e6;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Recording, ConvertError> {
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let notes = notes::read(clip.source.as_ref());
    let parts = parts(scene, clip, &notes.schema);
    let lanes = Lanes::new(clip);
    if parts.viewer.is_none() && parts.sources.is_empty() {
        let what =
            format!("{}, none of which is a head, controller or hand", counted(clip.tracks.len(), "track"));
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    }
    let mut writer = Writer { scene, clip, parts: &parts, lanes, leaving: Vec::new() };
    writer.leaving = parts.sources.iter().map(|source| writer.leaving(source)).collect();
    let times = writer.times();
    let numbers = parts.sources.iter().map(|source| 8 * source.joints.len() as u64 + 16).sum::<u64>() + 8;
    options.most_frames.check(ID, times.len() as u64, numbers)?;
    let frames: Vec<Frame> = times.iter().map(|time| writer.frame(*time, notes.start_ms)).collect();
    writer.report(&frames, report);
    Ok(Recording { schema: parts.sources.iter().map(|source| source.entry.clone()).collect(), frames })
}

struct Writer<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    parts: &'a Parts,
    lanes: Lanes<'a>,
    /// For each source, the times at which the source leaves with a pose of that time.
    leaving: Vec<Vec<f64>>,
}

impl Writer<'_> {
    /// The times of all effective keys, and the times right before jumps; ascending.
    fn times(&self) -> Vec<f64> {
        let mut times = vec![0.0, self.clip.end().0];
        for node in self.parts.nodes() {
            self.lanes.pose(self.scene, node).times(JUMP_S, &mut times);
        }
        for source in &self.parts.sources {
            self.lanes.numbers_of(&source.names.ray).for_each(|lane| lane.times(&mut times));
            self.lanes.switches_of(source.names.label.as_deref()).for_each(|lane| lane.times(&mut times));
        }
        times.extend(self.leaving.iter().flatten().map(|last| last + JUMP_S));
        times.retain(|time| *time >= 0.0);
        ascend(&mut times);
        times.dedup_by(|a, b| (*a - *b).abs() * 1000.0 * PER_MS < 0.5);
        times
    }

    fn frame(&self, time: f64, start_ms: f64) -> Frame {
        let viewer = self.parts.viewer.map_or(STILL, |node| self.lanes.pose(self.scene, node).at(time));
        let sources = self.parts.sources.iter().zip(&self.leaving);
        let there = sources.filter(|(source, leaving)| {
            self.is_there(source, time) || leaving.iter().any(|last| (last - time).abs() < SAME_TIME_S)
        });
        let exact = start_ms + time * 1000.0;
        Frame {
            time_ms: (exact * PER_MS).round() / PER_MS,
            viewer: rounded(viewer),
            inputs: there.map(|(source, _)| self.input(source, time)).collect(),
        }
    }

    /// True if a source is tracked. A source without a switch always is.
    fn is_there(&self, source: &SourceParts, time: f64) -> bool {
        self.tracked(source).is_none_or(|lane| lane.at(time) > 0.5)
    }

    /// The switch for the tracking of a source.
    fn tracked(&self, source: &SourceParts) -> Option<NumberLane<'_>> {
        let switches = self.lanes.switches_of(source.names.label.as_deref());
        let mut numbers = switches.chain(self.lanes.numbers_of(&source.names.ray));
        numbers.find(|lane| lane.name == TRACKED)
    }

    /// Times at which a source leaves with its last pose, as in backward playback: the pose belongs to the
    /// time before.
    fn leaving(&self, source: &SourceParts) -> Vec<f64> {
        let Some(tracked) = self.tracked(source) else { return Vec::new() };
        let mut switches = Vec::new();
        tracked.times(&mut switches);
        let mut poses = Vec::new();
        for node in source.ray.into_iter().chain(source.grip).chain(source.joints.iter().flatten().copied()) {
            self.lanes.pose(self.scene, node).times(JUMP_S, &mut poses);
        }
        ascend(&mut poses);
        let last_before = |time: f64| {
            let until = poses.partition_point(|pose| *pose < time);
            until.checked_sub(1).and_then(|last| poses.get(last)).copied()
        };
        let pairs = switches.iter().zip(switches.iter().skip(1).copied().chain([f64::INFINITY]));
        let leaves = |(off, next): &(&f64, f64)| {
            let was_there = last_before(**off).is_some_and(|before| tracked.at(before) > 0.5);
            let has_pose = last_before(*next).is_some_and(|last| (last - **off).abs() < SAME_TIME_S);
            tracked.at(**off) <= 0.5 && was_there && has_pose
        };
        pairs.filter(leaves).map(|(off, _)| *off).collect()
    }

    fn input(&self, source: &SourceParts, time: f64) -> Input {
        let pose = |node: NodeIndex| self.lanes.pose(self.scene, node);
        let wrist = source.joints.iter().flatten().next().map(|node| pose(*node).at(time));
        let ray = match (source.ray, wrist) {
            (Some(ray), _) => pose(ray).at(time),
            // Nothing turns, so what is straight stays straight.
            (None, Some([x, y, z, ..])) => [x, y, z, 0.0, 0.0, 0.0, 1.0],
            (None, None) => STILL,
        };
        let origin = if source.ray.is_none() { [ray[0], ray[1], ray[2]] } else { [0.0; 3] };
        let hand = source.entry.source.joints.as_ref().map(|names| {
            let mut last = STILL;
            let rows = names.iter().zip(&source.joints).map(|(name, node)| {
                if let Some(node) = node {
                    last = moved(pose(*node).at(time), origin);
                }
                let radius_lane =
                    self.lanes.numbers_of(&source.names.ray).find(|lane| lane.name == radius(name));
                let radius_m = radius_lane.map_or_else(|| usual_radius_m(name), |lane| lane.at(time));
                let [x, y, z, i, j, k, w] = rounded(last);
                [x, y, z, i, j, k, w, short(radius_m)]
            });
            rows.collect()
        });
        let gamepad = source.entry.source.gamepad.as_ref();
        Input {
            index: source.entry.index,
            ray: rounded(ray),
            grip: source
                .entry
                .source
                .has_grip
                .then(|| rounded(source.grip.map_or(ray, |node| pose(node).at(time)))),
            hand,
            gamepad: gamepad.map(|gamepad| self.gamepad(source, gamepad, time)),
        }
    }

    fn gamepad(&self, source: &SourceParts, gamepad: &Gamepad, time: f64) -> GamepadState {
        let number = |name: String| {
            let lane = self.lanes.numbers_of(&source.names.ray).find(|lane| lane.name == name)?;
            Some(short(lane.at(time)))
        };
        let pinch = self.lanes.switches_of(source.names.label.as_deref()).find(|lane| lane.name == PINCH);
        let pinch = pinch.map(|lane| f64::from(u8::from(lane.at(time) > 0.5)));
        let buttons = (0..gamepad.buttons).map(|index| {
            let pressed = pinch.filter(|_| index == 0).or_else(|| number(button(index, "pressed")));
            let is_on = |state: f64| f64::from(u8::from(state > 0.5));
            let touched = number(button(index, "touched")).or(pressed)?;
            Some([is_on(pressed?), is_on(touched), number(button(index, "value")).or(pressed)?])
        });
        let buttons = buttons.collect();
        GamepadState { buttons, axes: (0..gamepad.axes).map(|index| number(axis(index))).collect() }
    }

    /// Reports kept, assumed and dropped parts.
    fn report(&self, frames: &[Frame], report: &mut Report) {
        report.kept(format!("{} of the head, controllers and hands", counted(frames.len(), "frame")));
        if self.parts.viewer.is_none() {
            report.dropped(
                "the pose of the head",
                "no node is a camera or called viewer; it rests at the origin",
            );
        }
        for source in &self.parts.sources {
            self.assumed(source, report);
        }
        self.unplaced(report);
        let markers = self.clip.markers.len();
        if markers > 0 {
            report.dropped(counted(markers, "marker"), "the format has no place for them");
        }
    }

    /// Reports parts of a hand missing in the scene.
    fn assumed(&self, source: &SourceParts, report: &mut Report) {
        let Some(joints) = &source.entry.source.joints else { return };
        let name = &source.names.ray;
        let file = |code, expected: String, actual: String| Fault::new(code, Place::File, expected, actual);
        let pairs = joints.iter().zip(&source.joints);
        let missing: Vec<&str> = pairs.filter(|pair| pair.1.is_none()).map(|pair| pair.0.as_str()).collect();
        if !missing.is_empty() {
            let expected = format!("all {} joints of {name}", joints.len());
            report.warn(file(
                codes::JOINT_MISSING.code,
                expected,
                format!("none for {}", missing.join(", ")),
            ));
        }
        if source.ray.is_none() {
            let actual = "none; it starts at the wrist and points along -Z of the space".to_owned();
            report.info(file(codes::RAY_ASSUMED.code, format!("a target ray of {name}"), actual));
        }
        let has_radius = |joint: &String| self.lanes.numbers_of(name).any(|lane| lane.name == radius(joint));
        if !joints.iter().all(has_radius) {
            let actual = "none; those of an adult's hand were assumed".to_owned();
            report.info(file(codes::RADIUS_ASSUMED.code, format!("radii of the joints of {name}"), actual));
        }
    }

    /// Lists all moving nodes and tracks without a place in the file.
    fn unplaced(&self, report: &mut Report) {
        let used: Vec<NodeIndex> = self.parts.nodes().collect();
        let is_palm = |name: &String| {
            let palms = || HAND_JOINTS.into_iter().filter(|joint| joint.webxr.is_none());
            let mut names =
                ["left", "right"].into_iter().flat_map(|side| palms().flat_map(move |p| p.node_names(side)));
            names.any(|palm| plain_name(&palm) == plain_name(name))
        };
        let tracks = self.clip.tracks.iter().filter(|track| !self.lanes.knows(track, &self.parts.sources));
        let mut lost: Vec<String> = tracks
            .filter(|track| track.target.node.is_none_or(|node| !used.contains(&node)))
            .map(|track| track.target.name.clone())
            .collect();
        distinct(&mut lost);
        let (palms, further): (Vec<String>, Vec<String>) = lost.into_iter().partition(is_palm);
        for (lost, why) in [
            (palms, "WebXR's hands have 25 joints, and the palm is none of them"),
            (further, "they are no head, controller or hand of WebXR, or of MRTK2's or OpenXR's names"),
        ] {
            if !lost.is_empty() {
                report.dropped(
                    format!("motion of {}: {}", counted(lost.len(), "target"), lost.join(", ")),
                    why,
                );
            }
        }
    }
}

/// Pose of parts not placed by the scene: the origin, without a rotation.
const STILL: Pose = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A pose as seen from a place.
fn moved([x, y, z, i, j, k, w]: Pose, [a, b, c]: [f64; 3]) -> Pose {
    [x - a, y - b, z - c, i, j, k, w]
}

/// Numbers as short as single precision allows, without a sign on 0.
fn rounded(pose: Pose) -> Pose {
    pose.map(short)
}

fn short(number: f64) -> f64 {
    NumberStyle::ShortestF32.read_back(number) + 0.0
}

/// Radius of a joint of an adult's hand in metres, rounded to millimetres: bones get thinner towards the tip.
fn usual_radius_m(joint: &str) -> f64 {
    match joint.rsplit('-').next().unwrap_or_default() {
        "wrist" => 0.02,
        "metacarpal" => 0.016,
        "proximal" => 0.011,
        "intermediate" => 0.009,
        "distal" => 0.008,
        _ => 0.007,
    }
}
