//! A PMD model as the PMX model that MikuMikuDance makes of it when it loads one.
//!
//! Where programs differ, each rule names whom it follows.

mod bones;
mod frames;
mod materials;
mod physics;
mod surface;

pub(super) use bones::bones;

use super::document::{Document, English, Index};
use crate::pmx;
use crate::text::{Name, decode};
use dopesheet_core::diag::Report;

/// The encoding of lifted texts.
const ENCODING: pmx::Encoding = pmx::Encoding::Utf8;

/// The PMX model. Reports what a sound file would not have lost.
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

/// The English names, if the file has any.
fn english(document: &Document) -> Option<&English> {
    document.english.as_ref().filter(|english| english.flag != 0)
}

fn text<const N: usize>(name: &Name<N>) -> pmx::Text {
    pmx::Text::new(&name.text(), ENCODING)
}

/// The text of a name of which there may be fewer than of what it names.
fn text_at<const N: usize>(names: Option<&[Name<N>]>, position: usize) -> pmx::Text {
    names.and_then(|names| names.get(position)).map(text).unwrap_or_default()
}

fn text_of(bytes: &[u8]) -> pmx::Text {
    pmx::Text::new(&decode(bytes).text, ENCODING)
}

fn index(index: Index) -> pmx::Index {
    index.get().map_or(pmx::Index::NONE, pmx::Index::of)
}
