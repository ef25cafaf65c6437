//! Key times, and the position of a sample time among them.

use crate::sample::policy::RoundingPolicy;
use crate::sample::timing::share;
use dopesheet_core::model::JumpSide;
use dopesheet_core::units::Seconds;

/// Position of a sample time among key times: in a segment, or on its first key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Position {
    /// Key at the start of the segment.
    pub key: u32,
    /// Key at the segment's end; the same key at the end of the curve.
    pub next: u32,
    /// Passed share of the segment, 0..=1, after rounding.
    pub share: f64,
    /// The same for a segment that holds its first key: 0 without rounding.
    pub held: f64,
}

/// Key times in seconds or frames, ascending; at least one.
#[derive(Clone, Debug)]
pub(super) struct KeyTimes {
    /// Grid on which sample times are looked up, as an index into the grids of the clip.
    pub grid: usize,
    times: Stored,
    buckets: Buckets,
    jump: JumpSide,
}

/// Times in the shortest form that holds each of them exactly.
#[derive(Clone, Debug)]
enum Stored {
    /// Whole frames after the first key.
    Frames {
        first: f64,
        after: Box<[u16]>,
    },
    Single(Box<[f32]>),
    Double(Box<[f64]>),
}

/// Evenly divided time, with the number of keys before each part: a key is searched in one part alone.
#[derive(Clone, Debug)]
struct Buckets {
    first: f64,
    /// Parts per unit of time; 0 where there is only one.
    per_unit: f64,
    /// Number of keys before each part, and of all.
    earlier: Box<[u32]>,
}

/// Average number of keys in a bucket: half a byte of memory for each key, and three comparisons.
const KEYS_PER_BUCKET: f64 = 8.0;

impl KeyTimes {
    /// From ascending, finite times on a grid of the clip.
    pub(super) fn new(times: &[f64], grid: usize, jump: JumpSide) -> Self {
        Self { grid, times: Stored::new(times), buckets: Buckets::new(times), jump }
    }

    pub(super) fn bytes(&self) -> usize {
        [size_of::<Self>(), self.times.bytes(), size_of_val(&*self.buckets.earlier)].into_iter().sum()
    }

    /// The position of a sample time on the grid; a time that is not a number stands for the first key.
    /// `hint` is the key of another position, best of the last request.
    pub(super) fn position(&self, time: f64, rounding: RoundingPolicy, hint: u32) -> Position {
        let key = match self.count_until(time, hint as usize).checked_sub(1) {
            Some(key) if !time.is_nan() => key,
            _ => return self.on(0),
        };
        let next = key.saturating_add(1);
        match (self.times.get(key), self.times.get(next)) {
            (Some(from), Some(to)) if from < time => {
                let share = share(Seconds(from), Seconds(to), Seconds(time));
                let held = if rounding == RoundingPolicy::None { 0.0 } else { rounding.share(share) };
                Position { key: key as u32, next: next as u32, share: rounding.share(share), held }
            }
            (Some(from), None) if from < time => self.at(key),
            _ => self.on(key),
        }
    }

    /// On a key or beyond the last.
    fn at(&self, key: usize) -> Position {
        let next = Some(key.saturating_add(1)).filter(|next| self.times.get(*next).is_some()).unwrap_or(key);
        Position { key: key as u32, next: next as u32, share: 0.0, held: 0.0 }
    }

    /// Position exactly at the time of a key, where `key` is the last of the keys at that time.
    fn on(&self, key: usize) -> Position {
        let is_alike = |other: &usize| self.times.get(*other) == self.times.get(key);
        self.at(match self.jump {
            JumpSide::After => key,
            JumpSide::Before => (0..key).rev().take_while(is_alike).last().unwrap_or(key),
        })
    }

    /// Number of keys at or before a time: first looked for beside the hint and at the index that evenly
    /// spaced keys would give.
    #[inline]
    fn count_until(&self, time: f64, hint: usize) -> usize {
        let is_until = |key: usize| self.times.get(key).is_some_and(|key| key <= time);
        let even = ((time - self.buckets.first) * self.buckets.per_unit * KEYS_PER_BUCKET) as usize;
        for key in [hint, hint.saturating_add(1), even, even.saturating_sub(1)] {
            let next = key.saturating_add(1);
            if is_until(key) && !is_until(next) {
                return next;
            }
        }
        let [mut low, mut high] = self.buckets.range(time);
        while low < high {
            let middle = low.midpoint(high);
            if is_until(middle) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }
}

impl Stored {
    fn new(times: &[f64]) -> Self {
        let first = times.first().copied().unwrap_or_default();
        let frames = |time: &f64| {
            let after = time - first;
            let is_exact = first + after == *time && after.fract() == 0.0;
            (is_exact && after <= f64::from(u16::MAX)).then_some(after as u16)
        };
        if let Some(after) = times.iter().map(frames).collect() {
            return Self::Frames { first, after };
        }
        if times.iter().all(|time| f64::from(*time as f32) == *time) {
            return Self::Single(times.iter().map(|time| *time as f32).collect());
        }
        Self::Double(times.into())
    }

