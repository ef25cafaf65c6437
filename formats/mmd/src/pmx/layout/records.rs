//! The fields of each record, in order.

use super::Need::{Element, OrNone};
use super::field::{Field, Record, Sizes, Source, VertexIndex};
use super::fields::{COUNT, TEXT, width};
use super::{IndexedList, Sink};
use crate::pmx::document::{
    Anchor, Append, AppendParts, Bone, BoneFlags, BoneOffset, DisplayFrame, FrameElement, GroupOffset, Ik,
    IkLimit, IkLink, ImpulseOffset, Index, Joint, Material, MaterialFlags, MaterialOffset, Morph,
    MorphOffsets, RigidBody, SoftBody, Tail, Text, Toon, UvOffset, VertexOffset,
};
use crate::record::record;
use dopesheet_core::bytes::Read;

record! { Material {
    name: Text = "name",
    english_name: Text = "English name",
    diffuse: [f32; 4] = "diffuse",
    specular: [f32; 3] = "specular",
    shininess: f32 = "shininess",
    ambient: [f32; 3] = "ambient",
    flags: MaterialFlags = "flags",
    edge_color: [f32; 4] = "edge colour",
    edge_size: f32 = "edge size",
    texture: Index = ("texture", IndexedList::Textures, OrNone),
    sphere_texture: Index = ("sphere texture", IndexedList::Textures, OrNone),
    sphere_mode: u8 = "sphere mode",
    toon: Toon = (),
    memo: Text = "memo",
    index_count: i32 = "index count",
} }

impl Field<()> for Toon {
    fn read(from: &mut Source<'_>, _name: ()) -> Read<Self> {
        let start = from.cursor.clone();
        match from.u8("shared toon")? {
            0 => from.index("toon", IndexedList::Textures).map(Self::Texture),
            1 => from.u8("toon").map(Self::Shared),
            unknown => Err(Source::unknown_kind(&start, "shared toon", "0 or 1", unknown)),
        }
    }

    fn walk(&self, sink: &mut impl Sink, _name: ()) {
        match self {
            Self::Texture(texture) => {
                sink.u8("shared toon", 0);
                sink.index("toon", *texture, IndexedList::Textures, OrNone);
            }
            Self::Shared(number) => {
                sink.u8("shared toon", 1);
                sink.u8("toon", *number);
            }
        }
    }

    /// The number of a shared one.
    fn smallest(_name: (), _: Sizes) -> usize {
        2
    }
}

impl Record for Bone {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        let name = from.text("name")?;
        let english_name = from.text("English name")?;
        let head = from.f32s("head")?;
        let parent = from.index("parent", IndexedList::Bones)?;
        let level = from.i32("level")?;
        let flags = BoneFlags(from.u16("flags")?);
        let tail = match flags.has(BoneFlags::TAIL_IS_BONE) {
            true => Tail::Bone(from.index("tail", IndexedList::Bones)?),
            false => Tail::Offset(from.f32s("tail")?),
        };
        Ok(Self {
            name,
            english_name,
            head,
            parent,
            level,
            flags: BoneFlags(flags.0 & !BoneFlags::IMPLIED),
            tail,
            append: append(from, flags)?,
            fixed_axis: flagged(from, flags, BoneFlags::FIXED_AXIS, |f| f.f32s("fixed axis"))?,
            local_axes: flagged(from, flags, BoneFlags::LOCAL_AXES, |f| {
                Ok([f.f32s("local X axis")?, f.f32s("local Z axis")?])
            })?,
            external_parent: flagged(from, flags, BoneFlags::EXTERNAL_PARENT, |f| f.i32("external parent"))?,
            ik: flagged(from, flags, BoneFlags::IK, Ik::read)?,
        })
    }

    fn walk(&self, sink: &mut impl Sink) {
        sink.text("name", &self.name);
        sink.text("English name", &self.english_name);
        sink.floats("head", &self.head);
        sink.index("parent", self.parent, IndexedList::Bones, OrNone);
        sink.i32("level", self.level);
        sink.u16("flags", self.file_flags());
        match self.tail {
            Tail::Bone(tail) => sink.index("tail", tail, IndexedList::Bones, OrNone),
            Tail::Offset(offset) => sink.floats("tail", &offset),
        }
        if let Some(append) = &self.append {
            sink.index("append source", append.source, IndexedList::Bones, OrNone);
            sink.f32("append ratio", append.ratio);
        }
        if let Some(axis) = &self.fixed_axis {
            sink.floats("fixed axis", axis);
        }
        if let Some([x, z]) = &self.local_axes {
            sink.floats("local X axis", x);
            sink.floats("local Z axis", z);
        }
        if let Some(key) = self.external_parent {
            sink.i32("external parent", key);
        }
        if let Some(chain) = &self.ik {
            chain.walk(sink);
        }
    }

    /// With the smaller of the two tails.
    fn smallest(sizes: Sizes) -> usize {
        width(sizes.bone).saturating_mul(2).saturating_add(const { 2 * TEXT + 12 + 4 + 2 })
    }
}

