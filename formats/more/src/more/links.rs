//! Files together with the files that a clip refers to by path.

use super::clip::SubResource;
use super::codes;
use super::document::{CLIP, Document, Resource};
use super::info::{ID, INFO};
use super::{layout, read};
use dopesheet_core::diag::{Fault, ReadError, Report};
use dopesheet_core::format::container::unsafe_name;
use dopesheet_core::format::{ReadOptions, ResourceName, Source, check_length};

/// Offset of the class name.
const CLASS_AT: usize = layout::LITTLE.len() + 8;

/// The paths that a clip refers to; nothing for other files.
pub(super) fn wants(main: &[u8]) -> Vec<ResourceName> {
    if !main.get(CLASS_AT..).is_some_and(|rest| rest.starts_with(CLIP.as_bytes())) {
        return Vec::new();
    }
    let document = read::read(main, false, &mut Report::default());
    let mut paths = document.map(|document| paths(&document)).unwrap_or_default();
    // A path that leads out of the folder or archive is nobody's resource.
    paths.retain(|path| path.split('/').all(|name| unsafe_name(name).is_none()));
    paths
}

fn paths(document: &Document) -> Vec<ResourceName> {
    let Resource::Clip(clip) = &document.resource else { return Vec::new() };
    let paths = clip.content.layers().iter().filter_map(|layer| match layer {
        SubResource::Path(path) => Some(path.text().into_owned()),
        SubResource::Embedded(_) => None,
    });
    paths.collect()
}

/// The document of a file, with the animations among the files fetched by the caller.
pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, ReadError> {
    check_length(&INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
    let document = read::read(source.main, options.lenient, report);
    let mut document = document.map_err(|fault| ReadError::new(ID, *fault))?;
    follow(&mut document, source, options, report);
    Ok(document)
}

/// Keeps the animations among the files fetched by the caller.
fn follow(document: &mut Document, source: &Source<'_>, options: &ReadOptions, report: &mut Report) {
    for path in paths(document) {
        let Some(bytes) = source.resources.get(&path) else { continue };
        match read::read(bytes, options.lenient, report) {
            Ok(Document { resource: Resource::Animation(animation), .. }) => {
                document.linked.insert(path, animation);
            }
            Ok(other) => {
                let file = dopesheet_core::diag::Place::File;
                let actual = format!("a resource of class {}", other.resource.class());
                let fault = Fault::new(codes::LINKED_FILE.code, file, "an animation", actual);
                report.push(codes::LINKED_FILE.severity, fault.at_path(path));
            }
            Err(fault) => {
                let fault = Fault { code: codes::LINKED_FILE.code, ..fault.within(&path) };
                report.push(codes::LINKED_FILE.severity, fault);
            }
        }
    }
}
