//! Keys of a track after a change, in the track's type if that type can hold them.

use crate::more::animation::{Bezier, KeyLaw, Keys, Shape, Tcb, Times, TrackType, Values};
use crate::more::from_scene::keys::{self as made, narrow};
use crate::more::interpretation::{Interpretation, TangentUnit};
use crate::more::packed::{self, angle, quat32, quat48, time};
use dopesheet_core::format::Held;
use dopesheet_core::model::{Blend, Composition, Curve, Property, TargetKind, Timing, Track};
use dopesheet_core::order::{Taken, as_before};
use std::collections::HashMap;

/// Times closer than this, in seconds, count as equal.
pub(super) const SAME_S: f64 = 1e-9;

/// A track of keys of the file.
pub(super) struct Leaf<'a> {
    pub(super) keys: &'a Keys,
    pub(super) track_type: TrackType,
}

/// Keys after a change.
pub(super) struct Rewritten {
    pub(super) track_type: TrackType,
    pub(super) keys: Keys,
    /// True if they have another type.
    pub(super) is_retyped: bool,
    /// The precision with which the keys reproduce the track.
    pub(super) held: Held,
    pub(super) rounding: Rounding,
}

/// Changes made by storing keys.
#[derive(Default)]
pub(super) struct Rounding {
    /// The largest movement of a key by rounding its time, in seconds.
    pub(super) moved_s: f64,
    /// True if a stored value differs from the new value.
    changes_values: bool,
}

impl Rounding {
    fn time(&mut self, exact: f64, stored: f64) {
        self.moved_s = self.moved_s.max((stored - exact).abs());
    }

    fn held(&self) -> Held {
        if self.changes_values || self.moved_s > SAME_S { Held::Rounded } else { Held::Exactly }
    }
}

impl Leaf<'_> {
    /// The new keys of the track `old`; `None` if it has no curve.
    pub(super) fn rewritten(&self, old: &Track, track: &Track, how: &Interpretation) -> Option<Rewritten> {
        let (before, after) = (curve(old)?, curve(track)?);
        let mut rounding = Rounding::default();
        if let Some(keys) = self.same_type([before, after], how, &mut rounding) {
            let (track_type, is_retyped) = (self.track_type, false);
            return Some(Rewritten { track_type, keys, is_retyped, held: rounding.held(), rounding });
        }
        let channel = track.channels.first()?;
        let rotates = channel.property == Property::Rotation && track.target.kind != TargetKind::Custom;
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let new_keys = made::keys(after, rotates, scale)?;
        let terminate = self.keys.terminate;
        let is_retyped = new_keys.track_type != self.track_type;
        after.times.iter().for_each(|time| rounding.time(time.0, seconds(time.0).into()));
        // A track of rotations has one law.
        let is_exact = new_keys.bent + new_keys.repeats == 0 && !(rotates && after.laws.runs().count() > 1);
        Some(Rewritten {
            track_type: new_keys.track_type,
            keys: Keys { terminate, ..new_keys.keys },
            is_retyped,
            held: if is_exact { rounding.held() } else { Held::Not },
            rounding,
        })
    }

    fn same_type(
        &self,
        [before, after]: [&Curve; 2],
        how: &Interpretation,
        rounding: &mut Rounding,
    ) -> Option<Keys> {
        if before.width != after.width {
            return None;
        }
        let places: HashMap<u32, usize> =
            (0..before.len()).filter_map(|key| Some((before.source(key)?, key))).collect();
        let pairs: Vec<Option<KeyPair>> = (0..after.len())
            .map(|key| {
                let source = after.source(key)?;
                Some(KeyPair { file: source as usize, before: *places.get(&source)? })
            })
            .collect();
        let change = Change { leaf: self, how, before, after, pairs };
        let times = change.times(rounding)?;
        let values = change.values(rounding)?;
        let shape = match &self.keys.shape {
            Shape::Plain => change.plain()?,
            Shape::Bezier(bezier) => change.bezier(bezier)?,
            Shape::Tcb(tcb) => change.tcb(tcb)?,
        };
        let keys = Keys { terminate: self.keys.terminate, times, values, shape };
        Some(change.in_file_order(keys))
    }
}

/// A number of seconds as stored in the file.
pub(super) fn seconds(time: f64) -> f32 {
    narrow(time)
}

