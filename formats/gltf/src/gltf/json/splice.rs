//! Changes of a JSON text that leave the rest of the text as written.

use super::place::JSON_CODES;
use super::place::span;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, Span};
use dopesheet_core::bytes::text::Patches;
use std::collections::HashMap;

/// Changes of a JSON text, made all at once.
pub(crate) struct JsonPatches<'a> {
    json: &'a str,
    patches: Patches<'a>,
}

impl<'a> JsonPatches<'a> {
    pub(crate) const fn new(json: &'a str) -> Self {
        Self { json, patches: Patches::of(json.as_bytes()) }
    }

    /// Puts `text` in the place of a part of the JSON.
    pub(crate) fn replace(&mut self, span: Span, text: String) {
        self.patches.replace(span, text);
    }

    /// Appends items to a top-level array, which is made if missing.
    pub(crate) fn append(&mut self, name: &str, items: &[String]) {
        let text = items.join(",");
        match span(self.json, &format!("/{name}")) {
            _ if items.is_empty() => {}
            Some(array) => self.insert_last(&array, &text),
            None => {
                let root = span(self.json, "").unwrap_or(0..0);
                self.insert_last(&root, &format!("\"{name}\":[{text}]"));
            }
        }
    }

    /// Spans of the items of a top-level array.
    pub(crate) fn items(&self, name: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut cursor = JsonCursor::from_text(self.json, JSON_CODES);
        // The text has been read before, so it cannot fail.
        let _ = cursor.object(|c, member_name| match member_name == name {
            true => c.array(|c, _| {
                spans.push(c.skip()?);
                Ok(())
            }),
            false => c.skip().map(drop),
        });
        spans
    }

    /// Exchanges items of a top-level array by their positions, in increasing order; items without a new text
    /// are removed.
    pub(crate) fn exchange(&mut self, name: &str, items: &[(usize, Option<String>)]) {
        let spans = self.items(name);
        let gone = |at: usize| {
            items.binary_search_by_key(&at, |item| item.0).is_ok_and(|position| items[position].1.is_none())
        };
        let first = (0..spans.len()).find(|at| !gone(*at)).unwrap_or(spans.len());
        for (at, text) in items {
            let Some(item_span) = spans.get(*at) else { continue };
            let before = at.checked_sub(1).and_then(|before| spans.get(before)).filter(|_| *at > first);
            let cut = match (text, before, spans.get(at + 1)) {
                (Some(_), ..) => item_span.clone(),
                (None, Some(before), _) => before.end..item_span.end,
                (None, None, Some(after)) => item_span.start..after.start,
                (None, None, None) => item_span.clone(),
            };
            self.replace(cut, text.clone().unwrap_or_default());
        }
    }

    /// Puts an item in front of all items of a top-level array.
    pub(crate) fn prepend(&mut self, name: &str, item: &str) {
        if let Some(array) = span(self.json, &format!("/{name}")) {
            self.insert(array.start + 1, format!("{item},"));
        }
    }

    /// Adds a member to the object named by a JSON pointer; does nothing if the object does not exist.
    pub(crate) fn add_member(&mut self, pointer: &str, member: &str) {
        if let Some(object) = span(self.json, pointer) {
            self.insert_last(&object, member);
        }
    }

    /// Puts `text` behind the last item of an array or object.
    fn insert_last(&mut self, brackets: &Span, text: &str) {
        let inside = self.json.get(brackets.start + 1..brackets.end - 1).unwrap_or_default();
        let end = brackets.start + 1 + inside.trim_end().len();
        let comma = if inside.trim().is_empty() { "" } else { "," };
        self.insert(end, format!("{comma}{text}"));
    }

    fn insert(&mut self, at: usize, text: String) {
        self.patches.replace(at..at, text);
    }

    /// The changed text.
    pub(crate) fn apply(self) -> String {
        String::from_utf8(self.patches.apply()).unwrap_or_default()
    }
}

/// A text without a top-level member, if the member is an empty array, which glTF does not allow.
pub(crate) fn without_empty(json: String, name: &str) -> String {
    let Some(value) = span(&json, &format!("/{name}")) else { return json };
    let is_empty = json.get(value.start + 1..value.end - 1).is_some_and(|inside| inside.trim().is_empty());
    let Some(member_span) = member(&json, &value).filter(|_| is_empty) else { return json };
    let [before, behind] =
        [json.get(..member_span.start), json.get(member_span.end..)].map(Option::unwrap_or_default);
    match behind.trim_start().strip_prefix(',') {
        Some(behind) => format!("{before}{behind}"),
        None => format!("{}{behind}", before.trim_end().trim_end_matches(',')),
    }
}

/// Spans of the values of `matrix`, by node.
pub(crate) fn matrices(json: &str) -> HashMap<usize, Span> {
    let mut spans = HashMap::new();
    let mut cursor = JsonCursor::from_text(json, JSON_CODES);
    // The text has been read before, so it cannot fail.
    let _ = cursor.object(|c, name| match name {
        "nodes" => c.array(|c, node| {
            c.object(|c, name| {
                let value = c.skip()?;
                if name == "matrix" {
                    spans.insert(node, value);
                }
                Ok(())
            })
        }),
        _ => c.skip().map(drop),
    });
    spans
}

/// Span of a member with its name, given the span of its value.
pub(crate) fn member(json: &str, value: &Span) -> Option<Span> {
    let before = json.get(..value.start)?.trim_end().strip_suffix(':')?.trim_end().strip_suffix('"')?;
    Some(before.rfind('"')?..value.end)
}

