//! The 263 numbers that describe a frame in HumanML3D, from positions of its 22 joints.
//!
//! Source: `motion_representation.ipynb`, `common/skeleton.py`, `common/quaternion.py` and `paramUtil.py` of
//! EricGuo5513/HumanML3D. A row describes a frame and the change to the next, so there is one row less than
//! frames: turn of the root about Y, its displacement along X and Z as seen from the root, and its height
//! (4); positions of the other joints as seen from the root (63); rotations of all joints but the root as two
//! columns of a matrix (126); velocities of all joints per frame (66); and the contacts of the joints of the
//! feet (4).
//!
//! Three habits of that program are kept, because networks know no other numbers: in the search for
//! rotations, the left hip counts as the right, so that the shoulders decide the direction of a figure; the
//! arms' rotations start from the root, though the arms are children of the chest; and a turn through
//! straight back counts the wrong way round for one frame.

use super::super::smpl::BODY_JOINTS;
use glam::{DMat3, DQuat, DVec3};

/// Numbers of a row.
pub(super) const WIDTH: usize = 263;

/// Positions of the joints on a frame, in metres, Y up.
pub(super) type JointPositions = [DVec3; BODY_JOINTS];

/// Numbers of a frame.
pub(super) type FeatureRow = [f32; WIDTH];

/// Joints on the line through a figure's sides.
const HIPS: [usize; 2] = [1, 2];
const SHOULDERS: [usize; 2] = [16, 17];
/// Knee and ankle of the right leg, used for measuring the length of a figure's legs.
const LEG: [usize; 2] = [5, 8];
/// Ankles and feet, left and right.
const FEET: [usize; 4] = [7, 10, 8, 11];
/// Square of a joint's displacement in a frame below which the joint rests, in square metres.
const RESTS: f64 = 0.002;
/// Standard deviation, in frames, for smoothing the direction of a figure, and reach of the filter, in
/// frames.
const SIGMA: f64 = 20.0;
const REACH: isize = 80;

/// Joints from the root outwards. The parent of each joint is the joint before.
const CHAINS: [&[usize]; 5] =
    [&[0, 2, 5, 8, 11], &[0, 1, 4, 7, 10], &[0, 3, 6, 9, 12, 15], &[9, 14, 17, 19, 21], &[9, 13, 16, 18, 20]];

/// Direction from its parent of each joint of a figure without rotations.
const STRAIGHT: JointPositions = [
    DVec3::ZERO,
    DVec3::X,
    DVec3::NEG_X,
    DVec3::Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::Y,
    DVec3::Z,
    DVec3::Z,
    DVec3::Y,
    DVec3::X,
    DVec3::NEG_X,
    DVec3::Z,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
    DVec3::NEG_Y,
];

/// Rows of a motion for all its frames; given the positions of another figure, with bones of that figure's
/// lengths.
pub(super) fn rows(mut frames: Vec<JointPositions>, figure: Option<&JointPositions>) -> Vec<FeatureRow> {
    if let (Some(figure), Some(first)) = (figure, frames.first()) {
        let lengths = lengths(figure);
        let legs = |lengths: &[f64; BODY_JOINTS]| LEG.iter().map(|joint| lengths[*joint]).sum::<f64>();
        let length = legs(&self::lengths(first));
        let scale = if length > 0.0 { legs(&lengths) / length } else { 1.0 };
        frames = frames.iter().map(|places| reached(places, &lengths, scale)).collect();
    }
    stand_on_floor(&mut frames);
    let turns = smoothed(&frames);
    let pairs = frames.iter().zip(&turns);
    let pairs = pairs.clone().zip(pairs.skip(1));
    pairs.map(|((places, turn), (next, turned))| row(places, *turn, next, *turned)).collect()
}

/// The bones, as parent and joint. The bones of a chain follow each other.
fn bones() -> impl Iterator<Item = (usize, usize)> {
    CHAINS.into_iter().flat_map(|chain| chain.iter().copied().zip(chain.iter().copied().skip(1)))
}

/// Distance of each joint from its parent.
fn lengths(places: &JointPositions) -> [f64; BODY_JOINTS] {
    let mut lengths = [0.0; BODY_JOINTS];
    bones().for_each(|(parent, joint)| lengths[joint] = places[joint].distance(places[parent]));
    lengths
}

/// A pose with bones of other lengths in the same directions.
fn reached(places: &JointPositions, lengths: &[f64; BODY_JOINTS], scale: f64) -> JointPositions {
    let mut turns = [DQuat::IDENTITY; BODY_JOINTS];
    let mut result = [places[0] * scale; BODY_JOINTS];
    for (parent, joint) in bones() {
        let direction = (places[joint] - places[parent]).try_normalize();
        turns[joint] = direction.map_or(turns[parent], |direction| between(STRAIGHT[joint], direction));
        // A joint that is where its parent is has no direction of its own.
        result[joint] =
            result[parent] + lengths[joint] * direction.unwrap_or_else(|| turns[joint] * STRAIGHT[joint]);
    }
    result
}

