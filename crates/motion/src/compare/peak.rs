//! The largest difference at any sample, and a closer look at it.

use super::times::SampleTimes;
use dopesheet_core::units::Seconds;

/// Steps of the search for the top of a peak: each leaves 0.62 of the range, so that all leave a seventeenth,
/// where a parabola is within a three hundredth of its height over the ends.
const STEPS: u32 = 6;

/// 1 less the golden ratio's inverse.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// Part of the largest difference from which on another peak may be higher between samples.
const RIVAL: f64 = 0.93;

/// The largest difference so far, and the largest of another peak that may be higher between samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rivals {
    pub(super) largest: Peak,
    second: Peak,
}

impl Rivals {
    /// Difference up to which differences have no effect.
    pub(super) fn least(&self) -> f64 {
        RIVAL * self.largest.value
    }

    /// Takes note of a difference.
    pub(super) fn note(&mut self, value: f64, time: f64) {
        let before = self.largest;
        self.largest.note(value, time);
        let lower = if self.largest == before { Peak { value, time } } else { before };
        // Samples on the sides of a peak are none of another.
        if (lower.time - self.largest.time).abs() > BESIDE_S {
            self.second.note(lower.value, lower.time);
        }
    }

    /// Takes note of the peaks of later samples.
    pub(super) fn merge(&mut self, later: Self) {
        for peak in [later.largest, later.second].into_iter().filter(|peak| peak.value > 0.0) {
            self.note(peak.value, peak.time);
        }
    }

    /// The other peak, if it may be higher.
    pub(super) fn rival(&self) -> Option<&Peak> {
        let is_apart = (self.second.time - self.largest.time).abs() > BESIDE_S;
        Some(&self.second).filter(|second| is_apart && second.value > self.least())
    }
}

/// Distance in seconds within which samples are on the sides of a peak: two even samples and a little more.
const BESIDE_S: f64 = 2.5 / 240.0;

/// Most even samples within this distance.
const MOST_EVEN: usize = 5;

/// Largest difference of all samples so far, and its time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Peak {
    pub(super) value: f64,
    pub(super) time: f64,
}

impl Peak {
    /// Takes note of a difference; a difference that is not a number counts as infinite.
    pub(super) fn note(&mut self, value: f64, time: f64) {
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if value > self.value {
            *self = Self { value, time };
        }
    }

    /// Takes note of a peak of later samples.
    pub(super) fn merge(&mut self, later: Self) {
        self.note(later.value, later.time);
    }

    /// The difference at the peak by `exact`, and its time.
    pub(super) fn looked_up(&self, mut exact: impl FnMut(f64) -> f64) -> (f64, Seconds) {
        if self.value == 0.0 { (0.0, Seconds(0.0)) } else { (exact(self.time), Seconds(self.time)) }
    }

    /// As [`looked_up`](Self::looked_up), at the top of the peak between the neighbouring samples, by golden-section search.
    pub(super) fn refined(&self, times: &SampleTimes, mut exact: impl FnMut(f64) -> f64) -> (f64, Seconds) {
        let mut best = self.looked_up(&mut exact);
        let at_sample = best.0;
        let mut range = times.around(self.time);
        let mut look = |time: f64| {
            let Some(time) = times.between(time) else { return 0.0 };
            let value = exact(time);
            if value > best.0 {
                best = (value, Seconds(time));
            }
            value
        };
        // Of samples that are closer than even ones the top may be between others.
        let near =
            Some(times.near(self.time, BESIDE_S)).filter(|near| near.len() > MOST_EVEN).unwrap_or_default();
        let middles = near.iter().map(|sample| (sample + times.around(*sample).end) / 2.0);
        let highest = middles.map(|time| (look(time), time)).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, time)) = highest.filter(|(value, _)| *value > at_sample) {
            range = times.around(time);
        }
        let inner = |range: &std::ops::Range<f64>, part: f64| range.start + (range.end - range.start) * part;
        let (mut low, mut high) = (look(inner(&range, GOLDEN)), look(inner(&range, 1.0 - GOLDEN)));
        for _ in 0..STEPS {
            if low >= high {
                range.end = inner(&range, 1.0 - GOLDEN);
                (low, high) = (look(inner(&range, GOLDEN)), low);
            } else {
                range.start = inner(&range, GOLDEN);
                (low, high) = (high, look(inner(&range, 1.0 - GOLDEN)));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_peak_that_is_nearly_as_high_is_a_rival_and_the_sides_of_the_highest_are_none() {
        let mut early = Rivals::default();
        [(0.97, 4), (0.99, 9), (1.0, 10), (0.98, 12), (0.5, 30)]
            .into_iter()
            .for_each(|(value, at)| early.note(value, f64::from(at) / 240.0));
        assert_eq!(early.rival(), Some(&Peak { value: 0.97, time: 4.0 / 240.0 }));
        let mut late = Rivals::default();
        [(1.2, 50), (1.15, 70)].into_iter().for_each(|(value, at)| late.note(value, f64::from(at) / 240.0));
        early.merge(late);
        assert_eq!(early.largest, Peak { value: 1.2, time: 50.0 / 240.0 });
        assert_eq!(early.rival(), Some(&Peak { value: 1.15, time: 70.0 / 240.0 }));
        early.note(2.0, 90.0 / 240.0);
        assert_eq!(early.rival(), None);
    }
}
