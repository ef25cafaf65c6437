//! Morphs, called blend shapes in FBX.

use super::numbers::{finite, narrow, vector};
use super::remarks::Remarks;
use super::still::Still;
use crate::fbx::codes;
use dopesheet_core::model::{MorphDelta, MorphSet, MorphSetIndex};
use std::collections::HashMap;

/// The library's name for the weight of a morph, in hundredths.
pub(super) const WEIGHT: &str = "DeformPercent";

/// All morphs of a mesh, in the order of the file: a morph for each shape of each channel.
pub(super) struct Shapes<'a>(Vec<(&'a ufbx::BlendChannel, &'a ufbx::BlendKeyframe)>);

impl<'a> Shapes<'a> {
    /// Morphs of a mesh.
    pub(super) fn of(mesh: &'a ufbx::Mesh, remarks: &mut Remarks) -> Self {
        for channel in channels(mesh).filter(|channel| channel.keyframes.len() > 1) {
            let path = format!("morph {:?}", channel.element.name.as_ref());
            let shapes = format!("{}, each of which is a morph", channel.keyframes.len());
            remarks.push(codes::IN_BETWEEN, "one shape", path, shapes);
        }
        let shapes =
            channels(mesh).flat_map(|channel| channel.keyframes.iter().map(move |key| (channel, key)));
        Self(shapes.collect())
    }

    /// Offsets of each morph for a primitive, with its vertices by vertex of the mesh.
    pub(super) fn deltas(&self, vertices: &HashMap<u32, Vec<u32>>) -> Vec<MorphDelta> {
        self.0.iter().map(|(channel, key)| delta(channel, key, vertices)).collect()
    }
}

fn channels(mesh: &ufbx::Mesh) -> impl Iterator<Item = &ufbx::BlendChannel> {
    mesh.blend_deformers.into_iter().flat_map(|deformer| &deformer.channels)
}

fn delta(
    channel: &ufbx::BlendChannel,
    key: &ufbx::BlendKeyframe,
    vertices: &HashMap<u32, Vec<u32>>,
) -> MorphDelta {
    let mut delta = MorphDelta::default();
    // The only shape of a channel counts fully at its own weight, which is 1 in most files; of several, weights say how much.
    let is_alone = channel.keyframes.len() == 1 && key.target_weight.abs() > 1e-9;
    let full = if is_alone { finite(key.target_weight) } else { 1.0 };
    let shape = &key.shape;
    for (offsets, moved) in
        [(&shape.position_offsets, &mut delta.positions), (&shape.normal_offsets, &mut delta.normals)]
    {
        for (at, (vertex, offset)) in shape.offset_vertices.iter().zip(offsets.iter()).enumerate() {
            // Only Blender writes weights of vertices; elsewhere the list is empty.
            let weight = shape.offset_weights.get(at).map_or(1.0, |weight| finite(*weight));
            let offset = vector(offset).map(|part| narrow(part * weight / full));
            moved.extend(vertices.get(vertex).into_iter().flatten().map(|own| (*own, offset)));
        }
        moved.sort_by_key(|(vertex, _)| *vertex);
    }
    // Most files state normals that do not move.
    delta.normals.retain(|(_, offset)| *offset != [0.0; 3]);
    delta
}

/// The channel's name for its last shape, and the shape's name for a shape in between.
fn name(channel: &ufbx::BlendChannel, key: &ufbx::BlendKeyframe) -> String {
    let (whole, shape) = (channel.element.name.as_ref(), key.shape.element.name.as_ref());
    let is_last = channel.keyframes.last().is_some_and(|last| last.target_weight == key.target_weight);
    match shape {
        _ if is_last => whole.to_owned(),
        shape if shape.is_empty() || shape == whole => format!("{whole} {:.0}", key.target_weight * 100.0),
        shape => shape.to_owned(),
    }
}

/// Adds the morph set of a mesh with morphs.
pub(super) fn add_set(mesh: &ufbx::Mesh, shapes: &Shapes<'_>, still: &mut Still) -> Option<MorphSetIndex> {
    if shapes.0.is_empty() {
        return None;
    }
    let shares = |channel: &ufbx::BlendChannel| targets(channel).shares(finite(channel.weight));
    let rest = channels(mesh).flat_map(shares).map(narrow);
    still.scene.morph_sets.push(MorphSet {
        name: mesh.element.name.to_string(),
        morphs: shapes.0.iter().map(|(channel, key)| name(channel, key)).collect(),
        rest: rest.collect(),
    });
    Some(MorphSetIndex(still.scene.morph_sets.len() - 1))
}

/// The animated property with the weight of a channel: the number of its object, and its name. Up to version 7.1 the property belongs to
/// the mesh or its node, and has the name of the shape; later, to the channel.
pub(super) fn weighed_by(channel: &ufbx::BlendChannel) -> (u32, &str) {
    let mut connections = channel.element.connections_dst.iter();
    let other = connections.find(|own| own.dst_prop.as_ref() == WEIGHT && !own.src_prop.is_empty());
    other.map_or((channel.element.element_id, WEIGHT), |own| (own.src.element_id, own.src_prop.as_ref()))
}

/// Every channel of a file, with the number of its mesh and the position of its first shape among the mesh's morphs.
pub(super) fn all(file: &ufbx::Scene) -> impl Iterator<Item = (usize, usize, &ufbx::BlendChannel)> {
    file.meshes.into_iter().enumerate().flat_map(|(mesh, own)| {
        channels(own).scan(0, move |next, channel| {
            let first = *next;
            *next += channel.keyframes.len();
            Some((mesh, first, channel))
        })
    })
}

/// Weights of a channel at which its shapes have full effect.
pub(super) fn targets(channel: &ufbx::BlendChannel) -> crate::fbx::play::Shapes {
    crate::fbx::play::Shapes(channel.keyframes.iter().map(|key| finite(key.target_weight)).collect())
}
