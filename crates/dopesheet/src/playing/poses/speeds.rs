//! Velocities of joints.

use super::Poses;
use crate::error::Error;
use dopesheet_curve::rotation_vector_from_quat;
use glam::{DQuat, DVec3};

/// Velocities of all joints as seen from the model; laid out as [`Poses::translations`].
#[derive(Clone, Debug, PartialEq)]
pub struct Velocities {
    /// Units of the basis per second, x y z.
    pub linear: Vec<f32>,
    /// Radians per second about each axis of the model, x y z.
    pub angular: Vec<f32>,
}

impl Poses {
    /// Velocities by central differences: from the pose before to the pose after each, divided by the time
    /// between them; at the ends, from one pose to the next. Rotations take the shorter way. Poses at equal
    /// times share the velocity from the pose before all of them to the pose after all of them. A single time
    /// has velocities of 0.
    ///
    /// # Errors
    /// As [`Poses::in_model_space`].
    pub fn velocities(&self) -> Result<Velocities, Error> {
        let model = self.in_model_space()?;
        let (places, turns) = (model.positions.as_chunks::<3>().0, model.rotations.as_chunks::<4>().0);
        let joints = self.joints.len();
        let mut out = Velocities {
            linear: Vec::with_capacity(model.positions.len()),
            angular: Vec::with_capacity(model.positions.len()),
        };
        for time in 0..self.times_s.len() {
            let (before, after, seconds) = self.around(time);
            for joint in 0..joints {
                let at = |time: usize| time * joints + joint;
                let position =
                    |time| places.get(at(time)).map_or(DVec3::ZERO, |p| DVec3::from(p.map(f64::from)));
                let turn = |time| {
                    turns.get(at(time)).map_or(DQuat::IDENTITY, |q| DQuat::from_array(q.map(f64::from)))
                };
                let (moved, turned) = match seconds > 0.0 {
                    true => {
                        let turn = (turn(after) * turn(before).inverse()).normalize();
                        let vector = DVec3::from(rotation_vector_from_quat(turn.to_array()));
                        ((position(after) - position(before)) / seconds, vector / seconds)
                    }
                    false => (DVec3::ZERO, DVec3::ZERO),
                };
                out.linear.extend(moved.to_array().map(|x| x as f32));
                out.angular.extend(turned.to_array().map(|x| x as f32));
            }
        }
        Ok(out)
    }

    /// The nearest poses before and after a pose at other times, or the pose itself at an end, and the
    /// seconds between them.
    fn around(&self, time: usize) -> (usize, usize, f64) {
        let now = self.times_s.get(time).copied().unwrap_or_default();
        let before = self.times_s.partition_point(|other| *other < now).checked_sub(1);
        let after = self.times_s.partition_point(|other| *other <= now);
        let (before, after) = (before.unwrap_or(time), if after < self.times_s.len() { after } else { time });
        let at = |time: usize| self.times_s.get(time).copied().unwrap_or_default();
        (before, after, at(after) - at(before))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PoseJoint;
    use super::*;
    use dopesheet_core::model::{Basis, Hierarchy, Transform};

    /// A root that goes along X at 2 units a second and turns about Y at `turn` radians a second, with an arm of 1 along Z.
    fn circling(turn: f64, times_s: &[f64]) -> Poses {
        let joint =
            |name: &str, parent| PoseJoint { name: name.into(), index: 0, parent, rest: Transform::IDENTITY };
        let mut poses = Poses {
            name: None,
            basis: Basis::GLTF,
            hierarchy: Hierarchy::Known,
            joints: vec![joint("root", None), joint("arm", Some(0))],
            rate: None,
            times_s: times_s.to_vec(),
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: vec![1.0; 6 * times_s.len()],
        };
        for time in times_s {
            poses.translations.extend([(2.0 * time) as f32, 0.0, 0.0, 0.0, 0.0, 1.0]);
            let half = 0.5 * turn * time;
            poses.rotations.extend([0.0, half.sin() as f32, 0.0, half.cos() as f32, 0.0, 0.0, 0.0, 1.0]);
        }
        poses
    }

    fn near(found: &[f32], expected: [f64; 3], tolerance: f64) -> bool {
        found.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < tolerance)
    }

    #[test]
    fn an_arm_that_circles_is_as_fast_as_its_length_times_the_turn() {
        let times: Vec<f64> = (0..=100).map(|n| f64::from(n) / 100.0).collect();
        let velocities = circling(3.0, &times).velocities().unwrap();
        for (at, time) in times.iter().enumerate().skip(1).take(99) {
            let row = |numbers: &[f32], joint: usize| numbers[(2 * at + joint) * 3..][..3].to_vec();
            let angle = 3.0 * time;
            assert!(near(&row(&velocities.angular, 0), [0.0, 3.0, 0.0], 1e-4), "{time}");
            assert!(near(&row(&velocities.linear, 0), [2.0, 0.0, 0.0], 1e-4), "{time}");
            let arm = [2.0 + 3.0 * angle.cos(), 0.0, -3.0 * angle.sin()];
            assert!(
                near(&row(&velocities.linear, 1), arm, 1e-3),
                "{time}: {:?} {arm:?}",
                row(&velocities.linear, 1)
            );
        }
    }

    #[test]
    fn times_need_not_be_even_and_a_jump_is_measured_across() {
        let velocities = circling(1.0, &[0.0, 0.1, 0.1, 0.5]).velocities().unwrap();
        for time in 0..4 {
            assert!(near(&velocities.linear[6 * time..][..3], [2.0, 0.0, 0.0], 1e-5), "{velocities:?}");
            assert!(near(&velocities.angular[6 * time..][..3], [0.0, 1.0, 0.0], 1e-5), "{velocities:?}");
        }
        let still = circling(1.0, &[0.3]).velocities().unwrap();
        assert_eq!(still.linear, [0.0; 6]);
    }

    #[test]
    fn a_motion_without_a_hierarchy_has_no_velocities_in_the_model() {
        let poses = Poses { hierarchy: Hierarchy::Unknown, ..circling(1.0, &[0.0, 1.0]) };
        assert!(poses.velocities().is_err());
    }
}
