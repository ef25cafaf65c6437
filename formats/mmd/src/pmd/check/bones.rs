//! Bones, inverse kinematics and frames.

use super::DocumentCheck;
use crate::pmd::codes;
use crate::pmd::document::{Bone, BoneType, Document, Index};
use crate::pmd::layout::list;
use crate::pmd::lift::bones;
use crate::pmx::Links;
use std::collections::BTreeMap;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let is_odd = |kind: u8| kind == BoneType::Unknown as u8 || usize::from(kind) >= BoneType::ALL.len();
    for (at, bone) in document.bones.iter().enumerate().filter(|(_, bone)| is_odd(bone.kind)) {
        let what = || ("0 to 9 but 3", format!("{} ({})", bone.kind, bone.name));
        look.say(codes::BONE_TYPE, &[(list::BONES, at)], "type", what);
    }
    parents(look);
    for at in closing_bones(document, followed) {
        let bone = &document.bones[at];
        let field = if BoneType::of(bone.kind) == BoneType::Follow { "source" } else { "tail" };
        let actual = || format!("{}, which follows {}", name(document, followed(bone)), bone.name);
        let what = || ("a bone that does not follow it", actual());
        look.say(codes::APPEND_CYCLE, &[(list::BONES, at)], field, what);
    }
    fixed_axis(look);
    chains(look);
    let frames = document.bone_frames.len();
    let is_there = |frame: u8| (1..=frames).contains(&usize::from(frame));
    for (at, framed) in document.framed_bones.iter().enumerate().filter(|(_, f)| !is_there(f.frame)) {
        let what = || (format!("1 to {frames}"), framed.frame.to_string());
        look.say(codes::FRAME_NUMBER, &[(list::FRAMED_BONES, at)], "frame", what);
    }
}

/// Circles of parents, and parents that are solved late: bones are solved in the order of their levels, then of the file.
fn parents(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let closing = closing_bones(document, |bone| bone.parent);
    for at in &closing {
        let bone = &document.bones[*at];
        let actual = || format!("{}, which {} carries", name(document, bone.parent), bone.name);
        let what = || ("a bone that it does not carry itself", actual());
        look.say(codes::PARENT_CYCLE, &[(list::BONES, *at)], "parent", what);
    }
    if !closing.is_empty() {
        return;
    }
    let lifted = bones(document);
    for (at, (bone, stored)) in lifted.iter().zip(&document.bones).enumerate() {
        let Some(parent) = bone.parent.get().filter(|parent| *parent > at) else { continue };
        if lifted.get(parent).is_some_and(|parent| parent.level >= bone.level) {
            let actual = || format!("{}, of {}", name(document, stored.parent), stored.name);
            let what = || ("a bone that comes earlier", actual());
            look.say(codes::PARENT_ORDER, &[(list::BONES, at)], "parent", what);
        }
    }
}

/// The bone that a bone copies its rotation from.
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

/// The bones that close circles of links: for each circle, the bone whose link back closes the walk from the
/// first bone of the file that leads there.
fn closing_bones(document: &Document, link: impl Fn(&Bone) -> Index) -> Vec<usize> {
    Links::new(document.bones.iter().map(|bone| link(bone).get())).cut
}

fn fixed_axis(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    for (at, bone) in document.bones.iter().enumerate() {
        let twists = BoneType::of(bone.kind) == BoneType::Twist;
        // A tail that does not exist, and a head that is not finite, are other faults.
        let is_sound = bone.tail.get().is_none_or(|tail| tail < document.bones.len());
        let is_finite = bone.head.iter().all(|number| number.is_finite());
        if twists && is_sound && is_finite && bone.axis(document).is_none() {
            let what = || ("a bone elsewhere", format!("none, or one at the same place ({})", bone.name));
            look.say(codes::FIXED_AXIS, &[(list::BONES, at)], "tail", what);
        }
    }
}

fn chains(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let mut first = BTreeMap::new();
    for (at, chain) in document.ik.iter().enumerate() {
        let before = *first.entry(chain.bone).or_insert(at);
        if before != at {
            let what = || ("a bone without another chain", format!("that of {}[{before}]", list::IK));
            look.say(codes::IK_SEVERAL, &[(list::IK, at)], "bone", what);
        }
    }
    for (at, chain) in document.ik.iter().enumerate().filter(|(_, chain)| chain.weight <= 0.0) {
        look.say(codes::IK_WEIGHT, &[(list::IK, at)], "weight", || ("above 0", chain.weight.to_string()));
    }
}
