//! Description of the format.

use super::codes;
use super::document::Document;
use super::read::{SIGNATURE, parse};
use super::splice::text;
use crate::BASIS;
use crate::text::ENCODING;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{
    Capabilities, Confidence, FormatInfo, Hint, LawSet, Magic, NameRule, Parts, Role, Summary,
};
use dopesheet_core::model::PoseRelation;

pub(super) const ID: &str = "vpd";

/// Only the start of a motion is written, so the laws behind the start need no change.
const ANY_LAW: LawSet =
    LawSet { step: true, linear: true, hermite: true, weighted: false, bezier_timing: true, mixed: true };

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MikuMikuDance pose (VPD)",
    extensions: &["vpd"],
    magics: &[Magic { offset: 0, bytes: SIGNATURE.as_bytes() }],
    role: Role::Motion,
    specifications: &[
        "https://noname0310.github.io/babylon-mmd/docs/reference/understanding-mmd-behaviour/introduction-to-vmd-and-vpd",
    ],
    variants: &[],
    capabilities: Capabilities {
        basis: Some(BASIS),
        relation: PoseRelation::OnTopOfRest,
        parts: Parts {
            translation: true,
            rotation: true,
            morph_tracks: true,
            model_name: true,
            ..Parts::NONE
        },
        vector_laws: ANY_LAW,
        rotation_laws: ANY_LAW,
        names: NameRule::Encoded { encoding: ENCODING, max_bytes: None },
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    match head.strip_prefix(SIGNATURE.as_bytes()) {
        Some([] | [b'\r' | b'\n', ..]) => Confidence::Certain,
        Some(_) => Confidence::Plausible,
        None if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        None => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let pose = document.pose();
    let mut facts = vec![
        ("parent", pose.parent.clone()),
        ("bones", pose.bones.len().to_string()),
        ("morphs", pose.morphs.len().to_string()),
    ];
    let trailing = text(document).ok().and_then(|text| {
        Some(parse(&text, document.0.is_damaged(), &mut Report::default()).ok()?.spans.trailing.len())
    });
    if let Some(length) = trailing.filter(|length| *length > 0) {
        facts.push(("trailing bytes", length.to_string()));
    }
    Summary { version: None, variant: None, facts }
}
