//! Signature, sections, and the kind of motion in the file.

use super::DocumentCheck;
use super::faults::byte;
use crate::vmd::codes;
use crate::vmd::document::{Document, ModelName, Section, Version};
use crate::vmd::layout::SIGNATURE;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::Check;
use dopesheet_core::words::counted;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let seen = &mut look.seen;
    let mut push = |check: Check, at: usize, path: &str, expected: &'static str, found: String| {
        seen.add(check, || Fault::new("", byte(at), expected, found).at_path(path));
    };
    if document.version() == Some(Version::Bare) {
        let (expected, actual) = ("\"Vocaloid Motion Data 0002\"", "\"Vocaloid Motion Data\"".to_owned());
        push(codes::BARE_SIGNATURE, 0, "signature", expected, actual);
    }
    let (last, end) = (document.last_written(), document.file_size());
    if last == Section::Bones {
        let actual = "the end of the file".to_owned();
        push(codes::SECTION_MISSING, end, Section::Morphs.word(), "a count", actual);
    }
    if matches!(last, Section::Morphs | Section::Cameras) {
        let actual = format!("the end of the file after the {}", last.word());
        push(codes::SHORT_FILE, end, "", "sections up to the light keys", actual);
    }
    let count = document.trailing.len();
    if count > 0 {
        let actual = counted(count, "further byte");
        push(codes::TRAILING_BYTES, end - count, "trailing bytes", "the end of the file", actual);
    }
    if document.is_camera_motion() && !has_camera_name(document) {
        let actual = format!("{:?}", document.model.text());
        push(codes::CAMERA_NAME, SIGNATURE, "model name", "\"カメラ・照明\"", actual);
    }
    if let Some(fault) = model_and_camera(document, byte(document.section_start(Section::Cameras))) {
        look.seen.add(codes::CAMERA_WITH_BONES, || fault);
    }
    let count = document.count(Section::Models);
    if document.is_camera_motion() && count > 0 {
        let start = byte(document.section_start(Section::Models));
        let expected = "none in a motion of camera and light";
        let fault = || Fault::new("", start, expected, format!("{count} of them"));
        look.seen.add(codes::IK_IN_CAMERA_MOTION, || fault().at_path(Section::Models.word()));
    }
}

/// True if the model name is the name by which MikuMikuDance recognises camera motions, as far as the field
/// holds it.
fn has_camera_name(document: &Document) -> bool {
    let name = crate::text::Name::<20>::encode(ModelName::CAMERA_AND_LIGHT, true).map(|encoded| encoded.name);
    let name = name.unwrap_or_default();
    match &document.model {
        ModelName::Short(short) => name.0.starts_with(&short.0),
        ModelName::Long(long) => name.key() == long.key(),
    }
}

/// The fault of a document that moves a model and also camera, light or shadow.
pub(in crate::vmd) fn model_and_camera(document: &Document, place: Place) -> Option<Fault> {
    let counts = |sections: &[Section]| -> Vec<String> {
        let filled = sections.iter().filter(|section| document.count(**section) > 0);
        filled.map(|section| section.counted(document.count(*section))).collect()
    };
    let model = counts(&[Section::Bones, Section::Morphs]).join(", ");
    let camera = counts(&[Section::Cameras, Section::Lights, Section::Shadows]).join(", ");
    if model.is_empty() || (camera.is_empty() && !has_camera_name(document)) {
        return None;
    }
    let actual = match camera.is_empty() {
        true => format!("{model} in a file named {:?}", ModelName::CAMERA_AND_LIGHT),
        false => format!("{model} and {camera}"),
    };
    let (code, expected) = (codes::CAMERA_WITH_BONES.code, "a motion of a model or of the camera");
    Some(Fault::new(code, place, expected, actual).at_path(Section::Cameras.word()))
}
