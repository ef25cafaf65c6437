//! A node with changed motion.

use super::rows::{ComponentKeys, decimal, rows};
use crate::animation::document::{Animation, Component, Key, KeyNames, Node, Rotation, Version};
use crate::animation::euler;
use crate::animation::from_scene::{curve, exact};
use crate::animation::keys::StraightCurve;
use dopesheet_core::model::{Curve, Track, Transform};
use dopesheet_core::order::{Taken, as_before};
use std::collections::HashMap;

/// Motion of a component before and after.
#[derive(Clone, Default)]
struct CurvePair<'a> {
    before: Option<&'a Curve>,
    after: Option<&'a Curve>,
    /// Keys of the curve before, by their places in the file.
    keys: HashMap<usize, usize>,
}

impl<'a> CurvePair<'a> {
    fn add(&mut self, curve: &'a Curve, is_after: bool) {
        if is_after {
            self.after = Some(curve);
            return;
        }
        let keys = (0..curve.len()).filter_map(|key| Some((curve.source(key)? as usize, key)));
        (self.keys, self.before) = (keys.collect(), Some(curve));
    }

    /// The value at a key of the file before the change.
    fn value_of(&self, source: usize) -> Option<&'a [f32]> {
        self.before?.value(*self.keys.get(&source)?)
    }
}

