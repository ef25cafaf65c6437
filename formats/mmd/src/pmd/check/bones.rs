//! Bones, inverse kinematics and frames.

use super::CheckFn;
use super::spot::fault_at;
use crate::pmd::codes;
use crate::pmd::document::{Bone, BoneType, Document, Index};
use crate::pmd::layout::list;
use crate::pmd::lift::bones;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use std::collections::BTreeMap;

pub(super) const CHECKS: &[CheckFn] =
    &[bone_type, parent_cycle, parent_order, append_cycle, fixed_axis, ik_several, ik_weight, frame_number];

fn bone_type(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::BONE_TYPE);
    let is_odd = |kind: u8| kind == BoneType::Unknown as u8 || usize::from(kind) >= BoneType::ALL.len();
    for (at, bone) in document.bones.iter().enumerate().filter(|(_, bone)| is_odd(bone.kind)) {
        let what = ("0 to 9 but 3", format!("{} ({})", bone.kind, bone.name));
        seen.add(|| fault_at(document, &[(list::BONES, at)], "type", what));
    }
    seen.report(report);
}

fn parent_cycle(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::PARENT_CYCLE);
    for at in closing_bones(document, |bone| bone.parent) {
        let bone = &document.bones[at];
        let found = format!("{}, which {} carries", name(document, bone.parent), bone.name);
        let what = ("a bone that it does not carry itself", found);
        seen.add(|| fault_at(document, &[(list::BONES, at)], "parent", what));
    }
    seen.report(report);
}

fn append_cycle(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::APPEND_CYCLE);
    for at in closing_bones(document, followed) {
        let bone = &document.bones[at];
        let field = if BoneType::of(bone.kind) == BoneType::Follow { "source" } else { "tail" };
        let found = format!("{}, which follows {}", name(document, followed(bone)), bone.name);
        let what = ("a bone that does not follow it", found);
        seen.add(|| fault_at(document, &[(list::BONES, at)], field, what));
    }
    seen.report(report);
}

/// The bone whose rotation a bone follows.
fn followed(bone: &Bone) -> Index {
    match BoneType::of(bone.kind) {
        BoneType::Follow => Index(bone.source),
        BoneType::FollowPart => bone.tail,
        _ => Index::NONE,
    }
}

fn name(document: &Document, bone: Index) -> String {
    let bone = bone.get().and_then(|bone| document.bones.get(bone));
    bone.map(|bone| bone.name.text()).unwrap_or_default()
}

/// For each circle of links the bone at which a walk, from the first bone of the file that leads there, closes it.
fn closing_bones(document: &Document, link: impl Fn(&Bone) -> Index) -> Vec<usize> {
    let mut walk_of = vec![None; document.bones.len()];
    let mut closing = Vec::new();
    for start in 0..document.bones.len() {
        let mut at = start;
        while walk_of[at].is_none() {
            walk_of[at] = Some(start);
            match link(&document.bones[at]).get().filter(|to| *to < document.bones.len()) {
                Some(to) if walk_of[to] == Some(start) => closing.push(at),
                Some(to) => at = to,
                None => {}
            }
        }
    }
    closing
}

/// Bones are solved in the order of their levels, then of the file.
fn parent_order(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::PARENT_ORDER);
    if !closing_bones(document, |bone| bone.parent).is_empty() {
        return;
    }
    let lifted = bones(document);
    for (at, (bone, stored)) in lifted.iter().zip(&document.bones).enumerate() {
        let Some(parent) = bone.parent.get().filter(|parent| *parent > at) else { continue };
        if lifted.get(parent).is_some_and(|parent| parent.level >= bone.level) {
            let what = (
                "a bone that comes earlier",
                format!("{}, of {}", name(document, stored.parent), stored.name),
            );
            seen.add(|| fault_at(document, &[(list::BONES, at)], "parent", what));
        }
    }
    seen.report(report);
}

fn fixed_axis(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::FIXED_AXIS);
    for (at, bone) in document.bones.iter().enumerate() {
        let twists = BoneType::of(bone.kind) == BoneType::Twist;
        // A tail that does not exist, and a head that is not finite, are other faults.
        let is_sound = bone.tail.get().is_none_or(|tail| tail < document.bones.len());
        let is_finite = bone.head.iter().all(|number| number.is_finite());
        if twists && is_sound && is_finite && bone.axis(document).is_none() {
            let what = ("a bone elsewhere", format!("none, or one at the same place ({})", bone.name));
            seen.add(|| fault_at(document, &[(list::BONES, at)], "tail", what));
        }
    }
    seen.report(report);
}

fn ik_several(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::IK_SEVERAL);
    let mut first = BTreeMap::new();
    for (at, chain) in document.ik.iter().enumerate() {
        let before = *first.entry(chain.bone).or_insert(at);
        if before != at {
            let what = ("a bone without another chain", format!("that of {}[{before}]", list::IK));
            seen.add(|| fault_at(document, &[(list::IK, at)], "bone", what));
        }
    }
    seen.report(report);
}

fn ik_weight(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::IK_WEIGHT);
    for (at, chain) in document.ik.iter().enumerate().filter(|(_, chain)| chain.weight <= 0.0) {
        let what = ("above 0", chain.weight.to_string());
        seen.add(|| fault_at(document, &[(list::IK, at)], "weight", what));
    }
    seen.report(report);
}

fn frame_number(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::FRAME_NUMBER);
    let frames = document.bone_frames.len();
    let is_there = |frame: u8| (1..=frames).contains(&usize::from(frame));
    for (at, framed) in document.framed_bones.iter().enumerate().filter(|(_, f)| !is_there(f.frame)) {
        let what = (format!("1 to {frames}"), framed.frame.to_string());
        seen.add(|| fault_at(document, &[(list::FRAMED_BONES, at)], "frame", what));
    }
    seen.report(report);
}