/// A part of a bone, present only if its flag is set.
fn flagged<'a, T>(
    from: &mut Source<'a>,
    flags: BoneFlags,
    bit: u16,
    part: impl FnOnce(&mut Source<'a>) -> Read<T>,
) -> Read<Option<T>> {
    if flags.has(bit) { part(from).map(Some) } else { Ok(None) }
}

fn append(from: &mut Source<'_>, flags: BoneFlags) -> Read<Option<Append>> {
    let parts = match (flags.has(BoneFlags::APPEND_ROTATION), flags.has(BoneFlags::APPEND_TRANSLATION)) {
        (true, true) => AppendParts::Both,
        (true, false) => AppendParts::Rotation,
        (false, true) => AppendParts::Translation,
        (false, false) => return Ok(None),
    };
    let source = from.index("append source", IndexedList::Bones)?;
    Ok(Some(Append { source, ratio: from.f32("append ratio")?, parts }))
}

record! { Ik {
    target: Index = ("IK target", IndexedList::Bones, Element),
    iterations: i32 = "IK iterations",
    step_rad: f32 = "IK step",
    links: Vec<IkLink> = "IK links",
} }

record! { IkLink {
    bone: Index = ("bone", IndexedList::Bones, Element),
    limit: Option<IkLimit> = "limited",
} }

impl Field<&'static str> for Option<IkLimit> {
    fn read(from: &mut Source<'_>, name: &'static str) -> Read<Self> {
        let start = from.cursor.clone();
        match from.u8(name)? {
            0 => Ok(None),
            1 => IkLimit::read(from).map(Some),
            unknown => Err(Source::unknown_kind(&start, name, "0 or 1", unknown)),
        }
    }

    fn walk(&self, sink: &mut impl Sink, name: &'static str) {
        sink.u8(name, u8::from(self.is_some()));
        if let Some(limit) = self {
            limit.walk(sink);
        }
    }

    fn smallest(_: &'static str, _: Sizes) -> usize {
        1
    }
}

record! { IkLimit {
    min_rad: [f32; 3] = "lowest angles",
    max_rad: [f32; 3] = "highest angles",
} }

record! { Morph {
    name: Text = "name",
    english_name: Text = "English name",
    panel: u8 = "panel",
    offsets: MorphOffsets = "offsets",
} }

impl Field<&'static str> for MorphOffsets {
    fn read(from: &mut Source<'_>, name: &'static str) -> Read<Self> {
        let start = from.cursor.clone();
        Ok(match from.u8("type")? {
            0 => Self::Group(Field::read(from, name)?),
            1 => Self::Vertex(Field::read(from, name)?),
            2 => Self::Bone(Field::read(from, name)?),
            kind @ 3..=7 => Self::Uv { set: kind.saturating_sub(3), offsets: Field::read(from, name)? },
            8 => Self::Material(Field::read(from, name)?),
            9 => Self::Flip(Field::read(from, name)?),
            10 => Self::Impulse(Field::read(from, name)?),
            unknown => return Err(Source::unknown_kind(&start, "type", "0 to 10", unknown)),
        })
    }

    fn walk(&self, sink: &mut impl Sink, name: &'static str) {
        sink.u8("type", self.kind());
        match self {
            Self::Group(offsets) | Self::Flip(offsets) => sink.records(name, offsets),
            Self::Vertex(offsets) => sink.records(name, offsets),
            Self::Bone(offsets) => sink.records(name, offsets),
            Self::Uv { offsets, .. } => sink.records(name, offsets),
            Self::Material(offsets) => sink.records(name, offsets),
            Self::Impulse(offsets) => sink.records(name, offsets),
        }
    }

    fn smallest(_: &'static str, _: Sizes) -> usize {
        const { 1 + COUNT }
    }
}

