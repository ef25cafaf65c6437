//! The order of all fields of a file, stated once and used by reading records, by writing, which walks all
//! fields to append bytes, and by checking, to know the position of each field. `LAYOUT.md` has the same in
//! tables.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::document::{
    Bone, Document, English, FramedBone, Ik, Index, Joint, Material, Morph, MorphOffset, RigidBody, Vertex,
};
use crate::record::{fields, record};
use crate::text::Name;
use dopesheet_core::bytes::{Cursor, Read};

/// The first three bytes.
pub(super) const SIGNATURE: [u8; 3] = *b"Pmd";

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

/// Size of a count.
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
    pub(super) const fn largest_count(self) -> u32 {
        match self {
            Self::One => 0xff,
            Self::Two => 0xffff,
            Self::Four => u32::MAX,
        }
    }
}

/// Receives the fields of a file in their order. Each field has its name within the record entered last.
pub(super) trait Sink {
    /// The fields behind this call belong to an element of a list.
    fn enter(&mut self, list: &'static str, index: usize);
    /// The element is over.
    fn leave(&mut self);
    /// Bytes as they are.
    fn raw(&mut self, field: &'static str, bytes: &[u8]);
    /// Numbers.
    fn floats(&mut self, field: &'static str, numbers: &[f32]);
    /// Length of the list behind this call.
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

    /// A number.
    fn f32(&mut self, field: &'static str, number: f32) {
        self.floats(field, &[number]);
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

    /// A list of records.
    fn records(&mut self, list: &'static str, width: Width, records: &[impl Record])
    where
        Self: Sized,
    {
        self.list(list, width, records, |sink, record| Record::walk(record, sink));
    }
}

/// The last part present in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LastPart {
    FramedBones,
    English,
    Toons,
    RigidBodies,
    Joints,
}

impl Document {
    fn last_part(&self) -> LastPart {
        match self {
            Self { joints: Some(_), .. } => LastPart::Joints,
            Self { trailing, .. } if !trailing.is_empty() => LastPart::Joints,
            Self { rigid_bodies: Some(_), .. } => LastPart::RigidBodies,
            Self { toons: Some(_), .. } => LastPart::Toons,
            Self { english: Some(_), .. } => LastPart::English,
            _ => LastPart::FramedBones,
        }
    }
}

/// Every field of a file, in order. Parts at the end that are `None` in front of a present part are written
/// as empty.
pub(super) fn walk(document: &Document, sink: &mut impl Sink) {
    sink.raw("signature", &SIGNATURE);
    sink.f32("version", document.version);
    sink.raw("name", &document.name.0);
    sink.raw("comment", &document.comment.0);
    sink.records(list::VERTICES, Width::Four, &document.vertices);
    sink.list(list::FACES, Width::Four, &document.faces, |sink, vertex| sink.u16("vertex", *vertex));
    sink.records(list::MATERIALS, Width::Four, &document.materials);
    sink.records(list::BONES, Width::Two, &document.bones);
    sink.records(list::IK, Width::Two, &document.ik);
    sink.records(list::MORPHS, Width::Two, &document.morphs);
    sink.list(list::PANEL_MORPHS, Width::One, &document.panel_morphs, |sink, morph| {
        sink.u16("morph", *morph)
    });
    sink.records(list::BONE_FRAMES, Width::One, &document.bone_frames);
    sink.records(list::FRAMED_BONES, Width::Four, &document.framed_bones);
    end(document, sink);
}

fn end(document: &Document, sink: &mut impl Sink) {
    let last = document.last_part();
    if last >= LastPart::English {
        english(sink, document.english.as_ref());
    }
    if last >= LastPart::Toons {
        let toons = document.toons.unwrap_or_default();
        sink.each(list::TOONS, &toons, |sink, name| sink.raw("file name", &name.0));
    }
    if last >= LastPart::RigidBodies {
        let bodies = document.rigid_bodies.as_deref().unwrap_or_default();
        sink.records(list::RIGID_BODIES, Width::Four, bodies);
    }
    if last >= LastPart::Joints {
        sink.records(list::JOINTS, Width::Four, document.joints.as_deref().unwrap_or_default());
        sink.raw("trailing bytes", &document.trailing);
    }
}

fn english(sink: &mut impl Sink, english: Option<&English>) {
    let Some(english) = english.filter(|english| english.flag != 0) else {
        return sink.u8("English names", 0);
    };
    sink.u8("English names", english.flag);
    sink.raw("English name", &english.name.0);
    sink.raw("English comment", &english.comment.0);
    sink.each(list::ENGLISH_BONES, &english.bones, |sink, record| Record::walk(record, sink));
    sink.each(list::ENGLISH_MORPHS, &english.morphs, |sink, record| Record::walk(record, sink));
    sink.each(list::ENGLISH_BONE_FRAMES, &english.bone_frames, |sink, record| Record::walk(record, sink));
}

/// Input for reading records.
pub(super) type Source<'a> = Cursor<'a>;
/// No sizes to choose: all fields have a fixed size.
type Sizes = ();

/// An element of a list.
pub(super) trait Record: Sized {
    fn read(from: &mut Source<'_>) -> Read<Self>;
    fn walk(&self, sink: &mut impl Sink);
    /// Least size in bytes.
    fn smallest(sizes: Sizes) -> usize;
}

/// A field of a record, with a name for the field or a name for each of its parts.
trait Field<N>: Sized {
    fn read(from: &mut Source<'_>, name: N) -> Read<Self>;
    fn walk(&self, sink: &mut impl Sink, name: N);

    /// Size in bytes.
    fn smallest(_name: N, _sizes: Sizes) -> usize {
        size_of::<Self>()
    }
}

fields! { from, own, sink, name:
    [] u8: from.u8(name), sink.u8(name, *own);
    [] u16: from.u16(name), sink.u16(name, *own);
    [] u32: from.u32(name), sink.u32(name, *own);
    [] f32: from.f32(name), sink.f32(name, *own);
    [] Index: from.u16(name).map(Index), sink.u16(name, own.0);
    [const N: usize] [f32; N]: from.f32s(name), sink.floats(name, own);
    [const N: usize] Name<N>: from.array(name).map(Name), sink.raw(name, &own.0);
}

impl<T: Field<&'static str>> Field<[&'static str; 2]> for [T; 2] {
    #[inline]
    fn read(from: &mut Source<'_>, [first, second]: [&'static str; 2]) -> Read<Self> {
        Ok([T::read(from, first)?, T::read(from, second)?])
    }

    fn walk(&self, sink: &mut impl Sink, names: [&'static str; 2]) {
        self.iter().zip(names).for_each(|(part, name)| part.walk(sink, name));
    }
}

impl<const N: usize> Record for Name<N> {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        Field::read(from, "name")
    }

    fn walk(&self, sink: &mut impl Sink) {
        Field::walk(self, sink, "name");
    }

    fn smallest(_sizes: Sizes) -> usize {
        N
    }
}

record! { Vertex {
    position: [f32; 3] = "position",
    normal: [f32; 3] = "normal",
    uv: [f32; 2] = "UV",
    bones: [Index; 2] = ["bone 1", "bone 2"],
    weight: u8 = "weight",
    edge_off: u8 = "edge off",
} }

record! { Material {
    diffuse: [f32; 4] = "diffuse",
    shininess: f32 = "shininess",
    specular: [f32; 3] = "specular",
    ambient: [f32; 3] = "ambient",
    toon: u8 = "toon",
    edge: u8 = "edge",
    index_count: u32 = "index count",
    texture: Name<20> = "texture",
} }

record! { Bone {
    name: Name<20> = "name",
    parent: Index = "parent",
    tail: Index = "tail",
    kind: u8 = "type",
    source: u16 = "source",
    head: [f32; 3] = "head",
} }

impl Record for Ik {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        let bones = Field::read(from, IK_BONES)?;
        let links = from.count_u8(list::LINKS, size_of::<Index>())?;
        let iterations = from.u16("iterations")?;
        let weight = from.f32("weight")?;
        let links = from.records(list::LINKS, links, |from| Field::read(from, "bone"))?;
        let [bone, target] = bones;
        Ok(Self { bone, target, iterations, weight, links })
    }

    fn walk(&self, sink: &mut impl Sink) {
        [self.bone, self.target].walk(sink, IK_BONES);
        sink.count(list::LINKS, Width::One, self.links.len());
        sink.u16("iterations", self.iterations);
        sink.f32("weight", self.weight);
        sink.each(list::LINKS, &self.links, |sink, link| link.walk(sink, "bone"));
    }

    fn smallest(_sizes: Sizes) -> usize {
        11
    }
}

const IK_BONES: [&str; 2] = ["bone", "target"];

impl Record for Morph {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        let name = Record::read(from)?;
        let offsets = from.count(list::OFFSETS, MorphOffset::smallest(()))?;
        let panel = from.u8("panel")?;
        Ok(Self { name, panel, offsets: from.records(list::OFFSETS, offsets, MorphOffset::read)? })
    }

    fn walk(&self, sink: &mut impl Sink) {
        Record::walk(&self.name, sink);
        sink.count(list::OFFSETS, Width::Four, self.offsets.len());
        sink.u8("panel", self.panel);
        sink.each(list::OFFSETS, &self.offsets, |sink, offset| offset.walk(sink));
    }

    fn smallest(_sizes: Sizes) -> usize {
        25
    }
}

record! { MorphOffset {
    index: u32 = "index",
    offset: [f32; 3] = "offset",
} }

record! { FramedBone {
    bone: Index = "bone",
    frame: u8 = "frame",
} }

record! { RigidBody {
    name: Name<20> = "name",
    bone: Index = "bone",
    group: u8 = "group",
    mask: u16 = "mask",
    shape: u8 = "shape",
    size: [f32; 3] = "size",
    position: [f32; 3] = "position",
    rotation: [f32; 3] = "rotation",
    mass: f32 = "mass",
    linear_damping: f32 = "linear damping",
    angular_damping: f32 = "angular damping",
    restitution: f32 = "restitution",
    friction: f32 = "friction",
    mode: u8 = "mode",
} }

record! { Joint {
    name: Name<20> = "name",
    bodies: [u32; 2] = ["body A", "body B"],
    position: [f32; 3] = "position",
    rotation: [f32; 3] = "rotation",
    linear_min: [f32; 3] = "lowest offsets",
    linear_max: [f32; 3] = "highest offsets",
    angular_min_rad: [f32; 3] = "lowest angles",
    angular_max_rad: [f32; 3] = "highest angles",
    linear_spring: [f32; 3] = "linear springs",
    angular_spring: [f32; 3] = "angular springs",
} }
