//! Document to scene: a skeleton and a clip with a key of each channel on each frame.

use super::codes;
use super::document::{Channel as Column, Document, Joint, JointKind, Motion};
use super::info::BASIS;
use super::notes::{self, Orders};
use super::rate::{How, rate};
use super::turns;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Check, ToScene};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Law, Laws, Native, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use std::borrow::Cow;

/// What the format calls its rotations.
const ANGLES: &str = "angles_deg";

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let motion = document.motion();
    let mut scene = Scene::new(BASIS);
    let mut said = Said { report, held: 0 };
    for joint in &motion.joints {
        let parent = joint.parent.and_then(|parent| scene.nodes.get(parent)).map(|node| node.name.clone());
        let rest = Transform { translation: joint.offset.map(finite), ..Transform::IDENTITY };
        let name = match joint.kind {
            JointKind::EndSite if joint.name.is_empty() => notes::end_name(&parent.unwrap_or_default()),
            _ => joint.name.clone(),
        };
        let index = scene.nodes.len();
        let node = Node::new(name, joint.parent.map(NodeIndex), rest);
        scene.push_node(Node { source_index: Some(index), ..node });
    }
    said.unit(&scene);
    let frames = motion.frame_count();
    if frames > 0 {
        let clip = clip(motion, frames, options, &scene, &mut said);
        scene.clips.push(clip);
    }
    said.finish();
    scene
}

/// A number of the file; what is none counts as 0.
const fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// What is said of a file on its way.
struct Said<'r> {
    report: &'r mut Report,
    /// Numbers that are not finite.
    held: usize,
}

impl Said<'_> {
    fn push(&mut self, check: Check, expected: impl Into<Cow<'static, str>>, found: String) {
        self.report.push(check.severity, Fault::new(check.code, Place::File, expected, found));
    }

    /// The unit that is assumed, and how large that makes the figure.
    fn unit(&mut self, scene: &Scene) {
        let Some(metres) = scene.basis.metres_per_unit else { return };
        let height = height(scene) * metres;
        let found = format!(
            "none; taken as centimetres, so that the skeleton is {height:.2} m high (--scale says otherwise)"
        );
        self.push(codes::UNIT, "a unit of length, which the format does not state", found);
    }

    fn finish(mut self) {
        if self.held > 0 {
            let found = format!("{} that are not; the ones before them are held", self.held);
            self.push(codes::NONFINITE, "finite numbers", found);
        }
    }
}

/// From the lowest joint to the highest at rest.
fn height(scene: &Scene) -> f64 {
    let mut places: Vec<f64> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| places.get(parent.0)).copied().unwrap_or(0.0);
        places.push(parent + node.rest.translation[1]);
    }
    let low = places.iter().copied().fold(f64::INFINITY, f64::min);
    let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low <= high { high - low } else { 0.0 }
}

fn clip(motion: &Motion, frames: usize, options: &ToScene, scene: &Scene, said: &mut Said<'_>) -> Clip {
    let rate = rate(motion.frame_time_s);
    match rate.how {
        How::Exact => {}
        How::WithinDigits => {
            let found = format!("{} s, taken as {}", motion.frame_time_s, rate.rate);
            said.push(codes::FRAME_RATE, "a frame time with all its digits", found);
        }
        How::Assumed => {
            let found = format!("{} s, taken as {}", motion.frame_time_s, rate.rate);
            said.push(codes::FRAME_TIME, "a frame time above 0", found);
        }
    }
    let count = i64::try_from(frames).unwrap_or(i64::MAX);
    let times = Times::Frames { rate: rate.rate, frames: (0..count).collect() };
    let mut sheet = Sheet { motion, width: motion.width(), times, column: 0, orders: Orders::new() };
    let mut tracks = Vec::new();
    for (index, joint) in motion.joints.iter().enumerate() {
        let channels = sheet.channels(joint, said);
        if !channels.is_empty() {
            let name = scene.nodes.get(index).map_or("", |node| &node.name);
            let target = Target::new(TargetKind::Joint, name, index, Some(NodeIndex(index)));
            tracks.push(Track { target, channels });
        }
    }
    if options.skip_first && !tracks.is_empty() {
        tracks.remove(0);
        said.report.dropped("the motion of the first joint", "leaving it out was asked for");
    }
    Clip {
        name: options.fallback_name.clone(),
        duration: Seconds(rate.rate.seconds((frames - 1) as f64).0),
        tracks,
        grid: Some(rate.rate),
        source: Some(notes::notes(&sheet.orders)),
        ..Clip::default()
    }
}

/// The frames, joint by joint.
struct Sheet<'a> {
    motion: &'a Motion,
    /// Numbers of a frame.
    width: usize,
    times: Times,
    /// The first number of the next joint.
    column: usize,
    orders: Orders,
}

