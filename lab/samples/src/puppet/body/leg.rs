//! Legs and shoes.

use super::super::pieces::{LEG, SHAFT, SHOE};
use super::super::surface::Surface;
use super::super::tube::{Frame, Ring, Tube, across, ring, spaced};
use super::super::weights::{Handover, along};
use glam::DVec3;

/// From inside the shoe to inside the hip.
const PROFILE: [Ring; 14] = [
    [1.60, 0.27, 0.27, 0.30, 0.840, -0.20, 0.0],
    [2.40, 0.30, 0.30, 0.34, 0.835, -0.15, 0.0],
    [3.40, 0.38, 0.36, 0.46, 0.830, -0.10, 0.0],
    [4.40, 0.44, 0.40, 0.55, 0.825, -0.06, 0.0],
    [5.20, 0.43, 0.42, 0.50, 0.820, -0.03, 0.0],
    [5.90, 0.41, 0.43, 0.43, 0.820, 0.00, 0.0],
    [6.30, 0.42, 0.46, 0.42, 0.820, 0.00, 0.0],
    [6.90, 0.46, 0.49, 0.46, 0.820, 0.00, 0.0],
    [8.00, 0.54, 0.56, 0.55, 0.810, -0.01, 0.0],
    [9.40, 0.63, 0.64, 0.66, 0.795, -0.02, 0.0],
    [10.40, 0.665, 0.67, 0.74, 0.778, -0.05, 0.0],
    [10.90, 0.64, 0.61, 0.76, 0.765, -0.07, 0.0],
    [11.35, 0.50, 0.50, 0.64, 0.760, -0.07, 0.0],
    [11.75, 0.30, 0.29, 0.38, 0.760, -0.05, 0.0],
];
const KNEE: f64 = 6.3;
const HEIGHTS: [Handover; 3] = [("左ひざD", 1.4, 0.3), ("左足D", KNEE, 0.5), ("下半身", 11.35, 0.45)];

/// Both legs.
pub(super) fn legs() -> Surface {
    let stretches = [(1.8, 5.6, 6), (5.6, 7.0, 7), (7.0, 10.4, 5), (10.4, 11.75, 6)];
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &PROFILE,
        rings: spaced(&stretches),
        tips: [None, Some(11.82)],
        segments: 18,
        piece: LEG,
        weigh: &|at, _| along("左足首D", &HEIGHTS, at),
    };
    tube.surface().on_both_sides()
}

/// Both shoes.
pub(super) fn shoes() -> Surface {
    shaft().and(foot()).on_both_sides()
}

fn shaft() -> Surface {
    const SHAFT_PROFILE: [Ring; 6] = [
        [0.50, 0.31, 0.32, 0.36, 0.845, -0.22, 0.0],
        [1.00, 0.34, 0.36, 0.38, 0.842, -0.20, 0.0],
        [1.50, 0.35, 0.36, 0.38, 0.840, -0.19, 0.0],
        [2.10, 0.40, 0.40, 0.44, 0.838, -0.17, 0.0],
        [2.26, 0.41, 0.41, 0.45, 0.838, -0.16, 0.0],
        [2.34, 0.34, 0.34, 0.38, 0.837, -0.16, 0.0],
    ];
    let tube = Tube {
        frame: Frame::STANDING,
        profile: &SHAFT_PROFILE,
        rings: spaced(&[(0.5, 2.1, 5), (2.1, 2.34, 3)]),
        tips: [None, Some(2.32)],
        segments: 14,
        piece: SHAFT,
        weigh: &|at, _| along("左足首D", &HEIGHTS, at),
    };
    tube.surface()
}

/// From heel to toe.
const FOOT: [Ring; 10] = [
    [-0.66, 0.16, 0.26, 0.24, 0.845, 0.30, 0.10],
    [-0.56, 0.28, 0.44, 0.34, 0.845, 0.30, 0.15],
    [-0.34, 0.35, 0.58, 0.37, 0.845, 0.30, 0.20],
    [-0.08, 0.37, 0.66, 0.37, 0.850, 0.30, 0.15],
    [0.16, 0.37, 0.58, 0.37, 0.855, 0.30, 0.12],
    [0.50, 0.40, 0.37, 0.37, 0.860, 0.30, 0.15],
    [0.85, 0.44, 0.25, 0.36, 0.870, 0.29, 0.18],
    [1.20, 0.42, 0.23, 0.34, 0.875, 0.27, 0.18],
    [1.48, 0.32, 0.19, 0.29, 0.880, 0.25, 0.15],
    [1.60, 0.20, 0.11, 0.18, 0.880, 0.24, 0.10],
];

/// Height of a point of a shoe above the ground.
pub(in crate::puppet) fn shoe_height(turns: f64, at: f64) -> f64 {
    across(&ring(&FOOT, at), turns)[1]
}

/// A shoe, cut flat by the floor.
fn foot() -> Surface {
    let frame = Frame { origin: DVec3::ZERO, along: DVec3::NEG_Z, side: DVec3::X, up: DVec3::Y };
    let tube = Tube {
        frame,
        profile: &FOOT,
        rings: spaced(&[(-0.66, -0.34, 3), (-0.34, 0.5, 4), (0.5, 1.2, 5), (1.2, 1.6, 4)]),
        tips: [Some(-0.7), Some(1.64)],
        segments: 16,
        piece: SHOE,
        weigh: &|at, _| along("左足首D", &[("左足先EX", 0.72, 0.22)], at),
    };
    let mut surface = tube.surface();
    for point in &mut surface.points {
        point.position.y = point.position.y.max(0.0);
    }
    surface.smoothed()
}
