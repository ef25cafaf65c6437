//! Document to scene: interprets names and times, makes rotations unit quaternions, and reports its repairs.

use super::document::{Frame, Input, InputSource, Pose, Recording};
use super::info::WEBXR;
use super::names::{BUTTON_STATES, PINCH, SourceNames, TRACKED, VIEWER, axis, button, of_sources, radius};
use super::notes;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Camera, CameraIndex, Channel, Clip, Curve, Law, Laws, Lens, Node, NodeIndex, Property, RestPose, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_curve::quat_normalise_or_identity;

/// Field of view of the devices emulated by IWER, and its nearest distance: recordings state neither.
const YFOV_DEG: f64 = 90.0;
const NEAR_M: f64 = 0.1;

/// Time of the first frame played; 0 without frames.
pub(super) fn start_ms(recording: &Recording) -> f64 {
    let start = recording.frames.iter().map(|frame| frame.time_ms).fold(f64::INFINITY, f64::min);
    if start.is_finite() { start } else { 0.0 }
}

pub(super) fn to_scene(recording: &Recording, options: &ToScene, report: &mut Report) -> Scene {
    let start = start_ms(recording);
    let mut frames: Vec<(f64, &Frame)> =
        recording.frames.iter().map(|frame| ((frame.time_ms - start) / 1000.0, frame)).collect();
    by_number(&mut frames, |frame| frame.0);
    let duration = frames.last().map_or(0.0, |last| last.0);
    let mut builder = Builder {
        scene: Scene { rest: RestPose::Unknown, ..Scene::new(WEBXR) },
        tracks: Vec::new(),
        frames,
        unsteady: 0,
    };
    builder.viewer();
    for (position, names) in of_sources(&recording.schema).iter().enumerate() {
        // Of several sources with one index, frames mean the last.
        let entry = recording
            .schema
            .get(position)
            .filter(|entry| recording.source(entry.index).is_some_and(|(counts, _)| counts == position));
        if let Some(entry) = entry {
            builder.source(entry.index, &entry.source, names);
        }
    }
    let Builder { mut scene, tracks, unsteady, .. } = builder;
    if unsteady > 0 {
        report.kept("rotations, made unit quaternions where they were rounded");
    }
    if !recording.frames.is_empty() {
        scene.clips.push(Clip {
            name: options.fallback_name.clone(),
            duration: Seconds(duration),
            tracks,
            source: Some(notes::write(recording)),
            ..Clip::default()
        });
    }
    scene
}

struct Builder<'a> {
    scene: Scene,
    tracks: Vec<Track>,
    /// Frames with their times in seconds, ascending.
    frames: Vec<(f64, &'a Frame)>,
    /// Number of rotations that were no unit quaternions.
    unsteady: usize,
}

impl<'a> Builder<'a> {
    fn viewer(&mut self) {
        let poses: Vec<(f64, Pose)> = self.frames.iter().map(|(time, frame)| (*time, frame.viewer)).collect();
        let node = self.pose(VIEWER, None, TargetKind::Camera, &poses);
        self.scene.cameras.push(Camera {
            name: VIEWER.to_owned(),
            lens: Lens::Perspective { yfov_rad: YFOV_DEG.to_radians(), aspect: None },
            near: NEAR_M,
            far: None,
        });
        if let Some(stored) = self.scene.nodes.get_mut(node.0) {
            stored.camera = Some(CameraIndex(0));
        }
    }

