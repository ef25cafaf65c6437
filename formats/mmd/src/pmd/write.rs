//! Document to bytes: the inverse of reading.

use super::codes;
use super::document::Document;
use super::layout::{Sink, Width, list, walk};
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

/// Writes a file.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, Fault> {
    check_english(document)?;
    let size = size_of_val(&document.vertices[..]) + size_of_val(&document.faces[..]);
    let mut bytes = Bytes { out: ByteBuilder::with_capacity(size), fault: None };
    walk(document, &mut bytes);
    match bytes.fault {
        Some(fault) => Err(fault),
        None => Ok(bytes.out.finish()),
    }
}

/// Checks the numbers of English names, for which the file has no counts.
fn check_english(document: &Document) -> Result<(), Fault> {
    let Some(english) = document.english.as_ref().filter(|english| english.flag != 0) else { return Ok(()) };
    for (list, expected, count) in [
        (list::ENGLISH_BONES, document.bones.len(), english.bones.len()),
        (list::ENGLISH_MORPHS, document.morphs.len().saturating_sub(1), english.morphs.len()),
        (list::ENGLISH_BONE_FRAMES, document.bone_frames.len(), english.bone_frames.len()),
    ] {
        if count != expected {
            let fault =
                Fault::new(codes::ENGLISH.code, Place::File, counted(expected, "name"), count.to_string());
            return Err(fault.at_path(list));
        }
    }
    Ok(())
}

struct Bytes {
    out: ByteBuilder,
    /// The fault of the first count that does not fit.
    fault: Option<Fault>,
}

impl Sink for Bytes {
    fn enter(&mut self, _list: &'static str, _index: usize) {}

    fn leave(&mut self) {}

    fn raw(&mut self, _field: &'static str, bytes: &[u8]) {
        self.out.bytes(bytes);
    }

    fn floats(&mut self, _field: &'static str, numbers: &[f32]) {
        self.out.f32s(numbers);
    }

    fn count(&mut self, list: &'static str, width: Width, count: usize) {
        let fitting = u32::try_from(count).ok().filter(|count| *count <= width.largest_count());
        if fitting.is_none() && self.fault.is_none() {
            let byte = Place::Byte(ByteOffset(self.out.len() as u64));
            let expected = format!("at most {} of them", width.largest_count());
            self.fault = Some(Fault::new(codes::COUNT.code, byte, expected, count.to_string()).at_path(list));
        }
        let bytes = fitting.unwrap_or_default().to_le_bytes();
        self.out.bytes(bytes.get(..width.bytes()).unwrap_or_default());
    }
}
