//! Changes of a document within the format.

use super::document::{Animation, Component, Components, Document, Key, KeyNames, Node, Rotation, Version};
use super::euler;
use super::from_scene::variant;
use super::to_scene::quaternion;
use dopesheet_core::bytes::json::NumberStyle;
use dopesheet_core::diag::{ConvertError, ErrorUnit, MaxError, Report};
use dopesheet_core::format::{Edit, Summary};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{quat_angle, quat_from_euler_degrees_zyx};

pub(super) fn edit(document: &mut Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
    if let Some(name) = &edit.variant {
        let (version, numbers) = variant(Some(name))?;
        if document.animation.version != version || version == Version::Absent {
            let angle = to_version(&mut document.animation, version);
            report_angles(angle, report);
            document.rewrite(numbers);
        } else if numbers == NumberStyle::SixDigits || document.source.is_none() {
            document.rewrite(numbers);
        }
    }
    if edit.sort {
        sort(document);
    }
    Ok(())
}

/// Gives every key the members of a version, without touching a number; yields the largest error of the
/// quaternions converted to angles, if there are any.
fn to_version(animation: &mut Animation, version: Version) -> Option<MaxError> {
    let old = animation.clone();
    let mut largest_error = None;
    for (node, old_node) in animation.nodes.iter_mut().zip(&old.nodes) {
        node.keys = whole_keys(&old, old_node, version, &mut largest_error);
        node.default = (version == Version::Absent).then(Box::default);
        node.defaults = match version {
            Version::V4 => hoist(&mut node.keys),
            Version::V3 | Version::Absent => Components::default(),
        };
    }
    if version == Version::Absent {
        animation.name.clear();
    }
    animation.version = version;
    largest_error
}

/// The keys with all their effective values as members, as Euler angles.
fn whole_keys(
    animation: &Animation,
    node: &Node,
    version: Version,
    largest: &mut Option<MaxError>,
) -> Vec<Key> {
    let names = if version == Version::V3 { KeyNames::Long } else { KeyNames::Short };
    let mut previous = None;
    let mut whole = |time: f64, value: &dyn Fn(Component) -> Option<Vec<f64>>| {
        let three = |component| value(component).and_then(|v| <[f64; 3]>::try_from(v).ok());
        let rotation = value(Component::Rotation).map(|numbers| {
            let angles = <[f64; 3]>::try_from(numbers.as_slice()).unwrap_or_else(|_| {
                let (angles, error) = angles_of(quaternion(&numbers), previous);
                if largest.as_ref().is_none_or(|largest| error > largest.value) {
                    let (unit, target) = (ErrorUnit::Radian, node.name.clone());
                    *largest = Some(MaxError { value: error, unit, target, time: Seconds(time) });
                }
                angles
            });
            previous = Some(angles);
            Rotation::Euler(angles)
        });
        Key { time, position: three(Component::Position), rotation, scale: three(Component::Scale), names }
    };
    if node.keys.is_empty() {
        let value = |c| animation.static_value(node, c).map(<[f64]>::to_vec);
        let any = Component::ALL.into_iter().any(|c| value(c).is_some());
        return if any { vec![whole(0.0, &value)] } else { Vec::new() };
    }
    node.keys
        .iter()
        .map(|key| whole(key.time, &|c| animation.value(node, key, c).map(<[f64]>::to_vec)))
        .collect()
}

/// Angles of a quaternion, and their distance from it in radians.
fn angles_of(turn: [f64; 4], previous: Option<[f64; 3]>) -> ([f64; 3], f64) {
    let angles = euler::angles(turn, previous);
    (angles, quat_angle(turn, quat_from_euler_degrees_zyx(angles)))
}

/// Moves components with equal values in all keys out of the keys.
fn hoist(keys: &mut [Key]) -> Components {
    let mut hoisted = Components::default();
    for component in Component::ALL {
        let Some(first) = keys.first().and_then(|key| key.numbers(component)) else { continue };
        let Ok(first) = <[f64; 3]>::try_from(first) else { continue };
        if keys.iter().all(|key| key.numbers(component) == Some(&first)) {
            *hoisted.slot(component) = Some(first);
            for key in &mut *keys {
                match component {
                    Component::Position => key.position = None,
                    Component::Rotation => key.rotation = None,
                    Component::Scale => key.scale = None,
                }
            }
        }
    }
    hoisted
}

fn report_angles(largest: Option<MaxError>, report: &mut Report) {
    if let Some(max_error) = largest {
        report.approximated("quaternions, written as Euler angles", max_error);
    }
}

fn sort(document: &mut Document) {
    let unsorted = |node: &Node| !node.keys.is_sorted_by(|a, b| a.time <= b.time);
    if document.animation.nodes.iter().any(unsorted) {
        for node in &mut document.animation_mut().nodes {
            // Adding zero makes a negative zero positive: they are one time.
            by_number(&mut node.keys, |key| key.time + 0.0);
        }
    }
}

impl Document {
    /// Summary of the document.
    pub(super) fn summary(&self) -> Summary {
        let nodes = &self.animation.nodes;
        let keys: usize = nodes.iter().map(|node| node.keys.len()).sum();
        let hoisted: usize = nodes
            .iter()
            .map(|node| Component::ALL.iter().filter(|c| node.defaults.numbers(**c).is_some()).count())
            .sum();
        let version = super::write::version_number(self.animation.version);
        Summary {
            version: version.map(|number| number.to_string()),
            variant: nodes.iter().any(|node| node.default.is_some()).then(|| "with `default`".to_owned()),
            facts: vec![
                ("nodes", nodes.len().to_string()),
                ("keys", keys.to_string()),
                ("hoisted components", hoisted.to_string()),
            ],
        }
    }
}
