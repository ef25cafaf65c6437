//! The 263 numbers that describe a frame in HumanML3D, and the places of the joints given by them.
//!
//! Source: C. Guo et al., "Generating Diverse and Natural 3D Human Motions from Text", 2022, section 3 (pose representation).
//! A frame has, in this order: turning speed of the root about Y, its speed along X and Z as seen from the
//! root, and its height (4); places of the 21 other joints as seen from the root (63); their rotations in six
//! numbers (126); velocities of all joints (66); and the contacts of the feet with the ground (4).
//!
//! The turn is half an angle: it makes the quaternion (0, sin a, 0, cos a), which turns the world into the
//! root's axes.

use super::super::{codes, smpl};
use super::{Interpreter, Layout, Motion};

/// Numbers of a frame.
pub(super) const WIDTH: usize = 263;
/// Numbers of the root, before the places.
const OF_ROOT: usize = 4;
/// Possible heights of a person's pelvis, in metres.
const HEIGHTS: std::ops::RangeInclusive<f64> = -1.0..=4.0;

impl Interpreter<'_> {
    pub(super) fn features(&mut self, name: &str) -> Option<Motion> {
        let (numbers, shape) = self.numbers(name, &[None, Some(WIDTH)])?;
        let frames = shape.first().copied().unwrap_or(0);
        let (rows, _) = numbers.as_chunks::<WIDTH>();
        let height = rows.iter().enumerate().map(|(frame, row)| (frame, row[3]));
        if let Some((frame, height)) = height.into_iter().find(|(_, y)| y.is_finite() && !HEIGHTS.contains(y))
        {
            let expected = "a root between -1 m and 4 m: features that are not normalised";
            self.say_of(codes::HEIGHT, name, Some(frame * WIDTH + 3), expected, format!("{height} m"));
        }
        self.points_of_humanml3d(places(rows), frames, Layout::Features)
    }
}

/// World positions of all joints, frame by frame.
fn places(rows: &[[f64; WIDTH]]) -> Vec<f64> {
    let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
    let (mut half_turn, mut x, mut z) = (0.0, 0.0, 0.0);
    let mut places = Vec::with_capacity(3 * smpl::BODY_JOINTS * rows.len());
    for (frame, row) in rows.iter().enumerate() {
        // What a frame says of the way is gone until the next one.
        if let Some(before) = frame.checked_sub(1).and_then(|before| rows.get(before)) {
            half_turn += finite(before[0]);
            let gone = turned(half_turn, [finite(before[1]), finite(before[2])]);
            x += gone[0];
            z += gone[1];
        }
        places.extend([x, row[3], z]);
        for [own_x, y, own_z] in row[OF_ROOT..].as_chunks::<3>().0.iter().take(smpl::BODY_JOINTS - 1) {
            let seen = turned(half_turn, [*own_x, *own_z]);
            places.extend([x + seen[0], *y, z + seen[1]]);
        }
    }
    places
}

/// X and Z of a vector of the root, turned back into the world: by twice the angle, about −Y.
fn turned(half_turn: f64, [x, z]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = libm::sincos(2.0 * half_turn);
    [cos * x - sin * z, sin * x + cos * z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_that_turns_goes_round() {
        let mut row = [0.0; WIDTH];
        // An eighth of a turn per frame (half an angle each), a metre forward, and a joint in front.
        row[0] = std::f64::consts::FRAC_PI_8;
        row[2] = 1.0;
        row[3] = 0.9;
        row[OF_ROOT + 1] = 1.5;
        row[OF_ROOT + 2] = 0.5;
        let places = places(&[row; 9]);
        let root = |frame: usize| &places[66 * frame..][..3];
        let joint = |frame: usize| &places[66 * frame + 3..][..3];
        assert_eq!((root(0), joint(0)), (&[0.0, 0.9, 0.0][..], &[0.0, 1.5, 0.5][..]));
        let near = |a: &[f64], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(near(root(1), [-half, 0.9, half]), "{:?}", root(1));
        assert!(near(joint(2), [root(2)[0] - 0.5, 1.5, root(2)[2]]), "{:?}", joint(2));
        assert!(near(root(8), [0.0, 0.9, 0.0]), "after eight eighths: {:?}", root(8));
    }
}
