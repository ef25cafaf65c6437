//! Motion of cameras and lights, and visibility of nodes.

use super::cameras;
use super::keys::{self, Keys};
use super::morphs;
use super::numbers::finite;
use super::still::Still;
use super::tints;
use crate::fbx::document::{Key, Look, LookValues};
use std::collections::{BTreeMap, HashSet};
use ufbx::{Anim, BakedAnim, BakedProp, Element, ElementType};

/// Visibility from which on a node is seen: half of the way between hidden and shown.
const SEEN: f64 = 0.5;

/// Moving properties of nodes with a counterpart in a scene, and names of all further properties, each with its number of objects.
pub(super) fn of(
    file: &ufbx::Scene,
    still: &Still,
    anim: &Anim,
    baked: &BakedAnim,
) -> (Vec<Look>, Vec<(String, usize)>) {
    let mut looks = Vec::new();
    let mut unplaced: BTreeMap<String, usize> = BTreeMap::new();
    let weights: HashSet<(u32, &str)> = morphs::all(file).map(|own| morphs::weighed_by(own.2)).collect();
    for animated in &baked.elements {
        let Some(element) = file.elements.get(animated.element_id as usize) else { continue };
        let is_weight = |property: &&BakedProp| {
            let name = property.name.as_ref();
            name == morphs::WEIGHT || weights.contains(&(animated.element_id, name))
        };
        for property in animated.props.iter().filter(|property| !is_weight(property)) {
            match values(file, element, property, keys::unread(anim, element, property.name.as_ref())) {
                Some(values) => {
                    let nodes = nodes(file, element).into_iter().filter_map(|node| still.node(node));
                    looks.extend(nodes.map(|node| Look { node, values: values.clone() }));
                }
                None if tints::has(file, animated, property) => {}
                None => *unplaced.entry(property.name.to_string()).or_default() += 1,
            }
        }
    }
    (looks, unplaced.into_iter().collect())
}

/// The node of an element, or all nodes with this element.
fn nodes<'a>(file: &'a ufbx::Scene, element: &'a Element) -> Vec<&'a ufbx::Node> {
    let id = element.typed_id as usize;
    match element.type_ {
        ElementType::Node => file.nodes.get(id).map(AsRef::as_ref).into_iter().collect(),
        _ => element.instances.iter().map(AsRef::as_ref).collect(),
    }
}

/// Values of a property, whose single numbers are higher than the library's by `unread`.
fn values(file: &ufbx::Scene, element: &Element, property: &BakedProp, unread: f64) -> Option<LookValues> {
    let id = element.typed_id as usize;
    let keys = Keys::of(file);
    let numbers = |number: &dyn Fn(f64) -> f64| -> Vec<Key<1>> {
        keys.numbers(&property.keys, |value| number(value + unread)).into_iter().map(|(key, _)| key).collect()
    };
    match (element.type_, property.name.as_ref()) {
        (ElementType::Camera, name) => {
            let camera = file.cameras.get(id)?;
            let angle = |value: f64| cameras::field_of_view(camera, name, value);
            property.keys.iter().try_for_each(|key| angle(finite(key.value.x + unread)).map(|_| ()))?;
            Some(LookValues::YFov(numbers(&|value| angle(value).unwrap_or_default())))
        }
        (ElementType::Light, "Intensity") => {
            Some(LookValues::Intensity(numbers(&|percent| (percent / 100.0).max(0.0))))
        }
        (ElementType::Light, "Color") => {
            let clamped = |key: Key<3>| Key { value: key.value.map(|part| part.clamp(0.0, 1.0)), ..key };
            let colors = keys.vectors(&property.keys).into_iter().map(|(key, _)| clamped(key));
            Some(LookValues::Color(colors.collect()))
        }
        (ElementType::Node, "Visibility") => Some(LookValues::Visible(switched(&numbers(&|value| value)))),
        _ => None,
    }
}

/// The times of a visibility's passes through [`SEEN`], after the state at its first key.
fn switched(keys: &[Key<1>]) -> Vec<Key<1>> {
    let is_seen = |key: &Key<1>| key.value[0] >= SEEN;
    let state = |seen: bool| [f64::from(u8::from(seen))];
    let first = keys.first().map(|key| Key { value: state(is_seen(key)), ..*key });
    let passes = keys.windows(2).filter(|pair| is_seen(&pair[0]) != is_seen(&pair[1])).map(|pair| {
        let (from, to) = (pair[0], pair[1]);
        let share = (SEEN - from.value[0]) / (to.value[0] - from.value[0]);
        Key { time_s: from.time_s + (to.time_s - from.time_s) * share, value: state(is_seen(&to)) }
    });
    first.into_iter().chain(passes).collect()
}