    #[inline]
    fn get(&self, key: usize) -> Option<f64> {
        match self {
            Self::Frames { first, after } => Some(first + f64::from(*after.get(key)?)),
            Self::Single(times) => Some(f64::from(*times.get(key)?)),
            Self::Double(times) => times.get(key).copied(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Frames { after, .. } => size_of_val(&**after),
            Self::Single(times) => size_of_val(&**times),
            Self::Double(times) => size_of_val(&**times),
        }
    }
}

impl Buckets {
    fn new(times: &[f64]) -> Self {
        let [first, last] = [times.first(), times.last()].map(|time| time.copied().unwrap_or_default());
        let per_unit = times.len().saturating_sub(1) as f64 / (last - first) / KEYS_PER_BUCKET;
        if !(per_unit.is_finite() && per_unit > 0.0) {
            return Self { first, per_unit: 0.0, earlier: [0, times.len() as u32].into() };
        }
        let bucket = |time: f64| ((time - first) * per_unit) as usize;
        let earlier = (0..=bucket(last).saturating_add(1))
            .map(|n| times.partition_point(|time| bucket(*time) < n) as u32);
        Self { first, per_unit, earlier: earlier.collect() }
    }

    /// Fewest and most keys that may lie at or before a time.
    #[inline]
    fn range(&self, time: f64) -> [usize; 2] {
        // Times before the first key are in the first bucket, whose first count is 0.
        let bucket = ((time - self.first) * self.per_unit) as usize;
        match (self.earlier.get(bucket..), self.earlier.last()) {
            (Some([low, high, ..]), _) => [*low as usize, *high as usize],
            (_, keys) => [keys.map_or(0, |keys| *keys as usize); 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Even, uneven, with jumps, clustered, tiny and huge.
    fn lists() -> Vec<Vec<f64>> {
        let even = |n: i32, step: f64| (0..n).map(|n| f64::from(n) * step).collect::<Vec<_>>();
        let clustered = (0..100).map(|n| if n < 99 { 1.0 + f64::from(n) * 1e-9 } else { 50.0 }).collect();
        vec![
            vec![2.5],
            vec![0.0, 1.0],
            vec![-3.0, -3.0, 4.0, 4.0, 4.0, 9.0, 9.0],
            even(41, 1.0 / 30.0),
            even(41, 1.0 / 30.0).iter().map(|t| f64::from(*t as f32)).collect(),
            even(500, 7.0).iter().map(|t| t + (t * 12.9898).sin().abs() * 6.0).map(f64::round).collect(),
            even(500, 7.0).iter().map(|t| t + (t * 12.9898).sin().abs() * 6.0).collect(),
            clustered,
            vec![-1e308, 0.0, 1e308],
        ]
    }

    #[test]
    fn every_time_finds_its_segment_whatever_the_hint() {
        let mut looked = 0;
        for times in lists() {
            let list = KeyTimes::new(&times, 0, JumpSide::After);
            let inner = times.windows(2).map(|w| w[0] + (w[1] / 2.0 - w[0] / 2.0) * 0.7);
            let asked: Vec<f64> = times.iter().copied().chain(inner).chain([-1e9, 1e9]).collect();
            for time in asked {
                let until = times.partition_point(|t| *t <= time);
                for hint in [0, (until as u32).saturating_sub(2), until as u32, times.len() as u32 - 1] {
                    let position = list.position(time, RoundingPolicy::None, hint);
                    assert_eq!(position.key as usize, until.saturating_sub(1), "{time} in {times:?}");
                    assert!((0.0..=1.0).contains(&position.share));
                    looked += 1;
                }
            }
        }
        assert!(looked > 8000, "{looked}");
    }

    #[test]
    fn the_first_of_several_keys_counts_where_the_curve_says_so() {
        let list = KeyTimes::new(&[0.0, 1.0, 1.0, 2.0, 2.0], 0, JumpSide::Before);
        let at = |time| list.position(time, RoundingPolicy::None, 0).key;
        assert_eq!([at(1.0), at(1.5), at(2.0), at(2.1)], [1, 2, 3, 4]);
    }

    #[test]
    fn rounding_takes_one_end_of_the_segment() {
        use RoundingPolicy::{Ceil, Floor, Nearest, None};
        let list = KeyTimes::new(&[0.0, 1.0], 0, JumpSide::After);
        let at = |time, rounding| list.position(time, rounding, 0).share;
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.25, r)), [0.25, 0.0, 1.0, 0.0]);
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.5, r)), [0.5, 0.0, 1.0, 1.0]);
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.0, r)), [0.0; 4]);
    }
}
