//! Restores the W of damaged rotations from X, Y and Z.
//!
//! |w| follows from the unit length. Its sign is chosen so that the bone of the joint points in the direction
//! given by the recorded positions, or else so that the joint turns smoothly.

use super::document::{Document, Key, NumberCurve, NumberKeys, Pose};
use super::names::{Joint, PoseName};
use super::play::{Player, sorted};
use dopesheet_curve::{quat_angle, quat_log, quat_normalise_or_identity};
use glam::{DQuat, DVec3};

/// Bones shorter than this, in metres, have no direction.
const SHORTEST_BONE_M: f64 = 1e-4;
/// Difference in the direction of the bone needed for telling the two signs apart.
const BONE_CLEARANCE_RAD: f64 = 10.0 * std::f64::consts::PI / 180.0;
/// Largest turn of the joint from key to key for a sign told by the bone; beyond this angle the other sign is
/// taken if it turns the joint less.
const LARGEST_TURN_RAD: f64 = 45.0 * std::f64::consts::PI / 180.0;
/// Cost of a turn, relative to a change of speed.
const TURN_COST: f64 = 0.3;
/// Below this the sign of W is the least certain.
const UNCERTAIN_W: f64 = 0.1;

/// A restored W.
pub(super) struct Repaired {
    pub(super) w: NumberCurve,
    /// Keys with the least certain signs.
    pub(super) uncertain: usize,
}

/// The W of a damaged pose.
pub(super) fn repair(document: &Document, name: PoseName, pose: &Pose) -> Option<Repaired> {
    let [x, y, z, w] = &pose.rotation;
    let [xs, ys, zs] = [x, y, z].map(sorted);
    let first_w = f64::from(sorted(w).first()?.value);
    let times: Vec<f64> = xs.iter().map(|key| f64::from(key.time)).collect();
    let mut keys: Vec<[f64; 4]> = xs.iter().zip(&ys).zip(&zs).map(|((x, y), z)| imaginary(x, y, z)).collect();
    if let Some(first) = keys.first_mut() {
        first[3] = first_w;
    }
    let fixed = bone_signs(document, name, &times, &keys);
    let signs = smoothest(&times, &keys, &fixed);
    let value = |(key, sign): (&[f64; 4], &f64)| key[3] * sign;
    let values = keys.iter().zip(&signs).map(value);
    let uncertain = keys.iter().filter(|key| key[3].abs() < UNCERTAIN_W).count();
    #[expect(clippy::cast_possible_truncation, reason = "values of a file are f32")]
    let keys = xs.iter().zip(values).map(|(x, value)| Key { time: x.time, value: value as f32 }).collect();
    Some(Repaired { w: NumberCurve { wrap: w.wrap, keys: NumberKeys::Simple(keys) }, uncertain })
}

/// The rotation with these parts and the W of its unit length, positive.
fn imaginary(
    x: &super::document::Keyframe,
    y: &super::document::Keyframe,
    z: &super::document::Keyframe,
) -> [f64; 4] {
    let [x, y, z] = [x, y, z].map(|key| f64::from(key.value));
    [x, y, z, (1.0 - x * x - y * y - z * z).max(0.0).sqrt()]
}

/// A key's rotation with the sign of its W.
fn signed(key: &[f64; 4], sign: f64) -> [f64; 4] {
    let [x, y, z, w] = *key;
    quat_normalise_or_identity([x, y, z, w * sign])
}

/// The signs told by the direction of the bone, key by key.
fn bone_signs(document: &Document, name: PoseName, times: &[f64], keys: &[[f64; 4]]) -> Vec<Option<f64>> {
    let unknown = || vec![None; keys.len()];
    let Some(bone) = Bone::of(document, name) else { return unknown() };
    let (Some(time), Some(first)) = (times.first(), keys.first()) else { return unknown() };
    let Some(start) = bone.direction(*time) else { return unknown() };
    let at_rest = DQuat::from_array(signed(first, 1.0)).inverse() * start;
    let sign = |(time, key): (&f64, &[f64; 4])| {
        let there = bone.direction(*time)?;
        let off = |sign: f64| (DQuat::from_array(signed(key, sign)) * at_rest).angle_between(there);
        let (plus, minus) = (off(1.0), off(-1.0));
        ((plus - minus).abs() > BONE_CLEARANCE_RAD).then_some(if plus < minus { 1.0 } else { -1.0 })
    };
    times.iter().zip(keys).map(sign).collect()
}

/// The two ends of a bone over time.
struct Bone {
    ends: [[Player; 3]; 2],
}

