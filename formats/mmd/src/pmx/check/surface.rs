//! Vertices, faces and materials.

use super::DocumentCheck;
use crate::pmx::codes;
use crate::pmx::document::Skinning;

/// Smallest reported difference of a normal's length from 1.
const REMARKABLE: f32 = 0.01;

/// Smallest reported difference of a sum of weights from 1; four rounded hundredths leave up to 0.02.
const SUM: f32 = 0.02;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    materials(look);
    let vertices = || look.document.vertices.iter().enumerate();
    for (at, vertex) in vertices() {
        let length = vertex.normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length.is_finite() && (length - 1.0).abs() > REMARKABLE {
            let what = || ("a vector of length 1", format!("length {length}"));
            look.say(codes::NORMAL, &[("vertices", at)], "normal", what);
        }
    }
    for (at, vertex) in vertices() {
        let (field, weights) = weights(&vertex.skinning);
        if weights.iter().any(|weight| *weight < 0.0 || *weight > 1.0) {
            let what = || ("0 to 1", format!("{weights:?}"));
            look.say(codes::WEIGHT_RANGE, &[("vertices", at)], field, what);
        }
    }
    for (at, vertex) in vertices() {
        let (Skinning::Bdef4(_, weights) | Skinning::Qdef(_, weights)) = &vertex.skinning else { continue };
        let sum = weights.iter().sum::<f32>();
        if sum.is_finite() && (sum - 1.0).abs() > SUM {
            let what = || ("a sum of 1", format!("{sum}"));
            look.say(codes::WEIGHT_SUM, &[("vertices", at)], "weights", what);
        }
    }
}

fn materials(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let faces = document.faces.len();
    if !faces.is_multiple_of(3) {
        look.say(codes::FACE_COUNT, &[], "faces", || ("a multiple of 3", faces.to_string()));
    }
    let counts = || document.materials.iter().map(|material| material.index_count).enumerate();
    for (at, count) in counts().filter(|(_, count)| count % 3 != 0) {
        let what = || ("a multiple of 3", count.to_string());
        look.say(codes::FACE_COUNT, &[("materials", at)], "index count", what);
    }
    for (at, count) in counts().filter(|(_, count)| *count < 0) {
        let what = || ("0 or more", count.to_string());
        look.say(codes::MATERIAL_FACES, &[("materials", at)], "index count", what);
    }
    let owned: i64 = counts().map(|(_, count)| i64::from(count)).sum();
    if owned != faces as i64 {
        let what = || (format!("{owned}, the sum of all materials"), faces.to_string());
        look.say(codes::MATERIAL_FACES, &[], "faces", what);
    }
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
