//! Bring a document up to a scene made from this document and changed since: frames from the file keep their
//! numbers, digits and all, and so does the skeleton.

use super::document::{Channel as Column, Document, Joint, Motion};
use super::from_scene::from_scene;
use super::info::ID;
use super::rate::frame_time_s;
use super::to_scene::to_scene;
use super::write::is_name;
use super::{codes, notes};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::{FromScene, ToScene};
use dopesheet_core::model::{Channel, Clip, Composition, Curve, EulerOrder, Property, Scene, Track};
use dopesheet_core::words::counted;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let read = ToScene::to_update();
    let before = to_scene(document, &read, &mut Report::default());
    let nothing = Clip::default();
    let [old_clip, clip] = [&before, scene].map(|scene| scene.clips.first().unwrap_or(&nothing));
    let plan = Plan::of(document.motion(), old_clip, clip);
    let Some(plan) = plan.filter(|_| before.nodes.len() == scene.nodes.len()) else {
        // Other joints, or rotations in another order.
        *document = from_scene(scene, options, report)?;
        return Ok(());
    };
    rename(document, &before, scene)?;
    if old_clip == clip {
        return Ok(());
    }
    let (frames, motion) = (clip.grid.map_or(0, |rate| clip.frame_count(rate)), document.motion());
    options.most_frames.check(ID, frames as u64, motion.width() as u64)?;
    let values = (0..frames).flat_map(|frame| plan.row(motion, frame)).collect();
    let motion = document.motion_mut();
    motion.values = values;
    motion.announced_frames = frames as u64;
    if let Some(rate) = clip.grid.filter(|rate| old_clip.grid != Some(*rate)) {
        motion.frame_time_s = frame_time_s(rate);
    }
    report.kept(counted(frames, "frame"));
    Ok(())
}

fn rename(document: &mut Document, before: &Scene, scene: &Scene) -> Result<(), ConvertError> {
    let names = before.nodes.iter().zip(&scene.nodes);
    let renamed = names.enumerate().filter(|(_, (old, new))| old.name != new.name);
    for (index, (_, new)) in renamed {
        if !is_name(&new.name) || notes::stored_name(&new.name) != new.name {
            let file = Place::File;
            let expected = "a name on one line, without blanks and braces";
            let fault = Fault::new(codes::NAME_LINE.code, file, expected, format!("{:?}", new.name));
            return Err(ConvertError::new(ID, ConvertErrorKind::Fault(Box::new(fault))));
        }
        if let Some(joint) = document.motion_mut().joints.get_mut(index) {
            joint.name.clone_from(&new.name);
        }
    }
    Ok(())
}

/// Numbers of a joint on each frame: its place, or its angles in degrees.
struct JointColumns<'a> {
    /// Columns of a frame of the document for x, y and z; `None` for an absent column.
    columns: [Option<usize>; 3],
    /// The curve of the document.
    before: &'a Curve,
    /// The new curve; `None` if the property no longer moves.
    after: Option<&'a Curve>,
}

impl<'a> JointColumns<'a> {
    /// `None` if both channels are not put alike.
    fn of(joint: &Joint, first: usize, old: &'a Channel, new: Option<&'a Channel>) -> Option<Self> {
        let (order, before) = plain(old)?;
        let after = match new.map(plain) {
            None => None,
            Some(Some((old_order, curve))) if old_order == order => Some(curve),
            Some(_) => return None,
        };
        Some(Self { columns: columns(joint, first, &old.property), before, after })
    }
}

/// The sources of the numbers of frames.
struct Plan<'a> {
    lanes: Vec<JointColumns<'a>>,
    /// Numbers of a frame without any motion.
    rest: Vec<f64>,
}

impl<'a> Plan<'a> {
    /// `None` if the channels of the joints cannot hold the motion.
    fn of(motion: &Motion, old_clip: &'a Clip, clip: &'a Clip) -> Option<Self> {
        let mut plan = Self { lanes: Vec::new(), rest: Vec::with_capacity(motion.width()) };
        let mut placed = 0;
        for (index, joint) in motion.joints.iter().enumerate() {
            let [old, new] = [old_clip, clip].map(|clip| track(clip, index));
            for property in [Property::Translation, Property::Rotation] {
                let [old, new] = [old, new].map(|track| channel(track, &property));
                placed += usize::from(old.is_some() && new.is_some());
                if let Some(old) = old {
                    plan.lanes.push(JointColumns::of(joint, plan.rest.len(), old, new)?);
                }
            }
            plan.rest.extend(joint.channels.iter().map(|column| match column {
                Column::Position(axis) => joint.offset.get(*axis).copied().unwrap_or(0.0),
                Column::Rotation(_) | Column::Other(_) => 0.0,
            }));
        }
        let wanted = clip.tracks.iter().map(|track| track.channels.len()).sum::<usize>();
        (placed == wanted).then_some(plan)
    }

    /// The numbers of a frame. Unchanged numbers are copied from the frame of the file that the new frame
    /// comes from.
    fn row(&self, motion: &Motion, frame: usize) -> Vec<f64> {
        let after = self.lanes.iter().filter_map(|lane| lane.after);
        let source = after.filter_map(|curve| curve.source(frame)).map(|source| source as usize).next();
        let old = source.and_then(|source| motion.values.chunks_exact(self.rest.len().max(1)).nth(source));
        let mut row = old.unwrap_or(&self.rest).to_vec();
        for lane in &self.lanes {
            let number = |axis: usize, column: usize| match lane.after {
                Some(curve) => curve.value(frame).and_then(|value| value.get(axis)).map(|x| shortest(*x)),
                None => self.rest.get(column).copied(),
            };
            let is_same = source.is_some_and(|source| {
                lane.after.is_some_and(|after| after.value(frame) == lane.before.value(source))
            });
            for (axis, column) in lane.columns.iter().enumerate().filter(|_| !is_same || old.is_none()) {
                let Some(column) = *column else { continue };
                if let (Some(slot), Some(number)) = (row.get_mut(column), number(axis, column)) {
                    *slot = number;
                }
            }
        }
        row
    }
}

/// The double-precision number with the shortest digits that identify a number of single precision.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn track(clip: &Clip, joint: usize) -> Option<&Track> {
    clip.tracks.iter().find(|track| track.target.node.is_some_and(|node| node.0 == joint))
}

fn channel<'a>(track: Option<&'a Track>, property: &Property) -> Option<&'a Channel> {
    track?.channels.iter().find(|channel| channel.property == *property)
}

/// The curve of a place, or of angles in degrees with their order.
fn plain(channel: &Channel) -> Option<(Option<EulerOrder>, &Curve)> {
    match &channel.composition {
        Composition::Whole(curve) if channel.property == Property::Translation => Some((None, curve)),
        Composition::Euler { order, angles } => match &angles[..] {
            [curve] if curve.width == 3 => Some((Some(*order), curve)),
            _ => None,
        },
        _ => None,
    }
}

/// Columns of a joint's numbers by axis; of several columns for one axis the last counts.
fn columns(joint: &Joint, first: usize, property: &Property) -> [Option<usize>; 3] {
    let mut columns = [None; 3];
    for (at, column) in joint.channels.iter().enumerate() {
        let axis = match (column, property) {
            (Column::Position(axis), Property::Translation)
            | (Column::Rotation(axis), Property::Rotation) => axis,
            _ => continue,
        };
        if let Some(slot) = columns.get_mut(*axis) {
            *slot = Some(first + at);
        }
    }
    columns
}
