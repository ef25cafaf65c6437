//! The frame rate stated by a frame time.

use dopesheet_core::units::FrameRate;

/// A frame rate, and the method by which it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) rate: FrameRate,
    pub(super) how: How,
}

/// Evidence for a frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// One frame divided by the frame time as written.
    Exact,
    /// The written frame time equals the rate's frame time, rounded or cut to as many decimals.
    WithinDigits,
    /// There is no such rate; a usual rate is assumed.
    Assumed,
}

/// The rate assumed for an unusable frame time: the rate of most files.
const USUAL: FrameRate = FrameRate::FPS_30;

/// Largest number of decimals of a frame time in use. Whole numbers of frames per second differ long before.
const MOST_DECIMALS: usize = 15;

/// Common whole numbers of frames per second in files.
const COMMON: [u32; 9] = [24, 25, 30, 50, 60, 90, 100, 120, 240];

/// Largest whole number of frames per second looked for besides the common ones, for frame times with enough
/// digits to tell such rates apart.
const MOST_WHOLE: f64 = 1000.0;
const DIGITS_OF_WHOLE: usize = 5;

/// Broadcast rates, in thousands of frames per 1001 seconds.
const BROADCAST: [u32; 4] = [24, 30, 60, 120];

/// The frame rate of a frame time in seconds.
///
/// Frame times are decimals, mostly of six or seven places, and few rates have such frame times: 30 frames a
/// second are written `0.033333`. So a common rate, another whole number of frames a second, or else a
/// broadcast rate is taken if its frame time, rounded to as many decimals as the shortest spelling of the
/// number has, or, from four significant digits on, cut there, equals the written frame time. Common rates
/// need two significant digits, because `0.03` may be anything, other whole rates five. An exact frame time
/// of a whole rate is that rate. All other frame times are taken as their exact fraction.
pub(super) fn rate(frame_time_s: f64) -> Rate {
    if !(1e-6..=1e3).contains(&frame_time_s) {
        return Rate { rate: USUAL, how: How::Assumed };
    }
    let spelled = format!("{frame_time_s}");
    let decimals = spelled.split_once('.').map_or(0, |(_, behind)| behind.len());
    let digits = spelled.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
    let exact = fraction(&spelled, decimals);
    if let Some(rate) = exact.filter(|rate| rate.fps().fract() == 0.0) {
        return Rate { rate, how: How::Exact };
    }
    let near = usual_rates(frame_time_s, digits)
        .find(|rate| is_spelled(1.0 / rate.fps(), &spelled, decimals, digits));
    match (near, exact) {
        (Some(rate), _) => Rate { rate, how: How::WithinDigits },
        (None, Some(rate)) => Rate { rate, how: How::Exact },
        (None, None) => {
            let rate = FrameRate::from_fps(1.0 / frame_time_s).unwrap_or(USUAL);
            Rate { rate, how: How::WithinDigits }
        }
    }
}

/// The rate as a fraction of whole numbers, if they are small enough.
fn fraction(spelled: &str, decimals: usize) -> Option<FrameRate> {
    let units: u64 = spelled.replace('.', "").parse().ok()?;
    let one = 10u64.checked_pow(u32::try_from(decimals).ok()?)?;
    let (mut a, mut b) = (one, units);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let part = |number: u64| u32::try_from(number.checked_div(a)?).ok();
    FrameRate::new(part(one)?, part(units)?)
}

/// Rates possible for a frame time with a number of significant digits.
fn usual_rates(frame_time_s: f64, digits: usize) -> impl Iterator<Item = FrameRate> {
    let whole = (1.0 / frame_time_s).round();
    let is_told = digits >= DIGITS_OF_WHOLE && (1.0..=MOST_WHOLE).contains(&whole);
    let whole = is_told.then_some(whole as u32);
    let common = COMMON.into_iter();
    let rates = common.chain(whole).filter_map(|fps| FrameRate::new(fps, 1));
    rates.chain(BROADCAST.into_iter().filter_map(|fps| FrameRate::new(fps * 1000, 1001)))
}

/// True if a frame time, rounded or cut to a number of decimals, has this spelling.
fn is_spelled(frame_time_s: f64, spelled: &str, decimals: usize, digits: usize) -> bool {
    let decimals = decimals.min(MOST_DECIMALS);
    let rounded = format!("{frame_time_s:.decimals$}");
    let longer = format!("{frame_time_s:.*}", decimals + 3);
    let cut = longer.get(..longer.len().saturating_sub(3));
    digits >= 2 && rounded == spelled || digits >= 4 && cut == Some(spelled)
}

/// The frame time of a rate, with as few decimals as are read back as the same rate, but at least six.
pub(super) fn frame_time_s(rate: FrameRate) -> f64 {
    let exact = 1.0 / rate.fps();
    let rounded = (6..=MOST_DECIMALS).filter_map(|decimals| format!("{exact:.decimals$}").parse().ok());
    let is_read_back = |time: &f64| self::rate(*time).rate == rate;
    rounded.into_iter().find(is_read_back).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(time: f64) -> (f64, How) {
        let Rate { rate, how } = rate(time);
        (rate.fps(), how)
    }

    #[test]
    fn times_of_usual_rates_are_known_by_their_digits() {
        for (time, fps) in [
            (0.0083333, 120.0),
            (0.00833333, 120.0),
            (0.008333, 120.0),
            (0.033333, 30.0),
            (0.0333333, 30.0),
            (0.033, 30.0),
            (0.016667, 60.0),
            (0.016666, 60.0),
            (0.0416667, 24.0),
            (0.041708, 24_000.0 / 1001.0),
            (0.033367, 30_000.0 / 1001.0),
            (0.027027, 37.0),
        ] {
            assert_eq!(read(time), (fps, How::WithinDigits), "{time}");
        }
    }

    #[test]
    fn times_that_are_decimals_are_exact() {
        for (time, fps) in [
            (0.04, 25.0),
            (0.01, 100.0),
            (0.008, 125.0),
            (0.5, 2.0),
            (2.0, 0.5),
            (0.03, 100.0 / 3.0),
            (0.016, 62.5),
        ] {
            assert_eq!(read(time), (fps, How::Exact), "{time}");
        }
        // Not 120 to its sixth digit.
        assert_eq!(read(0.0083334), (1e7 / 83334.0, How::Exact));
    }

    #[test]
    fn what_is_no_time_is_taken_as_usual() {
        for time in [0.0, -0.033333, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
            assert_eq!(read(time), (30.0, How::Assumed), "{time}");
        }
    }

    #[test]
    fn rates_are_written_as_they_are_read() {
        for fps in 1..=500 {
            let whole = FrameRate::new(fps, 1).unwrap();
            assert_eq!(rate(frame_time_s(whole)).rate, whole);
        }
        for fps in BROADCAST {
            let broadcast = FrameRate::new(fps * 1000, 1001).unwrap();
            assert_eq!(rate(frame_time_s(broadcast)).rate, broadcast);
        }
        assert_eq!(frame_time_s(FrameRate::FPS_30), 0.033333);
    }
}