    fn source(&mut self, index: u32, source: &InputSource, names: &SourceNames) {
        // If a frame has a source twice, the last counts.
        let inputs: Vec<(f64, Option<&'a Input>)> = self
            .frames
            .iter()
            .map(|(time, frame)| (*time, frame.inputs.iter().rfind(|input| input.index == index)))
            .collect();
        let there: Vec<(f64, &Input)> =
            inputs.iter().filter_map(|(time, input)| Some((*time, (*input)?))).collect();
        let rays: Vec<(f64, Pose)> = there.iter().map(|(time, input)| (*time, input.ray)).collect();
        let ray = self.pose(&names.ray, None, TargetKind::Joint, &rays);
        if source.has_grip {
            let grips: Vec<_> = there.iter().filter_map(|(time, input)| Some((*time, input.grip?))).collect();
            self.pose(&names.grip, None, TargetKind::Joint, &grips);
        }
        for (joint, name) in names.joints.iter().enumerate() {
            let rows = there.iter().filter_map(|(time, input)| {
                let row = input.hand.as_ref()?.get(joint)?;
                Some((*time, *row.first_chunk::<7>()?))
            });
            self.pose(name, Some(ray), TargetKind::Joint, &rows.collect::<Vec<_>>());
        }
        self.switches(names, &inputs, source, ray);
        self.numbers(names, &there, source);
    }

    /// A node with keys for its poses.
    fn pose(
        &mut self,
        name: &str,
        parent: Option<NodeIndex>,
        kind: TargetKind,
        poses: &[(f64, Pose)],
    ) -> NodeIndex {
        let node = self.scene.push_node(Node::new(name, parent, Transform::IDENTITY));
        if poses.is_empty() {
            return node;
        }
        let times = Times::Seconds(poses.iter().map(|(time, _)| *time).collect());
        let (mut places, mut turns) = (Vec::new(), Vec::new());
        for (_, pose) in poses {
            let (position, stored) = halves(pose);
            let turn = quat_normalise_or_identity(stored);
            self.unsteady += usize::from(turn.iter().zip(stored).any(|(a, b)| (a - b).abs() > 1e-7));
            places.extend(position.map(narrow));
            turns.extend(turn.map(narrow));
        }
        let translation = Curve::new(times.clone(), 3, places, Laws::uniform(Law::LINEAR));
        let turn = Curve::new(times, 4, turns, Laws::uniform(Law::SLERP));
        let channels = vec![
            Channel::whole(Property::Translation, translation),
            Channel::whole(Property::Rotation, turn),
        ];
        let target = Target::new(kind, name, self.tracks.len(), Some(node));
        self.tracks.push(Track { target, channels });
        node
    }

    /// Whether a source is there, and whether a hand pinches.
    fn switches(
        &mut self,
        names: &SourceNames,
        inputs: &[(f64, Option<&Input>)],
        source: &InputSource,
        ray: NodeIndex,
    ) {
        let switch = |property: &'static str, states: &mut dyn Iterator<Item = (f64, bool)>| {
            let mut keys: Vec<(f64, f32)> = Vec::new();
            for (time, is_on) in states {
                let value = f32::from(u8::from(is_on));
                if keys.last().is_none_or(|(_, last)| *last != value) {
                    keys.push((time, value));
                }
            }
            (!keys.is_empty()).then(|| curve(Property::Named(property.into()), &keys, Law::STEP))
        };
        let tracked = switch(TRACKED, &mut inputs.iter().map(|(time, input)| (*time, input.is_some())));
        let pressed = inputs.iter().filter_map(|(time, input)| {
            let buttons = &(*input)?.gamepad.as_ref()?.buttons;
            Some((*time, (*buttons.first()?)?.first().is_some_and(|pressed| *pressed > 0.5)))
        });
        let pinch = switch(PINCH, &mut pressed.collect::<Vec<_>>().into_iter());
        let channels: Vec<Channel> = match source.joints {
            Some(_) => tracked.into_iter().chain(pinch).collect(),
            None => tracked.into_iter().collect(),
        };
        if channels.is_empty() {
            return;
        }
        let target = match &names.label {
            Some(label) => {
                let target = Target::new(TargetKind::Hand, &names.ray, self.tracks.len(), Some(ray));
                Target { label: Some(label.clone()), ..target }
            }
            None => Target::new(TargetKind::Custom, &names.ray, self.tracks.len(), None),
        };
        self.tracks.push(Track { target, channels });
    }

    /// Buttons, axes and radii. The first button of a hand is its pinch.
    fn numbers(&mut self, names: &SourceNames, inputs: &[(f64, &Input)], source: &InputSource) {
        let mut channels = Vec::new();
        let mut add = |name: String, law: Law, keys: Vec<(f64, f32)>| {
            if !keys.is_empty() {
                channels.push(curve(Property::Named(name.into()), &keys, law));
            }
        };
        let gamepads = || inputs.iter().filter_map(|(time, input)| Some((*time, input.gamepad.as_ref()?)));
        for number in 0..gamepads().map(|(_, gamepad)| gamepad.buttons.len()).max().unwrap_or(0) {
            for (state, word) in BUTTON_STATES.into_iter().enumerate() {
                let is_pinch = source.joints.is_some() && number == 0 && state == 0;
                let value = |(time, gamepad): (f64, &super::GamepadState)| {
                    let states = (*gamepad.buttons.get(number)?)?;
                    Some((time, narrow(*states.get(state)?)))
                };
                let law = if state == 2 { Law::LINEAR } else { Law::STEP };
                if !is_pinch {
                    add(button(number, word), law, gamepads().filter_map(value).collect());
                }
            }
        }
        for number in 0..gamepads().map(|(_, gamepad)| gamepad.axes.len()).max().unwrap_or(0) {
            let value = |(time, gamepad): (f64, &super::GamepadState)| {
                Some((time, narrow((*gamepad.axes.get(number)?)?)))
            };
            add(axis(number), Law::LINEAR, gamepads().filter_map(value).collect());
        }
        for (position, joint) in source.joints.iter().flatten().enumerate() {
            let keys = inputs.iter().filter_map(|(time, input)| {
                let row = input.hand.as_ref()?.get(position)?;
                Some((*time, narrow(*row.last()?)))
            });
            add(radius(joint), Law::LINEAR, keys.collect());
        }
        if !channels.is_empty() {
            let target = Target::new(TargetKind::Custom, &names.ray, self.tracks.len(), None);
            self.tracks.push(Track { target, channels });
        }
    }
}

/// A curve of single numbers.
fn curve(property: Property, keys: &[(f64, f32)], law: Law) -> Channel {
    let times = Times::Seconds(keys.iter().map(|(time, _)| *time).collect());
    Channel::whole(
        property,
        Curve::new(times, 1, keys.iter().map(|(_, value)| *value).collect(), Laws::uniform(law)),
    )
}

/// Position and rotation of a pose.
const fn halves(pose: &Pose) -> ([f64; 3], [f64; 4]) {
    let [x, y, z, i, j, k, w] = *pose;
    ([x, y, z], [i, j, k, w])
}

/// The nearest f32; numbers beyond its range become the largest.
pub(super) fn narrow(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
