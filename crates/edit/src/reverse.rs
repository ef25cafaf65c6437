//! Play backwards.

use crate::divided::{Divided, has_cycle};
use crate::joined::unrolled;
use crate::keys::divide;
use crate::refused::Reason;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Basis, Blend, Clip, Curve, Handles, JumpSide, Law, Laws, Outside, Times, Track, Weighted,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;

/// Reverses a clip in time: its end is moved to 0. Every segment keeps its shape. A segment that holds its
/// first key until the next holds the same value in between, so its keys change places. A target that only
/// holds a value keeps its key.
///
/// # Errors
/// If a curve cannot be divided at a key that a switch with common key times gets a frame later.
pub fn reverse(clip: &mut Clip, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let (end, mut divided) = (clip.end(), Divided::of(basis));
    for track in &mut clip.tracks {
        let (only_steps, are_together) = (curves(track).all(steps), have_same_frames(track));
        for channel in &mut track.channels {
            for curve in channel.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
                let whole = unrolled(curve);
                // A value that is only held is the same backwards.
                if whole.len() > 1 {
                    *curve = reversed(&whole, end, only_steps);
                }
            }
        }
        if are_together && !have_same_frames(track) {
            put_together(track, &mut divided)?;
        }
    }
    divided.tell_of(report, "where a switch beside them comes a frame later");
    for marker in &mut clip.markers {
        marker.time = Seconds(end.0 - marker.time.0);
    }
    clip.markers.reverse();
    Ok(())
}

fn curves(track: &Track) -> impl Iterator<Item = &Curve> {
    track.channels.iter().flat_map(|channel| channel.composition.curves())
}

/// True if all curves of a target have their keys on the same frames.
fn have_same_frames(track: &Track) -> bool {
    let first = curves(track).next().map(|curve| &curve.times);
    first.is_some_and(|first| {
        matches!(first, Times::Frames { .. }) && curves(track).all(|curve| curve.times == *first)
    })
}

/// Gives all channels of a target the key times of each of them.
fn put_together(track: &mut Track, divided: &mut Divided) -> Result<(), Reason> {
    let mut times: Vec<f64> = curves(track).flat_map(|curve| curve.times.iter()).map(|time| time.0).collect();
    ascend(&mut times);
    times.dedup();
    for channel in &mut track.channels {
        let has = |time: &Seconds| {
            let counts = |curve: &Curve| curve.times.count_before(*time) != curve.times.count_until(*time);
            channel.composition.curves().all(counts)
        };
        let missing: Vec<Seconds> = times.iter().copied().map(Seconds).filter(|time| !has(time)).collect();
        for time in missing {
            divide(channel, &track.target, time, divided)?;
        }
    }
    Ok(())
}

/// Time of a key of the result.
#[derive(Clone, Copy)]
enum At {
    /// Time 0.
    Start,
    /// Time of a key of the source, reversed.
    Key(usize),
    /// The earliest time after the reversed key: the next frame, so that each frame keeps its value.
    After(usize),
}

/// A key of the result.
#[derive(Clone, Copy)]
struct ReversedKey {
    at: At,
    /// The key with the row's value.
    value: usize,
}

/// The curve with each time as far from 0 as it was from `end`.
fn reversed(curve: &Curve, end: Seconds, only_steps: bool) -> Curve {
    let (rows, laws) = match curve.times {
        Times::Frames { .. } if only_steps && steps(curve) && !has_cycle(curve) => holds(curve),
        Times::Frames { .. } => rows(curve),
        Times::Seconds(_) => rows_at_any_time(curve, end),
    };
    let times = mirrored(&curve.times, &rows, end);
    let has_jumps = times.iter().zip(times.iter().skip(1)).any(|(time, next)| time == next);
    let values: Vec<usize> = rows.iter().map(|row| row.value).collect();
    let picked = curve.picked(&values);
    let swapped = |sides: Box<Handles>| Handles { arriving: sides.leaving, leaving: sides.arriving };
    Curve {
        times,
        laws,
        handles: picked.handles.map(|sides| Box::new(negated(swapped(sides), curve))),
        weights: picked.weights.map(|sides| Box::new(swapped(sides))),
        weighted: curve.weighted.as_deref().map(|flags| {
            let turned = |row: &ReversedKey| match (row.at, flags.get(row.value)) {
                (At::Key(_), Some(sides)) => Weighted { arriving: sides.leaving, leaving: sides.arriving },
                // A value that is only held has no weights.
                _ => Weighted::NONE,
            };
            rows.iter().map(turned).collect()
        }),
        turns: curve.turns.as_deref().map(|turns| {
            let arriving = values.iter().map(|key| turns.get(key + 1).copied().unwrap_or_default());
            arriving.map(|[angle, x, y, z]| [-angle, x, y, z]).collect()
        }),
        before: curve.after.clone(),
        after: curve.before.clone(),
        jump: match curve.jump {
            JumpSide::After if has_jumps => JumpSide::Before,
            _ => JumpSide::After,
        },
        ..picked
    }
}

