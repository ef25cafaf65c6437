//! Bodies of the SMPL family, and the joints of HumanML3D.

use super::super::array::Array;
use super::super::document::Document;
use super::super::info::ID;
use super::super::layout::{MOTION_X, Z_UP, motion_x};
use super::super::rest;
use super::super::smpl::{BODY_JOINTS, SmplJoint, joints};
use super::super::to_scene::upright;
use super::features::{self, JointPositions};
use super::frames::Frames;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Clip, HumanBone, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::{agreeing, counted};
use dopesheet_curve::rotation_vector_from_quat;
use glam::{DQuat, DVec3};
use serde_json::Value;

/// Number of shape parameters of a body in AMASS.
const BETAS: usize = 16;

/// The joints of a body, and for each joint the node of the figure's corresponding bone.
struct Seats {
    joints: Vec<SmplJoint>,
    nodes: Vec<Option<usize>>,
}

impl Seats {
    fn of(scene: &Scene, count: usize, report: &mut Report) -> Result<Self, ConvertError> {
        let refused = |what: &str| ConvertError::new(ID, ConvertErrorKind::Unsupported(what.to_owned()));
        let joints = joints(count).ok_or_else(|| refused("there is no body with that many joints"))?;
        let humanoid = scene.humanoid.as_ref().filter(|humanoid| humanoid.missing().is_empty());
        let humanoid = humanoid
            .ok_or_else(|| refused("it only holds the motion of a human figure, and the scene has none"))?;
        let node =
            |joint: &SmplJoint| joint.bone.and_then(|bone| humanoid.bones.get(&bone)).map(|node| node.0);
        let nodes: Vec<Option<usize>> = joints.iter().map(node).collect();
        let still = joints.iter().zip(&nodes).filter(|(_, node)| node.is_none());
        let still: Vec<&str> = still.map(|(joint, _)| joint.name.as_str()).collect();
        if !still.is_empty() {
            report.dropped(
                format!(
                    "the motion of {} ({}), which {}",
                    counted(still.len(), "joint"),
                    shortened(&still),
                    agreeing(still.len(), "rests", "rest")
                ),
                "the figure has no such bones",
            );
        }
        let bones: Vec<HumanBone> = joints.iter().filter_map(|joint| joint.bone).collect();
        let lost: Vec<&str> =
            humanoid.bones.keys().filter(|bone| !bones.contains(bone)).map(|bone| bone.word()).collect();
        if !lost.is_empty() {
            report.dropped(
                format!("the motion of {} ({})", counted(lost.len(), "bone"), shortened(&lost)),
                format!("a body with {count} joints lacks them"),
            );
        }
        Ok(Self { joints, nodes })
    }
}

impl Seats {
    /// Rotation vectors of all joints and positions of the root of a body with a given size, frame by frame,
    /// in a rotated world.
    fn turns(&self, frames: &Frames<'_>, world: DQuat, size: &Size) -> (Vec<f64>, Vec<f64>) {
        let (mut poses, mut gone) = (Vec::new(), Vec::new());
        for frame in 0..frames.count {
            for (joint, node) in self.nodes.iter().enumerate() {
                let local = node.map(|node| frames.local(node, frame));
                let rotation = local.map_or(DQuat::IDENTITY, |local| DQuat::from_array(local.rotation));
                let turned = if joint == 0 { world * rotation } else { rotation };
                poses.extend(rotation_vector_from_quat(turned.to_array()));
                if let (0, Some(local)) = (joint, local) {
                    gone.extend((world * size.hips(DVec3::from(local.translation))).to_array());
                }
            }
        }
        (poses, gone)
    }
}

/// Size of a body relative to the figure whose motion is written.
struct Size {
    /// Length of its legs, as a multiple of the figure's, and height added to its hips for legs of that
    /// length.
    ratio: f64,
    raised: f64,
}

impl Size {
    /// The size of the body with the mean shape. A body with a stated shape is the figure itself.
    fn of(scene: &Scene, clip: &Clip, count: usize, report: &mut Report) -> Self {
        let same = Self { ratio: 1.0, raised: 0.0 };
        let is_stated =
            clip.source.as_ref().is_some_and(|notes| notes["format"] == ID && notes["betas"].is_array());
        let Some((figure, theirs)) = figure_legs(scene).zip(body_legs(count)).filter(|_| !is_stated) else {
            return same;
        };
        let ratio = theirs[1] / figure[1];
        if !ratio.is_finite() || ratio <= 0.0 {
            return same;
        }
        report.kept(format!("hip translation scaled by {ratio:.3} (leg length)"));
        Self { ratio, raised: theirs[0] - ratio * figure[0] }
    }

    fn hips(&self, position: DVec3) -> DVec3 {
        position * self.ratio + DVec3::Y * self.raised
    }
}

