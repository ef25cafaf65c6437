//! Rotations with a stored angle, beyond half and whole turns.

use crate::logarithm::quat_exp;
use crate::quaternion::{dot, quat_normalise_or_identity, quat_product};
use crate::squad::squad_signed;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Largest amount missing from 2π in an angle counted as a whole turn, in radians.
const WHOLE_TURN_SLACK: f64 = 1e-4;

/// Largest difference between 1 and the length of an axis counted as a unit vector.
const AXIS_SLACK: f64 = 1e-2;

/// Cosine of the largest arc, on the sphere of quaternions, between the end of a turn and its key.
const MISS_COSINE: f64 = 0.999;

/// Turn from one key to the next, stored at the next key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// Angle in radians, any number of whole turns; negative ones go the other way round.
    pub angle: f64,
    /// Unit vector in the frame of the key at the start of the turn.
    pub axis: [f64; 3],
}

impl Turn {
    /// True if the turn is a whole turn or more, so that the keys alone do not determine its angle.
    pub fn is_whole(&self) -> bool {
        self.angle.abs() >= TAU - WHOLE_TURN_SLACK
    }

    /// Axis of unit length, on the side with a positive angle; `None` if the stored axis is not of length 1
    /// within 0.01.
    pub fn unit_axis(&self) -> Option<[f64; 3]> {
        let length = self.axis.iter().map(|v| v * v).sum::<f64>().sqrt();
        let signed = if self.angle < 0.0 { -length } else { length };
        ((length - 1.0).abs() <= AXIS_SLACK).then(|| self.axis.map(|v| v / signed))
    }

    /// True if the turn leads from the rotation `from` to `to`: its axis is of unit length within 0.01, and
    /// its end misses `to` by at most 5.1° (a cosine of 0.999 on the sphere). The signs of the quaternions do
    /// not matter.
    pub fn fits(&self, from: [f64; 4], to: [f64; 4]) -> bool {
        self.unit_axis().is_some_and(|axis| self.meets(axis, from, to).abs() > MISS_COSINE)
    }

    /// Cosine of the arc between `to` and the end of the turn from `from`.
    fn meets(&self, axis: [f64; 3], from: [f64; 4], to: [f64; 4]) -> f64 {
        let (from, to) = (quat_normalise_or_identity(from), quat_normalise_or_identity(to));
        dot(to, quat_product(from, about(axis, 0.5 * self.angle.abs())))
    }
}

/// Rotation on the spherical cubic from `q0` to `q1` with the controls `s0` and `s1`, going as far round as
/// `turn`.
///
/// * Formula for turns of less than 2π − 1e-4: [`squad_signed`] after `q1` and `s1` were both negated if
///   `(q0·q1)·cos(angle/2) < 0`. So 200° turn 200° and not 160° the other way.
/// * Formula for longer turns, with the unit axis a, `N = |angle|/π` and `S = u·N`:
///   `squad_signed(q0, s0, p, p, S)` with `p = q0·a` for `S < 1`, which gathers speed over half a turn;
///   `q0` turned by `π·S` about a for `S ≤ N − 1`; then `squad_signed(m, m, s1, q1, S − (N − 1))` with `m = −q1·a`.
/// * If a longer turn does not fit its keys ([`Turn::fits`]), the formula for short turns with the cosine
///   taken as 1.
/// * Domain: as [`squad_signed`], also for angles and axes that are not finite; `u` in `0..=1`, numbers below
///   count as 0, above as 1, NaN as 0. Every input gives a unit quaternion. The ends are `q0` and `q1`,
///   either up to its sign.
/// * Source: TCB rotations of 3ds Max, with angle and axis in the keys; the three stretches are the stretches
///   of NeL's `CQuat` and of MORE (Myst IV: Revelation).
/// * Error: at most 3e-14 radians, and 1e-15 of the angle. The pieces of a long turn meet as exactly as angle and axis fit
///   the keys.
///
/// ```
/// use dopesheet_curve::{QUAT_IDENTITY, Turn, quat_angle, quat_exp, turn_squad};
///
/// let twice_and_a_half = Turn { angle: 900_f64.to_radians(), axis: [0.0, 1.0, 0.0] };
/// let end = quat_exp([0.0, 0.5 * twice_and_a_half.angle, 0.0]);
/// let middle = turn_squad(QUAT_IDENTITY, QUAT_IDENTITY, end, end, twice_and_a_half, 0.5);
/// assert!((quat_angle(QUAT_IDENTITY, middle).to_degrees() - 90.0).abs() < 1e-9, "450°");
/// ```
pub fn turn_squad(q0: [f64; 4], s0: [f64; 4], s1: [f64; 4], q1: [f64; 4], turn: Turn, u: f64) -> [f64; 4] {
    let u = if u > 0.0 { u.min(1.0) } else { 0.0 };
    let (q0, q1) = (quat_normalise_or_identity(q0), quat_normalise_or_identity(q1));
    let negated = |q: [f64; 4], is: bool| if is { q.map(|v| -v) } else { q };
    let Some(axis) = turn.unit_axis().filter(|_| turn.is_whole() && turn.fits(q0, q1)) else {
        let cosine =
            if turn.angle.abs() < TAU - WHOLE_TURN_SLACK { libm::cos(0.5 * turn.angle) } else { 1.0 };
        let flips = dot(q0, q1) * cosine < 0.0;
        return squad_signed(q0, s0, negated(s1, flips), negated(q1, flips), u);
    };
    // With the sign that the turn itself arrives with, the three stretches join as quaternions too.
    let flips = turn.meets(axis, q0, q1) < 0.0;
    long_turn(q0, s0, [negated(s1, flips), negated(q1, flips)], axis, u, turn.angle.abs() / PI)
}

/// A turn of `half_turns` about `axis` from `q0` to `q1`; the turn must fit the keys.
fn long_turn(
    q0: [f64; 4],
    s0: [f64; 4],
    [s1, q1]: [[f64; 4]; 2],
    axis: [f64; 3],
    u: f64,
    half_turns: f64,
) -> [f64; 4] {
    let [x, y, z] = axis;
    let along = u * half_turns;
    if along < 1.0 {
        let p = quat_product(q0, [x, y, z, 0.0]);
        squad_signed(q0, s0, p, p, along)
    } else if along <= half_turns - 1.0 {
        quat_product(q0, about(axis, FRAC_PI_2 * along))
    } else {
        let m = quat_product(q1, [-x, -y, -z, 0.0]);
        squad_signed(m, m, s1, q1, along - (half_turns - 1.0))
    }
}

/// Turn about a unit axis by twice `half_angle`.
fn about(axis: [f64; 3], half_angle: f64) -> [f64; 4] {
    quat_exp(axis.map(|v| v * half_angle))
}
