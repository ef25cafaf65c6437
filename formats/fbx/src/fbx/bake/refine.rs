//! Adds keys between keys until the straight segments follow the file closely enough.

use super::times::KeyTimes;
use super::{Account, Errors, Key, Worst};
use crate::fbx::document::Take;
use dopesheet_core::units::Seconds;

/// Largest error of a translation between two keys, in metres: a tenth of the default tolerance of a
/// conversion.
pub const TOLERANCE_M: f64 = 1e-5;

/// Largest error of a rotation between two keys, in radians: 0.05 mm at a metre from the joint.
pub const TOLERANCE_RAD: f64 = 5e-5;

/// Largest error of a scale factor, the weight of a morph, or a colour, between two keys.
pub const TOLERANCE_RATIO: f64 = 1e-4;

/// Noise of recorders, by kinds of values: what their sums of rounding leave in a node that does not move.
const NOISE_M: f64 = 2.5e-6;
const NOISE_RAD: f64 = 2e-6;
const NOISE_RATIO: f64 = 1e-6;

/// Largest difference of equal values by rounding.
pub(in crate::fbx) const ROUNDING: f64 = 1e-9;

/// Length of a segment that is not halved any more, in frames: a tenth of a millisecond at 30 frames per second.
const SHORTEST_FRAMES: f64 = 1.0 / 256.0;

/// Shorter segments are left alone: the clock of the format ticks every 2·10⁻¹¹ s, and what is as near as this is a step.
const SHORTEST_S: f64 = 1e-6;

/// Largest number of added keys for each key of the file and each frame between two of them, and for all takes of a file besides.
const MOST_PER_KEY: usize = 32;
pub(in crate::fbx) const MOST_BESIDES: usize = 100_000;

/// Largest number of frames of a segment that are looked at.
pub(in crate::fbx) const MOST_SEGMENTS: usize = 1024;

/// Number of places at which it is checked that a curve holds outside its keys.
const PROBES: usize = 64;

/// Number of parts of each frame of a segment at whose ends the error is measured. A curve that misses at none of them and somewhere else
/// changes direction four times within a frame.
const PARTS: usize = 4;

/// A value of the file over time, and the measure for differences of two values.
pub(super) trait Path<const N: usize> {
    /// The value at a time on the clock of the file.
    fn at(&self, time_s: f64) -> [f64; N];
    /// Value between two keys, at a share of the segment.
    fn between(&self, a: &[f64; N], b: &[f64; N], share: f64) -> [f64; N] {
        std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
    }
    /// Difference of two values, in metres (given the metres of a unit), radians or as a ratio.
    fn apart(&self, a: &[f64; N], b: &[f64; N], unit_m: f64) -> f64;
    /// Largest allowed difference.
    fn tolerance(&self) -> f64;
    /// Largest difference of a recording from a constant value that means nothing.
    fn noise(&self) -> f64;
    /// The record of the largest error for this kind of value.
    fn worst<'a>(&self, errors: &'a mut Errors) -> &'a mut Worst;
}

/// Places of a node.
pub(super) struct Places<F>(pub(super) F);
/// Rotations of a node.
pub(super) struct Turns<F>(pub(super) F);
/// Plain numbers: scale factors, weights and colours.
pub(super) struct Ratios<F>(pub(super) F);

fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl<F: Fn(f64) -> [f64; 3]> Path<3> for Places<F> {
    fn at(&self, time_s: f64) -> [f64; 3] {
        (self.0)(time_s)
    }
    fn apart(&self, a: &[f64; 3], b: &[f64; 3], unit_m: f64) -> f64 {
        distance(a, b) * unit_m
    }
    fn tolerance(&self) -> f64 {
        TOLERANCE_M
    }
    fn noise(&self) -> f64 {
        NOISE_M
    }
    fn worst<'a>(&self, errors: &'a mut Errors) -> &'a mut Worst {
        &mut errors.translation_m
    }
}

impl<F: Fn(f64) -> [f64; 4]> Path<4> for Turns<F> {
    fn at(&self, time_s: f64) -> [f64; 4] {
        (self.0)(time_s)
    }
    fn between(&self, a: &[f64; 4], b: &[f64; 4], share: f64) -> [f64; 4] {
        dopesheet_curve::slerp(*a, *b, share)
    }
    fn apart(&self, a: &[f64; 4], b: &[f64; 4], _unit_m: f64) -> f64 {
        dopesheet_curve::quat_angle(*a, *b)
    }
    fn tolerance(&self) -> f64 {
        TOLERANCE_RAD
    }
    fn noise(&self) -> f64 {
        NOISE_RAD
    }
    fn worst<'a>(&self, errors: &'a mut Errors) -> &'a mut Worst {
        &mut errors.rotation_rad
    }
}

