//! Writing an edited document: the text from which it was read, with only the edited parts replaced.
//!
//! * A number, a name: its own text.
//! * A component taken out of a key or of `defaults`: its value becomes `null`, which has the same meaning.
//! * A new member: put behind the last member of its object.
//! * Nodes or keys put in or taken out: the items before and after them in the list keep their text.
//! * Another version: everything, because all members of all keys get other names.

use super::codes;
use super::context::Context;
use super::document::{Animation, Component, Components, Document, Key, KeyNames, Node};
use super::read::parse;
use super::spans::{ArraySpan, ComponentSpans, KeySpans, NodeSpans, Spans};
use super::write::{anew, member, time_member, validate, write_components, write_key, write_node};
use crate::comments::blanked;
use dopesheet_core::bytes::json::{JsonCursor, JsonWriter, NumberStyle, Span};
use dopesheet_core::bytes::text::{Patches, origins, rearranged};
use dopesheet_core::diag::Fault;
use std::borrow::Cow;

/// Index in the file of a node, and of each of its keys; `None` for nodes and keys not in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Origin {
    pub(super) node: Option<usize>,
    pub(super) keys: Vec<Option<usize>>,
}

/// The text of a document: as read, with edited parts replaced, or anew.
pub(super) fn text(document: &Document) -> Result<Cow<'_, str>, Fault> {
    if let Some(source) = document.source.as_ref().filter(|_| !document.edited) {
        return Ok(Cow::Borrowed(source));
    }
    validate(&document.animation)?;
    let source = document.source.as_ref().filter(|_| !document.damaged);
    let written = source.and_then(|source| written(source, &document.animation, edited));
    Ok(Cow::Owned(written.unwrap_or_else(|| anew(&document.animation, document.numbers))))
}

/// The text of a document changed to state `new`, with `origins` for the nodes and keys that come from the
/// document; `None` if there is no text to keep.
pub(super) fn changed(document: &Document, new: &Animation, origins: Vec<Origin>) -> Option<String> {
    document.source.as_ref().filter(|_| !document.damaged)?;
    written(&text(document).ok()?, new, |_, _| origins)
}

/// The origins of an edit without given origins: equal nodes and keys.
fn edited(old: &Animation, new: &Animation) -> Vec<Origin> {
    let nodes = origins(&old.nodes, &new.nodes, Node::eq).into_iter().zip(&new.nodes);
    let origin = |(node, new): (Option<usize>, &Node)| {
        let old = node.and_then(|at| old.nodes.get(at));
        Origin { node, keys: old.map_or_else(Vec::new, |old| origins(&old.keys, &new.keys, Key::eq)) }
    };
    nodes.map(origin).collect()
}

/// `source` changed to state `new`, whose nodes and keys have the given `origins` in the text; `None` if only
/// a new text will do.
fn written(
    source: &str,
    new: &Animation,
    origins: impl FnOnce(&Animation, &Animation) -> Vec<Origin>,
) -> Option<String> {
    let mut context = Context::<Spans>::new(false);
    let comment = parse(source, &mut context).ok()?;
    let blank = comment.and_then(|_| blanked(source)).map(|(_, blank)| blank);
    let text = Text { source, plain: blank.as_deref().unwrap_or(source) };
    let (old, spans) = (context.animation, context.record);
    if old.version != new.version {
        return None;
    }
    let origins = origins(&old, new);
    let mut edits = AnimationPatches::of(text, new);
    edits.head(&old, &spans);
    let list = ListSpans {
        name: "nodes",
        span: spans.nodes.as_ref(),
        object: &spans.animation,
        items: spans.node.iter().map(|node| node.object.clone()).collect(),
    };
    let nodes: Vec<Option<usize>> = origins.iter().map(|origin| origin.node).collect();
    edits.list(&list, &nodes, |at| {
        let (origin, node) = (origins.get(at)?, new.nodes.get(at)?);
        let stored = origin.node.and_then(|at| Some((old.nodes.get(at)?, spans.node.get(at)?)));
        match stored {
            Some((old, spans)) => node_text(text, new, old, node, spans, &origin.keys),
            None => Some(json(|w| write_node(w, new, node))),
        }
    })?;
    String::from_utf8(edits.patches.apply()).ok()
}

