//! Bodies in the world, as Isaac Lab has them.

use super::super::array::Array;
use super::super::layout::{ANGLES, SPEEDS};
use super::frames::Frames;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Clip, Scene};
use dopesheet_curve::rotation_vector_from_quat;
use glam::{DQuat, DVec3};

/// Places, rotations (w x y z) and velocities of all joints in the world, and the scene's numbers of motors.
pub(super) fn isaac_lab(
    scene: &Scene,
    clip: &Clip,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Vec<(String, Array)> {
    let poses: Vec<Vec<(DVec3, DQuat)>> = (0..frames.count).map(|frame| frames.poses(frame)).collect();
    let bodies = scene.nodes.len();
    let all = || poses.iter().flatten();
    let places = all().flat_map(|(position, _)| position.as_vec3().to_array());
    let turns = all().flat_map(|(_, turn)| [turn.w, turn.x, turn.y, turn.z].map(|number| number as f32));
    let (mut going, mut turning) = (Vec::new(), Vec::new());
    for frame in 0..frames.count {
        let Some(((before, after), seconds)) = around(&poses, frame, frames.rate.fps()) else {
            going.resize(3 * bodies, 0.0);
            turning.resize(3 * bodies, 0.0);
            continue;
        };
        for ((from, turn), (to, turned)) in before.iter().zip(after) {
            going.extend(((*to - *from) / seconds).as_vec3().to_array());
            let turn = rotation_vector_from_quat((*turned * turn.inverse()).to_array());
            turning.extend(turn.map(|angle| (angle / seconds) as f32));
        }
    }
    let names: Vec<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    let parents = scene.nodes.iter().map(|node| node.parent.map_or(-1, |parent| parent.0 as i64));
    let motors = Motors::of(clip, frames);
    if motors.names.is_empty() {
        let why = "only a robot has motors, and the scene has no numbers of them; the arrays have no columns";
        report.dropped("joint_pos and joint_vel", why);
    }
    let narrow = |numbers: Vec<f64>| {
        let width = numbers.len().checked_div(frames.count).unwrap_or(0);
        Array::f32s(&[frames.count, width], numbers.into_iter().map(|number| number as f32))
    };
    let shape = [frames.count, bodies, 3];
    [
        ("fps", Array::f64s(&[1], [frames.rate.fps()])),
        ("joint_pos", narrow(motors.angles)),
        ("joint_vel", narrow(motors.speeds)),
        ("body_pos_w", Array::f32s(&shape, places)),
        ("body_quat_w", Array::f32s(&[frames.count, bodies, 4], turns)),
        ("body_lin_vel_w", Array::f32s(&shape, going)),
        ("body_ang_vel_w", Array::f32s(&shape, turning)),
        ("joint_names", Array::texts(&[motors.names.len()], &motors.names)),
        ("body_names", Array::texts(&[names.len()], &names)),
        ("parents", Array::i64s(&[bodies], parents)),
    ]
    .map(|(name, array)| (name.to_owned(), array))
    .into()
}

/// The motors of a robot, a row of numbers for each frame.
struct Motors {
    names: Vec<String>,
    angles: Vec<f64>,
    speeds: Vec<f64>,
}

impl Motors {
    fn of(clip: &Clip, frames: &Frames<'_>) -> Self {
        let angles = ANGLES.iter().map(|name| frames.dials(clip, name)).find(|(names, _)| !names.is_empty());
        let (names, angles) = angles.unwrap_or_default();
        let (stated, speeds) = frames.dials(clip, SPEEDS);
        let speeds = if stated == names { speeds } else { speeds_of(&angles, names.len(), frames) };
        Self { names, angles, speeds }
    }
}

/// Speeds of angles without stated speeds, from the frames on both sides of each frame.
fn speeds_of(angles: &[f64], width: usize, frames: &Frames<'_>) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = angles.chunks(width.max(1)).map(<[f64]>::to_vec).collect();
    let speed = |frame: usize| match around(&rows, frame, frames.rate.fps()) {
        Some(((before, after), seconds)) => {
            before.iter().zip(after).map(|(a, b)| (b - a) / seconds).collect()
        }
        None => vec![0.0; width],
    };
    (0..rows.len()).flat_map(speed).collect()
}

/// A frame, and a later frame.
type FramePair<'a, T> = (&'a [T], &'a [T]);

/// The frames on both sides of a frame, as far as present, and the seconds between them.
fn around<T>(all: &[Vec<T>], frame: usize, fps: f64) -> Option<(FramePair<'_, T>, f64)> {
    let (first, last) = (frame.saturating_sub(1), (frame + 1).min(all.len().checked_sub(1)?));
    let pair = (all.get(first)?.as_slice(), all.get(last)?.as_slice());
    (last > first).then(|| (pair, (last - first) as f64 / fps))
}