impl<const N: usize, F: Fn(f64) -> [f64; N]> Path<N> for Ratios<F> {
    fn at(&self, time_s: f64) -> [f64; N] {
        (self.0)(time_s)
    }
    fn apart(&self, a: &[f64; N], b: &[f64; N], _unit_m: f64) -> f64 {
        distance(a, b)
    }
    fn tolerance(&self) -> f64 {
        TOLERANCE_RATIO
    }
    fn noise(&self) -> f64 {
        NOISE_RATIO
    }
    fn worst<'a>(&self, errors: &'a mut Errors) -> &'a mut Worst {
        &mut errors.ratio
    }
}

/// Puts keys into the channels of a take, and counts them.
pub(super) struct Refiner {
    account: Account,
    unit_m: f64,
    /// Start and end of the take, on the clock of the file.
    span: (f64, f64),
    frame_s: f64,
    /// Number of keys left for all channels of all takes together.
    left: usize,
    /// True if the numbers and times of keys matter, but no values.
    counts_alone: bool,
}

impl Refiner {
    /// For a take of a file with a unit in metres; with the number of keys left.
    pub(super) fn new(unit_m: f64, take: &Take, left: usize, counts_alone: bool) -> Self {
        let (span, frame_s) = ((take.begin.0, take.end.0), 1.0 / take.rate.fps());
        Self { account: Account::default(), unit_m, span, frame_s, left, counts_alone }
    }

    /// The account of all channels, and the number of keys left for further takes.
    pub(super) fn finish(self) -> (Account, usize) {
        (self.account, self.left)
    }

    /// Counts keys of the file.
    pub(super) fn count(&mut self, keys: usize) {
        self.account.keys += keys;
    }

    /// The keys of a recording, and the largest difference of the stored curves between them.
    pub(super) fn record<const N: usize>(
        &mut self,
        target: &str,
        frames: &[f64],
        path: &impl Path<N>,
    ) -> Vec<Key<N>> {
        if self.counts_alone {
            return self.unmoved(frames.iter().copied(), path);
        }
        let keys: Vec<Key<N>> =
            frames.iter().map(|time_s| Key { time_s: *time_s, value: path.at(*time_s) }).collect();
        let mut largest = Error { value: 0.0, time_s: self.span.0 };
        for pair in keys.windows(2) {
            largest.meet(self.off(&pair[0], &pair[1], path, f64::INFINITY));
        }
        let keys = self.one_if_noise(target, keys, path);
        if keys.len() > 1 {
            note(path.worst(&mut self.account.between), target, largest);
        }
        self.count(keys.len());
        keys
    }

    /// Keys of the file, all with the value at the start.
    fn unmoved<const N: usize>(
        &mut self,
        times_s: impl Iterator<Item = f64>,
        path: &impl Path<N>,
    ) -> Vec<Key<N>> {
        let value = path.at(self.span.0);
        let keys: Vec<Key<N>> = times_s.map(|time_s| Key { time_s, value }).collect();
        self.count(keys.len());
        keys
    }

    /// Keys of a recording that never leave the first value by more than the noise of recorders as a single key.
    fn one_if_noise<const N: usize>(
        &mut self,
        target: &str,
        mut keys: Vec<Key<N>>,
        path: &impl Path<N>,
    ) -> Vec<Key<N>> {
        let Some(first) = keys.first().copied() else { return keys };
        let mut largest = Error { value: 0.0, time_s: first.time_s };
        for key in &keys {
            let value = path.apart(&key.value, &first.value, self.unit_m);
            largest.meet(Error { value, time_s: key.time_s });
        }
        if largest.value <= path.noise() {
            note(path.worst(&mut self.account.noise), target, largest);
            keys.truncate(1);
        }
        keys
    }

    /// The keys of a property at the times of the file's keys, with further keys in between as the tolerance needs; and true if keys were
    /// added.
    pub(super) fn refine<const N: usize>(
        &mut self,
        target: &str,
        times: &KeyTimes,
        path: &impl Path<N>,
    ) -> (Vec<Key<N>>, bool) {
        if self.counts_alone {
            return (self.unmoved(times.0.iter().map(|time| time.time_s), path), false);
        }
        let mut keys: Vec<(Key<N>, bool)> = Vec::with_capacity(times.0.len());
        for time in &times.0 {
            let before = time.time_s.next_down();
            let value = if time.jumps { path.at(before) } else { path.at(time.time_s) };
            keys.push((Key { time_s: time.time_s, value }, time.is_authored));
            if time.jumps {
                keys.push((Key { time_s: time.time_s, value: path.at(time.time_s) }, time.is_authored));
            }
        }
        if keys.is_empty() {
            // Values of a layer without curves count from the start.
            keys.push((Key { time_s: self.span.0, value: path.at(self.span.0) }, true));
        }
        self.go_on(&mut keys, path);
        self.left = self.left.saturating_add(self.allowance(&keys));
        let mut inserted = keys.iter().filter(|(_, is_authored)| !is_authored).count();
        let mut out: Vec<Key<N>> = Vec::with_capacity(keys.len());
        let mut largest = Error { value: 0.0, time_s: self.span.0 };
        for (key, _) in keys {
            if let Some(last) = out.last().copied() {
                let count = out.len();
                self.fill(last, key, path, &mut out, &mut largest);
                inserted += out.len() - count;
            }
            out.push(key);
        }
        note(path.worst(&mut self.account.straight), target, largest);
        let out = one_if_constant(out);
        // A value that never changes has one key, whoever made it.
        let inserted = if out.len() == 1 { 0 } else { inserted };
        self.count(out.len());
        self.account.inserted += inserted;
        (out, inserted > 0)
    }

