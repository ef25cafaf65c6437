//! Description of the format: names, extensions, capabilities.

use super::ID;
use super::codes;
use super::document::Document;
use super::muscles::is_muscle;
use super::notes;
use super::read::{BYTE_ORDER_MARK, OBJECT, SIGNATURE};
use dopesheet_core::format::{
    Capabilities, Compositions, Confidence, FormatInfo, Hint, LawSet, Magic, Parts, Role, Summary,
};
use dopesheet_core::model::{Basis, Scene};

/// Unity's curves. Bezier timing of numbers is a cubic with weights; the great arcs of rotations are followed by cubics.
const VECTOR_LAWS: LawSet =
    LawSet { step: true, linear: true, hermite: true, weighted: true, bezier_timing: false, mixed: true };
const ROTATION_LAWS: LawSet = LawSet { weighted: false, ..VECTOR_LAWS };

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Unity animation clip",
    extensions: &["anim"],
    magics: &[Magic { offset: 0, bytes: SIGNATURE }],
    role: Role::Motion,
    specifications: &[
        "https://docs.unity3d.com/Manual/FormatDescription.html",
        "https://docs.unity3d.com/Manual/class-AnimationClip.html",
        "https://github.com/Unity-Technologies/UnityCsReference",
    ],
    variants: &[],
    capabilities: Capabilities {
        basis: Some(Basis::UNITY),
        parts: Parts {
            hierarchy: true,
            translation: true,
            rotation: true,
            scale: true,
            switches: true,
            morph_tracks: true,
            cameras: true,
            lights: true,
            markers: true,
            custom_tracks: true,
            numbers: true,
            muscles: true,
            ..Parts::NONE
        },
        compositions: QUATERNIONS,
        vector_laws: VECTOR_LAWS,
        rotation_laws: ROTATION_LAWS,
        negative_times: true,
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

/// Rotations of other formats become quaternions, whose components may have separate keys. Only a clip that
/// had angles keeps them, because an animator chose them in the editor.
const QUATERNIONS: Compositions = Compositions { components: true, repeats: true, ..Compositions::WHOLE };

/// Capabilities for a scene: it may keep angles if it was made from a clip.
pub(super) fn capabilities(scene: &Scene) -> Capabilities {
    let is_own = scene.clips.iter().all(|clip| notes::read(clip.source.as_ref()).is_own);
    let compositions = if is_own && !scene.clips.is_empty() { Compositions::ANY } else { QUATERNIONS };
    Capabilities { compositions, ..INFO.capabilities }
}

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let clip = [OBJECT, b"74 "].concat();
    let has_clip = head.windows(clip.len()).any(|window| window == clip);
    match head.starts_with(SIGNATURE) {
        true if has_clip => Confidence::Certain,
        true => Confidence::Plausible,
        false if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        false => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let file = document.file();
    let clip = file.clips.first().cloned().unwrap_or_default();
    let vectors = [&clip.euler_curves, &clip.position_curves, &clip.scale_curves];
    let keys: usize = clip.rotation_curves.iter().map(|listed| listed.curve.keys.len()).sum::<usize>()
        + vectors.into_iter().flatten().map(|listed| listed.curve.keys.len()).sum::<usize>()
        + clip.float_curves.iter().map(|listed| listed.curve.keys.len()).sum::<usize>();
    let facts = vec![
        ("clips", file.clips.len().to_string()),
        ("rotation curves", clip.rotation_curves.len().to_string()),
        ("angle curves", clip.euler_curves.len().to_string()),
        ("position curves", clip.position_curves.len().to_string()),
        ("scale curves", clip.scale_curves.len().to_string()),
        ("number curves", clip.float_curves.len().to_string()),
        ("muscle curves", clip.float_curves.iter().filter(|own| is_muscle(own)).count().to_string()),
        ("reference curves", clip.object_curves.len().to_string()),
        ("packed curves", clip.compressed_rotation_curves.to_string()),
        ("keys", keys.to_string()),
        ("events", clip.events.len().to_string()),
        ("sample rate", super::spelling::spelled(clip.sample_rate)),
        ("loops", if clip.settings.loop_time { "yes" } else { "no" }.to_owned()),
    ];
    let version = clip.serialized_version.map(|version| version.to_string());
    Summary { version, variant: None, facts }
}
