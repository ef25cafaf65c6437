//! A PMD model as the PMX model made by MikuMikuDance on loading.
//!
//! If programs differ, each rule names the program it follows.

mod bones;
mod fields;
mod frames;
mod materials;
mod physics;
mod surface;

pub(super) use bones::bones;

use super::document::Document;
use crate::pmx;
use dopesheet_core::diag::Report;
use fields::{english, text};

/// The PMX model. Reports losses that a sound file would not have.
pub(super) fn lift(document: &Document, report: &mut Report) -> pmx::Document {
    let mut lifted = pmx::Document {
        name: text(&document.name),
        comment: text(&document.comment),
        vertices: document.vertices.iter().map(surface::vertex).collect(),
        faces: document.faces.iter().copied().map(u32::from).collect(),
        bones: bones(document),
        morphs: surface::morphs(document, report),
        display_frames: frames::display_frames(document),
        rigid_bodies: physics::rigid_bodies(document),
        joints: physics::joints(document),
        pictures: document.pictures.clone(),
        ..pmx::Document::default()
    };
    materials::materials(document, &mut lifted);
    if let Some(english) = english(document) {
        lifted.english_name = text(&english.name);
        lifted.english_comment = text(&english.comment);
    }
    lifted
}
