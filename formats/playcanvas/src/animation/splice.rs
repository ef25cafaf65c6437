//! Writing an edited document: the text it was read from, with only what was edited replaced.
//!
//! * A number, a name: its own text.
//! * A component taken out of a key or of `defaults`: its value becomes `null`, which means the same.
//! * A member that was not there: put behind the last one of its object.
//! * Nodes or keys put in or taken out: what stands before and after them in the list keeps its text.
//! * Another version: everything, because all members of all keys get other names.

use super::codes;
use super::context::Context;
use super::document::{Animation, Component, Components, Document, Key, KeyNames, Node};
use super::read::parse;
use super::spans::{ArraySpan, ComponentSpans, KeySpans, NodeSpans, Spans};
use super::write::{anew, member, time_member, validate, write_components, write_key, write_node};
use dopesheet_core::bytes::json::{JsonCursor, JsonWriter, NumberStyle, Span};
use dopesheet_core::bytes::text::{Patches, difference};
use dopesheet_core::diag::Fault;
use std::borrow::Cow;

/// The text of a document: as it was read, with what was edited put in its place, or anew.
pub(super) fn text(document: &Document) -> Result<Cow<'_, str>, Fault> {
    match &document.source {
        Some(source) if !document.edited => Ok(Cow::Borrowed(source)),
        Some(source) if !document.damaged => {
            validate(&document.animation)?;
            Ok(Cow::Owned(
                splice(source, &document.animation)
                    .unwrap_or_else(|| anew(&document.animation, document.numbers)),
            ))
        }
        _ => {
            validate(&document.animation)?;
            Ok(Cow::Owned(anew(&document.animation, document.numbers)))
        }
    }
}

/// `source` with the differences between what it says and `animation`; `None` if only a new text will do.
fn splice(source: &str, animation: &Animation) -> Option<String> {
    let mut context = Context::<Spans>::new(false);
    parse(source, &mut context).ok()?;
    let (old, spans) = (context.animation, context.record);
    if old.version != animation.version {
        return None;
    }
    let mut edits = Edits::of(source, animation);
    edits.animation(&old, &spans);
    String::from_utf8(edits.patches.apply()).ok()
}

pub(super) struct Edits<'a> {
    source: &'a str,
    animation: &'a Animation,
    pub(super) patches: Patches<'a>,
}

impl<'a> Edits<'a> {
    /// Changes of `source` that make it say what `animation` says; none yet.
    pub(super) const fn of(source: &'a str, animation: &'a Animation) -> Self {
        Self { source, animation, patches: Patches::of(source.as_bytes()) }
    }
}

