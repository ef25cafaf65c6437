//! Curves of bones: the source's own keys turned or moved, or new keys within a tolerance.

use super::moves::{Moves, Way};
use super::values::{changed, scaled};
use dopesheet_core::model::{Composition, Curve, Laws, NodeIndex, Property, Times};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, slerp};
use dopesheet_motion::Side;
use dopesheet_motion::inside::narrow;
use dopesheet_motion::keys::reduce::reduce;
use dopesheet_motion::{difference, keys::Worst};
use dopesheet_motion::{inside::straight_law, keys::Allowance};
use glam::{DMat3, DQuat, DVec3};

/// Smallest difference of values at a key that counts as a jump.
const SMALLEST_JUMP: f64 = 1e-7;
/// Part of a matrix's largest number below which a number is rounding.
const NO_AXIS: f64 = 1e-12;
/// Most halvings of the stretch between two keys.
const MOST_HALVINGS: u32 = 6;

/// The rotation of a node: the rotation along a way through another figure, between two constant rotations.
pub(crate) struct Turn {
    pub(crate) node: NodeIndex,
    pub(crate) way: Way,
    pub(crate) before: DQuat,
    pub(crate) after: DQuat,
    /// Largest distance from the node to any bone below.
    pub(crate) reach: f64,
}

impl Turn {
    /// The node's rotation for a rotation along the way.
    pub(crate) fn around(&self, rotation: DQuat) -> DQuat {
        (self.before * rotation * self.after).normalize()
    }

    pub(crate) fn at(&self, moves: &Moves<'_>, time: Seconds, side: Side) -> DQuat {
        self.around(moves.turn(&self.way, time, side))
    }

    /// The rotation at all times, if nothing on the way turns.
    pub(crate) fn still(&self, moves: &Moves<'_>) -> Option<DQuat> {
        moves.is_stiff(&self.way).then(|| self.at(moves, Seconds(0.0), Side::At))
    }

    /// The keys of the only curve on the way, if there is just one. The laws between keys commute with the constant rotations.
    pub(crate) fn lone(&self, moves: &Moves<'_>) -> Option<Curve> {
        let lone = moves.lone(&self.way)?;
        let (before, after) = (self.before * lone.before, lone.after * self.after);
        Some(changed(lone.curve, |row, _| {
            if let Some(q) = row.first_chunk_mut::<4>() {
                *q = (before * DQuat::from_array(q.map(f64::from)) * after).to_array().map(narrow);
            }
        }))
    }
}

/// A curve of positions, each multiplied with a matrix and moved; slopes are only multiplied.
fn moved(curve: &Curve, by: DMat3, offset: DVec3) -> Curve {
    changed(curve, |row, is_slope| {
        if let Some(v) = row.first_chunk_mut::<3>() {
            let along = by * DVec3::from(v.map(f64::from));
            *v = (if is_slope { along } else { along + offset }).to_array().map(narrow);
        }
    })
}

/// Positions, each multiplied with a matrix and moved; `None` of other curves, or where axes do not stay axes.
pub(crate) fn moved_along(positions: &Composition, by: DMat3, offset: DVec3) -> Option<Composition> {
    match positions {
        Composition::Whole(curve) if curve.width == 3 => Some(Composition::Whole(moved(curve, by, offset))),
        Composition::Components(curves) => permuted(curves, by, offset).map(Composition::Components),
        _ => None,
    }
}

/// Curves of single axes, multiplied with a matrix and moved; `None` unless the matrix makes an axis of each.
fn permuted(curves: &[Curve], by: DMat3, offset: DVec3) -> Option<Vec<Curve>> {
    if curves.len() != 3 {
        return None;
    }
    let largest = by.to_cols_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let axis = |row: DVec3, offset: f64| {
        let mut sources = curves.iter().zip(row.to_array()).filter(|(_, x)| x.abs() > largest * NO_AXIS);
        let (Some((curve, by)), None) = (sources.next(), sources.next()) else { return None };
        Some(scaled(curve, by, offset))
    };
    let rows = [by.row(0), by.row(1), by.row(2)];
    rows.into_iter().zip(offset.to_array()).map(|(row, offset)| axis(row, offset)).collect()
}

/// A curve with the same value at all times.
pub(crate) fn constant(property: &Property, value: &[f64]) -> Curve {
    let values = value.iter().map(|x| narrow(*x)).collect();
    Curve::new(Times::Seconds([0.0].into()), value.len(), values, Laws::uniform(straight_law(property)))
}

