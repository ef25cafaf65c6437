//! The fields of each record, in order.

use super::Need::{Element, OrNone};
use super::{List, Sink};
use crate::pmx::document::{
    Bone, DisplayFrame, FrameElement, Ik, IkLink, Index, Joint, Material, MaterialOffset, Morph,
    MorphOffsets, RigidBody, Skinning, SoftBody, Tail, Toon, UvOffset, Vertex,
};

/// Names of the bones of a vertex and of their weights.
const BONES: [&str; 4] = ["bone 1", "bone 2", "bone 3", "bone 4"];

pub(super) fn vertex<'a>(
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
    skinning(sink, &vertex.skinning);
    sink.floats("edge scale", &[vertex.edge_scale]);
}

fn skinning(sink: &mut impl Sink, skinning: &Skinning) {
    match skinning {
        Skinning::Bdef1(bone) => {
            sink.u8("weight type", 0);
            vertex_bones(sink, &[*bone], &[1.0]);
        }
        Skinning::Bdef2(bones, weight) => {
            sink.u8("weight type", 1);
            vertex_bones(sink, bones, &[*weight, 1.0 - weight]);
            sink.floats("weight", &[*weight]);
        }
        Skinning::Bdef4(bones, weights) => {
            sink.u8("weight type", 2);
            vertex_bones(sink, bones, weights);
            sink.floats("weights", weights);
        }
        Skinning::Sdef(sdef) => {
            sink.u8("weight type", 3);
            vertex_bones(sink, &sdef.bones, &[sdef.weight, 1.0 - sdef.weight]);
            sink.floats("weight", &[sdef.weight]);
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
        sink.index(field, *bone, List::Bones, need);
    }
}

pub(super) fn material(sink: &mut impl Sink, material: &Material) {
    sink.text("name", &material.name);
    sink.text("English name", &material.english_name);
    sink.floats("diffuse", &material.diffuse);
    sink.floats("specular", &material.specular);
    sink.floats("shininess", &[material.shininess]);
    sink.floats("ambient", &material.ambient);
    sink.u8("flags", material.flags.0);
    sink.floats("edge colour", &material.edge_color);
    sink.floats("edge size", &[material.edge_size]);
    sink.index("texture", material.texture, List::Textures, OrNone);
    sink.index("sphere texture", material.sphere_texture, List::Textures, OrNone);
    sink.u8("sphere mode", material.sphere_mode);
    match material.toon {
        Toon::Texture(texture) => {
            sink.u8("shared toon", 0);
            sink.index("toon", texture, List::Textures, OrNone);
        }
        Toon::Shared(number) => {
            sink.u8("shared toon", 1);
            sink.u8("toon", number);
        }
    }
    sink.text("memo", &material.memo);
    sink.i32("index count", material.index_count);
}

pub(super) fn bone(sink: &mut impl Sink, bone: &Bone) {
    sink.text("name", &bone.name);
    sink.text("English name", &bone.english_name);
    sink.floats("head", &bone.head);
    sink.index("parent", bone.parent, List::Bones, OrNone);
    sink.i32("level", bone.level);
    sink.u16("flags", bone.file_flags());
    match bone.tail {
        Tail::Bone(tail) => sink.index("tail", tail, List::Bones, OrNone),
        Tail::Offset(offset) => sink.floats("tail", &offset),
    }
    if let Some(append) = &bone.append {
        sink.index("append source", append.source, List::Bones, OrNone);
        sink.floats("append ratio", &[append.ratio]);
    }
    if let Some(axis) = &bone.fixed_axis {
        sink.floats("fixed axis", axis);
    }
    if let Some([x, z]) = &bone.local_axes {
        sink.floats("local X axis", x);
        sink.floats("local Z axis", z);
    }
    if let Some(key) = bone.external_parent {
        sink.i32("external parent", key);
    }
    if let Some(chain) = &bone.ik {
        ik(sink, chain);
    }
}

fn ik(sink: &mut impl Sink, chain: &Ik) {
    sink.index("IK target", chain.target, List::Bones, Element);
    sink.i32("IK iterations", chain.iterations);
    sink.floats("IK step", &[chain.step_rad]);
    sink.list("IK links", &chain.links, |sink, _, link| ik_link(sink, link));
}

fn ik_link(sink: &mut impl Sink, link: &IkLink) {
    sink.index("bone", link.bone, List::Bones, Element);
    sink.u8("limited", u8::from(link.limit.is_some()));
    if let Some(limit) = &link.limit {
        sink.floats("lowest angles", &limit.min_rad);
        sink.floats("highest angles", &limit.max_rad);
    }
}

pub(super) fn morph(sink: &mut impl Sink, morph: &Morph) {
    sink.text("name", &morph.name);
    sink.text("English name", &morph.english_name);
    sink.u8("panel", morph.panel);
    sink.u8("type", morph.offsets.kind());
    match &morph.offsets {
        MorphOffsets::Group(offsets) | MorphOffsets::Flip(offsets) => {
            sink.list("offsets", offsets, |sink, _, offset| {
                sink.index("morph", offset.morph, List::Morphs, Element);
                sink.floats("ratio", &[offset.ratio]);
            });
        }
        MorphOffsets::Vertex(offsets) => sink.list("offsets", offsets, |sink, _, offset| {
            sink.vertex("vertex", offset.vertex);
            sink.floats("offset", &offset.offset);
        }),
        MorphOffsets::Bone(offsets) => sink.list("offsets", offsets, |sink, _, offset| {
            sink.index("bone", offset.bone, List::Bones, Element);
            sink.floats("translation", &offset.translation);
            sink.floats("rotation", &offset.rotation);
        }),
        MorphOffsets::Uv { offsets, .. } => sink.list("offsets", offsets, |sink, _, offset| uv(sink, offset)),
        MorphOffsets::Material(offsets) => {
            sink.list("offsets", offsets, |sink, _, offset| material_offset(sink, offset));
        }
        MorphOffsets::Impulse(offsets) => sink.list("offsets", offsets, |sink, _, offset| {
            sink.index("rigid body", offset.body, List::Bodies, Element);
            sink.u8("local", offset.local);
            sink.floats("velocity", &offset.velocity);
            sink.floats("torque", &offset.torque);
        }),
    }
}

fn uv(sink: &mut impl Sink, offset: &UvOffset) {
    sink.vertex("vertex", offset.vertex);
    sink.floats("offset", &offset.offset);
}

fn material_offset(sink: &mut impl Sink, offset: &MaterialOffset) {
    sink.index("material", offset.material, List::Materials, OrNone);
    sink.u8("operation", offset.operation);
    sink.floats("diffuse", &offset.diffuse);
    sink.floats("specular", &offset.specular);
    sink.floats("shininess", &[offset.shininess]);
    sink.floats("ambient", &offset.ambient);
    sink.floats("edge colour", &offset.edge_color);
    sink.floats("edge size", &[offset.edge_size]);
    sink.floats("texture", &offset.texture);
    sink.floats("sphere texture", &offset.sphere);
    sink.floats("toon", &offset.toon);
}

pub(super) fn display_frame(sink: &mut impl Sink, frame: &DisplayFrame) {
    sink.text("name", &frame.name);
    sink.text("English name", &frame.english_name);
    sink.u8("special", frame.special);
    sink.list("elements", &frame.elements, |sink, _, element| match element {
        FrameElement::Bone(bone) => {
            sink.u8("kind", 0);
            sink.index("bone", *bone, List::Bones, Element);
        }
        FrameElement::Morph(morph) => {
            sink.u8("kind", 1);
            sink.index("morph", *morph, List::Morphs, Element);
        }
    });
}

pub(super) fn rigid_body(sink: &mut impl Sink, body: &RigidBody) {
    sink.text("name", &body.name);
    sink.text("English name", &body.english_name);
    sink.index("bone", body.bone, List::Bones, OrNone);
    sink.u8("group", body.group);
    sink.u16("mask", body.mask);
    sink.u8("shape", body.shape);
    sink.floats("size", &body.size);
    sink.floats("position", &body.position);
    sink.floats("rotation", &body.rotation);
    sink.floats("mass", &[body.mass]);
    sink.floats("linear damping", &[body.linear_damping]);
    sink.floats("angular damping", &[body.angular_damping]);
    sink.floats("restitution", &[body.restitution]);
    sink.floats("friction", &[body.friction]);
    sink.u8("mode", body.mode);
}

pub(super) fn joint(sink: &mut impl Sink, joint: &Joint) {
    let [first, second] = joint.bodies;
    sink.text("name", &joint.name);
    sink.text("English name", &joint.english_name);
    sink.u8("type", joint.kind);
    sink.index("body A", first, List::Bodies, OrNone);
    sink.index("body B", second, List::Bodies, OrNone);
    sink.floats("position", &joint.position);
    sink.floats("rotation", &joint.rotation);
    sink.floats("lowest offsets", &joint.linear_min);
    sink.floats("highest offsets", &joint.linear_max);
    sink.floats("lowest angles", &joint.angular_min_rad);
    sink.floats("highest angles", &joint.angular_max_rad);
    sink.floats("linear springs", &joint.linear_spring);
    sink.floats("angular springs", &joint.angular_spring);
}

pub(super) fn soft_body(sink: &mut impl Sink, body: &SoftBody) {
    sink.text("name", &body.name);
    sink.text("English name", &body.english_name);
    sink.u8("shape", body.shape);
    sink.index("material", body.material, List::Materials, Element);
    sink.u8("group", body.group);
    sink.u16("mask", body.mask);
    sink.u8("flags", body.flags);
    sink.i32("bending distance", body.bending_distance);
    sink.i32("clusters", body.clusters);
    sink.floats("mass", &[body.mass]);
    sink.floats("margin", &[body.margin]);
    sink.i32("aerodynamics", body.aero_model);
    sink.floats("configuration", &body.config);
    sink.floats("cluster configuration", &body.cluster_config);
    for iterations in body.iterations {
        sink.i32("iterations", iterations);
    }
    sink.floats("stiffness", &body.stiffness);
    sink.list("anchors", &body.anchors, |sink, _, anchor| {
        sink.index("rigid body", anchor.body, List::Bodies, Element);
        sink.vertex("vertex", anchor.vertex);
        sink.u8("near", anchor.near);
    });
    sink.list("pins", &body.pins, |sink, _, vertex| sink.vertex("vertex", *vertex));
}
