//! Move a clip in time.

use crate::ends;
use crate::refused::Reason;
use dopesheet_core::model::Clip;
use dopesheet_core::times::TimeValue;
use dopesheet_motion::keys::trim::delay;

/// Options of [`shift`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// Later by this time; earlier if it is negative.
    pub by: TimeValue,
    /// True if a time between two frames is rounded to the nearest frame; else it is refused.
    pub snap: bool,
}

/// Moves all keys and markers, and the end of the clip with them.
///
/// # Errors
/// If the time is between two frames of the clip's grid.
pub fn shift(clip: &mut Clip, options: &Shift) -> Result<(), Reason> {
    let by = ends::time(clip, options.by, options.snap)?;
    delay(clip, by.0);
    Ok(())
}
