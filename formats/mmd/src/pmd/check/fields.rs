//! Faults that any field can have, whatever it means.

use super::CheckFn;
use super::spot::{Position, fault, fault_at};
use crate::pmd::codes;
use crate::pmd::document::{BoneType, Document, Index};
use crate::pmd::layout::{Sink, Width, list, walk};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[nonfinite, index, flag_byte, kind];

fn nonfinite(document: &Document, report: &mut Report) {
    let mut numbers = Numbers { position: Position::default(), seen: Sightings::of(codes::NONFINITE) };
    walk(document, &mut numbers);
    numbers.seen.report(report);
}

/// Looks for numbers that are not finite.
struct Numbers {
    position: Position,
    seen: Sightings,
}

impl Sink for Numbers {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.position.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.position.lists.pop();
    }

    fn raw(&mut self, _field: &'static str, bytes: &[u8]) {
        self.position.offset += bytes.len();
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        if numbers.iter().any(|number| !number.is_finite()) {
            let found: Vec<_> = numbers.iter().map(f32::to_string).collect();
            let position = &self.position;
            self.seen.add(|| {
                fault(position.offset, "finite numbers", found.join(", "))
                    .at_path(Position::path(&position.lists, field))
            });
        }
        self.position.offset += size_of_val(numbers);
    }

    fn count(&mut self, _list: &'static str, width: Width, _count: usize) {
        self.position.offset += width.bytes();
    }
}

/// Indices that must point at something.
struct Indices<'a> {
    document: &'a Document,
    seen: Sightings,
}

impl Indices<'_> {
    fn look(&mut self, lists: &[(&'static str, usize)], field: &'static str, found: u32, limit: usize) {
        if usize::try_from(found).is_ok_and(|found| found < limit) {
            return;
        }
        let expected = format!("below {limit}");
        self.seen.add(|| fault_at(self.document, lists, field, (expected, found.to_string())));
    }

    fn bone(&mut self, lists: &[(&'static str, usize)], field: &'static str, bone: Index) {
        self.look(lists, field, bone.0.into(), self.document.bones.len());
    }

    fn bone_or_none(&mut self, lists: &[(&'static str, usize)], field: &'static str, bone: Index) {
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
            self.look(&[(list::FACES, at)], "vertex", (*vertex).into(), document.vertices.len());
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
            for (place, link) in chain.links.iter().enumerate() {
                self.bone(&[(list::IK, at), (list::LINKS, place)], "bone", *link);
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
            for (place, offset) in morph.offsets.iter().enumerate() {
                self.look(&[(list::MORPHS, at), (list::OFFSETS, place)], "index", offset.index, limit);
            }
        }
        for (at, morph) in document.panel_morphs.iter().enumerate() {
            self.look(&[(list::PANEL_MORPHS, at)], "morph", (*morph).into(), document.morphs.len());
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
                self.look(&[(list::JOINTS, at)], field, body, bodies);
            }
        }
    }
}

fn index(document: &Document, report: &mut Report) {
    let mut indices = Indices { document, seen: Sightings::of(codes::INDEX) };
    indices.surface();
    indices.bones();
    indices.morphs();
    indices.physics();
    indices.seen.report(report);
}

fn flag_byte(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::FLAG_BYTE);
    let mut look = |lists: &[(&'static str, usize)], field, byte: u8| {
        if byte > 1 {
            seen.add(|| fault_at(document, lists, field, ("0 or 1", byte.to_string())));
        }
    };
    for (at, vertex) in document.vertices.iter().enumerate() {
        look(&[(list::VERTICES, at)], "edge off", vertex.edge_off);
    }
    for (at, material) in document.materials.iter().enumerate() {
        look(&[(list::MATERIALS, at)], "edge", material.edge);
    }
    if let Some(english) = &document.english {
        look(&[], "English names", english.flag);
    }
    seen.report(report);
}

fn kind(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::KIND);
    let mut look = |lists: &[(&'static str, usize)], field, byte: u8, most: u8| {
        if byte > most {
            seen.add(|| fault_at(document, lists, field, (format!("at most {most}"), byte.to_string())));
        }
    };
    for (at, morph) in document.morphs.iter().enumerate() {
        look(&[(list::MORPHS, at)], "panel", morph.panel, 4);
    }
    for (at, body) in document.rigid_bodies.iter().flatten().enumerate() {
        let lists = [(list::RIGID_BODIES, at)];
        look(&lists, "group", body.group, 15);
        look(&lists, "shape", body.shape, 2);
        look(&lists, "mode", body.mode, 2);
    }
    seen.report(report);
}
