//! Where to cut a way of which no formula is known, by looking how much it bends.
//!
//! A straight piece of length h through exact values of f is at most h²·|f''|/8 off. So pieces are longest where each holds the
//! same share of ∫ √(|f''| / 8ε) dt; that integral is measured on a grid that is finer where f bends more, and cut into shares.
//! Every piece is then looked at and halved where it still misses.
//!
//! Such pieces miss on one side only, that to which f bends. Those of positions and rotations end beside f, on its other side, by
//! half of that, so that they may be √2 times as long.

use super::narrow;
use super::points::MAX_BETWEEN;
use super::split::{MAX_HALVINGS, Splitter, Stretch};
use crate::evaluate::{KeyValue, Side};
use dopesheet_core::model::ValueKind;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, quat_normalise_or_identity};
use glam::{DQuat, DVec3};
use std::f64::consts::SQRT_2;

/// Grid cells of a stretch before they are refined.
const CELLS: u32 = 4;

/// Halvings of a cell: as far as a jump inside a stretch is narrowed down.
const MAX_DEPTH: u32 = 20;

/// Most cells of a stretch: without a bound, a segment whose values are huge beside the allowance has millions, of
/// which [`MAX_BETWEEN`] pieces are made.
const MAX_CELLS: usize = 4 * MAX_BETWEEN as usize;

/// Where on a cell of the grid it is looked at, and how much larger than there the error is in the middle if the curve
/// bends evenly.
const CELL_PROBES: [(f64, f64); 2] = [(0.35, 1.0 / 0.91), (0.7, 1.0 / 0.84)];

/// A cell in which the curve bends evenly may hold two pieces: what is then seen of its error differs by no more than to this part.
const EVEN: f64 = 0.95;

/// The error of a cell that holds so many pieces, in allowances.
const ONE_PIECE: f64 = 1.0;
const TWO_PIECES: f64 = 4.0;

/// Pieces are made to use this share of the allowance, because the grid only estimates how much a curve bends.
const AIM: f64 = 0.9;

/// What counts as a frame may be this part of a stretch beside a cut in which the way's bend is looked at.
const ASIDE: f64 = 1e-2;

/// Numbers of unit quaternions below this are rounding.
const NOISE: f64 = 1e-12;

