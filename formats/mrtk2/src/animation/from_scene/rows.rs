//! Keys of all components of a value together, and from there to the curves of a file.

use crate::animation::document::{Keyframe, NumberCurve, NumberKeys, Wrap};
use dopesheet_core::model::{Blend, Curve};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, quat_angle, slerp};
use glam::{DQuat, DVec3};

/// Largest turn between two keys in radians, 10°: played component by component, the turn is 0.00123° off the
/// great arc.
const LARGEST_STEP_RAD: f64 = 10.0 * std::f64::consts::PI / 180.0;
/// As [`LARGEST_STEP_RAD`] for directions, whose components follow the arc only half as well: 5°.
const LARGEST_SWING_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// A key of a value with `N` components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VectorKey<const N: usize> {
    pub(super) time: Seconds,
    pub(super) value: [f64; N],
    /// Slopes per second, used if the segment before has tangents.
    pub(super) arriving: [f64; N],
    pub(super) leaving: Leaving<N>,
}

/// The segment leaving a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leaving<const N: usize> {
    /// Holds the key.
    Step,
    /// Straight, or along the shorter great arc.
    Straight,
    /// Cubic, with slopes per second.
    Slopes([f64; N]),
}

impl<const N: usize> VectorKey<N> {
    pub(super) const fn at(time: Seconds, value: [f64; N]) -> Self {
        Self { time, value, arriving: [0.0; N], leaving: Leaving::Straight }
    }
}

/// The keys of a curve with mapped values and slopes.
pub(super) fn rows<const N: usize>(
    curve: &Curve,
    value: impl Fn([f64; N]) -> [f64; N],
    slope: impl Fn([f64; N]) -> [f64; N],
) -> Vec<VectorKey<N>> {
    let wide = |row: &[f32]| <[f32; N]>::try_from(row).ok().map(|row| row.map(f64::from));
    let handles = |column: fn(&dopesheet_core::model::Handles) -> &[f32], key: usize| {
        let start = key * N;
        let row = curve.handles.as_deref().and_then(|h| wide(column(h).get(start..start + N)?));
        slope(row.unwrap_or([0.0; N]))
    };
    let row = |(key, time): (usize, Seconds)| {
        let leaving = match curve.laws.get(key).blend {
            Blend::Step => Leaving::Step,
            Blend::Hermite => Leaving::Slopes(handles(|h| &h.leaving, key)),
            _ => Leaving::Straight,
        };
        let stored = curve.value(key).and_then(wide)?;
        Some(VectorKey { time, value: value(stored), arriving: handles(|h| &h.arriving, key), leaving })
    };
    curve.times.iter().enumerate().filter_map(row).collect()
}

/// Rotations as components that can be played separately: the shorter way round, and no straight segment
/// longer than 10°. Yields the number of segments divided for this limit.
pub(super) fn as_components(rows: Vec<VectorKey<4>>) -> (Vec<VectorKey<4>>, usize) {
    let mut out: Vec<VectorKey<4>> = Vec::with_capacity(rows.len());
    let (mut divided, mut sign) = (0, 1.0);
    for row in rows {
        let last = out.last().copied();
        // Along slopes a change of sign would be another way.
        let is_free = last.is_none_or(|last| !matches!(last.leaving, Leaving::Slopes(_)));
        if let Some(last) = last
            && is_free
            && dot(last.value, row.value) * sign < 0.0
        {
            sign = -sign;
        }
        let row = if sign < 0.0 { negated(row) } else { row };
        if let Some(last) = last.filter(|last| last.leaving == Leaving::Straight && last.time.0 < row.time.0)
        {
            let steps = steps(quat_angle(last.value, row.value), LARGEST_STEP_RAD);
            divided += usize::from(steps > 1);
            out.extend(
                between(&last, &row, steps)
                    .map(|(time, u)| VectorKey::at(time, slerp(last.value, row.value, u))),
            );
        }
        out.push(row);
    }
    (out, divided)
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn negated(row: VectorKey<4>) -> VectorKey<4> {
    let leaving = match row.leaving {
        Leaving::Slopes(slopes) => Leaving::Slopes(slopes.map(|x| -x)),
        other => other,
    };
    VectorKey { value: row.value.map(|x| -x), arriving: row.arriving.map(|x| -x), leaving, ..row }
}

/// Into how many parts a turn is divided.
fn steps(angle_rad: f64, largest_rad: f64) -> u32 {
    let steps = (angle_rad / largest_rad - 1e-9).ceil().clamp(1.0, 100.0);
    (1..=100).find(|n| f64::from(*n) >= steps).unwrap_or(1)
}

/// The times between two keys, and how much of the way has passed there.
fn between<const N: usize>(
    from: &VectorKey<N>,
    to: &VectorKey<N>,
    steps: u32,
) -> impl Iterator<Item = (Seconds, f64)> {
    let (start, length) = (from.time.0, to.time.0 - from.time.0);
    (1..steps).map(move |n| {
        let share = f64::from(n) / f64::from(steps);
        (Seconds(start + length * share), share)
    })
}

/// Directions of the local +Z axis under rotations.
pub(super) fn directions(rows: &[VectorKey<4>]) -> Vec<VectorKey<3>> {
    let forward = |q: [f64; 4]| (DQuat::from_array(q).normalize() * DVec3::Z).to_array();
    let mut out: Vec<VectorKey<3>> = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let leaving = if row.leaving == Leaving::Step { Leaving::Step } else { Leaving::Straight };
        out.push(VectorKey { leaving, ..VectorKey::at(row.time, forward(row.value)) });
        let Some(next) = rows.get(index + 1).filter(|next| next.time.0 > row.time.0) else { continue };
        if leaving == Leaving::Straight {
            let steps = steps(quat_angle(row.value, next.value), LARGEST_SWING_RAD);
            let swing = |(time, u)| VectorKey::at(time, forward(slerp(row.value, next.value, u)));
            out.extend(between(row, next, steps).map(swing));
        }
    }
    out
}

