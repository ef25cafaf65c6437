//! Rotations of a channel with a row per key: quaternions, or angles converted to quaternions.
//!
//! The four numbers are filtered and normalised again. A constant rotation in front or behind, such as a
//! change of axes, commutes with the filter, because filters are linear, and an even turn stays even, however
//! fast it is. Neither holds for angles or logarithms.

use dopesheet_core::model::{Channel, Composition, Curve, Property, Times};
use dopesheet_curve as curve;
use std::ops::Range;

pub(crate) type Quat = [f64; 4];

/// Rotations, a row per key, with signs chosen so that neighbours are close.
pub(crate) struct Rotations {
    times: Vec<f64>,
    rows: Vec<Quat>,
}

impl Rotations {
    /// The rotations of a channel; `None` if the channel has another form, or keys of its angles at different
    /// times.
    pub(crate) fn of(channel: &Channel) -> Option<Self> {
        if channel.property != Property::Rotation {
            return None;
        }
        let (times, rows) = match &channel.composition {
            Composition::Whole(whole_curve) if whole_curve.width == 4 => {
                let rows = whole_curve.values.as_chunks::<4>().0.iter();
                (&whole_curve.times, rows.map(|row| row.map(f64::from)).collect::<Vec<Quat>>())
            }
            Composition::Euler { order, angles } => {
                let rows = angle_rows(channel, angles)?;
                let order = order.axes();
                (&angles.first()?.times, rows.map(|row| curve::quat_from_euler(order, row)).collect())
            }
            _ => return None,
        };
        let mut rotations = Self { times: times.iter().map(|time| time.0).collect(), rows };
        rotations.align();
        Some(rotations)
    }

    /// Gives each row the sign nearer to the row before.
    fn align(&mut self) {
        let mut before: Option<Quat> = None;
        for row in &mut self.rows {
            if before.is_some_and(|before| dot(before, *row) < 0.0) {
                *row = row.map(|x| -x);
            }
            before = Some(*row);
        }
    }

    /// Filters a run of keys, given their times and numbers.
    pub(crate) fn filter(&mut self, run: Range<usize>, filter: impl Fn(&[f64], &mut [f64])) {
        let (Some(times), Some(rows)) = (self.times.get(run.clone()), self.rows.get_mut(run)) else { return };
        let mut cells: Vec<f64> =
            rows.iter().flat_map(|row| curve::quat_normalise_or_identity(*row)).collect();
        filter(times, &mut cells);
        for (row, cell) in rows.iter_mut().zip(cells.as_chunks::<4>().0) {
            // What turns too fast to be anything stays as it is.
            *row = curve::quat_normalise_above(*cell, SHORTEST).unwrap_or(*row);
        }
    }

    /// The rotations of all keys.
    pub(crate) fn rows(&self) -> &[Quat] {
        &self.rows
    }

    /// Writes runs of keys back into their channel.
    pub(crate) fn put(&self, channel: &mut Channel, runs: &[Range<usize>]) {
        for key in runs.iter().flat_map(Clone::clone) {
            if let Some(row) = self.rows.get(key) {
                put(channel, key, *row);
            }
        }
    }
}

/// Length of a mean of unit quaternions below which the mean has no direction.
const SHORTEST: f64 = 0.1;

/// Sets a key of a rotation channel, close to the key's old value: for quaternions in sign, for angles in
/// whole turns.
pub(crate) fn put(channel: &mut Channel, key: usize, rotation: Quat) {
    put_near(channel, key, rotation, None);
}

/// As [`put`], with angles close to `near`, in radians. Yields the angles set.
pub(crate) fn put_near(
    channel: &mut Channel,
    key: usize,
    rotation: Quat,
    near: Option<[f64; 3]>,
) -> Option<[f64; 3]> {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    match &mut channel.composition {
        Composition::Whole(whole_curve) if whole_curve.width == 4 => {
            let row = whole_curve.values.as_chunks_mut::<4>().0.get_mut(key)?;
            let sign = if dot(row.map(f64::from), rotation) < 0.0 { -1.0 } else { 1.0 };
            *row = rotation.map(|x| (sign * x) as f32);
            None
        }
        Composition::Euler { order, angles } => {
            let order = order.axes();
            let near = near.or_else(|| angle_row(angles, key).map(|row| row.map(|x| x * scale)))?;
            let angles_set =
                curve::nearest_equivalent_euler(order, curve::euler_from_quat(order, rotation), near);
            let stored = angles_set.map(|x| (x / scale) as f32);
            match angles.as_mut_slice() {
                [all] => all.values.iter_mut().skip(key * 3).zip(stored).for_each(|(old, new)| *old = new),
                each => each.iter_mut().zip(stored).for_each(|(curve_of_axis, new)| {
                    curve_of_axis.values.iter_mut().skip(key).take(1).for_each(|old| *old = new);
                }),
            }
            Some(angles_set)
        }
        _ => None,
    }
}

/// Times of the keys of a rotation channel that [`put`] can set.
pub(crate) fn key_times(channel: &Channel) -> Option<&Times> {
    match &channel.composition {
        Composition::Whole(whole_curve) if whole_curve.width == 4 => Some(&whole_curve.times),
        Composition::Euler { angles, .. } => {
            angle_rows(channel, angles).and(angles.first()).map(|first| &first.times)
        }
        _ => None,
    }
}

/// The angles of all keys in radians; `None` if the angles of a rotation are at different times.
fn angle_rows<'a>(
    channel: &Channel,
    angles: &'a [Curve],
) -> Option<impl Iterator<Item = [f64; 3]> + use<'a>> {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let first = angles.first()?;
    let is_one = angles.len() == 1 && first.width == 3;
    let are_three = angles.len() == 3
        && angles.iter().all(|angle_curve| angle_curve.width == 1 && angle_curve.times == first.times);
    let keys = (is_one || are_three).then_some(first.len())?;
    Some((0..keys).filter_map(move |key| Some(angle_row(angles, key)?.map(|x| x * scale))))
}

fn angle_row(angles: &[Curve], key: usize) -> Option<[f64; 3]> {
    match angles {
        [all] => all.value(key)?.first_chunk::<3>().map(|row| row.map(f64::from)),
        [x, y, z] => {
            let number = |angle_curve: &Curve| angle_curve.value(key)?.first().map(|x| f64::from(*x));
            Some([number(x)?, number(y)?, number(z)?])
        }
        _ => None,
    }
}

fn dot(a: Quat, b: Quat) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
