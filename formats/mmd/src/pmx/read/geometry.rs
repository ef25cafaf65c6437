//! Vertices, faces and materials.

use super::fields::{COUNT, Fields, TEXT, width};
use crate::pmx::document::{
    Header, IndexSize, IndexSizes, Material, MaterialFlags, Sdef, Skinning, Toon, Vertex,
};
use crate::pmx::layout::List;
use dopesheet_core::bytes::Read;

/// Position, normal and texture coordinate.
const POINT: usize = 32;
/// One additional texture coordinate.
const ADDITIONAL_UV: usize = 16;
/// What a vertex ends with.
const EDGE_SCALE: usize = 4;

/// How many bones and bytes of numbers a weight type has; `None` for unknown types.
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
pub(super) const fn smallest_vertex(sizes: IndexSizes, additional_uvs: u8) -> usize {
    POINT + ADDITIONAL_UV * additional_uvs as usize + 1 + width(sizes.bone) + EDGE_SCALE
}

/// A vertex; its additional texture coordinates go to the ends of their columns.
#[inline]
pub(super) fn vertex(fields: &mut Fields<'_>, columns: &mut [Vec<[f32; 4]>]) -> Read<Vertex> {
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
        let bones = fields.bones(["bone 1", "bone 2", "bone 3", "bone 4"])?;
        Ok((bones, fields.f32s("weights")?))
    };
    Ok(match fields.u8("weight type")? {
        0 => Skinning::Bdef1(fields.index("bone 1", List::Bones)?),
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
pub(super) fn faces(fields: &mut Fields<'_>) -> Read<Vec<u32>> {
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
pub(super) fn skip_surface(fields: &mut Fields<'_>, header: &Header) -> Read<()> {
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

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(super) const fn smallest_material(sizes: IndexSizes) -> usize {
    // Colours and numbers, three bytes of switches, two indices, one byte of a toon, a memo and a count.
    2 * TEXT + 64 + 3 + 2 * width(sizes.texture) + 1 + TEXT + COUNT
}

pub(super) fn material(fields: &mut Fields<'_>) -> Read<Material> {
    Ok(Material {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        diffuse: fields.f32s("diffuse")?,
        specular: fields.f32s("specular")?,
        shininess: fields.f32("shininess")?,
        ambient: fields.f32s("ambient")?,
        flags: MaterialFlags(fields.u8("flags")?),
        edge_color: fields.f32s("edge colour")?,
        edge_size: fields.f32("edge size")?,
        texture: fields.index("texture", List::Textures)?,
        sphere_texture: fields.index("sphere texture", List::Textures)?,
        sphere_mode: fields.u8("sphere mode")?,
        toon: toon(fields)?,
        memo: fields.text("memo")?,
        index_count: fields.i32("index count")?,
    })
}

fn toon(fields: &mut Fields<'_>) -> Read<Toon> {
    let start = fields.cursor.clone();
    match fields.u8("shared toon")? {
        0 => fields.index("toon", List::Textures).map(Toon::Texture),
        1 => fields.u8("toon").map(Toon::Shared),
        unknown => Err(Fields::unknown_kind(&start, "shared toon", "0 or 1", unknown)),
    }
}
