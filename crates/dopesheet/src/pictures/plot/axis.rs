//! From times and values to places in the picture, and round numbers on the way.

use dopesheet_core::units::{FrameRate, Seconds};

/// A straight map from numbers to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) from: f64,
    pub(super) to: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// `from` is put at pixel `start`, `to` at `end`. An axis of no length gets length 1.
    pub(super) fn new(from: f64, to: f64, start: f64, end: f64) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, start, end }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        // Wild numbers of a damaged file stay near the picture.
        self.start + (self.end - self.start) * if share.is_finite() { share.clamp(-10.0, 11.0) } else { 0.0 }
    }

    pub(super) fn pixels_per_unit(&self) -> f64 {
        ((self.end - self.start) / (self.to - self.from)).abs()
    }

    /// Round numbers on the axis, at least `pixels` apart.
    pub(super) fn ticks(&self, pixels: f64) -> Vec<f64> {
        self.multiples(round_step(pixels / self.pixels_per_unit(), &[1.0, 2.0, 5.0]))
    }

    /// Whole frames on the axis, at least `pixels` apart, as frame and time.
    pub(super) fn frames(&self, rate: FrameRate, pixels: f64) -> Vec<(f64, f64)> {
        const STEPS: [f64; 11] = [1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 150.0, 300.0, 600.0, 1800.0];
        let least = pixels / self.pixels_per_unit() * rate.fps();
        let step = STEPS.into_iter().find(|step| *step >= least);
        let step = step.unwrap_or_else(|| round_step(least, &[1.0, 2.0, 5.0]));
        let frames = Self { from: rate.frame(Seconds(self.from)), to: rate.frame(Seconds(self.to)), ..*self };
        frames.multiples(step).into_iter().map(|frame| (frame, rate.seconds(frame).0)).collect()
    }

    fn multiples(&self, step: f64) -> Vec<f64> {
        let (first, last) = ((self.from / step - 1e-9).ceil(), (self.to / step + 1e-9).floor());
        // At most one for each pixel, so that no axis is too long.
        let count = (last - first).clamp(-1.0, 4000.0);
        (0..(count + 1.0) as usize).map(|n| (first + n as f64) * step).collect()
    }
}

/// The smallest of `digits` times a power of ten that is at least `least`.
fn round_step(least: f64, digits: &[f64]) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(least).floor());
    let steps = digits.iter().map(|digit| digit * power);
    steps.chain([10.0 * power]).find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A number without digits that mean nothing on an axis of a given length.
pub(super) fn label(value: f64, length: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs().max(length.abs() / 10.0);
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.1e}");
    }
    let places = (2.0 - libm::log10(length.abs().max(f64::MIN_POSITIVE)).floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_not_too_near() {
        let axis = Axis::new(0.0, 4.2, 200.0, 1200.0);
        assert_eq!(axis.ticks(80.0), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
        let frames: Vec<f64> = axis.frames(FrameRate::FPS_30, 60.0).iter().map(|(frame, _)| *frame).collect();
        assert_eq!(frames[..4], [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(axis.at(4.2), 1200.0);
    }

    #[test]
    fn numbers_have_as_many_digits_as_their_axis() {
        assert_eq!(label(0.5, 4.0), "0.5");
        assert_eq!(label(-45.0, 180.0), "-45");
        assert_eq!(label(0.015, 0.04), "0.015");
        assert_eq!(label(2e7, 4e7), "2.0e7");
    }

    #[test]
    fn an_axis_of_no_length_and_a_value_that_is_no_number_do_no_harm() {
        let axis = Axis::new(1.0, 1.0, 0.0, 100.0);
        assert_eq!((axis.at(1.0), axis.at(f64::NAN)), (0.0, 0.0));
        assert!(axis.at(1e300) <= 1100.0);
    }
}
