//! Document to scene: a skeleton and a clip with a key of each channel on each frame.

use super::codes;
use super::document::{Channel as Column, Document, Joint, JointKind, Motion, Up};
use super::info::{BASIS, Z_UP};
use super::notes::{self, Orders};
use super::rate::{How, rate};
use super::turns;
use super::winding;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Check, ToScene};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, EulerOrder, Law, Laws, Native, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::words::{agreeing, counted};
use dopesheet_curve::quat_product;
use std::borrow::Cow;
use std::sync::Arc;

/// Name of rotations in the format's own terms.
const ANGLES: &str = "angles_deg";

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let motion = document.motion();
    let mut scene = Scene::new(if document.1 == Up::Z { Z_UP } else { BASIS });
    let mut log = Said { report, held: 0, winding: Vec::new() };
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
    log.unit(&scene);
    let frames = motion.frame_count();
    if frames > 0 {
        let clip = clip(motion, frames, options, &scene, &mut log);
        scene.clips.push(clip);
    }
    log.finish();
    scene
}

/// A number of the file; 0 for NaN and infinities.
const fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// Things to be reported of a file, as they are met.
struct Said<'r> {
    report: &'r mut Report,
    /// Numbers that are not finite.
    held: usize,
    /// Joints whose angles count turns, and their largest angle in degrees.
    winding: Vec<(String, f64)>,
}

impl Said<'_> {
    fn push(&mut self, check: Check, expected: impl Into<Cow<'static, str>>, found: String) {
        self.report.push(check.severity, Fault::new(check.code, Place::File, expected, found));
    }

    /// Reports the assumed unit, and the resulting height of the figure.
    fn unit(&mut self, scene: &Scene) {
        let Some(metres) = scene.basis.metres_per_unit else { return };
        let height = height(scene) * metres;
        let actual = format!(
            "none; taken as centimetres, so the skeleton is {height:.2} m tall (--scale overrides this)"
        );
        self.push(codes::UNIT, "a unit of length, which the format lacks", actual);
    }

    fn finish(mut self) {
        if self.held > 0 {
            let actual = counted(self.held, "other number") + "; the previous finite ones are held";
            self.push(codes::NONFINITE, "finite numbers", actual);
        }
        let farthest = self.winding.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        if let Some((name, degrees)) = farthest.cloned() {
            let count = self.winding.len();
            let joints = agreeing(count, "joint turns", "joints turn");
            let actual = format!(
                "{degrees}° of {name:?}; {count} {joints} as the angles are written, not the shortest way"
            );
            self.push(codes::ANGLE_WINDS, winding::WITHIN, actual);
        }
    }
}

/// Height of the skeleton at rest, from the lowest joint to the highest.
fn height(scene: &Scene) -> f64 {
    let mut places: Vec<f64> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| places.get(parent.0)).copied().unwrap_or(0.0);
        places.push(parent + node.rest.translation[scene.basis.up.index()]);
    }
    let low = places.iter().copied().fold(f64::INFINITY, f64::min);
    let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low <= high { high - low } else { 0.0 }
}

fn clip(motion: &Motion, frames: usize, options: &ToScene, scene: &Scene, log: &mut Said<'_>) -> Clip {
    let rate = rate(motion.frame_time_s);
    match rate.how {
        How::Exact => {}
        How::WithinDigits => {
            let actual = format!("{} s, taken as {}", motion.frame_time_s, rate.rate);
            log.push(codes::FRAME_RATE, "a frame time with all its digits", actual);
        }
        How::Assumed => {
            let actual = format!("{} s, taken as {}", motion.frame_time_s, rate.rate);
            log.push(codes::FRAME_TIME, "a frame time above 0", actual);
        }
    }
    let count = i64::try_from(frames).unwrap_or(i64::MAX);
    let times = Times::Frames { rate: rate.rate, frames: (0..count).collect() };
    let mut drafts = Vec::new();
    let mut column = 0;
    for (index, joint) in motion.joints.iter().enumerate() {
        drafts.extend(drafts_of(joint, index, column, frames, log));
        column += joint.channels.len();
    }
    for row in motion.values.chunks_exact(motion.width().max(1)) {
        drafts.iter_mut().for_each(|draft| draft.take(row, &mut log.held));
    }
    leave_out_collapsed(&mut drafts, &motion.joints, log);
    if !options.literal_angles {
        let winding = drafts.iter().filter(|draft| winding::winds(draft.largest));
        log.winding.extend(winding.map(|draft| {
            let name = motion.joints.get(draft.joint).map_or("", |joint| &joint.name);
            (name.to_owned(), draft.largest)
        }));
    }
    let sources = options.keep_sources.then(|| Arc::new((0..).map(Some).take(frames).collect()));
    let orders: Orders = drafts.iter().filter_map(|draft| draft.order(&motion.joints)).collect();
    let mut tracks: Vec<Track> = Vec::new();
    for draft in drafts {
        let index = draft.joint;
        let name = scene.nodes.get(index).map_or("", |node| &node.name);
        match tracks.last_mut().filter(|track| track.target.index == index) {
            Some(track) => {
                track.channels.push(with_sources(draft.channel(&times, options.literal_angles), &sources))
            }
            None => {
                let target = Target::new(TargetKind::Joint, name, index, Some(NodeIndex(index)));
                let channels = vec![with_sources(draft.channel(&times, options.literal_angles), &sources)];
                tracks.push(Track { target, channels });
            }
        }
    }
    Clip {
        name: options.fallback_name.clone(),
        duration: rate.rate.seconds((frames - 1) as f64),
        tracks,
        grid: Some(rate.rate),
        source: Some(notes::notes(&orders)),
        ..Clip::default()
    }
}

