//! Bones.

use super::fields::{Fields, TEXT, width};
use crate::pmx::document::{Append, AppendParts, Bone, BoneFlags, Ik, IkLimit, IkLink, IndexSizes, Tail};
use crate::pmx::layout::List;
use dopesheet_core::bytes::Read;

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(super) const fn smallest(sizes: IndexSizes) -> usize {
    // Head, level, flags and the smaller of the two tails.
    2 * TEXT + 12 + width(sizes.bone) + 4 + 2 + width(sizes.bone)
}

pub(super) fn bone(fields: &mut Fields<'_>) -> Read<Bone> {
    let name = fields.text("name")?;
    let english_name = fields.text("English name")?;
    let head = fields.f32s("head")?;
    let parent = fields.index("parent", List::Bones)?;
    let level = fields.i32("level")?;
    let flags = BoneFlags(fields.u16("flags")?);
    let tail = match flags.has(BoneFlags::TAIL_IS_BONE) {
        true => Tail::Bone(fields.index("tail", List::Bones)?),
        false => Tail::Offset(fields.f32s("tail")?),
    };
    Ok(Bone {
        name,
        english_name,
        head,
        parent,
        level,
        flags: BoneFlags(flags.0 & !BoneFlags::IMPLIED),
        tail,
        append: append(fields, flags)?,
        fixed_axis: flagged(fields, flags, BoneFlags::FIXED_AXIS, |f| f.f32s("fixed axis"))?,
        local_axes: flagged(fields, flags, BoneFlags::LOCAL_AXES, |f| {
            Ok([f.f32s("local X axis")?, f.f32s("local Z axis")?])
        })?,
        external_parent: flagged(fields, flags, BoneFlags::EXTERNAL_PARENT, |f| f.i32("external parent"))?,
        ik: flagged(fields, flags, BoneFlags::IK, ik)?,
    })
}

/// A part of a bone that is there only if its flag is set.
fn flagged<'a, T>(
    fields: &mut Fields<'a>,
    flags: BoneFlags,
    bit: u16,
    part: impl FnOnce(&mut Fields<'a>) -> Read<T>,
) -> Read<Option<T>> {
    if flags.has(bit) { part(fields).map(Some) } else { Ok(None) }
}

fn append(fields: &mut Fields<'_>, flags: BoneFlags) -> Read<Option<Append>> {
    let parts = match (flags.has(BoneFlags::APPEND_ROTATION), flags.has(BoneFlags::APPEND_TRANSLATION)) {
        (true, true) => AppendParts::Both,
        (true, false) => AppendParts::Rotation,
        (false, true) => AppendParts::Translation,
        (false, false) => return Ok(None),
    };
    let source = fields.index("append source", List::Bones)?;
    Ok(Some(Append { source, ratio: fields.f32("append ratio")?, parts }))
}

fn ik(fields: &mut Fields<'_>) -> Read<Ik> {
    Ok(Ik {
        target: fields.index("IK target", List::Bones)?,
        iterations: fields.i32("IK iterations")?,
        step_rad: fields.f32("IK step")?,
        links: fields.section("IK links", smallest_link(fields.sizes), ik_link)?,
    })
}

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
const fn smallest_link(sizes: IndexSizes) -> usize {
    width(sizes.bone) + 1
}

fn ik_link(fields: &mut Fields<'_>) -> Read<IkLink> {
    let bone = fields.index("bone", List::Bones)?;
    let start = fields.cursor.clone();
    let limit = match fields.u8("limited")? {
        0 => None,
        1 => {
            Some(IkLimit { min_rad: fields.f32s("lowest angles")?, max_rad: fields.f32s("highest angles")? })
        }
        unknown => return Err(Fields::unknown_kind(&start, "limited", "0 or 1", unknown)),
    };
    Ok(IkLink { bone, limit })
}
