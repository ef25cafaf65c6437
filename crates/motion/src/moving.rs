//! Tests for channels and tracks that move at all.

use dopesheet_core::model::{Channel, Curve, Outside, Track};

/// True of a track of which some channel changes while its clip plays. A track that only holds a pose does not.
#[must_use]
pub fn moves(track: &Track) -> bool {
    track.channels.iter().any(changes)
}

/// True of a channel whose values differ, or whose tangents lead away from one value.
pub(crate) fn changes(channel: &Channel) -> bool {
    channel
        .composition
        .curves()
        .any(|curve| has_slopes(curve) || !is_constant(curve) || comes_from_elsewhere(curve))
}

/// True of a curve whose keys are all the same.
pub(crate) fn is_constant(curve: &Curve) -> bool {
    let mut rows = curve.values.chunks_exact(curve.width.max(1));
    let first = rows.next();
    rows.all(|row| Some(row) == first)
}

fn has_slopes(curve: &Curve) -> bool {
    let handles = curve.handles.as_deref();
    handles.is_some_and(|handles| handles.arriving.iter().chain(&handles.leaving).any(|slope| *slope != 0.0))
}

fn comes_from_elsewhere(curve: &Curve) -> bool {
    match &curve.before {
        Outside::Ramp { from, .. } => curve.value(0) != Some(&**from),
        Outside::Hold | Outside::Loop | Outside::PingPong => false,
    }
}
