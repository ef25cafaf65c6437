//! Morphs: what FBX calls blend shapes.

use super::numbers::{finite, narrow, vector};
use super::remarks::Remarks;
use super::still::Still;
use crate::fbx::codes;
use dopesheet_core::model::{MorphDelta, MorphSet, MorphSetIndex};
use std::collections::HashMap;

/// All morphs of a mesh, in the order of the file.
pub(super) struct Shapes<'a>(Vec<&'a ufbx::BlendChannel>);

impl<'a> Shapes<'a> {
    /// Those of a mesh. A morph through several shapes keeps only the last one.
    pub(super) fn of(mesh: &'a ufbx::Mesh, remarks: &mut Remarks) -> Self {
        let channels: Vec<&ufbx::BlendChannel> = channels(mesh).collect();
        for channel in channels.iter().filter(|channel| channel.keyframes.len() > 1) {
            let path = format!("morph {:?}", channel.element.name.as_ref());
            let found = format!("{}; the last one is used", channel.keyframes.len());
            remarks.push(codes::IN_BETWEEN, path, found);
        }
        Self(channels)
    }

    /// Offsets that each morph adds to a primitive whose vertices are found by those of the mesh.
    pub(super) fn deltas(&self, vertices: &HashMap<u32, Vec<u32>>) -> Vec<MorphDelta> {
        self.0.iter().map(|channel| delta(channel, vertices)).collect()
    }
}

fn channels(mesh: &ufbx::Mesh) -> impl Iterator<Item = &ufbx::BlendChannel> {
    mesh.blend_deformers.into_iter().flat_map(|deformer| &deformer.channels)
}

fn delta(channel: &ufbx::BlendChannel, vertices: &HashMap<u32, Vec<u32>>) -> MorphDelta {
    let mut delta = MorphDelta::default();
    let Some(last) = channel.keyframes.last() else { return delta };
    // A shape counts fully at its own weight, which is 1 in most files.
    let full = if last.target_weight.abs() > 1e-9 { finite(last.target_weight) } else { 1.0 };
    let moved = last.shape.offset_vertices.iter().zip(last.shape.position_offsets.iter());
    for (vertex, offset) in moved {
        let offset = vector(offset).map(|part| narrow(part / full));
        for own in vertices.get(vertex).into_iter().flatten() {
            delta.positions.push((*own, offset));
        }
    }
    delta.positions.sort_by_key(|(vertex, _)| *vertex);
    delta
}

/// Adds the morph set of a mesh, if it has morphs.
pub(super) fn add_set(mesh: &ufbx::Mesh, shapes: &Shapes<'_>, still: &mut Still) -> Option<MorphSetIndex> {
    if shapes.0.is_empty() {
        return None;
    }
    let name = |channel: &&ufbx::BlendChannel| channel.element.name.to_string();
    still.scene.morph_sets.push(MorphSet {
        name: mesh.element.name.to_string(),
        morphs: shapes.0.iter().map(name).collect(),
        rest: shapes.0.iter().map(|channel| narrow(channel.weight)).collect(),
    });
    Some(MorphSetIndex(still.scene.morph_sets.len() - 1))
}

/// Every morph of a file, with the number of its mesh and its place among that mesh's.
pub(super) fn all(file: &ufbx::Scene) -> impl Iterator<Item = (usize, usize, &ufbx::BlendChannel)> {
    file.meshes
        .into_iter()
        .enumerate()
        .flat_map(|(mesh, own)| channels(own).enumerate().map(move |(morph, channel)| (mesh, morph, channel)))
}
