//! Start and end of a clip. Keys outside stay until `cut` divides the segments at the ends.

use dopesheet_core::model::{Clip, Outside, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// A stretch of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Start in seconds; becomes time 0.
    pub start: Seconds,
    /// End in seconds.
    pub end: Seconds,
}

/// Makes `range` the whole clip: its start becomes 0, its length the duration, and markers outside are left out.
///
/// Ends within 1e-3 frame of a point of the clip's grid are that point. Keys outside stay, before 0 or after
/// the duration, because they shape the curves inside; [`conform`](fn@crate::conform::conform) cuts them for
/// formats that cannot hold them.
pub fn trim(clip: &mut Clip, range: Range) {
    let grid = clip.grid;
    let (start, end) = (on_grid(grid, range.start), on_grid(grid, range.end));
    let inside = start.0..=end.0;
    clip.markers.retain(|m| inside.contains(&on_grid(grid, m.time).0));
    shift(clip, -start.0);
    // Through the grid, so that a key at the end stays exactly at the end.
    clip.duration = on_grid(grid, Seconds((end.0 - start.0).max(0.0)));
}

/// Moves everything later by `by_s` seconds, the end included.
pub fn delay(clip: &mut Clip, by_s: f64) {
    let grid = clip.grid;
    let by_s = on_grid(grid, Seconds(by_s)).0;
    shift(clip, by_s);
    clip.duration = on_grid(grid, Seconds((clip.duration.0 + by_s).max(0.0)));
}

/// The earliest key of a clip, if any.
#[must_use]
pub fn first_key(clip: &Clip) -> Option<Seconds> {
    clip.curves().filter_map(|curve| curve.times.get(0)).min_by(|a, b| a.0.total_cmp(&b.0))
}

fn on_grid(grid: Option<FrameRate>, time: Seconds) -> Seconds {
    grid.map_or(time, |rate| rate.snap(time))
}

fn shift(clip: &mut Clip, by_s: f64) {
    if by_s == 0.0 {
        return;
    }
    let mut moved = MovedTimes { by_s, done: HashMap::new() };
    let channels = clip.tracks.iter_mut().flat_map(|t| &mut t.channels);
    for curve in channels.flat_map(|c| c.composition.curves_mut()) {
        curve.times = moved.times(&curve.times);
        if let Outside::Ramp { start, .. } = &mut curve.before {
            let later = Seconds(start.0 + by_s);
            // As exact as the keys, which the start of a ramp may meet.
            *start = if let Times::Frames { rate, .. } = &curve.times { rate.snap(later) } else { later };
        }
    }
    for marker in &mut clip.markers {
        marker.time = on_grid(clip.grid, Seconds(marker.time.0 + by_s));
    }
    clip.grid = clip.grid.filter(|rate| rate.whole_frame(Seconds(by_s)).is_some());
}

/// Old and new lists of key times, so that curves that shared a list still do.
struct MovedTimes {
    by_s: f64,
    /// By the old list's address; the old list is kept alive so that no other list gets its address.
    done: HashMap<(*const (), usize), (Times, Times)>,
}

impl MovedTimes {
    fn times(&mut self, times: &Times) -> Times {
        let address: *const () = match times {
            Times::Seconds(list) => list.as_ptr().cast(),
            Times::Frames { frames, .. } => frames.as_ptr().cast(),
        };
        match self.done.get(&(address, times.len())) {
            Some((old, new)) if old.is_same_list(times) => new.clone(),
            _ => {
                let new = shifted(times, self.by_s);
                self.done.insert((address, times.len()), (times.clone(), new.clone()));
                new
            }
        }
    }
}

/// Whole frames stay whole frames where the shift is a whole number of them.
fn shifted(times: &Times, by_s: f64) -> Times {
    if let Times::Frames { rate, frames } = times
        && let Some(by) = rate.whole_frame(Seconds(by_s))
        && let Some(frames) = frames.iter().map(|f| f.checked_add(by)).collect()
    {
        return Times::Frames { rate: *rate, frames };
    }
    Times::Seconds(times.iter().map(|t| t.0 + by_s).collect())
}
