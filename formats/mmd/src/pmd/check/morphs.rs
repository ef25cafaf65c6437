//! The base morph: only the first morph may be a base, and the panel must not list a base.

use super::DocumentCheck;
use crate::pmd::codes;
use crate::pmd::layout::list;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    for (at, morph) in document.morphs.iter().enumerate().filter(|(at, morph)| morph.is_base() != (*at == 0))
    {
        let expected = if at == 0 { "0, the base" } else { "1 to 4" };
        let what = || (expected, format!("{} ({})", morph.panel, morph.name));
        look.say(codes::BASE_MORPH, &[(list::MORPHS, at)], "panel", what);
    }
    for (at, position) in document.panel_morphs.iter().enumerate() {
        let morph = document.morphs.get(usize::from(*position));
        if let Some(morph) = morph.filter(|morph| morph.is_base()) {
            let what = || ("a morph that can be set", format!("{position} ({})", morph.name));
            look.say(codes::PANEL_BASE, &[(list::PANEL_MORPHS, at)], "morph", what);
        }
    }
}