/// The only curve of a track.
fn curve(track: &Track) -> Option<&Curve> {
    match &track.channels.first()?.composition {
        Composition::Whole(curve) => Some(curve),
        Composition::Euler { angles, .. } => match &angles[..] {
            [curve] if curve.width == 3 => Some(curve),
            _ => None,
        },
        _ => None,
    }
}

/// Some keys of a track, as they are.
pub(super) fn picked(keys: &Keys, places: &[usize]) -> Keys {
    let values = |values: &Values| pick(values, places);
    fn of<T: Clone>(list: &[T], places: &[usize]) -> Vec<T> {
        places.iter().filter_map(|position| list.get(*position).cloned()).collect()
    }
    Keys {
        terminate: keys.terminate,
        times: match &keys.times {
            Times::Seconds(times) => Times::Seconds(of(times, places)),
            Times::Codes(codes) => Times::Codes(of(codes, places)),
        },
        values: values(&keys.values),
        shape: match &keys.shape {
            Shape::Plain => Shape::Plain,
            Shape::Bezier(bezier) => Shape::Bezier(Bezier {
                der_src: values(&bezier.der_src),
                der_dst: bezier.der_dst.as_ref().map(values),
                flat_out: of(&bezier.flat_out, places),
            }),
            Shape::Tcb(tcb) => Shape::Tcb(Box::new(Tcb {
                settings: of(&tcb.settings, places),
                der_src: values(&tcb.der_src),
                der_dst: values(&tcb.der_dst),
                turns: of(&tcb.turns, places),
            })),
        },
    }
}

/// Keys with the file's keys behind them, in the same form.
fn chained(mut keys: Keys, behind: &Keys) -> Keys {
    match (&mut keys.times, &behind.times) {
        (Times::Seconds(all), Times::Seconds(more)) => all.extend(more),
        (Times::Codes(all), Times::Codes(more)) => all.extend(more),
        _ => {}
    }
    let extend = |all: &mut Values, more: &Values| (0..more.len()).all(|at| copy(all, more, at).is_some());
    extend(&mut keys.values, &behind.values);
    match (&mut keys.shape, &behind.shape) {
        (Shape::Bezier(all), Shape::Bezier(more)) => {
            extend(&mut all.der_src, &more.der_src);
            if let (Some(all), Some(more)) = (&mut all.der_dst, &more.der_dst) {
                extend(all, more);
            }
            all.flat_out.extend(&more.flat_out);
        }
        (Shape::Tcb(all), Shape::Tcb(more)) => {
            all.settings.extend(&more.settings);
            extend(&mut all.der_src, &more.der_src);
            extend(&mut all.der_dst, &more.der_dst);
            all.turns.extend(&more.turns);
        }
        _ => {}
    }
    keys
}

fn pick(values: &Values, places: &[usize]) -> Values {
    let mut out = empty(values);
    for position in places {
        copy(&mut out, values, *position);
    }
    out
}

/// No values, in the form of the given values.
fn empty(values: &Values) -> Values {
    match values {
        Values::Integers(_) => Values::Integers(Vec::new()),
        Values::Floats(_) => Values::Floats(Vec::new()),
        Values::Vectors(_) => Values::Vectors(Vec::new()),
        Values::Quaternions(_) => Values::Quaternions(Vec::new()),
        Values::Quaternions32(_) => Values::Quaternions32(Vec::new()),
        Values::Quaternions48(_) => Values::Quaternions48(Vec::new()),
        Values::Angles(_) => Values::Angles(Vec::new()),
    }
}

/// Adds a value in its stored form.
fn copy(out: &mut Values, from: &Values, index: usize) -> Option<()> {
    match (out, from) {
        (Values::Integers(out), Values::Integers(from)) => out.push(*from.get(index)?),
        (Values::Floats(out), Values::Floats(from)) => out.push(*from.get(index)?),
        (Values::Vectors(out), Values::Vectors(from)) => out.push(*from.get(index)?),
        (Values::Quaternions(out), Values::Quaternions(from)) => out.push(*from.get(index)?),
        (Values::Quaternions32(out), Values::Quaternions32(from)) => out.push(*from.get(index)?),
        (Values::Quaternions48(out), Values::Quaternions48(from))
        | (Values::Angles(out), Values::Angles(from)) => out.push(*from.get(index)?),
        _ => return None,
    }
    Some(())
}