/// True if a curve only holds its keys.
fn steps(curve: &Curve) -> bool {
    curve.laws.all(|law| law.blend == Blend::Step)
}

/// The keys of frames from the last to the first. A value held until a key is held from the frame after the
/// key on: the key is doubled, unless the frames of both are neighbours, or their values are equal.
fn rows(curve: &Curve) -> (Vec<ReversedKey>, Laws) {
    let (mut rows, mut laws) = (Vec::with_capacity(curve.len()), Vec::with_capacity(curve.len()));
    for key in (0..curve.len()).rev() {
        rows.push(ReversedKey { at: At::Key(key), value: key });
        let Some(previous) = key.checked_sub(1) else { continue };
        let law = curve.laws.get(previous);
        let differs = curve.value(previous) != curve.value(key);
        if law.blend == Blend::Step && differs && !are_neighbours(&curve.times, previous) {
            rows.push(ReversedKey { at: At::After(key), value: previous });
            laws.push(Law::STEP);
        }
        laws.push(law.backwards());
    }
    match laws.is_empty() {
        true => (rows, Laws::uniform(curve.laws.get(0))),
        false => (rows, Laws::from_segments(laws)),
    }
}

/// The keys from the last to the first. A value held until a key is held from that key on. The key itself
/// stays beside the jump if the curve reaches its value by a segment and does not only hold it.
fn rows_at_any_time(curve: &Curve, end: Seconds) -> (Vec<ReversedKey>, Laws) {
    let time = |key: usize| curve.times.get(key).unwrap_or_default();
    let last = curve.len().saturating_sub(1);
    let (mut rows, mut laws): (Vec<ReversedKey>, Vec<Law>) = (Vec::new(), Vec::new());
    for key in (0..curve.len()).rev() {
        let before = key.checked_sub(1);
        let jump = before.filter(|before| jumps(curve, *before));
        let is_held = match key == last {
            true => curve.after == Outside::Hold && time(key).0 < end.0 && !has_cycle(curve),
            false => is_flat(curve, key),
        };
        match (jump, is_held, laws.last_mut()) {
            // Held to the end of the result already; a cycle ends with the key.
            (None, ..)
                if key == 0
                    && time(key).0 <= 0.0
                    && !has_cycle(curve)
                    && rows.last().is_some_and(|row| row.value == 0) =>
            {
                laws.pop();
                continue;
            }
            (Some(_), true, Some(law)) => *law = Law::STEP,
            (Some(_), true, None) => {
                rows.push(ReversedKey { at: At::Start, value: key });
                laws.push(Law::STEP);
            }
            _ => {
                rows.push(ReversedKey { at: At::Key(key), value: key });
                laws.extend(before.map(|before| curve.laws.get(before).backwards()));
            }
        }
        if let Some(before) = jump.filter(|before| !are_one(time(*before), time(key))) {
            rows.push(ReversedKey { at: At::After(key), value: before });
            laws.push(Law::STEP);
        }
    }
    match laws.is_empty() {
        true => (rows, Laws::uniform(curve.laws.get(0))),
        false => (rows, Laws::from_segments(laws)),
    }
}

