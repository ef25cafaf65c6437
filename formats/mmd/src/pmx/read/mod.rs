//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod header;

use super::codes;
use super::document::{Document, Header, Material, Version};
use super::layout::{self, Fields, Record, TEXT};
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Report};

const CODES: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT.code };

/// Reads a file. With `lenient`, whole records in front of a fault are kept, the fault is reported, and reading ends
/// there.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut cursor = Cursor::new(bytes, CODES);
    let header = header::header(&mut cursor)?;
    let fields = Fields { cursor, sizes: header.index_sizes };
    let mut reader = Reader { fields, lenient, report };
    let mut document = Document { header, ..Document::default() };
    match sections(&mut reader, &mut document) {
        Err(fault) if lenient => {
            reader.report.error(*fault);
            reader.fields.cursor.take_rest();
        }
        result => result?,
    }
    document.trailing = reader.fields.cursor.take_rest().to_vec();
    Ok(document)
}

/// The paths of the pictures of a file that may be damaged behind them.
pub(super) fn textures(bytes: &[u8]) -> Document {
    let mut cursor = Cursor::new(bytes, CODES);
    let Ok(header) = header::header(&mut cursor) else { return Document::default() };
    let mut fields = Fields { cursor, sizes: header.index_sizes };
    let mut document = Document { header, ..Document::default() };
    let up_to_materials = |fields: &mut Fields<'_>, document: &mut Document| -> Read<()> {
        document.name = fields.text("name")?;
        fields.text("English name")?;
        fields.text("comment")?;
        fields.text("English comment")?;
        layout::skip_surface(fields, &document.header)?;
        document.textures = fields.section("textures", TEXT, |f| f.text("path"))?;
        document.materials = fields.section("materials", Material::smallest(fields.sizes), Material::read)?;
        Ok(())
    };
    // A file that cannot be read says so when it is read.
    let _ = up_to_materials(&mut fields, &mut document);
    document
}

struct Reader<'a, 'r> {
    fields: Fields<'a>,
    lenient: bool,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    /// Reads a section into its list of the document. Of a damaged section, the whole records in front of the
    /// fault are kept.
    fn section<T>(
        &mut self,
        name: &'static str,
        smallest: usize,
        to: &mut Vec<T>,
        mut record: impl FnMut(&mut Fields<'a>) -> Read<T>,
    ) -> Read<()> {
        let (count, mut refused) = match self.fields.cursor.count(name, smallest) {
            Ok(count) => (count, None),
            Err(fault) if self.lenient => (usize::MAX, Some(fault)),
            Err(fault) => return Err(fault),
        };
        to.reserve(if refused.is_none() { count } else { 0 });
        for index in 0..count {
            match record(&mut self.fields) {
                Ok(value) => to.push(value),
                Err(fault) => {
                    let here = || Box::new(fault.within(format_args!("[{index}]")).within(name));
                    return Err(self.ended(refused.take().unwrap_or_else(here), name, index));
                }
            }
        }
        Ok(())
    }

    fn records<T: Record>(&mut self, name: &'static str, to: &mut Vec<T>) -> Read<()> {
        self.section(name, T::smallest(self.fields.sizes), to, T::read)
    }

    /// The fault that ends a section, with the number of records kept.
    fn ended(&self, mut fault: Box<Fault>, name: &str, kept: usize) -> Box<Fault> {
        if self.lenient {
            fault.found = format!("{} (kept {kept} {name}, and nothing behind them)", fault.found).into();
        }
        fault
    }
}

fn sections(reader: &mut Reader<'_, '_>, document: &mut Document) -> Read<()> {
    let fields = &mut reader.fields;
    document.name = fields.text("name")?;
    document.english_name = fields.text("English name")?;
    document.comment = fields.text("comment")?;
    document.english_comment = fields.text("English comment")?;
    surface(reader, document)?;
    reader.section("textures", TEXT, &mut document.textures, |f| f.text("path"))?;
    reader.records("materials", &mut document.materials)?;
    reader.records("bones", &mut document.bones)?;
    reader.records("morphs", &mut document.morphs)?;
    reader.records("display frames", &mut document.display_frames)?;
    reader.records("rigid bodies", &mut document.rigid_bodies)?;
    reader.records("joints", &mut document.joints)?;
    if document.header.version == Version::V2_1 && !reader.fields.cursor.is_at_end() {
        reader.records("soft bodies", document.soft_bodies.insert(Vec::new()))?;
    }
    Ok(())
}

fn surface(reader: &mut Reader<'_, '_>, document: &mut Document) -> Read<()> {
    let Header { additional_uvs, index_sizes, .. } = document.header;
    let smallest = layout::smallest_vertex(index_sizes, additional_uvs);
    let columns = &mut document.additional_uvs;
    let announced = columns.get_mut(..usize::from(additional_uvs)).unwrap_or_default();
    let vertices = &mut document.vertices;
    let result = reader.section("vertices", smallest, vertices, |f| layout::vertex(f, announced));
    // The last vertex may have ended behind its additional coordinates.
    columns.iter_mut().for_each(|column| column.truncate(vertices.len()));
    result?;
    document.faces = layout::faces(&mut reader.fields)?;
    Ok(())
}
