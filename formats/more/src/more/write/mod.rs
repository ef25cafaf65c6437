//! Document to bytes: the inverse of reading.

mod actor;
mod animation;
mod clip;

use super::codes;
use super::document::{ANIMATION, Document, Resource};
use super::layout::{BIG, LITTLE};
use super::sizes::track_size;
use crate::text::Name;
use dopesheet_core::bytes::{ByteBuilder, Endian};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// The result of writing one part.
type Write<T = ()> = Result<T, Box<Fault>>;

/// Writes a file.
pub(super) fn write(document: &Document) -> Write<Vec<u8>> {
    let out = ByteBuilder::with_capacity(expected_size(document)).with_endian(document.endian);
    let mut writer = Writer { out, version: document.version };
    writer.out.bytes(if document.endian == Endian::Little { LITTLE } else { BIG }).u32(document.version);
    writer.bytes_with_length(document.resource.class().as_bytes(), "class name")?;
    match &document.resource {
        Resource::Animation(animation) => writer.animation(animation)?,
        Resource::Clip(clip) => writer.clip(clip)?,
        Resource::Actor(actor) => writer.actor(actor)?,
        Resource::Opaque(opaque) => {
            writer.out.bytes(&opaque.bytes);
        }
    }
    writer.out.bytes(&document.trailing);
    Ok(writer.out.finish())
}

/// Exact for the tracks of an animation, which make up nearly all of its file.
fn expected_size(document: &Document) -> usize {
    let body = match &document.resource {
        Resource::Animation(animation) => {
            let tracks = animation.tracks.iter().map(|t| track_size(t, document.version)).sum::<usize>();
            tracks + animation.instants.len() * 6 + ANIMATION.len()
        }
        Resource::Opaque(opaque) => opaque.bytes.len() + opaque.class.len(),
        Resource::Clip(_) | Resource::Actor(_) => 1024,
    };
    64 + body + document.trailing.len()
}

struct Writer {
    out: ByteBuilder,
    version: u32,
}

impl Writer {
    fn fault(&self, path: &str, expected: impl Into<String>, found: impl Into<String>) -> Box<Fault> {
        let byte = Place::Byte(ByteOffset(self.out.len() as u64));
        let code = codes::FORM_MISMATCH.code;
        Box::new(Fault::new(code, byte, expected.into(), found.into()).at_path(path))
    }

    /// Refuses content that the file's version cannot hold.
    fn absent(&self, is_absent: bool, path: &str, version: &str) -> Write {
        if is_absent {
            return Ok(());
        }
        Err(self.fault(
            path,
            format!("nothing: only versions {version} have it"),
            format!("it in {:#x}", self.version),
        ))
    }

    fn count(&mut self, count: usize, path: &str) -> Write {
        match u32::try_from(count) {
            Ok(count) => {
                self.out.u32(count);
                Ok(())
            }
            Err(_) => Err(self.fault(path, "at most 4,294,967,295 elements", count.to_string())),
        }
    }

    fn bytes_with_length(&mut self, bytes: &[u8], path: &str) -> Write {
        self.count(bytes.len(), path)?;
        self.out.bytes(bytes);
        Ok(())
    }

    fn string(&mut self, name: &Name, path: &str) -> Write {
        self.bytes_with_length(&name.0, path)
    }

    fn bool(&mut self, value: bool) {
        self.out.u8(u8::from(value));
    }

    fn array<T>(
        &mut self,
        elements: &[T],
        path: &str,
        mut element: impl FnMut(&mut Self, &T) -> Write,
    ) -> Write {
        self.count(elements.len(), path)?;
        for (index, value) in elements.iter().enumerate() {
            element(self, value).map_err(|f| Box::new(f.within(format_args!("[{index}]")).within(path)))?;
        }
        Ok(())
    }

    fn strings(&mut self, names: &[Name], path: &str) -> Write {
        self.array(names, path, |w, name| w.string(name, "name"))
    }
}