/// Largest difference of straight segments of rotations from the great arc when their components are played
/// as stored, in radians, and its time.
pub(super) fn worst_turn(rows: &[VectorKey<4>]) -> (f64, Seconds) {
    worst(rows, |from, to, share| {
        let [a, b] = [from, to].map(stored);
        let played = std::array::from_fn(|n| lerp(a[n], b[n], share));
        quat_angle(played, slerp(from, to, share))
    })
}

/// As [`worst_turn`] for directions, whose segments are steps of a divided motion.
pub(super) fn worst_swing(rows: &[VectorKey<3>]) -> (f64, Seconds) {
    worst(rows, |from, to, share| {
        let [a, b] = [from, to].map(|v| DVec3::from(stored(v)));
        let (from, to) = (DVec3::from(from), DVec3::from(to));
        let arc = DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(from.normalize(), to.normalize()), share);
        a.lerp(b, share).angle_between(arc * from)
    })
}

/// Shares of the time between two keys, 0..=1, at which a straight segment is compared. The difference from
/// an arc is largest near a fifth of the time.
const LOOKS: [f64; 5] = [0.1, 0.21, 0.35, 0.65, 0.79];

fn worst<const N: usize>(
    rows: &[VectorKey<N>],
    off: impl Fn([f64; N], [f64; N], f64) -> f64,
) -> (f64, Seconds) {
    let mut largest = (0.0, Seconds(0.0));
    for [from, to] in rows.array_windows().filter(|[from, to]| from.time < to.time) {
        if from.leaving != Leaving::Straight || from.value == to.value {
            continue;
        }
        for share in LOOKS {
            let difference = off(from.value, to.value, share);
            if difference > largest.0 {
                largest = (difference, Seconds(lerp(from.time.0, to.time.0, share)));
            }
        }
    }
    largest
}

/// A value as stored in a file.
fn stored<const N: usize>(value: [f64; N]) -> [f64; N] {
    value.map(|number| narrow(number).into())
}

/// The curves of a file: increasing times in f32, and weights of 0 for straight segments.
pub(super) fn curves<const N: usize>(rows: &[VectorKey<N>]) -> [NumberCurve; N] {
    let placed = placed(rows);
    std::array::from_fn(|component| {
        let mut keys: Vec<Keyframe> = Vec::with_capacity(placed.len());
        for (index, (time, row)) in placed.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|at| placed.get(at)).map(|(_, row)| row.leaving);
            keys.push(keyframe(*time, row, before, component));
        }
        NumberCurve { wrap: Wrap::CLAMP, keys: NumberKeys::Full(keys) }
    })
}

/// Each key at its time as f32. The old value of a jump goes as close before its time as numbers allow, or is
/// left out if another key is in the way.
fn placed<const N: usize>(rows: &[VectorKey<N>]) -> Vec<(f32, &VectorKey<N>)> {
    let mut out: Vec<(f32, &VectorKey<N>)> = Vec::with_capacity(rows.len());
    for row in rows {
        let time = narrow(row.time.0);
        if out.last().is_some_and(|(last, _)| *last >= time)
            && let Some((_, old)) = out.pop()
        {
            let early = time.next_down();
            if early >= 0.0 && out.last().is_none_or(|(before, _)| *before < early) {
                out.push((early, old));
            }
        }
        out.push((time, row));
    }
    out
}

/// The nearest f32; numbers out of range become the largest.
#[expect(clippy::cast_possible_truncation, reason = "numbers of a file are f32")]
pub(in crate::animation) fn narrow(value: f64) -> f32 {
    value.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// Bits of Unity's weighted mode.
const USES_IN: i32 = 1;
const USES_OUT: i32 = 2;

fn keyframe<const N: usize>(
    time: f32,
    row: &VectorKey<N>,
    before: Option<Leaving<N>>,
    component: usize,
) -> Keyframe {
    let mut key = Keyframe { time, value: narrow(row.value[component]), ..Keyframe::default() };
    // Where nothing arrives or leaves, a key is as simple as it can be.
    match before {
        None | Some(Leaving::Straight) => key.weighted_mode |= USES_IN,
        Some(Leaving::Slopes(_)) => key.in_tangent = narrow(row.arriving[component]),
        Some(Leaving::Step) => {}
    }
    match row.leaving {
        Leaving::Straight => key.weighted_mode |= USES_OUT,
        Leaving::Slopes(slopes) => key.out_tangent = narrow(slopes[component]),
        Leaving::Step => key.out_tangent = f32::INFINITY,
    }
    key
}
