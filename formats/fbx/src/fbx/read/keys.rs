//! Keys of the library as keys of the document.

use super::numbers::{finite, rotation, vector};
use crate::fbx::document::Key;
use ufbx::{Anim, AnimLayer, BakedKeyFlags, Element};

/// Takes over lists of keys.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    /// A tick of the file's clock, in seconds.
    tick_s: f64,
}

impl Keys {
    pub(super) fn of(file: &ufbx::Scene) -> Self {
        Self { tick_s: 1.0 / (file.metadata.ktime_second.max(1) as f64) }
    }

    pub(super) fn vectors(self, keys: &[ufbx::BakedVec3]) -> Vec<(Key<3>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, vector(&key.value), key.flags)))
    }

    pub(super) fn rotations(self, keys: &[ufbx::BakedQuat]) -> Vec<(Key<4>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, rotation(&key.value), key.flags)))
    }

    /// Keys of a single number each, computed by a function.
    pub(super) fn numbers(
        self,
        keys: &[ufbx::BakedVec3],
        number: impl Fn(f64) -> f64,
    ) -> Vec<(Key<1>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, [number(finite(key.value.x))], key.flags)))
    }

    /// Each with `true` if the file has the key.
    ///
    /// In a segment with the value of its *next* key, the key before counts at its time only. The library gives both keys
    /// the same time; here the next value counts a tick later, and either key has a time.
    fn keys<const N: usize>(
        self,
        all: impl Iterator<Item = (f64, [f64; N], BakedKeyFlags)>,
    ) -> Vec<(Key<N>, bool)> {
        let mut keys: Vec<(Key<N>, bool)> = Vec::with_capacity(all.size_hint().0);
        for (time_s, value, flags) in all {
            let is_next = flags.has_any(BakedKeyFlags::STEP_RIGHT);
            let last = keys.last().map(|(last, _)| *last);
            if is_next && last.is_some_and(|last| last.value == value) {
                continue;
            }
            let time_s = if is_next { time_s + self.tick_s } else { time_s };
            let time_s = last.map_or(time_s, |last| time_s.max(last.time_s));
            keys.push((Key { time_s, value }, authored(flags)));
        }
        keys
    }
}

/// True if the file has a key there; a step has two.
fn authored(flags: BakedKeyFlags) -> bool {
    let step = BakedKeyFlags::STEP_LEFT | BakedKeyFlags::STEP_RIGHT | BakedKeyFlags::STEP_KEY;
    flags.has_any(BakedKeyFlags::KEYFRAME | step)
}

/// Difference of a single number from its evaluation by the library, which takes 0 for the stored value of a layer without a curve, except
/// in values with names of axes (`d|X`).
pub(super) fn unread(anim: &Anim, element: &Element, name: &str) -> f64 {
    let of_layer = |layer: &AnimLayer| {
        let value = &ufbx::find_anim_prop(layer, element, name)?.anim_value;
        let is_unread = value.curves.iter().all(Option::is_none);
        let stored = ufbx::find_prop(&value.element.props, &format!("d|{name}")).filter(|_| is_unread);
        Some(stored.map_or(0.0, |stored| finite(stored.value_vec4.x - value.default_value.x)))
    };
    anim.layers.iter().enumerate().fold(0.0, |below, (at, layer)| match of_layer(layer) {
        None => below,
        Some(unread) if at == 0 || !layer.blended => unread,
        Some(unread) if layer.additive => below + layer.weight * unread,
        Some(unread) => below + layer.weight * (unread - below),
    })
}
