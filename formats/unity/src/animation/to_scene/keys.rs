//! Curves of the file → curves of a scene, component by component.

use crate::animation::curves::weighted_key;
use crate::animation::document::{AnimationCurve, Keyframe};
use dopesheet_core::model::{Curve, Outside, Times, WeightedKey, curve_of_weighted_keys};
use dopesheet_core::order::by_number;
use std::collections::HashMap;
use std::sync::Arc;

/// Lists of key times, shared by curves with equal key times.
#[derive(Default)]
pub(super) struct SharedTimes(HashMap<Vec<u32>, Arc<[f64]>>);

impl SharedTimes {
    fn list<const N: usize>(&mut self, keys: &[Keyframe<N>]) -> Times {
        let bits: Vec<u32> = keys.iter().map(|key| key.time.to_bits()).collect();
        let list = self.0.entry(bits).or_insert_with(|| keys.iter().map(|key| f64::from(key.time)).collect());
        Times::Seconds(list.clone())
    }
}

/// Keys with a finite time, in the order of time; keys of equal times in the order of the file.
fn sorted<const N: usize>(curve: &AnimationCurve<N>) -> Vec<Keyframe<N>> {
    let mut keys: Vec<_> = curve.keys.iter().filter(|key| key.time.is_finite()).copied().collect();
    if !keys.is_sorted_by(|a, b| a.time <= b.time) {
        by_number(&mut keys, |key| key.time.into());
    }
    keys
}

/// The components of a curve, with the laws of Unity's playback; `None` without keys, and if a value is not
/// finite, unless values are requested as stored.
pub(super) fn components<const N: usize>(
    curve: &AnimationCurve<N>,
    as_stored: bool,
    shared: &mut SharedTimes,
) -> Option<Vec<Curve>> {
    let keys = sorted(curve);
    let is_sound = keys.iter().all(|key| key.value.iter().all(|value| value.is_finite()));
    if keys.is_empty() || !(is_sound || as_stored) {
        return None;
    }
    let times = shared.list(&keys);
    Some((0..N).map(|at| single(curve, &keys, at, times.clone())).collect())
}

/// Numbers of the keys of a curve with finite times, in the order of time; `first` is the number of the
/// curve's first key.
pub(super) fn sources<const N: usize>(curve: &AnimationCurve<N>, first: u32) -> Arc<Vec<Option<u32>>> {
    let mut numbered: Vec<(f32, u32)> = curve.keys.iter().map(|key| key.time).zip(first..).collect();
    numbered.retain(|(time, _)| time.is_finite());
    by_number(&mut numbered, |(time, _)| (*time).into());
    Arc::new(numbered.into_iter().map(|(_, number)| Some(number)).collect())
}

fn single<const N: usize>(curve: &AnimationCurve<N>, keys: &[Keyframe<N>], at: usize, times: Times) -> Curve {
    let keys: Vec<WeightedKey> = keys.iter().map(|key| weighted_key(key, at)).collect();
    let mut out = curve_of_weighted_keys(times, &keys);
    (out.before, out.after) = (outside(curve.pre_infinity), outside(curve.post_infinity));
    out
}

/// Behaviour outside the keys for a stored infinity.
pub(super) const fn outside(infinity: i64) -> Outside {
    match infinity {
        0 => Outside::PingPong,
        1 => Outside::Loop,
        _ => Outside::Hold,
    }
}
