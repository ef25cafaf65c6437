//! A document after its text was changed.

use crate::checks::code;
use crate::gltf::document::{BufferData, Document};
use crate::gltf::read::{Wrapper, read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::{Limits, ReadOptions, Source};

/// Reads the changed text, with the bytes around it.
pub(crate) fn settle(
    document: &Document,
    mut json: String,
    mut wrapper: Wrapper,
) -> Result<Document, Box<Fault>> {
    if let Wrapper::Binary(glb) = &mut wrapper
        && glb.settle(&mut json).is_none()
    {
        let fault = Fault::new(code::LIMIT, Place::File, "a GLB of at most 4 GiB", "more");
        return Err(Box::new(fault));
    }
    let mut source = Source::new(&[]);
    source.resources.extend(crate::gltf::write::resources(document));
    let limits = Limits {
        max_bytes: u64::MAX,
        max_virtual_elements: u64::MAX,
        max_unpacked_bytes: u64::MAX,
        ..Limits::default()
    };
    let mut changed = read(json.as_bytes(), wrapper, &source, &ReadOptions { limits, lenient: false })?;
    for (new, old) in changed.buffers.iter_mut().zip(&document.buffers) {
        if let BufferData::Unnamed(_) = old {
            *new = old.clone();
        }
    }
    Ok(changed)
}
