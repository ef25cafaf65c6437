//! Curves → the keys of a sampler: increasing f32 times, and values of one law.

use super::super::rotation::near_unit;
use crate::gltf::json::parts::Interpolation;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, JumpSide, Law, Outside};
use dopesheet_core::words::{agreeing, counted};
use dopesheet_curve::slerp;
use std::borrow::Cow;

/// Neighbouring rotations further apart than this get a key between them: readers disagree on the way round.
const WIDE_ARC_RAD: f64 = 170.0 * std::f64::consts::PI / 180.0;
/// Rotations this close to half a turn apart are worth a warning.
const HALF_TURN_SLACK_RAD: f64 = 1e-3;

/// The keys of one channel as stored.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gltf) struct StoredKeys<'a> {
    /// In seconds; strictly increasing, 0 or more.
    pub(in crate::gltf) times: Vec<f32>,
    /// Never `Other`.
    pub(in crate::gltf) interpolation: Interpolation,
    /// Numbers in a value.
    pub(in crate::gltf) width: usize,
    /// For each key the value, or arriving tangent, value and leaving tangent. Lists of millions of values
    /// are borrowed, not copied.
    pub(in crate::gltf) values: Cow<'a, [f32]>,
}

impl<'a> StoredKeys<'a> {
    pub(in crate::gltf) fn is_cubic(&self) -> bool {
        self.interpolation == Interpolation::CubicSpline
    }

    fn stride(&self) -> usize {
        self.width * if self.is_cubic() { 3 } else { 1 }
    }

    /// The values of all keys, without tangents.
    pub(in crate::gltf) fn key_values(&self) -> impl Iterator<Item = &[f32]> {
        let (width, skip) = (self.width, if self.is_cubic() { self.width } else { 0 });
        self.values.chunks_exact(self.stride()).map(move |key| &key[skip..skip + width])
    }

    /// True if nothing moves at all.
    pub(in crate::gltf) fn is_constant(&self) -> bool {
        let mut keys = self.key_values();
        let first = keys.next();
        keys.all(|key| Some(key) == first) && self.tangents_are_zero()
    }

    /// True if there are no tangents, or only level ones.
    pub(in crate::gltf) fn tangents_are_zero(&self) -> bool {
        let outer = |key: &[f32]| key[..self.width].iter().chain(&key[2 * self.width..]).all(|t| *t == 0.0);
        !self.is_cubic() || self.values.chunks_exact(self.stride()).all(outer)
    }

    /// Times and values, to be stored elsewhere. The first key stays here, too, because readers that do not
    /// animate a property get its first value.
    pub(super) fn give_up_all_but_first(&mut self) -> (Vec<f32>, Cow<'a, [f32]>) {
        let times = self.times.first().copied().into_iter().collect();
        let values = self.values.get(..self.stride()).unwrap_or_default().to_vec().into();
        (std::mem::replace(&mut self.times, times), std::mem::replace(&mut self.values, values))
    }

    /// The time of the last key.
    pub(in crate::gltf) fn end(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Gives a channel that never changes a single key, at time 0.
    pub(super) fn collapse_constant(&mut self) {
        if self.is_constant() {
            let first = self.key_values().next().map(<[f32]>::to_vec);
            self.values = first.unwrap_or_default().into();
            self.times = vec![0.0];
            self.interpolation = Interpolation::Linear;
        }
    }

    /// Adds a key that holds the last value until `end`.
    pub(super) fn hold_until(&mut self, end: f32) {
        if self.end() >= end {
            return;
        }
        let (stride, width) = (self.stride(), self.width);
        let mut last = self.values[self.values.len() - stride..].to_vec();
        if self.is_cubic() {
            let leaving = self.values.len() - width;
            self.values.to_mut()[leaving..].fill(0.0);
            last[..width].fill(0.0);
            last[2 * width..].fill(0.0);
        }
        self.times.push(end);
        self.values.to_mut().extend(last);
    }

    /// Adds a key at 0 that holds the first value until the first key. Some readers play a late cubic spline
    /// with a tangent before its first key (Babylon.js 9; measured).
    pub(super) fn hold_from_start(&mut self) {
        if !self.is_cubic() || self.times.first().is_none_or(|first| *first <= 0.0) {
            return;
        }
        let width = self.width;
        let values = self.values.to_mut();
        values[..width].fill(0.0);
        let mut first = values[..3 * width].to_vec();
        first[2 * width..].fill(0.0);
        values.splice(0..0, first);
        self.times.insert(0, 0.0);
    }
}

/// Reason why glTF cannot hold a curve.
pub(in crate::gltf) type Unfit = String;

/// Meaning of the numbers of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gltf) enum Meaning {
    /// Quaternions.
    Rotation,
    /// Numbers.
    Numbers,
}

