//! The order of all fields of a file, stated once: writing walks it to append bytes, checking to know where each field
//! stands. `LAYOUT.md` has the same in tables.

use super::document::{Bone, Document, English, Ik, Index, Joint, Material, Morph, RigidBody, Vertex};

/// The first three bytes.
pub(super) const SIGNATURE: [u8; 3] = *b"Pmd";

/// Sizes of records in bytes; of the smallest one where they vary.
pub(super) mod size {
    pub(in super::super) const VERTEX: usize = 38;
    pub(in super::super) const FACE: usize = 2;
    pub(in super::super) const MATERIAL: usize = 70;
    pub(in super::super) const BONE: usize = 39;
    pub(in super::super) const IK: usize = 11;
    pub(in super::super) const LINK: usize = 2;
    pub(in super::super) const MORPH: usize = 25;
    pub(in super::super) const OFFSET: usize = 16;
    pub(in super::super) const PANEL_MORPH: usize = 2;
    pub(in super::super) const BONE_FRAME: usize = 50;
    pub(in super::super) const FRAMED_BONE: usize = 3;
    pub(in super::super) const RIGID_BODY: usize = 83;
    pub(in super::super) const JOINT: usize = 124;
}

/// Names of the lists in messages.
pub(super) mod list {
    pub(in super::super) const VERTICES: &str = "vertices";
    pub(in super::super) const FACES: &str = "faces";
    pub(in super::super) const MATERIALS: &str = "materials";
    pub(in super::super) const BONES: &str = "bones";
    pub(in super::super) const IK: &str = "IK chains";
    pub(in super::super) const LINKS: &str = "links";
    pub(in super::super) const MORPHS: &str = "morphs";
    pub(in super::super) const OFFSETS: &str = "offsets";
    pub(in super::super) const PANEL_MORPHS: &str = "panel morphs";
    pub(in super::super) const BONE_FRAMES: &str = "bone frames";
    pub(in super::super) const FRAMED_BONES: &str = "framed bones";
    pub(in super::super) const ENGLISH_BONES: &str = "English bones";
    pub(in super::super) const ENGLISH_MORPHS: &str = "English morphs";
    pub(in super::super) const ENGLISH_BONE_FRAMES: &str = "English bone frames";
    pub(in super::super) const TOONS: &str = "toons";
    pub(in super::super) const RIGID_BODIES: &str = "rigid bodies";
    pub(in super::super) const JOINTS: &str = "joints";
}

/// How many bytes a count takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// One byte.
    One,
    /// Two bytes.
    Two,
    /// Four bytes.
    Four,
}

impl Width {
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// The largest count.
    pub(super) const fn most(self) -> u32 {
        match self {
            Self::One => 0xff,
            Self::Two => 0xffff,
            Self::Four => u32::MAX,
        }
    }
}

