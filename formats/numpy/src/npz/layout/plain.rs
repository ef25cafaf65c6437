//! Joints of any names: their places, or their rotations.

use super::super::codes;
use super::facts::FPS;
use super::{ClipNumbers, Interpreter, Layout, Motion, Rotations, Take, still};
use dopesheet_core::model::Transform;
use dopesheet_core::words::counted;

/// Quaternions this near to unit length are.
const UNIT_SLACK: f64 = 1e-3;

impl Interpreter<'_> {
    pub(super) fn positions(&mut self, name: &str) -> Option<Motion> {
        let (places, shape) = self.numbers(name, &[None, None, Some(3)])?;
        let (frames, count) = (shape.first().copied()?, shape.get(1).copied()?);
        let (joints, knows_parents) = self.joints(count);
        let (rate, basis) = (self.rate(&[FPS]), self.basis());
        let offsets = self.optional("offsets", &[count, 3], None);
        let is_rest_assumed = offsets.is_none();
        let offsets = offsets.unwrap_or_else(|| first_offsets(&places, &joints));
        if is_rest_assumed && self.document.array("offsets").is_none() {
            let expected = "an array offsets (the rest pose)";
            self.say(codes::REST_ASSUMED, "", expected, "none; the first frame is used as the rest pose");
        }
        let take = Take::new(frames, ClipNumbers::Places(places));
        Some(Motion {
            knows_parents,
            rate,
            basis,
            rest: still(&offsets),
            is_rest_assumed,
            ..Motion::of(Layout::Positions, joints, vec![take])
        })
    }

    pub(super) fn clip(&mut self, name: &str) -> Option<Motion> {
        let (numbers, shape) = self.numbers(name, &[None, None, Some(4)])?;
        let (frames, count) = (shape.first().copied()?, shape.get(1).copied()?);
        self.check_units(name, &numbers);
        let (joints, knows_parents) = self.joints(count);
        let (rate, basis) = (self.rate(&[FPS]), self.basis());
        let rest = self.clip_rest(count);
        let quaternions = self.has_real_part_first().map(|first| quaternions(numbers, first));
        let roots = joints.iter().filter(|(_, parent)| parent.is_none()).count();
        let root = match roots {
            1 => self.optional("root_positions", &[3], Some(frames)),
            _ => None,
        };
        let translations = self.optional("translations", &[count, 3], Some(frames));
        let scales = self.optional("scales", &[count, 3], Some(frames));
        let rotations = Rotations::Quaternions(quaternions);
        let values = ClipNumbers::Transforms { rotations, roots: root, translations, scales };
        let motion = Motion::of(Layout::Clip, joints, vec![Take::new(frames, values)]);
        Some(Motion { knows_parents, rate, basis, rest, ..motion })
    }

    pub(super) fn check_units(&mut self, name: &str, numbers: &[f64]) {
        let lengths = numbers.as_chunks::<4>().0.iter().map(|q| q.iter().map(|x| x * x).sum::<f64>().sqrt());
        let is_off = |length: &f64| length.is_finite() && (length - 1.0).abs() > UNIT_SLACK;
        let mut bad = lengths.enumerate().filter(|(_, length)| is_off(length));
        if let Some((entry, length)) = bad.next() {
            let actual = match bad.count() {
                0 => format!("one of length {length:.6}"),
                further => {
                    format!("one of length {length:.6}; {} in all", counted(1 + further, "such quaternion"))
                }
            };
            self.say_of(codes::UNIT, name, Some(4 * entry), "quaternions of unit length", actual);
        }
    }

    fn clip_rest(&mut self, count: usize) -> Vec<Transform> {
        let offsets = self.optional("offsets", &[count, 3], None);
        let rotations = self.optional("rest_rotations", &[count, 4], None);
        let scales = self.optional("rest_scales", &[count, 3], None);
        if offsets.is_none() && self.document.array("offsets").is_none() {
            let actual = "none; all joints rest at their parents";
            self.say(codes::REST_ASSUMED, "", "an array offsets (the rest pose)", actual);
        }
        let mut rest = vec![Transform::IDENTITY; count];
        let offsets = offsets.unwrap_or_default();
        for (transform, offset) in rest.iter_mut().zip(offsets.as_chunks::<3>().0) {
            transform.translation = *offset;
        }
        for (transform, scale) in rest.iter_mut().zip(scales.unwrap_or_default().as_chunks::<3>().0) {
            transform.scale = *scale;
        }
        if let Some(rotations) = rotations {
            let first = self.has_real_part_first().unwrap_or(false);
            let rotations = quaternions(rotations, first);
            for (transform, rotation) in rest.iter_mut().zip(rotations.as_chunks::<4>().0) {
                transform.rotation = dopesheet_curve::quat_normalise_or_identity(*rotation);
            }
        }
        rest
    }
}

/// Quaternions with their real part last.
pub(super) fn quaternions(mut numbers: Vec<f64>, has_real_part_first: bool) -> Vec<f64> {
    if has_real_part_first {
        numbers.as_chunks_mut::<4>().0.iter_mut().for_each(|q| q.rotate_left(1));
    }
    numbers
}

/// Offsets of joints from their parents in the first frame.
pub(super) fn first_offsets(places: &[f64], joints: &[(String, Option<usize>)]) -> Vec<f64> {
    let (points, _) = places.as_chunks::<3>();
    let position = |joint: usize| {
        points.get(joint).copied().unwrap_or_default().map(|x| if x.is_finite() { x } else { 0.0 })
    };
    let from = |parent: &Option<usize>| parent.map_or([0.0; 3], position);
    let offset = |(index, (_, parent)): (usize, &(String, Option<usize>))| {
        let (to, from) = (position(index), from(parent));
        std::array::from_fn::<f64, 3, _>(|axis| to[axis] - from[axis])
    };
    joints.iter().enumerate().flat_map(offset).collect()
}
