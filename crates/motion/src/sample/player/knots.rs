//! Key times, and where among them a time lies.

use crate::sample::policy::RoundingPolicy;
use crate::sample::timing::share;
use dopesheet_core::model::JumpSide;
use dopesheet_core::units::Seconds;

/// Where a time lies among keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// The key from which the segment goes on.
    pub key: u32,
    /// The key at its end; the same at the end of the curve.
    pub next: u32,
    /// The share of the segment that has passed, 0..=1, after rounding.
    pub share: f64,
    /// The same without rounding where the law is to hold the key.
    pub held: f64,
}

/// Key times in seconds or frames, ascending; at least one.
#[derive(Clone, Debug)]
pub(super) struct Knots {
    keys: Keys,
    guess: Guess,
    jump: JumpSide,
}

/// The shortest of these that holds every time exactly.
#[derive(Clone, Debug)]
enum Keys {
    /// Whole frames after a first one.
    Near {
        first: f64,
        after: Box<[u16]>,
    },
    Single(Box<[f32]>),
    Double(Box<[f64]>),
}

/// How to get near a key without looking at all others.
#[derive(Clone, Copy, Debug)]
enum Evenness {
    /// No key is further than a quarter of a step from where even steps would put it.
    Even,
    Uneven,
}

/// A first guess of how many keys lie at or before a time, from the time itself.
#[derive(Clone, Debug)]
struct Guess {
    evenness: Evenness,
    first: f64,
    last: f64,
    /// Steps, or buckets, per unit of time.
    per_unit: f64,
    /// How many keys lie in earlier buckets, for uneven keys.
    earlier: Box<[u32]>,
}

/// How many uneven keys share a bucket on average: a byte of memory for each, and two or three looks.
const KEYS_PER_BUCKET: f64 = 4.0;

impl Guess {
    fn new(keys: &[f64]) -> Self {
        let (first, last) =
            (keys.first().copied().unwrap_or_default(), keys.last().copied().unwrap_or_default());
        let steps = keys.len().saturating_sub(1);
        let per_unit = steps as f64 / (last - first);
        if !(per_unit.is_finite() && per_unit > 0.0) {
            return Self { evenness: Evenness::Uneven, first, last, per_unit: 0.0, earlier: [].into() };
        }
        let is_even =
            keys.iter().enumerate().all(|(n, key)| ((key - first) * per_unit - n as f64).abs() <= 0.25);
        let mut guess = Self { evenness: Evenness::Even, first, last, per_unit, earlier: [].into() };
        if !is_even {
            guess.evenness = Evenness::Uneven;
            guess.per_unit = per_unit / KEYS_PER_BUCKET;
            let buckets = guess.bucket(last) + 1;
            let counts =
                (0..buckets).map(|bucket| keys.partition_point(|key| guess.bucket(*key) < bucket) as u32);
            guess.earlier = counts.chain([keys.len() as u32]).collect();
        }
        guess
    }

    /// Even step or bucket of a time inside the keys. Later times never have earlier buckets.
    fn bucket(&self, time: f64) -> usize {
        ((time - self.first) * self.per_unit) as usize
    }

    /// The least and the most keys that may lie at or before a time inside the keys, which are uneven.
    fn range(&self, time: f64, keys: usize) -> [usize; 2] {
        match self.earlier.get(self.bucket(time)..) {
            Some([low, high, ..]) => [*low as usize, *high as usize],
            _ => [0, keys],
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.earlier)
    }
}

impl Knots {
    /// From ascending, finite times.
    pub(super) fn new(times: &[f64], jump: JumpSide) -> Self {
        Self { keys: Keys::new(times), guess: Guess::new(times), jump }
    }

    pub(super) fn bytes(&self) -> usize {
        let keys = match &self.keys {
            Keys::Near { after, .. } => size_of_val(&**after),
            Keys::Single(keys) => size_of_val(&**keys),
            Keys::Double(keys) => size_of_val(&**keys),
        };
        size_of::<Self>() + keys + self.guess.bytes()
    }

    /// The place of the first key.
    pub(super) fn start(&self) -> Place {
        self.place(self.guess.first, RoundingPolicy::None, 0)
    }

    /// Where a time lies. `hint` is where another one lay, best the one asked for before.
    pub(super) fn place(&self, time: f64, rounding: RoundingPolicy, hint: u32) -> Place {
        match &self.keys {
            Keys::Near { first, after } => {
                self.placed(after, |key| first + f64::from(key), time, rounding, hint)
            }
            Keys::Single(keys) => self.placed(keys, f64::from, time, rounding, hint),
            Keys::Double(keys) => self.placed(keys, |key| key, time, rounding, hint),
        }
    }

