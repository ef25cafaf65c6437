//! Files built field by field, independently of the writer.

use dopesheet_core::bytes::ByteBuilder;

/// 初音ミク.
pub(crate) const MIKU: &[u8] = b"\x8f\x89\x89\xb9\x83\x7e\x83\x4e";
/// センター.
pub(crate) const CENTER: &[u8] = b"\x83\x5a\x83\x93\x83\x5e\x81\x5b";
/// 左ひざ.
pub(crate) const KNEE: &[u8] = b"\x8d\xb6\x82\xd0\x82\xb4";
/// まばたき.
pub(crate) const BLINK: &[u8] = b"\x82\xdc\x82\xce\x82\xbd\x82\xab";
/// No bone.
pub(crate) const NONE: u16 = 0xffff;

/// A text field, filled up with `fill` behind its terminator.
pub(crate) fn field(text: &[u8], size: usize, fill: u8) -> Vec<u8> {
    let mut field = vec![fill; size];
    field[..text.len()].copy_from_slice(text);
    if let Some(terminator) = field.get_mut(text.len()) {
        *terminator = 0;
    }
    field
}

fn record(build: impl FnOnce(&mut ByteBuilder)) -> Vec<u8> {
    let mut out = ByteBuilder::default();
    build(&mut out);
    out.finish()
}

/// A vertex with an outline.
pub(crate) fn vertex(position: [f32; 3], bones: [u16; 2], weight: u8) -> Vec<u8> {
    record(|out| {
        out.f32s(&position).f32s(&[0.0, 0.0, -1.0]).f32s(&[0.25, 0.75]);
        out.u16(bones[0]).u16(bones[1]).u8(weight).u8(0);
    })
}

pub(crate) fn material(alpha: f32, toon: u8, edge: u8, indices: u32, texture: &[u8]) -> Vec<u8> {
    record(|out| {
        out.f32s(&[0.5, 0.25, 0.125, alpha]).f32(5.0).f32s(&[0.1, 0.2, 0.3]).f32s(&[0.4, 0.5, 0.6]);
        out.u8(toon).u8(edge).u32(indices).bytes(&field(texture, 20, 0));
    })
}

pub(crate) fn bone(name: &[u8], parent: u16, tail: u16, kind: u8, source: u16, head: [f32; 3]) -> Vec<u8> {
    record(|out| {
        out.bytes(&field(name, 20, 0xfd)).u16(parent).u16(tail).u8(kind).u16(source).f32s(&head);
    })
}

/// A bone that turns and has no relations but a parent.
pub(crate) fn plain(name: &[u8], parent: u16) -> Vec<u8> {
    bone(name, parent, 0, 0, 0, [0.0, 1.0, 0.0])
}

pub(crate) fn ik(bone: u16, target: u16, iterations: u16, weight: f32, links: &[u16]) -> Vec<u8> {
    record(|out| {
        out.u16(bone).u16(target).u8(links.len() as u8).u16(iterations).f32(weight);
        links.iter().for_each(|link| {
            out.u16(*link);
        });
    })
}

pub(crate) fn morph(name: &[u8], panel: u8, offsets: &[(u32, [f32; 3])]) -> Vec<u8> {
    record(|out| {
        out.bytes(&field(name, 20, 0)).u32(offsets.len() as u32).u8(panel);
        for (index, offset) in offsets {
            out.u32(*index).f32s(offset);
        }
    })
}

pub(crate) fn body(name: &[u8], bone: u16, shape: u8, position: [f32; 3]) -> Vec<u8> {
    record(|out| {
        out.bytes(&field(name, 20, 0)).u16(bone).u8(3).u16(0xfff7).u8(shape).f32s(&[1.0, 2.0, 3.0]);
        out.f32s(&position).f32s(&[0.1, 0.2, 0.3]).f32s(&[1.5, 0.5, 0.25, 0.125, 0.75]).u8(1);
    })
}

pub(crate) fn joint(name: &[u8], bodies: [u32; 2]) -> Vec<u8> {
    record(|out| {
        out.bytes(&field(name, 20, 0)).u32(bodies[0]).u32(bodies[1]);
        (0..8u8).for_each(|n| {
            let n = f32::from(n);
            out.f32s(&[n, n + 0.25, n + 0.5]);
        });
    })
}

/// A file in the making.
#[derive(Clone, Default)]
pub(crate) struct File {
    pub(crate) vertices: Vec<Vec<u8>>,
    pub(crate) faces: Vec<u16>,
    pub(crate) materials: Vec<Vec<u8>>,
    pub(crate) bones: Vec<Vec<u8>>,
    pub(crate) ik: Vec<Vec<u8>>,
    pub(crate) morphs: Vec<Vec<u8>>,
    pub(crate) panel: Vec<u16>,
    pub(crate) frames: Vec<Vec<u8>>,
    pub(crate) framed: Vec<(u16, u8)>,
    /// Everything behind the frames.
    pub(crate) end: Vec<u8>,
}

/// No English names, empty names of toons, no bodies and no joints.
pub(crate) fn empty_end() -> Vec<u8> {
    [&[0][..], &[0; 1000], &[0; 8]].concat()
}

/// Bodies and joints behind their counts.
pub(crate) fn physics(bodies: &[Vec<u8>], joints: &[Vec<u8>]) -> Vec<u8> {
    let count = |list: &[Vec<u8>]| (list.len() as u32).to_le_bytes();
    [&count(bodies)[..], &bodies.concat(), &count(joints), &joints.concat()].concat()
}

/// Ten names of toons.
pub(crate) fn toons(names: [&[u8]; 10]) -> Vec<u8> {
    names.map(|name| field(name, 100, 0)).concat()
}

impl File {
    /// A model with one bone and everything else empty.
    pub(crate) fn new() -> Self {
        Self { bones: vec![plain(CENTER, NONE)], end: empty_end(), ..Self::default() }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn done(&self) -> Vec<u8> {
        let mut out = ByteBuilder::default();
        out.bytes(b"Pmd").f32(1.0).bytes(&field(MIKU, 20, 0xfd)).bytes(&field(b"by hand\n", 256, 0));
        let list = |out: &mut ByteBuilder, list: &[Vec<u8>]| {
            out.bytes(&list.concat());
        };
        out.u32(self.vertices.len() as u32);
        list(&mut out, &self.vertices);
        out.u32(self.faces.len() as u32);
        self.faces.iter().for_each(|vertex| {
            out.u16(*vertex);
        });
        out.u32(self.materials.len() as u32);
        list(&mut out, &self.materials);
        for records in [&self.bones, &self.ik, &self.morphs] {
            out.u16(records.len() as u16);
            list(&mut out, records);
        }
        out.u8(self.panel.len() as u8);
        self.panel.iter().for_each(|morph| {
            out.u16(*morph);
        });
        out.u8(self.frames.len() as u8);
        list(&mut out, &self.frames);
        out.u32(self.framed.len() as u32);
        self.framed.iter().for_each(|(bone, frame)| {
            out.u16(*bone).u8(*frame);
        });
        out.bytes(&self.end);
        out.finish()
    }
}
