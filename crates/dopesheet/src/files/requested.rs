//! Requested formats: by id, or by the name of a file to write.

use crate::error::Error;
use crate::registry::{by_extension, by_id, formats, optional};
use dopesheet_core::format::{AnyFormat, Hint};

/// The format with a requested id.
///
/// # Errors
/// [`Error::NotBuilt`] if this build lacks the format, [`Error::Usage`] with all ids if the id does not
/// exist.
pub fn wanted(id: &str) -> Result<&'static dyn AnyFormat, Error> {
    if let Some(format) = optional().iter().find(|format| format.id == id && !format.is_built()) {
        return Err(Error::NotBuilt(format));
    }
    by_id(id).ok_or_else(|| {
        let ids: Vec<_> = formats().iter().map(|f| f.info().id).collect();
        Error::Usage(format!("expected a format ({}), found \"{id}\"", ids.join(", ")))
    })
}

/// The format with an id requested for writing.
///
/// # Errors
/// [`Error::Usage`] with an alternative if the format is never written, else as [`wanted`].
pub fn wanted_for_writing(id: &str) -> Result<&'static dyn AnyFormat, Error> {
    match never_written(id) {
        Some(why) => Err(Error::Usage(format!("-t {id}: {why}"))),
        None => wanted(id),
    }
}

/// Reason why a format is never written, with a format to write instead.
pub(crate) fn never_written(word: &str) -> Option<&'static str> {
    match word {
        "fbx" => Some(
            "FBX is read and never written; write .glb or .bvh, which Blender imports, and exports as FBX",
        ),
        "pkl" | "pt" => Some("pickles are read and never written; write .npz, which numpy.load reads"),
        _ => None,
    }
}

/// The format of a file's extension, for writing.
///
/// # Errors
/// [`Error::Usage`] with all extensions, if the file's extension belongs to no format.
pub fn by_file_name(name: &str) -> Result<&'static dyn AnyFormat, Error> {
    let hint = Hint::from_file_name(name);
    if let Some(why) = hint.extension.as_deref().and_then(never_written) {
        return Err(Error::Usage(format!("{name}: {why}")));
    }
    hint.extension.as_deref().and_then(by_extension).ok_or_else(|| {
        let written = formats().iter().filter(|format| format.info().capabilities.writes);
        let mut extensions: Vec<String> = Vec::new();
        for name_part in written.flat_map(|format| format.info().extensions) {
            let extension = format!(".{name_part}");
            if never_written(name_part).is_none() && !extensions.contains(&extension) {
                extensions.push(extension);
            }
        }
        Error::Usage(format!(
            "expected an output file with a known extension ({}) or a format with -t, found \"{name}\"",
            extensions.join(", ")
        ))
    })
}

/// Splits `format@variant`; the variant may be absent.
#[must_use]
pub fn split_variant(word: &str) -> (&str, Option<&str>) {
    word.split_once('@').map_or((word, None), |(id, variant)| (id, Some(variant)))
}
