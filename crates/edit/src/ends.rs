//! Requested times of a clip.

use crate::refused::{self, Ends, Reason};
use dopesheet_core::model::Clip;
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::{FrameRate, Seconds};

/// A requested time on a clip. On a clip with frames the time has to be on a frame, or is moved to the
/// nearest frame with `snap`.
pub(crate) fn time(clip: &Clip, written: TimeValue, snap: bool) -> Result<Seconds, Reason> {
    let time = written.seconds(clip.grid)?;
    match clip.grid {
        None => Ok(time),
        Some(rate) => match rate.grid_point(time) {
            Some(point) => Ok(point),
            None if snap => Ok(rate.seconds(rate.frame(time).round())),
            None => Err(Reason::OffGrid { time, rate }),
        },
    }
}

/// A range within a clip.
pub(crate) fn range(clip: &Clip, written: RangeSpec, snap: bool) -> Result<Ends, Reason> {
    let (start, end) = (time(clip, written.start, snap)?, time(clip, written.end, snap)?);
    let (range, whole) = (Ends { start, end, grid: clip.grid }, whole(clip));
    if end.0 < start.0 {
        return Err(refused::backwards(&range));
    }
    // A time next to a frame is that frame; the end of a clip without frames is a decimal number that people round.
    let slack = clip.grid.map_or(1e-3, |rate| rate.seconds(FrameRate::SNAP_FRAMES).0);
    if start.0 < whole.start.0 - slack || end.0 > whole.end.0 + slack {
        return Err(refused::outside(&range, &whole));
    }
    Ok(range)
}

/// All of a clip: from 0, or from its first key if that is earlier, to its end.
pub(crate) fn whole(clip: &Clip) -> Ends {
    let first = dopesheet_motion::keys::trim::first_key(clip).map_or(0.0, |time| time.0.min(0.0));
    Ends { start: Seconds(first), end: clip.end(), grid: clip.grid }
}
