//! Keys with tangents under construction.

use super::piece::{probes, weights};
use super::source::Source;
use crate::linearise::{Linearised, SharedTimes, Worst, finite, narrow, straight_law};
use crate::measure::{difference, is_inside, parts, seen};
use dopesheet_core::model::{Blend, Channel, Curve, Handles, JumpSide, Law, Laws, Property, Timing};
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// A cubic segment.
pub(super) const CUBIC: Law = Law { timing: Timing::Linear, blend: Blend::Hermite };

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Straight as the source.
    Straight,
    /// Cubic as the source.
    Exact,
    /// A cubic near the source.
    Fitted,
    /// Straight near the source.
    Cut,
}

/// Keys with tangents under construction.
#[derive(Default)]
pub(super) struct Rows {
    width: usize,
    times: Vec<Seconds>,
    values: Vec<f32>,
    arriving: Vec<f32>,
    leaving: Vec<f32>,
    /// The way to each key from the one before.
    ways: Vec<Way>,
}

impl Rows {
    /// The first key, or the new value of a jump.
    pub(super) fn set(&mut self, time: Seconds, value: &[f64]) {
        self.width = value.len();
        self.times.push(time);
        self.ways.push(Way::Straight);
        self.values.extend(value.iter().map(|x| finite(*x)));
        self.arriving.resize(self.values.len(), 0.0);
        self.leaving.resize(self.values.len(), 0.0);
    }

    /// The next key, with the slopes from the one before to it.
    pub(super) fn go(&mut self, way: Way, time: Seconds, value: &[f64], leaving: &[f64], arriving: &[f64]) {
        let end = self.leaving.len();
        let last = self.leaving.get_mut(end.saturating_sub(self.width)..).unwrap_or_default();
        last.iter_mut().zip(leaving).for_each(|(slope, new)| *slope = finite(*new));
        self.set(time, value);
        let own = self.arriving.get_mut(end..).unwrap_or_default();
        own.iter_mut().zip(arriving).for_each(|(slope, new)| *slope = finite(*new));
        if let Some(last) = self.ways.last_mut() {
            *last = way;
        }
    }

    /// When the last key is, if there is one.
    pub(super) fn last_time(&self) -> Option<Seconds> {
        self.times.last().copied()
    }

    pub(super) fn last(&self) -> Vec<f64> {
        let start = self.values.len().saturating_sub(self.width);
        self.values.get(start..).unwrap_or_default().iter().map(|x| f64::from(*x)).collect()
    }

    /// The keys as channels; `mixed` leaves what is straight without tangents.
    pub(super) fn finish(
        self,
        property: &Property,
        source: &mut Source<'_>,
        mixed: bool,
        jump: JumpSide,
        shared: &mut SharedTimes,
    ) -> Linearised {
        let worst = self.measure(property, source, mixed);
        let times = shared.list(&self.times, None);
        let one_channel = |(property, range): (Property, Range<usize>)| {
            let pick = |column: &[f32]| -> Vec<f32> {
                let rows = column.chunks_exact(self.width.max(1));
                rows.flat_map(|row| row.get(range.clone()).unwrap_or_default()).copied().collect()
            };
            let straight = |way: &Way| mixed && matches!(way, Way::Straight | Way::Cut);
            let law = |way: &Way| if straight(way) { straight_law(&property) } else { CUBIC };
            let laws = Laws::from_segments(self.ways.iter().skip(1).map(law));
            let handles = || Handles { arriving: pick(&self.arriving), leaving: pick(&self.leaving) };
            let handles = (!laws.all(|law| law != CUBIC)).then(|| Box::new(handles()));
            let curve = Curve::new(times.clone(), range.len(), pick(&self.values), laws);
            Channel::whole(property, Curve { handles, jump, ..curve })
        };
        let channels = parts(property, self.width).into_iter().map(one_channel).collect();
        Linearised { channels, approximated: worst.iter().any(|w| w.value > 0.0), worst }
    }

    fn measure(&self, property: &Property, source: &mut Source<'_>, mixed: bool) -> Vec<Worst> {
        let parts = parts(property, self.width);
        let mut worst = vec![Worst::default(); parts.len()];
        let [mut near, mut exact, mut made, mut buffer] = [const { Vec::new() }; 4];
        for (segment, pair) in self.times.windows(2).enumerate() {
            let way = self.ways.get(segment + 1).copied().unwrap_or(Way::Straight);
            let is_known = matches!(way, Way::Straight | Way::Exact);
            // No format whose times are in single precision has anything in between.
            if is_known || narrow(pair[0].0).next_up() >= narrow(pair[1].0) {
                continue;
            }
            near.clone_from(&self.row(segment));
            for share in probes() {
                let (time, share) = seen(source.grid, (pair[0], pair[1]), share);
                if !is_inside(share) {
                    continue;
                }
                exact.clear();
                source.append(time, &near, &mut buffer, &mut exact);
                near.clone_from(&exact);
                if mixed && way == Way::Cut {
                    self.straight_at(segment, share, source, &mut made);
                } else {
                    self.cubic_at(segment, pair[1].0 - pair[0].0, share, &mut made);
                }
                for (worst, (property, range)) in worst.iter_mut().zip(&parts) {
                    let (exact, made) = (exact.get(range.clone()), made.get(range.clone()));
                    worst.meet(
                        difference(property, exact.unwrap_or_default(), made.unwrap_or_default()),
                        time,
                    );
                }
            }
        }
        worst
    }

    fn row(&self, key: usize) -> Vec<f64> {
        let row = self.values.get(key * self.width..).unwrap_or_default();
        row.iter().take(self.width).map(|x| f64::from(*x)).collect()
    }

    fn straight_at(&self, segment: usize, share: f64, source: &Source<'_>, out: &mut Vec<f64>) {
        let row = |key: usize| self.values.get(key * self.width..(key + 1) * self.width).unwrap_or_default();
        crate::measure::straight_at(row(segment), row(segment + 1), share, source.rotation, out);
    }

    fn cubic_at(&self, segment: usize, length: f64, share: f64, out: &mut Vec<f64>) {
        let [h0, a, h1, b] = weights(share);
        let number = |column: &[f32], n: usize| column.get(n).copied().map_or(0.0, f64::from);
        out.clear();
        out.extend((segment * self.width..(segment + 1) * self.width).map(|n| {
            let next = n + self.width;
            let slopes = a * number(&self.leaving, n) + b * number(&self.arriving, next);
            h0 * number(&self.values, n) + h1 * number(&self.values, next) + length * slopes
        }));
    }
}
