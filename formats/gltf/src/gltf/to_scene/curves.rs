//! Samplers → curves.

use super::nodes::UNIT_TOLERANCE;
use super::{ChannelPlace, Repairs, accessor, repairs};
use crate::checks::code;
use crate::gltf::binary::views::Views;
use crate::gltf::json::parts::{AnimationSampler, Index, Interpolation, Shape};
use dopesheet_core::diag::Fault;
use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Times, Timing};
use dopesheet_core::order::by_number;
use std::collections::HashMap;
use std::sync::Arc;

/// Squares of lengths that count as 1.
const NEAR_UNIT_SQUARE: std::ops::RangeInclusive<f64> =
    (1.0 - UNIT_TOLERANCE) * (1.0 - UNIT_TOLERANCE)..=(1.0 + UNIT_TOLERANCE) * (1.0 + UNIT_TOLERANCE);

/// The key times of one input, ready to be shared.
#[derive(Clone)]
struct KeyTimes {
    times: Arc<[f64]>,
    /// Positions of the stored keys; `None` for all keys, in order.
    order: Option<Arc<[usize]>>,
    stored: usize,
}

/// Meaning of a curve's values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Quaternions.
    Rotation,
    /// This many plain numbers per key.
    Numbers(usize),
}

impl Meaning {
    const fn width(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Numbers(width) => width,
        }
    }
}

/// Builds the curves of a document.
pub(super) struct Curves<'a> {
    views: &'a Views<'a>,
    as_stored: bool,
    times: HashMap<Index, KeyTimes>,
    /// Numbers that may still be decoded; prevents huge scenes made from small files.
    budget: u64,
}

impl<'a> Curves<'a> {
    pub(super) fn new(views: &'a Views<'a>, as_stored: bool, budget: u64) -> Self {
        Self { views, as_stored, times: HashMap::new(), budget }
    }

    /// The curve of a sampler; `None` if no key is left or the numbers do not fit the target.
    pub(super) fn curve(
        &mut self,
        sampler: &AnimationSampler,
        meaning: Meaning,
        pointer: ChannelPlace,
        repairs: &mut Repairs,
    ) -> Result<Option<Curve>, Box<Fault>> {
        let input = self.views.document.parts.accessors.get(sampler.input as usize);
        if input.is_none_or(|input| input.shape != Shape::Scalar) {
            repairs.note(repairs::INPUT_FORMAT, pointer);
            return Ok(None);
        }
        self.spend(sampler, pointer)?;
        let keys = match self.times.get(&sampler.input) {
            Some(keys) => keys.clone(),
            None => {
                let keys = self.key_times(sampler.input, pointer, repairs)?;
                self.times.insert(sampler.input, keys.clone());
                keys
            }
        };
        let output = accessor::floats(self.views, sampler.output)?;
        let (elements, width) =
            (usize::from(sampler.interpolation == Interpolation::CubicSpline), meaning.width());
        let stride = width * (1 + 2 * elements);
        if output.len() != keys.stored * stride || stride == 0 {
            repairs.note(repairs::OUTPUT_FORMAT, pointer);
            return Ok(None);
        }
        let mut raw = Raw { times: Times::Seconds(keys.times.clone()), stride, values: output };
        if let Some(order) = &keys.order {
            raw.values =
                order.iter().flat_map(|key| &raw.values[key * stride..(key + 1) * stride]).copied().collect();
        }
        if !self.as_stored {
            raw.drop_non_finite(pointer, repairs);
            if meaning == Meaning::Rotation {
                raw.normalise(pointer, repairs);
            }
        }
        Ok(raw.into_curve(&sampler.interpolation, meaning, pointer, repairs))
    }

    /// Number of keys stored in the input of a sampler.
    pub(super) fn stored_keys(&self, sampler: &AnimationSampler) -> usize {
        let accessor = self.views.document.parts.accessors.get(sampler.input as usize);
        accessor.map_or(0, |accessor| usize::try_from(accessor.count).unwrap_or(usize::MAX))
    }

