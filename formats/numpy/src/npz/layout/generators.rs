//! Output of programs that generate motion: the samples of MDM, and the joints of kimodo.
//!
//! Source: `sample/generate.py` of MDM (motion-diffusion-model); `kimodo/exports/motion_io.py` and `kimodo/skeleton/definitions.py`
//! of kimodo.

use super::super::{codes, smpl, soma};
use super::{ClipNumbers, Interpreter, Layout, Motion, Rotations, Take, still};
use dopesheet_core::model::Transform;
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use glam::{DMat3, DQuat, DVec3};

/// Number of joints of the figures of KIT, which have a different rate.
const OF_KIT: usize = 21;
const KIT: Option<FrameRate> = FrameRate::new(25, 2);
const MDM: Option<FrameRate> = FrameRate::new(20, 1);
const KIMODO: Option<FrameRate> = FrameRate::new(30, 1);
/// Numbers of a matrix.
const MATRIX: usize = 9;

impl Interpreter<'_> {
    /// Samples: places of joints (N, J, 3, F), where each sample may be shorter than the array.
    pub(super) fn mdm(&mut self, name: &str) -> Option<Motion> {
        let (numbers, shape) = self.numbers(name, &[None, None, Some(3), None])?;
        let [samples, count, _, frames] = shape[..] else { return None };
        let lengths = self.optional("lengths", &[samples], None);
        let texts = self.document.array("text").and_then(super::super::array::Array::strings);
        let take = |sample: usize| {
            let length = lengths.as_ref().and_then(|all| all.get(sample)).copied();
            let length = length
                .filter(|stated| *stated >= 0.0 && stated.fract() == 0.0)
                .map_or(frames, |stated| stated as usize);
            let start = sample * count * 3 * frames;
            let positions = |frame: usize| (0..3 * count).map(move |row| start + row * frames + frame);
            let length = length.min(frames);
            let places = (0..length).flat_map(positions).filter_map(|at| numbers.get(at).copied()).collect();
            let name =
                texts.as_ref().and_then(|texts| texts.get(sample)).filter(|text| !text.is_empty()).cloned();
            Take { name, ..Take::new(length, ClipNumbers::Places(places)) }
        };
        let takes: Vec<Take> = (0..samples).map(take).collect();
        if let Some(joints) = smpl::joints(count).filter(|_| count != OF_KIT) {
            let body = self.body(Layout::Mdm, joints, takes)?;
            return Some(Motion { rate: self.rate_or(MDM), ..body });
        }
        let (joints, knows_parents) = self.joints(count);
        let first = takes.first().map_or(&[][..], |take| match &take.values {
            ClipNumbers::Places(places) => places,
            ClipNumbers::Transforms { .. } => &[],
        });
        Some(Motion {
            knows_parents,
            rest: still(&super::plain::first_offsets(first, &joints)),
            is_rest_assumed: true,
            rate: self.rate_or(if count == OF_KIT { KIT } else { MDM }),
            ..Motion::of(Layout::Mdm, joints, takes)
        })
    }

    /// Places and rotations in the world, and rotations relative to the parents.
    pub(super) fn kimodo(&mut self) -> Option<Motion> {
        let (places, shape) = self.numbers("posed_joints", &[None, None, Some(3)])?;
        let (frames, count) = (shape.first().copied()?, shape.get(1).copied()?);
        let Some(joints) = soma::joints(count) else {
            let expected = "22 (SMPL-X), 30 or 77 (SOMA) or 34 joints (G1)";
            self.say(codes::SHAPE, "posed_joints", expected, counted(count, "joint"));
            return None;
        };
        let (global, _) = self.numbers("global_rot_mats", &[Some(frames), Some(count), Some(3), Some(3)])?;
        let roots = places.chunks(3 * count.max(1)).flat_map(|frame| frame.iter().take(3)).copied().collect();
        let turns: Vec<DQuat> = global.as_chunks::<MATRIX>().0.iter().map(quaternion).collect();
        let local = turns.iter().enumerate().flat_map(|(entry, turn)| {
            let joint = entry % count.max(1);
            let above = joints
                .get(joint)
                .and_then(|joint| joint.1)
                .and_then(|parent| turns.get(entry - joint + parent));
            above.map_or(*turn, |above| above.inverse() * *turn).to_array()
        });
        let values = ClipNumbers::Transforms {
            rotations: Rotations::Quaternions(Some(local.collect())),
            roots: Some(roots),
            translations: None,
            scales: None,
        };
        let (rest, rate) = (kimodo_rest(&places, &turns, &joints), self.rate_or(KIMODO));
        let motion = Motion::of(Layout::Kimodo, joints, vec![Take::new(frames, values)]);
        Some(Motion { rest, rate, ..motion })
    }
}

/// The rotation of a matrix given row by row; the identity if the matrix is no rotation.
fn quaternion(rows: &[f64; MATRIX]) -> DQuat {
    let turn = DQuat::from_mat3(&DMat3::from_cols_array(rows).transpose()).to_array();
    DQuat::from_array(dopesheet_curve::quat_normalise_or_identity(turn))
}

/// Offsets of joints relative to their parents, equal in all frames; the root is as high as its lowest joint
/// requires.
fn kimodo_rest(places: &[f64], turns: &[DQuat], joints: &[(String, Option<usize>)]) -> Vec<Transform> {
    let position =
        |joint: usize| DVec3::from(places.as_chunks::<3>().0.get(joint).copied().unwrap_or_default());
    let mut heights: Vec<f64> = Vec::with_capacity(joints.len());
    let mut offsets = Vec::with_capacity(3 * joints.len());
    for (joint, (_, parent)) in joints.iter().enumerate() {
        let offset = parent.map_or(DVec3::ZERO, |parent| {
            let above = turns.get(parent).copied().unwrap_or(DQuat::IDENTITY);
            above.inverse() * (position(joint) - position(parent))
        });
        let from = parent.and_then(|parent| heights.get(parent)).copied().unwrap_or(0.0);
        heights.push(from + offset.y);
        offsets.extend(offset.to_array());
    }
    let lowest = heights.iter().copied().fold(0.0, f64::min);
    if let Some(height) = offsets.get_mut(1) {
        *height = -lowest;
    }
    still(&offsets)
}