/// Changes the sign of the last of some numbers or vectors.
fn negate_last(values: &mut Values) {
    match values {
        Values::Floats(all) => all.last_mut().into_iter().for_each(|number| *number = -*number),
        Values::Vectors(all) => all.last_mut().into_iter().flatten().for_each(|number| *number = -*number),
        _ => {}
    }
}

/// True of rotations in fewer bits.
const fn is_packed(values: &Values) -> bool {
    matches!(values, Values::Quaternions32(_) | Values::Quaternions48(_) | Values::Angles(_))
}

/// Adds a value not in the file; `None` if the form cannot hold it.
fn store(out: &mut Values, value: &[f64]) -> Option<()> {
    let all: [f64; 4] = std::array::from_fn(|at| value.get(at).copied().unwrap_or(0.0));
    let [x, y, z, _] = all;
    match out {
        Values::Integers(out) => {
            let is_whole = x.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&x);
            out.push(is_whole.then_some(x as u16)?);
        }
        Values::Floats(out) => out.push(narrow(x)),
        Values::Vectors(out) => out.push([x, y, z].map(narrow)),
        Values::Quaternions(out) => out.push(all.map(narrow)),
        Values::Quaternions32(out) => {
            out.push(quat32::encode(all, packed::Rounding::Nearest)?);
        }
        Values::Quaternions48(out) => {
            out.push(quat48::encode(all, packed::Rounding::Nearest)?);
        }
        Values::Angles(out) => {
            let code = |radians: f64| angle::encode(radians, packed::Rounding::Nearest).ok();
            out.push([code(x)?, code(y)?, code(z)?]);
        }
    }
    Some(())
}

/// A key of the file: its place there, and in the curve before.
#[derive(Clone, Copy)]
struct KeyPair {
    file: usize,
    before: usize,
}

struct Change<'a> {
    leaf: &'a Leaf<'a>,
    how: &'a Interpretation,
    before: &'a Curve,
    after: &'a Curve,
    /// For each key after the change, the corresponding key before.
    pairs: Vec<Option<KeyPair>>,
}

/// Numbers of a handle at a key; `None` if missing.
type Handle<'a> = Option<&'a [f32]>;

