//! Blends of two rotations along the shorter way.

use crate::quaternion::{arc, quat_normalise_or_identity, toward, weighted_sum};

/// Arc in radians on the sphere of quaternions, below which the chord replaces the great circle.
pub(crate) const CHORD_BELOW: f64 = 1e-6;

/// Rotation that turns from `a` to `b` the shorter way round at constant speed.
///
/// * Formula: with `c = a·b`, `b` negated if `c < 0`, and `ω = acos|c|`:
///   `(sin((1−u)ω)·a + sin(uω)·b) / sin ω`; for `ω < 1e-6` radians [`nlerp`].
/// * Domain: unit quaternions and finite `u`. Outside `0..=1` the turn goes on at the same speed, so that a
///   rotation is scaled by any ratio when `a` is the identity. Quaternions of another length are normalised
///   first; quaternions without direction (zero, not finite) count as the identity, and a `u` that is not
///   finite counts as 0. So the result is a unit quaternion for every input.
/// * Ends: `a` at `u = 0`, and `b` or, if `c < 0`, `−b` at `u = 1`, exactly. Equal ends yield the same
///   rotation bit for bit at every `u`, so that resting joints do not move.
/// * Half a turn apart (`c` zero up to rounding) the direction of the turn is decided by the last bit of `c`,
///   with the sum taken in the order w, x, y, z.
/// * Source: K. Shoemake, "Animating Rotation with Quaternion Curves", 1985; glTF 2.0 specification,
///   Appendix C.4. glTF falls back to the chord below `ω = 1e-4`, engines anywhere from 1e-6 to 0.03
///   (dot product above 0.9995). One limit serves all: at 1e-4 chord and arc differ by 3.3e-14
///   radians of rotation at most, at 1e-6 by 3.3e-20.
/// * Method: `ω` from half the chord, since the `acos` of a number near 1 loses half the digits.
/// * Error: at most 4e-15 radians of rotation and 4e-15 in length for `u` in `0..=1`.
///
/// PlayCanvas' own `Quat.slerp` takes the mean of both ends for every `u` if the ends are within 0.1146° of
/// each other. This shortcut is a trait of the engine and not part of this law.
///
/// ```
/// use dopesheet_curve::{QUAT_IDENTITY, quat_angle, slerp};
///
/// // 350° about Y is 10° the other way round.
/// let half = 175_f64.to_radians();
/// let turned = slerp(QUAT_IDENTITY, [0.0, half.sin(), 0.0, half.cos()], 0.5);
/// assert!((quat_angle(QUAT_IDENTITY, turned).to_degrees() - 5.0).abs() < 1e-12);
/// assert!(turned[1] < 0.0);
/// ```
pub fn slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    GreatArc::between(a, b).at(u)
}

/// The way of [`slerp`] between two rotations, for many values of `u`: terms of the ends alone are worked out
/// once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreatArc {
    a: [f64; 4],
    b: [f64; 4],
    /// Between the ends, as points of the sphere.
    angle: f64,
    sine: f64,
}

impl GreatArc {
    /// The way from `a` to `b`.
    pub fn between(a: [f64; 4], b: [f64; 4]) -> Self {
        let a = quat_normalise_or_identity(a);
        let b = toward(a, quat_normalise_or_identity(b));
        let angle = arc(a, b);
        Self { a, b, angle, sine: libm::sin(angle) }
    }

    /// The angle between both ends as points of the sphere, in radians: half the turn from one rotation to the other.
    pub const fn angle(&self) -> f64 {
        self.angle
    }

    /// The rotation at `u`, bit for bit the result of [`slerp`].
    pub fn at(&self, u: f64) -> [f64; 4] {
        let Self { a, b, angle, sine } = *self;
        let u = finite(u);
        if a == b {
            a
        } else if angle < CHORD_BELOW {
            chord(a, b, u)
        } else {
            weighted_sum(a, libm::sin((1.0 - u) * angle) / sine, b, libm::sin(u * angle) / sine)
        }
    }

    /// The axis of the turn from start to end, of length 1, in the target space of the rotations; zero for a way too
    /// short to have an axis.
    pub fn axis(&self) -> [f64; 3] {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (self.a, self.b);
        if self.angle < CHORD_BELOW {
            return [0.0; 3];
        }
        // The vector part of b·a⁻¹.
        [
            (bx * aw - bw * ax - by * az + bz * ay) / self.sine,
            (by * aw - bw * ay - bz * ax + bx * az) / self.sine,
            (bz * aw - bw * az - bx * ay + by * ax) / self.sine,
        ]
    }

    /// The end of the way: `b`, or `−b` where `−b` is nearer to `a`.
    pub const fn end(&self) -> [f64; 4] {
        self.b
    }

    /// Derivative of the rotation's components at `u`, per unit of `u`.
    ///
    /// * Formula: `ω·(cos(uω)·b − cos((1−u)ω)·a) / sin ω`, and `b − a` below `ω = 1e-6`.
    /// * Use: a cubic by these slopes at both ends ([`hermite`](crate::hermite())), normalised, follows the arc within 7.4e-7
    ///   radians of rotation for ends 30° apart, 2.4e-5 for 60° and 1.8e-4 for 90°, with the fifth power of the angle.
    pub fn velocity_at(&self, u: f64) -> [f64; 4] {
        let Self { a, b, angle, sine } = *self;
        let u = finite(u);
        if angle < CHORD_BELOW {
            return weighted_sum(a, -1.0, b, 1.0);
        }
        let (leaving, arriving) = (libm::cos((1.0 - u) * angle), libm::cos(u * angle));
        weighted_sum(a, -leaving * angle / sine, b, arriving * angle / sine)
    }
}

/// Rotation on the straight chord from `a` to `b`, the shorter way round, scaled back to unit length.
///
/// * Formula: `q / |q|` with `q = (1−u)·a + u·b`, `b` negated if `a·b < 0`.
/// * Domain and ends: as [`slerp`], on the same path at uneven speed. Outside `0..=1` the result approaches
///   the direction of `b − a` instead of turning on; the chord never meets zero.
/// * Source: J. Blow, "Understanding Slerp, Then Not Using It", 2004. Blender and PlayCanvas play glTF
///   rotations this way, ozz-animation by choice.
/// * Difference from [`slerp`]: at most 0.0013° of rotation for ends 10° apart, 0.034° at 30°, 0.27° at
///   60°, 0.92° at 90°, 2.3° at 120°, 8.2° at 180°.
/// * Error: length within 1e-15 of 1.
pub fn nlerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let (a, b, u) = (quat_normalise_or_identity(a), quat_normalise_or_identity(b), finite(u));
    let b = toward(a, b);
    if a == b { a } else { chord(a, b, u) }
}

/// Chord through the unit quaternions `a` and `b` as they stand, brought back to the sphere.
pub(crate) fn chord(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    quat_normalise_or_identity(weighted_sum(a, 1.0 - u, b, u))
}

pub(crate) fn finite(u: f64) -> f64 {
    if u.is_finite() { u } else { 0.0 }
}
