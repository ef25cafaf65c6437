//! Rest pose of a body of the SMPL family for files that state none: a figure of ordinary proportions in the
//! T-pose.
//!
//! The models of the family give the positions of joints at rest as a function of the shape of a body. Those
//! models are licensed, and none of their numbers is in here. This figure is put together from published
//! tables of proportions:
//!
//! * lengths of segments as parts of the stature: R. Drillis and R. Contini, "Body Segment Parameters", 1966, as in D. Winter,
//!   "Biomechanics and Motor Control of Human Movement", figure 4.1;
//! * hip joints from the distance of the iliac spines (0.142 of the stature): 0.36 of it to either side and 0.30 of it down:
//!   A. Bell et al., "Prediction of Hip Joint Centre Location from External Landmarks", 1989;
//! * bones of the hand: A. Buryanov and V. Kotiuk, "Proportions of Hand Segments", Int. J. Morphol. 28(3), 2010.
//!
//! In between, lengths are divided evenly: the spine in four parts, the collar bones a quarter of the way to
//! the shoulders. The figure is nobody's body; lengths may be off by a tenth, as [`npz-rest-assumed`](super)
//! states.

use super::smpl::joints;

/// The stature of the figure in metres.
pub const STATURE_M: f64 = 1.70;

/// Distance between the iliac spines.
const SPINES: f64 = 0.142;
/// Heights of joints as parts of the stature.
const ANKLE: f64 = 0.039;
const KNEE: f64 = 0.285;
const HIP: f64 = 0.530;
const SHOULDER: f64 = 0.818;
const NECK: f64 = 0.850;
const SKULL: f64 = 0.900;
const EYE: f64 = 0.936;
const CHIN: f64 = 0.870;
/// The pelvis is as far above the hips as the iliac spines.
const PELVIS: f64 = HIP + 0.30 * SPINES;
/// Half of the width of the shoulders.
const SHOULDER_ASIDE: f64 = 0.129;
const UPPER_ARM: f64 = 0.186;
const FOREARM: f64 = 0.146;
const HAND: f64 = 0.108;
const FOOT: f64 = 0.152;
/// Distance from the ankle to the ball of the foot, as a part of the foot's length, and height of the ball.
const BALL: f64 = 0.48;
const BALL_HEIGHT: f64 = 0.012;

/// Bones of the fingers from the wrist outwards in millimetres, without the last, which carries no joint; and
/// distance of the finger's start to the front of the middle finger's. Index, middle, pinky, ring, thumb.
const FINGERS: [([f64; 3], f64); 5] = [
    ([68.1, 39.8, 22.4], 20.0),
    ([64.6, 44.6, 26.3], 0.0),
    ([53.7, 32.7, 18.1], -38.0),
    ([58.0, 41.4, 25.7], -20.0),
    ([15.0, 46.2, 31.6], 25.0),
];

/// Offsets of the joints of a body of the SMPL family from their parents at rest, in metres, left +X, up +Y,
/// front +Z; of the pelvis, its height above the ground. `None` if no body has this number of joints.
#[must_use]
pub fn offsets(count: usize) -> Option<Vec<[f64; 3]>> {
    let joints = joints(count)?;
    let offset_of = |name: &str| {
        let (side, name_of_side) = match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
            (Some(rest), _) => (1.0, rest),
            (_, Some(rest)) => (-1.0, rest),
            _ => (0.0, name),
        };
        offset(name_of_side).map_or([0.0; 3], |[x, y, z]| [side * x, y, z].map(|part| part * STATURE_M + 0.0))
    };
    Some(joints.iter().map(|joint| offset_of(&joint.name)).collect())
}

/// Offset of a joint of the left side or the middle from its parent, as parts of the stature.
fn offset(name: &str) -> Option<[f64; 3]> {
    let quarter = (NECK - PELVIS) / 4.0;
    Some(match name {
        "pelvis" => [0.0, PELVIS, 0.0],
        "hip" => [0.36 * SPINES, HIP - PELVIS, 0.0],
        "knee" => [0.0, KNEE - HIP, 0.0],
        "ankle" => [0.0, ANKLE - KNEE, 0.0],
        "foot" => [0.0, BALL_HEIGHT - ANKLE, BALL * FOOT],
        "spine1" | "spine2" | "spine3" | "neck" => [0.0, quarter, 0.0],
        "head" => [0.0, SKULL - NECK, 0.0],
        "collar" => [SHOULDER_ASIDE / 4.0, SHOULDER - PELVIS - 3.0 * quarter, 0.0],
        "shoulder" => [0.75 * SHOULDER_ASIDE, 0.0, 0.0],
        "elbow" => [UPPER_ARM, 0.0, 0.0],
        "wrist" => [FOREARM, 0.0, 0.0],
        "hand" => [HAND / 2.0, 0.0, 0.0],
        "jaw" => [0.0, (CHIN + EYE) / 2.0 - SKULL, 0.01],
        "eye_smplhf" => [0.018, EYE - SKULL, 0.045],
        _ => finger(name)?,
    })
}

/// Offset of a joint of a finger.
fn finger(name: &str) -> Option<[f64; 3]> {
    let (finger, segment) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let row = ["index", "middle", "pinky", "ring", "thumb"].iter().position(|name| *name == finger)?;
    let (lengths, front) = FINGERS.get(row)?;
    let segment = segment.parse::<usize>().ok()?.checked_sub(1)?;
    let part = |mm: f64| mm / 1000.0 / STATURE_M;
    let along = part(*lengths.get(segment)?);
    // The thumb of the T-pose points half to the front.
    match (finger, segment) {
        ("thumb", 0) => Some([along, 0.0, part(*front)]),
        ("thumb", _) => {
            Some([along * std::f64::consts::FRAC_1_SQRT_2, 0.0, along * std::f64::consts::FRAC_1_SQRT_2])
        }
        (_, 0) => Some([along, 0.0, part(*front)]),
        _ => Some([along, 0.0, 0.0]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_stands_with_its_arms_to_the_sides() {
        for count in [22, 24, 52, 55] {
            let (joints, offsets) = (joints(count).unwrap(), offsets(count).unwrap());
            let mut places: Vec<[f64; 3]> = Vec::new();
            for (joint, offset) in joints.iter().zip(&offsets) {
                let from = joint.parent.map_or([0.0; 3], |parent| places[parent]);
                places.push(std::array::from_fn(|axis| from[axis] + offset[axis]));
                assert!(
                    joint.parent.is_none() || offset.iter().map(|x| x * x).sum::<f64>() > 1e-6,
                    "{}",
                    joint.name
                );
            }
            let position = |name: &str| places[joints.iter().position(|j| j.name == name).unwrap()];
            let [left, right] = [position("left_wrist"), position("right_wrist")];
            assert_eq!([left[0], left[1], left[2]], [-right[0], right[1], right[2]]);
            assert!((left[0] - (0.129 + 0.186 + 0.146) * STATURE_M).abs() < 1e-12);
            assert!((left[1] - 0.818 * STATURE_M).abs() < 1e-12);
            assert!((position("left_ankle")[1] - 0.039 * STATURE_M).abs() < 1e-12);
            assert!((position("head")[1] - 0.9 * STATURE_M).abs() < 1e-12);
            assert!(position("left_foot")[2] > 0.1);
        }
        assert_eq!(offsets(23), None);
    }
}
