//! Adds keys between keys until the straight segments follow the file closely enough.

use crate::fbx::document::{Baked, Key, Lane, Worst};
use dopesheet_core::units::{FrameRate, Seconds};

/// Largest error of a translation between two keys, in metres: a tenth of the default tolerance of a
/// conversion.
pub const TOLERANCE_M: f64 = 1e-5;

/// Largest error of a rotation between two keys, in radians: 0.05 mm at a metre from the joint.
pub const TOLERANCE_RAD: f64 = 5e-5;

/// Largest error of a scale factor, the weight of a morph, or a colour, between two keys.
pub const TOLERANCE_RATIO: f64 = 1e-4;

/// Largest number of times that a segment is halved: at 30 frames per second that leaves a tenth of a
/// millisecond.
const MOST_HALVINGS: u32 = 8;

/// Shorter segments are left alone: the clock of the format ticks every 2·10⁻¹¹ s, and what is as near as this is a step.
const SHORTEST_S: f64 = 1e-6;

/// Largest number of added keys for each key that the library made, and for all takes of a file besides.
const MOST_PER_KEY: usize = 32;
pub(super) const MOST_BESIDES: usize = 100_000;

/// Number of places at which it is checked that a curve holds outside its keys.
const PROBES: usize = 64;

/// Shares of a segment at which its error is measured. A curve that misses at none of them and somewhere else
/// changes direction four times within a frame.
const SHARES: [f64; 3] = [0.25, 0.5, 0.75];

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
    /// The record of the largest error for this kind of value.
    fn worst<'a>(&self, baked: &'a mut Baked) -> &'a mut Worst;
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
    fn worst<'a>(&self, baked: &'a mut Baked) -> &'a mut Worst {
        &mut baked.translation_m
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
    fn worst<'a>(&self, baked: &'a mut Baked) -> &'a mut Worst {
        &mut baked.rotation_rad
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
    fn worst<'a>(&self, baked: &'a mut Baked) -> &'a mut Worst {
        &mut baked.ratio
    }
}

/// Puts keys into the channels of a take, and counts them.
pub(super) struct Refiner {
    baked: Baked,
    unit_m: f64,
    /// Start and end of the take, and its frames, on the clock of the file.
    span: (f64, f64),
    rate: FrameRate,
    /// Number of keys left for all channels of all takes together.
    left: usize,
}

impl Refiner {
    /// For a take with a start and an end, in seconds, and a frame rate, of a file with a unit in metres; with the number of keys left.
    pub(super) fn new(unit_m: f64, span: (f64, f64), rate: FrameRate, left: usize) -> Self {
        Self { baked: Baked::default(), unit_m, span, rate, left }
    }

    /// The account of all channels, and the number of keys left for further takes.
    pub(super) fn finish(self) -> (Baked, usize) {
        (self.baked, self.left)
    }

    /// No keys for a channel with unchanged curves; keys of the curves are counted.
    pub(super) fn keep<T>(&mut self, lanes: &[Lane]) -> Vec<T> {
        self.baked.add(lanes.iter().map(|lane| lane.keys.len()).sum(), 0);
        Vec::new()
    }

    /// The keys of a channel, with further keys in between as the tolerance needs; with the times of the file's keys.
    pub(super) fn refine<const N: usize>(
        &mut self,
        target: &str,
        keys: Vec<(Key<N>, bool)>,
        times_s: &[f64],
        path: &impl Path<N>,
    ) -> Vec<Key<N>> {
        let mut keys = one_if_constant(self.restore(keys, times_s, path));
        self.go_on(&mut keys, path);
        self.left = self.left.saturating_add(keys.len().saturating_mul(MOST_PER_KEY));
        // A value that never changes has one key, whoever made it.
        let authored = keys.iter().filter(|(_, is_authored)| *is_authored || keys.len() == 1).count();
        let mut out: Vec<Key<N>> = Vec::with_capacity(keys.len());
        for (key, _) in keys {
            if let Some(last) = out.last().copied() {
                self.fill(target, last, key, path, &mut out);
            }
            out.push(key);
        }
        self.baked.add(out.len(), out.len() - authored.min(out.len()));
        out
    }

