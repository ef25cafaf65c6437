//! Description of the format: names, extensions, capabilities.

use super::array::shown;
use super::codes;
use super::document::{Content, Document, File, Stream};
use super::layout::{
    AXES, JOINTS, LAYOUT, Layout, ORDER, RATE, ROBOT, UNIT, axes_words, interpret, is_of_motor,
};
use super::read::{is_archive, is_pickle};
use super::view::{self, ARRAYS};
use super::write::MAGIC;
use crate::RESEARCH;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::{
    Assumable, Assumptions, Capabilities, Confidence, FormatInfo, Hint, KeyLayout, LawSet, Magic, Parts,
    Role, Summary, Variant,
};
use dopesheet_core::model::{Basis, Scene, TargetKind};
use dopesheet_core::units::FrameRate;

pub(super) const ID: &str = "npz";

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Arrays of NumPy (NPZ, NPY, pickles, PT)",
    extensions: if RESEARCH { &["npz", "npy", "pkl", "pt"] } else { &["npz", "npy"] },
    magics: &[
        Magic { offset: 0, bytes: b"PK\x03\x04" },
        Magic { offset: 0, bytes: MAGIC },
        Magic { offset: 0, bytes: b"\x80\x02" },
        Magic { offset: 0, bytes: b"\x80\x03" },
        Magic { offset: 0, bytes: b"\x80\x04" },
        Magic { offset: 0, bytes: b"\x80\x05" },
    ],
    role: Role::Scene,
    specifications: &[
        "https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html",
        "https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT",
        "https://amass.is.tue.mpg.de/",
        "https://github.com/EricGuo5513/HumanML3D",
    ],
    variants: VARIANTS,
    capabilities: Capabilities {
        basis: Some(Basis::GLTF),
        parts: Parts { hierarchy: true, translation: true, rotation: true, scale: true, ..Parts::NONE },
        vector_laws: LawSet::LINEAR,
        rotation_laws: LawSet::LINEAR,
        layout: KeyLayout::EveryFrame,
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

/// The variants written by this build: the first of all.
const VARIANTS: &[Variant] = if RESEARCH { &ALL_VARIANTS } else { ALL_VARIANTS.split_at(PLAIN_VARIANTS).0 };

/// Number of variants not made by research projects.
const PLAIN_VARIANTS: usize = 8;

const ALL_VARIANTS: [Variant; 14] = [
    Variant {
        name: "clip",
        about: "rotations (F, J, 4) of all joints, with names, parents, offsets, rate, axes and order",
    },
    Variant { name: "positions", about: "positions of all joints in model space (F, J, 3), with the same" },
    Variant { name: "smpl", about: "a body of SMPL as in AMASS: poses (F, 72), trans; Z up" },
    Variant {
        name: "smplh",
        about: "a body of SMPL-H with fingers, as in AMASS: poses (F, 156), trans; Z up",
    },
    Variant {
        name: "smplx",
        about: "a body of SMPL-X with fingers, jaw and eyes, as in AMASS: poses (F, 165), trans; Z up",
    },
    Variant {
        name: "humanml3d",
        about: "positions of the 22 joints of HumanML3D (F, 22, 3) at 20 fps, Y up, with a name",
    },
    Variant {
        name: "humanml3d,npy",
        about: "the same as one array without a name, like HumanML3D's own files",
    },
    Variant { name: "amass", about: "a body as in most of AMASS, which is smplh" },
    Variant {
        name: "motionx",
        about: "a body of SMPL-X as in Motion-X (F, 322) at 30 fps, Y up, with a name",
    },
    Variant { name: "motionx,npy", about: "the same as one array without a name, like Motion-X's own files" },
    Variant {
        name: "kimodo",
        about: "positions and rotation matrices of the 22 joints of kimodo's SMPL-X at 30 fps, Y up",
    },
    Variant {
        name: "isaaclab",
        about: "positions and quaternions (w x y z) of all joints in the world, as in Isaac Lab; Z up",
    },
    Variant { name: "features", about: "the features of HumanML3D (F − 1, 263) at 20 fps, with a name" },
    Variant {
        name: "features,npy",
        about: "the same as one array without a name, like HumanML3D's own files",
    },
];

/// Capabilities of a variant.
pub(super) fn capabilities(scene: &Scene, variant: Option<&str>) -> Capabilities {
    let of_humans = Capabilities { humanoid: true, ..INFO.capabilities };
    match variant.unwrap_or("clip") {
        "smpl" | "smplh" | "amass" => of_humans,
        "motionx" | "motionx,npy" | "kimodo" => Capabilities { grid: FrameRate::new(30, 1), ..of_humans },
        "isaaclab" => Capabilities {
            basis: Some(ROBOT),
            // Of numbers that move no joint there is room for those of motors.
            parts: Parts {
                custom_tracks: has_only_motors(scene),
                numbers: has_only_motors(scene),
                ..INFO.capabilities.parts
            },
            ..INFO.capabilities
        },
        "smplx" => Capabilities { eyes: true, ..of_humans },
        "humanml3d" | "humanml3d,npy" | "features" | "features,npy" => {
            Capabilities { grid: FrameRate::new(20, 1), ..of_humans }
        }
        _ => INFO.capabilities,
    }
}

/// True if all numbers of a scene that move no joint are numbers of motors.
fn has_only_motors(scene: &Scene) -> bool {
    let tracks = scene.tracks();
    let mut channels =
        tracks.filter(|track| track.target.kind == TargetKind::Custom).flat_map(|track| &track.channels);
    channels.all(|channel| is_of_motor(channel.property.word()))
}

pub(super) const ASSUMABLE: &[Assumable] = &[
    Assumable {
        word: LAYOUT,
        about: "meaning of the arrays: clip, positions, smpl, smplh, smplx, amass, humanml3d, features, motionx, aist, mdm, \
                kimodo, isaaclab or gmr",
    },
    Assumable { word: RATE, about: "frames per second" },
    Assumable {
        word: AXES,
        about: "yup, zup, or the directions of a figure's left, up and front, as in +x+z-y",
    },
    Assumable { word: ORDER, about: "order of a quaternion's numbers: xyzw or wxyz" },
    Assumable { word: UNIT, about: "metres per unit of length" },
    Assumable { word: JOINTS, about: "skeleton of the joints: smpl (22, 24, 52 or 55) or humanml3d (22)" },
    Assumable {
        word: ARRAYS,
        about: "names that arrays stand for, before the names that they have, as in positions:kp3d+fps:rate",
    },
];

/// True if a value makes sense for a word.
fn is_value(word: &str, value: &str) -> bool {
    let positive = || value.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    match word {
        RATE => positive().and_then(FrameRate::from_fps).is_some(),
        UNIT => positive().is_some(),
        AXES => axes_words(&[value]).is_some(),
        ORDER => matches!(value, "xyzw" | "wxyz"),
        ARRAYS => view::name_pairs(value).is_some(),
        JOINTS => matches!(value, "smpl" | "humanml3d"),
        _ => Layout::WORDS.iter().any(|(layout_word, _)| *layout_word == value),
    }
}

/// Refuses facts without a meaning.
pub(super) fn check_assumptions(facts: &Assumptions) -> Result<(), ConvertError> {
    for word in facts.words() {
        let value = facts.get(word).unwrap_or_default();
        let what = match ASSUMABLE.iter().find(|fact| fact.word == word) {
            None => {
                let words: Vec<&str> = ASSUMABLE.iter().map(|fact| fact.word).collect();
                format!("nothing can be assumed about {word:?}, only about {}", words.join(", "))
            }
            Some(fact) if !is_value(word, value) => {
                format!("{value:?} is no value of {word} ({})", fact.about)
            }
            Some(_) => continue,
        };
        return Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)));
    }
    Ok(())
}

