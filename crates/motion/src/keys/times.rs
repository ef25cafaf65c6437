//! Key times: of a channel, and lists shared by several curves.

use dopesheet_core::model::{Channel, Curve, Outside, Times};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Most keys of unrolled repetitions.
const MAX_UNROLLED: f64 = 100_000.0;

/// Lists of key times already in use, so that equal lists are one list.
#[derive(Debug, Default)]
pub struct SharedTimes(HashMap<Outline, Vec<Times>>);

/// Fingerprint of a list: its grid, its length, and some of its times. Equal lists have equal fingerprints,
/// and few other lists do.
type Outline = (Option<FrameRate>, usize, [u64; 3]);

impl SharedTimes {
    /// The shared list with these times.
    pub fn seconds(&mut self, times: Vec<f64>) -> Times {
        self.share(Times::Seconds(times.into()))
    }

    /// The shared list with these frames.
    pub fn frames(&mut self, rate: FrameRate, frames: Vec<i64>) -> Times {
        self.share(Times::Frames { rate, frames: frames.into() })
    }

    /// Replaces a list of `other_lists` by this collection's equal list.
    pub(crate) fn adopt(&mut self, other_lists: &Self, times: &mut Times) {
        if other_lists.0.values().flatten().any(|own| own.is_same_list(times)) {
            *times = self.share(times.clone());
        }
    }

    /// The shared list with these times, as frames if there is a grid.
    pub(crate) fn list(&mut self, times: &[Seconds], grid: Option<FrameRate>) -> Times {
        match grid {
            Some(rate) => self.frames(rate, times.iter().map(|t| rate.frame(*t).round() as i64).collect()),
            None => self.seconds(times.iter().map(|t| t.0).collect()),
        }
    }

    /// The shared list equal to the given one.
    pub(crate) fn share(&mut self, times: Times) -> Times {
        let lists = self.0.entry(outline(&times)).or_default();
        if let Some(same) = lists.iter().find(|list| are_equal(list, &times)) {
            return same.clone();
        }
        lists.push(times.clone());
        times
    }
}

fn outline(times: &Times) -> Outline {
    let places = [0, times.len() / 2, times.len().saturating_sub(1)];
    match times {
        Times::Seconds(list) => {
            (None, list.len(), places.map(|at| list.get(at).map_or(0, |time| time.to_bits())))
        }
        Times::Frames { rate, frames } => (
            Some(*rate),
            frames.len(),
            places.map(|at| frames.get(at).map_or(0, |frame| frame.cast_unsigned())),
        ),
    }
}

/// True if two lists have the same grid and, bit for bit, the same times.
fn are_equal(a: &Times, b: &Times) -> bool {
    match (a, b) {
        (Times::Seconds(a), Times::Seconds(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.to_bits() == y.to_bits())
        }
        (Times::Frames { rate: x, frames: a }, Times::Frames { rate: y, frames: b }) => x == y && a == b,
        _ => false,
    }
}

/// The range with finite ends in the right order.
pub(crate) fn sound_range(channel: &Channel, range: (Seconds, Seconds)) -> (Seconds, Seconds) {
    let spans = channel.composition.curves().filter_map(|c| c.times.span());
    let (start, end) = range;
    let start = if start.0.is_finite() { start.0 } else { 0.0 };
    let end = if end.0.is_finite() { end.0 } else { spans.map(|s| s.1.0).fold(start, f64::max) };
    (Seconds(start), Seconds(end.max(start)))
}

/// All key times of a channel within a range, ascending, each once, and the ends of the range where a
/// movement goes on beyond them. The start of a ramp counts as a key.
pub(crate) fn authored_times(channel: &Channel, range: (Seconds, Seconds)) -> Vec<Seconds> {
    let ((start, end), mut times) = (range, Vec::<f64>::new());
    let mut seen: Vec<&Times> = Vec::new();
    let (mut repeats_before, mut repeats_after) = (false, false);
    for curve in channel.composition.curves() {
        let Some((first, last)) = curve.times.span() else { continue };
        if let Outside::Ramp { start, .. } = curve.before
            && start.0 < first.0
        {
            times.push(start.0);
        }
        if !seen.iter().any(|s| s.is_same_list(&curve.times)) {
            times.extend(curve.times.iter().map(|t| t.0));
            seen.push(&curve.times);
        }
        if repeats(&curve.before) && start.0 < first.0 {
            repeats_before = true;
            unroll(curve, -1.0, first.0 - start.0, &mut times);
        }
        if repeats(&curve.after) && end.0 > last.0 {
            repeats_after = true;
            unroll(curve, 1.0, end.0 - last.0, &mut times);
        }
    }
    let before = repeats_before || times.iter().any(|t| *t < start.0);
    let after = repeats_after || times.iter().any(|t| *t > end.0);
    times.retain(|t| *t >= start.0 && *t <= end.0);
    if before || times.is_empty() {
        times.push(start.0);
    }
    if after {
        times.push(end.0);
    }
    ascend(&mut times);
    times.dedup();
    // Adding zero makes a negative zero positive.
    times.into_iter().map(|t| Seconds(t + 0.0)).collect()
}

const fn repeats(rule: &Outside) -> bool {
    matches!(rule, Outside::Loop | Outside::PingPong)
}

/// Adds the key times of the repetitions that cover `stretch_s` seconds, later (1) or earlier (−1) than the
/// keys, unless there are too many.
fn unroll(curve: &Curve, direction: f64, stretch_s: f64, times: &mut Vec<f64>) {
    let Some((first, last)) = curve.times.span() else { return };
    let length = last.0 - first.0;
    let rule = if direction < 0.0 { &curve.before } else { &curve.after };
    let turns = (stretch_s / length).ceil();
    let are_few = turns * curve.len() as f64 <= MAX_UNROLLED;
    for turn in 1..=if are_few { turns as u64 } else { 0 } {
        let offset = direction * turn as f64 * length;
        let backwards = *rule == Outside::PingPong && turn % 2 == 1;
        let mirrored = |t: f64| if backwards { first.0 + (last.0 - t) } else { t };
        times.extend(curve.times.iter().map(|t| mirrored(t.0) + offset));
    }
}
