//! English names.

use crate::pmx::document::{Document, Text};
use dopesheet_core::model::EnglishNames;
use std::collections::BTreeMap;

/// The English names of the model, its bones, morphs and materials; names of nothing but blanks are none.
pub(super) fn names(document: &Document) -> EnglishNames {
    let text = |own: &Text| Some(document.text(own)).filter(|text| !text.trim().is_empty());
    let pairs = |names: &mut dyn Iterator<Item = (&Text, &Text)>| {
        let mut pairs = BTreeMap::new();
        for (own, english) in names {
            if let Some(english) = text(english) {
                pairs.entry(document.text(own)).or_insert(english);
            }
        }
        pairs
    };
    EnglishNames {
        model: text(&document.english_name),
        nodes: pairs(&mut document.bones.iter().map(|bone| (&bone.name, &bone.english_name))),
        morphs: pairs(&mut document.morphs.iter().map(|morph| (&morph.name, &morph.english_name))),
        materials: pairs(&mut document.materials.iter().map(|own| (&own.name, &own.english_name))),
    }
}
