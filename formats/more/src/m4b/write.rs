//! Document to bytes: the inverse of reading.

use super::document::{Directory, Document};
use super::layout::{MOST_DIRECTORIES, SIGNATURE, VERSION};
use super::{ID, codes};
use crate::text::Name;
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Fault, Place, WriteError};
use dopesheet_core::units::ByteOffset;

impl Document {
    /// The archive as a file.
    ///
    /// # Errors
    /// If a folder holds more than 255 folders, or something has more than 2^32 − 1 parts.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        write(self).map_err(|fault| WriteError::new(ID, *fault))
    }
}

type Write = Result<(), Box<Fault>>;

pub(super) fn write(document: &Document) -> Result<Vec<u8>, Box<Fault>> {
    let mut out = ByteBuilder::with_capacity(document.index_size() + document.data.len());
    out.bytes(SIGNATURE).u32(VERSION);
    directory(&mut out, &document.root)?;
    out.bytes(&document.data);
    Ok(out.finish())
}

fn refuse(out: &ByteBuilder, path: &str, expected: &'static str, found: usize) -> Box<Fault> {
    let byte = Place::Byte(ByteOffset(out.len() as u64));
    Box::new(Fault::new(codes::COUNT_EXCEEDS_DATA.code, byte, expected, found.to_string()).at_path(path))
}

fn count(out: &mut ByteBuilder, count: usize, path: &str) -> Write {
    let number = u32::try_from(count).map_err(|_| refuse(out, path, "at most 4,294,967,295", count))?;
    out.u32(number);
    Ok(())
}

fn name(out: &mut ByteBuilder, name: &Name) -> Write {
    count(out, name.0.len(), "name")?;
    out.bytes(&name.0);
    Ok(())
}

fn directory(out: &mut ByteBuilder, folder: &Directory) -> Write {
    name(out, &folder.name)?;
    let folders = folder.directories.len();
    let number = u8::try_from(folders).ok().filter(|n| usize::from(*n) <= MOST_DIRECTORIES);
    out.u8(number.ok_or_else(|| refuse(out, "folders", "at most 255 folders in a folder", folders))?);
    for (index, inner) in folder.directories.iter().enumerate() {
        directory(out, inner).map_err(|f| Box::new(f.within(format_args!("[{index}]")).within("folders")))?;
    }
    count(out, folder.files.len(), "files")?;
    for file in &folder.files {
        name(out, &file.name)?;
        out.u32(file.size).u32(file.position);
    }
    Ok(())
}
