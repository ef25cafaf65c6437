//! Filters over numbers at times.
//!
//! The zero-phase filter is a Butterworth filter of order 2, run forwards and backwards, which makes order 4
//! without a delay, as gait laboratories filter markers (D. Winter, "Biomechanics and Motor Control of Human
//! Movement", 4th ed. 2009, 3.4.4). Two passes lower the −3 dB frequency, so the cutoff is raised beforehand.

use std::f64::consts::{PI, SQRT_2};

/// A low-pass filter, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// The filter run forwards and then backwards, so that no movement is delayed.
    ZeroPhase {
        /// Frequency at which half of the power is left, in Hz: faster movement is removed.
        cutoff_hz: f64,
    },
    /// The One-Euro filter, as in live trackers: stronger for slower movement, with a small delay (G. Casiez,
    /// N. Roussel, D. Vogel, "1€ Filter", CHI 2012).
    OneEuro {
        /// Cutoff at rest, in Hz.
        min_cutoff_hz: f64,
        /// Rise of the cutoff with speed, in Hz per metre (of rotations: radian, of others: unit) per second.
        beta: f64,
    },
}

impl Filter {
    /// Default cutoff of the zero-phase filter, in Hz: the cutoff for walking (Winter, as above).
    pub const CUTOFF_HZ: f64 = 6.0;
    /// Default cutoff at rest, in Hz (Casiez et al., as above).
    pub const MIN_CUTOFF_HZ: f64 = 1.0;
    /// Default rise of the cutoff with speed, in Hz per metre (or radian, or unit) per second.
    pub const BETA: f64 = 1.0;
    /// Cutoff of speed (Casiez et al., as above).
    const SPEED_CUTOFF_HZ: f64 = 1.0;

    /// The fastest change that passes the filter whole, in Hz.
    pub(super) const fn cutoff_hz(self) -> f64 {
        match self {
            Self::ZeroPhase { cutoff_hz } => cutoff_hz,
            Self::OneEuro { .. } => Self::CUTOFF_HZ,
        }
    }

    /// The first parameter that makes no sense.
    pub(super) fn fault(self) -> Option<f64> {
        let is_sound = |number: f64| number.is_finite() && number > 0.0;
        match self {
            Self::ZeroPhase { cutoff_hz } => Some(cutoff_hz).filter(|cutoff| !is_sound(*cutoff)),
            Self::OneEuro { min_cutoff_hz, beta } => {
                let beta_fault = Some(beta).filter(|rise| !(rise.is_finite() && *rise >= 0.0));
                Some(min_cutoff_hz).filter(|cutoff| !is_sound(*cutoff)).or(beta_fault)
            }
        }
    }

    /// Filters rows of some width at ascending times. `factor` takes their numbers to metres, radians or plain units.
    pub(super) fn apply(self, times: &[f64], rows: &mut [f64], width: usize, factor: f64) {
        if times.len() < 2 || width == 0 {
            return;
        }
        match self {
            Self::ZeroPhase { cutoff_hz } => {
                for component in 0..width {
                    let mut column: Vec<f64> = rows.iter().skip(component).step_by(width).copied().collect();
                    zero_phase(times, &mut column, cutoff_hz);
                    for (row, value) in rows.chunks_exact_mut(width).zip(column) {
                        row[component] = value;
                    }
                }
            }
            Self::OneEuro { min_cutoff_hz, beta } => {
                one_euro(times, rows, width, min_cutoff_hz, beta * factor)
            }
        }
    }
}

