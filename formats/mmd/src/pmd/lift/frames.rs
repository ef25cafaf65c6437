//! Groups of bones and morphs in editors.

use super::fields::{ENCODING, english, index, text_of};
use crate::pmd::document::Document;
use crate::pmx::{self, FrameElement};
use crate::text::Name;

/// The two special groups of every PMX model, and the groups of the file.
pub(super) fn display_frames(document: &Document) -> Vec<pmx::DisplayFrame> {
    let mut frames = vec![root(document), expressions(document)];
    let english = english(document).map(|english| english.bone_frames.as_slice()).unwrap_or_default();
    let mut listed = vec![Vec::new(); document.bone_frames.len()];
    for framed in &document.framed_bones {
        let frame = usize::from(framed.frame).checked_sub(1).and_then(|frame| listed.get_mut(frame));
        if let Some(elements) = frame {
            elements.push(FrameElement::Bone(index(framed.bone)));
        }
    }
    for (position, (name, elements)) in document.bone_frames.iter().zip(listed).enumerate() {
        let english_name = english.get(position).map(line).unwrap_or_default();
        frames.push(pmx::DisplayFrame { name: line(name), english_name, special: 0, elements });
    }
    frames
}

/// Names of groups end with a line feed.
fn line<const N: usize>(name: &Name<N>) -> pmx::Text {
    text_of(name.until_nul().trim_ascii_end())
}

fn special(name: &str, english_name: &str, elements: Vec<FrameElement>) -> pmx::DisplayFrame {
    let text = |text| pmx::Text::new(text, ENCODING);
    pmx::DisplayFrame { name: text(name), english_name: text(english_name), special: 1, elements }
}

/// The first bone, which PMD lists nowhere.
fn root(document: &Document) -> pmx::DisplayFrame {
    let first = document.bones.first().map(|_| FrameElement::Bone(pmx::Index(0)));
    special("Root", "Root", first.into_iter().collect())
}

/// The morphs of the panel. Their positions in the file count the base, which the PMX model lacks.
fn expressions(document: &Document) -> pmx::DisplayFrame {
    let without_base = |morph: &u16| {
        let before = document.morphs.get(..=usize::from(*morph))?;
        let (last, before) = before.split_last()?;
        let position = before.iter().filter(|morph| !morph.is_base()).count();
        (!last.is_base()).then(|| FrameElement::Morph(pmx::Index::of(position)))
    };
    special("表情", "Exp", document.panel_morphs.iter().filter_map(without_base).collect())
}
