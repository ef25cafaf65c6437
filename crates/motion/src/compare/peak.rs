//! The largest difference at any sample, and a closer look at it.

use super::times::SampleTimes;
use dopesheet_core::units::Seconds;

/// Steps of the search for the top of a peak: each leaves 0.62 of the range, so that these leave a hundredth.
const STEPS: u32 = 10;

/// 1 less the golden ratio's inverse.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// Largest difference so far, and the sample at which it was met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Peak {
    pub(super) value: f64,
    pub(super) sample: usize,
}

impl Peak {
    /// Takes note of a difference; one that is no number is larger than any.
    pub(super) fn meet(&mut self, value: f64, sample: usize) {
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if value > self.value {
            *self = Self { value, sample };
        }
    }

    /// Takes note of what was met at later samples.
    pub(super) fn merge(&mut self, later: Self) {
        self.meet(later.value, later.sample);
    }

    /// The difference at the peak by `exact`, and when that is.
    pub(super) fn looked_up(&self, times: &SampleTimes, mut exact: impl FnMut(f64) -> f64) -> (f64, Seconds) {
        let time = times.all().get(self.sample).copied().unwrap_or_default();
        if self.value == 0.0 { (0.0, Seconds(0.0)) } else { (exact(time), Seconds(time)) }
    }

    /// As [`looked_up`](Self::looked_up), at the top of the peak between the neighbouring samples, by golden-section search.
    pub(super) fn refined(&self, times: &SampleTimes, mut exact: impl FnMut(f64) -> f64) -> (f64, Seconds) {
        let mut best = self.looked_up(times, &mut exact);
        let mut range = times.around(self.sample);
        let mut look = |time: f64| {
            let Some(time) = times.between(time) else { return 0.0 };
            let value = exact(time);
            if value > best.0 {
                best = (value, Seconds(time));
            }
            value
        };
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