/// A reference into a buffer, made by a buffer view or by the compressed form of a view.
#[derive(Default)]
pub(crate) struct Reference {
    /// The number of the buffer, and the span of that number.
    pub(crate) buffer: usize,
    pub(crate) buffer_span: Span,
    /// `byteOffset`, and its span if the member is present.
    pub(crate) offset: usize,
    pub(crate) offset_span: Option<Span>,
}

/// All references into buffers within `bufferViews`, including the references of compression extensions.
pub(crate) fn references(json: &str) -> Vec<Reference> {
    let mut references = Vec::new();
    let mut cursor = JsonCursor::from_text(json, JSON_CODES);
    // The text has been read before, so it cannot fail.
    let _ = cursor.object(|c, name| match name {
        "bufferViews" => c.array(|c, _| reference(c, &mut references)),
        _ => c.skip().map(drop),
    });
    references
}

fn reference(c: &mut JsonCursor<'_>, references: &mut Vec<Reference>) -> Read<()> {
    let mut new_reference = Reference::default();
    let mut is_one = false;
    c.object(|c, name| match name {
        "buffer" => {
            is_one = true;
            (new_reference.buffer, new_reference.buffer_span) = whole(c)?;
            Ok(())
        }
        "byteOffset" => {
            let (offset, offset_span) = whole(c)?;
            (new_reference.offset, new_reference.offset_span) = (offset, Some(offset_span));
            Ok(())
        }
        "extensions" => c.object(|c, name| match name {
            "EXT_meshopt_compression" | "KHR_meshopt_compression" => reference(c, references),
            _ => c.skip().map(drop),
        }),
        _ => c.skip().map(drop),
    })?;
    if is_one {
        references.push(new_reference);
    }
    Ok(())
}

/// A whole number and its span. Reading has made sure of the number's kind.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and not negative")]
pub(crate) fn whole(c: &mut JsonCursor<'_>) -> Read<(usize, Span)> {
    let number_span = c.clone().skip()?;
    Ok((c.number()? as usize, number_span))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(json: &str, edit: impl FnOnce(&mut JsonPatches<'_>)) -> String {
        let mut edits = JsonPatches::new(json);
        edit(&mut edits);
        edits.apply()
    }

    #[test]
    fn arrays_grow_whatever_their_white_space() {
        let items = ["3".to_owned(), "4".to_owned()];
        for (before, after) in [
            (r#"{"a":[1,2]}"#, r#"{"a":[1,2,3,4]}"#),
            ("{\"a\": [\n 1,\n 2\n ]\n}", "{\"a\": [\n 1,\n 2,3,4\n ]\n}"),
            (r#"{"a":[]}"#, r#"{"a":[3,4]}"#),
            (r#"{"a":[ ]}"#, r#"{"a":[3,4 ]}"#),
            ("{\"b\":1\n}\n", "{\"b\":1,\"a\":[3,4]\n}\n"),
            ("{}", "{\"a\":[3,4]}"),
        ] {
            assert_eq!(edited(before, |e| e.append("a", &items)), after);
        }
        assert_eq!(edited("{\"a\":[1]}", |e| e.append("a", &[])), "{\"a\":[1]}");
        assert_eq!(edited("{\"a\":[1]}", |e| e.prepend("a", "0")), "{\"a\":[0,1]}");
    }

    #[test]
    fn items_are_exchanged_and_taken_out_with_their_commas() {
        let new = |at: usize| (at, Some("9".to_owned()));
        let gone = |at: usize| (at, None);
        for (items, after) in [
            (vec![new(1)], "[0, 9, 2 , 3]"),
            (vec![gone(0)], "[1, 2 , 3]"),
            (vec![gone(1), gone(2)], "[0 , 3]"),
            (vec![gone(2), gone(3)], "[0, 1]"),
            (vec![gone(0), new(1), gone(2), new(3)], "[9 , 9]"),
            (vec![gone(0), gone(1), gone(2), gone(3)], "[]"),
        ] {
            let changed = edited("{\"a\":[0, 1, 2 , 3]}", |e| e.exchange("a", &items));
            assert_eq!(changed.replace(' ', ""), format!("{{\"a\":{after}}}").replace(' ', ""), "{items:?}");
        }
    }

    #[test]
    fn an_empty_list_goes_with_its_name() {
        for (before, after) in [
            (r#"{"a":[],"b":1}"#, r#"{"b":1}"#),
            (r#"{"b":1, "a" : [ ] }"#, r#"{"b":1 }"#),
            (r#"{"a":[]}"#, "{}"),
            (r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        ] {
            assert_eq!(without_empty(before.to_owned(), "a"), after);
        }
    }

    #[test]
    fn edits_at_one_place_keep_their_order() {
        let both = edited("{\"x\":1}", |e| {
            e.append("a", &["1".into()]);
            e.append("b", &["2".into()]);
        });
        assert_eq!(both, "{\"x\":1,\"a\":[1],\"b\":[2]}");
    }

    #[test]
    fn a_member_is_found_with_its_name() {
        let json = "{\"x\":1, \"matrix\" : [1, 2]}";
        let value = span(json, "/matrix").unwrap();
        assert_eq!(&json[member(json, &value).unwrap()], "\"matrix\" : [1, 2]");
    }

    #[test]
    fn buffer_numbers_are_found_in_views_and_their_compression() {
        let json = r#"{"bufferViews":[{"buffer":1,"extensions":{"EXT_meshopt_compression":{"buffer":0,"count":3}}},{"byteLength":4,"buffer": 12}]}"#;
        let numbers: Vec<usize> = references(json).into_iter().map(|r| r.buffer).collect();
        assert_eq!(numbers, [0, 1, 12]);
    }
}
