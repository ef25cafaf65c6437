//! Vertices, faces and materials.

use super::DocumentCheck;
use crate::pmd::codes;
use crate::pmd::layout::list;
use dopesheet_core::words::counted;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    for (at, vertex) in document.vertices.iter().enumerate().filter(|(_, vertex)| vertex.weight > 100) {
        let what = || ("at most 100", vertex.weight.to_string());
        look.say(codes::WEIGHT_RANGE, &[(list::VERTICES, at)], "weight", what);
    }
    let faces = document.faces.len();
    if !faces.is_multiple_of(3) {
        look.say(codes::FACE_COUNT, &[], list::FACES, || ("a multiple of 3", faces.to_string()));
    }
    let odd = |count: u32| !count.is_multiple_of(3);
    for (at, material) in document.materials.iter().enumerate().filter(|(_, m)| odd(m.index_count)) {
        let what = || ("a multiple of 3", material.index_count.to_string());
        look.say(codes::FACE_COUNT, &[(list::MATERIALS, at)], "index count", what);
    }
    let owned: u64 = document.materials.iter().map(|material| u64::from(material.index_count)).sum();
    if owned != faces as u64 {
        let what = || (format!("materials that own {}", counted(faces, "index")), format!("{owned} owned"));
        look.say(codes::MATERIAL_FACES, &[], list::MATERIALS, what);
    }
    for (at, material) in document.materials.iter().enumerate() {
        // Ten pictures, and the byte for none.
        if (10..255).contains(&material.toon) {
            let what = || ("0 to 9, or 255", material.toon.to_string());
            look.say(codes::TOON, &[(list::MATERIALS, at)], "toon", what);
        }
    }
    let materials = document.materials.iter().enumerate();
    for (at, material) in materials.filter(|(_, material)| material.pictures().is_ambiguous) {
        let what = || ("a colour picture and a sphere at most", format!("{:?}", material.texture.text()));
        look.say(codes::TEXTURE, &[(list::MATERIALS, at)], "texture", what);
    }
}
