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
use super::document::{Document, English, Joint};
use super::layout::{Record, SIGNATURE, Width, list};
use crate::text::Name;
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Report};

const CODES: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT.code };

/// Reads a file. With `lenient`, whole records in front of a fault are kept, the fault is reported, and
/// reading ends there; an incomplete last joint is filled up with zeros.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut reader = Reader { cursor: Cursor::new(bytes, CODES), lenient, ended: false, report };
    let mut document = header(&mut reader.cursor)?;
    document.vertices = reader.records(list::VERTICES, Width::Four)?;
    document.faces = reader.list(list::FACES, Width::Four, size_of::<u16>(), |c| c.u16("vertex"))?;
    document.materials = reader.records(list::MATERIALS, Width::Four)?;
    document.bones = reader.records(list::BONES, Width::Two)?;
    document.ik = reader.records(list::IK, Width::Two)?;
    document.morphs = reader.records(list::MORPHS, Width::Two)?;
    document.panel_morphs =
        reader.list(list::PANEL_MORPHS, Width::One, size_of::<u16>(), |c| c.u16("morph"))?;
    document.bone_frames = reader.records(list::BONE_FRAMES, Width::One)?;
    document.framed_bones = reader.records(list::FRAMED_BONES, Width::Four)?;
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
    document.rigid_bodies = Some(reader.records(list::RIGID_BODIES, Width::Four)?);
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
        let actual = format!("\"{}\"", signature.escape_ascii());
        return Err(start.fault(codes::SIGNATURE.code, "signature", "\"Pmd\"".to_owned(), actual));
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
    /// True if a fault has ended the file for a lenient reader.
    ended: bool,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    const fn is_at_end(&self) -> bool {
        self.ended || self.cursor.is_at_end()
    }

    fn records<T: Record>(&mut self, name: &'static str, width: Width) -> Read<Vec<T>> {
        self.list(name, width, T::smallest(()), T::read)
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
                let actual = format!("{} (kept {} of {announced} {name})", fault.found, kept.len());
                self.end_with(Fault { found: actual.into(), ..*fault });
                Ok(kept)
            }
            result => result,
        }
    }

    /// A part present as a whole or not at all.
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
        let mut joints = self.records(list::JOINTS, Width::Four)?;
        if self.ended {
            let mut last = vec![0; Joint::smallest(())];
            let rest = self.cursor.take_rest();
            last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            if let (false, Ok(last)) = (rest.is_empty(), Joint::read(&mut Cursor::new(&last, CODES))) {
                joints.push(last);
            }
        }
        Ok(joints)
    }

    /// Reports a fault that ends reading.
    fn end_with(&mut self, fault: Fault) {
        self.report.error(fault);
        self.ended = true;
    }
}

/// A record, or nothing read if the record is not whole.
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

fn english(cursor: &mut Cursor<'_>, [bones, morphs, bone_frames]: [usize; 3]) -> Read<English> {
    let flag = cursor.u8("English names")?;
    if flag == 0 {
        return Ok(English::default());
    }
    Ok(English {
        flag,
        name: Name(cursor.array("English name")?),
        comment: Name(cursor.array("English comment")?),
        bones: cursor.records(list::ENGLISH_BONES, bones, Record::read)?,
        morphs: cursor.records(list::ENGLISH_MORPHS, morphs, Record::read)?,
        bone_frames: cursor.records(list::ENGLISH_BONE_FRAMES, bone_frames, Record::read)?,
    })
}

fn toons(cursor: &mut Cursor<'_>) -> Read<[Name<100>; 10]> {
    let mut toons = [Name::EMPTY; 10];
    let names = cursor.records(list::TOONS, toons.len(), |cursor| cursor.array("file name").map(Name))?;
    toons.iter_mut().zip(names).for_each(|(to, from)| *to = from);
    Ok(toons)
}
