//! Robots: places and rotations of their bodies in the world. The angles of their motors stay numbers,
//! because only a model of the robot tells which joint each motor turns.
//!
//! Source: `scripts/csv_to_npz.py` of whole_body_tracking (which brings quaternions into the order w x y z
//! before passing them to the simulator) and `convert_data_format_mj.py` of holosoma (MuJoCo's `xquat`);
//! `scripts/smplx_to_robot_dataset.py` of GMR (x y z w). Robots facing +X are the custom of robotics; none of
//! these files states the direction.

use super::super::codes;
use super::facts::FPS;
use super::plain::quaternions;
use super::{ClipNumbers, Dial, Interpreter, Layout, Motion, Rotations, Take, still};
use dopesheet_core::model::{Axis, Basis};
use dopesheet_core::words::counted;

/// Axes of robots: they face +X, with left along +Y and Z up, in metres.
pub(in super::super) const ROBOT: Basis =
    Basis { left: Axis::PosY, up: Axis::PosZ, front: Axis::PosX, metres_per_unit: Some(1.0), ..Basis::GLTF };
/// Numbers of a root before the numbers of the motors, in files with both in one array: place and quaternion,
/// or two velocities.
const OF_ROOT: [usize; 2] = [7, 6];
/// Arrays of angles of motors, as Isaac Lab and GMR call them, and of their speeds.
pub(in super::super) const ANGLES: [&str; 2] = ["joint_pos", "dof_pos"];
pub(in super::super) const SPEEDS: &str = "joint_vel";
const BODIES: [&str; 2] = ["body_names", "link_body_list"];

/// True if a number that moves no joint belongs to a motor.
pub(in super::super) fn is_of_motor(property: &str) -> bool {
    ANGLES.contains(&property) || property == SPEEDS
}

