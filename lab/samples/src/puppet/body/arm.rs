//! Sleeves and cuffs.

use super::super::pieces::{CUFF, SLEEVE};
use super::super::skeleton::{ARM, ELBOW, WRIST, head};
use super::super::surface::Surface;
use super::super::tube::{Frame, Ring, Tube, spaced};
use super::super::weights::{Handover, along, only};
use glam::DVec3;

/// From a bone along the left arm; the front is to the side, and the back of the hand is up.
pub(super) fn frame(bone: &str) -> Frame {
    let along = DVec3::from(ARM);
    Frame { origin: head(bone), along, side: DVec3::NEG_Z, up: DVec3::new(-along.y, along.x, 0.0) }
}

const PROFILE: [Ring; 13] = [
    [-0.46, 0.18, 0.14, 0.22, 0.0, -0.03, 0.0],
    [-0.34, 0.35, 0.25, 0.38, 0.0, -0.02, 0.0],
    [-0.10, 0.46, 0.36, 0.47, 0.0, 0.00, 0.0],
    [0.20, 0.47, 0.39, 0.46, 0.0, 0.00, 0.0],
    [0.70, 0.43, 0.38, 0.41, 0.0, 0.00, 0.0],
    [1.30, 0.39, 0.36, 0.37, 0.0, 0.00, 0.0],
    [2.00, 0.35, 0.33, 0.33, 0.0, 0.00, 0.0],
    [2.50, 0.32, 0.31, 0.32, 0.0, 0.00, 0.0],
    [2.90, 0.33, 0.32, 0.32, 0.0, 0.00, 0.0],
    [3.40, 0.32, 0.31, 0.30, 0.0, 0.00, 0.0],
    [4.00, 0.28, 0.27, 0.26, 0.0, 0.00, 0.0],
    [4.40, 0.26, 0.24, 0.24, 0.0, 0.00, 0.0],
    [4.60, 0.24, 0.22, 0.22, 0.0, 0.00, 0.0],
];

/// The further along, the more of a twist.
const BONES: [Handover; 11] = [
    ("左腕", -0.12, 0.3),
    ("左腕捩1", 0.42, 0.22),
    ("左腕捩2", 0.87, 0.22),
    ("左腕捩3", 1.32, 0.22),
    ("左腕捩", 1.77, 0.22),
    ("左ひじ", ELBOW, 0.36),
    ("左手捩1", 3.08, 0.2),
    ("左手捩2", 3.48, 0.2),
    ("左手捩3", 3.88, 0.2),
    ("左手捩", 4.28, 0.2),
    ("左手首", WRIST, 0.15),
];

/// Both arms, from inside the jacket to the wrists.
pub(super) fn sleeves() -> Surface {
    let stretches = [(-0.46, 0.2, 5), (0.2, 2.1, 5), (2.1, 2.9, 6), (2.9, 4.6, 5)];
    let sleeve = Tube {
        frame: frame("左腕"),
        profile: &PROFILE,
        rings: spaced(&stretches),
        tips: [Some(-0.5), None],
        segments: 16,
        piece: SLEEVE,
        weigh: &|at, _| along("左肩", &BONES, at),
    };
    sleeve.surface().and(cuff()).on_both_sides()
}

fn cuff() -> Surface {
    const ROLL: [Ring; 5] = [
        [4.24, 0.22, 0.21, 0.21, 0.0, 0.0, 0.0],
        [4.30, 0.31, 0.29, 0.29, 0.0, 0.0, 0.0],
        [4.46, 0.34, 0.31, 0.31, 0.0, 0.0, 0.0],
        [4.62, 0.32, 0.29, 0.29, 0.0, 0.0, 0.0],
        [4.68, 0.24, 0.22, 0.22, 0.0, 0.0, 0.0],
    ];
    let tube = Tube {
        frame: frame("左腕"),
        profile: &ROLL,
        rings: spaced(&[(4.24, 4.68, 5)]),
        tips: [None, Some(4.66)],
        segments: 16,
        piece: CUFF,
        weigh: &|_, _| only("左手捩"),
    };
    tube.surface()
}