/// Bytes of a header of a member before its name, and the position of the name's length.
const LOCAL_BYTES: usize = 30;
const NAME_LENGTH: usize = 26;

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let first_name = || {
        let length = head.get(NAME_LENGTH..)?.first_chunk::<2>()?;
        head.get(LOCAL_BYTES..LOCAL_BYTES + usize::from(u16::from_le_bytes(*length)))
    };
    let by_name = hint.is_one_of(INFO.extensions);
    match () {
        () if head.starts_with(MAGIC) => Confidence::Certain,
        () if is_archive(head)
            && first_name().is_some_and(|name| name.ends_with(b".npy") || name.ends_with(b"/data.pkl")) =>
        {
            Confidence::Certain
        }
        () if is_pickle(head) => Confidence::Plausible,
        () if is_archive(head) && by_name => Confidence::Plausible,
        () if by_name => Confidence::ByName,
        () => Confidence::No,
    }
}

/// Largest number of arrays listed one by one.
const MOST_LISTED: usize = 32;

pub(super) fn summary(document: &Document) -> Summary {
    let mut facts = Vec::new();
    let layout = interpret(document).motion.map(|motion| motion.layout);
    facts.push(("layout", layout.map_or("unknown", Layout::about).to_owned()));
    if let File::Npz(archive) = &document.file {
        let deflated = archive.members.iter().filter(|member| member.stream != Stream::Stored).count();
        facts.push(("members", format!("{}, {deflated} of them compressed", archive.members.len())));
        let other_members =
            archive.members.iter().filter(|member| matches!(member.content, Content::Other(_))).count();
        if other_members > 0 {
            facts.push(("members that are not arrays", other_members.to_string()));
        }
    }
    let view = view::of(document);
    for (name, array) in view.arrays().take(MOST_LISTED) {
        let order = if array.fortran_order { ", first index fastest" } else { "" };
        facts.push((
            "array",
            format!("{name} {} {}{order}", array.dtype, shown(&array.shape)).trim().to_owned(),
        ));
    }
    let left = view.arrays().count().saturating_sub(MOST_LISTED);
    if left > 0 {
        facts.push(("further arrays", left.to_string()));
    }
    // Other layouts are those of human figures, or the usual one.
    let is_robot = RESEARCH && layout == Some(Layout::IsaacLab);
    Summary { version: None, variant: is_robot.then(|| Layout::IsaacLab.word().to_owned()), facts }
}
