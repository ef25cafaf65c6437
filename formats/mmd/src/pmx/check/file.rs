//! Header, sections and pictures.

use super::spot::{fault_at, locate};
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::{Document, Header, MorphOffsets, Skinning, Version};
use crate::pmx::layout::SETTINGS;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::pictures::picture_name;
use dopesheet_core::format::{Check, Sightings};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

pub(super) const CHECKS: &[CheckFn] =
    &[magic, further_settings, section_missing, trailing_bytes, version_feature, picture_path];

fn push(report: &mut Report, check: Check, place: Place, path: &str, expected: &'static str, found: String) {
    report.push(check.severity, Fault::new(check.code, place, expected, found).at_path(path));
}

fn magic(subject: &Subject<'_>, report: &mut Report) {
    let magic = subject.document.header.magic;
    if magic != Header::MAGIC {
        let actual = format!("\"{}\"", magic.escape_ascii());
        push(report, codes::MAGIC, Place::Byte(ByteOffset(0)), "signature", "\"PMX \"", actual);
    }
}

fn further_settings(subject: &Subject<'_>, report: &mut Report) {
    let extra = subject.document.header.extra.len();
    if extra > 0 {
        let byte = locate(subject.document, &[], "number of settings");
        let actual = (SETTINGS + extra).to_string();
        push(report, codes::FURTHER_SETTINGS, byte, "number of settings", "8", actual);
    }
}

fn section_missing(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.header.version == Version::V2_1 && document.soft_bodies.is_none() {
        let end = locate(document, &[], TRAILING);
        push(report, codes::SECTION_MISSING, end, "soft bodies", "a count", "the end of the file".to_owned());
    }
}

/// The name of the bytes behind the last section.
const TRAILING: &str = "trailing bytes";

fn trailing_bytes(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.trailing.is_empty() {
        return;
    }
    let is_empty_list = document.header.version == Version::V2_0 && document.trailing == [0; 4];
    let check = if is_empty_list { codes::EMPTY_SOFT_BODIES } else { codes::TRAILING_BYTES };
    let actual = counted(document.trailing.len(), "further byte");
    push(report, check, locate(document, &[], TRAILING), TRAILING, "the end of the file", actual);
}

fn version_feature(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.header.version != Version::V2_0 {
        return;
    }
    let mut seen = Sightings::of(codes::VERSION_FEATURE);
    for (index, vertex) in document.vertices.iter().enumerate() {
        if matches!(vertex.skinning, Skinning::Qdef(..)) {
            let what = ("0 to 3 in version 2.0", "4 (QDEF)");
            seen.add(|| fault_at(document, &[("vertices", index)], "weight type", what));
        }
    }
    for (index, morph) in document.morphs.iter().enumerate() {
        if matches!(morph.offsets, MorphOffsets::Flip(_) | MorphOffsets::Impulse(_)) {
            let what = ("0 to 8 in version 2.0", morph.offsets.kind().to_string());
            seen.add(|| fault_at(document, &[("morphs", index)], "type", what));
        }
    }
    joint_kinds(document, &mut seen);
    seen.report(report);
}

fn joint_kinds(document: &Document, seen: &mut Sightings) {
    for (index, joint) in document.joints.iter().enumerate() {
        if (1..=5).contains(&joint.kind) {
            let what = ("0 in version 2.0", joint.kind.to_string());
            seen.add(|| fault_at(document, &[("joints", index)], "type", what));
        }
    }
}

fn picture_path(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut seen = Sightings::of(codes::PICTURE_PATH);
    for (index, path) in document.textures.iter().enumerate() {
        let path = document.text(path);
        if picture_name(&path).is_none() {
            let what = ("a path inside the model's folder", format!("\"{path}\""));
            seen.add(|| fault_at(document, &[("textures", index)], "path", what));
        }
    }
    seen.report(report);
}
