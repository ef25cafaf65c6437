//! Curves of the file → curves of a scene.

use crate::animation::document::{NumberCurve, NumberKeys, SwitchCurve, Wrap};
use crate::animation::play::{Segment, sorted};
use crate::animation::wrap;
use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Times, Timing};
use std::collections::HashMap;
use std::sync::Arc;

/// Lists of key times, so that curves with the same keys share one list.
#[derive(Default)]
pub(super) struct SharedTimes(HashMap<Vec<u32>, Arc<[f64]>>);

impl SharedTimes {
    fn list(&mut self, times: impl Iterator<Item = f32> + Clone) -> Times {
        let bits: Vec<u32> = times.clone().map(f32::to_bits).collect();
        Times::Seconds(self.0.entry(bits).or_insert_with(|| times.map(f64::from).collect()).clone())
    }
}

const HERMITE: Law = Law { timing: Timing::Linear, blend: Blend::Hermite };
const WEIGHTED: Law = Law { timing: Timing::Linear, blend: Blend::WeightedBezier };

/// A curve of numbers, with the laws by which Unity plays it.
pub(super) fn numbers(curve: &NumberCurve, shared: &mut SharedTimes) -> Curve {
    let keys = sorted(curve);
    let times = shared.list(keys.iter().map(|key| key.time));
    let values = keys.iter().map(|key| key.value).collect();
    let segments: Vec<Segment> = match curve.keys {
        NumberKeys::Simple(_) => Vec::new(),
        NumberKeys::Full(_) => keys.windows(2).map(|pair| Segment::between(&pair[0], &pair[1])).collect(),
    };
    let laws = Laws::from_segments(segments.iter().map(law));
    let mut out = Curve::new(times, 1, values, laws);
    if segments.iter().any(|segment| matches!(segment, Segment::Hermite(_) | Segment::Weighted(..))) {
        add_handles(&mut out, &segments);
    }
    outside(&mut out, curve.wrap);
    out
}

const fn law(segment: &Segment) -> Law {
    match segment {
        Segment::Step => Law::STEP,
        Segment::Straight => Law::LINEAR,
        Segment::Hermite(_) => HERMITE,
        Segment::Weighted(..) => WEIGHTED,
    }
}

fn add_handles(curve: &mut Curve, segments: &[Segment]) {
    let zeros = || Handles { arriving: vec![0.0; curve.len()], leaving: vec![0.0; curve.len()] };
    let (mut slopes, mut weights) = (zeros(), zeros());
    for (key, segment) in segments.iter().enumerate() {
        if let Segment::Hermite([leaving, arriving]) | Segment::Weighted([leaving, arriving], _) = segment {
            (slopes.leaving[key], slopes.arriving[key + 1]) = (*leaving, *arriving);
        }
        if let Segment::Weighted(_, [leaving, arriving]) = segment {
            (weights.leaving[key], weights.arriving[key + 1]) = (*leaving, *arriving);
        }
    }
    curve.handles = Some(Box::new(slopes));
    if segments.iter().any(|segment| matches!(segment, Segment::Weighted(..))) {
        curve.weights = Some(Box::new(weights));
    }
}

/// What Unity plays for a curve without keys.
pub(super) fn zero() -> Curve {
    Curve::new(Times::Seconds([0.0].into()), 1, vec![0.0], Laws::uniform(Law::STEP))
}

/// A switch: 0 or 1, held from key to key.
pub(super) fn switch(curve: &SwitchCurve, shared: &mut SharedTimes) -> Curve {
    let mut keys: Vec<_> = curve.keys.iter().filter(|key| key.time.is_finite()).copied().collect();
    keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    let times = shared.list(keys.iter().map(|key| key.time));
    let values = keys.iter().map(|key| f32::from(u8::from(key.value > 0.5))).collect();
    let mut out = Curve::new(times, 1, values, Laws::uniform(Law::STEP));
    outside(&mut out, curve.wrap);
    out
}

fn outside(curve: &mut Curve, wrap: Wrap) {
    (curve.before, curve.after) = (wrap::outside(wrap.before), wrap::outside(wrap.after));
}
