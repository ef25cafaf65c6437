//! Names of bones and morphs, used by motions.

use super::DocumentCheck;
use crate::pmx::codes;
use crate::text::Name;
use std::collections::HashMap;

/// Bytes of a name in a motion.
const IN_MOTION: usize = 15;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let bones = document.bones.iter().enumerate().map(|(at, bone)| (("bones", at), &bone.name));
    let morphs = document.morphs.iter().enumerate().map(|(at, morph)| (("morphs", at), &morph.name));
    let names: Vec<_> = bones.chain(morphs).collect();
    for (place, _) in names.iter().filter(|(_, name)| name.0.is_empty()) {
        look.say(codes::NAME_EMPTY, &[*place], "name", || ("a name", "no text"));
    }
    let mut first = HashMap::new();
    for ((list, at), name) in names.iter().filter(|(_, name)| !name.0.is_empty()) {
        let before = *first.entry((list, name)).or_insert(at);
        if before != at {
            let actual = || format!("\"{}\", as {list}[{before}]", document.text(name));
            let what = || ("a name that no other has", actual());
            look.say(codes::NAME_DUPLICATE, &[(list, *at)], "name", what);
        }
    }
    for (place, name) in names {
        let text = document.text(name);
        if !Name::<IN_MOTION>::encode(&text, false).is_ok_and(|encoded| !encoded.is_cut) {
            let what = || ("at most 15 bytes in CP932", format!("\"{text}\""));
            look.say(codes::NAME_LONG, &[place], "name", what);
        }
    }
}