/// Filters a column at times that need not be even; uneven times are filtered on an even grid as fine as the
/// smallest step.
fn zero_phase(times: &[f64], column: &mut [f64], cutoff_hz: f64) {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return };
    let steps = times.len() - 1;
    let mean = (last - first) / steps as f64;
    let even = |step: &[f64]| (step[1] - step[0] - mean).abs() <= EVEN * mean;
    if times.windows(2).all(even) {
        forwards_and_backwards(column, mean, cutoff_hz);
        return;
    }
    let finest = times.windows(2).map(|step| step[1] - step[0]).fold(f64::INFINITY, f64::min).max(mean / 8.0);
    let count = ((last - first) / finest).ceil().max(1.0);
    let step = (last - first) / count;
    let at = |time: f64, times: &dyn Fn(usize) -> f64, column: &[f64]| {
        let (mut low, mut high) = (0, column.len() - 1);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if times(middle) <= time { low = middle } else { high = middle }
        }
        let share = ((time - times(low)) / (times(high) - times(low))).clamp(0.0, 1.0);
        column[low] + share * (column[high] - column[low])
    };
    let mut grid: Vec<f64> = (0..=count as usize)
        .map(|point| at(first + step * point as f64, &|index| times[index], column))
        .collect();
    forwards_and_backwards(&mut grid, step, cutoff_hz);
    for (value, time) in column.iter_mut().zip(times) {
        *value = at(*time, &|index| first + step * index as f64, &grid);
    }
}

/// Share of a step by which even steps may differ: more than the error of times in single precision.
const EVEN: f64 = 1e-3;

/// Filters a column with even steps. The column is continued behind both ends by point reflection, so that
/// the ends stay in place.
fn forwards_and_backwards(column: &mut [f64], step: f64, cutoff_hz: f64) {
    // Half of the power is left after both passes together.
    let passes = libm::pow(2f64.sqrt() - 1.0, 0.25);
    let share = (cutoff_hz * step).min(0.499);
    let w = libm::tan(PI * share) / passes;
    let whole = 1.0 + SQRT_2 * w + w * w;
    let gain = w * w / whole;
    let (a1, a2) = (2.0 * (w * w - 1.0) / whole, (1.0 - SQRT_2 * w + w * w) / whole);
    let pad = ((3.0 / share).ceil() as usize).min(column.len() - 1);
    let (first, last) = (column[0], column[column.len() - 1]);
    let before = column[1..=pad].iter().rev().map(|value| 2.0 * first - value);
    let behind = column.iter().rev().skip(1).take(pad).map(|value| 2.0 * last - value);
    let mut padded: Vec<f64> = before.chain(column.iter().copied()).chain(behind).collect();
    let pass = |values: &mut dyn Iterator<Item = &mut f64>| {
        let mut state: Option<[f64; 2]> = None;
        for value in values {
            let x = *value;
            // As if the first value had been there for ever.
            let [s1, s2] = *state.get_or_insert([(1.0 - gain) * x, (gain - a2) * x]);
            let y = gain * x + s1;
            state = Some([2.0 * gain * x - a1 * y + s2, gain * x - a2 * y]);
            *value = y;
        }
    };
    pass(&mut padded.iter_mut());
    pass(&mut padded.iter_mut().rev());
    for (value, filtered) in column.iter_mut().zip(padded.iter().skip(pad)) {
        *value = *filtered;
    }
}

