//! The head: its form, hair, and what moves in the face.

mod brow;
mod eye;
mod hair;
mod mouth;
mod patch;

use super::surface::{Point, Surface};
use super::texture::HEAD;
use super::tube::{self, Frame, Ring, Tube, spaced};
use super::weights::only;
use glam::DVec3;

const FORM: [Ring; 12] = [
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

/// Head without hair.
pub(super) fn skin() -> Surface {
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &FORM,
        rings: spaced(&[(16.91, 17.25, 5), (17.25, 19.35, 10), (19.35, 19.72, 3)]),
        tips: [Some(16.89), Some(19.76)],
        segments: 32,
        piece: HEAD,
        weigh: &|_, _| only("頭"),
    };
    tube.surface().and(nose())
}

/// A small bump.
fn nose() -> Surface {
    const HEIGHT: f64 = 17.79;
    const BUMP: [Ring; 4] = [
        [0.00, 0.062, 0.12, 0.050, 0.0, 0.0, 0.0],
        [0.04, 0.047, 0.08, 0.040, 0.0, -0.005, 0.0],
        [0.07, 0.028, 0.036, 0.025, 0.0, -0.01, 0.0],
        [0.08, 0.012, 0.014, 0.011, 0.0, -0.01, 0.0],
    ];
    let frame =
        Frame { origin: on_face(0.0, HEIGHT, -0.03), along: DVec3::NEG_Z, side: DVec3::X, up: DVec3::Y };
    let tube = Tube {
        frame,
        profile: &BUMP,
        rings: BUMP.map(|ring| ring[0]).to_vec(),
        tips: [None, Some(0.083)],
        segments: 10,
        piece: HEAD,
        weigh: &|_, _| only("頭"),
    };
    let mut surface = tube.surface();
    surface.points.iter_mut().for_each(|point| point.pixel = HEAD.pixel(0.5, HEIGHT + 0.1));
    surface
}

/// Hair and what is in it.
pub(super) fn hair() -> Surface {
    hair::surface()
}

/// Eyes, brows and mouth, with what morphs do to them.
pub(super) fn face() -> Surface {
    eye::eyes().and(brow::brows()).and(mouth::mouth())
}

/// How far to the side and to the front the head's surface is.
pub(super) fn across(turns: f64, y: f64) -> [f64; 2] {
    tube::across(&tube::ring(&FORM, y), turns)
}

/// The point of the face that is that far to the side, and that high, lifted off the skin.
fn on_face(x: f64, y: f64, lift: f64) -> DVec3 {
    let [_, half, front, _, _, forward, _] = tube::ring(&FORM, y);
    let cos = (x / half).clamp(-0.999, 0.999);
    DVec3::new(x, y, -(forward + front * (1.0 - cos * cos).sqrt() + lift))
}

/// Away from the face there.
fn face_normal(x: f64, y: f64) -> DVec3 {
    const STEP: f64 = 1e-4;
    let along = |dx: f64, dy: f64| on_face(x + dx, y + dy, 0.0) - on_face(x - dx, y - dy, 0.0);
    along(0.0, STEP).cross(along(STEP, 0.0)).normalize()
}
