//! Morphs.

use super::DocumentCheck;
use crate::pmx::codes;
use crate::pmx::document::MorphOffsets;

/// Smallest reported difference of a quaternion's length from 1.
const REMARKABLE: f64 = 1e-3;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    for (at, morph) in document.morphs.iter().enumerate() {
        let MorphOffsets::Group(offsets) = &morph.offsets else { continue };
        for (number, offset) in offsets.iter().enumerate() {
            let inner = offset.morph.get().and_then(|inner| document.morphs.get(inner));
            if let Some(inner) = inner.filter(|inner| matches!(inner.offsets, MorphOffsets::Group(_))) {
                let lists = [("morphs", at), ("offsets", number)];
                let actual = || format!("the group {}", document.text(&inner.name));
                look.say(codes::MORPH_NESTED, &lists, "morph", || ("a morph that is no group", actual()));
            }
        }
    }
    for (at, morph) in document.morphs.iter().enumerate() {
        let MorphOffsets::Bone(offsets) = &morph.offsets else { continue };
        for (number, offset) in offsets.iter().enumerate() {
            let length = offset.rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            if length.is_finite() && (length - 1.0).abs() > REMARKABLE {
                let what = || ("a rotation of length 1", format!("length {length:.6}"));
                look.say(codes::ROTATION, &[("morphs", at), ("offsets", number)], "rotation", what);
            }
        }
    }
}