/// Height of a figure's hips minus the length of its legs, and the length of its legs, at rest.
fn figure_legs(scene: &Scene) -> Option<[f64; 2]> {
    let bones = &scene.humanoid.as_ref()?.bones;
    let offset = |bone: HumanBone| Some(DVec3::from(scene.node(*bones.get(&bone)?)?.rest.translation));
    let length = |bone: HumanBone| Some(offset(bone)?.length());
    let left = length(HumanBone::LeftLowerLeg)? + length(HumanBone::LeftFoot)?;
    let right = length(HumanBone::RightLowerLeg)? + length(HumanBone::RightFoot)?;
    let leg = f64::midpoint(left, right);
    Some([offset(HumanBone::Hips)?.y - leg, leg])
}

/// The same of a body of the mean shape.
fn body_legs(count: usize) -> Option<[f64; 2]> {
    let (joints, offsets) = (joints(count)?, rest::offsets(count)?);
    let offset = |bone: HumanBone| {
        let joint = joints.iter().position(|joint| joint.bone == Some(bone))?;
        offsets.get(joint).copied().map(DVec3::from)
    };
    let leg = offset(HumanBone::LeftLowerLeg)?.length() + offset(HumanBone::LeftFoot)?.length();
    Some([offset(HumanBone::Hips)?.y - leg, leg])
}

/// Shape of a body: from the notes of its file, else the mean shape.
fn betas(clip: &Clip, count: usize, report: &mut Report) -> Vec<f64> {
    let notes = clip.source.as_ref().filter(|notes| notes["format"] == ID);
    let stated = notes.and_then(|notes| notes["betas"].as_array());
    match stated {
        Some(betas) => betas.iter().filter_map(Value::as_f64).collect(),
        None => {
            report.dropped(
                "lengths of bones",
                "the shape parameters of a body belong to its own model; those of the mean are written",
            );
            vec![0.0; count]
        }
    }
}

/// The first of some names.
fn shortened(names: &[&str]) -> String {
    match names {
        [first, second, third, _, ..] => format!("{first}, {second}, {third} …"),
        _ => names.join(", "),
    }
}

/// A body in the form of AMASS.
pub(super) fn smpl(
    scene: &Scene,
    clip: &Clip,
    frames: &Frames<'_>,
    count: usize,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let seats = Seats::of(scene, count, report)?;
    let size = Size::of(scene, clip, count, report);
    let (poses, gone) = seats.turns(frames, upright(&Z_UP).inverse(), &size);
    let notes = clip.source.as_ref().filter(|notes| notes["format"] == ID);
    let gender = notes.and_then(|notes| notes["gender"].as_str()).unwrap_or("neutral");
    let betas = betas(clip, BETAS, report);
    let rate = if count == 55 { "mocap_frame_rate" } else { "mocap_framerate" };
    Ok(Document::of_arrays([
        ("poses".to_owned(), Array::f64s(&[frames.count, 3 * count], poses)),
        ("trans".to_owned(), Array::f64s(&[frames.count, 3], gone)),
        ("betas".to_owned(), Array::f64s(&[betas.len()], betas)),
        ("gender".to_owned(), Array::texts(&[], &[gender])),
        (rate.to_owned(), Array::f64s(&[], [frames.rate.fps()])),
    ]))
}

