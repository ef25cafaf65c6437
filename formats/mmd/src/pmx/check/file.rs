//! Header, sections and pictures.

use super::DocumentCheck;
use super::spot::locate;
use crate::pmx::codes;
use crate::pmx::document::{Header, MorphOffsets, Skinning, Version};
use crate::pmx::layout::SETTINGS;
use dopesheet_core::diag::Fault;
use dopesheet_core::format::pictures::picture_name;
use dopesheet_core::words::counted;

/// The name of the bytes behind the last section.
const TRAILING: &str = "trailing bytes";

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let header = &document.header;
    if header.magic != Header::MAGIC {
        let actual = || format!("\"{}\"", header.magic.escape_ascii());
        look.say(codes::MAGIC, &[], "signature", || ("\"PMX \"", actual()));
    }
    if !header.extra.is_empty() {
        let what = || ("8", (SETTINGS + header.extra.len()).to_string());
        look.say(codes::FURTHER_SETTINGS, &[], "number of settings", what);
    }
    if header.version == Version::V2_1 && document.soft_bodies.is_none() {
        let end = || locate(document, &[], TRAILING);
        let fault = || Fault::new("", end(), "a count", "the end of the file").at_path("soft bodies");
        look.seen.add(codes::SECTION_MISSING, fault);
    }
    if !document.trailing.is_empty() {
        let is_empty_list = header.version == Version::V2_0 && document.trailing == [0; 4];
        let check = if is_empty_list { codes::EMPTY_SOFT_BODIES } else { codes::TRAILING_BYTES };
        let actual = || counted(document.trailing.len(), "further byte");
        look.say(check, &[], TRAILING, || ("the end of the file", actual()));
    }
    if header.version == Version::V2_0 {
        later_features(look);
    }
    for (at, path) in document.textures.iter().enumerate() {
        let path = document.text(path);
        if picture_name(&path).is_none() {
            let what = || ("a path inside the model's folder", format!("\"{path}\""));
            look.say(codes::PICTURE_PATH, &[("textures", at)], "path", what);
        }
    }
}

/// Features of version 2.1 in a file of version 2.0.
fn later_features(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let is_later = |skinning: &Skinning| matches!(skinning, Skinning::Qdef(..));
    for (at, _) in document.vertices.iter().enumerate().filter(|(_, vertex)| is_later(&vertex.skinning)) {
        let what = || ("0 to 3 in version 2.0", "4 (QDEF)");
        look.say(codes::VERSION_FEATURE, &[("vertices", at)], "weight type", what);
    }
    let is_later =
        |offsets: &MorphOffsets| matches!(offsets, MorphOffsets::Flip(_) | MorphOffsets::Impulse(_));
    for (at, morph) in document.morphs.iter().enumerate().filter(|(_, morph)| is_later(&morph.offsets)) {
        let what = || ("0 to 8 in version 2.0", morph.offsets.kind().to_string());
        look.say(codes::VERSION_FEATURE, &[("morphs", at)], "type", what);
    }
    for (at, joint) in document.joints.iter().enumerate().filter(|(_, joint)| (1..=5).contains(&joint.kind)) {
        let what = || ("0 in version 2.0", joint.kind.to_string());
        look.say(codes::VERSION_FEATURE, &[("joints", at)], "type", what);
    }
}
