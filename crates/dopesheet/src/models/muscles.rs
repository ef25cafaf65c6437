//! Motions that move muscles of a human figure. Only an avatar defines their effect on joints, and no file
//! here has an avatar.

use crate::error::Error;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::model::{Clip, Property, TargetKind, Track};
use dopesheet_core::words::counted;

fn muscles(clips: &[Clip]) -> usize {
    let channels = clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.channels);
    channels.filter(|channel| channel.property == Property::Muscle).count()
}

/// True of a track with a visible effect.
fn is_seen(track: &Track) -> bool {
    let has_place = track.target.kind != TargetKind::Custom || track.target.node.is_some();
    has_place && track.channels.iter().any(|channel| channel.property != Property::Muscle)
}

/// Refuses clips that move muscles and nothing visible.
pub(crate) fn refuse_muscles_alone(clips: &[Clip]) -> Result<(), Error> {
    let count = muscles(clips);
    if count == 0 || clips.iter().flat_map(|clip| &clip.tracks).any(is_seen) {
        return Ok(());
    }
    let count = if count == 1 { "one".to_owned() } else { count.to_string() };
    let what = format!(
        "humanoid muscle curves need an avatar, which says what they do to joints; the clip has {count} and moves \
         nothing else"
    );
    Err(ConvertError::new("convert", ConvertErrorKind::NothingToConvert(what)).into())
}

/// Warns that muscles stay still while the rest of a motion is shown.
pub(crate) fn note_muscles(clips: &[Clip], report: &mut Report) {
    let count = muscles(clips);
    if count > 0 {
        let expected = format!("an avatar for {}", counted(count, "humanoid muscle curve"));
        report.warn(Fault::new("avatar-missing", Place::File, expected, "none, so that they move nothing"));
    }
}
