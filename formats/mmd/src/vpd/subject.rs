//! The bone or morph that a finding is about.

use super::document::Document;
use dopesheet_core::diag::{Fault, Subject};
use dopesheet_core::units::Seconds;

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let pose = document.pose();
    let bone = fault.position_in("bones").and_then(|bone| pose.bones.get(bone)).map(|bone| &bone.name);
    let morph = fault.position_in("morphs").and_then(|morph| pose.morphs.get(morph)).map(|morph| &morph.name);
    Some(Subject::target(bone.or(morph)?.as_str()).at(Some(Seconds(0.0))))
}
