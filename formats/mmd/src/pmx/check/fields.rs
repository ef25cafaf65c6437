//! Rules for every field of a kind, checked by one walk over all fields.

use super::spot::{Content, each_field};
use crate::pmx::codes;
use crate::pmx::document::Document;
use crate::pmx::layout::{IndexedList, Need};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

/// Indices point at something, numbers are finite and texts mean something.
pub(super) fn check(document: &Document, report: &mut Report) {
    let encoding = document.header.encoding;
    let mut seen = [codes::INDEX, codes::NONFINITE, codes::TEXT].map(Sightings::of);
    let [wrong_index, nonfinite, odd_text] = &mut seen;
    each_field(document, |field| match field.content {
        Content::Index(index, list, need) => {
            let count = document.length(list);
            let is_element = usize::try_from(index).is_ok_and(|index| index < count);
            if !is_element && (need == Need::Element || index != -1) {
                wrong_index.add(|| field.fault(one_of(count, list, need), index.to_string()));
            }
        }
        Content::Floats(numbers) if numbers.iter().any(|number| !number.is_finite()) => {
            let listed = || numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ");
            nonfinite.add(|| field.fault("finite numbers", listed()));
        }
        Content::Text(text) => {
            if let (shown, true) = text.decode(encoding) {
                let expected = || format!("text in {}", encoding.word());
                odd_text.add(|| field.fault(expected(), format!("\"{shown}\"")));
            }
        }
        Content::Floats(_) | Content::Raw | Content::Count => {}
    });
    seen.into_iter().for_each(|seen| seen.report(report));
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