/// The text of a node present in the file.
fn node_text(
    text: Text<'_>,
    animation: &Animation,
    old: &Node,
    new: &Node,
    spans: &NodeSpans,
    origins: &[Option<usize>],
) -> Option<Vec<u8>> {
    let mut edits = AnimationPatches::of(text, animation);
    edits.node_head(old, new, spans);
    let list = ListSpans {
        name: "keys",
        span: spans.keys.as_ref(),
        object: &spans.object,
        items: spans.key.iter().map(|key| key.object.clone()).collect(),
    };
    edits.list(&list, origins, |at| {
        // A key that the file does not have looks as one beside it.
        let before = origins.get(..=at)?.iter().rev().flatten().next();
        let like = before.or_else(|| origins.iter().flatten().next()).copied().unwrap_or(0);
        let key = new.keys.get(at)?;
        let (Some(old), Some(spans)) = (old.keys.get(like), spans.key.get(like)) else {
            return Some(json(|w| write_key(w, animation, key)));
        };
        let mut edits = AnimationPatches::of(text, animation);
        edits.key(old, key, spans);
        Some(edits.patches.within(&spans.object))
    })?;
    Some(edits.patches.within(&spans.object))
}

fn json(write: impl FnOnce(&mut JsonWriter)) -> Vec<u8> {
    let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
    write(&mut writer);
    writer.finish().into_bytes()
}

/// Place of a list of nodes or keys: its member in an object, and its items.
struct ListSpans<'a> {
    name: &'static str,
    span: Option<&'a Span>,
    object: &'a Span,
    items: Vec<Span>,
}

/// The text of an animation, and the same with spaces for comments.
#[derive(Clone, Copy)]
struct Text<'a> {
    source: &'a str,
    plain: &'a str,
}

/// Replacements in the text of an animation.
struct AnimationPatches<'a> {
    plain: &'a str,
    animation: &'a Animation,
    patches: Patches<'a>,
}

impl<'a> AnimationPatches<'a> {
    /// An empty list of changes to a text, whose content is `animation`.
    const fn of(text: Text<'a>, animation: &'a Animation) -> Self {
        Self { plain: text.plain, animation, patches: Patches::of(text.source.as_bytes()) }
    }
}

