//! Description of the format: names, extensions, capabilities.

use super::document::{Document, KeyShape, Version};
use super::layout::MAGIC;
use super::{codes, layout};
use dopesheet_core::format::{
    Capabilities, Confidence, FormatInfo, Hint, LawSet, Magic, Parts, Role, Summary, Variant,
};
use dopesheet_core::model::Basis;

pub(super) const ID: &str = "mrtk2";

/// Number keys of 8 bytes in version 1.1.
pub(super) const VARIANT_1_1: &str = "1.1";
/// Version 1.0.
pub(super) const VARIANT_1_0: &str = "1.0";
/// Number keys of 28 bytes in version 1.1.
pub(super) const VARIANT_1_1_DOC: &str = "1.1-doc";

/// Unity's curves. A rotation is four curves, normalised during playback: cubics with tangents mean the same
/// as in glTF; the error against the shorter great arc is below 0.001°.
const LAWS: LawSet =
    LawSet { step: true, linear: true, hermite: true, weighted: false, bezier_timing: false, mixed: true };

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MRTK2 input animation",
    extensions: &["bin"],
    magics: &[Magic { offset: 0, bytes: &MAGIC }],
    role: Role::Motion,
    specifications: &[
        "https://learn.microsoft.com/windows/mixed-reality/mrtk-unity/mrtk2/features/input-simulation/input-animation-file-format",
        "https://github.com/microsoft/MixedRealityToolkit-Unity",
    ],
    variants: &[
        Variant {
            name: VARIANT_1_1,
            about: "as MRTK 2.6 and later write it: keys of 8 bytes, straight from key to key; motion that needs \
                    tangents is written as 1.0 if it has no gaze and no variant is asked for",
        },
        Variant { name: VARIANT_1_0, about: "as MRTK 2.0 to 2.5 write it: keys with tangents, no gaze" },
        Variant {
            name: VARIANT_1_1_DOC,
            about: "1.1 as the documentation describes it: keys with tangents; MRTK itself cannot read it",
        },
    ],
    capabilities: Capabilities {
        basis: Some(Basis::UNITY),
        parts: Parts {
            hierarchy: true,
            translation: true,
            rotation: true,
            scale: true,
            switches: true,
            cameras: true,
            markers: true,
            custom_tracks: true,
            ..Parts::NONE
        },
        vector_laws: LAWS,
        rotation_laws: LAWS,
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let versions = Version::ALL.map(|v| v.numbers().map(i32::to_le_bytes).concat());
    let is_of_version =
        head.get(layout::VERSION..layout::HEADER).is_some_and(|v| versions.iter().any(|k| k == v));
    match head.starts_with(&MAGIC) {
        true if is_of_version => Confidence::Certain,
        true => Confidence::Plausible,
        false if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        false => Confidence::No,
    }
}

/// The variant of a document.
pub(super) fn variant_of(document: &Document) -> &'static str {
    match (document.version, document.shape()) {
        (Version::V1_0, _) => VARIANT_1_0,
        (Version::V1_1, Some(KeyShape::Full)) => VARIANT_1_1_DOC,
        (Version::V1_1, _) => VARIANT_1_1,
    }
}

/// `simple`, `full`, or `indeterminate` if nothing tells. In version 1.0 the shape is known without keys.
pub(super) fn shape_word(document: &Document) -> &'static str {
    match (document.version, document.shape()) {
        (Version::V1_0, _) => KeyShape::Full.word(),
        (Version::V1_1, Some(shape)) => shape.word(),
        (Version::V1_1, None) => "indeterminate",
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let (mut numbers, mut switches) = (0, 0);
    for (name, curve) in document.curves() {
        *(if name.is_switch() { &mut switches } else { &mut numbers }) += curve.len();
    }
    let word = |is_there: bool| if is_there { "yes" } else { "no" }.to_owned();
    let poses = document.poses().filter(|(_, pose)| !pose.is_absent()).count();
    let markers = match &document.markers {
        Some(list) => list.len().to_string(),
        None => "no list".to_owned(),
    };
    Summary {
        version: Some(document.version.word().to_owned()),
        variant: Some(variant_of(document).to_owned()),
        facts: vec![
            ("key shape", shape_word(document).to_owned()),
            ("camera", word(document.camera.is_some())),
            ("hands", word(document.hands.is_some())),
            ("gaze", word(document.gaze.is_some())),
            ("poses", poses.to_string()),
            ("number keys", numbers.to_string()),
            ("switch keys", switches.to_string()),
            ("markers", markers),
        ],
    }
}
