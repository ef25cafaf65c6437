//! A player's time at the ends of a clip.

use dopesheet_core::units::Seconds;

/// Behaviour of a player that reaches an end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtEnd {
    /// It stays there.
    #[default]
    Stay,
    /// It goes on at the other end, as far beyond it as it would have gone; the end itself is the start.
    Wrap,
    /// It jumps to the other end and loses what it would have gone beyond; the end itself is shown.
    ///
    /// Source: PlayCanvas engine, `Skeleton.addTime`.
    Restart,
}

/// The time in a clip `by` seconds after `time`; `by` may be negative. Always within 0..=`duration`.
///
/// A duration that is not above 0 yields 0, and a sum that is not finite counts as 0.
#[must_use]
pub fn advance(time: Seconds, by: Seconds, duration: Seconds, at_end: AtEnd) -> Seconds {
    let sum = time.0 + by.0;
    if !(sum.is_finite() && duration.0 > 0.0) {
        return Seconds(0.0);
    }
    let inside = (0.0..=duration.0).contains(&sum);
    Seconds(match at_end {
        AtEnd::Stay => sum.clamp(0.0, duration.0),
        // The remainder of a tiny negative number may round up to the duration.
        AtEnd::Wrap => Some(sum.rem_euclid(duration.0)).filter(|t| *t < duration.0).unwrap_or(0.0),
        AtEnd::Restart if inside => sum,
        AtEnd::Restart => {
            if sum > 0.0 {
                0.0
            } else {
                duration.0
            }
        }
    })
}
