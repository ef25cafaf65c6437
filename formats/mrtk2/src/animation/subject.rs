//! The key that a finding is about.

use super::document::Document;
use super::names::{CurveName, Hand};
use super::to_scene::{PINCH, TRACKED};
use dopesheet_core::diag::{Fault, Subject};
use dopesheet_core::units::Seconds;

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    if let Some(marker) = fault.position_in("markers") {
        let marker = document.markers.as_ref()?.get(marker)?;
        return Some(Subject::moment(Seconds(marker.time.into())));
    }
    // What is about several curves names what they have in common.
    let is_of = |name: &str| {
        let rest = fault.path.strip_prefix(name).or_else(|| name.strip_prefix(fault.path.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let (name, curve) = document.curves().find(|(name, _)| is_of(&name.to_string()))?;
    let time = fault.position_in("keys").and_then(|key| curve.key(key)).map(|key| Seconds(key.time.into()));
    Some(row(name).at(time))
}

/// The row of a curve, as in the scene.
fn row(name: CurveName) -> Subject {
    let hand = |hand: Hand| Subject::target(format!("{}.hand", hand.word()));
    match name {
        CurveName::Pose(pose, part) => {
            Subject::target(pose.to_string()).channel(Some(if part < 3 { "translation" } else { "rotation" }))
        }
        CurveName::Tracked(side) => hand(side).channel(Some(TRACKED)),
        CurveName::Pinch(side) => hand(side).channel(Some(PINCH)),
        CurveName::Gaze(part) => {
            Subject::target("gaze").channel(Some(if part < 3 { "origin" } else { "direction" }))
        }
    }
}
