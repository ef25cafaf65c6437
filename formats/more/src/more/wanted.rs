//! The request after `@`: version, byte order, and types of tracks written on request alone.

use super::codes::ID;
use super::info::INFO;
use super::layout::NEWEST;
use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::{
    Capabilities, Clips, KeyStorage, Parts, Rounding, TimeRounding, Variant, VariantWords,
};

const BIG_ENDIAN: &str = "be";
const SHORT_QUATERNIONS: &str = "quat=3u16";
const TINY_QUATERNIONS: &str = "quat=u32";
const TCB: &str = "keys=tcb";
const STEPS: &str = "steps=u16";
const DISPLACEMENT: &str = "root=displacement";
const ACTOR: &str = "actor";

/// Words allowed behind a version.
pub(super) const WORDS: &[Variant] = &[
    Variant { name: BIG_ENDIAN, about: "big-endian" },
    Variant {
        name: SHORT_QUATERNIONS,
        about: "rotations as three 16-bit numbers (types 0x18 and 0x19), whose key times are 9.2 ms apart; joints that this takes over the tolerance stay floats",
    },
    Variant {
        name: TINY_QUATERNIONS,
        about: "rotations in 32 bits (types 0x13 and 0x14), at most 0.27° off; joints that this takes over the tolerance stay floats",
    },
    Variant {
        name: TCB,
        about: "keys with tension, continuity and bias (types 0x0a to 0x0c) where such keys give the same curve",
    },
    Variant {
        name: STEPS,
        about: "whole numbers that only step as 16-bit integers (type 0x00), whose key times are 9.2 ms apart",
    },
    Variant {
        name: DISPLACEMENT,
        about: "position and rotation of the first joint without a parent as one displacement (type 0x0d)",
    },
    Variant {
        name: ACTOR,
        about: "the skeleton at rest without its motion (MOREActor::ActorModel), version 0x07 unless another is given",
    },
];

/// Version of actors: the newest with documented bones.
pub(super) const ACTOR_VERSION: u32 = 0x7;

/// The request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) version: u32,
    pub(super) endian: Endian,
    pub(super) rotations: Rotations,
    /// True for keys with tension, continuity and bias.
    pub(super) tcb: bool,
    /// True for integers in place of stepping numbers.
    pub(super) integers: bool,
    /// True for a displacement of the root.
    pub(super) displacement: bool,
    /// True for the skeleton instead of the motion.
    pub(super) actor: bool,
}

/// Storage of rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rotations {
    Floats,
    Packed48,
    Packed32,
}

impl Rotations {
    /// The rounding, as needed in conversion.
    pub(super) const fn rounding(self) -> Rounding {
        match self {
            Self::Floats => Rounding::None,
            Self::Packed48 => Rounding::Packed48,
            Self::Packed32 => Rounding::Packed32,
        }
    }
}

impl Wanted {
    /// The text after `@`; without a text the newest version.
    pub(super) fn of(variant: Option<&str>) -> Result<Self, ConvertError> {
        let parsed = variant.map(|text| VariantWords::parse(INFO.variants, WORDS, text)).transpose();
        let refuse = |what: String| ConvertError::new(ID, ConvertErrorKind::Unsupported(what));
        let words =
            parsed.map_err(|error| refuse(format!("the variant is unknown: {error}")))?.unwrap_or_default();
        let actor = words.has(ACTOR);
        let usual = if actor { ACTOR_VERSION } else { NEWEST };
        let version = words.variant.and_then(|name| u32::from_str_radix(name.strip_prefix("0x")?, 16).ok());
        let rotations = match (words.has(SHORT_QUATERNIONS), words.has(TINY_QUATERNIONS)) {
            (true, _) => Rotations::Packed48,
            (_, true) => Rotations::Packed32,
            _ => Rotations::Floats,
        };
        let wanted = Self {
            version: version.unwrap_or(usual),
            endian: if words.has(BIG_ENDIAN) { Endian::Big } else { Endian::Little },
            rotations,
            tcb: words.has(TCB),
            integers: words.has(STEPS),
            displacement: words.has(DISPLACEMENT),
            actor,
        };
        match actor && !(Self { actor: false, ..wanted }).is_only_version() {
            true => Err(refuse(format!(
                "an {ACTOR} has no tracks, so only a version and {BIG_ENDIAN} stand beside that word"
            ))),
            false => Ok(wanted),
        }
    }

    /// True if a document need not become a scene to get there: only its version and byte order are asked for.
    pub(super) fn is_only_version(&self) -> bool {
        let Self { rotations, tcb, integers, displacement, actor, .. } = self;
        *rotations == Rotations::Floats && !tcb && !integers && !displacement && !actor
    }
}

/// Precision of stored values and times.
pub(super) fn storage(variant: Option<&str>) -> KeyStorage {
    let rotations = Wanted::of(variant).map_or(Rounding::None, |wanted| wanted.rotations.rounding());
    KeyStorage { rotations, times: TimeRounding::Single, ..KeyStorage::default() }
}

/// An actor is a skeleton without any motion.
pub(super) fn capabilities(variant: Option<&str>) -> Capabilities {
    match Wanted::of(variant) {
        Ok(Wanted { actor: true, .. }) => Capabilities {
            clips: Clips::Many,
            parts: Parts { hierarchy: true, ..Parts::NONE },
            ..INFO.capabilities
        },
        _ => INFO.capabilities,
    }
}