/// Filters rows by the One-Euro filter, with the speed of the row as a whole, so that axes do not matter.
fn one_euro(times: &[f64], rows: &mut [f64], width: usize, min_cutoff_hz: f64, beta: f64) {
    let alpha = |cutoff_hz: f64, step: f64| 1.0 / (1.0 + 1.0 / (2.0 * PI * cutoff_hz * step));
    let mut slope = vec![0.0; width];
    let mut raw: Vec<f64> = rows.get(..width).unwrap_or_default().to_vec();
    for (at, pair) in times.windows(2).enumerate() {
        let step = pair[1] - pair[0];
        let (done, rest) = rows.split_at_mut((at + 1) * width);
        let (before, row) = (&done[at * width..], &mut rest[..width]);
        let share = alpha(Filter::SPEED_CUTOFF_HZ, step);
        for ((slope, value), raw) in slope.iter_mut().zip(&*row).zip(&mut raw) {
            *slope += share * ((value - *raw) / step - *slope);
            *raw = *value;
        }
        let speed = slope.iter().map(|x| x * x).sum::<f64>().sqrt();
        let share = alpha(min_cutoff_hz + beta * speed, step);
        for (value, before) in row.iter_mut().zip(before) {
            *value = before + share * (*value - before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(hz: f64, rate: f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..=(8.0 * rate) as usize).map(|frame| frame as f64 / rate).collect();
        let values = times.iter().map(|time| (2.0 * PI * hz * time).sin()).collect();
        (times, values)
    }

    /// Height of the middle of a wave, away from the influence of the ends.
    fn left(filter: Filter, hz: f64, rate: f64) -> f64 {
        let (times, mut values) = wave(hz, rate);
        filter.apply(&times, &mut values, 1, 1.0);
        let quarter = values.len() / 4;
        let middle = &values[quarter..3 * quarter];
        (2.0 * middle.iter().map(|x| x * x).sum::<f64>() / middle.len() as f64).sqrt()
    }

    #[test]
    fn half_of_the_power_is_left_at_the_cutoff() {
        let filter = Filter::ZeroPhase { cutoff_hz: 6.0 };
        for rate in [60.0, 120.0, 240.0] {
            assert!((left(filter, 6.0, rate) - 0.5f64.sqrt()).abs() < 0.01, "{rate}");
            assert!(left(filter, 1.0, rate) > 0.995, "{rate}");
            assert!(left(filter, 25.0, rate) < 0.01, "{rate}");
        }
    }

    #[test]
    fn a_line_stays_a_line_and_nothing_comes_later() {
        let times: Vec<f64> = (0..200).map(|frame| f64::from(frame) / 60.0).collect();
        let mut line: Vec<f64> = times.iter().map(|time| 3.0 * time - 1.0).collect();
        Filter::ZeroPhase { cutoff_hz: 5.0 }.apply(&times, &mut line, 1, 1.0);
        for (time, value) in times.iter().zip(&line) {
            assert!((value - (3.0 * time - 1.0)).abs() < 1e-6, "{time}: {value}");
        }
        let mut bump: Vec<f64> = times.iter().map(|time| (-((time - 1.5) * 8.0).powi(2)).exp()).collect();
        Filter::ZeroPhase { cutoff_hz: 5.0 }.apply(&times, &mut bump, 1, 1.0);
        let highest = (0..bump.len()).max_by(|a, b| bump[*a].total_cmp(&bump[*b])).unwrap();
        assert_eq!(highest, 90);
    }

    #[test]
    fn uneven_times_are_filtered_as_even_ones() {
        let (even, mut values) = wave(1.0, 120.0);
        let keep = |at: usize| at % 7 != 3;
        let some: Vec<f64> =
            even.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, time)| *time).collect();
        let mut uneven: Vec<f64> = some.iter().map(|time| (2.0 * PI * time).sin()).collect();
        let filter = Filter::ZeroPhase { cutoff_hz: 6.0 };
        filter.apply(&even, &mut values, 1, 1.0);
        filter.apply(&some, &mut uneven, 1, 1.0);
        let kept = values.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, value)| value);
        for (a, b) in kept.zip(&uneven) {
            assert!((a - b).abs() < 2e-3, "{a} {b}");
        }
    }

    #[test]
    fn the_one_euro_filter_lets_what_is_fast_pass() {
        let (times, mut slow) = wave(4.0, 120.0);
        slow.iter_mut().for_each(|value| *value *= 1e-3);
        let mut fast: Vec<f64> = times.iter().map(|time| 5.0 * time).collect();
        let filter = Filter::OneEuro { min_cutoff_hz: 1.0, beta: 1.0 };
        filter.apply(&times, &mut slow, 1, 1.0);
        filter.apply(&times, &mut fast, 1, 1.0);
        assert!(slow[480..].iter().all(|value| value.abs() < 0.4e-3));
        let late = 5.0 * 8.0 - fast.last().unwrap();
        assert!(late > 0.0 && late / 5.0 < 0.05, "{late}");
    }
}
