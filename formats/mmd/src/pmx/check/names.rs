//! Names of bones and morphs, used by motions.

use super::spot::fault_at;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::{Document, Text};
use crate::text::Name;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use std::collections::HashMap;

pub(super) const CHECKS: &[CheckFn] = &[empty, duplicate, long];

/// Bytes of a name in a motion.
const IN_MOTION: usize = 15;

/// The names of bones and of morphs, with the list and the position of each.
fn lists(document: &Document) -> [(&'static str, Vec<&Text>); 2] {
    [
        ("bones", document.bones.iter().map(|bone| &bone.name).collect()),
        ("morphs", document.morphs.iter().map(|morph| &morph.name).collect()),
    ]
}

fn empty(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::NAME_EMPTY));
    for (list, names) in lists(document) {
        for (index, _) in names.iter().enumerate().filter(|(_, name)| name.0.is_empty()) {
            seen.add(|| fault_at(document, &[(list, index)], "name", ("a name", "no text")));
        }
    }
    seen.report(report);
}

fn duplicate(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::NAME_DUPLICATE));
    for (list, names) in lists(document) {
        let mut first = HashMap::new();
        for (index, name) in names.into_iter().enumerate().filter(|(_, name)| !name.0.is_empty()) {
            if let Some(before) = first.get(name) {
                let actual = || format!("\"{}\", as {list}[{before}]", document.text(name));
                let what = || ("a name that no other has", actual());
                seen.add(|| fault_at(document, &[(list, index)], "name", what()));
                continue;
            }
            first.insert(name, index);
        }
    }
    seen.report(report);
}

fn long(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::NAME_LONG));
    for (list, names) in lists(document) {
        for (index, name) in names.into_iter().enumerate() {
            let text = document.text(name);
            let fits = Name::<IN_MOTION>::encode(&text, false).is_ok_and(|encoded| !encoded.is_cut);
            if !fits {
                let what = ("at most 15 bytes in CP932", format!("\"{text}\""));
                seen.add(|| fault_at(document, &[(list, index)], "name", what));
            }
        }
    }
    seen.report(report);
}
