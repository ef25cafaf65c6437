//! Curves of the file → curves of a scene.

use crate::animation::document::{NumberCurve, NumberKeys, SwitchCurve, Wrap};
use crate::animation::play::sorted;
use crate::animation::wrap;
use dopesheet_core::model::{Curve, Law, Laws, Times, WeightedKey, curve_of_weighted_keys};
use dopesheet_core::order::by_number;
use std::collections::HashMap;
use std::sync::Arc;

/// Lists of key times, shared by curves with equal key times.
#[derive(Default)]
pub(super) struct SharedTimes {
    lists: HashMap<Vec<u32>, Arc<[f64]>>,
    /// True if curves are to state the places of their keys in the document.
    keep_sources: bool,
}

impl SharedTimes {
    pub(super) fn new(keep_sources: bool) -> Self {
        Self { keep_sources, ..Self::default() }
    }

    /// Places in the file of the played keys, in the order of their times.
    fn sources(&self, times: impl Iterator<Item = f32>) -> Option<Arc<Vec<Option<u32>>>> {
        self.keep_sources.then(|| {
            let mut places: Vec<(f32, u32)> = times.zip(0..).filter(|(time, _)| time.is_finite()).collect();
            by_number(&mut places, |(time, _)| (*time).into());
            Arc::new(places.into_iter().map(|(_, position)| Some(position)).collect())
        })
    }

    fn list(&mut self, times: impl Iterator<Item = f32> + Clone) -> Times {
        let bits: Vec<u32> = times.clone().map(f32::to_bits).collect();
        Times::Seconds(self.lists.entry(bits).or_insert_with(|| times.map(f64::from).collect()).clone())
    }
}

/// A curve of numbers, with the laws of Unity's playback. Keys with tangents keep all their numbers.
pub(super) fn numbers(curve: &NumberCurve, shared: &mut SharedTimes) -> Curve {
    let keys = sorted(curve);
    let times = shared.list(keys.iter().map(|key| key.time));
    let mut out = match curve.keys {
        NumberKeys::Simple(_) => {
            let values = keys.iter().map(|key| key.value).collect();
            Curve::new(times, 1, values, Laws::uniform(Law::LINEAR))
        }
        NumberKeys::Full(_) => {
            let keys: Vec<WeightedKey> = keys.iter().map(WeightedKey::from).collect();
            curve_of_weighted_keys(times, &keys)
        }
    };
    outside(&mut out, curve.wrap);
    out.sources = shared.sources(curve.keys.iter().map(|key| key.time));
    out
}

/// The curve played by Unity for a curve without keys: its key is missing from the document.
pub(super) fn zero() -> Curve {
    let curve = Curve::new(Times::Seconds([0.0].into()), 1, vec![0.0], Laws::uniform(Law::STEP));
    Curve { sources: Some(Arc::new(vec![None])), ..curve }
}

/// A switch: 0 or 1, held from key to key.
pub(super) fn switch(curve: &SwitchCurve, shared: &mut SharedTimes) -> Curve {
    let mut keys: Vec<_> = curve.keys.iter().filter(|key| key.time.is_finite()).copied().collect();
    by_number(&mut keys, |key| key.time.into());
    let times = shared.list(keys.iter().map(|key| key.time));
    let values = keys.iter().map(|key| f32::from(u8::from(key.value > 0.5))).collect();
    let mut out = Curve::new(times, 1, values, Laws::uniform(Law::STEP));
    outside(&mut out, curve.wrap);
    out.sources = shared.sources(curve.keys.iter().map(|key| key.time));
    out
}

fn outside(curve: &mut Curve, wrap: Wrap) {
    (curve.before, curve.after) = (wrap::outside(wrap.before), wrap::outside(wrap.after));
}