    fn spend(&mut self, sampler: &AnimationSampler, pointer: ChannelPlace) -> Result<(), Box<Fault>> {
        let accessors = &self.views.document.parts.accessors;
        let cost = accessors
            .get(sampler.output as usize)
            .map_or(0, |accessor| accessor.count.saturating_mul(accessor.shape.components() as u64));
        match self.budget.checked_sub(cost) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => {
                let expected = "no more numbers in all animations than the file's size allows for";
                Err(Box::new(self.views.document.fault(
                    &pointer.to_string(),
                    code::LIMIT,
                    expected,
                    format!("{cost} more"),
                )))
            }
        }
    }

    fn key_times(
        &self,
        input: Index,
        pointer: ChannelPlace,
        repairs: &mut Repairs,
    ) -> Result<KeyTimes, Box<Fault>> {
        let stored = accessor::floats(self.views, input)?;
        if stored.iter().any(|time| *time < 0.0) {
            repairs.note(repairs::NEGATIVE_TIME, pointer);
        }
        let times: Vec<f64> = stored.iter().map(|time| f64::from(*time)).collect();
        if times.iter().all(|t| t.is_finite()) && times.is_sorted_by(|a, b| a < b) {
            return Ok(KeyTimes { times: times.into(), order: None, stored: stored.len() });
        }
        repairs.note(repairs::TIME_ORDER, pointer);
        let mut order: Vec<usize> = (0..times.len()).filter(|key| times[*key].is_finite()).collect();
        by_number(&mut order, |key| times[*key]);
        let ends_of_runs = |at: &usize| {
            let (before, after) = (at.checked_sub(1), at + 1);
            let same = |other: Option<usize>| {
                other.and_then(|other| order.get(other)).is_some_and(|k| times[*k] == times[order[*at]])
            };
            !(same(before) && same(Some(after)))
        };
        let order: Arc<[usize]> = (0..order.len()).filter(ends_of_runs).map(|at| order[at]).collect();
        let times = order.iter().map(|key| times[*key]).collect();
        Ok(KeyTimes { times, order: Some(order), stored: stored.len() })
    }
}

/// Keys with all their numbers: for a cubic spline arriving tangent, value, leaving tangent.
struct Raw {
    times: Times,
    stride: usize,
    values: Vec<f32>,
}

/// True if all numbers are finite. Looks at every number, in a fraction of the time needed for stopping at
/// the first.
fn are_finite(values: &[f32]) -> bool {
    values.iter().fold(true, |finite, value| finite & value.is_finite())
}

impl Raw {
    fn drop_non_finite(&mut self, pointer: ChannelPlace, repairs: &mut Repairs) {
        if are_finite(&self.values) {
            return;
        }
        repairs.note(repairs::NOT_FINITE, pointer);
        let sound = |key: &&[f32]| key.iter().all(|value| value.is_finite());
        let kept = self.values.chunks_exact(self.stride).zip(self.times.iter());
        let times = kept.filter(|(key, _)| sound(key)).map(|(_, time)| time.0).collect();
        self.values = self.values.chunks_exact(self.stride).filter(sound).flatten().copied().collect();
        self.times = Times::Seconds(times);
    }

    /// Scales quaternions far from unit length, with their tangents. Slight differences are left, because the
    /// laws normalise, and stored numbers then stay unchanged.
    fn normalise(&mut self, pointer: ChannelPlace, repairs: &mut Repairs) {
        let middle = if self.stride == 12 { 4 } else { 0 };
        for key in self.values.chunks_exact_mut(self.stride) {
            let square = key[middle..middle + 4].iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            if NEAR_UNIT_SQUARE.contains(&square) {
                continue;
            }
            let length = square.sqrt();
            repairs.note(repairs::ROTATION_LENGTH, pointer);
            if length == 0.0 {
                key[middle + 3] = 1.0;
                continue;
            }
            for value in key {
                *value = accessor::narrow(f64::from(*value) / length);
            }
        }
    }

    fn into_curve(
        self,
        interpolation: &Interpolation,
        meaning: Meaning,
        pointer: ChannelPlace,
        repairs: &mut Repairs,
    ) -> Option<Curve> {
        let width = meaning.width();
        let straight = if meaning == Meaning::Rotation { Law::SLERP } else { Law::LINEAR };
        let law = match interpolation {
            Interpolation::Step => Law::STEP,
            Interpolation::Linear => straight,
            Interpolation::Other(_) => {
                repairs.note(repairs::INTERPOLATION, pointer);
                straight
            }
            Interpolation::CubicSpline => return self.into_cubic(width, pointer, repairs),
        };
        (!self.times.is_empty()).then(|| Curve::new(self.times, width, self.values, Laws::uniform(law)))
    }

    fn into_cubic(self, width: usize, pointer: ChannelPlace, repairs: &mut Repairs) -> Option<Curve> {
        let part = |number: usize| -> Vec<f32> {
            let keys = self.values.chunks_exact(self.stride);
            keys.flat_map(|key| &key[number * width..(number + 1) * width]).copied().collect()
        };
        let keys = self.times.len();
        if keys < 2 {
            repairs.note(repairs::CUBIC_KEYS, pointer);
            return (keys == 1)
                .then(|| Curve::new(self.times.clone(), width, part(1), Laws::uniform(Law::STEP)));
        }
        let handles = Handles { arriving: part(0), leaving: part(2) };
        let law = Law { timing: Timing::Linear, blend: Blend::Hermite };
        let mut curve = Curve::new(self.times.clone(), width, part(1), Laws::uniform(law));
        curve.handles = Some(Box::new(handles));
        Some(curve)
    }
}