impl Splitter<'_> {
    /// Cuts a stretch of which nothing is known.
    pub(super) fn search(&mut self, whole: &Stretch) {
        self.integrate(whole);
        let mut last = (whole.a, whole.from.clone());
        let is_beside = self.ends_beside();
        let cuts = self.shares(whole.a, whole.b, if is_beside { SQRT_2 } else { 1.0 });
        self.waiting = cuts.len();
        for (cut, time) in cuts.iter().enumerate() {
            let before = cut.checked_sub(1).and_then(|before| cuts.get(before)).unwrap_or(&whole.a);
            let after = cuts.get(cut + 1).unwrap_or(&whole.b);
            let beside = if is_beside { self.beside_way(*time, 0.25 * (after.0 - before.0)) } else { None };
            let value = beside.clone().unwrap_or_else(|| self.value(*time, Side::At));
            self.halve(&Stretch { a: last.0, b: *time, from: last.1, to: value.clone() }, MAX_HALVINGS);
            self.push_key(*time, beside.map_or(KeyValue::Own, KeyValue::Given));
            self.waiting -= 1;
            last = (*time, value);
        }
        self.halve(&Stretch { a: last.0, b: whole.b, from: last.1, to: whole.to.clone() }, MAX_HALVINGS);
    }

    /// Whether pieces may end beside the way. Other values than positions and rotations may have bounds.
    fn ends_beside(&self) -> bool {
        let may_be = |kind: ValueKind| matches!(kind, ValueKind::Position | ValueKind::Rotation);
        self.parts.iter().all(|(property, ..)| may_be(property.kind()))
    }

    /// What is stored beside the way at a time between pieces twice as long as `reach`; `None` where that is not seen.
    ///
    /// Of such a piece the middle is h²·|f''|/8 beside the way, half of which is a quarter of f(t + h/2) − 2·f(t) + f(t − h/2).
    fn beside_way(&mut self, time: Seconds, reach: f64) -> Option<Vec<f32>> {
        let times = [time.0 - reach, time.0, time.0 + reach];
        let snapped = |time: f64| self.grid().map_or(0.0, |rate| (rate.snap(Seconds(time)).0 - time).abs());
        if times.iter().any(|time| snapped(*time) > ASIDE * reach) {
            return None;
        }
        let [before, mut at, after] = times.map(|time| {
            let mut value = Vec::with_capacity(8);
            self.sampler.value_near(Seconds(time), Side::At, &mut value);
            value
        });
        for (property, range, allowed) in &self.parts {
            let of = |value: &[f64]| value.get(range.clone()).map(<[f64]>::to_vec);
            let (before, own, after) = (of(&before)?, of(&at)?, of(&after)?);
            let part = at.get_mut(range.clone())?;
            if property.kind() == ValueKind::Rotation {
                let own = rotation(&own)?;
                let ends = [turn_between(own, rotation(&before)?), turn_between(own, rotation(&after)?)];
                let turned = DQuat::from_scaled_axis(beside(ends, AIM * allowed)) * own;
                part.copy_from_slice(&turned.to_array().map(without_noise));
            } else {
                let own = position(&own)?;
                let ends = [position(&before)? - own, position(&after)? - own];
                let moved = beside(ends, AIM * allowed);
                part.iter_mut().zip(moved.to_array()).for_each(|(x, by)| *x += by);
            }
        }
        at.iter().all(|x| x.is_finite()).then(|| at.into_iter().map(narrow).collect())
    }

    fn integrate(&mut self, whole: &Stretch) {
        let mut from = whole.from.clone();
        let mut a = whole.a;
        for cell in 1..=CELLS {
            let b = whole.at(f64::from(cell) / f64::from(CELLS));
            let to = if cell == CELLS { whole.to.clone() } else { self.value(b, Side::At) };
            self.refine(&Stretch { a, b, from, to: to.clone() }, MAX_DEPTH);
            (a, from) = (b, to);
        }
    }

    /// Adds a cell to the grid, or its halves where it holds too many pieces.
    fn refine(&mut self, cell: &Stretch, depth: u32) {
        // In the middle of a cell of length h the error is h²·|f''|/8, so this is the integral over the cell, squared.
        let misses = CELL_PROBES.map(|(share, factor)| self.miss(cell, share) * factor);
        let squared = misses[0].max(misses[1]) / AIM;
        let may_refine = depth > 0 && self.cells.len() < MAX_CELLS.min(self.left);
        let is_even = misses[0].min(misses[1]) >= EVEN * misses[0].max(misses[1]);
        let most = if is_even { TWO_PIECES } else { ONE_PIECE };
        let Some(middle) = self.cut(cell).filter(|_| may_refine && squared > most) else {
            let before = self.cells.last().map_or(0.0, |c| c.1);
            let own = if squared.is_finite() { squared.sqrt() } else { 1.0 };
            return self.cells.push((cell.b.0, before + own));
        };
        let value = self.value(middle, Side::At);
        self.refine(&Stretch { b: middle, to: value.clone(), from: cell.from.clone(), ..*cell }, depth - 1);
        self.refine(&Stretch { a: middle, from: value, to: cell.to.clone(), ..*cell }, depth - 1);
    }

    /// The times that cut the integral into shares: alone a piece holds at most 1 of it, between others `longest`, and at the end of
    /// a stretch, where what is authored stays, as much as lies between both.
    fn shares(&self, a: Seconds, b: Seconds, longest: f64) -> Vec<Seconds> {
        let total = self.cells.last().map_or(0.0, |c| c.1);
        let pieces = self.most_pieces(1.0 + (total - 1.0) / longest);
        let at_end = 0.5 * (1.0 + longest);
        let share = total / (2.0 * at_end + (pieces - 2.0) * longest);
        let mut out: Vec<f64> = Vec::with_capacity(pieces as usize);
        let mut start = (a.0, 0.0);
        for &(end, until) in &self.cells {
            while ((out.len() + 1) as f64) < pieces {
                let wanted = share * (at_end + out.len() as f64 * longest);
                if wanted > until {
                    break;
                }
                let along = if until > start.1 { (wanted - start.1) / (until - start.1) } else { 1.0 };
                out.push(lerp(start.0, end, along));
            }
            start = (end, until);
        }
        let mut fence = self.fence(a, b, a);
        out.into_iter().filter_map(|time| fence.admit(time)).collect()
    }
}

