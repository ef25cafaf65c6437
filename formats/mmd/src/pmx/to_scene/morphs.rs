//! Effects of morphs on everything but the surface.

use super::bones::Nodes;
use super::numbers::{dropped, finite, unit, wide};
use crate::pmx::document::{BoneOffset, Document, GroupOffset, MorphOffsets};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{JointOffset, MorphEffect, RigMorph};
use dopesheet_core::words::counted;

/// All morphs in the order of the file.
pub(super) fn rig(document: &Document, nodes: &Nodes, report: &mut Report) -> Vec<RigMorph> {
    report_losses(document, report);
    let effect = |offsets: &MorphOffsets| match offsets {
        MorphOffsets::Bone(offsets) => {
            MorphEffect::Joints(offsets.iter().filter_map(|offset| joint(offset, nodes)).collect())
        }
        MorphOffsets::Group(offsets) => MorphEffect::Group(members(document, offsets)),
        MorphOffsets::Flip(offsets) => MorphEffect::Flip(members(document, offsets)),
        MorphOffsets::Vertex(_)
        | MorphOffsets::Uv { .. }
        | MorphOffsets::Material(_)
        | MorphOffsets::Impulse(_) => MorphEffect::Surface,
    };
    let morph = |morph: &crate::pmx::document::Morph| RigMorph {
        name: document.text(&morph.name),
        effect: effect(&morph.offsets),
    };
    document.morphs.iter().map(morph).collect()
}

/// Rotation of nothing.
const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn joint(offset: &BoneOffset, nodes: &Nodes) -> Option<JointOffset> {
    Some(JointOffset {
        node: nodes.of(offset.bone)?,
        translation: wide(offset.translation),
        rotation: unit(offset.rotation).unwrap_or(NO_TURN),
    })
}

fn members(document: &Document, offsets: &[GroupOffset]) -> Vec<(usize, f64)> {
    let member = |offset: &GroupOffset| {
        let morph = offset.morph.get().filter(|morph| *morph < document.morphs.len())?;
        Some((morph, finite(offset.ratio).into()))
    };
    offsets.iter().filter_map(member).collect()
}

/// Reports the morphs without a place in a scene, and the offsets without a target.
fn report_losses(document: &Document, report: &mut Report) {
    let no_room = "a scene has no room for what it changes";
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for morph in &document.morphs {
        let Some((noun, offsets)) = no_place(document, &morph.offsets) else { continue };
        let entry = format!("{} ({})", document.text(&morph.name), counted(offsets, "offset"));
        match kinds.iter_mut().find(|(kind, _)| *kind == noun) {
            Some((_, morphs)) => morphs.push(entry),
            None => kinds.push((noun, vec![entry])),
        }
    }
    for (noun, morphs) in kinds {
        report.dropped(format!("{}: {}", counted(morphs.len(), &noun), morphs.join(", ")), no_room);
    }
    let astray = document.morphs.iter().map(|morph| astray(document, &morph.offsets)).sum();
    dropped(report, astray, "morph offset", "points at nothing");
}

/// The usual name of a kind of morph without a place in a scene, and its number of offsets.
fn no_place(document: &Document, offsets: &MorphOffsets) -> Option<(String, usize)> {
    match offsets {
        MorphOffsets::Material(offsets) => Some(("material morph".into(), offsets.len())),
        MorphOffsets::Impulse(offsets) => Some(("impulse morph".into(), offsets.len())),
        MorphOffsets::Uv { set, offsets } if *set > document.header.additional_uvs => {
            Some((format!("additional-UV (UV{set}) morph"), offsets.len()))
        }
        _ => None,
    }
}

/// Number of offsets without a target.
fn astray(document: &Document, offsets: &MorphOffsets) -> usize {
    let lacks = |index: Option<usize>, count: usize| index.is_none_or(|index| index >= count);
    match offsets {
        MorphOffsets::Group(offsets) | MorphOffsets::Flip(offsets) => {
            offsets.iter().filter(|o| lacks(o.morph.get(), document.morphs.len())).count()
        }
        MorphOffsets::Bone(offsets) => {
            offsets.iter().filter(|o| lacks(o.bone.get(), document.bones.len())).count()
        }
        MorphOffsets::Vertex(offsets) => {
            offsets.iter().filter(|o| lacks(usize::try_from(o.vertex).ok(), document.vertices.len())).count()
        }
        MorphOffsets::Uv { offsets, .. } => {
            offsets.iter().filter(|o| lacks(usize::try_from(o.vertex).ok(), document.vertices.len())).count()
        }
        MorphOffsets::Material(_) | MorphOffsets::Impulse(_) => 0,
    }
}
