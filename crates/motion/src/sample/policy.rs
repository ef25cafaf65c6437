//! Policies of a sample: at jumps, at the ends of a clip, and between keys.

use dopesheet_core::units::Seconds;

/// Side from which a time is approached, important where values jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value at the time itself, by the curve's own [`JumpSide`](dopesheet_core::model::JumpSide).
    At,
    /// The limit of the value from earlier times.
    Before,
    /// The limit of the value from later times.
    After,
}

/// Meaning of a time outside a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopingPolicy {
    /// As the curves themselves say: they hold, repeat or go on beyond the clip's duration.
    ///
    /// Keys outside of the duration, as in a clip cut from a longer one, are played.
    AsKeyed,
    /// The nearest time from 0 to the duration.
    #[default]
    Clamp,
    /// The time modulo the duration: the end *is* the start.
    ///
    /// The last pose is approached and never shown, so a clip whose last pose differs from its first jumps. A clip that
    /// leaves out the closing pose must have a duration that is one frame longer than its last key, and then holds that key
    /// for a frame. What a joint has travelled in a lap is lost at its end: for root motion add the difference between
    /// the last and the first pose once per lap.
    Wrap,
}

impl LoopingPolicy {
    /// The time at which a clip of this duration is looked up. A time that is not a number stays one; a clip without duration
    /// wraps to 0.
    #[must_use]
    pub fn time(self, time: Seconds, duration: Seconds) -> Seconds {
        match self {
            Self::AsKeyed => time,
            Self::Clamp if time.0.is_nan() => time,
            Self::Clamp => Seconds(time.0.min(duration.0).max(0.0)),
            Self::Wrap if duration.0 > 0.0 => {
                // The remainder of a tiny negative number may round up to the duration.
                Seconds(Some(time.0.rem_euclid(duration.0)).filter(|t| *t < duration.0).unwrap_or(0.0))
            }
            Self::Wrap => Seconds(0.0),
        }
    }
}

/// Value between two keys of a curve.
///
/// Every curve rounds to keys of its own. Where curves have keys at different times, a rounded pose may be one that no time
/// of the motion shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoundingPolicy {
    /// The curve's own law.
    #[default]
    None,
    /// The earlier key.
    Floor,
    /// The later key, except exactly on a key. Where a law steps, the later value appears a segment early.
    Ceil,
    /// The nearer key in time; from the middle on the later one.
    Nearest,
}

impl RoundingPolicy {
    /// The share of the way between two keys, 0..=1, at which their law is looked up.
    #[must_use]
    pub fn share(self, share: f64) -> f64 {
        let later = |is: bool| if is { 1.0 } else { 0.0 };
        match self {
            Self::None => share,
            Self::Floor => 0.0,
            Self::Ceil => later(share > 0.0),
            Self::Nearest => later(share >= 0.5),
        }
    }
}

/// Both policies of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// At the ends.
    pub looping: LoopingPolicy,
    /// Between keys.
    pub rounding: RoundingPolicy,
}
