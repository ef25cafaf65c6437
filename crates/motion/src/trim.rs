//! Cut a clip to a stretch of time, or move it so that it starts at 0.

use dopesheet_core::model::{Channel, Clip, Outside, Times};
use dopesheet_core::units::Seconds;

/// A stretch of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Where it starts; becomes time 0.
    pub start: Seconds,
    /// Where it ends.
    pub end: Seconds,
}

/// Makes `range` the whole clip: its start becomes 0, its length the duration, and markers outside are left out.
///
/// Keys outside stay where they are, before 0 or after the duration, because they shape what is inside;
/// [`conform`](fn@crate::conform) cuts them for formats that cannot hold them.
pub fn trim(clip: &mut Clip, range: Range) {
    clip.markers.retain(|m| (range.start.0..=range.end.0).contains(&m.time.0));
    shift(clip, -range.start.0);
    clip.duration = Seconds((range.end.0 - range.start.0).max(0.0));
}

/// Moves everything later by `by_s` seconds, the end included.
pub fn delay(clip: &mut Clip, by_s: f64) {
    shift(clip, by_s);
    clip.duration = Seconds(clip.duration.0 + by_s);
}

/// The earliest key of a clip, if it has any.
#[must_use]
pub fn first_key(clip: &Clip) -> Option<Seconds> {
    let channels = clip.tracks.iter().flat_map(|t| &t.channels);
    let starts = channels.flat_map(|c| c.composition.curves()).filter_map(|c| c.times.get(0));
    starts.min_by(|a, b| a.0.total_cmp(&b.0))
}

fn shift(clip: &mut Clip, by_s: f64) {
    for channel in clip.tracks.iter_mut().flat_map(|t| &mut t.channels) {
        shift_channel(channel, by_s);
    }
    for marker in &mut clip.markers {
        marker.time.0 += by_s;
    }
}

fn shift_channel(channel: &mut Channel, by_s: f64) {
    let mut done: Vec<(Times, Times)> = Vec::new();
    for curve in channel.composition.curves_mut() {
        if let Outside::Ramp { start, .. } = &mut curve.before {
            start.0 += by_s;
        }
        curve.times = match done.iter().find(|(old, _)| old.is_same_list(&curve.times)) {
            Some((_, new)) => new.clone(),
            None => {
                let new = shifted(&curve.times, by_s);
                done.push((curve.times.clone(), new.clone()));
                new
            }
        };
    }
}

/// Whole frames stay whole frames where the shift is a whole number of them.
fn shifted(times: &Times, by_s: f64) -> Times {
    if let Times::Frames { rate, frames } = times {
        let by = rate.frame(Seconds(by_s));
        if by == by.round() {
            return Times::Frames { rate: *rate, frames: frames.iter().map(|f| f + by as i64).collect() };
        }
    }
    Times::Seconds(times.iter().map(|t| t.0 + by_s).collect())
}
