//! The key that a finding is about.

use super::document::{Component, Document};
use dopesheet_core::diag::{Fault, Place, Subject};
use dopesheet_core::units::Seconds;

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let node = document.animation().nodes.get(fault.position_in("nodes")?)?;
    let key = fault.position_in("keys").and_then(|key| node.keys.get(key));
    let Place::Text { pointer, .. } = &fault.place else { return None };
    let members = pointer.split('/');
    let channel = key.and_then(|key| {
        let component = members.filter_map(|member| Component::from_member(member, key.names)).next_back()?;
        Some(match component {
            Component::Position => "translation",
            Component::Rotation => "rotation",
            Component::Scale => "scale",
        })
    });
    Some(Subject::target(node.name.as_str()).channel(channel).at(key.map(|key| Seconds(key.time))))
}