impl Interpreter<'_> {
    /// Bodies in the world.
    pub(super) fn isaac_lab(&mut self) -> Option<Motion> {
        let (places, shape) = self.numbers("body_pos_w", &[None, None, Some(3)])?;
        let (frames, count) = (shape.first().copied()?, shape.get(1).copied()?);
        let (turns, _) = self.numbers("body_quat_w", &[Some(frames), Some(count), Some(4)])?;
        self.check_units("body_quat_w", &turns);
        let first = self.real_part_first_or(true)?;
        let take = Take {
            dials: self.dials(&[ANGLES[0], SPEEDS], frames),
            ..Take::new(frames, side_by_side(places, quaternions(turns, first)))
        };
        self.robot(Layout::IsaacLab, count, take)
    }

    /// Bodies as seen from the root, which turns them; files without bodies have the root alone.
    pub(super) fn gmr(&mut self) -> Option<Motion> {
        let (turns, shape) = self.numbers("root_rot", &[None, Some(4)])?;
        let frames = shape.first().copied()?;
        self.check_units("root_rot", &turns);
        let first = self.real_part_first_or(false)?;
        let turns = quaternions(turns, first);
        let (roots, _) = self.numbers("root_pos", &[Some(frames), Some(3)])?;
        let (local, count) = match self.document.array("local_body_pos") {
            Some(_) => {
                let (local, shape) = self.numbers("local_body_pos", &[Some(frames), None, Some(3)])?;
                (local, shape.get(1).copied()?.max(1))
            }
            None => (vec![0.0; 3 * frames], 1),
        };
        let mut places = Vec::with_capacity(local.len());
        let mut rotations = Vec::with_capacity(4 * count * frames);
        let all = local.as_chunks::<3>().0.chunks(count);
        for ((bodies, root), turn) in all.zip(roots.as_chunks::<3>().0).zip(turns.as_chunks::<4>().0) {
            let rotation = glam::DQuat::from_array(dopesheet_curve::quat_normalise_or_identity(*turn));
            for (index, body) in bodies.iter().enumerate() {
                places.extend((rotation * glam::DVec3::from(*body) + glam::DVec3::from(*root)).to_array());
                // Of the other bodies the file has no rotation.
                rotations.extend(if index == 0 { *turn } else { [0.0, 0.0, 0.0, 1.0] });
            }
        }
        let dials = self.dials(&[ANGLES[1]], frames);
        self.robot(Layout::Gmr, count, Take { dials, ..Take::new(frames, side_by_side(places, rotations)) })
    }

    /// A robot of `count` bodies, whose parents are not stated.
    fn robot(&mut self, layout: Layout, count: usize, mut take: Take) -> Option<Motion> {
        let names = BODIES.iter().find_map(|name| self.document.array(name)?.strings());
        if let Some(names) = names.as_ref().filter(|names| names.len() != count) {
            let expected = format!("{}, one for each body", counted(count, "name"));
            let array = BODIES.iter().find(|name| self.document.array(name).is_some()).unwrap_or(&BODIES[0]);
            self.say(codes::JOINT_COUNT, array, expected, names.len().to_string());
            return None;
        }
        let name = |index: usize| {
            let stated_name = names.as_ref().and_then(|names| names.get(index)).cloned();
            stated_name.unwrap_or_else(|| {
                if layout == Layout::Gmr && count == 1 { "root".into() } else { format!("body_{index}") }
            })
        };
        let parents = self.parents(count);
        let knows_parents = parents.is_some();
        let parents = parents.unwrap_or_else(|| vec![None; count]);
        hang(&mut take.values, &parents);
        let joints: Vec<_> =
            parents.into_iter().enumerate().map(|(index, parent)| (name(index), parent)).collect();
        let ClipNumbers::Transforms { translations: Some(places), .. } = &take.values else { return None };
        let offsets: Vec<f64> = places.iter().take(3 * count).copied().collect();
        if count > 1 && !knows_parents {
            let actual = format!("{} side by side", counted(count, "body"));
            self.say(codes::HIERARCHY_UNKNOWN, "", "an array parents, which such files leave out", actual);
        }
        Some(Motion {
            knows_parents: knows_parents || count == 1,
            rate: self.rate(&[FPS]),
            basis: Some(ROBOT),
            rest: still(&offsets),
            is_rest_assumed: true,
            ..Motion::of(layout, joints, vec![take])
        })
    }

    /// Numbers of motors, a column for each.
    fn dials(&mut self, arrays: &[&'static str], frames: usize) -> Vec<Dial> {
        let names = self.document.array("joint_names").or_else(|| self.document.array("dof_names"));
        let names = names.and_then(super::super::array::Array::strings);
        let mut dials = Vec::new();
        for (array, of_root) in arrays.iter().zip(OF_ROOT) {
            if self.document.array(array).is_none() {
                continue;
            }
            let Some((numbers, shape)) = self.numbers(array, &[Some(frames), None]) else { continue };
            let width = shape.get(1).copied().unwrap_or(0);
            let skipped = match names.as_ref() {
                Some(names) if names.len() + of_root == width => of_root,
                _ => 0,
            };
            if skipped > 0 {
                let what = format!("the first {} of {array}", counted(skipped, "column"));
                self.left_out.push((what, "they are of the root, whose body has places and rotations"));
            }
            let column = |dial: usize| Dial {
                name: names
                    .as_ref()
                    .and_then(|names| names.get(dial - skipped).cloned())
                    .unwrap_or_else(|| format!("motor_{}", dial - skipped)),
                array,
                values: numbers.iter().skip(dial).step_by(width.max(1)).copied().collect(),
            };
            dials.extend((skipped..width).map(column));
        }
        dials
    }
}

/// Makes poses in the world relative to their parents.
fn hang(values: &mut ClipNumbers, parents: &[Option<usize>]) {
    let ClipNumbers::Transforms {
        rotations: Rotations::Quaternions(Some(turns)),
        translations: Some(places),
        ..
    } = values
    else {
        return;
    };
    let count = parents.len().max(1);
    let frames =
        turns.as_chunks_mut::<4>().0.chunks_mut(count).zip(places.as_chunks_mut::<3>().0.chunks_mut(count));
    for (turns, places) in frames {
        // Parents come before their children, so that those at the end are done first.
        for (joint, parent) in parents.iter().enumerate().rev() {
            let Some(parent) = *parent else { continue };
            let (Some(above), Some(from)) = (turns.get(parent).copied(), places.get(parent).copied()) else {
                continue;
            };
            let above = glam::DQuat::from_array(dopesheet_curve::quat_normalise_or_identity(above)).inverse();
            if let (Some(turn), Some(position)) = (turns.get_mut(joint), places.get_mut(joint)) {
                *turn = (above * glam::DQuat::from_array(*turn)).to_array();
                *position = (above * (glam::DVec3::from(*position) - glam::DVec3::from(from))).to_array();
            }
        }
    }
}

/// Values of joints without parents.
fn side_by_side(places: Vec<f64>, rotations: Vec<f64>) -> ClipNumbers {
    ClipNumbers::Transforms {
        rotations: Rotations::Quaternions(Some(rotations)),
        roots: None,
        translations: Some(places),
        scales: None,
    }
}
