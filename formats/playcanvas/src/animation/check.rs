//! Checks of a document.

use super::codes;
use super::context::Context;
use super::document::{Animation, Component, Document, Key, KeyNames, Node, Version};
use super::read::parse;
use super::spans::{ArraySpan, KeySpans, NodeSpans, Spans};
use super::splice::text;
use super::write::{member, time_member};
use crate::place::{Member, Warnings};
use dopesheet_core::diag::{Code, Report};
use std::collections::HashMap;

/// Checks the text to be written for the document, because other programs see that text.
pub(super) fn check(document: &Document, report: &mut Report) {
    let text = match text(document) {
        Ok(text) => text,
        Err(fault) => return report.error(fault),
    };
    let mut context = Context::<Spans>::new(document.damaged);
    // What a lenient reader left out was reported when it was left out.
    if parse(&text, &mut context).is_err() {
        return;
    }
    let (animation, spans) = (&context.animation, &context.record);
    let mut look = CheckedAnimation { text: &text, animation, spans, seen: Warnings::of(&text) };
    look.head();
    look.names();
    look.nodes_without();
    look.hidden_values();
    look.missing_components();
    look.extra_elements();
    look.times();
    look.seen.report(report);
}

/// The text under check, its animation, the spans of its parts, and its findings so far.
struct CheckedAnimation<'a> {
    text: &'a str,
    animation: &'a Animation,
    spans: &'a Spans,
    seen: Warnings<'a>,
}

/// A place with a failed check.
#[derive(Clone, Copy, Debug)]
struct Spot {
    at: usize,
    node: usize,
    key: Option<usize>,
    /// Members within node or key.
    members: [&'static str; 2],
}

impl Spot {
    fn pointer(&self) -> String {
        let mut pointer = format!("/animation/nodes/{}", self.node);
        if let Some(key) = self.key {
            pointer.push_str(&format!("/keys/{key}"));
        }
        for member in self.members.iter().filter(|member| !member.is_empty()) {
            pointer.push_str(&format!("/{member}"));
        }
        pointer
    }
}

struct NodeAt<'a> {
    index: usize,
    node: &'a Node,
    spans: &'a NodeSpans,
}

struct KeyAt<'a> {
    node: &'a NodeAt<'a>,
    index: usize,
    key: &'a Key,
    spans: &'a KeySpans,
}

impl NodeAt<'_> {
    fn spot(&self, at: usize, members: [&'static str; 2]) -> Spot {
        Spot { at, node: self.index, key: None, members }
    }

    fn keys(&self) -> impl Iterator<Item = KeyAt<'_>> {
        let keys = self.node.keys.iter().zip(&self.spans.key).enumerate();
        keys.map(|(index, (key, spans))| KeyAt { node: self, index, key, spans })
    }
}

impl KeyAt<'_> {
    /// Time of the key before.
    fn before(&self) -> Option<f64> {
        Some(self.node.node.keys.get(self.index.checked_sub(1)?)?.time)
    }

    fn spot(&self, at: usize, member: &'static str) -> Spot {
        Spot { at, node: self.node.index, key: Some(self.index), members: [member, ""] }
    }

    fn time_spot(&self, animation: &Animation) -> Spot {
        self.spot(self.spans.time.start, time_member(animation.names_of(self.key)))
    }
}

impl<'a> CheckedAnimation<'a> {
    fn nodes(&self) -> impl Iterator<Item = NodeAt<'a>> + use<'a> {
        let nodes = self.animation.nodes.iter().zip(&self.spans.node).enumerate();
        nodes.map(|(index, (node, spans))| NodeAt { index, node, spans })
    }

    fn each_key(&mut self, mut look: impl FnMut(&mut Self, &KeyAt<'_>)) {
        for node in self.nodes() {
            node.keys().for_each(|key| look(self, &key));
        }
    }

    fn add(&mut self, code: Code, spot: Spot, expected: &'static str, found: impl FnOnce() -> String) {
        let name = self.animation.nodes.get(spot.node).map_or("", |node| node.name.as_str());
        self.seen.add(code, spot.at, || Member { pointer: spot.pointer(), name }, expected, found);
    }

    /// The text of a number or another value without elements.
    fn quote(&self, at: usize) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.find([',', ']', '}', '\n', ' ']).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().to_owned()
    }

    /// Version and duration.
    fn head(&mut self) {
        let (text, spans, animation) = (self.text, self.spans, self.animation);
        let start = spans.animation.start;
        let mut add = |code, at, pointer: &str, expected, found| {
            self.seen.add(code, at, || Member { pointer: pointer.to_owned(), name: "" }, expected, || found);
        };
        let (absent, expected) = (codes::W_VERSION_ABSENT.code, "the number 4 (or 3)");
        let pointer = "/animation/version";
        match (&spans.version, animation.version) {
            (None, _) => add(absent, start, "/animation", expected, "no member `version`".to_owned()),
            (Some(span), Version::Absent) => add(absent, span.start, pointer, expected, "null".to_owned()),
            (Some(span), _) if text[span.clone()].starts_with('"') => {
                let actual = format!("the string {}", &text[span.clone()]);
                add(codes::W_VERSION_STRING.code, span.start, pointer, expected, actual);
            }
            _ => {}
        }
        if animation.duration.is_none() {
            let actual = format!("none; the last key ends the clip at {} s", animation.effective_duration());
            let (at, pointer) = match &spans.duration {
                Some(span) => (span.start, "/animation/duration"),
                None => (start, "/animation"),
            };
            add(codes::W_DURATION_ABSENT.code, at, pointer, "a duration in seconds", actual);
        }
    }

