//! Vertices, faces and materials.

use super::spot::{fault_at, locate};
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::Skinning;
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[face_count, material_faces, normal, weight_range, weight_sum];

fn face_count(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::FACE_COUNT));
    let faces = document.faces.len();
    if !faces.is_multiple_of(3) {
        seen.add(|| {
            Fault::new("", locate(document, &[], "faces"), "a multiple of 3", faces.to_string())
                .at_path("faces")
        });
    }
    for (index, material) in document.materials.iter().enumerate() {
        if material.index_count % 3 != 0 {
            let what = ("a multiple of 3", material.index_count.to_string());
            seen.add(|| fault_at(document, &[("materials", index)], "index count", what));
        }
    }
    seen.report(report);
}

fn material_faces(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::MATERIAL_FACES));
    let faces = document.faces.len();
    for (index, material) in document.materials.iter().enumerate().filter(|(_, m)| m.index_count < 0) {
        let what = ("0 or more", material.index_count.to_string());
        seen.add(|| fault_at(document, &[("materials", index)], "index count", what));
    }
    let owned: i64 = document.materials.iter().map(|material| i64::from(material.index_count)).sum();
    if owned != faces as i64 {
        let expected = format!("{owned}, the sum of all materials");
        seen.add(|| {
            Fault::new("", locate(document, &[], "faces"), expected, faces.to_string()).at_path("faces")
        });
    }
    seen.report(report);
}

/// Smallest reported difference of a normal's length from 1.
const REMARKABLE: f32 = 0.01;

fn normal(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::NORMAL));
    for (index, vertex) in document.vertices.iter().enumerate() {
        let length = vertex.normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length.is_finite() && (length - 1.0).abs() > REMARKABLE {
            let what = || ("a vector of length 1", format!("length {length}"));
            seen.add(|| fault_at(document, &[("vertices", index)], "normal", what()));
        }
    }
    seen.report(report);
}

/// The name of a vertex's weights and the weights stored in the file.
fn weights(skinning: &Skinning) -> (&'static str, &[f32]) {
    match skinning {
        Skinning::Bdef1(_) => ("weight", &[]),
        Skinning::Bdef2(_, weight) => ("weight", std::slice::from_ref(weight)),
        Skinning::Sdef(sdef) => ("weight", std::slice::from_ref(&sdef.weight)),
        Skinning::Bdef4(_, weights) | Skinning::Qdef(_, weights) => ("weights", weights),
    }
}

fn weight_range(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::WEIGHT_RANGE));
    for (index, vertex) in document.vertices.iter().enumerate() {
        let (field, weights) = weights(&vertex.skinning);
        if weights.iter().any(|weight| *weight < 0.0 || *weight > 1.0) {
            let what = || ("0 to 1", format!("{weights:?}"));
            seen.add(|| fault_at(document, &[("vertices", index)], field, what()));
        }
    }
    seen.report(report);
}

/// Smallest reported difference of a sum of weights from 1; four rounded hundredths leave up to 0.02.
const SUM: f32 = 0.02;

fn weight_sum(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::WEIGHT_SUM));
    for (index, vertex) in document.vertices.iter().enumerate() {
        let (Skinning::Bdef4(_, weights) | Skinning::Qdef(_, weights)) = &vertex.skinning else { continue };
        let sum = weights.iter().sum::<f32>();
        if sum.is_finite() && (sum - 1.0).abs() > SUM {
            let what = || ("a sum of 1", format!("{sum}"));
            seen.add(|| fault_at(document, &[("vertices", index)], "weights", what()));
        }
    }
    seen.report(report);
}
