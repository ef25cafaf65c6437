//! Cut a clip into several.

use crate::ends;
use crate::refused::{self, Ends, Reason};
use crate::trim::Trim;
use dopesheet_core::model::Clip;
use dopesheet_core::order::ascend;
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::Seconds;

/// Options of [`split`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// Times to cut at; an empty list cuts at all markers.
    pub at: Vec<TimeValue>,
    /// True if times between two frames are the nearest frame; else they are refused. Markers always are.
    pub snap: bool,
}

/// The parts of a clip, in order, as the trims that produce them. The first part starts at 0, where the clip
/// does: keys before 0 are cut off. A time to cut at belongs to both parts around it, and so does a marker
/// there; [`concat()`](crate::concat()) makes the same clip of the parts again.
///
/// # Errors
/// If a time is outside the clip or between two frames, or if there is nothing to cut at: no time, and no marker inside the clip.
pub fn split(clip: &Clip, options: &Split) -> Result<Vec<Trim>, Reason> {
    let whole = Ends { start: Seconds(0.0), ..ends::whole(clip) };
    let on_frame = |time: Seconds| clip.grid.map_or(time, |rate| rate.seconds(rate.frame(time).round()));
    let mut cuts = match options.at.as_slice() {
        [] => clip.markers.iter().map(|marker| on_frame(marker.time).0).collect(),
        times => {
            times.iter().map(|time| cut(clip, *time, options.snap, whole)).collect::<Result<Vec<_>, _>>()?
        }
    };
    cuts.retain(|cut| whole.start.0 < *cut && *cut < whole.end.0);
    ascend(&mut cuts);
    cuts.dedup();
    if cuts.is_empty() {
        return Err(Reason::new(
            "expected times to cut at, or a clip with markers between its ends, found neither",
        ));
    }
    let all: Vec<f64> = [whole.start.0].into_iter().chain(cuts).chain([whole.end.0]).collect();
    // A clip that ends between two frames has its last part end on the earlier one.
    let time = |time: f64| match clip.grid {
        Some(rate) => TimeValue::Frames(rate.frame(Seconds(time)).floor()),
        None => TimeValue::Seconds(time),
    };
    let parts = all.windows(2).map(|ends| Trim {
        range: RangeSpec { start: time(ends[0]), end: time(ends[1]) },
        keep_time: false,
        snap: false,
    });
    Ok(parts.collect())
}

/// A time to cut at, inside the clip.
fn cut(clip: &Clip, time: TimeValue, snap: bool, whole: Ends) -> Result<f64, Reason> {
    let cut_time = ends::time(clip, time, snap)?;
    if whole.start.0 < cut_time.0 && cut_time.0 < whole.end.0 {
        return Ok(cut_time.0);
    }
    Err(refused::outside(&Ends { start: cut_time, end: cut_time, grid: clip.grid }, &whole))
}
