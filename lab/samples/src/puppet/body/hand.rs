//! Palms, fingers and thumbs.

use super::super::math::smooth;
use super::super::pieces::HAND;
use super::super::skeleton::{KNUCKLES, PARTS, head};
use super::super::surface::Surface;
use super::super::tube::{Frame, Ring, Tube, spaced};
use super::super::weights::{along, shared};
use super::arm;
use glam::DVec3;

/// From the wrist; the thumb is to the side.
const PALM: [Ring; 7] = [
    [-0.30, 0.19, 0.17, 0.17, 0.00, 0.0, 0.00],
    [0.00, 0.21, 0.16, 0.16, 0.00, 0.0, 0.04],
    [0.22, 0.30, 0.17, 0.17, 0.03, 0.0, 0.10],
    [0.45, 0.37, 0.17, 0.17, 0.03, 0.0, 0.14],
    [0.66, 0.39, 0.15, 0.15, 0.01, 0.0, 0.18],
    [0.80, 0.35, 0.12, 0.11, 0.01, 0.0, 0.18],
    [0.87, 0.24, 0.06, 0.06, 0.01, 0.0, 0.10],
];

const FINGERS: [[&str; 3]; 4] = [
    ["左人指１", "左人指２", "左人指３"],
    ["左中指１", "左中指２", "左中指３"],
    ["左薬指１", "左薬指２", "左薬指３"],
    ["左小指１", "左小指２", "左小指３"],
];
const THICKNESS: [f64; 4] = [0.096, 0.1, 0.095, 0.083];

/// Both hands.
pub(super) fn hands() -> Surface {
    let fingers = (0..KNUCKLES.len()).map(finger);
    fingers.fold(palm().and(thumb()), Surface::and).on_both_sides()
}

fn palm() -> Surface {
    let tube = Tube {
        frame: arm::frame("左手首"),
        profile: &PALM,
        rings: spaced(&[(-0.3, 0.0, 2), (0.0, 0.66, 4), (0.66, 0.87, 3)]),
        tips: [None, Some(0.89)],
        segments: 14,
        piece: HAND,
        weigh: &|at, _| along("左手捩", &[("左手首", -0.02, 0.16)], at),
    };
    tube.surface()
}

/// A round-tipped tube that thins a little.
fn digit(frame: Frame, length: f64, thickness: f64, bones: [&str; 4], joints: [f64; 3]) -> Surface {
    let ring =
        |at: f64, share: f64| [at, thickness * share, thickness * share, thickness * share, 0.0, 0.0, 0.0];
    let profile = [
        ring(-0.14, 0.9),
        ring(0.08, 1.02),
        ring(0.6 * length, 0.92),
        ring(length - 0.09, 0.8),
        ring(length - 0.035, 0.58),
        ring(length - 0.012, 0.32),
    ];
    let [first, second, third] = joints;
    let rings = [
        -0.14,
        first + 0.06,
        0.5 * (first + second),
        second - 0.055,
        second + 0.055,
        third - 0.05,
        third + 0.05,
        length - 0.09,
        length - 0.035,
        length - 0.012,
    ];
    let [before, rest @ ..] = bones;
    let weigh = |at: f64, _: DVec3| {
        let within = [0.08, 0.065, 0.055];
        let mut weights = along(before, &[], at);
        for ((bone, joint), within) in rest.iter().zip(joints).zip(within) {
            let share = smooth(joint - within, joint + within, at);
            weights = shared(weights, bone, share);
        }
        weights
    };
    let tube = Tube {
        frame,
        profile: &profile,
        rings: rings.to_vec(),
        tips: [None, Some(length)],
        segments: 8,
        piece: HAND,
        weigh: &weigh,
    };
    tube.surface()
}

fn finger(number: usize) -> Surface {
    let [first, second, third] = FINGERS[number];
    let [one, two, three] = PARTS[number];
    let joints = [0.0, one, one + two];
    let bones = ["左手首", first, second, third];
    digit(arm::frame(first), one + two + three, THICKNESS[number], bones, joints)
}

fn thumb() -> Surface {
    let from = head("左親指０");
    let tip = head("左親指２") + DVec3::new(0.17, -0.17, -0.12);
    let axis = (tip - from).normalize();
    let up = arm::frame("左手首").up.reject_from(axis).normalize();
    let joint = |bone: &str| (head(bone) - from).dot(axis);
    let joints = [0.06, joint("左親指１"), joint("左親指２")];
    let frame = Frame { origin: from, along: axis, side: up.cross(axis), up };
    digit(frame, (tip - from).length(), 0.115, ["左手首", "左親指０", "左親指１", "左親指２"], joints)
}