/// The node with the present keys of its track, and the place of each key in the file.
pub(super) fn changed(
    animation: &Animation,
    node: &Node,
    [own, track]: [&Track; 2],
    rest: &Transform,
) -> (Node, Vec<Option<usize>>) {
    let mut pairs: [CurvePair<'_>; 3] = Default::default();
    for (is_after, track) in [(false, own), (true, track)] {
        for (component, curve) in track.channels.iter().filter_map(curve) {
            pairs[component as usize].add(curve, is_after);
        }
    }
    let mut new_node = Node { keys: Vec::new(), ..node.clone() };
    let hoisted = Component::ALL.map(|component| is_hoisted(animation, node, component));
    let mut is_constant = [false; 3];
    for component in Component::ALL {
        let at = component as usize;
        let pair = &pairs[at];
        let is_static = hoisted[at] || node.keys.is_empty();
        is_constant[at] = is_static && pair.after.is_none_or(is_still);
        let rest_numbers = (animation.version != Version::V3).then(|| resting(component, rest));
        settle(&mut new_node, component, pair, is_static, is_constant[at], rest_numbers);
    }
    let moving = Component::ALL.map(|component| {
        let after = pairs[component as usize].after;
        after.filter(|_| !(node.keys.is_empty() && is_constant[component as usize]))
    });
    let all = rows(&moving);
    let is_complete = Component::ALL.map(|component| {
        hoisted[component as usize] || node.keys.iter().all(|key| key.numbers(component).is_some())
    });
    let has_quaternions = node.keys.iter().any(|key| matches!(key.rotation, Some(Rotation::Quaternion(_))));
    let played = played(&pairs);
    let writer = Writer { animation, node, pairs, hoisted, is_constant, is_complete, has_quaternions, rest };
    let mut previous = None;
    let keys: Vec<Key> = all.iter().map(|row| writer.key(row, &mut previous)).collect();
    let sources: Vec<Option<usize>> = all.iter().map(|row| row.source).collect();
    let old_time =
        |source: &Option<usize>| source.and_then(|at| node.keys.get(at)).map(|key| key.time.to_bits());
    let times: HashMap<u64, f64> =
        keys.iter().zip(&sources).filter_map(|(key, source)| Some((old_time(source)?, key.time))).collect();
    let (keys, sources) = match as_before(&sources, &played, node.keys.len()) {
        Some(order) => {
            let key = |taken: &Taken| match taken {
                Taken::New(at) => Some((*keys.get(*at)?, *sources.get(*at)?)),
                // One that others of its time hide goes with them.
                Taken::Old(at) => {
                    let stored = *node.keys.get(*at)?;
                    let time = times.get(&stored.time.to_bits()).copied().unwrap_or(stored.time);
                    Some((Key { time, ..stored }, Some(*at)))
                }
            };
            order.iter().filter_map(key).unzip()
        }
        None => (keys, sources),
    };
    new_node.keys = keys;
    (new_node, sources)
}

/// Places in the file of the played keys, in the order of playback.
fn played(pairs: &[CurvePair<'_>; 3]) -> Vec<usize> {
    rows(&pairs.each_ref().map(|pair| pair.before)).iter().filter_map(|row| row.source).collect()
}

/// True if all keys of a node share a value.
fn is_hoisted(animation: &Animation, node: &Node, component: Component) -> bool {
    let is_short = |key: &Key| animation.names_of(key) == KeyNames::Short;
    !node.keys.is_empty()
        && node.defaults.numbers(component).is_some()
        && (animation.version == Version::V4 || node.keys.iter().all(is_short))
}

fn is_still(curve: &Curve) -> bool {
    let first = curve.value(0).unwrap_or_default();
    (1..curve.len()).all(|key| curve.value(key).is_some_and(|value| is_same(value, first)))
}

/// True if two values are equal; quaternions whatever their sign.
fn is_same(a: &[f32], b: &[f32]) -> bool {
    a == b || (a.len() == 4 && a.iter().zip(b).all(|(a, b)| *a == -*b))
}

/// Writes the value shared by all keys to its member, or the numbers of the rest where a curve is gone.
fn settle(
    node: &mut Node,
    component: Component,
    pair: &CurvePair<'_>,
    is_static: bool,
    is_constant: bool,
    rest_numbers: Option<[f64; 3]>,
) {
    let first = |curve: Option<&Curve>| curve.and_then(|curve| curve.value(0)).map(<[f32]>::to_vec);
    let [before, after] = [first(pair.before), first(pair.after)];
    let slot = node.defaults.slot(component);
    match (is_static, is_constant, &before, &after) {
        (true, true, Some(before), Some(after)) if is_same(before, after) => {}
        (true, true, _, Some(after)) => *slot = Some(numbers(component, after, None)),
        (true, false, ..) => *slot = None,
        (_, _, Some(_), None) if rest_numbers.is_some() => *slot = rest_numbers,
        _ => {}
    }
}

/// Transform of a node without motion.
fn resting(component: Component, rest: &Transform) -> [f64; 3] {
    match component {
        Component::Position => rest.translation.map(exact),
        Component::Rotation => euler::angles(rest.rotation, None).map(euler::rounded),
        Component::Scale => rest.scale.map(exact),
    }
}

/// A value in its written form; angles near the angles before.
fn numbers(component: Component, value: &[f32], previous: Option<[f64; 3]>) -> [f64; 3] {
    let wide = |at: usize| value.get(at).copied().map_or(0.0, f64::from);
    match component {
        Component::Rotation => {
            let turn = dopesheet_curve::quat_normalise_or_identity([0, 1, 2, 3].map(wide));
            euler::angles(turn, previous).map(euler::rounded)
        }
        _ => [0, 1, 2].map(|at| exact(wide(at))),
    }
}

struct Writer<'a> {
    animation: &'a Animation,
    node: &'a Node,
    pairs: [CurvePair<'a>; 3],
    hoisted: [bool; 3],
    /// Components with a value shared by all keys.
    is_constant: [bool; 3],
    /// Components present in all keys.
    is_complete: [bool; 3],
    has_quaternions: bool,
    rest: &'a Transform,
}

impl Writer<'_> {
    /// A key. Unchanged values keep their numbers.
    fn key(&self, row: &ComponentKeys, previous: &mut Option<[f64; 3]>) -> Key {
        let stored = row.source.and_then(|source| self.node.keys.get(source));
        let names = stored.or(self.node.keys.first()).map_or_else(|| self.names(), |key| key.names);
        let mut key = stored.copied().unwrap_or(Key { names, ..Key::default() });
        key.time = stored
            .map(|stored| stored.time)
            .filter(|time| *time == row.time)
            .unwrap_or_else(|| decimal(row.time));
        for component in Component::ALL {
            self.component(&mut key, stored, row, component, *previous);
        }
        if let Some(Rotation::Euler(angles)) = key.rotation {
            *previous = Some(angles);
        }
        key
    }

    fn names(&self) -> KeyNames {
        if self.animation.version == Version::V3 { KeyNames::Long } else { KeyNames::Short }
    }

    fn component(
        &self,
        key: &mut Key,
        old_key: Option<&Key>,
        row: &ComponentKeys,
        component: Component,
        previous: Option<[f64; 3]>,
    ) {
        let at = component as usize;
        let pair = &self.pairs[at];
        if self.is_constant[at] || (pair.before.is_none() && pair.after.is_none()) {
            return;
        }
        let Some(after) = pair.after else {
            // Nothing moves it any more.
            let is_said = self.animation.version == Version::V3;
            return set_numbers(key, component, is_said.then(|| resting(component, self.rest)));
        };
        let value = row.keys[at].and_then(|key| after.value(key));
        let before = row.source.and_then(|source| pair.value_of(source));
        let stated = old_key.and_then(|stored_key| self.animation.value(self.node, stored_key, component));
        // A key that this component got because another one has it there says nothing new.
        let is_own = row.keys[at].is_some_and(|key| after.source(key).is_some());
        if old_key.is_some() && before.is_none() && !is_own && !self.is_complete[at] {
            return;
        }
        match (value, before, stated) {
            (Some(value), Some(before), Some(stated)) if is_same(value, before) => {
                if self.hoisted[at] && key.numbers(component).is_none() {
                    set_numbers(key, component, <[f64; 3]>::try_from(stated).ok());
                }
            }
            (Some(value), ..) => self.write(key, component, value, previous),
            (None, ..) if self.is_complete[at] => {
                let line = StraightCurve::new(after, 1.0);
                let value: Vec<f32> = match component {
                    Component::Rotation => line.after::<4>(row.time).map(|x| x as f32).to_vec(),
                    _ => line.after::<3>(row.time).map(|x| x as f32).to_vec(),
                };
                self.write(key, component, &value, previous);
            }
            (None, ..) => set_numbers(key, component, None),
        }
    }

    fn write(&self, key: &mut Key, component: Component, value: &[f32], previous: Option<[f64; 3]>) {
        if let (Component::Rotation, true, &[x, y, z, w]) = (component, self.has_quaternions, value) {
            key.rotation = Some(Rotation::Quaternion([x, y, z, w].map(|x| exact(x.into()))));
            return;
        }
        let previous = match key.rotation {
            Some(Rotation::Euler(angles)) => Some(angles),
            _ => previous,
        };
        set_numbers(key, component, Some(numbers(component, value, previous)));
    }
}

fn set_numbers(key: &mut Key, component: Component, numbers: Option<[f64; 3]>) {
    match component {
        Component::Position => key.position = numbers,
        Component::Rotation => key.rotation = numbers.map(Rotation::Euler),
        Component::Scale => key.scale = numbers,
    }
}