impl Edits<'_> {
    fn replace(&mut self, span: &Span, write: impl FnOnce(&mut JsonWriter)) {
        let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
        write(&mut writer);
        self.patches.put(span.clone(), writer.finish());
    }

    /// Puts a member behind the last one of an object.
    fn insert(&mut self, object: &Span, name: &str, write: impl FnOnce(&mut JsonWriter)) {
        let inside = self.source[object.start + 1..object.end - 1].trim_end();
        let at = object.start + 1 + inside.len();
        // What is put into an empty object follows one after the other.
        let is_first =
            inside.trim_start().is_empty() && self.patches.last().is_none_or(|span| *span != (at..at));
        let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
        write(writer.name(name));
        let comma = if is_first { "" } else { "," };
        self.patches.put(at..at, format!("{comma}{}", writer.finish()));
    }

    /// Replaces a member's value or puts the member in.
    fn set(&mut self, span: Option<&Span>, object: &Span, name: &str, write: impl FnOnce(&mut JsonWriter)) {
        match span {
            Some(span) => self.replace(span, write),
            None => self.insert(object, name, write),
        }
    }

    fn animation(&mut self, old: &Animation, spans: &Spans) {
        self.animation_head(old, spans);
        let items = Items { old: &old.nodes, new: &self.animation.nodes, spans: &spans.node };
        self.list("nodes", spans.nodes.as_ref(), &spans.animation, &items);
    }

    /// Everything but the nodes.
    pub(super) fn animation_head(&mut self, old: &Animation, spans: &Spans) {
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

    fn node(&mut self, old: &Node, new: &Node, spans: &NodeSpans) {
        self.node_head(old, new, spans);
        let items = Items { old: &old.keys, new: &new.keys, spans: &spans.key };
        self.list("keys", spans.keys.as_ref(), &spans.object, &items);
    }

    /// Everything but the keys.
    pub(super) fn node_head(&mut self, old: &Node, new: &Node, spans: &NodeSpans) {
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
        if !self.source[object.clone()].starts_with('{') {
            return self.replace(object, |w| write_components(w, new));
        }
        for component in Component::ALL {
            let (old, new) = (old.numbers(component), new.numbers(component));
            self.component(old, new, spans.value(component), object, component.member(KeyNames::Short));
        }
    }

    pub(super) fn key(&mut self, old: &Key, new: &Key, spans: &KeySpans) {
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

    /// Replaces those numbers of an array that differ.
    fn numbers(&mut self, old: &[f64], new: &[f64], array: &ArraySpan) {
        let start = array.span.start;
        let mut cursor = JsonCursor::from_text(&self.source[array.span.clone()], codes::JSON);
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

    /// A list of nodes or keys. Where its length changed, what both lists begin and end with keeps its text.
    pub(super) fn list<T: Item>(
        &mut self,
        name: &str,
        list: Option<&Span>,
        object: &Span,
        items: &Items<'_, T>,
    ) {
        let Items { old, new, spans } = *items;
        if old.len() == new.len() {
            for ((old, new), spans) in old.iter().zip(new).zip(spans) {
                T::edit(self, old, new, spans);
            }
            return;
        }
        let [gone, put] = difference(old, new, T::eq);
        let (head, tail) = (&spans[..gone.start], &spans[gone.end..]);
        // Equal numbers may be of another sign.
        for ((old, new), spans) in old.iter().zip(new).zip(head) {
            T::edit(self, old, new, spans);
        }
        for ((old, new), spans) in old[gone.end..].iter().zip(&new[put.end..]).zip(tail) {
            T::edit(self, old, new, spans);
        }
        let (gone, put) = (&spans[gone], &new[put]);
        match list.filter(|list| self.source[(*list).clone()].starts_with('[')) {
            Some(list) => self.swap(list, (head, gone, tail), put),
            None => {
                let animation = self.animation;
                self.set(list, object, name, |w| {
                    w.array(|w| put.iter().for_each(|item| item.write(w, animation)));
                });
            }
        }
    }

    /// Replaces the middle of a list.
    fn swap<T: Item>(&mut self, list: &Span, (head, gone, tail): Parts<'_, T::Spans>, put: &[T]) {
        let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
        for item in put {
            item.write(&mut writer, self.animation);
        }
        let text = writer.finish();
        let [before, first, last, after] =
            [head.last(), gone.first(), gone.last(), tail.first()].map(|spans| spans.map(T::span));
        let (span, text) = match (first.zip(last), before, after) {
            (Some((first, last)), ..) if !put.is_empty() => (first.start..last.end, text),
            (Some((_, last)), Some(before), _) => (before.end..last.end, text),
            (Some((first, _)), None, Some(after)) => (first.start..after.start, text),
            (None, Some(before), _) => (before.end..before.end, format!(",{text}")),
            (None, None, Some(after)) => (after.start..after.start, format!("{text},")),
            (_, None, None) => (list.start + 1..list.end - 1, text),
        };
        self.patches.put(span, text);
    }
}

/// Items before, in and after a changed part of a list.
type Parts<'a, S> = (&'a [S], &'a [S], &'a [S]);

pub(super) struct Items<'a, T: Item> {
    pub(super) old: &'a [T],
    pub(super) new: &'a [T],
    pub(super) spans: &'a [T::Spans],
}

/// A thing that stands in a list.
pub(super) trait Item: PartialEq {
    type Spans;
    fn span(spans: &Self::Spans) -> &Span;
    fn edit(edits: &mut Edits<'_>, old: &Self, new: &Self, spans: &Self::Spans);
    fn write(&self, writer: &mut JsonWriter, animation: &Animation);
}

impl Item for Node {
    type Spans = NodeSpans;

    fn span(spans: &NodeSpans) -> &Span {
        &spans.object
    }

    fn edit(edits: &mut Edits<'_>, old: &Self, new: &Self, spans: &NodeSpans) {
        edits.node(old, new, spans);
    }

    fn write(&self, writer: &mut JsonWriter, animation: &Animation) {
        write_node(writer, animation, self);
    }
}

impl Item for Key {
    type Spans = KeySpans;

    fn span(spans: &KeySpans) -> &Span {
        &spans.object
    }

    fn edit(edits: &mut Edits<'_>, old: &Self, new: &Self, spans: &KeySpans) {
        edits.key(old, new, spans);
    }

    fn write(&self, writer: &mut JsonWriter, animation: &Animation) {
        write_key(writer, animation, self);
    }
}

/// True if both are absent or the same number, sign of zero included.
fn same_number(a: Option<f64>, b: Option<f64>) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}