/// A body of SMPL-X in the 322 numbers of a frame of Motion-X.
pub(super) fn motion_x(
    scene: &Scene,
    clip: &Clip,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Result<Array, ConvertError> {
    const JOINTS: usize = 55;
    let seats = Seats::of(scene, JOINTS, report)?;
    let size = Size::of(scene, clip, JOINTS, report);
    let (poses, gone) = seats.turns(frames, DQuat::IDENTITY, &size);
    let betas = betas(clip, motion_x::BETAS.1, report);
    let (face, fingers) = (3 * BODY_JOINTS, 3 * (JOINTS - 30));
    let mut numbers = Vec::with_capacity(MOTION_X * frames.count);
    for (pose, gone) in poses.chunks(3 * JOINTS).zip(gone.chunks(3)) {
        let mut row = [0.0; MOTION_X];
        let mut put = |(start, count): (usize, usize), values: &[f64]| {
            row.iter_mut().skip(start).take(count).zip(values).for_each(|(to, from)| *to = *from);
        };
        put(motion_x::BODY, pose);
        put(motion_x::JAW, pose.get(face..).unwrap_or_default());
        put(motion_x::HANDS, pose.get(fingers..).unwrap_or_default());
        put(motion_x::TRANS, gone);
        put(motion_x::BETAS, &betas);
        numbers.extend(row.map(|number| number as f32));
    }
    Ok(Array::f32s(&[frames.count, MOTION_X], numbers))
}

/// The joints of kimodo's body of SMPL-X: their places and rotations in the world, and their rotations
/// relative to their parents. Derived arrays of kimodo (contacts, heading, a smooth path) are left to kimodo.
pub(super) fn kimodo(
    scene: &Scene,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Result<Vec<(String, Array)>, ConvertError> {
    let places = humanml3d(scene, frames, report)?;
    let seats = Seats::of(scene, BODY_JOINTS, &mut Report::default())?;
    let (mut local, mut global, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    for frame in 0..frames.count {
        let mut turns: Vec<DQuat> = Vec::with_capacity(BODY_JOINTS);
        for (joint, node) in seats.joints.iter().zip(&seats.nodes) {
            let local_turn =
                node.map_or(DQuat::IDENTITY, |node| DQuat::from_array(frames.local(node, frame).rotation));
            let above = joint.parent.and_then(|parent| turns.get(parent)).copied();
            let turn = above.map_or(local_turn, |above| above * local_turn);
            turns.push(turn);
            local.extend(matrix(local_turn));
            global.extend(matrix(turn));
        }
        let root = seats.nodes.first().copied().flatten().map(|node| frames.local(node, frame).translation);
        roots.extend(root.unwrap_or_default().map(|number| number as f32));
    }
    let matrices = [frames.count, BODY_JOINTS, 3, 3];
    Ok(vec![
        ("posed_joints".to_owned(), places),
        ("global_rot_mats".to_owned(), Array::f32s(&matrices, global)),
        ("local_rot_mats".to_owned(), Array::f32s(&matrices, local)),
        ("root_positions".to_owned(), Array::f32s(&[frames.count, 3], roots)),
    ])
}

/// A rotation as a matrix, row by row.
fn matrix(turn: DQuat) -> [f32; 9] {
    glam::DMat3::from_quat(turn).transpose().to_cols_array().map(|number| number as f32)
}

/// Positions of the joints of HumanML3D.
pub(super) fn humanml3d(
    scene: &Scene,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Result<Array, ConvertError> {
    let places = places(scene, frames, report)?;
    let numbers = places.iter().flatten().flat_map(|position| position.as_vec3().to_array());
    Ok(Array::f32s(&[frames.count, BODY_JOINTS, 3], numbers))
}

/// Positions of the joints of all bodies, frame by frame. Joints that the figure lacks are placed at even
/// distances between the joints before and after them; at the end of a chain, at the place of the last joint.
fn places(
    scene: &Scene,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Result<Vec<JointPositions>, ConvertError> {
    let Seats { joints, nodes } = Seats::of(scene, BODY_JOINTS, report)?;
    let next = |joint: usize| joints.iter().position(|other| other.parent == Some(joint));
    let of_frame = |frame: usize| {
        let all = frames.places(frame);
        let position = |joint: usize| nodes.get(joint).copied().flatten().and_then(|node| all.get(node));
        let mut positions = [DVec3::ZERO; BODY_JOINTS];
        for joint in 0..BODY_JOINTS {
            let above =
                joints.get(joint).and_then(|joint| positions.get(joint.parent?)).copied().unwrap_or_default();
            let line = (1..).zip(std::iter::successors(Some(joint), |joint| next(*joint)));
            let nearest = line.into_iter().find_map(|(steps, joint)| Some((steps, *position(joint)?)));
            positions[joint] =
                nearest.map_or(above, |(steps, there)| above.lerp(there, 1.0 / f64::from(steps)));
        }
        positions
    };
    Ok((0..frames.count).map(of_frame).collect())
}

/// Features of HumanML3D.
pub(super) fn features(
    scene: &Scene,
    frames: &Frames<'_>,
    options: &FromScene,
    report: &mut Report,
) -> Result<Array, ConvertError> {
    options.most_frames.check(ID, frames.count as u64, features::WIDTH as u64)?;
    if frames.count < 2 {
        let what = "features say how a frame goes on to the next one, and the motion has only one";
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what.into())));
    }
    let other =
        options.figure.as_deref().map(|figure| first_pose(figure, frames.rate, options)).transpose()?;
    let rows = features::rows(places(scene, frames, report)?, other.as_ref());
    match other {
        Some(_) => report.dropped("lengths of bones", "features have those of the other figure"),
        None => {
            report.kept("lengths of the figure's own bones; HumanML3D gives all motions those of one figure")
        }
    }
    report.dropped("the last frame", "features say how a frame goes on to the next one");
    report.dropped("twist of bones", "rotations of features are found from positions");
    report.dropped(
        "where the motion starts and faces",
        "features start above the origin with their front to +Z, and their lowest joint is on the floor",
    );
    Ok(Array::f32s(&[rows.len(), features::WIDTH], rows.into_iter().flatten()))
}

/// Positions of the joints of a figure on the first frame of its motion, or at rest.
fn first_pose(scene: &Scene, rate: FrameRate, options: &FromScene) -> Result<JointPositions, ConvertError> {
    let nothing = Clip::default();
    let first = Clip { duration: Seconds(0.0), ..scene.clips.first().unwrap_or(&nothing).clone() };
    let frames = Frames::of(scene, &first, rate, options.most_frames)?;
    let places = places(scene, &frames, &mut Report::default())?;
    Ok(places.first().copied().unwrap_or([DVec3::ZERO; BODY_JOINTS]))
}
