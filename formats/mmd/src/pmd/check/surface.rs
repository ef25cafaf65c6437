//! Vertices, faces and materials.

use super::CheckFn;
use super::spot::fault_at;
use crate::pmd::codes;
use crate::pmd::document::Document;
use crate::pmd::layout::list;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use dopesheet_core::words::counted;

pub(super) const CHECKS: &[CheckFn] = &[weight_range, face_count, material_faces, toon, texture];

fn weight_range(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::WEIGHT_RANGE);
    for (at, vertex) in document.vertices.iter().enumerate().filter(|(_, vertex)| vertex.weight > 100) {
        let what = ("at most 100", vertex.weight.to_string());
        seen.add(|| fault_at(document, &[(list::VERTICES, at)], "weight", what));
    }
    seen.report(report);
}

fn face_count(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::FACE_COUNT);
    let faces = document.faces.len();
    if !faces.is_multiple_of(3) {
        seen.add(|| fault_at(document, &[], list::FACES, ("a multiple of 3", faces.to_string())));
    }
    let odd = |count: u32| !count.is_multiple_of(3);
    for (at, material) in document.materials.iter().enumerate().filter(|(_, m)| odd(m.index_count)) {
        let what = ("a multiple of 3", material.index_count.to_string());
        seen.add(|| fault_at(document, &[(list::MATERIALS, at)], "index count", what));
    }
    seen.report(report);
}

fn material_faces(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::MATERIAL_FACES);
    let owned: u64 = document.materials.iter().map(|material| u64::from(material.index_count)).sum();
    let there = document.faces.len();
    if owned != there as u64 {
        let what = (format!("materials that own {}", counted(there, "index")), format!("{owned} owned"));
        seen.add(|| fault_at(document, &[], list::MATERIALS, what));
    }
    seen.report(report);
}

/// Ten pictures, and the byte for none.
fn toon(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::TOON);
    for (at, material) in document.materials.iter().enumerate().filter(|(_, m)| (10..255).contains(&m.toon)) {
        let what = ("0 to 9, or 255", material.toon.to_string());
        seen.add(|| fault_at(document, &[(list::MATERIALS, at)], "toon", what));
    }
    seen.report(report);
}

fn texture(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::TEXTURE);
    let materials = document.materials.iter().enumerate();
    for (at, material) in materials.filter(|(_, material)| material.pictures().is_ambiguous) {
        let what = ("a colour picture and a sphere at most", format!("{:?}", material.texture.text()));
        seen.add(|| fault_at(document, &[(list::MATERIALS, at)], "texture", what));
    }
    seen.report(report);
}
