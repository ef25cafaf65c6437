//! Texts, and the names of bones and morphs used by motions.

use super::DocumentCheck;
use super::spot::{Content, each_field};
use crate::pmd::codes;
use crate::pmd::layout::list;
use crate::text::{Decoded, decode};
use std::collections::BTreeMap;

/// Bytes of a name in a motion.
const IN_MOTION: usize = 15;

/// Fields of text.
const TEXTS: [&str; 6] = ["name", "comment", "English name", "English comment", "texture", "file name"];

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    encoding(look);
    let document = look.document;
    let bones = document.bones.iter().enumerate().map(|(at, bone)| (list::BONES, at, &bone.name));
    let morphs = document.morphs.iter().enumerate().map(|(at, morph)| (list::MORPHS, at, &morph.name));
    let names: Vec<_> = bones.chain(morphs).collect();
    for (list, at, _) in names.iter().filter(|(_, _, name)| name.key().is_empty()) {
        look.say(codes::NAME_EMPTY, &[(list, *at)], "name", || ("a name", "an empty field"));
    }
    let mut first = BTreeMap::new();
    for (list, at, name) in names.iter().filter(|(_, _, name)| !name.key().is_empty()) {
        let before = *first.entry((list, name.cleared())).or_insert(at);
        if before != at {
            let what = || ("a name that no other has", format!("{:?}, as {list}[{before}]", name.text()));
            look.say(codes::NAME_DUPLICATE, &[(list, *at)], "name", what);
        }
    }
    for (list, at, name) in names.iter().filter(|(_, _, name)| name.key().len() > IN_MOTION) {
        let what = || ("at most 15 bytes", format!("{} ({:?})", name.key().len(), name.text()));
        look.say(codes::NAME_LONG, &[(list, *at)], "name", what);
    }
}

fn encoding(look: &mut DocumentCheck<'_>) {
    let seen = &mut look.seen;
    each_field(look.document, |field| {
        let Content::Raw(bytes) = field.content else { return };
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        if !TEXTS.contains(&field.name) || text.is_ascii() {
            return;
        }
        let Decoded { text: decoded, has_unknown_bytes, is_cut } = decode(text);
        if has_unknown_bytes {
            seen.add(codes::NAME_ENCODING, || field.fault("text in CP932", format!("{decoded:?}")));
        }
        if is_cut {
            let actual = || format!("{decoded:?} and half a character");
            seen.add(codes::NAME_CUT, || field.fault("whole characters", actual()));
        }
    });
}
