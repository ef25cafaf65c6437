//! Description of the format.

use super::codes;
use super::document::{Document, Header, MorphOffsets, Version};
use dopesheet_core::format::{Capabilities, Confidence, FormatInfo, Hint, Magic, Role, Summary};

pub(super) const ID: &str = "pmx";

/// Start of both magics.
const MAGIC_START: &[u8] = b"PMX";

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MikuMikuDance model (PMX)",
    extensions: &["pmx"],
    magics: &[Magic { offset: 0, bytes: MAGIC_START }],
    role: Role::Model,
    specifications: &["https://gist.github.com/felixjones/f8a06bd48f9da9a4539f"],
    variants: &[],
    capabilities: Capabilities::READ_ONLY,
    checks: codes::ALL,
};

/// Magic and version.
const START: usize = 8;

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let has_magic = head.starts_with(&Header::MAGIC) || head.starts_with(&Header::MAGIC_NO_BREAK);
    let version = head.get(4..START).and_then(|bytes| bytes.try_into().ok()).map(f32::from_le_bytes);
    match (has_magic, version.and_then(Version::of)) {
        (true, Some(_)) => Confidence::Certain,
        (true, None) => Confidence::Plausible,
        (false, _) if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        (false, _) => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let header = &document.header;
    let mut facts = vec![
        ("model", document.model_name()),
        ("English name", document.text(&document.english_name)),
        ("encoding", header.encoding.word().to_owned()),
    ];
    // The terms of use stand here.
    let comments = [("comment", &document.comment), ("English comment", &document.english_comment)];
    let texts = comments.map(|(word, text)| (word, document.text(text)));
    facts.extend(texts.into_iter().filter(|(_, text)| !text.is_empty()));
    let counts = [
        ("vertices", document.vertices.len()),
        ("faces", document.faces.len() / 3),
        ("textures", document.textures.len()),
        ("materials", document.materials.len()),
        ("bones", document.bones.len()),
        ("IK chains", document.bones.iter().filter(|bone| bone.ik.is_some()).count()),
        ("morphs", document.morphs.len()),
        ("display frames", document.display_frames.len()),
        ("rigid bodies", document.rigid_bodies.len()),
        ("joints", document.joints.len()),
    ];
    facts.extend(counts.map(|(word, count)| (word, count.to_string())));
    facts.extend(document.soft_bodies.as_ref().map(|bodies| ("soft bodies", bodies.len().to_string())));
    facts.extend(morph_kinds(document));
    if !document.trailing.is_empty() {
        facts.push(("trailing bytes", document.trailing.len().to_string()));
    }
    let version = match header.version {
        Version::V2_0 => "2.0",
        Version::V2_1 => "2.1",
    };
    Summary { version: Some(version.to_owned()), variant: None, facts }
}

/// Number of morphs of each kind in the file.
fn morph_kinds(document: &Document) -> impl Iterator<Item = (&'static str, String)> {
    let mut counts = [
        ("group morphs", 0_usize),
        ("vertex morphs", 0),
        ("bone morphs", 0),
        ("UV morphs", 0),
        ("material morphs", 0),
        ("flip morphs", 0),
        ("impulse morphs", 0),
    ];
    for morph in &document.morphs {
        let kind = match morph.offsets {
            MorphOffsets::Group(_) => 0,
            MorphOffsets::Vertex(_) => 1,
            MorphOffsets::Bone(_) => 2,
            MorphOffsets::Uv { .. } => 3,
            MorphOffsets::Material(_) => 4,
            MorphOffsets::Flip(_) => 5,
            MorphOffsets::Impulse(_) => 6,
        };
        counts[kind].1 += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(word, count)| (word, count.to_string()))
}
