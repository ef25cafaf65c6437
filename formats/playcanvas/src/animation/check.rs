//! Checks of a document; one function per code.

use super::codes;
use super::context::Context;
use super::document::{Animation, Component, Document, Key, KeyNames, Node, Version};
use super::read::parse;
use super::spans::{ArraySpan, KeySpans, NodeSpans, Spans};
use super::splice::text;
use super::write::{member, time_member};
use crate::place::{Member, fault};
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
    let checked = CheckedAnimation { text: &text, animation: &context.animation, spans: &context.record };
    for check in [
        version,
        duration_absent,
        name_empty,
        duplicate_name,
        default_singular,
        no_keys,
        defaults_conflict,
        component_missing,
        extra_elements,
        key_before_zero,
        key_after_duration,
        unsorted,
        equal_times,
    ] {
        check(&checked, report);
    }
}

/// The text under check, its animation, and the spans of its parts.
struct CheckedAnimation<'a> {
    text: &'a str,
    animation: &'a Animation,
    spans: &'a Spans,
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
    fn spot(&self, at: usize, member: &'static str) -> Spot {
        Spot { at, node: self.node.index, key: Some(self.index), members: [member, ""] }
    }

    fn time_spot(&self, animation: &Animation) -> Spot {
        self.spot(self.spans.time.start, time_member(animation.names_of(self.key)))
    }
}

impl<'a> CheckedAnimation<'a> {
    fn nodes(&self) -> impl Iterator<Item = NodeAt<'a>> {
        let nodes = self.animation.nodes.iter().zip(&self.spans.node).enumerate();
        nodes.map(|(index, (node, spans))| NodeAt { index, node, spans })
    }

    /// All spots of keys yielded by `find`.
    fn keys(&self, mut find: impl FnMut(&KeyAt<'_>, &mut Vec<Spot>)) -> Vec<Spot> {
        let mut spots = Vec::new();
        for node in self.nodes() {
            for key in node.keys() {
                find(&key, &mut spots);
            }
        }
        spots
    }

    /// Reports the first spot, and how many more there are.
    fn warn(
        &self,
        report: &mut Report,
        code: Code,
        spots: &[Spot],
        expected: &'static str,
        describe: impl FnOnce(&Spot) -> String,
    ) {
        let Some(first) = spots.first() else { return };
        let mut actual = describe(first);
        if let more @ 1.. = spots.len() - 1 {
            actual.push_str(&format!(" ({more} more like it)"));
        }
        let mut pointer = format!("/animation/nodes/{}", first.node);
        if let Some(key) = first.key {
            pointer.push_str(&format!("/keys/{key}"));
        }
        for member in first.members.iter().filter(|member| !member.is_empty()) {
            pointer.push_str(&format!("/{member}"));
        }
        let name = self.animation.nodes.get(first.node).map_or("", |node| node.name.as_str());
        report.warn(fault(self.text, first.at, code, Member { pointer, name }, expected, actual));
    }

    /// The text of a number or another value without elements.
    fn quote(&self, at: usize) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.find([',', ']', '}', '\n', ' ']).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().to_owned()
    }
}

fn version(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let expected = "the number 4 (or 3)";
    let warn = |report: &mut Report, code, at, pointer: &str, actual: String| {
        report.warn(fault(
            checked.text,
            at,
            code,
            Member { pointer: pointer.to_owned(), name: "" },
            expected,
            actual,
        ));
    };
    match (&checked.spans.version, checked.animation.version) {
        (None, _) => {
            let at = checked.spans.animation.start;
            warn(report, codes::W_VERSION_ABSENT.code, at, "/animation", "no member `version`".into());
        }
        (Some(span), Version::Absent) => {
            warn(report, codes::W_VERSION_ABSENT.code, span.start, "/animation/version", "null".into());
        }
        (Some(span), _) if checked.text[span.clone()].starts_with('"') => {
            let actual = format!("the string {}", &checked.text[span.clone()]);
            warn(report, codes::W_VERSION_STRING.code, span.start, "/animation/version", actual);
        }
        _ => {}
    }
}

fn duration_absent(checked: &CheckedAnimation<'_>, report: &mut Report) {
    if checked.animation.duration.is_some() {
        return;
    }
    let actual = format!("none; the last key ends the clip at {} s", checked.animation.effective_duration());
    let (at, pointer) = match &checked.spans.duration {
        Some(span) => (span.start, "/animation/duration"),
        None => (checked.spans.animation.start, "/animation"),
    };
    let (code, expected) = (codes::W_DURATION_ABSENT.code, "a duration in seconds");
    report.warn(fault(
        checked.text,
        at,
        code,
        Member { pointer: pointer.into(), name: "" },
        expected,
        actual,
    ));
}

fn name_empty(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let unnamed = checked.nodes().filter(|n| n.node.name.is_empty());
    let spots: Vec<Spot> =
        unnamed.map(|n| n.spot(n.spans.name.as_ref().unwrap_or(&n.spans.object).start, ["", ""])).collect();
    checked.warn(report, codes::W_NAME_EMPTY.code, &spots, "a name", |_| "none".into());
}

