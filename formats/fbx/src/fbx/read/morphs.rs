//! Morphs, called blend shapes in FBX.

use super::numbers::{finite, narrow, vector};
use super::remarks::Remarks;
use super::still::Still;
use crate::fbx::codes;
use crate::fbx::document::Key;
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
            remarks.push(codes::IN_BETWEEN, path, shapes);
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
    let moved = key.shape.offset_vertices.iter().zip(key.shape.position_offsets.iter());
    for (at, (vertex, offset)) in moved.enumerate() {
        // Only Blender writes weights of vertices; elsewhere the list is empty.
        let weight = key.shape.offset_weights.get(at).map_or(1.0, |weight| finite(*weight));
        let offset = vector(offset).map(|part| narrow(part * weight / full));
        for own in vertices.get(vertex).into_iter().flatten() {
            delta.positions.push((*own, offset));
        }
    }
    delta.positions.sort_by_key(|(vertex, _)| *vertex);
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
    let rest = channels(mesh).flat_map(|channel| shares(channel, channel.weight)).map(narrow);
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

/// Weights of each shape of a channel over time, by the keys of the channel: straight in between, with a key at each weight at which
/// another pair of shapes takes turns.
pub(super) fn split(channel: &ufbx::BlendChannel, keys: &[Key<1>]) -> Vec<Vec<Key<1>>> {
    let mut turns: Vec<f64> = channel.keyframes.iter().map(|key| key.target_weight).chain([0.0]).collect();
    turns.sort_by(f64::total_cmp);
    let mut all: Vec<Key<1>> = Vec::with_capacity(keys.len());
    for key in keys {
        if let Some(last) = all.last().copied().filter(|_| channel.keyframes.len() > 1) {
            let [from, to] = [last.value[0], key.value[0]];
            let is_between = |turn: &f64| (from.min(to)..from.max(to)).contains(turn) && *turn != from;
            let at = |turn: f64| last.time_s + (key.time_s - last.time_s) * (turn - from) / (to - from);
            let passed =
                turns.iter().copied().filter(is_between).map(|turn| Key { time_s: at(turn), value: [turn] });
            let mut passed: Vec<Key<1>> = passed.filter(|turn| turn.time_s < key.time_s).collect();
            if to < from {
                passed.reverse();
            }
            all.extend(passed);
        }
        all.push(*key);
    }
    let of = |shape: usize| {
        let weight = |key: &Key<1>| shares(channel, key.value[0]).get(shape).copied().unwrap_or_default();
        all.iter().map(|key| Key { value: [weight(key)], ..*key }).collect()
    };
    (0..channel.keyframes.len()).map(of).collect()
}

/// The weight of each shape at a weight of the channel. A single shape has the weight of the channel; of several, the two shapes on both
/// sides of the weight share it, with the unmorphed mesh as a shape at 0, and the outermost continue in a straight line.
///
/// Source: ufbx (`ufbx_blend_keyframe.effective_weight`).
fn shares(channel: &ufbx::BlendChannel, weight: f64) -> Vec<f64> {
    let weight = finite(weight);
    let count = channel.keyframes.len();
    if count == 1 {
        return vec![weight];
    }
    // Shapes on the side of 0 on which the weight is, from 0 outwards; those of the other side go on if there are none.
    let is_beyond = |sign: f64| channel.keyframes.iter().any(|key| key.target_weight * sign > 0.0);
    let side = if weight > 0.0 { 1.0 } else { -1.0 };
    let sign = if is_beyond(side) { side } else { -side };
    let target =
        |shape: &usize| channel.keyframes.get(*shape).map_or(0.0, |key| finite(key.target_weight) * sign);
    let mut outwards: Vec<usize> = (0..count).filter(|shape| target(shape) > 0.0).collect();
    outwards.sort_by(|a, b| target(a).total_cmp(&target(b)));
    let (mut shares, height) = (vec![0.0; count], weight * sign);
    let far = outwards.iter().position(|shape| target(shape) > height).or(outwards.len().checked_sub(1));
    let Some((at, far)) = far.and_then(|at| Some((at, *outwards.get(at)?))) else { return shares };
    let near = at.checked_sub(1).and_then(|at| outwards.get(at).copied());
    let start = near.as_ref().map_or(0.0, target);
    let width = target(&far) - start;
    let share = if width > 0.0 { (height - start) / width } else { 1.0 };
    for (shape, part) in [(Some(far), share), (near, 1.0 - share)] {
        if let Some(slot) = shape.and_then(|shape| shares.get_mut(shape)) {
            *slot = part;
        }
    }
    shares
}
