//! Morphs and display frames.

use super::fields::{COUNT, Fields, TEXT, width};
use crate::pmx::document::{
    BoneOffset, DisplayFrame, FrameElement, GroupOffset, ImpulseOffset, IndexSizes, MaterialOffset, Morph,
    MorphOffsets, UvOffset, VertexOffset,
};
use crate::pmx::layout::List;
use dopesheet_core::bytes::Read;

/// Two names, a panel, a type and no offset.
pub(super) const SMALLEST: usize = 2 * TEXT + 2 + COUNT;
/// Two names, a flag and no element.
pub(super) const SMALLEST_FRAME: usize = 2 * TEXT + 1 + COUNT;

pub(super) fn morph(fields: &mut Fields<'_>) -> Read<Morph> {
    Ok(Morph {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        panel: fields.u8("panel")?,
        offsets: offsets(fields)?,
    })
}

fn offsets(fields: &mut Fields<'_>) -> Read<MorphOffsets> {
    let start = fields.cursor.clone();
    let kind = fields.u8("type")?;
    let sizes = fields.sizes;
    let size = |list: List, numbers: usize| width(sizes.of(list)).saturating_add(numbers);
    Ok(match kind {
        0 => MorphOffsets::Group(fields.section("offsets", size(List::Morphs, 4), group)?),
        1 => MorphOffsets::Vertex(fields.section("offsets", size(List::Vertices, 12), vertex)?),
        2 => MorphOffsets::Bone(fields.section("offsets", size(List::Bones, 28), bone)?),
        3..=7 => MorphOffsets::Uv {
            set: kind.saturating_sub(3),
            offsets: fields.section("offsets", size(List::Vertices, 16), uv)?,
        },
        8 => MorphOffsets::Material(fields.section("offsets", size(List::Materials, 113), material)?),
        9 => MorphOffsets::Flip(fields.section("offsets", size(List::Morphs, 4), group)?),
        10 => MorphOffsets::Impulse(fields.section("offsets", size(List::Bodies, 25), impulse)?),
        unknown => return Err(Fields::unknown_kind(&start, "type", "0 to 10", unknown)),
    })
}

fn group(fields: &mut Fields<'_>) -> Read<GroupOffset> {
    Ok(GroupOffset { morph: fields.index("morph", List::Morphs)?, ratio: fields.f32("ratio")? })
}

fn vertex(fields: &mut Fields<'_>) -> Read<VertexOffset> {
    Ok(VertexOffset { vertex: fields.vertex("vertex")?, offset: fields.f32s("offset")? })
}

fn bone(fields: &mut Fields<'_>) -> Read<BoneOffset> {
    Ok(BoneOffset {
        bone: fields.index("bone", List::Bones)?,
        translation: fields.f32s("translation")?,
        rotation: fields.f32s("rotation")?,
    })
}

fn uv(fields: &mut Fields<'_>) -> Read<UvOffset> {
    Ok(UvOffset { vertex: fields.vertex("vertex")?, offset: fields.f32s("offset")? })
}

fn material(fields: &mut Fields<'_>) -> Read<MaterialOffset> {
    Ok(MaterialOffset {
        material: fields.index("material", List::Materials)?,
        operation: fields.u8("operation")?,
        diffuse: fields.f32s("diffuse")?,
        specular: fields.f32s("specular")?,
        shininess: fields.f32("shininess")?,
        ambient: fields.f32s("ambient")?,
        edge_color: fields.f32s("edge colour")?,
        edge_size: fields.f32("edge size")?,
        texture: fields.f32s("texture")?,
        sphere: fields.f32s("sphere texture")?,
        toon: fields.f32s("toon")?,
    })
}

fn impulse(fields: &mut Fields<'_>) -> Read<ImpulseOffset> {
    Ok(ImpulseOffset {
        body: fields.index("rigid body", List::Bodies)?,
        local: fields.u8("local")?,
        velocity: fields.f32s("velocity")?,
        torque: fields.f32s("torque")?,
    })
}

pub(super) fn display_frame(fields: &mut Fields<'_>) -> Read<DisplayFrame> {
    Ok(DisplayFrame {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        special: fields.u8("special")?,
        elements: fields.section("elements", smallest_element(fields.sizes), element)?,
    })
}

fn smallest_element(sizes: IndexSizes) -> usize {
    width(sizes.bone).min(width(sizes.morph)).saturating_add(1)
}

fn element(fields: &mut Fields<'_>) -> Read<FrameElement> {
    let start = fields.cursor.clone();
    match fields.u8("kind")? {
        0 => fields.index("bone", List::Bones).map(FrameElement::Bone),
        1 => fields.index("morph", List::Morphs).map(FrameElement::Morph),
        unknown => Err(Fields::unknown_kind(&start, "kind", "0 (bone) or 1 (morph)", unknown)),
    }
}
