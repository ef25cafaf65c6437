//! Texts, and the names by which motions call bones and morphs.

use super::CheckFn;
use super::spot::{Position, fault, fault_at};
use crate::pmd::codes;
use crate::pmd::document::Document;
use crate::pmd::layout::{Sink, Width, list, walk};
use crate::text::{Decoded, Name, decode};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use std::collections::BTreeMap;

pub(super) const CHECKS: &[CheckFn] = &[encoding, name_empty, name_duplicate, name_long];

/// Bytes of a name in a motion.
const IN_MOTION: usize = 15;

/// Fields that are texts.
const TEXTS: [&str; 6] = ["name", "comment", "English name", "English comment", "texture", "file name"];

/// Looks at every text of the file.
struct Texts {
    position: Position,
    unknown: Sightings,
    cut: Sightings,
}

impl Texts {
    fn look(&mut self, field: &str, bytes: &[u8]) {
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        if text.is_ascii() {
            return;
        }
        let Decoded { text: decoded, has_unknown_bytes, is_cut } = decode(text);
        let position = &self.position;
        let at = |expected: &'static str, found: String| {
            fault(position.offset, expected, found).at_path(Position::path(&position.lists, field))
        };
        if has_unknown_bytes {
            self.unknown.add(|| at("text in CP932", format!("{decoded:?}")));
        }
        if is_cut {
            self.cut.add(|| at("whole characters", format!("{decoded:?} and half a character")));
        }
    }
}

impl Sink for Texts {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.position.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.position.lists.pop();
    }

    fn raw(&mut self, field: &'static str, bytes: &[u8]) {
        if TEXTS.contains(&field) {
            self.look(field, bytes);
        }
        self.position.offset += bytes.len();
    }

    fn floats(&mut self, _field: &'static str, numbers: &[f32]) {
        self.position.offset += size_of_val(numbers);
    }

    fn count(&mut self, _list: &'static str, width: Width, _count: usize) {
        self.position.offset += width.bytes();
    }
}

fn encoding(document: &Document, report: &mut Report) {
    let (unknown, cut) = (Sightings::of(codes::NAME_ENCODING), Sightings::of(codes::NAME_CUT));
    let mut texts = Texts { position: Position::default(), unknown, cut };
    walk(document, &mut texts);
    texts.unknown.report(report);
    texts.cut.report(report);
}

/// The names of bones and of morphs, with the list and the position of each.
fn names(document: &Document) -> impl Iterator<Item = (&'static str, usize, &Name<20>)> {
    let bones = document.bones.iter().enumerate().map(|(at, bone)| (list::BONES, at, &bone.name));
    bones.chain(document.morphs.iter().enumerate().map(|(at, morph)| (list::MORPHS, at, &morph.name)))
}

fn name_empty(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::NAME_EMPTY);
    for (list, at, _) in names(document).filter(|(_, _, name)| name.key().is_empty()) {
        seen.add(|| fault_at(document, &[(list, at)], "name", ("a name", "an empty field")));
    }
    seen.report(report);
}

fn name_duplicate(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::NAME_DUPLICATE);
    let mut first = BTreeMap::new();
    for (list, at, name) in names(document).filter(|(_, _, name)| !name.key().is_empty()) {
        let before = *first.entry((list, name.cleared())).or_insert(at);
        if before != at {
            let what = ("a name that no other has", format!("{:?}, as {list}[{before}]", name.text()));
            seen.add(|| fault_at(document, &[(list, at)], "name", what));
        }
    }
    seen.report(report);
}

fn name_long(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::NAME_LONG);
    for (list, at, name) in names(document).filter(|(_, _, name)| name.key().len() > IN_MOTION) {
        let what = ("at most 15 bytes", format!("{} ({:?})", name.key().len(), name.text()));
        seen.add(|| fault_at(document, &[(list, at)], "name", what));
    }
    seen.report(report);
}
