//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod actor;
mod animation;
mod clip;
mod columns;

use super::codes;
use super::document::{ACTOR, ANIMATION, CLIP, Document, Opaque, Resource, WhyOpaque};
use super::layout::{BIG, CLASS_NAME, LAST_PLAUSIBLE, LITTLE, smallest};
use crate::text::Name;
use dopesheet_core::bytes::{Codes, Cursor, Endian, Read};
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::words::{counted, grouped};

const CODES: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT_EXCEEDS_DATA.code };

/// Reads a file. With `lenient`, whole tracks in front of a fault are kept; a damaged clip or actor is kept
/// unchanged.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut cursor = Cursor::new(bytes, CODES);
    let endian = magic(&mut cursor)?;
    let mut reader = Reader { cursor: cursor.with_endian(endian), endian, version: 0, lenient, report };
    reader.version = reader.version()?;
    let class = reader.class_name()?;
    let resource = match class {
        ANIMATION => Resource::Animation(reader.animation()?),
        CLIP => reader.whole(class, Reader::clip_resource)?,
        ACTOR => reader.whole(class, Reader::actor_resource)?,
        _ => reader.opaque(class, WhyOpaque::UnknownClass),
    };
    let trailing = reader.cursor.take_rest().to_vec();
    Ok(Document { trailing, endian, version: reader.version, ..Document::new(resource) })
}

/// True if bytes begin like a resource file: magic, plausible version, class name.
pub(super) fn looks_like(head: &[u8]) -> bool {
    let mut cursor = Cursor::new(head, CODES);
    let Ok(endian) = magic(&mut cursor) else { return false };
    let mut report = Report::default();
    let mut reader = Reader {
        cursor: cursor.with_endian(endian),
        endian,
        version: 0,
        lenient: false,
        report: &mut report,
    };
    reader.version().is_ok() && reader.class_name().is_ok()
}

fn magic(cursor: &mut Cursor<'_>) -> Read<Endian> {
    let start = cursor.clone();
    let magic: [u8; 8] = cursor.array("magic")?;
    match &magic {
        LITTLE => Ok(Endian::Little),
        BIG => Ok(Endian::Big),
        _ => {
            let expected = "\"ubi/b0-l\" or \"ubi/b0-b\"".to_owned();
            Err(start.fault(
                codes::BAD_MAGIC.code,
                "magic",
                expected,
                format!("\"{}\"", magic.escape_ascii()),
            ))
        }
    }
}

struct Reader<'a, 'r> {
    cursor: Cursor<'a>,
    endian: Endian,
    version: u32,
    lenient: bool,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    fn version(&mut self) -> Read<u32> {
        let start = self.cursor.clone();
        let version = self.cursor.u32("version")?;
        if version > LAST_PLAUSIBLE {
            let expected = format!("at most {LAST_PLAUSIBLE:#x}");
            let actual = format!("{version:#x} (is the byte order wrong?)");
            return Err(start.fault(codes::VERSION_IMPLAUSIBLE.code, "version", expected, actual));
        }
        Ok(version)
    }

    fn class_name(&mut self) -> Read<&'a str> {
        let start = self.cursor.clone();
        let length = self.cursor.u32("class name")?;
        let refuse = |actual: String| {
            let expected = "a class name such as \"MORE::Animation\", with its length in front".to_owned();
            Err(start.fault(codes::NOT_UBI_RESOURCE.code, "class name", expected, actual))
        };
        if !CLASS_NAME.contains(&length) {
            return refuse(format!("a length of {length}"));
        }
        let Ok(bytes) = self.cursor.take(length as usize, "class name") else {
            return refuse(format!(
                "a length of {length} with {} left",
                counted(self.cursor.remaining(), "byte")
            ));
        };
        match std::str::from_utf8(bytes) {
            Ok(name) if name.bytes().all(|b| (0x20..=0x7e).contains(&b)) && name.contains("::") => Ok(name),
            _ => refuse(format!("\"{}\"", bytes.escape_ascii())),
        }
    }

    /// A resource that is kept as a whole or not at all.
    fn whole(&mut self, class: &str, read: impl FnOnce(&mut Self) -> Read<Resource>) -> Read<Resource> {
        let start = self.cursor.clone();
        match read(self) {
            Err(fault) if self.lenient => {
                self.cursor = start;
                let actual = format!("{} (the whole resource is kept as it is)", fault.found);
                self.report.error(Fault { found: actual.into(), ..*fault });
                Ok(self.opaque(class, WhyOpaque::Damaged))
            }
            result => result,
        }
    }

    fn opaque(&mut self, class: &str, why: WhyOpaque) -> Resource {
        Resource::Opaque(Opaque { class: class.to_owned(), bytes: self.cursor.take_rest().to_vec(), why })
    }

    fn string(&mut self, name: &'static str) -> Read<Name> {
        let start = self.cursor.clone();
        let length = self.cursor.u32(name)? as usize;
        let left = self.cursor.remaining();
        if length > left {
            let expected = format!("a string of at most {}", counted(left, "byte"));
            let code = codes::STRING_EXCEEDS_DATA.code;
            return Err(start.fault(code, name, expected, format!("one of {}", grouped(length))));
        }
        Ok(Name(self.cursor.take(length, name)?.into()))
    }

    fn bool(&mut self, name: &'static str) -> Read<bool> {
        let start = self.cursor.clone();
        match self.cursor.u8(name)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(start.fault(codes::BAD_BOOL.code, name, "0 or 1".to_owned(), other.to_string())),
        }
    }

    /// A count, compared with the bytes left; then `count` elements of at least `smallest` bytes each.
    fn array<T>(
        &mut self,
        name: &'static str,
        smallest: usize,
        mut element: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.cursor.count(name, smallest)?;
        self.elements(name, count, &mut element)
    }

    /// Reads `count` elements. The caller has compared the count with the bytes left.
    fn elements<T>(
        &mut self,
        name: &'static str,
        count: usize,
        element: &mut impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut elements = Vec::with_capacity(count);
        for index in 0..count {
            match element(self) {
                Ok(value) => elements.push(value),
                Err(fault) => return Err(within(fault, name, index)),
            }
        }
        Ok(elements)
    }

    fn strings(&mut self, name: &'static str) -> Read<Vec<Name>> {
        self.array(name, smallest::STRING, |r| r.string("name"))
    }
}

#[expect(clippy::boxed_local, reason = "faults travel in boxes, so that results stay narrow")]
fn within(fault: Box<Fault>, name: &str, index: usize) -> Box<Fault> {
    Box::new(fault.within(format_args!("[{index}]")).within(name))
}
