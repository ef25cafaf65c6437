//! Signature, sections, and the kind of motion in the file.

use super::faults::byte;
use super::{CheckFn, Subject};
use crate::vmd::codes;
use crate::vmd::document::{Document, ModelName, Section, Version};
use crate::vmd::layout::SIGNATURE;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;
use dopesheet_core::words::counted;

pub(super) const CHECKS: &[CheckFn] = &[
    bare_signature,
    section_missing,
    short_file,
    trailing_bytes,
    camera_name,
    camera_with_bones,
    ik_in_camera_motion,
];

fn push(report: &mut Report, check: &Check, place: Place, path: &str, expected: &'static str, found: String) {
    report.push(check.severity, Fault::new(check.code, place, expected, found).at_path(path));
}

fn bare_signature(subject: &Subject<'_>, report: &mut Report) {
    if subject.document.version() == Some(Version::Bare) {
        let (expected, actual) = ("\"Vocaloid Motion Data 0002\"", "\"Vocaloid Motion Data\"".to_owned());
        push(report, &codes::BARE_SIGNATURE, byte(0), "signature", expected, actual);
    }
}

fn section_missing(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.last_written() == Section::Bones {
        let end = byte(document.file_size());
        let path = Section::Morphs.word();
        push(report, &codes::SECTION_MISSING, end, path, "a count", "the end of the file".to_owned());
    }
}

fn short_file(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let last = document.last_written();
    if matches!(last, Section::Morphs | Section::Cameras) {
        let end = byte(document.file_size());
        let actual = format!("the end of the file after the {}", last.word());
        push(report, &codes::SHORT_FILE, end, "", "sections up to the light keys", actual);
    }
}

fn trailing_bytes(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let count = document.trailing.len();
    if count > 0 {
        let start = byte(document.file_size() - count);
        let actual = counted(count, "further byte");
        push(report, &codes::TRAILING_BYTES, start, "trailing bytes", "the end of the file", actual);
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

fn camera_name(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.is_camera_motion() && !has_camera_name(document) {
        let actual = format!("{:?}", document.model.text());
        push(report, &codes::CAMERA_NAME, byte(SIGNATURE), "model name", "\"カメラ・照明\"", actual);
    }
}

fn camera_with_bones(subject: &Subject<'_>, report: &mut Report) {
    let start = byte(subject.document.section_start(Section::Cameras));
    report_camera_with_bones(subject.document, start, report);
}

/// Reports a document that moves a model and also camera, light or shadow.
pub(in crate::vmd) fn report_camera_with_bones(document: &Document, place: Place, report: &mut Report) {
    let counts = |sections: &[Section]| -> Vec<String> {
        let filled = sections.iter().filter(|section| document.count(**section) > 0);
        filled.map(|section| section.counted(document.count(*section))).collect()
    };
    let model = counts(&[Section::Bones, Section::Morphs]);
    let camera = counts(&[Section::Cameras, Section::Lights, Section::Shadows]);
    if !model.is_empty() && (!camera.is_empty() || has_camera_name(document)) {
        let actual = match camera.is_empty() {
            true => format!("{} in a file named {:?}", model.join(", "), ModelName::CAMERA_AND_LIGHT),
            false => format!("{} and {}", model.join(", "), camera.join(", ")),
        };
        push(
            report,
            &codes::CAMERA_WITH_BONES,
            place,
            Section::Cameras.word(),
            "a motion of a model or of the camera",
            actual,
        );
    }
}

fn ik_in_camera_motion(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let count = document.count(Section::Models);
    if document.is_camera_motion() && count > 0 {
        let start = byte(document.section_start(Section::Models));
        let actual = format!("{count} of them");
        let expected = "none in a motion of camera and light";
        push(report, &codes::IK_IN_CAMERA_MOTION, start, Section::Models.word(), expected, actual);
    }
}