/// Where a piece ends beside a way, given where that is on both sides of there: away from them, and no farther than is allowed.
fn beside([before, after]: [DVec3; 2], allowed: f64) -> DVec3 {
    (-0.25 * (before + after)).clamp_length_max(allowed)
}

/// A number of a unit quaternion: what is left of 0 by rounding differs from machine to machine.
fn without_noise(x: f64) -> f64 {
    if x.abs() < NOISE { 0.0 } else { x }
}

fn position(value: &[f64]) -> Option<DVec3> {
    <[f64; 3]>::try_from(value).ok().map(DVec3::from)
}

fn rotation(value: &[f64]) -> Option<DQuat> {
    value.first_chunk::<4>().map(|q| DQuat::from_array(quat_normalise_or_identity(*q)))
}

/// The turn that leads from one rotation to another the shorter way, as axis times angle.
fn turn_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Sampler;
    use crate::linearise::Allowance;
    use crate::linearise::split::MAX_INSERTED;
    use crate::measure::{difference, rotation_start, straight_at};
    use dopesheet_core::model::{
        Channel, Composition, Curve, EulerOrder, Law, Laws, Property, Times, Timing,
    };

    const ALLOWANCE: Allowance = Allowance { value: 1e-4, angle_rad: 1e-4 };

    /// Cells looked at between two keys, and cuts made there.
    fn work(channel: &Channel) -> (usize, usize) {
        let mut splitter = Splitter::new(channel, ALLOWANCE);
        let cuts = splitter.between(Seconds(0.0), Seconds(1.0)).len();
        (splitter.cells.len(), cuts)
    }

    fn spin(angle_rad: f32) -> Channel {
        let times = Times::Seconds([0.0, 1.0].into());
        let angles = vec![Curve::new(
            times,
            3,
            vec![0.0, 0.0, 0.0, angle_rad, angle_rad, 0.0],
            Laws::uniform(Law::LINEAR),
        )];
        let composition = Composition::Euler { order: EulerOrder::Xyz, angles };
        Channel { property: Property::Rotation, composition, native: None }
    }

    fn eased(way: f32, segments: usize) -> Channel {
        let times: Vec<f64> = (0..=segments).map(|n| n as f64).collect();
        let values = (0..=segments).map(|n| if n % 2 == 0 { 0.0 } else { way }).collect();
        let timing = Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 };
        let laws = Laws::uniform(Law { timing, ..Law::LINEAR });
        Channel::whole(Property::Weight, Curve::new(Times::Seconds(times.into()), 1, values, laws))
    }

    #[test]
    fn a_rotation_that_spins_without_end_has_no_more_cells_than_the_bound() {
        // A cell at the bound may still have halves waiting on every level above it.
        let most = MAX_CELLS + MAX_DEPTH as usize + CELLS as usize;
        let (few, _) = work(&spin(10.0));
        assert!((10..2_000).contains(&few), "{few}");
        for angle_rad in [1e6, 1e12, f32::MAX] {
            let (cells, cuts) = work(&spin(angle_rad));
            assert!(
                cells <= most && cuts <= MAX_BETWEEN as usize + MAX_HALVINGS as usize,
                "{cells} cells and {cuts} cuts at {angle_rad}"
            );
        }
    }

    #[test]
    fn angles_that_turn_little_from_key_to_key_are_cut_without_a_search() {
        for (angle_rad, pieces) in [(0.02, 1), (0.3, 11)] {
            let channel = spin(angle_rad);
            let (cells, cuts) = work(&channel);
            assert_eq!((cells, cuts + 1), (0, pieces), "{angle_rad}");
            let mut splitter = Splitter::new(&channel, ALLOWANCE);
            let ends = splitter.pieces(Seconds(0.0), Seconds(1.0));
            let mut from = Seconds(0.0);
            for end in ends {
                let values = [(from, Side::After), (end.time, Side::Before)];
                let [a, b] = values.map(|(time, side)| splitter.value(time, side));
                let piece = Stretch { a: from, b: end.time, from: a, to: b };
                let most = (1..20).map(|n| splitter.miss(&piece, f64::from(n) / 20.0)).fold(0.0, f64::max);
                assert!((0.1..=1.0).contains(&most), "{most} of what is allowed with {angle_rad}");
                from = end.time;
            }
        }
    }

    #[test]
    fn values_beyond_the_tolerance_are_followed_as_closely_as_single_precision_and_no_closer() {
        let (cells, cuts) = work(&eased(1e4, 1));
        for way in [1e8, 1e24, f32::MAX] {
            let huge = work(&eased(way, 1));
            assert!(
                huge.0 <= 2 * cells && huge.1 <= 2 * cuts && cuts < 4_000,
                "{huge:?} and {:?}",
                (cells, cuts)
            );
        }
    }

    #[test]
    fn a_channel_gets_no_more_keys_than_in_proportion_to_its_own() {
        let segments = 60;
        let channel = eased(1e24, segments);
        let mut splitter = Splitter::new(&channel, ALLOWANCE);
        let most = splitter.left;
        let cuts: usize =
            (0..segments).map(|n| splitter.between(Seconds(n as f64), Seconds((n + 1) as f64)).len()).sum();
        assert_eq!(most, MAX_INSERTED.0 + (segments + 1) * MAX_INSERTED.1);
        assert!(cuts <= most + MAX_HALVINGS as usize && cuts > most / 2, "{cuts} of {most}");
    }

    /// Each number eased in its own way.
    fn eased_apart(way: f32) -> Channel {
        let curve = |[x1, y1, x2, y2]: [f32; 4], way: f32| {
            let law = Law { timing: Timing::Bezier { x1, y1, x2, y2 }, ..Law::LINEAR };
            Curve::new(Times::Seconds([0.0, 1.0].into()), 1, vec![0.0, way], Laws::uniform(law))
        };
        let timings = [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]];
        let curves = timings.into_iter().zip([way, -0.4 * way, 0.7 * way]).map(|(t, way)| curve(t, way));
        let composition = Composition::Components(curves.collect());
        Channel { property: Property::Translation, composition, native: None }
    }

    #[test]
    fn pieces_end_beside_the_way_and_are_longer_for_it() {
        for channel in [eased_apart(1.0), spin(2.0)] {
            let mut splitter = Splitter::new(&channel, ALLOWANCE);
            let chords = {
                splitter.between(Seconds(0.0), Seconds(1.0));
                splitter.cells.last().map_or(0.0, |cell| cell.1)
            };
            let mut exact = Sampler::new(&channel);
            let mut key = |time: f64, value: &KeyValue| {
                let mut out = Vec::new();
                exact.key_at(Seconds(time), value, &mut out);
                out
            };
            let cuts = splitter.pieces(Seconds(0.0), Seconds(1.0));
            assert!((cuts.len() as f64) < 0.8 * chords, "{} pieces instead of {chords}", cuts.len());
            let mut last = (0.0, key(0.0, &KeyValue::Own));
            let mut most = 0.0f64;
            for cut in &cuts {
                let next = (cut.time.0, key(cut.time.0, &cut.value));
                let mut straight = Vec::new();
                for n in 0..=40 {
                    let share = f64::from(n) / 40.0;
                    let [from, to] =
                        [&last.1, &next.1].map(|v| v.iter().copied().map(narrow).collect::<Vec<_>>());
                    straight_at(&from, &to, share, rotation_start(&channel.property), &mut straight);
                    let own = key(lerp(last.0, next.0, share), &KeyValue::Own);
                    most = most.max(difference(&channel.property, &own, &straight));
                }
                last = next;
            }
            // Looked at in eight parts.
            assert!((0.9e-4..1.02e-4).contains(&most), "{most}");
        }
    }
}
