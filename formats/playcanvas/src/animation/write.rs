//! An animation as a new text.

use super::codes;
use super::document::{Animation, Component, Components, Key, KeyNames, Node, Rotation, Version};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::diag::{Code, Fault, Place};
use std::borrow::Cow;

/// The whole file without white space, members in the order of the vendor's exporter.
pub(super) fn anew(animation: &Animation, numbers: NumberStyle) -> String {
    let mut writer = JsonWriter::new(numbers);
    writer.object(|w| {
        w.name("animation").object(|w| {
            if let Some(version) = version_number(animation.version) {
                w.name("version").integer(version);
            }
            // The older shape has none.
            if animation.version != Version::Absent || !animation.name.is_empty() {
                w.name("name").string(&animation.name);
            }
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

/// The member for these numbers of a component.
pub(super) const fn member(component: Component, names: KeyNames, numbers: &[f64]) -> &'static str {
    if numbers.len() == 4 { "quat" } else { component.member(names) }
}

/// Refuses content that the format cannot express.
pub(super) fn validate(animation: &Animation) -> Result<(), Fault> {
    let duration = animation.duration.unwrap_or(0.0);
    if !duration.is_finite() || duration < 0.0 {
        let actual = duration.to_string();
        let fault = Fault::new(codes::DURATION.code, Place::File, "a finite number, 0 or more", actual);
        return Err(fault.at_path("duration"));
    }
    for (index, node) in animation.nodes.iter().enumerate() {
        validate_node(animation, node).map_err(|fault| {
            let path = format!("node {index} \"{}\", {}", node.name, fault.path);
            fault.at_path(path)
        })?;
    }
    Ok(())
}

/// A fault at a path within a node.
#[cold]
fn unsound(
    path: String,
    code: Code,
    expected: &'static str,
    found: impl Into<Cow<'static, str>>,
) -> Box<Fault> {
    Box::new(Fault::new(code, Place::File, expected, found).at_path(path))
}

fn validate_node(animation: &Animation, node: &Node) -> Read<()> {
    for (list, components) in [("defaults", Some(&node.defaults)), ("default", node.default.as_deref())] {
        let Some(components) = components else { continue };
        for component in Component::ALL {
            let Some(numbers) = components.numbers(component) else { continue };
            let path = || format!("{list}, {}", component.member(KeyNames::Short));
            if animation.version == Version::V3 {
                return Err(unsound(path(), codes::COMPONENT.code, "no such member in version 3", "one"));
            }
            finite(numbers, path)?;
        }
    }
    node.keys.iter().enumerate().try_for_each(|(index, key)| validate_key(animation, index, key))
}

fn validate_key(animation: &Animation, index: usize, key: &Key) -> Read<()> {
    let names = animation.names_of(key);
    if !key.time.is_finite() {
        let path = format!("key {index}, {}", time_member(names));
        return Err(unsound(path, codes::TIME.code, "a finite number", key.time.to_string()));
    }
    if let (KeyNames::Short, Some(Rotation::Quaternion(_))) = (names, key.rotation) {
        return Err(unsound(
            format!("key {index}, r"),
            codes::COMPONENT.code,
            "Euler angles",
            "a quaternion",
        ));
    }
    for component in Component::ALL {
        if let Some(numbers) = key.numbers(component) {
            finite(numbers, || format!("key {index}, {}", member(component, names, numbers)))?;
        }
    }
    Ok(())
}

fn finite(numbers: &[f64], path: impl FnOnce() -> String) -> Read<()> {
    match numbers.iter().find(|n| !n.is_finite()) {
        Some(number) => Err(unsound(path(), codes::COMPONENT.code, "finite numbers", number.to_string())),
        None => Ok(()),
    }
}
