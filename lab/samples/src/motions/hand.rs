//! A hand of 26 joints: bones of fixed lengths, posed by how far each finger is bent.
//!
//! Axes as in Unity: X right, Y up, Z forward. A joint's Z runs along its bone to the fingertip and its Y out of the back
//! of the hand, so that a positive turn about X bends a finger towards the palm.

use dopesheet_mrtk2::animation::{Hand, Joint};
use glam::{DQuat, DVec3};

/// Where a joint is and how it is turned.
pub(super) type Placed = (DVec3, DQuat);

/// A finger: its joints, where its metacarpal starts in the frame of a right wrist (metres), how it spreads (degrees
/// about Y), and the lengths of its bones.
struct Finger {
    joints: [Joint; 5],
    base: [f64; 3],
    spread: f64,
    bones: [f64; 4],
}

const FINGERS: [Finger; 4] = [
    Finger {
        joints: [
            Joint::IndexMetacarpal,
            Joint::IndexKnuckle,
            Joint::IndexMiddleJoint,
            Joint::IndexDistalJoint,
            Joint::IndexTip,
        ],
        base: [-0.017, 0.0, 0.026],
        spread: -4.0,
        bones: [0.066, 0.043, 0.026, 0.022],
    },
    Finger {
        joints: [
            Joint::MiddleMetacarpal,
            Joint::MiddleKnuckle,
            Joint::MiddleMiddleJoint,
            Joint::MiddleDistalJoint,
            Joint::MiddleTip,
        ],
        base: [-0.003, 0.002, 0.027],
        spread: 0.0,
        bones: [0.064, 0.047, 0.03, 0.023],
    },
    Finger {
        joints: [
            Joint::RingMetacarpal,
            Joint::RingKnuckle,
            Joint::RingMiddleJoint,
            Joint::RingDistalJoint,
            Joint::RingTip,
        ],
        base: [0.01, 0.0, 0.025],
        spread: 5.0,
        bones: [0.058, 0.043, 0.028, 0.023],
    },
    Finger {
        joints: [
            Joint::PinkyMetacarpal,
            Joint::PinkyKnuckle,
            Joint::PinkyMiddleJoint,
            Joint::PinkyDistalJoint,
            Joint::PinkyTip,
        ],
        base: [0.021, -0.004, 0.023],
        spread: 11.0,
        bones: [0.054, 0.034, 0.021, 0.02],
    },
];

const THUMB: [Joint; 4] =
    [Joint::ThumbMetacarpalJoint, Joint::ThumbProximalJoint, Joint::ThumbDistalJoint, Joint::ThumbTip];
const THUMB_BASE: [f64; 3] = [-0.024, -0.01, 0.02];
const THUMB_BONES: [f64; 3] = [0.046, 0.034, 0.027];
const PALM: [f64; 3] = [-0.001, -0.008, 0.06];

/// Bend of a finger at its three joints, in degrees.
type Bend = [f64; 3];

/// The pose of a hand. Angles in degrees.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Of the thumb's base: about Y, X and Z, applied Z first.
    thumb: [f64; 3],
    /// Of the thumb's joints.
    thumb_bend: Bend,
    /// Of index, middle, ring and little finger.
    fingers: [Bend; 4],
}

/// As a hand hangs in the air.
pub(super) const RELAXED: Shape = Shape {
    thumb: [-38.0, 22.0, -62.0],
    thumb_bend: [0.0, 7.0, 10.0],
    fingers: [[14.0, 20.0, 10.0], [20.0, 24.0, 12.0], [25.0, 27.0, 14.0], [28.0, 28.0, 14.0]],
};

/// Stretched to be seen.
pub(super) const OPEN: Shape = Shape {
    thumb: [-52.0, 14.0, -56.0],
    thumb_bend: [-4.0, 2.0, 4.0],
    fingers: [[2.0, 6.0, 3.0], [1.0, 6.0, 3.0], [3.0, 8.0, 4.0], [6.0, 9.0, 4.0]],
};

/// The tips of thumb and index finger 6 mm apart, as their pads let them come. Found by a random search over the nine
/// angles of the two fingers.
pub(super) const PINCH: Shape = Shape {
    thumb: [-12.2, 38.1, -66.0],
    thumb_bend: [-12.6, 1.8, 12.1],
    fingers: [[42.4, 53.0, 27.2], [32.0, 34.0, 18.0], [30.0, 32.0, 16.0], [28.0, 30.0, 14.0]],
};

impl Shape {
    /// Between two shapes, angle by angle.
    pub(super) fn mixed(&self, other: &Self, share: f64) -> Self {
        let mix = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
        Self {
            thumb: mix(self.thumb, other.thumb),
            thumb_bend: mix(self.thumb_bend, other.thumb_bend),
            fingers: std::array::from_fn(|finger| mix(self.fingers[finger], other.fingers[finger])),
        }
    }

    /// All joints of a hand whose wrist is given, by their numbers; none for [`Joint::None`].
    pub(super) fn posed(&self, hand: Hand, wrist: Placed) -> [Option<Placed>; 27] {
        let mut joints = [None; 27];
        joints[Joint::Wrist as usize] = Some(wrist);
        let frame = Frame { side: if hand == Hand::Right { 1.0 } else { -1.0 }, wrist };
        joints[Joint::Palm as usize] = Some(frame.at(PALM, DQuat::IDENTITY));
        let thumb = frame.turn(self.thumb);
        chain(&THUMB, frame.at(THUMB_BASE, thumb), &THUMB_BONES, &self.thumb_bend, &mut joints);
        for (finger, bend) in FINGERS.iter().zip(self.fingers) {
            let bend = [0.0, bend[0], bend[1], bend[2]];
            let spread = frame.turn([finger.spread, 0.0, 0.0]);
            let base = frame.at(finger.base, spread);
            chain(&finger.joints, base, &finger.bones, &bend, &mut joints);
        }
        joints
    }
}

/// A wrist, and on which side the thumb is.
struct Frame {
    /// 1 for the right hand; the left one is its mirror image.
    side: f64,
    wrist: Placed,
}

impl Frame {
    fn at(&self, place: [f64; 3], turn: DQuat) -> Placed {
        let (origin, frame) = self.wrist;
        (origin + frame * (DVec3::from(place) * DVec3::new(self.side, 1.0, 1.0)), frame * turn)
    }

    /// Degrees about Y, X and Z.
    fn turn(&self, [yaw, pitch, roll]: [f64; 3]) -> DQuat {
        DQuat::from_rotation_y((self.side * yaw).to_radians())
            * DQuat::from_rotation_x(pitch.to_radians())
            * DQuat::from_rotation_z((self.side * roll).to_radians())
    }
}

/// Bones one behind the other; the last joint is a tip, turned as the bone that ends there.
fn chain(
    names: &[Joint],
    (mut place, mut turn): Placed,
    bones: &[f64],
    bend: &[f64],
    joints: &mut [Option<Placed>; 27],
) {
    for ((name, bone), bend) in names.iter().zip(bones).zip(bend) {
        turn *= DQuat::from_rotation_x(bend.to_radians());
        joints[*name as usize] = Some((place, turn));
        place += turn * (DVec3::Z * *bone);
    }
    if let Some(tip) = names.last() {
        joints[*tip as usize] = Some((place, turn));
    }
}
