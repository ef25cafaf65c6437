//! Morphs.

use super::spot::fault_at;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::MorphOffsets;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[nested, rotation];

fn nested(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::MORPH_NESTED));
    for (index, morph) in document.morphs.iter().enumerate() {
        let MorphOffsets::Group(offsets) = &morph.offsets else { continue };
        for (number, offset) in offsets.iter().enumerate() {
            let inner = offset.morph.get().and_then(|inner| document.morphs.get(inner));
            let Some(inner) = inner.filter(|inner| matches!(inner.offsets, MorphOffsets::Group(_))) else {
                continue;
            };
            let what = || ("a morph that is no group", format!("the group {}", document.text(&inner.name)));
            seen.add(|| fault_at(document, &[("morphs", index), ("offsets", number)], "morph", what()));
        }
    }
    seen.report(report);
}

/// Smallest reported difference of a quaternion's length from 1.
const REMARKABLE: f64 = 1e-3;

fn rotation(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::ROTATION));
    for (index, morph) in document.morphs.iter().enumerate() {
        let MorphOffsets::Bone(offsets) = &morph.offsets else { continue };
        for (number, offset) in offsets.iter().enumerate() {
            let length = offset.rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            if length.is_finite() && (length - 1.0).abs() > REMARKABLE {
                let what = ("a rotation of length 1", format!("length {length:.6}"));
                let lists = [("morphs", index), ("offsets", number)];
                seen.add(|| fault_at(document, &lists, "rotation", what));
            }
        }
    }
    seen.report(report);
}
