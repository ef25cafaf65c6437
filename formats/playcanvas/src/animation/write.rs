//! [`Document`] to text: as it was read, or with what was edited put in its place, or anew.

use super::codes;
use super::document::{Animation, Component, Components, Document, Key, KeyNames, Node, Rotation, Version};
use super::splice::splice;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::diag::{Code, Fault, Place};
use std::borrow::Cow;

/// The text of a document.
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

/// The whole file without white space, members in the order of the vendor's exporter.
fn anew(animation: &Animation, numbers: NumberStyle) -> String {
    let mut writer = JsonWriter::new(numbers);
    writer.object(|w| {
        w.name("animation").object(|w| {
            if let Some(version) = version_number(animation.version) {
                w.name("version").integer(version);
            }
            w.name("name").string(&animation.name);
            if let Some(duration) = animation.duration {
                w.name("duration").number(duration);
            }
            w.name("nodes").array(|w| {
                for node in &animation.nodes {
                    write_node(w, animation, node);
                }
            });
        });
    });
    writer.finish()
}

pub(super) const fn version_number(version: Version) -> Option<usize> {
    match version {
        Version::Absent => None,
        Version::V3 => Some(3),
        Version::V4 => Some(4),
    }
}

pub(super) fn write_node(w: &mut JsonWriter, animation: &Animation, node: &Node) {
    w.object(|w| {
        w.name("name").string(&node.name);
        // The engine wants `defaults` even if there is nothing in it.
        if animation.version == Version::V4 || node.defaults != Components::default() {
            w.name("defaults");
            write_components(w, &node.defaults);
        }
        if let Some(default) = &node.default {
            w.name("default");
            write_components(w, default);
        }
        w.name("keys").array(|w| {
            for key in &node.keys {
                write_key(w, animation, key);
            }
        });
    });
}

pub(super) fn write_components(w: &mut JsonWriter, components: &Components) {
    w.object(|w| {
        for component in Component::ALL {
            if let Some(numbers) = components.numbers(component) {
                w.name(component.member(KeyNames::Short)).numbers(numbers.iter().copied());
            }
        }
    });
}

pub(super) fn write_key(w: &mut JsonWriter, animation: &Animation, key: &Key) {
    let names = animation.names_of(key);
    w.object(|w| {
        w.name(time_member(names)).number(key.time);
        for component in Component::ALL {
            if let Some(numbers) = key.numbers(component) {
                w.name(member(component, names, numbers)).numbers(numbers.iter().copied());
            }
        }
    });
}

pub(super) const fn time_member(names: KeyNames) -> &'static str {
    match names {
        KeyNames::Short => "t",
        KeyNames::Long => "time",
    }
}

/// The member that holds these numbers of a component.
pub(super) const fn member(component: Component, names: KeyNames, numbers: &[f64]) -> &'static str {
    if numbers.len() == 4 { "quat" } else { component.member(names) }
}

/// Refuses what the format cannot say.
fn validate(animation: &Animation) -> Result<(), Fault> {
    let duration = animation.duration.unwrap_or(0.0);
    if !duration.is_finite() || duration < 0.0 {
        return Err(unsound(codes::DURATION, "duration".into(), "a finite number, 0 or more", duration));
    }
    for (index, node) in animation.nodes.iter().enumerate() {
        validate_node(animation, node).map_err(|(code, path, expected, found)| {
            let path = format!("node {index} \"{}\", {path}", node.name);
            Fault::new(code, Place::File, expected, found).at_path(path)
        })?;
    }
    Ok(())
}

type Unsound = (Code, String, &'static str, String);

fn validate_node(animation: &Animation, node: &Node) -> Result<(), Unsound> {
    for (member, components) in [("defaults", Some(&node.defaults)), ("default", node.default.as_ref())] {
        let Some(components) = components else { continue };
        for component in Component::ALL {
            let Some(numbers) = components.numbers(component) else { continue };
            let path = format!("{member}, {}", component.member(KeyNames::Short));
            if animation.version == Version::V3 {
                return Err((codes::COMPONENT, path, "no such member in version 3", "one".into()));
            }
            finite(numbers, path)?;
        }
    }
    for (index, key) in node.keys.iter().enumerate() {
        let names = animation.names_of(key);
        if !key.time.is_finite() {
            let path = format!("key {index}, {}", time_member(names));
            return Err((codes::TIME, path, "a finite number", key.time.to_string()));
        }
        if let (KeyNames::Short, Some(Rotation::Quaternion(_))) = (names, key.rotation) {
            let path = format!("key {index}, r");
            return Err((codes::COMPONENT, path, "Euler angles", "a quaternion".into()));
        }
        for component in Component::ALL {
            if let Some(numbers) = key.numbers(component) {
                finite(numbers, format!("key {index}, {}", member(component, names, numbers)))?;
            }
        }
    }
    Ok(())
}

fn finite(numbers: &[f64], path: String) -> Result<(), Unsound> {
    match numbers.iter().find(|n| !n.is_finite()) {
        Some(number) => Err((codes::COMPONENT, path, "finite numbers", number.to_string())),
        None => Ok(()),
    }
}

fn unsound(code: Code, path: String, expected: &'static str, found: f64) -> Fault {
    Fault::new(code, Place::File, expected, found.to_string()).at_path(path)
}
