//! Vertices, whose weights have several forms, and faces.

use super::Need::{Element, OrNone};
use super::fields::{Fields, width};
use super::{IndexedList, Sink};
use crate::pmx::document::{Header, Index, IndexSize, IndexSizes, Sdef, Skinning, Vertex};
use dopesheet_core::bytes::Read;

/// Position, normal and texture coordinate.
const POINT: usize = 32;
/// One additional texture coordinate.
const ADDITIONAL_UV: usize = 16;
/// Size of the last field of a vertex.
const EDGE_SCALE: usize = 4;

/// Numbers of bones and of bytes of numbers of a weight type; `None` for unknown types.
const fn skin_shape(weight_type: u8) -> Option<(usize, usize)> {
    match weight_type {
        0 => Some((1, 0)),
        1 => Some((2, 4)),
        2 | 4 => Some((4, 16)),
        3 => Some((2, 40)),
        _ => None,
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(in crate::pmx) const fn smallest_vertex(sizes: IndexSizes, additional_uvs: u8) -> usize {
    POINT + ADDITIONAL_UV * additional_uvs as usize + 1 + width(sizes.bone) + EDGE_SCALE
}

/// A vertex; its additional texture coordinates go to the ends of their columns.
#[inline]
pub(in crate::pmx) fn vertex(fields: &mut Fields<'_>, columns: &mut [Vec<[f32; 4]>]) -> Read<Vertex> {
    let position = fields.f32s("position")?;
    let normal = fields.f32s("normal")?;
    let uv = fields.f32s("UV")?;
    for column in columns {
        column.push(fields.f32s("additional UV")?);
    }
    let skinning = skinning(fields)?;
    let edge_scale = fields.f32("edge scale")?;
    Ok(Vertex { position, normal, uv, skinning, edge_scale })
}

#[inline]
fn skinning(fields: &mut Fields<'_>) -> Read<Skinning> {
    let start = fields.cursor.clone();
    let four = |fields: &mut Fields<'_>| -> Read<_> {
        let bones = fields.bones(BONES)?;
        Ok((bones, fields.f32s("weights")?))
    };
    Ok(match fields.u8("weight type")? {
        0 => Skinning::Bdef1(fields.index("bone 1", IndexedList::Bones)?),
        1 => Skinning::Bdef2(fields.bones(["bone 1", "bone 2"])?, fields.f32("weight")?),
        2 => {
            let (bones, weights) = four(fields)?;
            Skinning::Bdef4(bones, weights)
        }
        3 => Skinning::Sdef(Sdef {
            bones: fields.bones(["bone 1", "bone 2"])?,
            weight: fields.f32("weight")?,
            center: fields.f32s("C")?,
            r0: fields.f32s("R0")?,
            r1: fields.f32s("R1")?,
        }),
        4 => {
            let (bones, weights) = four(fields)?;
            Skinning::Qdef(bones, weights)
        }
        unknown => return Err(Fields::unknown_kind(&start, "weight type", "0 to 4", unknown)),
    })
}

/// Indices of vertices, three per triangle.
pub(in crate::pmx) fn faces(fields: &mut Fields<'_>) -> Read<Vec<u32>> {
    let size = fields.sizes.vertex;
    let count = fields.cursor.count("faces", width(size))?;
    let bytes = fields.cursor.take(count.saturating_mul(width(size)), "faces")?;
    Ok(match size {
        IndexSize::One => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        IndexSize::Two => {
            let (words, _) = bytes.as_chunks();
            words.iter().map(|word| u32::from(u16::from_le_bytes(*word))).collect()
        }
        IndexSize::Four => {
            let (words, _) = bytes.as_chunks();
            words.iter().map(|word| u32::from_le_bytes(*word)).collect()
        }
    })
}

/// Moves behind vertices and faces without keeping them.
pub(in crate::pmx) fn skip_surface(fields: &mut Fields<'_>, header: &Header) -> Read<()> {
    let smallest = smallest_vertex(header.index_sizes, header.additional_uvs);
    let point = ADDITIONAL_UV.saturating_mul(header.additional_uvs.into()).saturating_add(POINT);
    for _ in 0..fields.cursor.count("vertices", smallest)? {
        fields.cursor.take(point, "position")?;
        let start = fields.cursor.clone();
        let kind = fields.u8("weight type")?;
        let (bones, numbers) =
            skin_shape(kind).ok_or_else(|| Fields::unknown_kind(&start, "weight type", "0 to 4", kind))?;
        let rest = bones.saturating_mul(width(header.index_sizes.bone)).saturating_add(numbers);
        fields.cursor.take(rest.saturating_add(EDGE_SCALE), "weights")?;
    }
    let size = width(header.index_sizes.vertex);
    let count = fields.cursor.count("faces", size)?;
    fields.cursor.take(count.saturating_mul(size), "faces").map(drop)
}

/// Names of the bones of a vertex and of their weights.
const BONES: [&str; 4] = ["bone 1", "bone 2", "bone 3", "bone 4"];

/// Walks over a vertex and its additional texture coordinates.
pub(super) fn walk<'a>(
    sink: &mut impl Sink,
    vertex: &Vertex,
    additional: impl Iterator<Item = &'a [f32; 4]>,
) {
    sink.floats("position", &vertex.position);
    sink.floats("normal", &vertex.normal);
    sink.floats("UV", &vertex.uv);
    for uv in additional {
        sink.floats("additional UV", uv);
    }
    walk_skinning(sink, &vertex.skinning);
    sink.f32("edge scale", vertex.edge_scale);
}

fn walk_skinning(sink: &mut impl Sink, skinning: &Skinning) {
    match skinning {
        Skinning::Bdef1(bone) => {
            sink.u8("weight type", 0);
            vertex_bones(sink, &[*bone], &[1.0]);
        }
        Skinning::Bdef2(bones, weight) => {
            sink.u8("weight type", 1);
            vertex_bones(sink, bones, &[*weight, 1.0 - weight]);
            sink.f32("weight", *weight);
        }
        Skinning::Bdef4(bones, weights) => {
            sink.u8("weight type", 2);
            vertex_bones(sink, bones, weights);
            sink.floats("weights", weights);
        }
        Skinning::Sdef(sdef) => {
            sink.u8("weight type", 3);
            vertex_bones(sink, &sdef.bones, &[sdef.weight, 1.0 - sdef.weight]);
            sink.f32("weight", sdef.weight);
            sink.floats("C", &sdef.center);
            sink.floats("R0", &sdef.r0);
            sink.floats("R1", &sdef.r1);
        }
        Skinning::Qdef(bones, weights) => {
            sink.u8("weight type", 4);
            vertex_bones(sink, bones, weights);
            sink.floats("weights", weights);
        }
    }
}

/// A bone without weight need not exist.
fn vertex_bones(sink: &mut impl Sink, bones: &[Index], weights: &[f32]) {
    for ((bone, weight), field) in bones.iter().zip(weights).zip(BONES) {
        let need = if *weight == 0.0 { OrNone } else { Element };
        sink.index(field, *bone, IndexedList::Bones, need);
    }
}