fn duplicate_name(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut spots = Vec::new();
    for n in checked.nodes() {
        if *first.entry(n.node.name.as_str()).or_insert(n.index) != n.index {
            spots.push(n.spot(n.spans.name.as_ref().unwrap_or(&n.spans.object).start, ["name", ""]));
        }
    }
    checked.warn(report, codes::W_DUPLICATE_NAME.code, &spots, "a different name for each node", |spot| {
        let name = checked.animation.nodes.get(spot.node).map_or("", |n| n.name.as_str());
        let other = first.get(name).copied().unwrap_or_default();
        format!("the name of node {other}; the last of them with keys is played")
    });
}

fn default_singular(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let spots: Vec<Spot> = checked
        .nodes()
        .filter_map(|n| Some(n.spot(n.spans.default_singular().object.as_ref()?.start, ["default", ""])))
        .collect();
    let expected = "the member `defaults`";
    checked.warn(report, codes::W_DEFAULT_SINGULAR.code, &spots, expected, |_| "a member `default`".into());
}

fn no_keys(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let without = checked.nodes().filter(|n| n.node.keys.is_empty());
    let spots: Vec<Spot> = without
        .map(|n| n.spot(n.spans.keys.as_ref().unwrap_or(&n.spans.object).start, ["keys", ""]))
        .collect();
    checked.warn(report, codes::W_NO_KEYS.code, &spots, "at least one key", |_| "none".into());
}

fn defaults_conflict(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let spots = checked.keys(|k, spots| {
        if checked.animation.names_of(k.key) == KeyNames::Long {
            return;
        }
        for component in Component::ALL {
            let (hiding, hidden) = (k.node.node.defaults.numbers(component), k.key.numbers(component));
            if let (Some(hiding), Some(hidden)) = (hiding, hidden)
                && hiding != hidden
                && let Some(array) = k.spans.value(component, hidden.len())
            {
                spots.push(k.spot(array.span.start, component.member(KeyNames::Short)));
            }
        }
    });
    let expected = "the value in `defaults`, which overrides it";
    checked.warn(report, codes::W_DEFAULTS_CONFLICT.code, &spots, expected, |_| "another value".into());
}

fn component_missing(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let animation = checked.animation;
    let spots = checked.keys(|k, spots| {
        for component in Component::ALL {
            if animation.value(k.node.node, k.key, component).is_none() {
                spots.push(k.spot(k.spans.object.start, component.member(animation.names_of(k.key))));
            }
        }
    });
    checked.warn(report, codes::W_COMPONENT_MISSING.code, &spots, "position, rotation and scale", |spot| {
        let missing = Component::ALL
            .into_iter()
            .find(|c| [KeyNames::Short, KeyNames::Long].iter().any(|n| c.member(*n) == spot.members[0]));
        format!("no {}", missing.map_or("value", Component::word))
    });
}

fn extra_elements(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let animation = checked.animation;
    let mut counts = Vec::new();
    let mut spots = Vec::new();
    let mut see = |array: Option<&ArraySpan>, used: usize, spot: Spot| {
        if let Some(array) = array.filter(|array| array.elements > used) {
            counts.push((array.elements, used));
            spots.push(Spot { at: array.span.start, ..spot });
        }
    };
    for n in checked.nodes() {
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
    let first = counts.first().copied();
    checked.warn(report, codes::W_EXTRA_ELEMENTS.code, &spots, "only the numbers that are used", |_| {
        first.map_or_else(String::new, |(elements, used)| format!("{elements} instead of {used}"))
    });
}

fn key_before_zero(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let spots = checked.keys(|k, spots| {
        if k.key.time < 0.0 {
            spots.push(k.time_spot(checked.animation));
        }
    });
    checked
        .warn(report, codes::W_KEY_BEFORE_ZERO.code, &spots, "a time of 0 or more", |s| checked.quote(s.at));
}

fn key_after_duration(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let Some(duration) = checked.animation.duration else { return };
    let spots = checked.keys(|k, spots| {
        if k.key.time > duration {
            spots.push(k.time_spot(checked.animation));
        }
    });
    let expected = "a time within the duration";
    checked.warn(report, codes::W_KEY_AFTER_DURATION.code, &spots, expected, |spot| {
        format!("{} after the end at {duration}", checked.quote(spot.at))
    });
}

fn unsorted(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let spots = neighbours(checked, |before, time| time < before);
    let expected = "a time after that of the previous key";
    checked.warn(report, codes::W_UNSORTED.code, &spots, expected, |spot| checked.quote(spot.at));
}

fn equal_times(checked: &CheckedAnimation<'_>, report: &mut Report) {
    let spots = neighbours(checked, |before, time| time == before);
    let expected = "a time after that of the previous key";
    checked.warn(report, codes::W_EQUAL_TIMES.code, &spots, expected, |spot| {
        format!("the same time, {}", checked.quote(spot.at))
    });
}

/// Keys whose written time satisfies `test` together with the time of the key before.
fn neighbours(checked: &CheckedAnimation<'_>, test: impl Fn(f64, f64) -> bool) -> Vec<Spot> {
    checked.keys(|k, spots| {
        let before = k.index.checked_sub(1).and_then(|i| k.node.node.keys.get(i));
        if before.is_some_and(|before| test(before.time, k.key.time)) {
            spots.push(k.time_spot(checked.animation));
        }
    })
}
