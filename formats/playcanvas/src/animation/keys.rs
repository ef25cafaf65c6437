//! The keys of a node from its channels: complete poses at common times.

use dopesheet_core::model::{Curve, Times, Transform};
use dopesheet_core::order::ascend;
use dopesheet_curve::{lerp, quat_normalise_or_identity, slerp};

/// Times closer than this, in seconds, make a single key.
const SAME_TIME_S: f64 = 1e-6;
/// Largest part of the time since the key before by which a key with the old value precedes a jump.
const JUMP_PART: f64 = 0.1;
/// Neighbouring rotations with a product below this limit are within 0.12° of half a turn apart. The
/// direction of the rotation between them depends on the last digits of both, which writing rounds; a key
/// half-way settles the direction.
const HALF_TURN: f64 = 1e-3;

/// A complete key; seconds, units of the scene, unit quaternion x y z w, factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub(super) time: f64,
    pub(super) position: [f64; 3],
    pub(super) rotation: [f64; 4],
    pub(super) scale: [f64; 3],
}

/// A curve of straight segments.
pub(super) struct StraightCurve<'a> {
    times: Vec<f64>,
    curve: &'a Curve,
    /// Factor of the stored numbers.
    unit: f64,
}

/// Side of a jump: the earlier or the later of two keys at one time.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

impl<'a> StraightCurve<'a> {
    /// The curve must have keys.
    pub(super) fn new(curve: &'a Curve, unit: f64) -> Self {
        Self { times: seconds(&curve.times), curve, unit }
    }

    /// The value at a time; the ends hold.
    fn at<const N: usize>(&self, time: f64, side: Side) -> [f64; N] {
        let behind =
            self.times.partition_point(|t| if side == Side::Before { *t < time } else { *t <= time });
        let last = self.times.len().saturating_sub(1);
        let next = behind.min(last);
        let key = behind.saturating_sub(1);
        let on_key = match side {
            Side::Before => (self.times[next] == time).then_some(next),
            Side::After => (self.times[key] == time).then_some(key),
        };
        if let Some(exact) = on_key.or((key == next || behind == 0 || behind > last).then_some(next)) {
            return self.value(exact);
        }
        let (from, to) = (self.times[key], self.times[next]);
        let (a, b) = (self.value(key), self.value(next));
        let u = (time - from) / (to - from);
        mix(a, b, u)
    }

    /// The value at a time, at a jump the later value.
    pub(super) fn after<const N: usize>(&self, time: f64) -> [f64; N] {
        self.at(time, Side::After)
    }

    fn value<const N: usize>(&self, key: usize) -> [f64; N] {
        let value = self.curve.value(key).unwrap_or_default();
        std::array::from_fn(|n| value.get(n).copied().map_or(0.0, |v| self.unit * f64::from(v)))
    }
}

/// Rotations have four numbers and go along the great circle, all else goes straight.
fn mix<const N: usize>(a: [f64; N], b: [f64; N], u: f64) -> [f64; N] {
    if let (Ok(a), Ok(b)) = (<[f64; 4]>::try_from(&a[..]), <[f64; 4]>::try_from(&b[..])) {
        let turn = slerp(a, b, u);
        return std::array::from_fn(|n| turn[n]);
    }
    std::array::from_fn(|n| lerp(a[n], b[n], u))
}

/// Complete keys from 0 to `duration` at all times of the lines (position, rotation, scale), with the rest
/// transform for missing lines. A key with the old value precedes a jump by the seconds that `before` yields
/// for its time.
pub(super) fn keys(
    lines: &[Option<StraightCurve<'_>>; 3],
    rest: &Transform,
    duration: f64,
    before: impl Fn(f64) -> f64,
) -> NodeKeys {
    let pose = |time: f64, at: f64, side: Side| Pose {
        time,
        position: lines[0].as_ref().map_or(rest.translation, |line| line.at(at, side)),
        rotation: quat_normalise_or_identity(
            lines[1].as_ref().map_or(rest.rotation, |line| line.at(at, side)),
        ),
        scale: lines[2].as_ref().map_or(rest.scale, |line| line.at(at, side)),
    };
    let (mut poses, mut jumps, mut longest_s) = (Vec::<Pose>::new(), 0, 0.0f64);
    for group in groups(lines, duration) {
        let (old, after) =
            (pose(group.end, group.start, Side::Before), pose(group.end, group.end, Side::After));
        let last = poses.last().copied();
        match last {
            Some(last) if !same(&old, &after) => {
                let lead = before(group.end).min(JUMP_PART * (group.end - last.time));
                let early = (group.end - lead).min(group.start);
                (jumps, longest_s) = (jumps + 1, longest_s.max(group.end - early));
                push(&mut poses, pose(early, early, Side::Before));
                poses.push(after);
            }
            _ => push(&mut poses, after),
        }
    }
    NodeKeys { poses, jumps, longest_s }
}

/// The keys of a node.
pub(super) struct NodeKeys {
    pub(super) poses: Vec<Pose>,
    /// Jumps, each replaced by a steep ramp.
    pub(super) jumps: usize,
    /// Duration of the longest ramp, in seconds.
    pub(super) longest_s: f64,
}

/// Times of a group of keys to be merged: first and last.
struct Group {
    start: f64,
    end: f64,
}

fn groups(lines: &[Option<StraightCurve<'_>>; 3], duration: f64) -> Vec<Group> {
    let keyed = lines.iter().flatten().flat_map(|line| line.times.iter().copied());
    let mut times: Vec<f64> = keyed.chain([0.0, duration]).collect();
    ascend(&mut times);
    let mut groups: Vec<Group> = Vec::new();
    for time in times {
        match groups.last_mut() {
            Some(group) if time - group.start <= SAME_TIME_S => group.end = time,
            _ => groups.push(Group { start: time, end: time }),
        }
    }
    groups
}

/// Adds a key, and a key half-way before it if the rotation between would be half a turn.
fn push(poses: &mut Vec<Pose>, next: Pose) {
    if let Some(last) = poses.last().copied() {
        let product: f64 = last.rotation.iter().zip(next.rotation).map(|(a, b)| a * b).sum();
        if product.abs() < HALF_TURN {
            poses.push(Pose {
                time: lerp(last.time, next.time, 0.5),
                position: mix(last.position, next.position, 0.5),
                rotation: mix(last.rotation, next.rotation, 0.5),
                scale: mix(last.scale, next.scale, 0.5),
            });
        }
    }
    poses.push(next);
}

/// True if both are the same pose, whatever the sign of their quaternions.
fn same(a: &Pose, b: &Pose) -> bool {
    let turned = a.rotation == b.rotation || a.rotation == b.rotation.map(|v| -v);
    turned && a.position == b.position && a.scale == b.scale
}

/// The times of a curve as seconds.
fn seconds(times: &Times) -> Vec<f64> {
    times.iter().map(|t| t.0).collect()
}