impl Bone {
    fn of(document: &Document, name: PoseName) -> Option<Self> {
        let PoseName::Joint(hand, joint) = name else { return None };
        let [base, end] = joint.bone()?;
        let players = |joint: Joint| {
            let pose = document.pose(PoseName::Joint(hand, joint))?;
            let has_keys = pose.position.iter().any(|curve| !curve.keys.is_empty());
            has_keys.then(|| pose.position.each_ref().map(Player::new))
        };
        Some(Self { ends: [players(base)?, players(end)?] })
    }

    fn direction(&self, time: f64) -> Option<DVec3> {
        let [base, end] = &self.ends;
        let at = |curves: &[Player; 3]| DVec3::from(curves.each_ref().map(|curve| curve.value(time)));
        let bone = at(end) - at(base);
        (bone.length() >= SHORTEST_BONE_M).then(|| bone.normalize())
    }
}

/// Both signs, the positive first: at equal costs the positive sign is taken.
const SIGNS: [f64; 2] = [1.0, -1.0];

/// The cheapest way to a key, for each sign of the key before (first index) and of the key itself.
type Costs = [[f64; 2]; 2];

/// The signs for the smoothest turning of the joint, by dynamic programming over the signs of two
/// neighbouring keys.
fn smoothest(times: &[f64], keys: &[[f64; 4]], fixed: &[Option<f64>]) -> Vec<f64> {
    let allowed =
        |key: usize, sign: usize| fixed.get(key).copied().flatten().is_none_or(|fixed| fixed == SIGNS[sign]);
    // The first W is stored and has its own sign.
    let mut costs: Costs = [[0.0, f64::INFINITY], [f64::INFINITY; 2]];
    let mut before_turns = [[None; 2]; 2];
    let mut choices: Vec<[[usize; 2]; 2]> = Vec::with_capacity(keys.len());
    for key in 1..keys.len() {
        let turns = turns(times, keys, key);
        let (mut next, mut choice): (Costs, _) = ([[f64::INFINITY; 2]; 2], [[0; 2]; 2]);
        for (before, sign) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let is_open = fixed.get(key).copied().flatten().is_none();
            let too_far = is_open
                && turns[before][sign].angle > LARGEST_TURN_RAD
                && turns[before][sign].angle > turns[before][1 - sign].angle;
            if !allowed(key, sign) || too_far {
                continue;
            }
            for earlier in [0, 1] {
                let turn = &turns[before][sign];
                let bend = match (key >= 2, before_turns[earlier][before]) {
                    (true, Some(previous)) => turn.bend_from(previous, times[key] - times[key - 2]),
                    _ => 0.0,
                };
                let cost = costs[earlier][before] + TURN_COST * turn.angle * turn.angle + bend;
                if cost < next[before][sign] {
                    (next[before][sign], choice[before][sign]) = (cost, earlier);
                }
            }
        }
        // A way must always remain, even where every sign was ruled out.
        if next.iter().flatten().all(|cost| cost.is_infinite()) {
            next = costs.map(|_| [0.0, f64::INFINITY]);
        }
        before_turns = turns.map(|row| row.map(|turn| Some(turn.speed)));
        costs = next;
        choices.push(choice);
    }
    traced_back(&costs, &choices, keys.len())
}

/// A turn from a key to the next.
#[derive(Clone, Copy)]
struct SegmentTurn {
    /// In radians.
    angle: f64,
    /// Axis times radians per second.
    speed: DVec3,
}

impl SegmentTurn {
    fn bend_from(&self, speed: DVec3, span_s: f64) -> f64 {
        0.5 * span_s * (self.speed - speed).length_squared()
    }
}

/// The turns to a key, for each sign of the key before and of the key itself.
fn turns(times: &[f64], keys: &[[f64; 4]], key: usize) -> [[SegmentTurn; 2]; 2] {
    let span = times[key] - times[key - 1];
    SIGNS.map(|before| {
        // The first key is stored with its sign.
        let from = signed(&keys[key - 1], if key == 1 { 1.0 } else { before });
        SIGNS.map(|sign| {
            let to = signed(&keys[key], sign);
            let step = DQuat::from_array(from).conjugate() * DQuat::from_array(to);
            let step = if step.w < 0.0 { -step } else { step };
            let half = DVec3::from(quat_log(step.to_array()));
            SegmentTurn { angle: quat_angle(from, to), speed: 2.0 * half / span }
        })
    })
}

fn traced_back(costs: &Costs, choices: &[[[usize; 2]; 2]], count: usize) -> Vec<f64> {
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let cheapest = |best: (usize, usize), pair: (usize, usize)| {
        if costs[pair.0][pair.1] < costs[best.0][best.1] { pair } else { best }
    };
    let (mut before, mut last) = pairs.into_iter().fold((0, 0), cheapest);
    let mut signs = vec![1.0; count];
    for key in (1..count).rev() {
        signs[key] = SIGNS[last];
        (before, last) = (choices[key - 1][before][last], before);
    }
    signs
}