/// Keys before their times are rounded.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) times: Vec<f64>,
    pub(super) width: usize,
    pub(super) values: Vec<f64>,
    /// Arriving and leaving, if the law is cubic.
    pub(super) tangents: Option<[Vec<f64>; 2]>,
    pub(super) interpolation: Interpolation,
}

impl Draft {
    /// The keys of a channel in the unit of its property.
    pub(super) fn of(channel: &Channel) -> Result<Self, Unfit> {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        match &channel.composition {
            Composition::Whole(curve) => Self::of_curve(curve, scale),
            Composition::Components(curves) => Self::joined(curves, scale),
            _ => Err("values that are put together from angles or components".into()),
        }
    }

    /// The keys of a channel that players ignore, with the word for each segment's law where laws differ, and
    /// the number of segments whose law has no word here; such a segment is taken for a straight line.
    pub(super) fn free(channel: &Channel) -> Result<(Self, Vec<&'static str>, usize), Unfit> {
        let curve = match (&channel.composition, Self::of(channel)) {
            (_, Ok(draft)) => return Ok((draft, Vec::new(), 0)),
            (Composition::Whole(curve), Err(_)) => curve,
            (_, Err(unfit)) => return Err(unfit),
        };
        let laws = || (0..curve.len().saturating_sub(1)).map(|segment| curve.laws.get(segment));
        let unknown = laws().filter(|law| interpolation([*law]).is_err()).count();
        let words: Vec<Interpolation> = laws().map(|law| interpolation([law]).unwrap_or_default()).collect();
        let cubic = words.contains(&Interpolation::CubicSpline);
        let law = if cubic { Interpolation::CubicSpline } else { Interpolation::Linear };
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let mixed = words.windows(2).any(|pair| pair[0] != pair[1]);
        let draft = Self::with_law(
            curve,
            scale,
            if mixed { law } else { words.first().cloned().unwrap_or_default() },
        )?;
        let spell = |word: &Interpolation| match word {
            Interpolation::Step => "STEP",
            Interpolation::CubicSpline => "CUBICSPLINE",
            _ => "LINEAR",
        };
        let fits = mixed && draft.times.len() == curve.len();
        Ok((draft, if fits { words.iter().map(spell).collect() } else { Vec::new() }, unknown))
    }

    fn of_curve(curve: &Curve, scale: f64) -> Result<Self, Unfit> {
        let laws = (0..curve.len().saturating_sub(1)).map(|segment| curve.laws.get(segment));
        Self::with_law(curve, scale, interpolation(laws)?)
    }

    fn with_law(curve: &Curve, scale: f64, interpolation: Interpolation) -> Result<Self, Unfit> {
        curve.validate().map_err(|invalid| invalid.to_string())?;
        let numbers = |list: &[f32]| list.iter().map(|value| f64::from(*value) * scale).collect::<Vec<_>>();
        let mut draft = Self {
            times: curve.times.iter().map(|time| time.0).collect(),
            width: curve.width,
            values: numbers(&curve.values),
            tangents: None,
            interpolation,
        };
        if let (Interpolation::CubicSpline, Some(handles)) = (&draft.interpolation, &curve.handles) {
            draft.tangents = Some([numbers(&handles.arriving), numbers(&handles.leaving)]);
        }
        if curve.jump == JumpSide::Before {
            draft.part_jumps();
        }
        draft.start_with_ramp(&curve.before, scale)?;
        draft.drop_non_finite();
        Ok(draft)
    }

    /// Moves the later of two keys at one time behind the earlier by one step of f32, because the earlier key
    /// counts at its time.
    fn part_jumps(&mut self) {
        for key in 1..self.times.len() {
            if self.times[key] <= self.times[key - 1] {
                self.times[key] = narrow(self.times[key - 1]).next_up().into();
            }
        }
    }

    /// One draft from curves of single numbers with common times and a common law.
    fn joined(curves: &[Curve], scale: f64) -> Result<Self, Unfit> {
        let parts: Vec<Self> = curves.iter().map(|c| Self::of_curve(c, scale)).collect::<Result<_, _>>()?;
        let Some(first) = parts.first() else { return Err("a channel without curves".into()) };
        let alike = |part: &Self| {
            part.times == first.times && part.interpolation == first.interpolation && part.width == 1
        };
        if !parts.iter().all(alike) {
            return Err("components with different key times".into());
        }
        let keys = 0..first.times.len();
        let weave = |list: fn(&Self) -> Option<&[f64]>| -> Vec<f64> {
            keys.clone()
                .flat_map(|k| parts.iter().filter_map(move |part| list(part)?.get(k).copied()))
                .collect()
        };
        let tangents = first.tangents.is_some().then(|| {
            [weave(|p| p.tangents.as_ref().map(|t| &*t[0])), weave(|p| p.tangents.as_ref().map(|t| &*t[1]))]
        });
        Ok(Self {
            times: first.times.clone(),
            width: parts.len(),
            values: weave(|part| Some(&part.values)),
            tangents,
            interpolation: first.interpolation.clone(),
        })
    }

