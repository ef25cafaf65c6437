//! Key times beside the frames of a grid: the one rule for them.
//!
//! A time within 1e-3 frame of a frame of a curve's grid *is* that frame, so that nothing else can be seen of the curve there. Whoever
//! fits segments therefore follows the curve as if it had no grid; a new key beside a frame stands on it; and a segment between two
//! neighbouring times at which something can be seen is right whatever it does. So a curve that leaves or reaches a frame as steeply as
//! it may gets one key where it is seen first or last, and none in between.

use crate::single::narrow;
use dopesheet_core::model::{Channel, Times};
use dopesheet_core::units::{FrameRate, Seconds};

/// The times at which keys can be stored and a curve can be seen: those in single precision, which is what most formats store,
/// that are the nearest to a frame of the curve's grid, or not beside one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen(Option<FrameRate>);

impl Seen {
    /// Those of a channel.
    pub(super) fn of(channel: &Channel) -> Self {
        Self(crate::sample::evaluate::grid(channel))
    }

    /// The one nearest to a time.
    pub(super) fn nearest(&self, time: f64) -> f64 {
        narrow(self.exact(narrow(time).into())).into()
    }

    /// The time that a time is seen as.
    pub(super) fn exact(&self, time: f64) -> f64 {
        self.0.map_or(time, |rate| rate.snap(Seconds(time)).0)
    }

    /// The first one behind a time that can be stored.
    pub(super) fn after(&self, time: f64) -> f64 {
        self.next(narrow(time), f32::next_up)
    }

    /// The last one before a time that can be stored.
    pub(super) fn before(&self, time: f64) -> f64 {
        self.next(narrow(time), f32::next_down)
    }

    /// True if there is a time between two that does not count as a frame.
    pub(super) fn is_between(&self, from: f64, to: f64) -> bool {
        let middle = f64::midpoint(from, to);
        from < to && self.exact(middle) == middle
    }

    fn next(&self, time: f32, next: impl Fn(f32) -> f32) -> f64 {
        let mut found = next(time);
        let Some((rate, frame)) =
            self.0.and_then(|rate| Some((rate, rate.grid_point(Seconds(found.into()))?)))
        else {
            return found.into();
        };
        let stored = narrow(frame.0);
        if if found > time { time < stored } else { stored < time } {
            return stored.into();
        }
        let zone = rate.seconds(FrameRate::SNAP_FRAMES).0;
        found = narrow(if found > time { frame.0 + zone } else { frame.0 - zone });
        // Rounding alone decides whether this takes none, one or two steps.
        while rate.snap(Seconds(found.into())) == frame && next(found) != found {
            found = next(found);
        }
        found.into()
    }
}

/// A channel with the same keys on no grid.
pub(super) fn without_grid(channel: &Channel) -> Channel {
    let mut made = channel.clone();
    let mut last: Option<(Times, Times)> = None;
    for curve in made.composition.curves_mut() {
        if let Times::Frames { .. } = &curve.times {
            let known = last.take().filter(|(own, _)| own.is_same_list(&curve.times));
            let pair = known.unwrap_or_else(|| {
                let seconds = curve.times.iter().map(|time| time.0).collect();
                (curve.times.clone(), Times::Seconds(seconds))
            });
            curve.times = pair.1.clone();
            last = Some(pair);
        }
    }
    made
}