    /// Puts keys of the file back where the curve beside them is not straight: the library leaves out keys between equal neighbours, and a
    /// cubic may swing out before such a key, too briefly for the measure of a long segment.
    fn restore<const N: usize>(
        &self,
        keys: Vec<(Key<N>, bool)>,
        times_s: &[f64],
        path: &impl Path<N>,
    ) -> Vec<(Key<N>, bool)> {
        let mut out: Vec<(Key<N>, bool)> = Vec::with_capacity(keys.len());
        for (next, is_authored) in keys {
            if let Some((last, _)) = out.last().copied() {
                let length = next.time_s - last.time_s;
                let straight = |time_s: f64| {
                    let share = (time_s - last.time_s) / length;
                    Key { time_s, value: path.between(&last.value, &next.value, share) }
                };
                let from = times_s.partition_point(|time_s| *time_s <= last.time_s + SHORTEST_S);
                let to = times_s.partition_point(|time_s| *time_s < next.time_s - SHORTEST_S);
                let inner = times_s.get(from..to).unwrap_or_default().iter().map(|time_s| straight(*time_s));
                let mut before = last;
                let mut is_off = false;
                for key in inner.chain([next]) {
                    let was_off =
                        std::mem::replace(&mut is_off, self.off(&before, &key, path).0 > path.tolerance());
                    if before.time_s > last.time_s && (was_off || is_off) {
                        out.push((Key { value: path.at(before.time_s), ..before }, true));
                    }
                    before = key;
                }
            }
            out.push((next, is_authored));
        }
        out
    }

    /// Adds a key on each frame before the first key and behind the last key, within the take, if the curves are not constant
    /// there: the library bakes repeating curves for a limited time only.
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
        let frame = 1.0 / self.rate.fps();
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
        target: &str,
        from: Key<N>,
        to: Key<N>,
        path: &impl Path<N>,
        out: &mut Vec<Key<N>>,
    ) {
        let mut from = from;
        let mut waiting = vec![(to, 0)];
        while let Some((end, halvings)) = waiting.pop() {
            let (off, time_s) = self.off(&from, &end, path);
            let may_halve = halvings < MOST_HALVINGS && self.left > 0;
            if off > path.tolerance() && may_halve {
                let middle = (from.time_s + end.time_s) / 2.0;
                self.left -= 1;
                waiting.push((end, halvings + 1));
                waiting.push((Key { time_s: middle, value: path.at(middle) }, halvings + 1));
                continue;
            }
            let largest = path.worst(&mut self.baked);
            if off > largest.value {
                *largest = Worst { value: off, target: target.to_owned(), time: Seconds(time_s) };
            }
            if !waiting.is_empty() {
                out.push(end);
            }
            from = end;
        }
    }

    /// Largest error of the straight segment between two keys, and its time.
    fn off<const N: usize>(&self, a: &Key<N>, b: &Key<N>, path: &impl Path<N>) -> (f64, f64) {
        let length = b.time_s - a.time_s;
        if length <= SHORTEST_S {
            return (0.0, a.time_s);
        }
        let at = |share: f64| {
            let time_s = a.time_s + length * share;
            let straight = path.between(&a.value, &b.value, share);
            (path.apart(&straight, &path.at(time_s), self.unit_m), time_s)
        };
        SHARES
            .map(at)
            .into_iter()
            .fold((0.0, a.time_s), |worst, one| if one.0 > worst.0 { one } else { worst })
    }
}

/// Equal keys as a single key.
fn one_if_constant<const N: usize>(mut keys: Vec<(Key<N>, bool)>) -> Vec<(Key<N>, bool)> {
    if keys.windows(2).all(|pair| pair[0].0.value == pair[1].0.value) {
        keys.truncate(1);
    }
    keys
}