impl AnimationPatches<'_> {
    fn replace(&mut self, span: &Span, write: impl FnOnce(&mut JsonWriter)) {
        self.patches.replace(span.clone(), json(write));
    }

    /// Puts a member behind the last member of an object.
    fn insert(&mut self, object: &Span, name: &str, write: impl FnOnce(&mut JsonWriter)) {
        let inside = self.plain[object.start + 1..object.end - 1].trim_end();
        let at = object.start + 1 + inside.len();
        // What is put into an empty object follows one after the other.
        let is_first =
            inside.trim_start().is_empty() && self.patches.last().is_none_or(|span| *span != (at..at));
        let comma: &[u8] = if is_first { b"" } else { b"," };
        self.patches.replace(at..at, [comma, &json(|writer| write(writer.name(name)))].concat());
    }

    /// Replaces a member's value or puts the member in.
    fn set(&mut self, span: Option<&Span>, object: &Span, name: &str, write: impl FnOnce(&mut JsonWriter)) {
        match span {
            Some(span) => self.replace(span, write),
            None => self.insert(object, name, write),
        }
    }

    /// Everything but the nodes.
    fn head(&mut self, old: &Animation, spans: &Spans) {
        let new = self.animation;
        if old.name != new.name {
            self.set(spans.name.as_ref(), &spans.animation, "name", |w| {
                w.string(&new.name);
            });
        }
        if !same_number(old.duration, new.duration) {
            self.set(spans.duration.as_ref(), &spans.animation, "duration", |w| match new.duration {
                Some(duration) => {
                    w.number(duration);
                }
                None => {
                    w.raw("null");
                }
            });
        }
    }

    /// Everything but the keys.
    fn node_head(&mut self, old: &Node, new: &Node, spans: &NodeSpans) {
        if old.name != new.name {
            self.set(spans.name.as_ref(), &spans.object, "name", |w| {
                w.string(&new.name);
            });
        }
        self.components(
            "defaults",
            Some(&old.defaults),
            Some(&new.defaults),
            spans.defaults(),
            &spans.object,
        );
        self.components(
            "default",
            old.default.as_deref(),
            new.default.as_deref(),
            spans.default_singular(),
            &spans.object,
        );
    }

    fn components(
        &mut self,
        name: &str,
        old: Option<&Components>,
        new: Option<&Components>,
        spans: &ComponentSpans,
        node: &Span,
    ) {
        if old == new {
            return;
        }
        let (Some(object), Some(old), Some(new)) = (&spans.object, old, new) else {
            return self.set(spans.object.as_ref(), node, name, |w| match new {
                Some(new) => write_components(w, new),
                None => {
                    w.raw("null");
                }
            });
        };
        if !self.plain[object.clone()].starts_with('{') {
            return self.replace(object, |w| write_components(w, new));
        }
        for component in Component::ALL {
            let (old, new) = (old.numbers(component), new.numbers(component));
            self.component(old, new, spans.value(component), object, component.member(KeyNames::Short));
        }
    }

    fn key(&mut self, old: &Key, new: &Key, spans: &KeySpans) {
        let names = self.animation.names_of(new);
        if names != self.animation.names_of(old) {
            let animation = self.animation;
            return self.replace(&spans.object, |w| write_key(w, animation, new));
        }
        if old.time.to_bits() != new.time.to_bits() {
            self.set(Some(&spans.time), &spans.object, time_member(names), |w| {
                w.number(new.time);
            });
        }
        for component in Component::ALL {
            let (old, new) = (old.numbers(component), new.numbers(component));
            if let (Some(before), Some(after)) = (old, new)
                && before.len() != after.len()
            {
                // Angles and quaternion are two members; the one that counted makes room for the other.
                self.key_component(Some(before), None, component, names, spans);
                self.key_component(None, Some(after), component, names, spans);
            } else {
                self.key_component(old, new, component, names, spans);
            }
        }
    }

    fn key_component(
        &mut self,
        old: Option<&[f64]>,
        new: Option<&[f64]>,
        component: Component,
        names: KeyNames,
        spans: &KeySpans,
    ) {
        if let Some(numbers) = old.or(new) {
            let name = member(component, names, numbers);
            self.component(old, new, spans.value(component, numbers.len()), &spans.object, name);
        }
    }

    fn component(
        &mut self,
        old: Option<&[f64]>,
        new: Option<&[f64]>,
        span: Option<&ArraySpan>,
        object: &Span,
        name: &str,
    ) {
        match (old, new, span) {
            (None, None, _) => {}
            (Some(old), Some(new), Some(array)) => self.numbers(old, new, array),
            (_, Some(new), _) => self.set(span.map(|s| &s.span), object, name, |w| {
                w.numbers(new.iter().copied());
            }),
            (Some(_), None, Some(array)) => self.replace(&array.span, |w| {
                w.raw("null");
            }),
            (Some(_), None, None) => {}
        }
    }

    /// Replaces the differing numbers of an array.
    fn numbers(&mut self, old: &[f64], new: &[f64], array: &ArraySpan) {
        let start = array.span.start;
        let mut cursor = JsonCursor::from_text(&self.plain[array.span.clone()], codes::JSON);
        let mut elements = Vec::with_capacity(array.elements);
        let read = cursor.array(|cursor, _| {
            elements.push(cursor.skip()?);
            Ok(())
        });
        debug_assert!(read.is_ok());
        for ((old, new), element) in old.iter().zip(new).zip(elements) {
            if old.to_bits() != new.to_bits() {
                let span = element.start + start..element.end + start;
                self.replace(&span, |w| {
                    w.number(*new);
                });
            }
        }
    }

    /// A list with items from the file; `item` yields their texts.
    fn list(
        &mut self,
        list: &ListSpans<'_>,
        origins: &[Option<usize>],
        item: impl Fn(usize) -> Option<Vec<u8>>,
    ) -> Option<()> {
        let places = &list.items[..];
        if !places.is_empty() && !origins.is_empty() {
            let gap = |[first, second]: &[Span; 2]| self.plain.get(first.end..second.start);
            let gap = places.first_chunk().and_then(gap).unwrap_or(",").as_bytes();
            let (span, text) = rearranged(self.patches.source(), places, gap, origins.iter().copied(), item)?;
            self.patches.replace(span, text);
        } else if places.len() != origins.len() {
            let text = (0..origins.len()).map(item).collect::<Option<Vec<_>>>()?.join(&b',');
            match list.span.filter(|list| self.plain[(*list).clone()].starts_with('[')) {
                Some(span) => self.patches.replace(span.start + 1..span.end - 1, text),
                None => self.set(list.span, list.object, list.name, |w| {
                    w.raw(&format!("[{}]", String::from_utf8_lossy(&text)));
                }),
            }
        }
        Some(())
    }
}

/// True if both are absent or the same number, sign of zero included.
fn same_number(a: Option<f64>, b: Option<f64>) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}
