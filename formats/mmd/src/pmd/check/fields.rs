//! Faults possible in any field, whatever its meaning.

use super::DocumentCheck;
use super::spot::{Content, Lists, each_field};
use crate::pmd::codes;
use crate::pmd::document::{BoneType, Index};
use crate::pmd::layout::list;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let seen = &mut look.seen;
    each_field(look.document, |field| {
        if let Content::Floats(numbers) = field.content
            && numbers.iter().any(|number| !number.is_finite())
        {
            let actual = || numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ");
            seen.add(codes::NONFINITE, || field.fault("finite numbers", actual()));
        }
    });
    look.surface();
    look.bones();
    look.morphs();
    look.physics();
    flags(look);
    kinds(look);
}

/// Indices that must point at an element.
impl DocumentCheck<'_> {
    fn index(&mut self, lists: Lists<'_>, field: &'static str, index: u32, limit: usize) {
        if !usize::try_from(index).is_ok_and(|index| index < limit) {
            self.say(codes::INDEX, lists, field, || (format!("below {limit}"), index.to_string()));
        }
    }

    fn bone(&mut self, lists: Lists<'_>, field: &'static str, bone: Index) {
        self.index(lists, field, bone.0.into(), self.document.bones.len());
    }

    fn bone_or_none(&mut self, lists: Lists<'_>, field: &'static str, bone: Index) {
        if bone != Index::NONE {
            self.bone(lists, field, bone);
        }
    }

    fn surface(&mut self) {
        let document = self.document;
        for (at, vertex) in document.vertices.iter().enumerate() {
            let lists = [(list::VERTICES, at)];
            // A bone without weight need not exist.
            if vertex.weight > 0 {
                self.bone(&lists, "bone 1", vertex.bones[0]);
            }
            if vertex.weight < 100 {
                self.bone(&lists, "bone 2", vertex.bones[1]);
            }
        }
        for (at, vertex) in document.faces.iter().enumerate() {
            self.index(&[(list::FACES, at)], "vertex", (*vertex).into(), document.vertices.len());
        }
    }

    fn bones(&mut self) {
        let document = self.document;
        for (at, bone) in document.bones.iter().enumerate() {
            let lists = [(list::BONES, at)];
            self.bone_or_none(&lists, "parent", bone.parent);
            match BoneType::of(bone.kind) {
                BoneType::FollowPart => self.bone(&lists, "tail", bone.tail),
                BoneType::Follow => {
                    self.bone_or_none(&lists, "tail", bone.tail);
                    self.bone(&lists, "source", Index(bone.source));
                }
                _ => self.bone_or_none(&lists, "tail", bone.tail),
            }
        }
        for (at, chain) in document.ik.iter().enumerate() {
            self.bone(&[(list::IK, at)], "bone", chain.bone);
            self.bone(&[(list::IK, at)], "target", chain.target);
            for (position, link) in chain.links.iter().enumerate() {
                self.bone(&[(list::IK, at), (list::LINKS, position)], "bone", *link);
            }
        }
        for (at, framed) in document.framed_bones.iter().enumerate() {
            self.bone(&[(list::FRAMED_BONES, at)], "bone", framed.bone);
        }
    }

    fn morphs(&mut self) {
        let document = self.document;
        let base = document.morphs.iter().find(|morph| morph.is_base()).map_or(0, |base| base.offsets.len());
        for (at, morph) in document.morphs.iter().enumerate() {
            let limit = if morph.is_base() { document.vertices.len() } else { base };
            for (position, offset) in morph.offsets.iter().enumerate() {
                self.index(&[(list::MORPHS, at), (list::OFFSETS, position)], "index", offset.index, limit);
            }
        }
        for (at, morph) in document.panel_morphs.iter().enumerate() {
            self.index(&[(list::PANEL_MORPHS, at)], "morph", (*morph).into(), document.morphs.len());
        }
    }

    fn physics(&mut self) {
        let document = self.document;
        for (at, body) in document.rigid_bodies.iter().flatten().enumerate() {
            self.bone_or_none(&[(list::RIGID_BODIES, at)], "bone", body.bone);
        }
        let bodies = document.rigid_bodies.as_ref().map_or(0, Vec::len);
        for (at, joint) in document.joints.iter().flatten().enumerate() {
            for (field, body) in ["body A", "body B"].into_iter().zip(joint.bodies) {
                self.index(&[(list::JOINTS, at)], field, body, bodies);
            }
        }
    }
}

fn flags(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let mut flag = |lists: Lists<'_>, field, byte: u8| {
        if byte > 1 {
            look.say(codes::FLAG_BYTE, lists, field, || ("0 or 1", byte.to_string()));
        }
    };
    for (at, vertex) in document.vertices.iter().enumerate() {
        flag(&[(list::VERTICES, at)], "edge off", vertex.edge_off);
    }
    for (at, material) in document.materials.iter().enumerate() {
        flag(&[(list::MATERIALS, at)], "edge", material.edge);
    }
    if let Some(english) = &document.english {
        flag(&[], "English names", english.flag);
    }
}

fn kinds(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let mut kind = |lists: Lists<'_>, field, byte: u8, highest: u8| {
        if byte > highest {
            look.say(codes::KIND, lists, field, || (format!("at most {highest}"), byte.to_string()));
        }
    };
    for (at, morph) in document.morphs.iter().enumerate() {
        kind(&[(list::MORPHS, at)], "panel", morph.panel, 4);
    }
    for (at, body) in document.rigid_bodies.iter().flatten().enumerate() {
        let lists = [(list::RIGID_BODIES, at)];
        kind(&lists, "group", body.group, 15);
        kind(&lists, "shape", body.shape, 2);
        kind(&lists, "mode", body.mode, 2);
    }
}