record! { GroupOffset {
    morph: Index = ("morph", IndexedList::Morphs, Element),
    ratio: f32 = "ratio",
} }

record! { VertexOffset {
    vertex: u32 = VertexIndex,
    offset: [f32; 3] = "offset",
} }

record! { BoneOffset {
    bone: Index = ("bone", IndexedList::Bones, Element),
    translation: [f32; 3] = "translation",
    rotation: [f32; 4] = "rotation",
} }

record! { UvOffset {
    vertex: u32 = VertexIndex,
    offset: [f32; 4] = "offset",
} }

record! { MaterialOffset {
    material: Index = ("material", IndexedList::Materials, OrNone),
    operation: u8 = "operation",
    diffuse: [f32; 4] = "diffuse",
    specular: [f32; 3] = "specular",
    shininess: f32 = "shininess",
    ambient: [f32; 3] = "ambient",
    edge_color: [f32; 4] = "edge colour",
    edge_size: f32 = "edge size",
    texture: [f32; 4] = "texture",
    sphere: [f32; 4] = "sphere texture",
    toon: [f32; 4] = "toon",
} }

record! { ImpulseOffset {
    body: Index = ("rigid body", IndexedList::Bodies, Element),
    local: u8 = "local",
    velocity: [f32; 3] = "velocity",
    torque: [f32; 3] = "torque",
} }

record! { DisplayFrame {
    name: Text = "name",
    english_name: Text = "English name",
    special: u8 = "special",
    elements: Vec<FrameElement> = "elements",
} }

impl Record for FrameElement {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        let start = from.cursor.clone();
        match from.u8("kind")? {
            0 => from.index("bone", IndexedList::Bones).map(Self::Bone),
            1 => from.index("morph", IndexedList::Morphs).map(Self::Morph),
            unknown => Err(Source::unknown_kind(&start, "kind", "0 (bone) or 1 (morph)", unknown)),
        }
    }

    fn walk(&self, sink: &mut impl Sink) {
        match self {
            Self::Bone(bone) => {
                sink.u8("kind", 0);
                sink.index("bone", *bone, IndexedList::Bones, Element);
            }
            Self::Morph(morph) => {
                sink.u8("kind", 1);
                sink.index("morph", *morph, IndexedList::Morphs, Element);
            }
        }
    }

    fn smallest(sizes: Sizes) -> usize {
        width(sizes.bone).min(width(sizes.morph)).saturating_add(1)
    }
}

record! { RigidBody {
    name: Text = "name",
    english_name: Text = "English name",
    bone: Index = ("bone", IndexedList::Bones, OrNone),
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
    name: Text = "name",
    english_name: Text = "English name",
    kind: u8 = "type",
    bodies: [Index; 2] = [("body A", IndexedList::Bodies, OrNone), ("body B", IndexedList::Bodies, OrNone)],
    position: [f32; 3] = "position",
    rotation: [f32; 3] = "rotation",
    linear_min: [f32; 3] = "lowest offsets",
    linear_max: [f32; 3] = "highest offsets",
    angular_min_rad: [f32; 3] = "lowest angles",
    angular_max_rad: [f32; 3] = "highest angles",
    linear_spring: [f32; 3] = "linear springs",
    angular_spring: [f32; 3] = "angular springs",
} }

record! { SoftBody {
    name: Text = "name",
    english_name: Text = "English name",
    shape: u8 = "shape",
    material: Index = ("material", IndexedList::Materials, Element),
    group: u8 = "group",
    mask: u16 = "mask",
    flags: u8 = "flags",
    bending_distance: i32 = "bending distance",
    clusters: i32 = "clusters",
    mass: f32 = "mass",
    margin: f32 = "margin",
    aero_model: i32 = "aerodynamics",
    config: [f32; 12] = "configuration",
    cluster_config: [f32; 6] = "cluster configuration",
    iterations: [i32; 4] = "iterations",
    stiffness: [f32; 3] = "stiffness",
    anchors: Vec<Anchor> = "anchors",
    pins: Vec<u32> = "pins",
} }

record! { Anchor {
    body: Index = ("rigid body", IndexedList::Bodies, Element),
    vertex: u32 = VertexIndex,
    near: u8 = "near",
} }
