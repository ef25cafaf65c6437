//! Curves of a list: the curves of the file, changed by the differences between two lists made from scenes.

use crate::animation::document::{AnimationCurve, FloatCurve, Keyframe, TransformCurve};
use crate::animation::numbering::KeyPlace;
use crate::animation::splice::Origin;
use dopesheet_core::order::{Taken, as_before, by_key};
use std::collections::HashMap;

/// Curves made from a scene, and the numbers of their keys.
pub(super) struct Bound<T> {
    curves: Vec<T>,
    sources: Vec<Vec<Option<u32>>>,
}

impl<T> Bound<T> {
    pub(super) const fn new(curves: Vec<T>, sources: Vec<Vec<Option<u32>>>) -> Self {
        Self { curves, sources }
    }

    fn sources(&self, curve: usize) -> &[Option<u32>] {
        self.sources.get(curve).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A curve with its target.
pub(super) trait Target: Clone {
    /// True if both are for the same property.
    fn is_for(&self, other: &Self) -> bool;

    /// Takes over the content of the file for everything equal in `base` and in this curve. `keys` has for
    /// each key its places in the file and in `base`.
    fn restore(&mut self, old: &Self, base: &Self, keys: &[[Option<usize>; 2]]);

    /// Puts the keys in another order, with keys of the file between them.
    fn reorder(&mut self, old: &Self, order: &[Taken]);

    fn key_count(&self) -> usize;

    /// The object moved by the curve.
    fn path_mut(&mut self) -> &mut String;

    /// Takes back the component and property of the file's curve if they were lost along with the object's
    /// name; `old_and_base` is the curve of the file and the curve made from it before.
    fn settle(&mut self, old_and_base: Option<(&Self, Option<&Self>)>, renamed: &HashMap<String, String>) {
        let _ = (old_and_base, renamed);
    }
}

/// The curves of a list of the file after a change, and their origins, in the order of the file.
pub(super) fn merged<T: Target>(
    old: &[T],
    base: Bound<T>,
    changed: Bound<T>,
    find_key: impl Fn(u32) -> Option<KeyPlace>,
    renamed: &HashMap<String, String>,
) -> (Vec<T>, Vec<Origin>) {
    let curve_of = |sources: &[Option<u32>]| sources.iter().flatten().find_map(|number| find_key(*number));
    let mut bases: HashMap<usize, usize> = HashMap::new();
    for at in 0..base.curves.len() {
        if let Some(first) = curve_of(base.sources(at)) {
            bases.entry(first.curve).or_insert(at);
        }
    }
    let mut claimed = vec![false; old.len()];
    let mut claim =
        |curve: usize| claimed.get_mut(curve).is_some_and(|is_claimed| !std::mem::replace(is_claimed, true));
    let mut owners: Vec<Option<usize>> = (0..changed.curves.len())
        .map(|at| curve_of(changed.sources(at)).map(|first| first.curve).filter(|curve| claim(*curve)))
        .collect();
    // Of a curve that was cut between two keys only its property is left.
    for (owner, new) in owners.iter_mut().zip(&changed.curves).filter(|(owner, _)| owner.is_none()) {
        let left = bases
            .iter()
            .filter(|(_, at)| base.curves.get(**at).is_some_and(|base_curve| base_curve.is_for(new)));
        *owner = left.map(|(curve, _)| *curve).min().filter(|curve| claim(*curve));
    }
    let mut placed: Vec<((usize, usize), T, Origin)> = Vec::with_capacity(changed.curves.len());
    let mut last = (old.len(), 0);
    for ((at, mut new), owner) in changed.curves.iter().cloned().enumerate().zip(owners) {
        let pair = owner.and_then(|curve| {
            Some((curve, old.get(curve)?, bases.get(&curve).map(|at| (*at, base.curves.get(*at)))?))
        });
        let keys = match pair {
            Some((curve, old_curve, (base_at, Some(base_curve)))) => {
                let sources = [base.sources(base_at), changed.sources(at)];
                restored(&mut new, old_curve, base_curve, sources, |number| {
                    find_key(number).filter(|key| key.curve == curve).map(|key| key.key)
                })
            }
            _ => vec![None; new.key_count()],
        };
        new.settle(pair.map(|(_, old_curve, (_, base))| (old_curve, base)), renamed);
        last = owner.map_or((last.0, last.1 + 1), |curve| (curve, 0));
        placed.push((last, new, Origin { entry: owner, keys }));
    }
    // What no scene shows stays as it is, unless it would be shown now.
    let gone: Vec<&T> = (bases.keys().filter(|curve| !claimed.get(**curve).copied().unwrap_or(true)))
        .filter_map(|curve| old.get(*curve))
        .collect();
    let is_hidden = |curve: usize, old_curve: &T| {
        !bases.contains_key(&curve) && !gone.iter().any(|gone| gone.is_for(old_curve))
    };
    for (curve, old_curve) in old.iter().enumerate().filter(|(curve, old_curve)| is_hidden(*curve, old_curve))
    {
        let mut old_curve = old_curve.clone();
        rename(old_curve.path_mut(), renamed);
        let keys = (0..old_curve.key_count()).map(Some).collect();
        placed.push(((curve, 0), old_curve, Origin { entry: Some(curve), keys }));
    }
    by_key(&mut placed, |(order, ..)| *order);
    placed.into_iter().map(|(_, curve, origin)| (curve, origin)).unzip()
}

/// Restores a curve, and yields the places of its keys in the file.
fn restored<T: Target>(
    new: &mut T,
    old: &T,
    base: &T,
    [before, after]: [&[Option<u32>]; 2],
    key: impl Fn(u32) -> Option<usize>,
) -> Vec<Option<usize>> {
    let positions: HashMap<u32, usize> =
        before.iter().enumerate().filter_map(|(at, number)| Some(((*number)?, at))).collect();
    let pairs: Vec<[Option<usize>; 2]> = (0..new.key_count())
        .map(|at| {
            let number = after.get(at).copied().flatten();
            [number.and_then(&key), number.and_then(|number| positions.get(&number).copied())]
        })
        .collect();
    new.restore(old, base, &pairs);
    let keys: Vec<Option<usize>> = pairs.iter().map(|[old, _]| *old).collect();
    let played: Vec<usize> = before.iter().flatten().filter_map(|number| key(*number)).collect();
    if played.len() == old.key_count() && played.is_sorted() {
        return keys;
    }
    match as_before(&keys, &played, old.key_count()) {
        Some(order) => {
            new.reorder(old, &order);
            let origin = |taken: &Taken| match taken {
                Taken::New(at) => keys.get(*at).copied().flatten(),
                Taken::Old(at) => Some(*at),
            };
            order.iter().map(origin).collect()
        }
        None => keys,
    }
}

/// Puts the file's value in the place of an unchanged value.
fn keep<V: Same>(new: &mut V, old: &V, base: &V) {
    if new.is_same(base) {
        new.clone_from(old);
    }
}

/// Values compared by their bits.
trait Same: Clone {
    fn is_same(&self, other: &Self) -> bool;
}

impl Same for f32 {
    fn is_same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

macro_rules! same {
    ($($kind:ty),*) => {
        $(impl Same for $kind {
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}

same!(i64, String, Option<i64>, crate::animation::document::ObjectReference);

fn restore_curve<const N: usize>(
    new: &mut AnimationCurve<N>,
    old: &AnimationCurve<N>,
    base: &AnimationCurve<N>,
    keys: &[[Option<usize>; 2]],
) {
    keep(&mut new.pre_infinity, &old.pre_infinity, &base.pre_infinity);
    keep(&mut new.post_infinity, &old.post_infinity, &base.post_infinity);
    keep(&mut new.rotation_order, &old.rotation_order, &base.rotation_order);
    let mode = common_mode(old);
    for (key, [old_key, before]) in new.keys.iter_mut().zip(keys) {
        let old_key = old_key.and_then(|at| old.keys.get(at));
        match old_key.zip(before.and_then(|at| base.keys.get(at))) {
            Some((old, base)) => restore_key(key, old, base),
            None => key.tangent_mode = mode,
        }
    }
}

/// The editor's mode of all keys of a curve; 0 if they have several.
fn common_mode<const N: usize>(curve: &AnimationCurve<N>) -> i64 {
    let mut modes = curve.keys.iter().map(|key| key.tangent_mode);
    let first = modes.next().unwrap_or(0);
    if modes.all(|mode| mode == first) { first } else { 0 }
}

fn restore_key<const N: usize>(new: &mut Keyframe<N>, old: &Keyframe<N>, base: &Keyframe<N>) {
    keep(&mut new.time, &old.time, &base.time);
    keep(&mut new.tangent_mode, &old.tangent_mode, &base.tangent_mode);
    keep(&mut new.weighted_mode, &old.weighted_mode, &base.weighted_mode);
    for (new, old, base) in [
        (&mut new.value, &old.value, &base.value),
        (&mut new.in_slope, &old.in_slope, &base.in_slope),
        (&mut new.out_slope, &old.out_slope, &base.out_slope),
        (&mut new.in_weight, &old.in_weight, &base.in_weight),
        (&mut new.out_weight, &old.out_weight, &base.out_weight),
    ] {
        for ((new, old), base) in new.iter_mut().zip(old).zip(base) {
            keep(new, old, base);
        }
    }
}

fn reordered<const N: usize>(new: &mut AnimationCurve<N>, old: &AnimationCurve<N>, order: &[Taken]) {
    let key = |taken: &Taken| match taken {
        Taken::New(at) => new.keys.get(*at).copied(),
        Taken::Old(at) => old.keys.get(*at).copied(),
    };
    new.keys = order.iter().filter_map(key).collect();
}

impl<const N: usize> Target for TransformCurve<N> {
    fn path_mut(&mut self) -> &mut String {
        &mut self.path
    }

    fn is_for(&self, other: &Self) -> bool {
        self.path == other.path
    }

    fn restore(&mut self, old: &Self, base: &Self, keys: &[[Option<usize>; 2]]) {
        keep(&mut self.path, &old.path, &base.path);
        restore_curve(&mut self.curve, &old.curve, &base.curve, keys);
    }

    fn reorder(&mut self, old: &Self, order: &[Taken]) {
        reordered(&mut self.curve, &old.curve, order);
    }

    fn key_count(&self) -> usize {
        self.curve.keys.len()
    }
}

impl Target for FloatCurve {
    fn path_mut(&mut self) -> &mut String {
        &mut self.path
    }

    fn settle(&mut self, old_and_base: Option<(&Self, Option<&Self>)>, renamed: &HashMap<String, String>) {
        let Some((old_curve, Some(base))) = old_and_base else { return };
        if self.class_id != base.class_id || old_curve.class_id != base.class_id {
            // No operation makes a property one of another component.
            let curve = std::mem::take(&mut self.curve);
            *self = Self { curve, ..old_curve.clone() };
            rename(&mut self.path, renamed);
        }
    }

    fn is_for(&self, other: &Self) -> bool {
        self.path == other.path && self.attribute == other.attribute && self.class_id == other.class_id
    }

    fn restore(&mut self, old: &Self, base: &Self, keys: &[[Option<usize>; 2]]) {
        keep(&mut self.path, &old.path, &base.path);
        keep(&mut self.attribute, &old.attribute, &base.attribute);
        keep(&mut self.class_id, &old.class_id, &base.class_id);
        keep(&mut self.script, &old.script, &base.script);
        keep(&mut self.flags, &old.flags, &base.flags);
        restore_curve(&mut self.curve, &old.curve, &base.curve, keys);
    }

    fn reorder(&mut self, old: &Self, order: &[Taken]) {
        reordered(&mut self.curve, &old.curve, order);
    }

    fn key_count(&self) -> usize {
        self.curve.keys.len()
    }
}

/// Gives an object its present path.
pub(super) fn rename(path: &mut String, renamed: &HashMap<String, String>) {
    if let Some(new) = renamed.get(path) {
        path.clone_from(new);
    }
}
