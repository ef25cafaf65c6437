//! Smooth chains of rotations: the spherical cubic and the underlying blend.

use crate::logarithm::{quat_exp, quat_log};
use crate::quaternion::{
    dot, quat_inverse, quat_normalise_above, quat_normalise_or_identity, quat_product, toward, weighted_sum,
};
use crate::slerp::{CHORD_BELOW, chord, finite};

/// Sine of the arc, below which quaternions at opposite ends of the sphere have no great circle of their own.
const OPPOSITE: f64 = 1e-9;

/// Length below which a control quaternion has no direction.
const CONTROL_MIN_LENGTH: f64 = 1e-6;

/// Rotation on the great circle from `a` to `b` **by their signs**: the longer way round if `a·b < 0`.
///
/// * Formula: with `ω = acos(a·b)` in `0..=π`: `(sin((1−u)ω)·a + sin(uω)·b) / sin ω`. Where `ω < 1e-6` or
///   `sin ω < 1e-9` the chord instead, brought back to the sphere; between exactly opposite quaternions the
///   chord gives `a` before the middle, `b` after the middle and the identity in the middle.
/// * Domain: unit quaternions and a finite `u`. `a` and `b` are exact at the ends.
/// * Source: K. Shoemake, "Animating Rotation with Quaternion Curves", 1985, before the usual test of signs.
/// * Method: `ω` from `|a − b|` and `|a + b|`, since the `acos` loses half the digits at both ends.
/// * Error: at most 8e-15/sin ω radians of rotation for `u` in `0..=1`.
fn arc_between(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let (gap, sum) = (weighted_sum(a, 1.0, b, -1.0), weighted_sum(a, 1.0, b, 1.0));
    let angle = 2.0 * libm::atan2(dot(gap, gap).sqrt(), dot(sum, sum).sqrt());
    let sine = libm::sin(angle);
    if angle < CHORD_BELOW || sine < OPPOSITE {
        return chord(a, b, u);
    }
    let q = weighted_sum(a, libm::sin((1.0 - u) * angle) / sine, b, libm::sin(u * angle) / sine);
    quat_normalise_or_identity(q)
}

/// Rotation on the spherical cubic from `q0` to `q1` with the controls `s0` and `s1`, **signs unchanged**.
///
/// * Formula: `slerp(slerp(q0, q1, u), slerp(s0, s1, u), 2u(1−u))`, each on the great circle by the signs.
/// * Domain: unit quaternions and `u` in `0..=1`. Other quaternions are normalised; a control shorter than
///   1e-6 or not finite counts as its key, a key without direction as the identity, and a `u` that is not
///   finite as 0. Every input gives a unit quaternion; the ends are exact.
/// * Source: K. Shoemake, "Quaternion Calculus and Fast Animation", SIGGRAPH course notes, 1987.
/// * Error: at most 3e-14 radians of rotation for arcs up to 120° on the sphere.
///
/// Formats with meaningless signs use [`squad`].
pub fn squad_signed(q0: [f64; 4], s0: [f64; 4], s1: [f64; 4], q1: [f64; 4], u: f64) -> [f64; 4] {
    let (q0, q1, u) = (quat_normalise_or_identity(q0), quat_normalise_or_identity(q1), finite(u));
    cubic(q0, control(s0, q0), control(s1, q1), q1, u)
}

/// Rotation on the spherical cubic from `q0` to `q1` with the controls `s0` and `s1`, the shorter way round
/// for all signs.
///
/// * Formula: [`squad_signed`] after `q1` was negated if `q0·q1 < 0`, then `s0` if `s0·q0 < 0` and `s1` if `s1·q1 < 0`.
/// * Domain, error: as [`squad_signed`].
/// * Source: Bezier rotations of 3ds Max and of MORE (Myst IV: Revelation), with one control per key and no
///   reliable signs.
///
/// ```
/// use dopesheet_curve::{QUAT_IDENTITY, quat_angle, slerp, squad};
///
/// // Controls that equal their keys draw the great circle.
/// let b = [0.6, 0.0, 0.0, 0.8];
/// let turned = squad(QUAT_IDENTITY, QUAT_IDENTITY, b.map(|v| -v), b, 0.3);
/// assert!(quat_angle(turned, slerp(QUAT_IDENTITY, b, 0.3)) < 1e-15);
/// ```
pub fn squad(q0: [f64; 4], s0: [f64; 4], s1: [f64; 4], q1: [f64; 4], u: f64) -> [f64; 4] {
    let q0 = quat_normalise_or_identity(q0);
    let q1 = toward(q0, quat_normalise_or_identity(q1));
    cubic(q0, toward(q0, control(s0, q0)), toward(q1, control(s1, q1)), q1, finite(u))
}

fn control(s: [f64; 4], key: [f64; 4]) -> [f64; 4] {
    quat_normalise_above(s, CONTROL_MIN_LENGTH).unwrap_or(key)
}

/// [`squad_signed`] of unit quaternions at a finite `u`.
fn cubic(q0: [f64; 4], s0: [f64; 4], s1: [f64; 4], q1: [f64; 4], u: f64) -> [f64; 4] {
    arc_between(arc_between(q0, q1, u), arc_between(s0, s1, u), 2.0 * u * (1.0 - u))
}

/// Control quaternion of the key `q`, for a smooth passage of [`squad`] from the segment before the key to
/// the segment after the key.
///
/// * Formula: `q·exp(−¼·(log(q⁻¹·p) + log(q⁻¹·n)))` with the neighbours p and n brought to the hemisphere of `q`. A key
///   at an end takes its only neighbour for both; a key without neighbours is its own control.
/// * Domain: unit quaternions; other quaternions are normalised, and quaternions without direction count as
///   the identity.
/// * Source: K. Shoemake, "Quaternion Calculus and Fast Animation", 1987.
/// * Error: at most 2e-15 in each component.
pub fn squad_control(previous: Option<[f64; 4]>, q: [f64; 4], next: Option<[f64; 4]>) -> [f64; 4] {
    let q = quat_normalise_or_identity(q);
    let away = |neighbour: Option<[f64; 4]>| neighbour.map(|n| step_log(q, n));
    let (before, after) = (away(previous), away(next));
    let [[px, py, pz], [nx, ny, nz]] = [before.or(after), after.or(before)].map(Option::unwrap_or_default);
    let quarter = [px + nx, py + ny, pz + nz].map(|sum| -0.25 * sum);
    quat_normalise_or_identity(quat_product(q, quat_exp(quarter)))
}

/// Logarithm of the rotation from the unit quaternion `from` to `to` the shorter way, in the frame of `from`.
pub(crate) fn step_log(from: [f64; 4], to: [f64; 4]) -> [f64; 3] {
    let to = toward(from, quat_normalise_or_identity(to));
    quat_log(quat_product(quat_inverse(from), to))
}
