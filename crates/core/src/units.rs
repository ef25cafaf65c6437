//! Time and position with their units in the type.

use std::fmt;

/// A time or a span of time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Seconds(pub f64);

/// A position in a file, counted in bytes from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteOffset(pub u64);

impl fmt::Display for ByteOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A number of frames from the start of a clip, on the grid of a [`FrameRate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameIndex(pub i64);

/// Frames per second as a fraction, so that 30000/1001 is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

impl FrameRate {
    /// MikuMikuDance's grid.
    pub const FPS_30: Self = Self { numerator: 30, denominator: 1 };
    /// The default grid for sources without a grid.
    pub const FPS_60: Self = Self { numerator: 60, denominator: 1 };

    /// A time this close to a grid point, in frames, *is* the grid point.
    ///
    /// Times are handed around as f32 and as decimal text; at 30 fps an f32 of ten minutes is already 1e-3
    /// frame off, and no format resolves motion that finely.
    pub const SNAP_FRAMES: f64 = 1e-3;

    /// `numerator / denominator` frames per second; `None` if either is zero.
    #[must_use]
    pub const fn new(numerator: u32, denominator: u32) -> Option<Self> {
        if numerator == 0 || denominator == 0 { None } else { Some(Self { numerator, denominator }) }
    }

    /// The nearest rate with a denominator of 1 or 1001 (broadcast rates) or 1000 to `fps` frames per second;
    /// `None` outside 0.001..=1,000,000.
    #[must_use]
    pub fn from_fps(fps: f64) -> Option<Self> {
        if !(0.001..=1e6).contains(&fps) {
            return None;
        }
        [1u32, 1001, 1000]
            .into_iter()
            .map(|d| ((fps * f64::from(d)).round(), d))
            .find(|&(n, d)| (n / f64::from(d) - fps).abs() <= 1e-9 * fps || d == 1000)
            .and_then(|(n, d)| Self::new(n as u32, d))
    }

    /// The rate in frames per second.
    #[must_use]
    pub fn fps(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// The time of a (possibly fractional) frame. Whole frames are divided once, never accumulated.
    #[must_use]
    pub fn seconds(self, frame: f64) -> Seconds {
        Seconds(frame * f64::from(self.denominator) / f64::from(self.numerator))
    }

    /// The frame at a time, snapped to a whole frame within [`Self::SNAP_FRAMES`].
    #[must_use]
    pub fn frame(self, time: Seconds) -> f64 {
        let frame = time.0 * f64::from(self.numerator) / f64::from(self.denominator);
        // The sum has no room for fractions, and is faster than a call; what has none itself is nearest to itself.
        const NO_FRACTIONS: f64 = (1u64 << 52) as f64 * 1.5;
        let whole =
            if frame.abs() < NO_FRACTIONS / 3.0 { (frame + NO_FRACTIONS) - NO_FRACTIONS } else { frame };
        if (frame - whole).abs() <= Self::SNAP_FRAMES { whole } else { frame }
    }

    /// The frame at a time that is a whole frame, and small enough to be distinct from its neighbours.
    #[must_use]
    pub fn whole_frame(self, time: Seconds) -> Option<i64> {
        let frame = self.frame(time);
        (frame == frame.round() && frame.abs() < 2f64.powi(53)).then_some(frame as i64)
    }

    /// The exact time of the grid point within [`Self::SNAP_FRAMES`] of a time, if there is such a point.
    #[must_use]
    pub fn grid_point(self, time: Seconds) -> Option<Seconds> {
        let frame = self.frame(time);
        // Casting is faster than looking for the nearest whole number; beyond what it can hold every number is one.
        (frame == frame as i64 as f64 || frame.abs() >= 2f64.powi(53)).then(|| self.seconds(frame))
    }

    /// The time itself, or the exact time of the grid point within [`Self::SNAP_FRAMES`] of it.
    #[must_use]
    pub fn snap(self, time: Seconds) -> Seconds {
        self.grid_point(time).unwrap_or(time)
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} fps", self.fps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_to_seconds_and_back_is_exact_for_twenty_thousand_frames() {
        for n in 0..=20_000 {
            let frame = f64::from(n);
            let t = FrameRate::FPS_30.seconds(frame);
            assert_eq!(FrameRate::FPS_30.frame(t), frame);
            assert_eq!(FrameRate::FPS_30.frame(Seconds(f64::from(t.0 as f32))), frame, "given as f32");
            assert_eq!(FrameRate::FPS_30.snap(Seconds(f64::from(t.0 as f32))), t);
        }
    }

    #[test]
    fn times_between_frames_are_left_alone() {
        assert_eq!(FrameRate::FPS_30.frame(Seconds(0.05)), 1.5);
    }

    #[test]
    fn a_grid_point_is_what_a_time_within_a_thousandth_of_a_frame_is_snapped_to() {
        let rate = FrameRate::FPS_30;
        for (frame, off, is_one) in [
            (0.0, 9e-4, true),
            (7.0, -9e-4, true),
            (7.0, 1.1e-3, false),
            (-3.0, 0.5, false),
            (2f64.powi(54), 0.0, true),
        ] {
            let time = rate.seconds(frame + off);
            assert_eq!(rate.grid_point(time), is_one.then(|| rate.snap(time)), "frame {frame} and {off}");
        }
        assert_eq!(rate.grid_point(Seconds(f64::NAN)), None);
    }

    #[test]
    fn broadcast_rates_are_fractions() {
        assert_eq!(FrameRate::from_fps(29.97002997002997), FrameRate::new(30_000, 1001));
        assert_eq!(FrameRate::from_fps(60.0), FrameRate::new(60, 1));
        assert_eq!(FrameRate::from_fps(0.0), None);
        assert_eq!(FrameRate::from_fps(f64::NAN), None);
    }
}