    #[inline(always)]
    fn placed<T: Copy>(
        &self,
        keys: &[T],
        value: impl Fn(T) -> f64 + Copy,
        time: f64,
        rounding: RoundingPolicy,
        hint: u32,
    ) -> Place {
        let last = keys.len().saturating_sub(1) as u32;
        let time = if time.is_nan() { self.guess.first } else { time };
        if time < self.guess.first {
            return self.on(keys, value, 0);
        }
        if time > self.guess.last {
            return Place { key: last, next: last, share: 0.0, held: 0.0 };
        }
        if time == self.guess.last {
            return self.on(keys, value, last);
        }
        let key = self.until(keys, value, time, hint) - 1;
        let at = |key: u32| keys.get(key as usize).map_or(self.guess.last, |key| value(*key));
        let (from, to) = (at(key), at(key + 1));
        if time == from {
            return self.on(keys, value, key);
        }
        let share = share(Seconds(from), Seconds(to), Seconds(time));
        let held = if rounding == RoundingPolicy::None { 0.0 } else { rounding.share(share) };
        Place { key, next: key + 1, share: rounding.share(share), held }
    }

    /// Exactly on the last of some keys at one time.
    #[inline(always)]
    fn on<T: Copy>(&self, keys: &[T], value: impl Fn(T) -> f64, key: u32) -> Place {
        let mut key = key as usize;
        if self.jump == JumpSide::Before {
            let time = keys.get(key).map(|key| value(*key));
            while key > 0 && keys.get(key - 1).map(|key| value(*key)) == time {
                key -= 1;
            }
        }
        let next = (key + 1).min(keys.len().saturating_sub(1)) as u32;
        Place { key: key as u32, next, share: 0.0, held: 0.0 }
    }

    /// How many keys lie at or before a time that is not before the first key.
    #[inline(always)]
    fn until<T: Copy>(&self, keys: &[T], value: impl Fn(T) -> f64, time: f64, hint: u32) -> u32 {
        let is_until = |key: u32| keys.get(key as usize).is_some_and(|key| value(*key) <= time);
        if let Evenness::Even = self.guess.evenness {
            let bucket = self.guess.bucket(time) as u32;
            return (bucket + u32::from(is_until(bucket)) + u32::from(is_until(bucket + 1))).max(1);
        }
        for key in [hint, hint + 1] {
            if is_until(key) && !is_until(key + 1) {
                return key + 1;
            }
        }
        let [low, high] = self.guess.range(time, keys.len());
        let near = keys.get(low..high).unwrap_or(keys);
        let found = near.partition_point(|key| value(*key) <= time);
        ((if near.len() == keys.len() { 0 } else { low }) + found).max(1) as u32
    }
}

impl Keys {
    fn new(times: &[f64]) -> Self {
        let first = times.first().copied().unwrap_or_default();
        let near = |time: &f64| {
            let after = time - first;
            let is_exact = first + after == *time && after.fract() == 0.0;
            (is_exact && after <= f64::from(u16::MAX)).then_some(after as u16)
        };
        if let Some(after) = times.iter().map(near).collect() {
            return Self::Near { first, after };
        }
        if times.iter().all(|time| f64::from(*time as f32) == *time) {
            return Self::Single(times.iter().map(|time| *time as f32).collect());
        }
        Self::Double(times.into())
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
            let knots = Knots::new(&times, JumpSide::After);
            let inner = times.windows(2).map(|w| w[0] + (w[1] / 2.0 - w[0] / 2.0) * 0.7);
            let asked: Vec<f64> = times.iter().copied().chain(inner).chain([-1e9, 1e9]).collect();
            for time in asked {
                let until = times.partition_point(|t| *t <= time);
                for hint in [0, (until as u32).saturating_sub(2), until as u32, times.len() as u32 - 1] {
                    let place = knots.place(time, RoundingPolicy::None, hint);
                    assert_eq!(place.key as usize, until.saturating_sub(1), "{time} in {times:?}");
                    assert!((0.0..=1.0).contains(&place.share));
                    looked += 1;
                }
            }
        }
        assert!(looked > 8000, "{looked}");
    }

    #[test]
    fn the_first_of_several_keys_counts_where_the_curve_says_so() {
        let knots = Knots::new(&[0.0, 1.0, 1.0, 2.0, 2.0], JumpSide::Before);
        let at = |time| knots.place(time, RoundingPolicy::None, 0).key;
        assert_eq!([at(1.0), at(1.5), at(2.0), at(2.1)], [1, 2, 3, 4]);
    }

    #[test]
    fn rounding_takes_one_end_of_the_segment() {
        use RoundingPolicy::{Ceil, Floor, Nearest, None};
        let knots = Knots::new(&[0.0, 1.0], JumpSide::After);
        let at = |time, rounding| knots.place(time, rounding, 0).share;
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.25, r)), [0.25, 0.0, 1.0, 0.0]);
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.5, r)), [0.5, 0.0, 1.0, 1.0]);
        assert_eq!([None, Floor, Ceil, Nearest].map(|r| at(0.0, r)), [0.0; 4]);
    }
}