/// Puts the lowest joint of all frames on the floor, and the root of the first frame above the origin with
/// its front to +Z.
fn stand_on_floor(frames: &mut [JointPositions]) {
    let floor = frames.iter().flatten().map(|position| position.y).fold(f64::INFINITY, f64::min);
    let Some(first) = frames.first() else { return };
    let origin = DVec3::new(first[0].x, floor, first[0].z);
    let right = first[HIPS[1]] - first[HIPS[0]] + first[SHOULDERS[1]] - first[SHOULDERS[0]];
    let turn = to_front(forward(right));
    for position in frames.iter_mut().flatten() {
        *position = turn * (*position - origin);
    }
}

/// Horizontal direction to the front of a figure, given the direction to its right side.
fn forward(right: DVec3) -> DVec3 {
    DVec3::Y.cross(right.normalize_or(DVec3::NEG_X))
}

/// The rotation from a direction to +Z.
fn to_front(forward: DVec3) -> DQuat {
    between(forward.normalize_or(DVec3::Z), DVec3::Z)
}

/// The rotation of least angle from one direction to another.
fn between(from: DVec3, to: DVec3) -> DQuat {
    let axis = from.cross(to);
    let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + from.dot(to));
    match turn.length() > 1e-9 {
        true => turn.normalize(),
        // Half a turn about anything across: about Y where there is a choice.
        false => {
            let axis = from.cross(DVec3::Y).cross(from).normalize_or(DVec3::X);
            DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
        }
    }
}

/// Rotations of the root from the smoothed direction of each frame to +Z. The rotation of the first frame is
/// the identity.
fn smoothed(frames: &[JointPositions]) -> Vec<DQuat> {
    let right =
        |pose: &JointPositions| pose[HIPS[0]] - pose[HIPS[1]] + pose[SHOULDERS[1]] - pose[SHOULDERS[0]];
    let directions: Vec<DVec3> = frames.iter().map(|pose| forward(right(pose))).collect();
    let last = directions.len().saturating_sub(1);
    // Ends go on as they are. The sum of the weights is of no matter for a direction.
    let at = |frame: isize| directions.get((frame.max(0) as usize).min(last)).copied().unwrap_or(DVec3::Z);
    let weight = |away: isize| libm::exp(-0.5 * (away as f64 / SIGMA).powi(2));
    let smooth = |frame: usize| -> DVec3 {
        (-REACH..=REACH).map(|away| weight(away) * at(frame as isize + away)).sum()
    };
    let turn = |frame: usize| if frame == 0 { DQuat::IDENTITY } else { to_front(smooth(frame)) };
    (0..frames.len()).map(turn).collect()
}

/// Rotation of each joint but the root relative to the joint before in its chain.
fn rotations(places: &JointPositions, root: DQuat) -> [DQuat; BODY_JOINTS] {
    let mut local = [DQuat::IDENTITY; BODY_JOINTS];
    for chain in CHAINS {
        let mut above = root;
        for (parent, joint) in chain.iter().zip(chain.iter().skip(1)) {
            let direction = (places[*joint] - places[*parent]).try_normalize();
            let turn = direction.map_or(above, |direction| between(STRAIGHT[*joint], direction));
            local[*joint] = above.inverse() * turn;
            above = turn;
        }
    }
    local
}

/// Numbers of a frame, from its positions with the root's rotation, and those of the next frame.
fn row(places: &JointPositions, turn: DQuat, next: &JointPositions, turned: DQuat) -> FeatureRow {
    let displacement = turned * (next[0] - places[0]);
    let spin = libm::asin((turned * turn.inverse()).y.clamp(-1.0, 1.0));
    let root = DVec3::new(places[0].x, 0.0, places[0].z);
    let seen = places.iter().skip(1).map(|position| (turn * (*position - root)).to_array());
    let rotations = rotations(places, turn);
    let columns = rotations.iter().skip(1).map(|turn| DMat3::from_quat(*turn));
    let columns = columns.flat_map(|columns| [columns.x_axis.to_array(), columns.y_axis.to_array()]);
    let going = places.iter().zip(next).map(|(from, to)| (turn * (*to - *from)).to_array());
    let rests = FEET.map(|joint| f64::from(places[joint].distance_squared(next[joint]) < RESTS));
    let numbers = [spin, displacement.x, displacement.z, places[0].y].into_iter();
    let numbers = numbers.chain(seen.chain(columns).chain(going).flatten()).chain(rests);
    let mut row = [0.0; WIDTH];
    row.iter_mut().zip(numbers).for_each(|(to, number)| *to = number as f32);
    row
}