    /// Turns a ramp before the first key into a key.
    fn start_with_ramp(&mut self, before: &Outside, scale: f64) -> Result<(), Unfit> {
        let Outside::Ramp { start, from, law } = before else { return Ok(()) };
        let law = interpolation([*law])?;
        if self.times.len() == 1 {
            self.interpolation = law.clone();
        }
        if law != self.interpolation || law == Interpolation::CubicSpline || from.len() != self.width {
            return Err("a ramp before the first key whose law is not the curve's".into());
        }
        self.times.insert(0, start.0);
        self.values.splice(0..0, from.iter().map(|value| f64::from(*value) * scale));
        Ok(())
    }

    fn key(&self, key: usize) -> &[f64] {
        &self.values[key * self.width..(key + 1) * self.width]
    }

    /// Keeps only some keys.
    fn retain(&mut self, keep: &[bool]) {
        let width = self.width;
        let thin = |list: &mut Vec<f64>, width: usize| {
            let mut number = 0;
            list.retain(|_| {
                number += 1;
                keep[(number - 1) / width]
            });
        };
        thin(&mut self.times, 1);
        thin(&mut self.values, width);
        for list in self.tangents.iter_mut().flatten() {
            thin(list, width);
        }
    }

    fn drop_non_finite(&mut self) {
        let finite = |list: &[f64], key: usize| {
            list[key * self.width..(key + 1) * self.width].iter().all(|value| value.is_finite())
        };
        let lists = || [&self.values].into_iter().chain(self.tangents.iter().flatten());
        if lists().flatten().all(|value| value.is_finite()) {
            return;
        }
        let keep: Vec<bool> =
            (0..self.times.len()).map(|key| lists().all(|list| finite(list, key))).collect();
        self.retain(&keep);
    }

    /// Makes quaternions of unit length, and turns the sign of each towards the quaternion before it. Signs
    /// in a cubic spline stay, because a spline mixes components: there the sign decides the direction of the
    /// rotation.
    fn align_rotations(&mut self) {
        let mut last: Option<[f64; 4]> = None;
        for key in 0..self.times.len() {
            let range = key * 4..key * 4 + 4;
            let Ok(stored) = <[f64; 4]>::try_from(&self.values[range.clone()]) else { return };
            let length = stored.iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut unit = near_unit(stored);
            let opposed = self.tangents.is_none() && last.is_some_and(|last| dot(last, unit) < 0.0);
            let sign = if opposed { -1.0 } else { 1.0 };
            let is_changed = unit != stored;
            unit = unit.map(|x| x * sign);
            self.values[range.clone()].copy_from_slice(&unit);
            for tangents in self.tangents.iter_mut().flatten().filter(|_| is_changed) {
                for tangent in &mut tangents[range.clone()] {
                    *tangent = if length > 0.0 { *tangent / length } else { 0.0 };
                }
            }
            last = Some(unit);
        }
    }

    /// Of keys at one time the first and the last count; in a step curve, without values between keys, only
    /// the last.
    fn thin_runs(&mut self) {
        let last_only = self.interpolation == Interpolation::Step;
        let times = &self.times;
        if times.windows(2).all(|pair| pair[0] != pair[1]) {
            return;
        }
        let same = |a: Option<usize>, b: usize| a.and_then(|a| times.get(a)).is_some_and(|t| *t == times[b]);
        let keep: Vec<bool> = (0..times.len())
            .map(|key| !same(Some(key + 1), key) || (!last_only && !same(key.checked_sub(1), key)))
            .collect();
        if keep.contains(&false) {
            self.retain(&keep);
        }
    }

    /// Puts a key into the middle of wide arcs. Returns how many are half a turn.
    fn split_wide_arcs(&mut self) -> usize {
        // Nearly all are far from that.
        let half_cosine = libm::cos(0.5 * WIDE_ARC_RAD) + 1e-9;
        let mut half_turns = 0;
        let mut key = 1;
        while key < self.times.len() {
            let (a, b) = (self.key(key - 1), self.key(key));
            let (Ok(a), Ok(b)) = (<[f64; 4]>::try_from(a), <[f64; 4]>::try_from(b)) else {
                return half_turns;
            };
            let cosine = dot(a, b);
            if cosine > half_cosine {
                key += 1;
                continue;
            }
            let angle = 2.0 * libm::acos(cosine.clamp(-1.0, 1.0));
            let time = (self.times[key - 1] + self.times[key]) / 2.0;
            let between =
                narrow(self.times[key - 1]) < narrow(time) && narrow(time) < narrow(self.times[key]);
            if angle > WIDE_ARC_RAD && between {
                half_turns += usize::from(angle > std::f64::consts::PI - HALF_TURN_SLACK_RAD);
                self.times.insert(key, time);
                self.values.splice(key * 4..key * 4, slerp(a, b, 0.5));
                key += 1;
            }
            key += 1;
        }
        half_turns
    }

