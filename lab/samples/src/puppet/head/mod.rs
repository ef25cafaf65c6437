//! The head: its form, hair, and what moves in the face.

mod brow;
mod eye;
mod form;
mod hair;
mod mouth;
mod patch;

pub(super) use form::across;

use super::pieces::HEAD;
use super::surface::Surface;
use super::tube::{Frame, Ring, Tube, spaced};
use super::weights::only;
use form::{FORM, on_face};
use glam::DVec3;

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
