//! Rules for every field of a kind, checked by one walk over all fields.

use super::spot::Position;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::{Document, Index, Text};
use crate::pmx::layout::{self, IndexedList, Need, Sink, path};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Sightings;
use dopesheet_core::units::ByteOffset;

pub(super) const CHECKS: &[CheckFn] = &[fields];

/// Indices point at something, numbers are finite and texts mean something.
fn fields(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut look = FieldCheck {
        document,
        position: Position::of(document),
        index: Sightings::of(codes::INDEX),
        nonfinite: Sightings::of(codes::NONFINITE),
        text: Sightings::of(codes::TEXT),
    };
    layout::walk(document, &mut look);
    [look.index, look.nonfinite, look.text].into_iter().for_each(|seen| seen.report(report));
}

/// A document, the position in it, and its findings so far by check.
struct FieldCheck<'a> {
    document: &'a Document,
    position: Position,
    index: Sightings,
    nonfinite: Sightings,
    text: Sightings,
}

fn fault_here(position: &Position, field: &str, expected: String, found: String) -> Fault {
    let byte = Place::Byte(ByteOffset(position.offset as u64));
    Fault::new("", byte, expected, found).at_path(path(&position.lists, field))
}

/// `one of 4 bones`, or the reason why no index is valid.
fn one_of(count: usize, list: IndexedList, need: Need) -> String {
    let or_none = if need == Need::OrNone { " or -1" } else { "" };
    match count.checked_sub(1) {
        Some(last) => format!("0 to {last}{or_none}, one of {count} {}", list.word()),
        None => {
            format!("{}as there are no {}", if need == Need::OrNone { "-1, " } else { "none, " }, list.word())
        }
    }
}

impl FieldCheck<'_> {
    fn pointer(&mut self, field: &'static str, index: i64, list: IndexedList, need: Need) {
        let count = self.document.length(list);
        let is_element = usize::try_from(index).is_ok_and(|index| index < count);
        let is_none = need == Need::OrNone && index == -1;
        if !is_element && !is_none {
            let position = &self.position;
            self.index.add(|| fault_here(position, field, one_of(count, list, need), index.to_string()));
        }
        self.position.index(list);
    }
}

impl Sink for FieldCheck<'_> {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.position.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.position.lists.pop();
    }

    fn raw(&mut self, _field: &'static str, bytes: &[u8]) {
        self.position.offset += bytes.len();
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        if numbers.iter().any(|number| !number.is_finite()) {
            let listed = numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ");
            let position = &self.position;
            self.nonfinite.add(|| fault_here(position, field, "finite numbers".to_owned(), listed));
        }
        self.position.floats(numbers);
    }

    fn text(&mut self, field: &'static str, text: &Text) {
        let encoding = self.document.header.encoding;
        if let (shown, true) = text.decode(encoding) {
            let position = &self.position;
            let expected = format!("text in {}", encoding.word());
            self.text.add(|| fault_here(position, field, expected, format!("\"{shown}\"")));
        }
        self.position.text(text);
    }

    fn index(&mut self, field: &'static str, index: Index, list: IndexedList, need: Need) {
        self.pointer(field, index.0.into(), list, need);
    }

    fn vertex(&mut self, field: &'static str, vertex: u32) {
        self.pointer(field, vertex.into(), IndexedList::Vertices, Need::Element);
    }

    fn count(&mut self, _list: &'static str, _count: usize) {
        self.position.count();
    }
}
