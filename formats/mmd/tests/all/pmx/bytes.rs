//! Files built field by field, independently of the writer.

use dopesheet_core::bytes::ByteBuilder;

/// Layout of the fields of a file.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) version: f32,
    pub(crate) utf16: bool,
    pub(crate) uvs: u8,
    /// Bytes of indices of vertices, textures, materials, bones, morphs and rigid bodies.
    pub(crate) sizes: [u8; 6],
}

/// Version 2.0, UTF-8, indices of one byte.
pub(crate) const PLAIN: Style = Style { version: 2.0, utf16: false, uvs: 0, sizes: [1; 6] };

/// List that an index counts, as a position in [`Style::sizes`].
#[derive(Clone, Copy)]
pub(crate) enum Of {
    Vertex,
    Texture,
    Material,
    Bone,
    Morph,
    Body,
}

/// A record in the making.
pub(crate) struct Record {
    out: ByteBuilder,
    style: Style,
}

impl Record {
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        let bytes: Vec<u8> = match self.style.utf16 {
            true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => text.as_bytes().to_vec(),
        };
        self.out.u32(bytes.len() as u32).bytes(&bytes);
        self
    }

    pub(crate) fn names(&mut self, name: &str, english: &str) -> &mut Self {
        self.text(name).text(english)
    }

    pub(crate) fn f(&mut self, numbers: &[f32]) -> &mut Self {
        self.out.f32s(numbers);
        self
    }

    pub(crate) fn u8(&mut self, byte: u8) -> &mut Self {
        self.out.u8(byte);
        self
    }

    pub(crate) fn u16(&mut self, number: u16) -> &mut Self {
        self.out.u16(number);
        self
    }

    pub(crate) fn i32(&mut self, number: i32) -> &mut Self {
        self.out.u32(number as u32);
        self
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.bytes(bytes);
        self
    }

    /// An index in the number of bytes that the style says.
    pub(crate) fn at(&mut self, of: Of, index: i32) -> &mut Self {
        let size = usize::from(self.style.sizes[of as usize]);
        self.out.bytes(&index.to_le_bytes()[..size]);
        self
    }
}

/// Fills in a part of a record.
pub(crate) type Fill = fn(&mut Record) -> &mut Record;

/// The bytes of one record.
pub(crate) fn record(style: Style, fill: impl FnOnce(&mut Record) -> &mut Record) -> Vec<u8> {
    let mut record = Record { out: ByteBuilder::default(), style };
    fill(&mut record);
    record.out.finish()
}

/// A file in the making: its sections as lists of records.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) header: Vec<u8>,
    pub(crate) texts: Vec<u8>,
    /// Vertices, faces, textures, materials, bones, morphs, display frames, rigid bodies, joints and, in version 2.1,
    /// soft bodies.
    pub(crate) sections: Vec<Vec<Vec<u8>>>,
    pub(crate) tail: Vec<u8>,
}

pub(crate) const VERTICES: usize = 0;
pub(crate) const FACES: usize = 1;
pub(crate) const TEXTURES: usize = 2;
pub(crate) const MATERIALS: usize = 3;
pub(crate) const BONES: usize = 4;
pub(crate) const MORPHS: usize = 5;
pub(crate) const FRAMES: usize = 6;
pub(crate) const BODIES: usize = 7;
pub(crate) const JOINTS: usize = 8;

impl File {
    /// A file without records.
    pub(crate) fn empty(style: Style) -> Self {
        let header = record(style, |r| {
            r.raw(b"PMX ")
                .f(&[style.version])
                .u8(8)
                .u8(u8::from(!style.utf16))
                .u8(style.uvs)
                .raw(&style.sizes)
        });
        let texts = record(style, |r| r.names("ミク", "Miku").names("", ""));
        let sections = if style.version > 2.0 { 10 } else { 9 };
        Self { header, texts, sections: vec![Vec::new(); sections], tail: Vec::new() }
    }