/// True if a curve jumps to another value between a key and the next.
fn jumps(curve: &Curve, key: usize) -> bool {
    let times = [key, key + 1].map(|key| curve.times.get(key).unwrap_or_default());
    let is_step = curve.laws.get(key).blend == Blend::Step || are_one(times[0], times[1]);
    is_step && curve.value(key) != curve.value(key + 1)
}

/// True if a curve stays at the value of a key until the next, later key.
fn is_flat(curve: &Curve, key: usize) -> bool {
    let times = [key, key + 1].map(|key| curve.times.get(key).unwrap_or_default());
    let is_level = |column: &[f32], key: usize| {
        let slopes = column.get(key * curve.width..(key + 1) * curve.width);
        slopes.is_some_and(|slopes| slopes.iter().all(|slope| *slope == 0.0))
    };
    let stays = match curve.laws.get(key).blend {
        Blend::Step => true,
        Blend::Lerp | Blend::Slerp | Blend::Nlerp => curve.value(key) == curve.value(key + 1),
        Blend::Hermite | Blend::WeightedBezier => {
            let handles = curve.handles.as_deref();
            curve.value(key) == curve.value(key + 1)
                && handles.is_some_and(|handles| {
                    is_level(&handles.leaving, key) && is_level(&handles.arriving, key + 1)
                })
        }
        _ => false,
    };
    stays && !are_one(times[0], times[1])
}

/// True of the times of two keys between which a value jumps: formats of f32 that do not allow two keys at
/// the same time have the second a step later.
fn are_one(time: Seconds, next: Seconds) -> bool {
    time.0 >= f64::from((next.0 as f32).next_down().next_down())
}

/// True if the segment after a key is one frame long.
fn are_neighbours(times: &Times, key: usize) -> bool {
    let Times::Frames { frames, .. } = times else { return false };
    frames.get(key..key + 2).is_some_and(|pair| pair[1].checked_sub(pair[0]) == Some(1))
}

/// The keys of frames of a curve that only holds: each value from the frame at which the next value began.
fn holds(curve: &Curve) -> (Vec<ReversedKey>, Laws) {
    let start = ReversedKey { at: At::Start, value: curve.len().saturating_sub(1) };
    let others = (1..curve.len()).rev().map(|key| ReversedKey { at: At::After(key), value: key - 1 });
    (std::iter::once(start).chain(others).collect(), Laws::uniform(Law::STEP))
}

/// Reverses the signs of slopes; control rotations of spherical cubics, level slopes and steps stay.
fn negated(mut handles: Handles, curve: &Curve) -> Handles {
    if curve.laws.all(|law| !matches!(law.blend, Blend::Squad | Blend::Turn)) {
        let slopes = handles.arriving.iter_mut().chain(&mut handles.leaving);
        slopes.filter(|slope| slope.is_finite() && **slope != 0.0).for_each(|slope| *slope = -*slope);
    }
    handles
}

fn mirrored(times: &Times, rows: &[ReversedKey], end: Seconds) -> Times {
    if let Times::Frames { rate, frames } = times {
        let last = rate.frame(end);
        let turned = |key: usize| (last as i64).checked_sub(*frames.get(key)?);
        let frame = |row: &ReversedKey| match row.at {
            At::Start => Some(0),
            At::Key(key) => turned(key),
            At::After(key) => turned(key)?.checked_add(1),
        };
        let turned: Option<Vec<i64>> = rows.iter().map(frame).collect();
        if let Some(frames) = turned.filter(|_| last == last.round() && last.abs() < 2f64.powi(53)) {
            return Times::Frames { rate: *rate, frames: frames.into() };
        }
    }
    let turned = |key: usize| times.get(key).map_or(0.0, |time| end.0 - time.0);
    // Nothing jumps at the start: what ended there stays for one step of f32.
    let step = end.0 - f64::from((end.0 as f32).next_down());
    let time = |row: &ReversedKey| match row.at {
        At::Start => 0.0,
        At::Key(key) => turned(key),
        At::After(key) if turned(key) == 0.0 => step,
        At::After(key) => turned(key),
    };
    Times::Seconds(rows.iter().map(time).collect())
}
