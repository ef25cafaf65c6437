//! The form of the head without hair.

use crate::puppet::tube::{self, Ring};
use glam::DVec3;

pub(super) const FORM: [Ring; 12] = [
    [16.91, 0.16, 0.18, 0.16, 0.0, 0.43, 0.0],
    [16.97, 0.32, 0.33, 0.28, 0.0, 0.38, 0.0],
    [17.08, 0.50, 0.46, 0.40, 0.0, 0.32, 0.0],
    [17.25, 0.72, 0.63, 0.60, 0.0, 0.21, 0.0],
    [17.50, 0.92, 0.80, 0.81, 0.0, 0.12, 0.0],
    [17.80, 1.06, 0.93, 1.00, 0.0, 0.06, 0.0],
    [18.20, 1.14, 1.02, 1.16, 0.0, 0.02, 0.0],
    [18.60, 1.15, 1.06, 1.22, 0.0, 0.00, 0.0],
    [19.00, 1.09, 1.00, 1.17, 0.0, 0.00, 0.0],
    [19.35, 0.91, 0.84, 0.99, 0.0, 0.00, 0.0],
    [19.60, 0.64, 0.58, 0.71, 0.0, 0.00, 0.0],
    [19.72, 0.38, 0.34, 0.42, 0.0, 0.00, 0.0],
];

/// Distances of the surface of the head to the side and to the front.
pub(in crate::puppet) fn across(turns: f64, y: f64) -> [f64; 2] {
    tube::across(&tube::ring(&FORM, y), turns)
}

/// The point of the face that is that far to the side, and that high, lifted off the skin.
pub(super) fn on_face(x: f64, y: f64, lift: f64) -> DVec3 {
    let [_, half, front, _, _, forward, _] = tube::ring(&FORM, y);
    let cos = (x / half).clamp(-0.999, 0.999);
    DVec3::new(x, y, -(forward + front * (1.0 - cos * cos).sqrt() + lift))
}

/// The direction away from the face there.
pub(super) fn face_normal(x: f64, y: f64) -> DVec3 {
    const STEP: f64 = 1e-4;
    let along = |dx: f64, dy: f64| on_face(x + dx, y + dy, 0.0) - on_face(x - dx, y - dy, 0.0);
    along(0.0, STEP).cross(along(STEP, 0.0)).normalize()
}
