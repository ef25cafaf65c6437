//! Poses from what networks and body models put out: turns of the joints of SMPL, or points in space.

use super::{PoseJoint, Poses};
use crate::error::Error;
use crate::rotation::RotationForm;
use dopesheet_core::model::{Basis, Hierarchy, Transform};
use dopesheet_core::units::FrameRate;
use dopesheet_curve::{quat_from_rotation_vector, rotation_vector_from_quat};
use glam::{DQuat, DVec3};

/// The first 22 joints of every body of the SMPL family, and what each hangs on.
///
/// Source: M. Loper et al., "SMPL: A Skinned Multi-Person Linear Model", 2015, and the kinematic tree of its model files.
const BODY: [(&str, Option<usize>); 22] = [
    ("pelvis", None),
    ("left_hip", Some(0)),
    ("right_hip", Some(0)),
    ("spine1", Some(0)),
    ("left_knee", Some(1)),
    ("right_knee", Some(2)),
    ("spine2", Some(3)),
    ("left_ankle", Some(4)),
    ("right_ankle", Some(5)),
    ("spine3", Some(6)),
    ("left_foot", Some(7)),
    ("right_foot", Some(8)),
    ("neck", Some(9)),
    ("left_collar", Some(9)),
    ("right_collar", Some(9)),
    ("head", Some(12)),
    ("left_shoulder", Some(13)),
    ("right_shoulder", Some(14)),
    ("left_elbow", Some(16)),
    ("right_elbow", Some(17)),
    ("left_wrist", Some(18)),
    ("right_wrist", Some(19)),
];

/// The joints of a body of the SMPL family by their number: 22 (the body alone), 24 (SMPL, with a joint for each hand), 52
/// (SMPL-H, with fingers) or 55 (SMPL-X, with jaw, eyes and fingers); each with its name and what it hangs on.
///
/// # Errors
/// [`Error::Usage`] for any other number.
pub fn smpl_joints(count: usize) -> Result<Vec<(String, Option<usize>)>, Error> {
    let mut joints: Vec<_> = BODY.iter().map(|(name, parent)| ((*name).to_owned(), *parent)).collect();
    match count {
        22 => {}
        24 => joints.extend([("left_hand".to_owned(), Some(20)), ("right_hand".to_owned(), Some(21))]),
        52 | 55 => {
            if count == 55 {
                joints.extend(["jaw", "left_eye", "right_eye"].map(|name| (name.to_owned(), Some(15))));
            }
            for (side, wrist) in [("left", 20), ("right", 21)] {
                for finger in ["index", "middle", "pinky", "ring", "thumb"] {
                    for segment in 1..=3 {
                        let parent = if segment == 1 { wrist } else { joints.len() - 1 };
                        joints.push((format!("{side}_{finger}{segment}"), Some(parent)));
                    }
                }
            }
        }
        _ => {
            return Err(Error::Usage(format!(
                "expected 22, 24, 52 or 55 joints of a body of the SMPL family, found {count}"
            )));
        }
    }
    Ok(joints)
}

/// Motion of a body of the SMPL family.
#[derive(Clone, Debug)]
pub struct Smpl<'a> {
    /// Rotation vectors, x y z, a row per frame with an entry per joint.
    pub rotations: &'a [f64],
    /// How far the body has gone, x y z in metres, a row per frame.
    pub translations: &'a [f64],
    /// Where joints are relative to their parents in the body's own rest pose, in metres; the first from the origin.
    pub offsets: &'a [[f64; 3]],
    /// Frames per second.
    pub rate: FrameRate,
    /// Whether the world's Z points up, as in AMASS; else Y does. The body itself always rests with Y up.
    pub z_up: bool,
}

impl Smpl<'_> {
    /// The poses, in axes and metres of glTF.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such body, or a number is not finite.
    pub fn poses(&self) -> Result<Poses, Error> {
        let joints = smpl_joints(self.offsets.len())?;
        let mut turns = self.rotations.to_vec();
        let mut root = Vec::with_capacity(self.translations.len());
        let upright =
            if self.z_up { DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2) } else { DQuat::IDENTITY };
        let start = DVec3::from(self.offsets.first().copied().unwrap_or_default());
        for (turn, gone) in turns.chunks_exact_mut(3 * joints.len()).zip(self.translations.as_chunks::<3>().0)
        {
            if let Some(pelvis) = turn.first_chunk_mut::<3>() {
                let turned = upright * DQuat::from_array(quat_from_rotation_vector(*pelvis));
                *pelvis = rotation_vector_from_quat(turned.to_array());
            }
            root.push((upright * (start + DVec3::from(*gone))).as_vec3().to_array());
        }
        let offsets = self.offsets.iter().map(|offset| offset.map(|x| x as f32)).collect::<Vec<_>>();
        let positions = root.iter().flat_map(|root| std::iter::once(root).chain(offsets.iter().skip(1)));
        let mut poses = still(joints, self.offsets, self.rate, root.len());
        poses.translations = positions.flatten().copied().collect();
        poses.rotations = RotationForm::AxisAngle.to_quaternions(&turns)?;
        poses.validate()?;
        Ok(poses)
    }
}

/// Joints that are known by their places alone: each keeps the rotation of its rest pose and moves relative to its parent,
/// so that every point is where it was said to be and no turn is made up.
///
/// `positions` are those in the model, x y z, a row per frame with an entry per joint, in metres and glTF's axes.
///
/// # Errors
/// [`Error::Usage`] if a rule of [`Poses`] is broken.
pub fn from_points(
    joints: Vec<(String, Option<usize>)>,
    positions: &[f32],
    rate: FrameRate,
) -> Result<Poses, Error> {
    let parents: Vec<_> = joints.iter().map(|(_, parent)| *parent).collect();
    let width = 3 * joints.len().max(1);
    let local = positions.chunks_exact(width).flat_map(|row| {
        let points = row.as_chunks::<3>().0;
        let parents = &parents;
        points.iter().zip(parents).flat_map(move |(point, parent)| {
            let from = parent.and_then(|parent| points.get(parent)).copied().unwrap_or_default();
            std::array::from_fn::<f32, 3, _>(|n| (f64::from(point[n]) - f64::from(from[n])) as f32)
        })
    });
    let local: Vec<f32> = local.collect();
    let first = local.as_chunks::<3>().0.iter().take(joints.len());
    let rest: Vec<[f64; 3]> = first.map(|place| place.map(f64::from)).collect();
    let mut poses = still(joints, &rest, rate, positions.len() / width);
    poses.translations = local;
    poses.validate()?;
    Ok(poses)
}

/// Poses in which nothing turns, still without translations.
fn still(joints: Vec<(String, Option<usize>)>, rest: &[[f64; 3]], rate: FrameRate, frames: usize) -> Poses {
    let entries = frames * joints.len();
    let joint = |(index, (name, parent)): (usize, (String, Option<usize>))| PoseJoint {
        name,
        index,
        parent,
        rest: Transform { translation: rest.get(index).copied().unwrap_or_default(), ..Transform::IDENTITY },
    };
    Poses {
        name: None,
        basis: Basis::GLTF,
        hierarchy: Hierarchy::Known,
        joints: joints.into_iter().enumerate().map(joint).collect(),
        rate: Some(rate),
        times_s: (0..frames).map(|frame| rate.seconds(frame as f64).0).collect(),
        translations: Vec::new(),
        rotations: [0.0, 0.0, 0.0, 1.0].repeat(entries),
        scales: vec![1.0; 3 * entries],
    }
}
