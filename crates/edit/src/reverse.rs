//! Play backwards.

use crate::joined::unrolled;
use dopesheet_core::model::{Blend, Clip, Curve, Handles, Law, Laws, Times, Timing, Weighted};
use dopesheet_core::units::Seconds;
use std::sync::Arc;

/// Turns a clip round in time: what was at its end is at 0. Every segment keeps its shape; one that holds its first key until the
/// next holds the same value in between, so that its keys change places.
pub fn reverse(clip: &mut Clip) {
    let end = clip.end();
    for track in &mut clip.tracks {
        // Keys that a target has together stay together.
        let only_steps = track.channels.iter().flat_map(|channel| channel.composition.curves()).all(steps);
        for channel in &mut track.channels {
            for curve in channel.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
                *curve = reversed(&unrolled(curve), end, only_steps);
            }
        }
    }
    for marker in &mut clip.markers {
        marker.time = Seconds(end.0 - marker.time.0);
    }
    clip.markers.reverse();
}

/// Time of a key of the result.
#[derive(Clone, Copy)]
enum At {
    /// Time 0.
    Start,
    /// That of a key of the source, turned round.
    Key(usize),
    /// As soon after it as the times can say: on the next frame, so that each frame has the value that it had.
    After(usize),
}

/// A key of the result.
#[derive(Clone, Copy)]
struct Row {
    at: At,
    /// The key whose value it has.
    value: usize,
}

/// The curve of which each time is as far from 0 as it was from `end`.
fn reversed(curve: &Curve, end: Seconds, only_steps: bool) -> Curve {
    let (rows, laws) = if only_steps && steps(curve) { holds(curve, end) } else { rows(curve) };
    let values: Vec<usize> = rows.iter().map(|row| row.value).collect();
    let handles = |handles: &Handles| {
        let [arriving, leaving] =
            [&handles.leaving, &handles.arriving].map(|side| column(side, curve.width, &values));
        Handles { arriving, leaving }
    };
    Curve {
        times: mirrored(&curve.times, &rows, end),
        width: curve.width,
        values: column(&curve.values, curve.width, &values),
        laws,
        handles: curve.handles.as_deref().map(|own| Box::new(negated(handles(own), curve))),
        weights: curve.weights.as_deref().map(|own| Box::new(handles(own))),
        weighted: curve.weighted.as_deref().map(|own| {
            let turned = values.iter().filter_map(|key| own.get(*key));
            turned.map(|own| Weighted { arriving: own.leaving, leaving: own.arriving }).collect()
        }),
        turns: curve.turns.as_deref().map(|turns| {
            let arriving = values.iter().map(|key| turns.get(key + 1).copied().unwrap_or_default());
            arriving.map(|[angle, x, y, z]| [-angle, x, y, z]).collect()
        }),
        before: curve.after.clone(),
        after: curve.before.clone(),
        jump: curve.jump,
        sources: curve
            .sources
            .is_some()
            .then(|| Arc::new(values.iter().map(|key| curve.source(*key)).collect())),
    }
}

/// True if a curve only holds its keys.
fn steps(curve: &Curve) -> bool {
    curve.laws.all(|law| law.blend == Blend::Step)
}

/// The keys from the last to the first. What is held until a key is held from behind it on: the key is two, unless the frames of
/// both are neighbours, or their values are the same.
fn rows(curve: &Curve) -> (Vec<Row>, Laws) {
    let (mut rows, mut laws) = (Vec::with_capacity(curve.len()), Vec::with_capacity(curve.len()));
    for key in (0..curve.len()).rev() {
        rows.push(Row { at: At::Key(key), value: key });
        let Some(previous) = key.checked_sub(1) else { continue };
        let law = curve.laws.get(previous);
        let differs = curve.value(previous) != curve.value(key);
        if law.blend == Blend::Step && differs && !are_neighbours(&curve.times, previous) {
            rows.push(Row { at: At::After(key), value: previous });
            laws.push(Law::STEP);
        }
        laws.push(backwards(law));
    }
    match laws.is_empty() {
        true => (rows, Laws::uniform(curve.laws.get(0))),
        false => (rows, Laws::from_segments(laws)),
    }
}

/// True if the segment after a key is one frame long.
fn are_neighbours(times: &Times, key: usize) -> bool {
    let Times::Frames { frames, .. } = times else { return false };
    frames.get(key..key + 2).is_some_and(|pair| pair[1].checked_sub(pair[0]) == Some(1))
}

/// The keys of a curve that only holds: each value from where the next one began.
fn holds(curve: &Curve, end: Seconds) -> (Vec<Row>, Laws) {
    let mut rows: Vec<Row> =
        (1..curve.len()).rev().map(|key| Row { at: At::After(key), value: key - 1 }).collect();
    let last = curve.len().saturating_sub(1);
    let is_framed = matches!(curve.times, Times::Frames { .. });
    if rows.is_empty() || is_framed || curve.times.get(last).is_none_or(|time| time.0 < end.0) {
        rows.insert(0, Row { at: At::Start, value: last });
    }
    (rows, Laws::uniform(Law::STEP))
}

/// A law the other way round.
fn backwards(law: Law) -> Law {
    let timing = match law.timing {
        Timing::Linear => Timing::Linear,
        Timing::Bezier { x1, y1, x2, y2 } => {
            Timing::Bezier { x1: 1.0 - x2, y1: 1.0 - y2, x2: 1.0 - x1, y2: 1.0 - y1 }
        }
        Timing::Ease { from, to } => Timing::Ease { from: to, to: from },
    };
    Law { timing, ..law }
}

/// Slopes the other way; control rotations of spherical cubics stay.
fn negated(mut handles: Handles, curve: &Curve) -> Handles {
    if curve.laws.all(|law| !matches!(law.blend, Blend::Squad | Blend::Turn)) {
        handles.arriving.iter_mut().chain(&mut handles.leaving).for_each(|slope| *slope = -*slope);
    }
    handles
}

fn mirrored(times: &Times, rows: &[Row], end: Seconds) -> Times {
    if let Times::Frames { rate, frames } = times {
        let last = rate.frame(end);
        let turned = |key: usize| (last as i64).checked_sub(*frames.get(key)?);
        let frame = |row: &Row| match row.at {
            At::Start => Some(0),
            At::Key(key) => turned(key),
            At::After(key) => turned(key)?.checked_add(1),
        };
        let turned: Option<Vec<i64>> = rows.iter().map(frame).collect();
        if let Some(frames) = turned.filter(|_| last == last.round() && last.abs() < 2f64.powi(53)) {
            return Times::Frames { rate: *rate, frames: frames.into() };
        }
    }
    let time = |row: &Row| match row.at {
        At::Start => 0.0,
        At::Key(key) | At::After(key) => times.get(key).map_or(0.0, |time| end.0 - time.0),
    };
    Times::Seconds(rows.iter().map(time).collect())
}

/// These rows of a column.
fn column(column: &[f32], width: usize, rows: &[usize]) -> Vec<f32> {
    let row = |key: &usize| column.get(key * width..(key + 1) * width).unwrap_or_default();
    rows.iter().flat_map(row).copied().collect()
}
