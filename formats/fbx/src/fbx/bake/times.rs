//! Times of keys.

use crate::fbx::document::Take;
use crate::fbx::play::{AnimatedProperty, AnimationCurve, CurveKey, Interpolation, Player};

/// Largest distance of a recording's key from its frame, in steps from frame to frame.
const OFF_GRID: f64 = 0.02;

/// Largest distance of a key from its frame at which the time of the key counts, in seconds: as much as rounding leaves.
const SAME_S: f64 = 1e-6;

/// Longest step of a recording, in frames of the file: Unreal divides the length of a take evenly.
const LONGEST_STEP: f64 = 1.5;

/// Smallest share of keyed frames, of the file's frames and of others. Poses on every second frame are set by hand.
const MOSTLY_KEYED: f64 = 2.0 / 3.0;
const EVENLY_KEYED: f64 = 0.99;

/// Fewest steps of a recording; a short take may have fewer.
const FEWEST_STEPS: usize = 5;

/// A time of keys.
#[derive(Clone, Copy)]
pub(super) struct KeyTime {
    /// Time on the clock of the file.
    pub(super) time_s: f64,
    /// True if the property itself has a key.
    pub(super) is_authored: bool,
    /// True if a value may jump.
    pub(super) jumps: bool,
}

/// Times of all keys behind a property, ascending. The first few sources have the property's name.
pub(super) fn key_times(player: &Player<'_>, sources: &[&AnimatedProperty], named: usize) -> Vec<KeyTime> {
    let mut times: Vec<KeyTime> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let curves = player.curves_of(source);
        curves.for_each(|curve| add(curve, at < named, 1.0 / player.ticks_per_s, &mut times));
    }
    times.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    times.dedup_by(|next, kept| {
        let is_same = next.time_s == kept.time_s;
        if is_same {
            kept.is_authored |= next.is_authored;
            kept.jumps |= next.jumps;
        }
        is_same
    });
    times
}

/// Adds the times of a curve's keys. Behind a key with the value of the next, the value changes a tick later, so that either has a time.
fn add(curve: &AnimationCurve, is_authored: bool, tick_s: f64, times: &mut Vec<KeyTime>) {
    let mut jumps = false;
    for (at, key) in curve.keys.iter().enumerate() {
        times.push(KeyTime { time_s: key.time_s, is_authored, jumps });
        let next = curve.keys.get(at + 1).filter(|next| !key.holds_until(next));
        jumps = next.is_some() && key.interpolation == Interpolation::Constant;
        if next.is_some() && key.interpolation == Interpolation::ConstantNext {
            times.push(KeyTime { time_s: key.time_s + tick_s, is_authored: true, jumps: false });
        }
    }
}

/// Frames of a recording: of a property with keys on most frames from its first to its last key, and no steps. `None` for other properties.
///
/// Recorders leave keys out where a curve is straight, and filters of angles add some between the frames.
pub(super) fn recorded(player: &Player<'_>, sources: &[&AnimatedProperty], take: &Take) -> Option<Vec<f64>> {
    let curves = sources.iter().flat_map(|source| player.curves_of(source));
    let changing: Vec<&AnimationCurve> = curves.filter(|curve| curve.changes()).collect();
    if !changing.iter().all(|curve| is_smooth(curve)) {
        return None;
    }
    let keys = changing.iter().flat_map(|curve| &curve.keys);
    let mut times: Vec<f64> = keys.map(|key| key.time_s).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    let (frame_s, usual_s) = (1.0 / take.rate.fps(), *gaps.get(gaps.len() / 2)?);
    let is_step = usual_s > 0.0 && usual_s < LONGEST_STEP * frame_s;
    let even = is_step.then(|| frames(&times, times[0], usual_s, EVENLY_KEYED)).flatten();
    let of_frames = |start_s: f64| frames(&times, start_s, frame_s, MOSTLY_KEYED);
    let frames = even.or_else(|| of_frames(take.begin.0)).or_else(|| of_frames(times[0]))?;
    let is_short = take.end.0 - take.begin.0 < frame_s * FEWEST_STEPS as f64;
    (frames.len() > FEWEST_STEPS || is_short).then_some(frames)
}

/// Evenly spaced times from the first to the last of some times, if keys stand at a share of them.
fn frames(times: &[f64], start_s: f64, step_s: f64, share: f64) -> Option<Vec<f64>> {
    let (first, last) = (*times.first()?, *times.last()?);
    let step_number = |time_s: f64| (time_s - start_s) / step_s;
    let (from, to) = ((step_number(first) + OFF_GRID).floor(), (step_number(last) - OFF_GRID).ceil());
    // More steps than keys by far are no recording.
    if to - from > times.len() as f64 * 2.0 {
        return None;
    }
    let mut keyed = 0;
    let frame = |step: usize| {
        let time_s = start_s + step_s * (from + step as f64);
        let near = times.partition_point(|key_s| *key_s < time_s - OFF_GRID * step_s);
        let key_s = times.get(near).filter(|key_s| **key_s <= time_s + OFF_GRID * step_s);
        keyed += usize::from(key_s.is_some());
        key_s.copied().filter(|key_s| (key_s - time_s).abs() < SAME_S).unwrap_or(time_s)
    };
    let frames: Vec<f64> = (0..=(to - from) as usize).map(frame).collect();
    (keyed as f64 >= share * frames.len() as f64).then_some(frames)
}

/// True if a curve changes without steps, between constant ends.
fn is_smooth(curve: &AnimationCurve) -> bool {
    let is_smooth = |pair: &[CurveKey]| {
        pair[0].holds_until(&pair[1])
            || matches!(pair[0].interpolation, Interpolation::Linear | Interpolation::Cubic)
    };
    curve.keys.windows(2).all(is_smooth) && curve.has_constant_ends()
}
