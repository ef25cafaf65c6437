//! Adds keys between keys until the straight segments follow the file closely enough.

use super::path::Path;
use super::times::KeyTime;
use super::{Account, Key, LargestError};
use crate::fbx::document::Take;
use dopesheet_core::units::Seconds;

/// Largest difference of equal values by rounding.
pub(in crate::fbx) const ROUNDING: f64 = 1e-9;

/// Length of a segment that is not halved any more, in frames: a tenth of a millisecond at 30 frames per second.
const SHORTEST_FRAMES: f64 = 1.0 / 256.0;

/// Shorter segments are left alone: the clock of the format ticks every 2·10⁻¹¹ s, and what is as near as this is a step.
const SHORTEST_S: f64 = 1e-6;

/// Largest numbers of added keys for each key of the file, for each frame between two of them, and for all takes of a file besides.
const MOST_PER_KEY: usize = 32;
const MOST_PER_FRAME: usize = 4;
pub(in crate::fbx) const MOST_BESIDES: usize = 100_000;

/// Largest number of frames of a segment that are looked at.
pub(in crate::fbx) const MOST_SEGMENTS: usize = 1024;

/// Number of places at which it is checked that a curve holds outside its keys.
const PROBES: usize = 64;

/// Number of parts of each frame of a segment at whose ends the error is measured. A curve that misses at none of them and somewhere else
/// changes direction four times within a frame.
const PARTS: usize = 4;

/// Puts keys into the channels of a take, and counts them.
pub(super) struct Refiner<'a> {
    pub(super) account: Account,
    /// Start and end of the take, on the clock of the file.
    span: (f64, f64),
    frame_s: f64,
    /// Number of keys left for all channels of all takes together.
    left: &'a mut usize,
    /// True if the numbers and times of keys matter, but no values.
    counts_alone: bool,
}

impl<'a> Refiner<'a> {
    /// For a take, with the number of keys left.
    pub(super) fn new(take: &Take, left: &'a mut usize, counts_alone: bool) -> Self {
        let (span, frame_s) = ((take.begin.0, take.end.0), 1.0 / take.rate.fps());
        Self { account: Account::default(), span, frame_s, left, counts_alone }
    }

    /// The keys of a recording, and the largest difference of the stored curves between them.
    pub(super) fn record(&mut self, target: &str, frames: &[f64], path: Path<'_>) -> Vec<Key> {
        if self.counts_alone {
            return self.unmoved(frames.iter().copied(), path);
        }
        let mut keys: Vec<Key> = frames.iter().map(|time_s| path.key(*time_s)).collect();
        let (mut between, mut noise) = (Error::default(), Error::default());
        for pair in keys.windows(2) {
            between.meet(self.off(&pair[0], &pair[1], path, f64::INFINITY));
        }
        for key in &keys {
            noise.meet(Error { value: path.apart(key.value, keys[0].value), time_s: key.time_s });
        }
        // Recorders leave some noise in nodes that do not move.
        if noise.value <= path.kind.noise() {
            note(&mut self.account.noise[path.kind as usize], target, noise);
            keys.truncate(1);
        }
        // Curves may swing out between equal frames.
        if keys.len() > 1 || between.value > path.kind.noise() {
            note(&mut self.account.between[path.kind as usize], target, between);
        }
        self.account.keys += keys.len();
        keys
    }

    /// Keys of the file, all with the value at the start.
    fn unmoved(&mut self, times_s: impl Iterator<Item = f64>, path: Path<'_>) -> Vec<Key> {
        let Key { value, .. } = path.key(self.span.0);
        let keys: Vec<Key> = times_s.map(|time_s| Key { time_s, value }).collect();
        self.account.keys += keys.len();
        keys
    }

    /// The keys of a property at the times of the file's keys, with further keys in between as the tolerance needs; and true if keys were
    /// added.
    pub(super) fn refine(&mut self, target: &str, times: &[KeyTime], path: Path<'_>) -> (Vec<Key>, bool) {
        if self.counts_alone {
            return (self.unmoved(times.iter().map(|time| time.time_s), path), false);
        }
        let mut keys: Vec<(Key, bool)> = Vec::with_capacity(times.len());
        for time in times {
            if time.jumps {
                let before = path.key(time.time_s.next_down());
                keys.push((Key { time_s: time.time_s, ..before }, time.is_authored));
            }
            keys.push((path.key(time.time_s), time.is_authored));
        }
        if keys.is_empty() {
            // Values of a layer without curves count from the start.
            keys.push((path.key(self.span.0), true));
        }
        self.go_on(&mut keys, path);
        *self.left = self.left.saturating_add(self.allowance(&keys));
        let mut inserted = keys.iter().filter(|(_, is_authored)| !is_authored).count();
        let mut out: Vec<Key> = Vec::with_capacity(keys.len());
        let mut largest = Error::default();
        for (key, _) in keys {
            if let Some(last) = out.last().copied() {
                let count = out.len();
                self.fill(last, key, path, &mut out, &mut largest);
                inserted += out.len() - count;
            }
            out.push(key);
        }
        note(&mut self.account.straight[path.kind as usize], target, largest);
        // A value that never changes has one key, whoever made it.
        if out.windows(2).all(|pair| pair[0].value == pair[1].value) {
            out.truncate(1);
            inserted = 0;
        }
        self.account.keys += out.len();
        self.account.inserted += inserted;
        (out, inserted > 0)
    }

