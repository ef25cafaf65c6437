//! The text of a file after a change: nodes and keys that the file has keep their text but for what differs.

use super::Origin;
use crate::animation::context::Context;
use crate::animation::document::{Animation, Document, Key, Node};
use crate::animation::read::parse;
use crate::animation::spans::{KeySpans, NodeSpans, Spans};
use crate::animation::splice::{self, Edits, Item, Items};
use crate::animation::write::write_key;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle, Span};

/// The text of `new`, whose nodes and keys come from those of the document; `None` if that has no text to keep.
pub(super) fn text(document: &Document, new: &Animation, origins: &[Origin]) -> Option<String> {
    if document.source.is_none() || document.damaged {
        return None;
    }
    let source = splice::text(document).ok()?;
    let mut context = Context::<Spans>::new(false);
    parse(&source, &mut context).ok()?;
    let (old, spans) = (context.animation, context.record);
    let mut edits = Edits::of(&source, new);
    edits.animation_head(&old, &spans);
    let writer = Writer { source: &source, new, old: &old, spans: &spans.node };
    let places: Vec<&Span> = spans.node.iter().map(|node| &node.object).collect();
    let nodes = || origins.iter().map(|origin| origin.node);
    match (places.first(), places.last()) {
        (Some(first), Some(last)) if !new.nodes.is_empty() => {
            let text = joined(&source, &places, nodes(), |at| writer.node(at, origins.get(at)?))?;
            edits.patches.put(first.start..last.end, text);
        }
        _ => {
            let items = Items { old: &old.nodes, new: &new.nodes, spans: &spans.node };
            edits.list("nodes", spans.nodes.as_ref(), &spans.animation, &items);
        }
    }
    String::from_utf8(edits.patches.apply()).ok()
}

/// The items of a list with what stands between them: what the file has in front of each, else what it has between its first two.
fn joined(
    source: &str,
    places: &[&Span],
    origins: impl Iterator<Item = Option<usize>>,
    item: impl Fn(usize) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let gap = |at: usize| source.get(places.get(at.checked_sub(1)?)?.end..places.get(at)?.start);
    let usual = gap(1).unwrap_or(",");
    let mut out = Vec::new();
    for (at, origin) in origins.enumerate() {
        if at > 0 {
            out.extend_from_slice(origin.and_then(gap).unwrap_or(usual).as_bytes());
        }
        out.extend(item(at)?);
    }
    Some(out)
}

struct Writer<'a> {
    source: &'a str,
    new: &'a Animation,
    old: &'a Animation,
    spans: &'a [NodeSpans],
}

impl Writer<'_> {
    fn node(&self, at: usize, origin: &Origin) -> Option<Vec<u8>> {
        let new = self.new.nodes.get(at)?;
        let own = origin.node.and_then(|node| Some((self.old.nodes.get(node)?, self.spans.get(node)?)));
        let Some((old, spans)) = own else {
            let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
            new.write(&mut writer, self.new);
            return Some(writer.finish().into_bytes());
        };
        let mut edits = Edits::of(self.source, self.new);
        edits.node_head(old, new, spans);
        let is_in_place = old.keys.len() == new.keys.len()
            && origin.keys.iter().enumerate().all(|(at, key)| *key == Some(at));
        let places: Vec<&Span> = spans.key.iter().map(|key| &key.object).collect();
        match (places.first(), places.last()) {
            _ if is_in_place => {
                for ((old, new), spans) in old.keys.iter().zip(&new.keys).zip(&spans.key) {
                    edits.key(old, new, spans);
                }
            }
            (Some(first), Some(last)) if !new.keys.is_empty() => {
                let text = self.keys(old, new, spans, &origin.keys, &places)?;
                edits.patches.put(first.start..last.end, text);
            }
            _ => {
                let items = Items { old: &old.keys, new: &new.keys, spans: &spans.key };
                edits.list("keys", spans.keys.as_ref(), &spans.object, &items);
            }
        }
        Some(edits.patches.within(&spans.object))
    }

    fn keys(
        &self,
        old: &Node,
        new: &Node,
        spans: &NodeSpans,
        origins: &[Option<usize>],
        places: &[&Span],
    ) -> Option<Vec<u8>> {
        joined(self.source, places, origins.iter().copied(), |at| {
            // A key that the file does not have looks as one beside it.
            let before = origins.get(..=at)?.iter().rev().flatten().next();
            let like = before.or_else(|| origins.iter().flatten().next()).copied().unwrap_or(0);
            let key = new.keys.get(at)?;
            Some(match (old.keys.get(like), spans.key.get(like)) {
                (Some(old), Some(spans)) => self.key(old, key, spans),
                _ => {
                    let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
                    write_key(&mut writer, self.new, key);
                    writer.finish().into_bytes()
                }
            })
        })
    }

    fn key(&self, old: &Key, new: &Key, spans: &KeySpans) -> Vec<u8> {
        let mut edits = Edits::of(self.source, self.new);
        edits.key(old, new, spans);
        edits.patches.within(&spans.object)
    }
}
