//! English names.

use crate::pmx::document::{Document, Text};
use dopesheet_core::model::EnglishNames;
use std::collections::BTreeMap;

/// The English names of the model, its bones, morphs and materials; names of blanks only are left out.
pub(super) fn names(document: &Document) -> EnglishNames {
    let text = |stored: &Text| Some(document.text(stored)).filter(|text| !text.trim().is_empty());
    let pairs = |names: &mut dyn Iterator<Item = (&Text, &Text)>| {
        let mut pairs = BTreeMap::new();
        for (name, english) in names {
            if let Some(english) = text(english) {
                pairs.entry(document.text(name)).or_insert(english);
            }
        }
        pairs
    };
    EnglishNames {
        model: text(&document.english_name),
        nodes: pairs(&mut document.bones.iter().map(|bone| (&bone.name, &bone.english_name))),
        morphs: pairs(&mut document.morphs.iter().map(|morph| (&morph.name, &morph.english_name))),
        materials: pairs(
            &mut document.materials.iter().map(|material| (&material.name, &material.english_name)),
        ),
    }
}
