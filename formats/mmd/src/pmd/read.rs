//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use super::document::{
    Bone, Document, English, FramedBone, Ik, Index, Joint, Material, Morph, MorphOffset, RigidBody, Vertex,
};
use super::layout::{SIGNATURE, Width, list, size};
use crate::text::Name;
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Report};

const CODES: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT.code };

/// Reads a file. With `lenient`, whole records in front of a fault are kept, the fault is reported, and reading ends
/// there; a last joint that is cut is filled up with zeros.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut reader = Reader { cursor: Cursor::new(bytes, CODES), lenient, ended: false, report };
    let mut document = header(&mut reader.cursor)?;
    document.vertices = reader.list(list::VERTICES, Width::Four, size::VERTEX, vertex)?;
    document.faces = reader.list(list::FACES, Width::Four, size::FACE, |c| c.u16("vertex"))?;
    document.materials = reader.list(list::MATERIALS, Width::Four, size::MATERIAL, material)?;
    document.bones = reader.list(list::BONES, Width::Two, size::BONE, bone)?;
    document.ik = reader.list(list::IK, Width::Two, size::IK, ik)?;
    document.morphs = reader.list(list::MORPHS, Width::Two, size::MORPH, morph)?;
    document.panel_morphs =
        reader.list(list::PANEL_MORPHS, Width::One, size::PANEL_MORPH, |c| c.u16("morph"))?;
    document.bone_frames = reader.list(list::BONE_FRAMES, Width::One, size::BONE_FRAME, name)?;
    document.framed_bones = reader.list(list::FRAMED_BONES, Width::Four, size::FRAMED_BONE, framed_bone)?;
    end(&mut reader, &mut document)?;
    if !reader.ended {
        document.trailing = reader.cursor.take_rest().to_vec();
    }
    Ok(document)
}

/// The parts behind the frames, before each of which the file may end.
fn end(reader: &mut Reader<'_, '_>, document: &mut Document) -> Read<()> {
    if reader.is_at_end() {
        return Ok(());
    }
    let counts = [document.bones.len(), document.morphs.len().saturating_sub(1), document.bone_frames.len()];
    document.english = reader.part(|cursor| english(cursor, counts))?;
    if reader.is_at_end() {
        return Ok(());
    }
    document.toons = reader.part(toons)?;
    if reader.is_at_end() {
        return Ok(());
    }
    document.rigid_bodies =
        Some(reader.list(list::RIGID_BODIES, Width::Four, size::RIGID_BODY, rigid_body)?);
    if reader.is_at_end() {
        return Ok(());
    }
    document.joints = Some(reader.joints()?);
    Ok(())
}

fn header(cursor: &mut Cursor<'_>) -> Read<Document> {
    let start = cursor.clone();
    let signature: [u8; 3] = cursor.array("signature")?;
    if signature != SIGNATURE {
        let found = format!("\"{}\"", signature.escape_ascii());
        return Err(start.fault(codes::SIGNATURE.code, "signature", "\"Pmd\"".to_owned(), found));
    }
    Ok(Document {
        version: cursor.f32("version")?,
        name: Name(cursor.array("name")?),
        comment: Name(cursor.array("comment")?),
        ..Document::default()
    })
}

struct Reader<'a, 'r> {
    cursor: Cursor<'a>,
    lenient: bool,
    /// Whether a fault has ended the file for a lenient reader.
    ended: bool,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    const fn is_at_end(&self) -> bool {
        self.ended || self.cursor.is_at_end()
    }

