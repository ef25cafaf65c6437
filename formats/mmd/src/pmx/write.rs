//! Document to bytes: the inverse of reading.

use super::codes;
use super::document::{Document, Header, Index, IndexSize, IndexSizes, MorphOffsets, Text, Version};
use super::layout::{self, IndexedList, Need, SETTINGS, Sink};
use crate::record::path;
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Code, Fault, Place};
use dopesheet_core::format::Check;
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

/// Writes a file.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, Fault> {
    check_header(&document.header)?;
    check_columns(document)?;
    check_kinds(document)?;
    let mut sink = Bytes {
        out: ByteBuilder::with_capacity(document.vertices.len().saturating_mul(64)),
        sizes: document.header.index_sizes,
        lists: Vec::new(),
        fault: None,
    };
    layout::walk(document, &mut sink);
    sink.fault.map_or(Ok(sink.out.finish()), Err)
}

fn fault(check: Check, path: impl Into<String>, expected: String, found: impl Into<String>) -> Fault {
    Fault::new(check.code, Place::File, expected, found.into()).at_path(path)
}

/// Refuses settings that would be read back as different settings.
fn check_header(header: &Header) -> Result<(), Fault> {
    if ![Header::MAGIC, Header::MAGIC_NO_BREAK].contains(&header.magic) {
        let actual = format!("\"{}\"", header.magic.escape_ascii());
        return Err(fault(codes::SIGNATURE, "signature", "\"PMX \"".into(), actual));
    }
    if header.additional_uvs > 4 {
        let actual = header.additional_uvs.to_string();
        return Err(fault(codes::SETTINGS, "additional UVs", "0 to 4".into(), actual));
    }
    let limit = usize::from(u8::MAX).saturating_sub(SETTINGS);
    if header.extra.len() > limit {
        let actual = counted(header.extra.len(), "byte");
        return Err(fault(codes::SETTINGS, "further settings", format!("at most {limit} bytes"), actual));
    }
    Ok(())
}

/// Each additional texture coordinate announced in the header has an entry per vertex, and all others are
/// empty.
fn check_columns(document: &Document) -> Result<(), Fault> {
    for (set, column) in document.additional_uvs.iter().enumerate() {
        let is_announced = set < usize::from(document.header.additional_uvs);
        let wanted = if is_announced { document.vertices.len() } else { 0 };
        if column.len() != wanted {
            let path = format!("additional UV {}", set.saturating_add(1));
            return Err(fault(codes::COUNT, path, counted(wanted, "entry"), counted(column.len(), "entry")));
        }
    }
    Ok(())
}

/// Refuses morphs and sections that the file cannot hold.
fn check_kinds(document: &Document) -> Result<(), Fault> {
    for (index, morph) in document.morphs.iter().enumerate() {
        if let MorphOffsets::Uv { set: set @ 5.., .. } = morph.offsets {
            let path = format!("morphs[{index}]");
            return Err(fault(codes::KIND, path, "texture coordinate 0 to 4".into(), set.to_string()));
        }
    }
    match (&document.soft_bodies, document.header.version) {
        (Some(bodies), Version::V2_0) => {
            let actual = format!("{} soft bodies", bodies.len());
            Err(fault(codes::VERSION_FEATURE, "soft bodies", "no such section in version 2.0".into(), actual))
        }
        (None, Version::V2_1) if !document.trailing.is_empty() => Err(fault(
            codes::SECTION_MISSING,
            "soft bodies",
            "a section in front of the trailing bytes".into(),
            "none",
        )),
        _ => Ok(()),
    }
}

/// Appends fields to a file.
struct Bytes {
    out: ByteBuilder,
    sizes: IndexSizes,
    /// The records around the next field.
    lists: Vec<(&'static str, usize)>,
    /// The fault of the first content that the file cannot hold.
    fault: Option<Fault>,
}

impl Bytes {
    #[cold]
    fn refuse(&mut self, code: Code, field: &'static str, expected: String, found: String) {
        let byte = Place::Byte(ByteOffset(self.out.len() as u64));
        self.fault
            .get_or_insert_with(|| Fault::new(code, byte, expected, found).at_path(path(&self.lists, field)));
    }

    fn length(&mut self, field: &'static str, length: usize) {
        match i32::try_from(length) {
            Ok(length) => self.i32(field, length),
            Err(_) => {
                self.refuse(codes::COUNT.code, field, "at most 2,147,483,647".into(), length.to_string())
            }
        }
    }
}

/// The bytes of an index in its size; `None` if the index does not fit.
fn signed(index: i32, size: IndexSize) -> Option<[u8; 4]> {
    let fits = match size {
        IndexSize::One => i8::try_from(index).is_ok(),
        IndexSize::Two => i16::try_from(index).is_ok(),
        IndexSize::Four => true,
    };
    fits.then_some(index.to_le_bytes())
}

/// The bytes of a vertex's index in its size; `None` if the index does not fit.
fn unsigned(index: u32, size: IndexSize) -> Option<[u8; 4]> {
    let fits = match size {
        IndexSize::One => u8::try_from(index).is_ok(),
        IndexSize::Two => u16::try_from(index).is_ok(),
        IndexSize::Four => true,
    };
    fits.then_some(index.to_le_bytes())
}

impl Sink for Bytes {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.lists.pop();
    }

    fn raw(&mut self, _field: &'static str, bytes: &[u8]) {
        self.out.bytes(bytes);
    }

    fn floats(&mut self, _field: &'static str, numbers: &[f32]) {
        self.out.f32s(numbers);
    }

    fn text(&mut self, field: &'static str, text: &Text) {
        self.length(field, text.0.len());
        self.out.bytes(&text.0);
    }

    fn index(&mut self, field: &'static str, index: Index, list: IndexedList, _need: Need) {
        let size = self.sizes.of(list);
        self.sized(field, signed(index.0, size), size, &index.0);
    }

    fn vertex(&mut self, field: &'static str, vertex: u32) {
        let size = self.sizes.vertex;
        self.sized(field, unsigned(vertex, size), size, &vertex);
    }

    fn count(&mut self, list: &'static str, count: usize) {
        self.length(list, count);
    }
}

impl Bytes {
    fn sized(
        &mut self,
        field: &'static str,
        bytes: Option<[u8; 4]>,
        size: IndexSize,
        index: &dyn std::fmt::Display,
    ) {
        let length = usize::from(size.bytes());
        match bytes.as_ref().and_then(|bytes| bytes.get(..length)) {
            Some(bytes) => _ = self.out.bytes(bytes),
            None => {
                self.refuse(
                    codes::INDEX.code,
                    field,
                    format!("an index of {} bits", 8 * size.bytes()),
                    index.to_string(),
                );
            }
        }
    }
}