impl Change<'_> {
    /// The keys in the order of the file, if their order in time is unchanged; keys without a time stay among
    /// them.
    fn in_file_order(&self, keys: Keys) -> Keys {
        let stored = self.leaf.keys;
        let played: Vec<usize> =
            (0..self.before.len()).filter_map(|key| self.before.source(key).map(|at| at as usize)).collect();
        if played.len() == stored.len() && played.is_sorted() {
            return keys;
        }
        let sources: Vec<Option<usize>> = self.pairs.iter().map(|pair| pair.map(|pair| pair.file)).collect();
        let Some(order) = as_before(&sources, &played, stored.len()) else { return keys };
        let count = keys.len();
        let position = |taken: &Taken| match taken {
            Taken::New(at) => *at,
            Taken::Old(at) => count + at,
        };
        picked(&chained(keys, stored), &order.iter().map(position).collect::<Vec<_>>())
    }

    fn times(&self, rounding: &mut Rounding) -> Option<Times> {
        let moments = |curve: &Curve, key: usize| curve.times.get(key).map_or(f64::NAN, |time| time.0);
        let kept = |key: usize| {
            let pair = self.pairs.get(key).copied().flatten()?;
            // What moving there and back leaves of rounding is no other time.
            let is_same = (moments(self.after, key) - moments(self.before, pair.before)).abs() < SAME_S;
            is_same.then_some(pair.file)
        };
        let keys = 0..self.after.len();
        Some(match &self.leaf.keys.times {
            Times::Seconds(stored) => {
                let time = |key| {
                    let kept = kept(key).and_then(|position| stored.get(position).copied());
                    kept.unwrap_or_else(|| {
                        let moment = moments(self.after, key);
                        rounding.time(moment, seconds(moment).into());
                        seconds(moment)
                    })
                };
                Times::Seconds(keys.map(time).collect())
            }
            Times::Codes(stored) => {
                let code = |key: usize| match kept(key).and_then(|position| stored.get(position).copied()) {
                    Some(code) => Some(code),
                    None => {
                        let moment = moments(self.after, key);
                        let code = time::encode(moment, packed::Rounding::Nearest).ok()?;
                        rounding.time(moment, time::decode(code));
                        Some(code)
                    }
                };
                let codes: Vec<u16> = keys.map(code).collect::<Option<_>>()?;
                let is_apart = |pair: &[u16]| matches!(pair, [a, b] if a < b);
                // Keys that have one time become a jump.
                if !codes.windows(2).all(is_apart) && self.after.times.iter().is_sorted_by(|a, b| a.0 < b.0) {
                    return None;
                }
                Times::Codes(codes)
            }
        })
    }

    fn values(&self, rounding: &mut Rounding) -> Option<Values> {
        let stored = &self.leaf.keys.values;
        let mut out = empty(stored);
        for (key, pair) in self.pairs.iter().enumerate() {
            let value = self.after.value(key)?;
            match pair.filter(|pair| self.before.value(pair.before) == Some(value)) {
                Some(pair) => copy(&mut out, stored, pair.file)?,
                None => {
                    store(&mut out, &self.stored(value))?;
                    rounding.changes_values |= is_packed(stored);
                }
            }
        }
        Some(out)
    }

    /// Numbers of a scene as the file has them.
    fn stored(&self, numbers: &[f32]) -> Vec<f64> {
        let turns = self.how.conjugate_rotations && self.leaf.track_type.is_rotation();
        let sign = |at: usize| if turns && at < 3 { -1.0 } else { 1.0 };
        numbers.iter().enumerate().map(|(at, number)| sign(at) * f64::from(*number)).collect()
    }

    fn segments(&self) -> impl Iterator<Item = dopesheet_core::model::Law> {
        (0..self.after.len().saturating_sub(1)).map(|segment| self.after.laws.get(segment))
    }

    fn plain(&self) -> Option<Shape> {
        let fits = match (self.leaf.track_type.law(), self.after.width) {
            (KeyLaw::Linear, 4) => |blend| blend == Blend::Slerp,
            (KeyLaw::Linear, _) => |blend| blend == Blend::Lerp,
            _ => |blend| blend == Blend::Step,
        };
        self.segments().all(|law| law.timing.is_linear() && fits(law.blend)).then_some(Shape::Plain)
    }

    fn bezier(&self, stored: &Bezier) -> Option<Shape> {
        let blend = if self.leaf.keys.values.width() == 4 { Blend::Squad } else { Blend::Hermite };
        if !self
            .segments()
            .all(|law| law.blend == Blend::Step || (law.blend == blend && law.timing.is_linear()))
        {
            return None;
        }
        let last = self.after.len().saturating_sub(1);
        let flat = |(key, pair): (usize, &Option<KeyPair>)| match key < last {
            true => self.after.laws.get(key).blend == Blend::Step,
            false => pair.and_then(|pair| stored.flat_out.get(pair.file).copied()).unwrap_or(false),
        };
        let per_segment = self.how.tangent_unit == TangentUnit::PerSegment;
        Some(Shape::Bezier(Bezier {
            der_src: self.derivatives(&stored.der_src, [false; 2], per_segment)?,
            der_dst: match &stored.der_dst {
                Some(leaving) => Some(self.derivatives(leaving, [true; 2], per_segment)?),
                None => None,
            },
            flat_out: self.pairs.iter().enumerate().map(flat).collect(),
        }))
    }

    /// Sliders cannot be computed for inserted keys. Played backwards, keys have the same sliders but for the
    /// sign of the bias, and both sides change places.
    fn tcb(&self, stored: &Tcb) -> Option<Shape> {
        let pairs: Vec<KeyPair> = self.pairs.iter().copied().collect::<Option<_>>()?;
        let is_reversed = matches!(pairs[..], [first, second, ..] if second.before < first.before);
        let is_same = |segment: usize| {
            let [Some(from), Some(to)] = [pairs.get(segment), pairs.get(segment + 1)] else { return false };
            let [first, second] = if is_reversed { [to, from] } else { [from, to] };
            let law = self.before.laws.get(first.before);
            let law = if is_reversed { law.backwards() } else { law };
            second.before == first.before + 1 && self.after.laws.get(segment) == law
        };
        let knows_laws = |law: dopesheet_core::model::Law| {
            matches!(law.blend, Blend::Hermite | Blend::Turn)
                && matches!(law.timing, Timing::Linear | Timing::Ease { .. })
        };
        if !(0..pairs.len().saturating_sub(1)).all(is_same) || !self.segments().all(knows_laws) {
            return None;
        }
        let turn = |curve: &Curve, key: usize| curve.turns.as_ref().and_then(|turns| turns.get(key).copied());
        let back = |[angle, x, y, z]: [f32; 4]| [-angle, x, y, z];
        let has_its_turn = |(key, pair): (usize, &KeyPair)| match turn(self.after, key) {
            arriving if !is_reversed => arriving == turn(self.before, pair.before),
            // Nothing turns to the first key.
            arriving => key == 0 || arriving == turn(self.before, pair.before + 1).map(back),
        };
        if !pairs.iter().enumerate().all(has_its_turn) {
            return None;
        }
        let places: Vec<usize> = pairs.iter().map(|pair| pair.file).collect();
        let Shape::Tcb(mut kept) = picked(self.leaf.keys, &places).shape else { return None };
        let mut sides = [&stored.der_src, &stored.der_dst];
        if is_reversed {
            sides.reverse();
            for sliders in &mut kept.settings {
                sliders.bias = -sliders.bias;
                std::mem::swap(&mut sliders.ease_to, &mut sliders.ease_from);
            }
            // The turn to a key is the turn from the key before.
            let turned = kept.turns.len().min(1);
            kept.turns.rotate_right(turned);
            kept.turns.iter_mut().skip(1).for_each(|turn| turn.angle = -turn.angle);
        }
        let [arriving, leaving] = sides;
        Some(Shape::Tcb(Box::new(Tcb {
            der_src: self.derivatives(arriving, [false, is_reversed], true)?,
            der_dst: self.derivatives(leaving, [true, !is_reversed], true)?,
            ..*kept
        })))
    }

    /// Derivatives on one side of the keys, which they had on this or the other side before; unchanged
    /// derivatives keep their stored form.
    fn derivatives(
        &self,
        stored: &Values,
        [is_leaving, was_leaving]: [bool; 2],
        per_segment: bool,
    ) -> Option<Values> {
        let is_negated = is_leaving != was_leaving && self.after.width != 4;
        let mut out = empty(stored);
        for (key, pair) in self.pairs.iter().enumerate() {
            let new = self.derivative(self.after, key, is_leaving, per_segment);
            let mut old =
                pair.and_then(|pair| self.derivative(self.before, pair.before, was_leaving, per_segment));
            if is_negated {
                old.iter_mut().flatten().for_each(|number| *number = -*number);
            }
            match pair.filter(|_| new.is_none() || new == old) {
                Some(pair) => {
                    copy(&mut out, stored, pair.file)?;
                    if is_negated {
                        negate_last(&mut out);
                    }
                }
                None => {
                    let numbers = new.unwrap_or_else(|| vec![0.0; self.after.width]);
                    let is_control = self.leaf.keys.values.width() == 4 && numbers.iter().all(|x| *x == 0.0);
                    let numbers = match is_control {
                        // A control beside nothing is its key.
                        true => self.after.value(key)?.to_vec(),
                        false => numbers,
                    };
                    store(&mut out, &self.stored(&numbers))?;
                }
            }
        }
        Some(out)
    }

    /// A derivative of a curve's key in the unit of the file; `None` if no segment with a duration uses it.
    fn derivative(&self, curve: &Curve, key: usize, is_leaving: bool, per_segment: bool) -> Option<Vec<f32>> {
        let segment = if is_leaving { key } else { key.checked_sub(1)? };
        let [from, to] = [curve.times.get(segment)?, curve.times.get(segment + 1)?];
        // Beside a jump the file may have any number, which a scene does not.
        let is_jump = curve.width != 4 && to.0 <= from.0;
        if is_jump || curve.laws.get(segment).blend == Blend::Step {
            return None;
        }
        let handles = curve.handles.as_deref()?;
        let column = if is_leaving { &handles.leaving } else { &handles.arriving };
        let row: Handle<'_> = column.get(key * curve.width..(key + 1) * curve.width);
        let length = match curve.width {
            4 => 1.0,
            _ if per_segment => to.0 - from.0,
            _ => 1.0,
        };
        Some(row?.iter().map(|number| narrow(f64::from(*number) * length)).collect())
    }
}