    fn list<T>(
        &mut self,
        name: &'static str,
        width: Width,
        smallest: usize,
        record: impl Fn(&mut Cursor<'a>) -> Read<T>,
    ) -> Read<Vec<T>> {
        if self.ended {
            return Ok(Vec::new());
        }
        let start = self.cursor.clone();
        match whole_list(&mut self.cursor, name, width, smallest, &record) {
            Err(fault) if self.lenient => {
                self.cursor = start;
                let announced = count(&mut self.cursor, name, width, 0).unwrap_or(0);
                let records = (0..announced).map_while(|_| record_or_stay(&mut self.cursor, &record));
                let kept: Vec<T> = records.collect();
                let found = format!("{} (kept {} of {announced} {name})", fault.found, kept.len());
                self.end_with(Fault { found: found.into(), ..*fault });
                Ok(kept)
            }
            result => result,
        }
    }

    /// Something that is there as a whole or not at all.
    fn part<T>(&mut self, read: impl FnOnce(&mut Cursor<'a>) -> Read<T>) -> Read<Option<T>> {
        match read(&mut self.cursor) {
            Err(fault) if self.lenient => {
                self.end_with(*fault);
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    fn joints(&mut self) -> Read<Vec<Joint>> {
        let mut joints = self.list(list::JOINTS, Width::Four, size::JOINT, joint)?;
        if self.ended {
            let mut last = [0; size::JOINT];
            let rest = self.cursor.take_rest();
            last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            if let (false, Ok(last)) = (rest.is_empty(), joint(&mut Cursor::new(&last, CODES))) {
                joints.push(last);
            }
        }
        Ok(joints)
    }

    /// Reports a fault behind which nothing is read.
    fn end_with(&mut self, fault: Fault) {
        self.report.error(fault);
        self.ended = true;
    }
}

/// A record, or nothing read if it is not whole.
fn record_or_stay<'a, T>(cursor: &mut Cursor<'a>, record: impl Fn(&mut Cursor<'a>) -> Read<T>) -> Option<T> {
    let mut attempt = cursor.clone();
    let value = record(&mut attempt).ok()?;
    *cursor = attempt;
    Some(value)
}

fn count(cursor: &mut Cursor<'_>, name: &'static str, width: Width, smallest: usize) -> Read<usize> {
    match width {
        Width::One => cursor.count_u8(name, smallest),
        Width::Two => cursor.count_u16(name, smallest),
        Width::Four => cursor.count(name, smallest),
    }
}

fn whole_list<'a, T>(
    cursor: &mut Cursor<'a>,
    name: &'static str,
    width: Width,
    smallest: usize,
    record: impl Fn(&mut Cursor<'a>) -> Read<T>,
) -> Read<Vec<T>> {
    let count = count(cursor, name, width, smallest)?;
    cursor.records(name, count, record)
}

fn name<const N: usize>(cursor: &mut Cursor<'_>) -> Read<Name<N>> {
    cursor.array("name").map(Name)
}

fn index(cursor: &mut Cursor<'_>, field: &'static str) -> Read<Index> {
    cursor.u16(field).map(Index)
}

fn vertex(cursor: &mut Cursor<'_>) -> Read<Vertex> {
    Ok(Vertex {
        position: cursor.f32s("position")?,
        normal: cursor.f32s("normal")?,
        uv: cursor.f32s("UV")?,
        bones: [index(cursor, "bone 1")?, index(cursor, "bone 2")?],
        weight: cursor.u8("weight")?,
        edge_off: cursor.u8("edge off")?,
    })
}

fn material(cursor: &mut Cursor<'_>) -> Read<Material> {
    Ok(Material {
        diffuse: cursor.f32s("diffuse")?,
        shininess: cursor.f32("shininess")?,
        specular: cursor.f32s("specular")?,
        ambient: cursor.f32s("ambient")?,
        toon: cursor.u8("toon")?,
        edge: cursor.u8("edge")?,
        index_count: cursor.u32("index count")?,
        texture: Name(cursor.array("texture")?),
    })
}

fn bone(cursor: &mut Cursor<'_>) -> Read<Bone> {
    Ok(Bone {
        name: name(cursor)?,
        parent: index(cursor, "parent")?,
        tail: index(cursor, "tail")?,
        kind: cursor.u8("type")?,
        source: cursor.u16("source")?,
        head: cursor.f32s("head")?,
    })
}

fn ik(cursor: &mut Cursor<'_>) -> Read<Ik> {
    let (bone, target) = (index(cursor, "bone")?, index(cursor, "target")?);
    let links = cursor.count_u8(list::LINKS, size::LINK)?;
    Ok(Ik {
        bone,
        target,
        iterations: cursor.u16("iterations")?,
        weight: cursor.f32("weight")?,
        links: cursor.records(list::LINKS, links, |cursor| index(cursor, "bone"))?,
    })
}

fn morph(cursor: &mut Cursor<'_>) -> Read<Morph> {
    let name = name(cursor)?;
    let offsets = cursor.count(list::OFFSETS, size::OFFSET)?;
    Ok(Morph {
        name,
        panel: cursor.u8("panel")?,
        offsets: cursor.records(list::OFFSETS, offsets, |cursor| {
            Ok(MorphOffset { index: cursor.u32("index")?, offset: cursor.f32s("offset")? })
        })?,
    })
}

fn framed_bone(cursor: &mut Cursor<'_>) -> Read<FramedBone> {
    Ok(FramedBone { bone: index(cursor, "bone")?, frame: cursor.u8("frame")? })
}

fn english(cursor: &mut Cursor<'_>, [bones, morphs, bone_frames]: [usize; 3]) -> Read<English> {
    let flag = cursor.u8("English names")?;
    if flag == 0 {
        return Ok(English::default());
    }
    Ok(English {
        flag,
        name: Name(cursor.array("English name")?),
        comment: Name(cursor.array("English comment")?),
        bones: cursor.records(list::ENGLISH_BONES, bones, name)?,
        morphs: cursor.records(list::ENGLISH_MORPHS, morphs, name)?,
        bone_frames: cursor.records(list::ENGLISH_BONE_FRAMES, bone_frames, name)?,
    })
}

fn toons(cursor: &mut Cursor<'_>) -> Read<[Name<100>; 10]> {
    let mut toons = [Name::EMPTY; 10];
    let names = cursor.records(list::TOONS, toons.len(), |cursor| cursor.array("file name").map(Name))?;
    toons.iter_mut().zip(names).for_each(|(to, from)| *to = from);
    Ok(toons)
}

fn rigid_body(cursor: &mut Cursor<'_>) -> Read<RigidBody> {
    Ok(RigidBody {
        name: name(cursor)?,
        bone: index(cursor, "bone")?,
        group: cursor.u8("group")?,
        mask: cursor.u16("mask")?,
        shape: cursor.u8("shape")?,
        size: cursor.f32s("size")?,
        position: cursor.f32s("position")?,
        rotation: cursor.f32s("rotation")?,
        mass: cursor.f32("mass")?,
        linear_damping: cursor.f32("linear damping")?,
        angular_damping: cursor.f32("angular damping")?,
        restitution: cursor.f32("restitution")?,
        friction: cursor.f32("friction")?,
        mode: cursor.u8("mode")?,
    })
}

fn joint(cursor: &mut Cursor<'_>) -> Read<Joint> {
    Ok(Joint {
        name: name(cursor)?,
        bodies: [cursor.u32("body A")?, cursor.u32("body B")?],
        position: cursor.f32s("position")?,
        rotation: cursor.f32s("rotation")?,
        linear_min: cursor.f32s("lowest offsets")?,
        linear_max: cursor.f32s("highest offsets")?,
        angular_min_rad: cursor.f32s("lowest angles")?,
        angular_max_rad: cursor.f32s("highest angles")?,
        linear_spring: cursor.f32s("linear springs")?,
        angular_spring: cursor.f32s("angular springs")?,
    })
}