    /// Number of keys that may be added between keys.
    fn allowance(&self, keys: &[(Key, bool)]) -> usize {
        let frames = |pair: &[(Key, bool)]| self.frames_within(pair[0].0.time_s, pair[1].0.time_s);
        keys.len() * MOST_PER_KEY + keys.windows(2).map(frames).sum::<usize>() * MOST_PER_FRAME
    }

    /// Number of begun frames of a segment, at least one.
    fn frames_within(&self, from_s: f64, to_s: f64) -> usize {
        (((to_s - from_s) / self.frame_s).ceil() as usize).clamp(1, MOST_SEGMENTS)
    }

    /// Adds a key on each frame before the first key and behind the last key, within the take, if the curves are not constant
    /// there.
    fn go_on(&mut self, keys: &mut Vec<(Key, bool)>, path: Path<'_>) {
        let Some((first, last)) = keys.first().zip(keys.last()).map(|(a, b)| (a.0, b.0)) else { return };
        keys.splice(0..0, self.frames(self.span.0, first.time_s, &first, path));
        keys.extend(self.frames(last.time_s, self.span.1, &last, path));
    }

    /// Keys on the frames of a stretch of time beside a key, unless the value is constant there.
    fn frames(&mut self, from: f64, to: f64, held: &Key, path: Path<'_>) -> Vec<(Key, bool)> {
        let frame = self.frame_s;
        let count = ((to - from) / frame).ceil().max(0.0);
        let probes = (0..=PROBES).map(|at| from + (to - from) * at as f64 / PROBES as f64);
        let off = |time_s: f64| path.apart(path.key(time_s).value, held.value);
        if to - from <= SHORTEST_S || probes.map(off).all(|off| off <= path.kind.tolerance()) {
            return Vec::new();
        }
        let count = (count as usize).min(*self.left);
        *self.left -= count;
        let times = (0..count).map(|at| (from + frame * (at + 1) as f64).min(to));
        // Those before the first key start where the take does.
        let times = times.map(|time_s| if held.time_s > from { time_s - frame } else { time_s });
        times.map(|time_s| (path.key(time_s), false)).collect()
    }

    /// Puts keys between two keys.
    fn fill(&mut self, from: Key, to: Key, path: Path<'_>, out: &mut Vec<Key>, largest: &mut Error) {
        let mut from = from;
        let mut waiting = vec![to];
        while let Some(end) = waiting.pop() {
            let may_halve = end.time_s - from.time_s > self.frame_s * SHORTEST_FRAMES && *self.left > 0;
            let limit = if may_halve { path.kind.tolerance() } else { f64::INFINITY };
            let error = self.off(&from, &end, path, limit);
            if error.value > path.kind.tolerance() && may_halve {
                let middle = self.middle(from.time_s, end.time_s);
                *self.left -= 1;
                waiting.push(end);
                waiting.push(path.key(middle));
                continue;
            }
            largest.meet(error);
            if !waiting.is_empty() {
                out.push(end);
            }
            from = end;
        }
    }

    /// The frame next to the middle of a segment; the middle itself within a frame.
    fn middle(&self, from_s: f64, to_s: f64) -> f64 {
        let middle = (from_s + to_s) / 2.0;
        let frame = self.span.0 + ((middle - self.span.0) / self.frame_s).round() * self.frame_s;
        let apart = (frame - from_s).min(to_s - frame);
        if apart > self.frame_s / 4.0 { frame } else { middle }
    }

    /// Largest error of the straight segment between two keys, or the first error found above a limit.
    fn off(&self, a: &Key, b: &Key, path: Path<'_>, limit: f64) -> Error {
        let length = b.time_s - a.time_s;
        let mut largest = Error::default();
        if length <= SHORTEST_S {
            return largest;
        }
        let parts = PARTS * self.frames_within(a.time_s, b.time_s);
        // The middle first, where the error of most segments is largest.
        for part in [parts / 2].into_iter().chain((1..parts).filter(|part| *part != parts / 2)) {
            let share = part as f64 / parts as f64;
            let time_s = a.time_s + length * share;
            let value = path.apart(path.between(a, b, share), path.key(time_s).value);
            largest.meet(Error { value, time_s });
            if value > limit {
                break;
            }
        }
        largest
    }
}

/// An error at a time.
#[derive(Default)]
struct Error {
    value: f64,
    time_s: f64,
}

impl Error {
    /// Becomes a larger error.
    const fn meet(&mut self, other: Self) {
        if other.value > self.value {
            *self = other;
        }
    }
}

/// Counts the largest error of a property, and keeps it if it is the largest so far.
fn note(largest_error: &mut LargestError, target: &str, error: Error) {
    let properties = largest_error.properties + usize::from(error.value > 0.0);
    largest_error.properties = properties;
    if error.value > largest_error.value {
        let (target, time) = (target.to_owned(), Seconds(error.time_s));
        *largest_error = LargestError { properties, value: error.value, target, time };
    }
}
