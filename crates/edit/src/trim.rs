//! Removal of the motion before and after a range.

use crate::divided::{Divided, cut_off};
use crate::ends;
use crate::refused::Reason;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Clip};
use dopesheet_core::times::RangeSpec;
use dopesheet_core::units::Seconds;
use dopesheet_motion::Range;

/// Options of [`trim`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trim {
    /// The range of time to keep, both ends included.
    pub range: RangeSpec,
    /// True if keys stay at their times; else the range starts at 0.
    pub keep_time: bool,
    /// True if ends between two frames are the nearest frame; else they are refused.
    pub snap: bool,
}

/// Keeps a range of a clip. Keys inside stay as they are; a curve that goes on beyond an end gets a further
/// key there, at which its segment is divided. Markers outside are left out.
///
/// The report has the error that single precision or the whole-number handles of MikuMikuDance cause in a
/// divided segment. A curve whose law cannot be divided in kind becomes straight segments within the default
/// tolerance, and so does a repeating curve.
///
/// # Errors
/// If the range ends before it starts, reaches beyond the clip, or has an end between two frames of the
/// clip's grid; if a placement has a curve that cannot be divided.
pub fn trim(clip: &mut Clip, options: &Trim, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let range = ends::range(clip, options.range, options.snap)?;
    let (start, end) = match options.keep_time {
        true => {
            clip.markers.retain(|marker| (range.start.0..=range.end.0).contains(&marker.time.0));
            clip.duration = range.end;
            (range.start, range.end)
        }
        false => {
            dopesheet_motion::trim(clip, Range { start: range.start, end: range.end });
            (Seconds(0.0), clip.duration)
        }
    };
    cut(clip, start, end, basis, report)
}

/// Cuts every channel of a clip to a range, and reports the errors of divided segments.
fn cut(
    clip: &mut Clip,
    start: Seconds,
    end: Seconds,
    basis: &Basis,
    report: &mut Report,
) -> Result<(), Reason> {
    let mut divided = Divided::of(basis);
    for track in &mut clip.tracks {
        for channel in &mut track.channels {
            cut_off(channel, &track.target, (Some(start), end), &mut divided)?;
        }
    }
    divided.tell(report);
    Ok(())
}
