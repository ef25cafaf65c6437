//! Morphs: names, panels, and the group that combines others.

use super::PLACES;
use super::math::rounded;
use super::surface::Surface;
use dopesheet_mmd::pmx::{Encoding, GroupOffset, Index, Morph, MorphOffsets, Text, VertexOffset};

const BROW: u8 = 1;
const EYE: u8 = 2;
const MOUTH: u8 = 3;
const OTHER: u8 = 4;

/// Name, name in English, panel; the order of the file.
pub(super) const NAMES: [(&str, &str, u8); 13] = [
    ("あ", "a", MOUTH),
    ("い", "i", MOUTH),
    ("う", "u", MOUTH),
    ("え", "e", MOUTH),
    ("お", "o", MOUTH),
    ("まばたき", "blink", EYE),
    ("ウィンク", "wink", EYE),
    ("ウィンク右", "wink right", EYE),
    ("笑い", "smile", EYE),
    ("怒り", "anger", BROW),
    ("困る", "sadness", BROW),
    ("びっくり", "surprise", EYE),
    ("にこり", "cheerful", BROW),
];

/// The parts of a laugh.
const LAUGH: [(&str, f32); 3] = [("笑い", 1.0), ("にこり", 0.8), ("あ", 0.7)];

/// All of them, for one surface that holds every point of the file.
pub(super) fn morphs(surface: &Surface) -> Vec<Morph> {
    let mut morphs: Vec<Morph> = NAMES.iter().map(|row| morph(row, offsets(surface, row.0))).collect();
    let number = |name: &str| NAMES.iter().position(|row| row.0 == name).map_or(Index::NONE, Index::of);
    let shares = LAUGH.map(|(name, ratio)| GroupOffset { morph: number(name), ratio });
    morphs.push(morph(&("大笑い", "laugh", OTHER), MorphOffsets::Group(shares.to_vec())));
    morphs
}

fn morph(&(name, english, panel): &(&str, &str, u8), offsets: MorphOffsets) -> Morph {
    let [name, english_name] = [name, english].map(|text| Text::new(text, Encoding::Utf16));
    Morph { name, english_name, panel, offsets }
}

fn offsets(surface: &Surface, name: &str) -> MorphOffsets {
    let shifts = surface.shifts.iter().filter(|shift| shift.morph == name);
    let offset = |shift: &super::surface::Shift| VertexOffset {
        vertex: u32::try_from(shift.point).unwrap_or(u32::MAX),
        offset: shift.offset.to_array().map(|x| rounded(x, PLACES)),
    };
    MorphOffsets::Vertex(shifts.map(offset).collect())
}