/// Receives the fields of a file in their order. Each has its name within the record that was entered last.
pub(super) trait Sink {
    /// The fields that follow belong to an element of a list.
    fn enter(&mut self, list: &'static str, index: usize);
    /// The element is over.
    fn leave(&mut self);
    /// Bytes as they are.
    fn raw(&mut self, field: &'static str, bytes: &[u8]);
    /// Numbers.
    fn floats(&mut self, field: &'static str, numbers: &[f32]);
    /// How many elements a list has that follows.
    fn count(&mut self, list: &'static str, width: Width, count: usize);

    /// A byte.
    fn u8(&mut self, field: &'static str, byte: u8) {
        self.raw(field, &[byte]);
    }

    /// A whole number of 16 bits.
    fn u16(&mut self, field: &'static str, number: u16) {
        self.raw(field, &number.to_le_bytes());
    }

    /// A whole number of 32 bits.
    fn u32(&mut self, field: &'static str, number: u32) {
        self.raw(field, &number.to_le_bytes());
    }

    /// A bone.
    fn index(&mut self, field: &'static str, index: Index) {
        self.u16(field, index.0);
    }

    /// The elements of a list.
    fn each<T>(&mut self, list: &'static str, elements: &[T], mut element: impl FnMut(&mut Self, &T))
    where
        Self: Sized,
    {
        for (index, value) in elements.iter().enumerate() {
            self.enter(list, index);
            element(self, value);
            self.leave();
        }
    }

    /// A list: its length, then its elements.
    fn list<T>(
        &mut self,
        list: &'static str,
        width: Width,
        elements: &[T],
        element: impl FnMut(&mut Self, &T),
    ) where
        Self: Sized,
    {
        self.count(list, width, elements.len());
        self.each(list, elements, element);
    }
}

/// The last part that is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    FramedBones,
    English,
    Toons,
    RigidBodies,
    Joints,
}

impl Document {
    fn last_part(&self) -> Part {
        match self {
            Self { joints: Some(_), .. } => Part::Joints,
            Self { trailing, .. } if !trailing.is_empty() => Part::Joints,
            Self { rigid_bodies: Some(_), .. } => Part::RigidBodies,
            Self { toons: Some(_), .. } => Part::Toons,
            Self { english: Some(_), .. } => Part::English,
            _ => Part::FramedBones,
        }
    }
}

/// Every field of a file, in order. Parts of the end that are `None` in front of one that is there are empty.
pub(super) fn walk(document: &Document, sink: &mut impl Sink) {
    sink.raw("signature", &SIGNATURE);
    sink.floats("version", &[document.version]);
    sink.raw("name", &document.name.0);
    sink.raw("comment", &document.comment.0);
    sink.list(list::VERTICES, Width::Four, &document.vertices, vertex);
    sink.list(list::FACES, Width::Four, &document.faces, |sink, vertex| sink.u16("vertex", *vertex));
    sink.list(list::MATERIALS, Width::Four, &document.materials, material);
    sink.list(list::BONES, Width::Two, &document.bones, bone);
    sink.list(list::IK, Width::Two, &document.ik, ik);
    sink.list(list::MORPHS, Width::Two, &document.morphs, morph);
    sink.list(list::PANEL_MORPHS, Width::One, &document.panel_morphs, |sink, morph| {
        sink.u16("morph", *morph)
    });
    sink.list(list::BONE_FRAMES, Width::One, &document.bone_frames, |sink, name| sink.raw("name", &name.0));
    sink.list(list::FRAMED_BONES, Width::Four, &document.framed_bones, |sink, framed| {
        sink.index("bone", framed.bone);
        sink.u8("frame", framed.frame);
    });
    end(document, sink);
}

fn end(document: &Document, sink: &mut impl Sink) {
    let last = document.last_part();
    if last >= Part::English {
        english(sink, document.english.as_ref());
    }
    if last >= Part::Toons {
        let toons = document.toons.unwrap_or_default();
        sink.each(list::TOONS, &toons, |sink, name| sink.raw("file name", &name.0));
    }
    if last >= Part::RigidBodies {
        let bodies = document.rigid_bodies.as_deref().unwrap_or_default();
        sink.list(list::RIGID_BODIES, Width::Four, bodies, rigid_body);
    }
    if last >= Part::Joints {
        sink.list(list::JOINTS, Width::Four, document.joints.as_deref().unwrap_or_default(), joint);
        sink.raw("trailing bytes", &document.trailing);
    }
}

fn vertex(sink: &mut impl Sink, vertex: &Vertex) {
    sink.floats("position", &vertex.position);
    sink.floats("normal", &vertex.normal);
    sink.floats("UV", &vertex.uv);
    sink.index("bone 1", vertex.bones[0]);
    sink.index("bone 2", vertex.bones[1]);
    sink.u8("weight", vertex.weight);
    sink.u8("edge off", vertex.edge_off);
}

fn material(sink: &mut impl Sink, material: &Material) {
    sink.floats("diffuse", &material.diffuse);
    sink.floats("shininess", &[material.shininess]);
    sink.floats("specular", &material.specular);
    sink.floats("ambient", &material.ambient);
    sink.u8("toon", material.toon);
    sink.u8("edge", material.edge);
    sink.u32("index count", material.index_count);
    sink.raw("texture", &material.texture.0);
}

fn bone(sink: &mut impl Sink, bone: &Bone) {
    sink.raw("name", &bone.name.0);
    sink.index("parent", bone.parent);
    sink.index("tail", bone.tail);
    sink.u8("type", bone.kind);
    sink.u16("source", bone.source);
    sink.floats("head", &bone.head);
}

fn ik(sink: &mut impl Sink, ik: &Ik) {
    sink.index("bone", ik.bone);
    sink.index("target", ik.target);
    sink.count(list::LINKS, Width::One, ik.links.len());
    sink.u16("iterations", ik.iterations);
    sink.floats("weight", &[ik.weight]);
    sink.each(list::LINKS, &ik.links, |sink, link| sink.index("bone", *link));
}

fn morph(sink: &mut impl Sink, morph: &Morph) {
    sink.raw("name", &morph.name.0);
    sink.count(list::OFFSETS, Width::Four, morph.offsets.len());
    sink.u8("panel", morph.panel);
    sink.each(list::OFFSETS, &morph.offsets, |sink, offset| {
        sink.u32("index", offset.index);
        sink.floats("offset", &offset.offset);
    });
}

fn english(sink: &mut impl Sink, english: Option<&English>) {
    let Some(english) = english.filter(|english| english.flag != 0) else {
        return sink.u8("English names", 0);
    };
    sink.u8("English names", english.flag);
    sink.raw("English name", &english.name.0);
    sink.raw("English comment", &english.comment.0);
    sink.each(list::ENGLISH_BONES, &english.bones, |sink, name| sink.raw("name", &name.0));
    sink.each(list::ENGLISH_MORPHS, &english.morphs, |sink, name| sink.raw("name", &name.0));
    sink.each(list::ENGLISH_BONE_FRAMES, &english.bone_frames, |sink, name| sink.raw("name", &name.0));
}

fn rigid_body(sink: &mut impl Sink, body: &RigidBody) {
    sink.raw("name", &body.name.0);
    sink.index("bone", body.bone);
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

fn joint(sink: &mut impl Sink, joint: &Joint) {
    sink.raw("name", &joint.name.0);
    sink.u32("body A", joint.bodies[0]);
    sink.u32("body B", joint.bodies[1]);
    sink.floats("position", &joint.position);
    sink.floats("rotation", &joint.rotation);
    sink.floats("lowest offsets", &joint.linear_min);
    sink.floats("highest offsets", &joint.linear_max);
    sink.floats("lowest angles", &joint.angular_min_rad);
    sink.floats("highest angles", &joint.angular_max_rad);
    sink.floats("linear springs", &joint.linear_spring);
    sink.floats("angular springs", &joint.angular_spring);
}
