//! How the engine's player advances time.

/// The playback clock of the engine's `animation` component, with its way of looping.
///
/// Source: PlayCanvas engine, `src/scene/animation/skeleton.js`, `Skeleton.addTime`. At the end a looping clip starts
/// again at exactly 0 and the time that was too much is lost, so that a loop lasts a little longer than the clip; a
/// time equal to the duration is still shown. Last and first key are never blended.
///
/// ```
/// use dopesheet_playcanvas::animation::EngineClock;
///
/// let mut clock = EngineClock::new(1.0, true);
/// let shown: Vec<f64> = (0..4).map(|_| clock.advance(0.4)).collect();
/// assert_eq!(shown, [0.4, 0.8, 0.0, 0.4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineClock {
    duration_s: f64,
    looping: bool,
    time_s: f64,
}

impl EngineClock {
    /// A clock at time 0 for a clip of `duration_s` seconds.
    #[must_use]
    pub const fn new(duration_s: f64, looping: bool) -> Self {
        Self { duration_s, looping, time_s: 0.0 }
    }

    /// The same clock at another time, in seconds. Any number is taken as it is, as the engine does.
    #[must_use]
    pub const fn at(mut self, time_s: f64) -> Self {
        self.time_s = time_s;
        self
    }

    /// The time in seconds at which the clip is shown.
    #[must_use]
    pub const fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Goes on by `dt_s` seconds, backwards if negative, and yields the new time in seconds.
    pub fn advance(&mut self, dt_s: f64) -> f64 {
        self.time_s += dt_s;
        if self.time_s > self.duration_s {
            self.time_s = if self.looping { 0.0 } else { self.duration_s };
        } else if self.time_s < 0.0 {
            self.time_s = if self.looping { self.duration_s } else { 0.0 };
        }
        self.time_s
    }
}