    /// Rounds all numbers; keys that would then share a time move apart by single f32 steps.
    fn round(self) -> StoredKeys<'static> {
        let is_jump = |key: usize| self.times.get(key + 1).is_some_and(|next| *next == self.times[key]);
        let mut times: Vec<f32> = Vec::with_capacity(self.times.len());
        let mut values = Vec::with_capacity(self.values.len() * if self.tangents.is_some() { 3 } else { 1 });
        // Of the last key that was added.
        let mut last = 0;
        for key in 0..self.times.len() {
            // 0 for -0, which some machines take for the larger.
            let mut time = (narrow(self.times[key]) + 0.0).max(0.0);
            if is_jump(key) {
                if time == 0.0 {
                    continue;
                }
                time = time.next_down();
            }
            if let Some(before) = times.last().filter(|before| time <= **before) {
                let stored = |key: usize| self.key(key).iter().map(|v| narrow(*v));
                if self.tangents.is_none() && stored(last).eq(stored(key)) {
                    continue;
                }
                time = before.next_up();
            }
            times.push(time);
            self.push_values(key, &mut values);
            last = key;
        }
        let (interpolation, width) = (self.interpolation, self.width);
        let mut keys = StoredKeys { times, interpolation, width, values: values.into() };
        keys.clear_outer_tangents();
        keys
    }

    fn push_values(&self, key: usize, values: &mut Vec<f32>) {
        let range = key * self.width..(key + 1) * self.width;
        let mut push = |list: &[f64]| values.extend(list[range.clone()].iter().map(|value| narrow(*value)));
        match &self.tangents {
            Some([arriving, leaving]) => [arriving, &self.values, leaving].into_iter().for_each(|l| push(l)),
            None => push(&self.values),
        }
    }
}

impl<'a> StoredKeys<'a> {
    /// The first arriving and the last leaving tangent mean nothing.
    fn clear_outer_tangents(&mut self) {
        if self.is_cubic() && !self.values.is_empty() {
            let (width, length) = (self.width, self.values.len());
            let values = self.values.to_mut();
            values[..width].fill(0.0);
            values[length - width..].fill(0.0);
        }
    }
}

/// The keys of a channel, and the number of its arcs of half a turn. With `collapses`, a constant channel
/// gets a single key.
pub(in crate::gltf) fn keys(
    channel: &Channel,
    meaning: Meaning,
    width: usize,
    collapses: bool,
) -> Result<(StoredKeys<'_>, usize), Unfit> {
    let mut draft = Draft::of(channel)?;
    if draft.width != width {
        return Err(format!(
            "{} per key where {width} {} expected",
            counted(draft.width, "number"),
            agreeing(width, "is", "are")
        ));
    }
    if draft.times.first().is_some_and(|first| *first < 0.0) {
        return Err("keys before time 0".into());
    }
    draft.thin_runs();
    let mut half_turns = 0;
    if meaning == Meaning::Rotation {
        draft.align_rotations();
        if draft.interpolation == Interpolation::Linear {
            half_turns = draft.split_wide_arcs();
        }
    }
    if draft.times.len() < 2 {
        draft.interpolation = Interpolation::Linear;
        draft.tangents = None;
    }
    let mut keys = draft.round();
    if collapses {
        keys.collapse_constant();
    }
    if let Composition::Whole(curve) = &channel.composition
        && same_bits(&keys.values, &curve.values)
    {
        keys.values = Cow::Borrowed(&curve.values);
    }
    Ok((keys, half_turns))
}

/// The common law of all segments.
fn interpolation(laws: impl IntoIterator<Item = Law>) -> Result<Interpolation, Unfit> {
    let mut common = None;
    for law in laws {
        let this = match law.blend {
            Blend::Step => Interpolation::Step,
            Blend::Lerp | Blend::Slerp if law.timing.is_linear() => Interpolation::Linear,
            Blend::Hermite if law.timing.is_linear() => Interpolation::CubicSpline,
            _ => return Err(format!("the law {law:?}")),
        };
        if common.get_or_insert_with(|| this.clone()) != &this {
            return Err("segments of different laws in one curve".into());
        }
    }
    Ok(common.unwrap_or_default())
}

/// True if two lists are equal, down to the last bit.
pub(super) fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
pub(super) const fn narrow(value: f64) -> f32 {
    value as f32
}
