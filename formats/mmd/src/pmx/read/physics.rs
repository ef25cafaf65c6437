//! Bodies of the physics engine and what holds them together.

use super::fields::{COUNT, Fields, TEXT, width};
use crate::pmx::document::{Anchor, IndexSizes, Joint, RigidBody, SoftBody};
use crate::pmx::layout::List;
use dopesheet_core::bytes::Read;

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(super) const fn smallest_body(sizes: IndexSizes) -> usize {
    // Group, mask, shape, fourteen numbers and a mode.
    2 * TEXT + width(sizes.bone) + 4 + 56 + 1
}

pub(super) fn rigid_body(fields: &mut Fields<'_>) -> Read<RigidBody> {
    Ok(RigidBody {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        bone: fields.index("bone", List::Bones)?,
        group: fields.u8("group")?,
        mask: fields.u16("mask")?,
        shape: fields.u8("shape")?,
        size: fields.f32s("size")?,
        position: fields.f32s("position")?,
        rotation: fields.f32s("rotation")?,
        mass: fields.f32("mass")?,
        linear_damping: fields.f32("linear damping")?,
        angular_damping: fields.f32("angular damping")?,
        restitution: fields.f32("restitution")?,
        friction: fields.f32("friction")?,
        mode: fields.u8("mode")?,
    })
}

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(super) const fn smallest_joint(sizes: IndexSizes) -> usize {
    2 * TEXT + 1 + 2 * width(sizes.body) + 96
}

pub(super) fn joint(fields: &mut Fields<'_>) -> Read<Joint> {
    Ok(Joint {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        kind: fields.u8("type")?,
        bodies: [fields.index("body A", List::Bodies)?, fields.index("body B", List::Bodies)?],
        position: fields.f32s("position")?,
        rotation: fields.f32s("rotation")?,
        linear_min: fields.f32s("lowest offsets")?,
        linear_max: fields.f32s("highest offsets")?,
        angular_min_rad: fields.f32s("lowest angles")?,
        angular_max_rad: fields.f32s("highest angles")?,
        linear_spring: fields.f32s("linear springs")?,
        angular_spring: fields.f32s("angular springs")?,
    })
}

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
pub(super) const fn smallest_soft_body(sizes: IndexSizes) -> usize {
    // Shape, group, mask and flags; thirty numbers; two lists.
    2 * TEXT + width(sizes.material) + 5 + 120 + 2 * COUNT
}

pub(super) fn soft_body(fields: &mut Fields<'_>) -> Read<SoftBody> {
    Ok(SoftBody {
        name: fields.text("name")?,
        english_name: fields.text("English name")?,
        shape: fields.u8("shape")?,
        material: fields.index("material", List::Materials)?,
        group: fields.u8("group")?,
        mask: fields.u16("mask")?,
        flags: fields.u8("flags")?,
        bending_distance: fields.i32("bending distance")?,
        clusters: fields.i32("clusters")?,
        mass: fields.f32("mass")?,
        margin: fields.f32("margin")?,
        aero_model: fields.i32("aerodynamics")?,
        config: fields.f32s("configuration")?,
        cluster_config: fields.f32s("cluster configuration")?,
        iterations: iterations(fields)?,
        stiffness: fields.f32s("stiffness")?,
        anchors: fields.section("anchors", smallest_anchor(fields.sizes), anchor)?,
        pins: fields.section("pins", width(fields.sizes.vertex), |f| f.vertex("vertex"))?,
    })
}

fn iterations(fields: &mut Fields<'_>) -> Read<[i32; 4]> {
    let mut rounds = [0; 4];
    for number in &mut rounds {
        *number = fields.i32("iterations")?;
    }
    Ok(rounds)
}

#[allow(clippy::arithmetic_side_effects, reason = "sizes of a few bytes")]
const fn smallest_anchor(sizes: IndexSizes) -> usize {
    width(sizes.body) + width(sizes.vertex) + 1
}

fn anchor(fields: &mut Fields<'_>) -> Read<Anchor> {
    Ok(Anchor {
        body: fields.index("rigid body", List::Bodies)?,
        vertex: fields.vertex("vertex")?,
        near: fields.u8("near")?,
    })
}