    /// A square with a texture, two bones and a morph.
    pub(crate) fn small() -> Self {
        let style = PLAIN;
        let mut file = Self::empty(style);
        for corner in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
            file = file.with(VERTICES, vertex(style, corner, |r| r.u8(0).at(Of::Bone, 0)));
        }
        for index in [0, 3, 1, 1, 3, 2] {
            file = file.with(FACES, vec![index]);
        }
        file.with(TEXTURES, record(style, |r| r.text("tex\\face.png")))
            .with(
                MATERIALS,
                material(style, 6, |r| r.at(Of::Texture, 0).at(Of::Texture, -1).u8(0).u8(1).u8(0)),
            )
            .with(BONES, bone(style, "センター", [0.0; 3], -1))
            .with(BONES, bone(style, "頭", [0.0, 1.5, 0.25], 0))
            .with(
                MORPHS,
                morph(style, "あ", 1, &[record(style, |r| r.at(Of::Vertex, 2).f(&[0.0, 0.5, 0.0]))]),
            )
            .with(FRAMES, record(style, |r| r.names("Root", "Root").u8(1).i32(1).u8(0).at(Of::Bone, 0)))
    }

    /// The same file with one more record.
    pub(crate) fn with(mut self, section: usize, record: Vec<u8>) -> Self {
        self.sections[section].push(record);
        self
    }

    /// The same file with another record in the place of one.
    pub(crate) fn replacing(mut self, section: usize, index: usize, record: Vec<u8>) -> Self {
        self.sections[section][index] = record;
        self
    }

    pub(crate) fn done(&self) -> Vec<u8> {
        let mut bytes = [self.header.as_slice(), &self.texts].concat();
        for section in &self.sections {
            bytes.extend((section.len() as u32).to_le_bytes());
            bytes.extend(section.concat());
        }
        bytes.extend(&self.tail);
        bytes
    }
}

/// A vertex that looks at the viewer, with the skinning that is filled in.
pub(crate) fn vertex(
    style: Style,
    place: [f32; 3],
    skinning: impl FnOnce(&mut Record) -> &mut Record,
) -> Vec<u8> {
    record(style, |r| {
        r.f(&place).f(&[0.0, 0.0, -1.0]).f(&[place[0], 1.0 - place[1]]);
        for uv in 0..style.uvs {
            r.f(&[f32::from(uv), 0.5, 0.25, 1.0]);
        }
        skinning(r).f(&[1.0])
    })
}

/// A material of the given number of indices; textures, sphere mode and toon are filled in.
pub(crate) fn material(
    style: Style,
    indices: i32,
    pictures: impl FnOnce(&mut Record) -> &mut Record,
) -> Vec<u8> {
    record(style, |r| {
        r.names("顔", "face").f(&[0.5, 0.25, 1.0, 1.0]).f(&[0.1, 0.2, 0.3]).f(&[5.0]).f(&[0.25, 0.125, 0.5]);
        r.u8(0x1f).f(&[0.0, 0.0, 0.0, 1.0]).f(&[0.75]);
        pictures(r).text("memo").i32(indices)
    })
}

/// A bone that turns, moves, shows and may be picked, with a tail one unit above.
pub(crate) fn bone(style: Style, name: &str, head: [f32; 3], parent: i32) -> Vec<u8> {
    bone_with(style, (name, head, parent), (0, 0x1e), |r| r.f(&[0.0, 1.0, 0.0]))
}

/// A bone with a level, flags, and what follows these.
pub(crate) fn bone_with(
    style: Style,
    (name, head, parent): (&str, [f32; 3], i32),
    (level, flags): (i32, u16),
    rest: impl FnOnce(&mut Record) -> &mut Record,
) -> Vec<u8> {
    record(style, |r| rest(r.names(name, "").f(&head).at(Of::Bone, parent).i32(level).u16(flags)))
}

/// A morph of the mouth.
pub(crate) fn morph(style: Style, name: &str, kind: u8, offsets: &[Vec<u8>]) -> Vec<u8> {
    record(style, |r| r.names(name, "").u8(3).u8(kind).i32(offsets.len() as i32).raw(&offsets.concat()))
}
