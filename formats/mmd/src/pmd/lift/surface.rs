//! Vertices and morphs.

use super::fields::{ENCODING, english, index, text, text_at};
use crate::pmd::document::{Document, Morph, Vertex};
use crate::pmx;
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;

/// Full weight in hundredths.
const FULL: u8 = 100;

/// Weights are hundredths, and the outline byte is 0 for an outline (nanoem and Blender's MMD tools;
/// babylon-mmd has the opposite).
pub(super) fn vertex(vertex: &Vertex) -> pmx::Vertex {
    let [first, second] = vertex.bones.map(index);
    let skinning = match vertex.weight {
        _ if first == second => pmx::Skinning::Bdef1(first),
        FULL.. => pmx::Skinning::Bdef1(first),
        0 => pmx::Skinning::Bdef1(second),
        weight => pmx::Skinning::Bdef2([first, second], f32::from(weight) / f32::from(FULL)),
    };
    pmx::Vertex {
        position: vertex.position,
        normal: vertex.normal,
        uv: vertex.uv,
        skinning,
        edge_scale: if vertex.edge_off == 0 { 1.0 } else { 0.0 },
    }
}

/// The base, a list of vertices.
pub(in crate::pmd) fn base(document: &Document) -> Option<&Morph> {
    document.morphs.iter().find(|morph| morph.is_base())
}

/// Every morph but the base; positions in its list become vertices.
pub(super) fn morphs(document: &Document, report: &mut Report) -> Vec<pmx::Morph> {
    let base = base(document).map(|base| base.offsets.as_slice()).unwrap_or_default();
    let english = english(document).map(|english| english.morphs.as_slice());
    let mut lost = 0usize;
    let mut morphs = Vec::with_capacity(document.morphs.len());
    for (position, morph) in document.morphs.iter().enumerate().filter(|(_, morph)| !morph.is_base()) {
        let vertex = |position: u32| base.get(usize::try_from(position).ok()?).map(|offset| offset.index);
        let offsets = morph.offsets.iter().filter_map(|offset| {
            Some(pmx::VertexOffset { vertex: vertex(offset.index)?, offset: offset.offset })
        });
        let offsets: Vec<_> = offsets.collect();
        lost = lost.saturating_add(morph.offsets.len().saturating_sub(offsets.len()));
        morphs.push(pmx::Morph {
            name: text(&morph.name),
            // The base, which is the first, has no English name.
            english_name: position
                .checked_sub(1)
                .map_or_else(|| pmx::Text::new("", ENCODING), |position| text_at(english, position)),
            panel: morph.panel,
            offsets: pmx::MorphOffsets::Vertex(offsets),
        });
    }
    if lost > 0 {
        report.dropped(
            format!("{} of morphs", counted(lost, "offset")),
            "they point behind the list of the base morph",
        );
    }
    morphs
}
