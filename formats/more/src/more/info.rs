//! Description of the format: names, extensions, capabilities.

use super::codes;
pub(super) use super::codes::ID;
use super::document::{Document, Resource};
use super::layout::{BIG, LITTLE};
use crate::BASIS;
use dopesheet_core::bytes::Endian;
use dopesheet_core::format::{
    Capabilities, Confidence, FormatInfo, Hint, LawSet, Magic, Parts, Role, Summary, Variant,
};

/// Numbers and vectors: a track of Bezier keys holds steps, straight segments and cubics side by side.
const VECTOR_LAWS: LawSet = LawSet { step: true, linear: true, hermite: true, mixed: true, ..LawSet::NONE };
/// Rotations: a track steps or runs along great arcs.
const ROTATION_LAWS: LawSet = LawSet { step: true, linear: true, ..LawSet::NONE };

macro_rules! variants {
    ($($version:literal)*) => {
        &[$(
            Variant { name: $version, about: concat!("version ", $version) },
        )*]
    };
}

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "MORE animation of Myst IV (ubi resource)",
    extensions: &["ubi"],
    magics: &[Magic { offset: 0, bytes: LITTLE }, Magic { offset: 0, bytes: BIG }],
    role: Role::Scene,
    specifications: &[
        "https://github.com/TomahnaProject/tomahna-project-wiki/blob/main/docs/myst4/file-reference/ubi/more-animation.md",
    ],
    variants: variants!(
        "0x11" "0x10" "0x0f" "0x0e" "0x0d" "0x0c" "0x0b" "0x0a" "0x09" "0x08" "0x07" "0x06" "0x05" "0x04" "0x03"
        "0x02" "0x01" "0x00"
    ),
    capabilities: Capabilities {
        basis: Some(BASIS),
        parts: Parts {
            translation: true,
            rotation: true,
            scale: true,
            morph_tracks: true,
            markers: true,
            custom_tracks: true,
            numbers: true,
            ..Parts::NONE
        },
        vector_laws: VECTOR_LAWS,
        rotation_laws: ROTATION_LAWS,
        negative_times: true,
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let is_magic = head.starts_with(LITTLE) || head.starts_with(BIG);
    match is_magic {
        true if super::read::looks_like(head) => Confidence::Certain,
        // Another serialiser of the game, or a damaged file: reading says what is wrong.
        true => Confidence::Plausible,
        false if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        false => Confidence::No,
    }
}

/// The variant for writing a version and byte order.
pub(super) fn variant_of(version: u32, endian: Endian) -> String {
    let order = if endian == Endian::Big { ",be" } else { "" };
    format!("{version:#04x}{order}")
}

pub(super) fn summary(document: &Document) -> Summary {
    let mut facts = vec![("class", document.resource.class().to_owned())];
    match &document.resource {
        Resource::Animation(animation) => animation_facts(animation, &mut facts),
        Resource::Clip(clip) => {
            facts.push(("layers", clip.content.layers().len().to_string()));
            facts.push(("looping", clip.is_looping.to_string()));
            facts.push(("time scale", clip.time_scale.to_string()));
        }
        Resource::Actor(actor) => {
            facts.push(("bones", actor.bones.len().to_string()));
            facts.push(("event emitters", actor.event_emitters.len().to_string()));
            facts.push(("sound emitters", actor.sound_emitters.len().to_string()));
            facts.push(("mesh channels", actor.channels.len().to_string()));
        }
        Resource::Opaque(opaque) => {
            facts.push(("opaque bytes", opaque.bytes.len().to_string()));
            facts.push(("not understood because", opaque.why.phrase().to_owned()));
            let strings = printable_strings(&opaque.bytes);
            if !strings.is_empty() {
                facts.push(("strings", strings.join(", ")));
            }
        }
    }
    if !document.trailing.is_empty() {
        facts.push(("trailing bytes", document.trailing.len().to_string()));
    }
    Summary {
        version: Some(format!("{:#04x}", document.version)),
        variant: Some(variant_of(document.version, document.endian)),
        facts,
    }
}

fn animation_facts(animation: &super::animation::Animation, facts: &mut Vec<(&'static str, String)>) {
    if let Some(name) = animation.name.as_ref().filter(|name| !name.is_empty()) {
        facts.push(("name", name.text().into_owned()));
    }
    facts.push(("tracks", animation.tracks.len().to_string()));
    facts.push(("delta", animation.is_delta.to_string()));
    facts.push(("instants", animation.instants.len().to_string()));
    let events = animation.events(f64::NEG_INFINITY, f64::INFINITY).count();
    facts.push(("events", events.to_string()));
}

/// The first readable texts in an uninterpreted block, as hints to its nature.
fn printable_strings(bytes: &[u8]) -> Vec<String> {
    const SHORTEST: usize = 4;
    const MOST: usize = 20;
    let runs = bytes.split(|b| !(0x20..=0x7e).contains(b)).filter(|run| run.len() >= SHORTEST);
    runs.take(MOST).map(|run| String::from_utf8_lossy(run).into_owned()).collect()
}