/// Leaves out positions that would make bones of length zero.
fn leave_out_collapsed(drafts: &mut Vec<ChannelDraft>, joints: &[Joint], log: &mut Said<'_>) {
    let count = drafts.len();
    drafts.retain(|draft| !joints.get(draft.joint).is_some_and(|joint| draft.collapses(joint)));
    if drafts.len() < count {
        let what = format!("positions of {}, all of them zero", counted(count - drafts.len(), "joint"));
        log.report.dropped(what, "with them bones would have no length; they stay where offsets have them");
    }
}

/// A channel whose keys state their frames.
fn with_sources(mut channel: Channel, sources: &Option<Arc<Vec<Option<u32>>>>) -> Channel {
    for curve in channel.composition.curves_mut() {
        curve.sources.clone_from(sources);
    }
    channel
}

/// A channel of the scene in the making. All channels are filled in one pass over the frames, because the
/// frames do not fit into a processor's cache.
struct ChannelDraft {
    joint: usize,
    kind: ChannelKind,
    /// Columns of a frame with the channel's numbers; `None` for an absent column.
    columns: Vec<Option<usize>>,
    /// Numbers of the frame before; at first the defaults of absent ones.
    last: Vec<f64>,
    /// The angle farthest from 0; 0 for numbers other than angles.
    largest: f64,
    values: Vec<f32>,
}

impl ChannelDraft {
    /// True of positions that put a joint into its parent on all frames: MakeHuman writes positions relative
    /// to offsets.
    fn collapses(&self, joint: &Joint) -> bool {
        let length = joint.offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        let nothing = (length * NOTHING) as f32;
        let is_zero = self.values.iter().all(|value| value.abs() < nothing);
        matches!(self.kind, ChannelKind::Positions) && joint.parent.is_some() && is_zero
    }
}

/// Part of a bone's length below which a position counts as zero.
const NOTHING: f64 = 1e-3;

/// Meaning of a channel's numbers.
enum ChannelKind {
    /// Positions.
    Positions,
    /// Angles about X, Y and Z.
    Angles(EulerOrder),
    /// Angles about these axes, multiplied in order.
    Turns(Vec<usize>),
}

/// The channels of a joint; `first` is the column of its first number.
fn drafts_of(
    joint: &Joint,
    index: usize,
    first: usize,
    frames: usize,
    log: &mut Said<'_>,
) -> Vec<ChannelDraft> {
    let further = joint.channels.iter().filter(|column| matches!(column, Column::Other(_))).count();
    if further > 0 {
        let what = format!("{} of {:?}", counted(further, "channel"), joint.name);
        log.report.dropped(what, "they are neither positions nor rotations");
    }
    let mut drafts = Vec::with_capacity(2);
    // An axis without a position stays where the offset has it.
    let positions = columns(joint, first, |column| match column {
        Column::Position(axis) => Some(*axis),
        _ => None,
    });
    if !positions.is_empty() {
        let last = joint.offset.map(finite).to_vec();
        drafts.push(ChannelDraft::new(index, ChannelKind::Positions, by_axis(&positions), last, frames));
    }
    let rotations = columns(joint, first, |column| match column {
        Column::Rotation(axis) => Some(*axis),
        _ => None,
    });
    let axes: Vec<usize> = rotations.iter().map(|(axis, _)| *axis).collect();
    match notes::order(&axes) {
        _ if axes.is_empty() => {}
        Some(order) => {
            drafts.push(ChannelDraft::new(
                index,
                ChannelKind::Angles(order),
                by_axis(&rotations),
                vec![0.0; 3],
                frames,
            ));
        }
        None => {
            let words = axes.iter().map(|axis| Column::Rotation(*axis));
            let list: Vec<String> = words.map(|channel| channel.word().to_owned()).collect();
            let actual = format!("{} of {:?}, multiplied out frame by frame", list.join(" "), joint.name);
            log.push(codes::CHANNEL_TWICE, "rotations about each axis once", actual);
            let columns = rotations.iter().map(|(_, column)| Some(*column)).collect();
            let last = vec![0.0; axes.len()];
            drafts.push(ChannelDraft::new(index, ChannelKind::Turns(axes), columns, last, frames));
        }
    }
    drafts
}

