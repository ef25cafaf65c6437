//! Parents of bones, and the order of solving.

use super::spot::fault_at;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::{Bone, BoneFlags, Document, Index};
use crate::pmx::skeleton::Links;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, Sightings};

pub(super) const CHECKS: &[CheckFn] =
    &[parent_cycle, append_cycle, append_none, fixed_axis, forward_parent, parent_order];

/// A bone's number and name.
pub(super) fn called(document: &Document, bone: usize) -> String {
    let name = document.bones.get(bone).map(|bone| document.text(&bone.name)).unwrap_or_default();
    format!("{bone} ({name})")
}

/// Largest number of bones of a circle named in a message.
const NAMED: usize = 8;

/// The bones of the circle closed by a cut link: from the link's other end back to the bone whose link was
/// cut.
fn circle(document: &Document, links: &Links, bone: usize, next: Index) -> String {
    let ring = std::iter::successors(next.get(), |at| links.get(*at));
    let mut names: Vec<_> = ring.take(NAMED).map(|at| called(document, at)).collect();
    if names.len() == NAMED {
        names.push("…".to_owned());
    }
    format!("{} → {}", called(document, bone), names.join(" → "))
}

fn cycle(
    subject: &Subject<'_>,
    links: &Links,
    check: Check,
    field: &'static str,
    link: impl Fn(&Bone) -> Index,
    report: &mut Report,
) {
    let mut seen = Sightings::of(check);
    let document = subject.document;
    for bone in &links.cut {
        let next = document.bones.get(*bone).map_or(Index::NONE, &link);
        let what = || ("a bone that does not lead back here", circle(document, links, *bone, next));
        seen.add(|| fault_at(document, &[("bones", *bone)], field, what()));
    }
    seen.report(report);
}

fn parent_cycle(subject: &Subject<'_>, report: &mut Report) {
    cycle(subject, &subject.parents, codes::PARENT_CYCLE, "parent", |bone| bone.parent, report);
}

fn append_cycle(subject: &Subject<'_>, report: &mut Report) {
    let source = |bone: &Bone| bone.append.map_or(Index::NONE, |append| append.source);
    cycle(subject, &subject.append_sources, codes::APPEND_CYCLE, "append source", source, report);
}

fn append_none(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::APPEND_NONE);
    for (index, bone) in subject.document.bones.iter().enumerate() {
        if bone.append.is_some_and(|append| append.source == Index::NONE) {
            let what = ("a bone", format!("-1 ({})", subject.document.text(&bone.name)));
            seen.add(|| fault_at(subject.document, &[("bones", index)], "append source", what));
        }
    }
    seen.report(report);
}

fn fixed_axis(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::FIXED_AXIS);
    for (index, bone) in subject.document.bones.iter().enumerate() {
        if bone.fixed_axis == Some([0.0; 3]) {
            let what = ("a direction", format!("0, 0, 0 ({})", subject.document.text(&bone.name)));
            seen.add(|| fault_at(subject.document, &[("bones", index)], "fixed axis", what));
        }
    }
    seen.report(report);
}

fn forward_parent(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::FORWARD_PARENT);
    for (index, parent) in subject.parents.to.iter().enumerate() {
        if let Some(parent) = parent.filter(|parent| *parent > index) {
            let actual =
                || format!("{} as parent of {}", called(subject.document, parent), name(subject, index));
            let what = || ("a bone that comes before", actual());
            seen.add(|| fault_at(subject.document, &[("bones", index)], "parent", what()));
        }
    }
    seen.report(report);
}

fn name(subject: &Subject<'_>, bone: usize) -> String {
    subject.document.bones.get(bone).map(|bone| subject.document.text(&bone.name)).unwrap_or_default()
}

fn parent_order(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::PARENT_ORDER);
    let bones = &subject.document.bones;
    let turn =
        |index: usize| bones.get(index).map(|b| (b.flags.has(BoneFlags::AFTER_PHYSICS), b.level, index));
    for (index, parent) in subject.parents.to.iter().enumerate() {
        if let Some(parent) = parent.filter(|parent| turn(*parent) > turn(index)) {
            let actual =
                || format!("{} as parent of {}", called(subject.document, parent), name(subject, index));
            let what = || ("a bone that is solved before", actual());
            seen.add(|| fault_at(subject.document, &[("bones", index)], "parent", what()));
        }
    }
    seen.report(report);
}
