//! Description of the format: names, extensions, capabilities.

use super::codes;
use super::document::{Document, JointKind, Up};
use super::rate::rate;
use super::read::{BYTE_ORDER_MARK, words};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::{
    Assumable, Assumptions, Capabilities, Compositions, Confidence, FormatInfo, Hint, KeyLayout, LawSet,
    Magic, NameRule, Parts, Role, Summary,
};
use dopesheet_core::model::{Axis, Basis};

pub(super) const ID: &str = "bvh";

/// Metres of the unit of length assumed in conversions, because the format states none: programs for
/// animating figures write centimetres. `--scale` overrides this unit.
pub(super) const ASSUMED_METRES: f64 = 0.01;

/// Y is up in nearly all files, and figures in them face +Z; the format states neither.
pub(super) const BASIS: Basis = Basis { metres_per_unit: Some(ASSUMED_METRES), ..Basis::GLTF };

/// The axes of a file with figures upright along Z.
pub(super) const Z_UP: Basis = Basis { up: Axis::PosZ, front: Axis::NegY, ..BASIS };

/// The word of [`ASSUMABLE`].
const AXES: &str = "axes";

pub(super) const ASSUMABLE: &[Assumable] =
    &[Assumable { word: AXES, about: "yup (without it, too) or zup, where figures face −Y" }];

/// Notes a caller's statement of a file's axes.
pub(super) fn assume(document: &mut Document, facts: &Assumptions) -> Result<(), ConvertError> {
    let refuse = |what: String| Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)));
    if let Some(word) = facts.words().find(|word| *word != AXES) {
        return refuse(format!("nothing can be assumed about {word:?}, only about {AXES}"));
    }
    document.1 = match facts.get(AXES) {
        None | Some("yup") => Up::Y,
        Some("zup") => Up::Z,
        Some(other) => return refuse(format!("{other:?} is no value of {AXES} (yup or zup)")),
    };
    Ok(())
}

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Biovision Hierarchy (BVH)",
    extensions: &["bvh"],
    magics: &[Magic { offset: 0, bytes: words::HIERARCHY.as_bytes() }],
    role: Role::Scene,
    specifications: &["https://research.cs.wisc.edu/graphics/Courses/cs-838-1999/Jeff/BVH.html"],
    variants: &[],
    capabilities: Capabilities {
        basis: Some(BASIS),
        parts: Parts { hierarchy: true, translation: true, rotation: true, ..Parts::NONE },
        compositions: Compositions { angles_on_frames: true, ..Compositions::WHOLE },
        vector_laws: LawSet::LINEAR,
        rotation_laws: LawSet::LINEAR,
        layout: KeyLayout::EveryFrame,
        names: NameRule::Encoded { encoding: "UTF-8 without blanks", max_bytes: None },
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let word = words::HIERARCHY.as_bytes();
    let starts = head.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match head.get(word.len()) {
        Some(behind) if starts && behind.is_ascii_whitespace() => Confidence::Certain,
        _ if starts => Confidence::Plausible,
        _ if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        _ => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let motion = document.motion();
    let count = |kind| motion.joints.iter().filter(|joint| joint.kind == kind).count();
    let frame_time = format!("{} s, taken as {}", motion.frame_time_s, rate(motion.frame_time_s).rate);
    let facts = vec![
        ("roots", count(JointKind::Root).to_string()),
        ("joints", (count(JointKind::Root) + count(JointKind::Joint)).to_string()),
        ("end sites", count(JointKind::EndSite).to_string()),
        ("channels", motion.width().to_string()),
        ("frames", motion.frame_count().to_string()),
        ("frame time", frame_time),
    ];
    Summary { version: None, variant: None, facts }
}
