//! The base morph, and who must not be it.

use super::CheckFn;
use super::spot::fault_at;
use crate::pmd::codes;
use crate::pmd::document::Document;
use crate::pmd::layout::list;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[base_morph, panel_base];

fn base_morph(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::BASE_MORPH);
    for (at, morph) in document.morphs.iter().enumerate().filter(|(at, morph)| morph.is_base() != (*at == 0))
    {
        let expected = if at == 0 { "0, the base" } else { "1 to 4" };
        let what = (expected, format!("{} ({})", morph.panel, morph.name));
        seen.add(|| fault_at(document, &[(list::MORPHS, at)], "panel", what));
    }
    seen.report(report);
}

fn panel_base(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::PANEL_BASE);
    for (at, position) in document.panel_morphs.iter().enumerate() {
        let morph = document.morphs.get(usize::from(*position));
        if let Some(morph) = morph.filter(|morph| morph.is_base()) {
            let what = ("a morph that can be set", format!("{position} ({})", morph.name));
            seen.add(|| fault_at(document, &[(list::PANEL_MORPHS, at)], "morph", what));
        }
    }
    seen.report(report);
}