    /// Number of keys that may be added between keys.
    fn allowance<const N: usize>(&self, keys: &[(Key<N>, bool)]) -> usize {
        let frames = |pair: &[(Key<N>, bool)]| self.frames_within(pair[0].0.time_s, pair[1].0.time_s);
        keys.windows(2).map(frames).sum::<usize>().saturating_mul(MOST_PER_KEY)
    }

    /// Number of begun frames of a segment, at least one.
    fn frames_within(&self, from_s: f64, to_s: f64) -> usize {
        (((to_s - from_s) / self.frame_s).ceil() as usize).clamp(1, MOST_SEGMENTS)
    }

    /// Adds a key on each frame before the first key and behind the last key, within the take, if the curves are not constant
    /// there.
    fn go_on<const N: usize>(&mut self, keys: &mut Vec<(Key<N>, bool)>, path: &impl Path<N>) {
        let Some((first, last)) = keys.first().zip(keys.last()).map(|(a, b)| (a.0, b.0)) else { return };
        for key in self.frames(self.span.0, first.time_s, &first, path).into_iter().rev() {
            keys.insert(0, (key, false));
        }
        for key in self.frames(last.time_s, self.span.1, &last, path) {
            keys.push((key, false));
        }
    }

    /// Keys on the frames of a stretch of time beside a key, unless the value is constant there.
    fn frames<const N: usize>(
        &mut self,
        from: f64,
        to: f64,
        held: &Key<N>,
        path: &impl Path<N>,
    ) -> Vec<Key<N>> {
        let frame = self.frame_s;
        let count = ((to - from) / frame).ceil().max(0.0);
        let probes = (0..=PROBES).map(|at| from + (to - from) * at as f64 / PROBES as f64);
        let off = |time_s: f64| path.apart(&path.at(time_s), &held.value, self.unit_m);
        if to - from <= SHORTEST_S || probes.map(off).all(|off| off <= path.tolerance()) {
            return Vec::new();
        }
        let count = (count as usize).min(self.left);
        self.left -= count;
        let times = (0..count).map(|at| (from + frame * (at + 1) as f64).min(to));
        // Those before the first key start where the take does.
        let times = times.map(|time_s| if held.time_s > from { time_s - frame } else { time_s });
        times.map(|time_s| Key { time_s, value: path.at(time_s) }).collect()
    }

    /// Puts keys between two keys.
    fn fill<const N: usize>(
        &mut self,
        from: Key<N>,
        to: Key<N>,
        path: &impl Path<N>,
        out: &mut Vec<Key<N>>,
        largest: &mut Error,
    ) {
        let mut from = from;
        let mut waiting = vec![to];
        while let Some(end) = waiting.pop() {
            let may_halve = end.time_s - from.time_s > self.frame_s * SHORTEST_FRAMES && self.left > 0;
            let limit = if may_halve { path.tolerance() } else { f64::INFINITY };
            let error = self.off(&from, &end, path, limit);
            if error.value > path.tolerance() && may_halve {
                let middle = self.middle(from.time_s, end.time_s);
                self.left -= 1;
                waiting.push(end);
                waiting.push(Key { time_s: middle, value: path.at(middle) });
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
    fn off<const N: usize>(&self, a: &Key<N>, b: &Key<N>, path: &impl Path<N>, limit: f64) -> Error {
        let length = b.time_s - a.time_s;
        let mut largest = Error { value: 0.0, time_s: a.time_s };
        if length <= SHORTEST_S {
            return largest;
        }
        let parts = PARTS * self.frames_within(a.time_s, b.time_s);
        // The middle first, where the error of most segments is largest.
        for part in [parts / 2].into_iter().chain((1..parts).filter(|part| *part != parts / 2)) {
            let share = part as f64 / parts as f64;
            let time_s = a.time_s + length * share;
            let straight = path.between(&a.value, &b.value, share);
            let value = path.apart(&straight, &path.at(time_s), self.unit_m);
            largest.meet(Error { value, time_s });
            if value > limit {
                break;
            }
        }
        largest
    }
}

/// An error at a time.
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
fn note(worst: &mut Worst, target: &str, error: Error) {
    let properties = worst.properties + usize::from(error.value > 0.0);
    worst.properties = properties;
    if error.value > worst.value {
        let (target, time) = (target.to_owned(), Seconds(error.time_s));
        *worst = Worst { properties, value: error.value, target, time };
    }
}

/// Equal keys as a single key.
fn one_if_constant<const N: usize>(mut keys: Vec<Key<N>>) -> Vec<Key<N>> {
    if keys.windows(2).all(|pair| pair[0].value == pair[1].value) {
        keys.truncate(1);
    }
    keys
}