    fn names(&mut self) {
        let at = |n: &NodeAt<'_>| n.spans.name.as_ref().unwrap_or(&n.spans.object).start;
        for n in self.nodes().filter(|n| n.node.name.is_empty()) {
            self.add(codes::W_NAME_EMPTY.code, n.spot(at(&n), ["", ""]), "a name", || "none".into());
        }
        let mut first: HashMap<&str, usize> = HashMap::new();
        for n in self.nodes() {
            let other = *first.entry(n.node.name.as_str()).or_insert(n.index);
            if other != n.index {
                let actual = || format!("the name of node {other}; the last of them with keys is played");
                let (spot, expected) = (n.spot(at(&n), ["name", ""]), "a different name for each node");
                self.add(codes::W_DUPLICATE_NAME.code, spot, expected, actual);
            }
        }
    }

    /// Nodes with `default` in place of `defaults`, and nodes without keys.
    fn nodes_without(&mut self) {
        for n in self.nodes() {
            let Some(span) = &n.spans.default_singular().object else { continue };
            let (spot, expected) = (n.spot(span.start, ["default", ""]), "the member `defaults`");
            self.add(codes::W_DEFAULT_SINGULAR.code, spot, expected, || "a member `default`".into());
        }
        for n in self.nodes().filter(|n| n.node.keys.is_empty()) {
            let at = n.spans.keys.as_ref().unwrap_or(&n.spans.object).start;
            let spot = n.spot(at, ["keys", ""]);
            self.add(codes::W_NO_KEYS.code, spot, "at least one key", || "none".into());
        }
    }

    /// Values of keys hidden by other values in `defaults`.
    fn hidden_values(&mut self) {
        self.each_key(|look, k| {
            if look.animation.names_of(k.key) == KeyNames::Long {
                return;
            }
            for component in Component::ALL {
                let (hiding, hidden) = (k.node.node.defaults.numbers(component), k.key.numbers(component));
                if let (Some(hiding), Some(hidden)) = (hiding, hidden)
                    && hiding != hidden
                    && let Some(array) = k.spans.value(component, hidden.len())
                {
                    let spot = k.spot(array.span.start, component.member(KeyNames::Short));
                    let expected = "the value in `defaults`, which overrides it";
                    look.add(codes::W_DEFAULTS_CONFLICT.code, spot, expected, || "another value".into());
                }
            }
        });
    }

    fn missing_components(&mut self) {
        let animation = self.animation;
        self.each_key(|look, k| {
            for component in Component::ALL {
                if animation.value(k.node.node, k.key, component).is_none() {
                    let member = component.member(animation.names_of(k.key));
                    let (spot, expected) =
                        (k.spot(k.spans.object.start, member), "position, rotation and scale");
                    let actual = || format!("no {}", component.word());
                    look.add(codes::W_COMPONENT_MISSING.code, spot, expected, actual);
                }
            }
        });
    }

    fn extra_elements(&mut self) {
        let (animation, nodes) = (self.animation, self.nodes());
        let mut see = |array: Option<&ArraySpan>, used: usize, spot: Spot| {
            if let Some(array) = array.filter(|array| array.elements > used) {
                let (spot, expected) =
                    (Spot { at: array.span.start, ..spot }, "only the numbers that are used");
                let actual = || format!("{} instead of {used}", array.elements);
                self.add(codes::W_EXTRA_ELEMENTS.code, spot, expected, actual);
            }
        };
        for n in nodes {
            for component in Component::ALL {
                let short = component.member(KeyNames::Short);
                see(n.spans.defaults().value(component), 3, n.spot(0, ["defaults", short]));
                see(n.spans.default_singular().value(component), 3, n.spot(0, ["default", short]));
            }
            for k in n.keys() {
                for component in Component::ALL {
                    let Some(numbers) = k.key.numbers(component) else { continue };
                    let name = member(component, animation.names_of(k.key), numbers);
                    see(k.spans.value(component, numbers.len()), numbers.len(), k.spot(0, name));
                }
            }
        }
    }

    /// Times outside the clip, and times in another order.
    fn times(&mut self) {
        let animation = self.animation;
        self.each_key(|look, k| {
            if k.key.time < 0.0 {
                let spot = k.time_spot(animation);
                let actual = look.quote(spot.at);
                look.add(codes::W_KEY_BEFORE_ZERO.code, spot, "a time of 0 or more", || actual);
            }
        });
        self.each_key(|look, k| {
            if let Some(duration) = animation.duration.filter(|duration| k.key.time > *duration) {
                let spot = k.time_spot(animation);
                let actual = format!("{} after the end at {duration}", look.quote(spot.at));
                look.add(codes::W_KEY_AFTER_DURATION.code, spot, "a time within the duration", || actual);
            }
        });
        let expected = "a time after that of the previous key";
        self.each_key(|look, k| {
            if k.before().is_some_and(|before| k.key.time < before) {
                let spot = k.time_spot(animation);
                let actual = look.quote(spot.at);
                look.add(codes::W_UNSORTED.code, spot, expected, || actual);
            }
        });
        self.each_key(|look, k| {
            if k.before() == Some(k.key.time) {
                let spot = k.time_spot(animation);
                let actual = format!("the same time, {}", look.quote(spot.at));
                look.add(codes::W_EQUAL_TIMES.code, spot, expected, || actual);
            }
        });
    }
}