/// Straight keys at some times and, where these do not suffice, between them; then only the needed keys.
pub(crate) struct Sampled<'a> {
    pub(crate) property: Property,
    pub(crate) allowance: f64,
    /// The value at a time, approached from a side.
    pub(crate) value: &'a dyn Fn(Seconds, Side) -> Vec<f64>,
}

impl Sampled<'_> {
    /// The curve, and its largest error half-way between its samples. `times` ascend.
    pub(crate) fn curve(&self, times: &[f64]) -> (Curve, Worst) {
        let mut keys =
            SampledKeys { times: Vec::new(), values: Vec::new(), last: Vec::new(), worst: Worst::default() };
        let last = times.len().saturating_sub(1);
        for (index, time) in times.iter().enumerate() {
            let sides = match (index, index == last) {
                (0, _) => [None, Some(Side::After)],
                (_, true) => [Some(Side::Before), Some(Side::At)],
                _ => [Some(Side::Before), Some(Side::After)],
            };
            if let Some(side) = sides[0] {
                let (start, from) = (keys.time(), keys.last.clone());
                let value = (self.value)(Seconds(*time), side);
                self.between((start, &from), (*time, &value), MOST_HALVINGS, &mut keys);
                keys.push(*time, value, &self.property);
            }
            let value = sides[1].map(|side| (self.value)(Seconds(*time), side)).unwrap_or_default();
            if keys.last.is_empty() || difference(&self.property, &keys.last, &value) > SMALLEST_JUMP {
                keys.push(*time, value, &self.property);
            }
        }
        let largest_error = keys.worst;
        (self.needed(&keys.into_curve(&self.property)), largest_error)
    }

    /// Leaves out keys. Half of the allowance is for the stretches between samples, the other half for
    /// omitted samples.
    fn needed(&self, curve: &Curve) -> Curve {
        let half = self.allowance / 2.0;
        let allowance = Allowance { value: half, angle_rad: half };
        reduce(curve, &self.property, &allowance).unwrap_or_else(|| curve.clone())
    }

    fn between(&self, from: (f64, &[f64]), to: (f64, &[f64]), halvings: u32, keys: &mut SampledKeys) {
        let time = f64::midpoint(from.0, to.0);
        if !(time > from.0 && time < to.0) {
            return;
        }
        let exact = (self.value)(Seconds(time), Side::At);
        let off = difference(&self.property, &self.middle(from.1, to.1), &exact);
        // Far away from 0 the numbers of a file lie farther apart than what is allowed.
        let size = exact.iter().fold(0.0f64, |size, number| size.max(number.abs()));
        let least = size * f64::from(f32::EPSILON);
        if off <= least.max(self.allowance / 2.0) || halvings == 0 {
            keys.worst.note(off, Seconds(time));
            return;
        }
        let halvings = halvings.saturating_sub(1);
        self.between(from, (time, &exact), halvings, keys);
        keys.push(time, exact.clone(), &self.property);
        self.between((time, &exact), to, halvings, keys);
    }

    fn middle(&self, from: &[f64], to: &[f64]) -> Vec<f64> {
        match (from.first_chunk::<4>(), to.first_chunk::<4>()) {
            (Some(from), Some(to)) => slerp(*from, *to, 0.5).to_vec(),
            _ => from.iter().zip(to).map(|(from, to)| lerp(*from, *to, 0.5)).collect(),
        }
    }
}

/// Keys under construction.
struct SampledKeys {
    times: Vec<f64>,
    values: Vec<f32>,
    last: Vec<f64>,
    worst: Worst,
}

impl SampledKeys {
    fn time(&self) -> f64 {
        self.times.last().copied().unwrap_or_default()
    }

    /// Adds a key; of two opposite quaternions the quaternion nearer to the key before is taken.
    fn push(&mut self, time: f64, mut value: Vec<f64>, property: &Property) {
        let dot: f64 = value.iter().zip(&self.last).map(|(a, b)| a * b).sum();
        if *property == Property::Rotation && dot < 0.0 {
            value.iter_mut().for_each(|x| *x = -*x);
        }
        self.times.push(time);
        self.values.extend(value.iter().map(|x| narrow(*x)));
        self.last = value;
    }

    fn into_curve(self, property: &Property) -> Curve {
        let width = self.last.len();
        let law = Laws::uniform(straight_law(property));
        Curve::new(Times::Seconds(self.times.into()), width, self.values, law)
    }
}
