//! Rotations and lengths: operations on the quaternions of a rig.

use dopesheet_curve::quat_normalise_or_identity;
use glam::{DQuat, DVec3};

/// The longest length in a rig, in any unit; longer lengths are cut to this length so that no square
/// overflows.
pub const LONGEST: f64 = 1e100;

/// A length within ±[`LONGEST`].
pub(crate) fn bounded(length: f64) -> f64 {
    if length.is_nan() { 0.0 } else { length.clamp(-LONGEST, LONGEST) }
}

pub(crate) fn bounded_vector(v: [f64; 3]) -> DVec3 {
    DVec3::from(v.map(bounded))
}

pub(crate) fn unit(q: [f64; 4]) -> DQuat {
    DQuat::from_array(quat_normalise_or_identity(q))
}

/// The vector scaled to length 1, or zero for a vector without direction.
pub(crate) fn direction(v: DVec3) -> DVec3 {
    let square = v.length_squared();
    if square > f64::MIN_POSITIVE && square.is_finite() { v / square.sqrt() } else { DVec3::ZERO }
}

/// The part `ratio` of a rotation: its angle, at most half a turn, times the ratio.
///
/// * Formula: `slerp(identity, q, ratio)`, going on beyond its ends.
/// * Domain: a unit quaternion and any finite ratio; a ratio below 0 turns back, a ratio above 1 turns
///   further.
/// * Source: appended rotation of PMX bones with ratios such as −1, −0.7 and 1.5.
///
/// ```
/// use dopesheet_rig::share;
///
/// let (s, c) = 20.0_f64.to_radians().sin_cos();
/// let [x, _, _, w] = share([s, 0.0, 0.0, c], 1.5);
/// assert!((x - 0.5).abs() < 1e-15 && (w - 0.75_f64.sqrt()).abs() < 1e-15);
/// ```
#[must_use]
pub fn share(q: [f64; 4], ratio: f64) -> [f64; 4] {
    share_of(DQuat::from_array(q), ratio).to_array()
}

pub(crate) fn share_of(q: DQuat, ratio: f64) -> DQuat {
    let q = if q.w < 0.0 { -q } else { q };
    if ratio == 1.0 {
        return q;
    }
    let v = DVec3::new(q.x, q.y, q.z);
    let length = v.length();
    if length == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sin, cos) = libm::sincos(libm::atan2(length, q.w) * bounded(ratio));
    let v = v * (sin / length);
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The rotation by the same angle about a given axis, in the nearer direction.
///
/// * Formula: the vector part is replaced by `±|v|·axis` with the sign of `v·axis`; where that is 0, by +.
/// * Domain: unit quaternions, a unit axis.
/// * Source: MikuMikuDance does this to each *key* of a bone with a fixed axis on registering the key;
///   babylon-mmd to the rotation of each frame. Rotations already about the axis stay unchanged, so both
///   programs agree once the keys have gone through this function.
#[must_use]
pub fn about_axis(q: [f64; 4], axis: [f64; 3]) -> [f64; 4] {
    onto_axis(DQuat::from_array(q), DVec3::from(axis)).to_array()
}

pub(crate) fn onto_axis(q: DQuat, axis: DVec3) -> DQuat {
    let v = DVec3::new(q.x, q.y, q.z);
    let turned = axis * v.length().copysign(positive_or(v.dot(axis)));
    DQuat::from_xyzw(turned.x, turned.y, turned.z, q.w)
}

/// The number itself, with −0 counting as positive.
pub(crate) fn positive_or(x: f64) -> f64 {
    x + 0.0
}
