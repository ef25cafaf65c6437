//! Key times beside the frames of a grid: a common rule.
//!
//! A time within 1e-3 frame of a frame of a curve's grid *is* that frame, so the curve is invisible at such
//! times except for the frame's value. Fits of segments therefore follow the curve without its grid; a new
//! key beside a frame is put on the frame; and a segment between two neighbouring visible times may have any
//! values in between. So a curve that leaves or reaches a frame as steeply as possible gets one key at its
//! first or last visible time, and no key in between.

use crate::single::narrow;
use dopesheet_core::model::{Channel, Times};
use dopesheet_core::units::{FrameRate, Seconds};

/// The times at which keys can be stored and a curve is visible: times in single precision, the storage of
/// most formats, that are the nearest to a frame of the curve's grid, or not beside a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen(Option<FrameRate>);

impl Seen {
    /// Visible times of a channel.
    pub(super) fn of(channel: &Channel) -> Self {
        Self(crate::sample::evaluate::grid(channel))
    }

    /// The visible time nearest to a time.
    pub(super) fn nearest(&self, time: f64) -> f64 {
        narrow(self.exact(narrow(time).into())).into()
    }

    /// The frame of a time, or the time itself without a frame.
    pub(super) fn exact(&self, time: f64) -> f64 {
        self.0.map_or(time, |rate| rate.snap(Seconds(time)).0)
    }

    /// The first visible time behind a time.
    pub(super) fn after(&self, time: f64) -> f64 {
        self.next(narrow(time), f32::next_up)
    }

    /// The last visible time before a time.
    pub(super) fn before(&self, time: f64) -> f64 {
        self.next(narrow(time), f32::next_down)
    }

    /// True if a time between two times does not count as a frame.
    pub(super) fn is_between(&self, from: f64, to: f64) -> bool {
        let middle = f64::midpoint(from, to);
        from < to && self.exact(middle) == middle
    }

    fn next(&self, time: f32, next: impl Fn(f32) -> f32) -> f64 {
        let mut neighbour = next(time);
        let Some((rate, frame)) =
            self.0.and_then(|rate| Some((rate, rate.grid_point(Seconds(neighbour.into()))?)))
        else {
            return neighbour.into();
        };
        let stored = narrow(frame.0);
        if if neighbour > time { time < stored } else { stored < time } {
            return stored.into();
        }
        let zone = rate.seconds(FrameRate::SNAP_FRAMES).0;
        neighbour = narrow(if neighbour > time { frame.0 + zone } else { frame.0 - zone });
        // Rounding alone decides whether this takes none, one or two steps.
        while rate.snap(Seconds(neighbour.into())) == frame && next(neighbour) != neighbour {
            neighbour = next(neighbour);
        }
        neighbour.into()
    }
}

/// A channel with the same keys on no grid.
pub(super) fn without_grid(channel: &Channel) -> Channel {
    let mut plain = channel.clone();
    let mut last: Option<(Times, Times)> = None;
    for curve in plain.composition.curves_mut() {
        if let Times::Frames { .. } = &curve.times {
            let earlier = last.take().filter(|(list, _)| list.is_same_list(&curve.times));
            let pair = earlier.unwrap_or_else(|| {
                let seconds = curve.times.iter().map(|time| time.0).collect();
                (curve.times.clone(), Times::Seconds(seconds))
            });
            curve.times = pair.1.clone();
            last = Some(pair);
        }
    }
    plain
}
