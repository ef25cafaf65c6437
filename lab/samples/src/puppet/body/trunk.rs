//! Jacket, collar and neck.

use super::super::math::smooth;
use super::super::pieces::{COLLAR, JACKET, NECK};
use super::super::surface::{Surface, Weights};
use super::super::tube::{Frame, Ring, Tube, spaced};
use super::super::weights::{Handover, along, shared};
use glam::DVec3;

const TRUNK: [Ring; 17] = [
    [10.42, 0.52, 0.27, 0.32, 0.0, -0.05, 0.0],
    [10.58, 1.06, 0.50, 0.60, 0.0, -0.05, 0.0],
    [10.85, 1.31, 0.68, 0.83, 0.0, -0.05, 0.0],
    [11.25, 1.41, 0.76, 0.94, 0.0, -0.05, 0.0],
    [11.75, 1.38, 0.79, 0.92, 0.0, -0.05, 0.02],
    [12.35, 1.21, 0.75, 0.80, 0.0, -0.03, 0.04],
    [12.90, 1.02, 0.66, 0.66, 0.0, 0.00, 0.05],
    [13.40, 0.93, 0.61, 0.59, 0.0, 0.01, 0.05],
    [13.90, 0.94, 0.63, 0.60, 0.0, 0.02, 0.05],
    [14.50, 1.05, 0.74, 0.66, 0.0, 0.02, 0.06],
    [15.00, 1.15, 0.80, 0.72, 0.0, 0.00, 0.06],
    [15.40, 1.18, 0.76, 0.74, 0.0, -0.04, 0.06],
    [15.75, 1.19, 0.65, 0.69, 0.0, -0.08, 0.04],
    [16.05, 1.03, 0.51, 0.58, 0.0, -0.11, 0.0],
    [16.25, 0.74, 0.41, 0.49, 0.0, -0.12, 0.0],
    [16.40, 0.46, 0.35, 0.41, 0.0, -0.12, 0.0],
    [16.50, 0.34, 0.29, 0.33, 0.0, -0.12, 0.0],
];

const SPINE: [Handover; 3] = [("上半身", 12.8, 0.75), ("上半身2", 14.1, 0.55), ("首", 16.5, 0.2)];

/// Hips and shoulders follow the thighs and arms a little.
fn weigh(at: f64, place: DVec3) -> Weights {
    let side = if place.x < 0.0 { "右" } else { "左" };
    let x = place.x.abs();
    let trunk = along("下半身", &SPINE, at);
    let shoulder = 0.75 * smooth(0.35, 1.05, x) * smooth(14.9, 15.6, at);
    let trunk = shared(trunk, &format!("{side}肩"), shoulder);
    let thigh = 0.55 * smooth(0.1, 0.9, x) * smooth(12.1, 10.9, at);
    shared(trunk, &format!("{side}足D"), thigh)
}

/// From the crotch to the neck.
pub(super) fn jacket() -> Surface {
    let stretches =
        [(10.42, 10.85, 4), (10.85, 12.35, 5), (12.35, 13.4, 4), (13.4, 15.4, 5), (15.4, 16.5, 6)];
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &TRUNK,
        rings: spaced(&stretches),
        tips: [Some(10.34), Some(16.52)],
        segments: 26,
        piece: JACKET,
        weigh: &weigh,
    };
    tube.surface()
}

/// A soft roll around the neck.
pub(super) fn collar() -> Surface {
    const ROLL: [Ring; 5] = [
        [16.10, 0.50, 0.44, 0.44, 0.0, -0.11, 0.0],
        [16.20, 0.63, 0.53, 0.53, 0.0, -0.11, 0.0],
        [16.34, 0.66, 0.55, 0.56, 0.0, -0.11, 0.0],
        [16.48, 0.60, 0.51, 0.52, 0.0, -0.11, 0.0],
        [16.56, 0.45, 0.41, 0.43, 0.0, -0.11, 0.0],
    ];
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &ROLL,
        rings: spaced(&[(16.1, 16.56, 6)]),
        tips: [None, Some(16.54)],
        segments: 24,
        piece: COLLAR,
        weigh: &|_, _| shared(along("上半身2", &[], 0.0), "首", 0.35),
    };
    tube.surface()
}

/// From inside the jacket to inside the head.
pub(super) fn neck() -> Surface {
    const NECK_PROFILE: [Ring; 3] = [
        [16.20, 0.37, 0.35, 0.36, 0.0, -0.10, 0.0],
        [16.80, 0.33, 0.32, 0.33, 0.0, -0.06, 0.0],
        [17.50, 0.34, 0.34, 0.34, 0.0, -0.02, 0.0],
    ];
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &NECK_PROFILE,
        rings: spaced(&[(16.2, 17.5, 6)]),
        tips: [None, None],
        segments: 16,
        piece: NECK,
        weigh: &|at, _| along("上半身2", &[("首", 16.45, 0.2), ("頭", 17.1, 0.3)], at),
    };
    tube.surface()
}
