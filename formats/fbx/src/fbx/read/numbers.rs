//! Vectors, rotations and matrices of the library as vectors, rotations and matrices of the model.

use crate::fbx::info::BINARY;
use dopesheet_core::model::Transform;

/// A whole number of a binary file, in the file's order of bytes.
pub(super) fn stored_number(bytes: &[u8], at: usize) -> Option<u32> {
    let number: [u8; 4] = *bytes.get(at..)?.first_chunk()?;
    let is_big_endian = bytes.get(BINARY.len() + 1).is_some_and(|order| *order != 0);
    Some(if is_big_endian { u32::from_be_bytes(number) } else { u32::from_le_bytes(number) })
}

/// A number; 0 for infinities and NaN.
pub(super) const fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// The nearest f32; the largest for numbers beyond, 0 for infinities and NaN.
pub(super) fn narrow(number: f64) -> f32 {
    finite(number).clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

pub(super) fn vector(v: &ufbx::Vec3) -> [f64; 3] {
    [v.x, v.y, v.z].map(finite)
}

/// A rotation of unit length; the identity for a length of 0.
pub(super) fn rotation(q: &ufbx::Quat) -> [f64; 4] {
    let q = [q.x, q.y, q.z, q.w].map(finite);
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 1e-12 { q.map(|x| x / length) } else { Transform::IDENTITY.rotation }
}

pub(super) fn transform(t: &ufbx::Transform) -> Transform {
    Transform {
        translation: vector(&t.translation),
        rotation: rotation(&t.rotation),
        scale: vector(&t.scale),
    }
}

/// Column-major 4×4.
pub(super) fn matrix(m: &ufbx::Matrix) -> [f64; 16] {
    [m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13, m.m23, 1.0]
        .map(finite)
}