impl Sheet<'_> {
    fn channels(&mut self, joint: &Joint, said: &mut Said<'_>) -> Vec<Channel> {
        let first = self.column;
        self.column += joint.channels.len();
        let others = joint.channels.iter().filter(|column| matches!(column, Column::Other(_))).count();
        if others > 0 {
            let what = format!("{others} channels of {:?}", joint.name);
            said.report.dropped(what, "they are neither positions nor rotations");
        }
        let rotations = joint.channels.iter().enumerate().filter_map(|(at, column)| match column {
            Column::Rotation(axis) => Some((*axis, first + at)),
            _ => None,
        });
        let rotations: Vec<(usize, usize)> = rotations.collect();
        let mut channels = Vec::with_capacity(2);
        channels.extend(self.translation(joint, first, said));
        channels.extend(self.rotation(joint, &rotations, said));
        channels
    }

    /// Positions stand in the place of the offset; an axis without one stays where the offset has it.
    fn translation(&self, joint: &Joint, first: usize, said: &mut Said<'_>) -> Option<Channel> {
        let mut columns = [None; 3];
        for (at, column) in joint.channels.iter().enumerate() {
            if let Column::Position(axis) = column
                && let Some(own) = columns.get_mut(*axis)
            {
                *own = Some(first + at);
            }
        }
        columns.iter().any(Option::is_some).then(|| {
            let values = self.triples(columns, joint.offset.map(finite), said);
            Channel::whole(Property::Translation, self.curve(3, values, Law::LINEAR))
        })
    }

    fn rotation(
        &mut self,
        joint: &Joint,
        rotations: &[(usize, usize)],
        said: &mut Said<'_>,
    ) -> Option<Channel> {
        if rotations.is_empty() {
            return None;
        }
        let axes: Vec<usize> = rotations.iter().map(|(axis, _)| *axis).collect();
        let Some(order) = notes::order(&axes) else {
            let found = format!("{axes:?} of {:?}, multiplied out frame by frame", joint.name);
            said.push(codes::CHANNEL_TWICE, "rotations about each axis once", found);
            let values = self.products(rotations, said);
            return Some(Channel::whole(Property::Rotation, self.curve(4, values, Law::SLERP)));
        };
        if order != notes::USUAL_ORDER {
            self.orders.insert(joint.name.clone(), order);
        }
        let mut columns = [None; 3];
        for (axis, column) in rotations {
            if let Some(own) = columns.get_mut(*axis) {
                *own = Some(*column);
            }
        }
        let values = self.triples(columns, [0.0; 3], said);
        let angles = vec![self.curve(3, values, Law::LINEAR)];
        Some(Channel {
            property: Property::Rotation,
            composition: Composition::Euler { order, angles },
            native: Some(Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() }),
        })
    }

    fn curve(&self, width: usize, values: Vec<f32>, law: Law) -> Curve {
        Curve::new(self.times.clone(), width, values, Laws::uniform(law))
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.motion.values.chunks_exact(self.width.max(1))
    }

    /// Three numbers of each frame, or what stands for those that have no column. What is not finite is as it was before.
    fn triples(&self, columns: [Option<usize>; 3], absent: [f64; 3], said: &mut Said<'_>) -> Vec<f32> {
        let mut last = absent;
        let mut values = Vec::with_capacity(self.rows().len() * 3);
        for row in self.rows() {
            for (last, column) in last.iter_mut().zip(columns) {
                if let Some(number) = column.and_then(|column| row.get(column)) {
                    hold(last, *number, &mut said.held);
                }
                values.push(narrow(*last));
            }
        }
        values
    }

    /// The turns of each frame, multiplied in their order.
    fn products(&self, rotations: &[(usize, usize)], said: &mut Said<'_>) -> Vec<f32> {
        let mut last = vec![0.0; rotations.len()];
        let mut values = Vec::with_capacity(self.rows().len() * 4);
        for row in self.rows() {
            let mut q = [0.0, 0.0, 0.0, 1.0];
            for ((axis, column), last) in rotations.iter().zip(&mut last) {
                hold(last, row.get(*column).copied().unwrap_or(0.0), &mut said.held);
                q = turns::product(q, turns::about(*axis, last.to_radians()));
            }
            values.extend(q.map(narrow));
        }
        values
    }
}

/// Takes a number that is finite, and counts one that is not.
fn hold(last: &mut f64, number: f64, held: &mut usize) {
    match number.is_finite() {
        true => *last = number,
        false => *held += 1,
    }
}

/// The nearest f32; what is beyond becomes the largest.
fn narrow(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
