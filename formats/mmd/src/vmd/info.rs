//! Description of the format.

use super::codes;
use super::document::{Document, Section, Version};
use crate::BASIS;
use crate::text::ENCODING;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::{
    Capabilities, Confidence, FormatInfo, Hint, KeyLayout, LawSet, Magic, NameRule, Parts, Role, Summary,
    Variant,
};
use dopesheet_core::model::PoseRelation;
use dopesheet_core::units::FrameRate;

pub(super) const ID: &str = "vmd";

/// The variant of [`Version::V0002`].
pub(super) const VARIANT_0002: &str = "0002";
/// The variant of [`Version::Old`].
pub(super) const VARIANT_OLD: &str = "old";

/// Start of all signatures.
const SIGNATURE_START: &[u8] = Version::Bare.signature().as_bytes();

/// Curves of MikuMikuDance: straight or along a shorter great arc, eased by a Bezier curve.
const LAWS: LawSet = LawSet { linear: true, bezier_timing: true, mixed: true, ..LawSet::NONE };

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MikuMikuDance motion (VMD)",
    extensions: &["vmd"],
    magics: &[Magic { offset: 0, bytes: SIGNATURE_START }],
    role: Role::Motion,
    specifications: &["https://mikumikudance.fandom.com/wiki/VMD_file_format"],
    variants: &[
        Variant { name: VARIANT_0002, about: "as MikuMikuDance has written it since version 2" },
        Variant {
            name: VARIANT_OLD,
            about: "as MikuMikuDance wrote it up to 1.30: a model name of 10 bytes",
        },
    ],
    capabilities: Capabilities {
        basis: Some(BASIS),
        relation: PoseRelation::OnTopOfRest,
        parts: Parts {
            translation: true,
            rotation: true,
            morph_tracks: true,
            cameras: true,
            orbits: true,
            lights: true,
            custom_tracks: true,
            numbers: true,
            model_name: true,
            ..Parts::NONE
        },
        vector_laws: LAWS,
        rotation_laws: LAWS,
        grid: Some(FrameRate::FPS_30),
        layout: KeyLayout::PerTarget,
        names: NameRule::Encoded { encoding: ENCODING, max_bytes: Some(super::layout::KEY_NAME) },
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let is_signature = head.first_chunk().is_some_and(|field| Version::of(field).is_some());
    match head.starts_with(SIGNATURE_START) {
        true if is_signature => Confidence::Certain,
        true => Confidence::Plausible,
        false if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        false => Confidence::No,
    }
}

/// The variant for writing a version.
pub(super) const fn variant_of(version: Version) -> &'static str {
    match version {
        Version::Old => VARIANT_OLD,
        Version::V0002 => VARIANT_0002,
        Version::Bare => "bare",
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let version = document.version();
    let mut facts = vec![("model", document.model.text())];
    for section in Section::ALL.into_iter().filter(|s| *s <= document.last_written()) {
        facts.push((section.word(), document.count(section).to_string()));
    }
    if !document.trailing.is_empty() {
        facts.push(("trailing bytes", document.trailing.len().to_string()));
    }
    Summary {
        version: version.map(|v| v.signature().to_owned()),
        variant: version.map(|v| variant_of(v).to_owned()),
        facts,
    }
}

/// The version requested by a word after `@`.
pub(super) fn version_of_variant(variant: &str) -> Result<Version, ConvertError> {
    match variant {
        VARIANT_0002 => Ok(Version::V0002),
        VARIANT_OLD => Ok(Version::Old),
        other => {
            let names: Vec<_> = INFO.variants.iter().map(|v| v.name).collect();
            let what = format!("expected one of the variants {}, found \"{other}\"", names.join(", "));
            Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)))
        }
    }
}
