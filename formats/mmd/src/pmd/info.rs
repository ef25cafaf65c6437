//! Description of the format.

use super::codes;
use super::document::Document;
use super::layout::{SIGNATURE, list};
use dopesheet_core::format::{Capabilities, Confidence, FormatInfo, Hint, Magic, Role, Summary};

pub(super) const ID: &str = "pmd";

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MikuMikuDance model (PMD)",
    extensions: &["pmd"],
    magics: &[Magic { offset: 0, bytes: &SIGNATURE }],
    role: Role::Model,
    specifications: &[
        "https://noname0310.github.io/babylon-mmd/docs/reference/understanding-mmd-behaviour/introduction-to-pmx-and-pmd",
    ],
    variants: &[],
    capabilities: Capabilities::READ_ONLY,
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    match head.strip_prefix(&SIGNATURE) {
        Some(rest) if rest.starts_with(&super::document::VERSION.to_le_bytes()) => Confidence::Certain,
        Some(_) => Confidence::Plausible,
        None if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        None => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let mut facts = vec![("model", document.name.text())];
    if let Some(english) = document.english.as_ref().filter(|english| english.flag != 0) {
        facts.push(("English name", english.name.text()));
    }
    // The terms of use stand here.
    facts.extend(Some(("comment", document.comment.text())).filter(|(_, text)| !text.is_empty()));
    let counts = [
        (list::VERTICES, document.vertices.len()),
        (list::FACES, document.faces.len() / 3),
        (list::MATERIALS, document.materials.len()),
        (list::BONES, document.bones.len()),
        (list::IK, document.ik.len()),
        (list::MORPHS, document.morphs.len()),
        (list::BONE_FRAMES, document.bone_frames.len()),
    ];
    facts.extend(counts.map(|(word, count)| (word, count.to_string())));
    let ends = [
        (list::RIGID_BODIES, document.rigid_bodies.as_ref().map(Vec::len)),
        (list::JOINTS, document.joints.as_ref().map(Vec::len)),
        ("trailing bytes", Some(document.trailing.len()).filter(|length| *length > 0)),
    ];
    facts.extend(ends.into_iter().filter_map(|(word, count)| Some((word, count?.to_string()))));
    Summary { version: Some(format!("{:?}", document.version)), variant: None, facts }
}