/// The axes of some channels, and the columns of their numbers in a frame.
fn columns(joint: &Joint, first: usize, axis: impl Fn(&Column) -> Option<usize>) -> Vec<(usize, usize)> {
    let channels = joint.channels.iter().enumerate();
    channels.filter_map(|(at, column)| Some((axis(column)?, first + at))).collect()
}

/// Columns of X, Y and Z; of several columns for one axis the last counts.
fn by_axis(columns: &[(usize, usize)]) -> Vec<Option<usize>> {
    let last =
        |axis| columns.iter().rev().find(|(column_axis, _)| *column_axis == axis).map(|(_, column)| *column);
    (0..3).map(last).collect()
}

impl ChannelDraft {
    fn new(
        joint: usize,
        kind: ChannelKind,
        columns: Vec<Option<usize>>,
        last: Vec<f64>,
        frames: usize,
    ) -> Self {
        let width = if matches!(kind, ChannelKind::Turns(_)) { 4 } else { 3 };
        Self { joint, kind, columns, last, largest: 0.0, values: Vec::with_capacity(frames * width) }
    }

    /// Takes the numbers of a frame. A number that is not finite is replaced by the number before.
    fn take(&mut self, row: &[f64], held: &mut usize) {
        for (last, column) in self.last.iter_mut().zip(&self.columns) {
            match column.and_then(|column| row.get(column)) {
                Some(number) if number.is_finite() => *last = *number,
                Some(_) => *held += 1,
                None => {}
            }
        }
        if matches!(self.kind, ChannelKind::Angles(_)) {
            let farther = |a: f64, b: &f64| if b.abs() > a.abs() { *b } else { a };
            self.largest = self.last.iter().fold(self.largest, farther);
        }
        match &self.kind {
            ChannelKind::Positions | ChannelKind::Angles(_) => {
                self.values.extend(self.last.iter().map(|x| narrow(*x)))
            }
            ChannelKind::Turns(axes) => {
                let turns =
                    axes.iter().zip(&self.last).map(|(axis, angle)| turns::about(*axis, angle.to_radians()));
                let all = turns.fold([0.0, 0.0, 0.0, 1.0], quat_product);
                self.values.extend(all.map(narrow));
            }
        }
    }

    /// The order of the channel's joint, unless it is the usual order.
    fn order(&self, joints: &[Joint]) -> Option<(String, EulerOrder)> {
        match self.kind {
            ChannelKind::Angles(order) if order != notes::USUAL_ORDER => {
                Some((joints.get(self.joint)?.name.clone(), order))
            }
            _ => None,
        }
    }

    /// The channel with its keys. Angles that count turns, or are to be taken literally, run evenly from
    /// frame to frame; otherwise a joint takes the shortest rotation.
    fn channel(self, times: &Times, is_literal: bool) -> Channel {
        let is_literal = is_literal || winding::winds(self.largest);
        let turning = if is_literal { Law::LINEAR } else { Law::SLERP };
        let curve = |width, law, values| Curve::new(times.clone(), width, values, Laws::uniform(law));
        match self.kind {
            ChannelKind::Positions => {
                Channel::whole(Property::Translation, curve(3, Law::LINEAR, self.values))
            }
            ChannelKind::Turns(_) => Channel::whole(Property::Rotation, curve(4, Law::SLERP, self.values)),
            ChannelKind::Angles(order) => Channel {
                property: Property::Rotation,
                composition: Composition::Euler { order, angles: vec![curve(3, turning, self.values)] },
                native: Some(Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() }),
            },
        }
    }
}

/// The nearest f32; numbers beyond its range become the largest.
fn narrow(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
