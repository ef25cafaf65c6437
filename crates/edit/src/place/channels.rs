//! Channels of a node that is moved.

use super::mixed::{Between, Map};
use super::similar::{Quat, Similar};
use crate::apart::apart;
use crate::refused::Reason;
use crate::rotations::{Rotations, put_near};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Basis, Blend, Channel, Composition, Curve, EulerOrder, Orbit, Property, Target, Track, Transform,
    ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_curve::{quat_inverse, quat_product};
use dopesheet_motion::{Sampler, Side, error_unit};

/// Number of samples in each segment for the measurement between keys.
const SAMPLES: usize = 8;

fn unturnable(target: &str) -> Reason {
    Reason::new(format!(
        "expected curves that can be turned, found those of \"{target}\" with slopes of angles, or with keys of its axes at \
         different times; resample first"
    ))
}

/// Channels of moved nodes, and the errors between their keys.
pub(super) struct Placed {
    metres_per_unit: Option<f64>,
    worst: Vec<MaxError>,
    count: usize,
}

impl Placed {
    pub(super) const fn new(basis: &Basis) -> Self {
        Self { metres_per_unit: basis.metres_per_unit, worst: Vec::new(), count: 0 }
    }

    pub(super) fn tell(self, report: &mut Report) {
        for error in self.worst {
            report.approximated(format!("{} turned, exact at keys", counted(self.count, "channel")), error);
        }
    }

    /// Moves a track. Its values come on top of a rest pose, or replace the rest pose.
    pub(super) fn track(
        &mut self,
        track: &mut Track,
        similar: &Similar,
        rest: Option<Transform>,
    ) -> Result<(), Reason> {
        if similar.is_none() {
            return Ok(());
        }
        for channel in &mut track.channels {
            let old = channel.clone();
            let map = maps(channel, similar, rest.as_ref());
            let between = change(channel, similar, rest.as_ref(), &map);
            match between.ok_or_else(|| unturnable(track.target.label()))? {
                Between::Exact => {}
                Between::Near => self.measure(&old, channel, &map, &track.target),
            }
        }
        Ok(())
    }

    /// Compares the mapped old course with the new course.
    fn measure(&mut self, old: &Channel, new: &Channel, map: &Map, target: &Target) {
        let (unit, factor) = error_unit(&old.property, self.metres_per_unit);
        let mut largest_error =
            MaxError { value: 0.0, unit, target: target.label().to_owned(), time: Seconds(0.0) };
        let (mut from, mut to) = (Sampler::new(old), Sampler::new(new));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let Some(times) = old.composition.curves().map(|curve| &curve.times).max_by_key(|times| times.len())
        else {
            return;
        };
        let times: Vec<f64> = times.iter().map(|time| time.0).collect();
        for pair in times.windows(2) {
            for sample in 1..SAMPLES {
                let time = Seconds(pair[0] + (pair[1] - pair[0]) * sample as f64 / SAMPLES as f64);
                from.value_at(time, Side::At, &mut a);
                to.value_at(time, Side::At, &mut b);
                let mapped = map.apply(&a);
                let value = factor * apart(&old.property, &mapped, &b);
                if value > largest_error.value {
                    (largest_error.value, largest_error.time) = (value, time);
                }
            }
        }
        // Single precision alone makes such differences.
        if largest_error.value <= 1e-6 {
            return;
        }
        self.count += 1;
        match self.worst.iter_mut().find(|listed| listed.unit == unit) {
            Some(listed) if listed.value < largest_error.value => *listed = largest_error,
            Some(_) => {}
            None => self.worst.push(largest_error),
        }
    }
}

/// Map of a channel's values, in the unit of its property.
fn maps(channel: &Channel, similar: &Similar, rest: Option<&Transform>) -> Map {
    let offset = match rest {
        Some(rest) => {
            let position = similar.place(rest.translation);
            std::array::from_fn(|axis| position[axis] - rest.translation[axis])
        }
        None => similar.by,
    };
    let turn = Map::new(left_product(turn_of(similar, rest)), [0.0; 4]);
    match channel.property.kind() {
        ValueKind::Rotation => turn,
        ValueKind::Direction => Map::new(similar.turn_only().rows, [0.0; 3]),
        _ if channel.property == Property::Placement => Map::new(similar.rows, offset).beside(turn),
        _ => Map::new(similar.rows, offset),
    }
}

/// The turn in front of values on top of a rest pose.
fn turn_of(similar: &Similar, rest: Option<&Transform>) -> Quat {
    match rest {
        Some(rest) => quat_product(quat_inverse(rest.rotation), quat_product(similar.turn, rest.rotation)),
        None => similar.turn,
    }
}

/// The product with a quaternion from the left, as a matrix.
fn left_product([x, y, z, w]: Quat) -> [[f64; 4]; 4] {
    [[w, -z, y, x], [z, w, -x, y], [-y, x, w, z], [-x, -y, -z, w]]
}

/// Changes a channel; `None` if its curves do not allow the change.
fn change(channel: &mut Channel, similar: &Similar, rest: Option<&Transform>, map: &Map) -> Option<Between> {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let stored = Map { offset: map.offset.iter().map(|number| number / scale).collect(), ..map.clone() };
    let kind = channel.property.kind();
    let is_vector = matches!(kind, ValueKind::Position | ValueKind::Direction);
    if !is_vector && (kind != ValueKind::Rotation || !similar.turns()) {
        return Some(Between::Exact);
    }
    let turned = Map::new(similar.turn_only().rows, [0.0; 3]);
    match &mut channel.composition {
        Composition::Orbit(orbit) => circle(orbit, similar),
        Composition::Aim { direction, .. } => turned.whole(direction),
        Composition::Swing { direction, .. } => match direction.as_mut_slice() {
            [one] => turned.whole(one),
            each => turned.components(each),
        },
        Composition::Whole(curve) => stored.whole(curve),
        Composition::Components(curves) | Composition::ComponentsNormalised(curves) => {
            stored.components(curves)
        }
        Composition::Euler { order, angles } => match outermost(*order, similar, rest) {
            Some((axis, angle)) => add(angles, axis, angle / scale),
            None => by_keys(channel, turn_of(similar, rest)),
        },
    }
}

/// The outermost of some angles and the change of the angle, if the turn is about the outermost axis.
fn outermost(order: EulerOrder, similar: &Similar, rest: Option<&Transform>) -> Option<(usize, f64)> {
    let [axis, ..] = order.axes();
    let is_upright = rest.is_none_or(|rest| rest.rotation == [0.0, 0.0, 0.0, 1.0]);
    let along = similar.axis[axis];
    (is_upright && along.abs() == 1.0).then_some((axis, along * similar.angle))
}

/// Adds an angle to a component of angles.
fn add(angles: &mut [Curve], axis: usize, angle: f64) -> Option<Between> {
    let mut offset = vec![0.0; 3];
    offset[axis] = angle;
    match angles {
        [all] => Map { rows: identity(3), offset }.whole(all),
        each => Map { rows: identity(3), offset }.components(each),
    }
}

fn identity(size: usize) -> Vec<Vec<f64>> {
    (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect()
}

/// Turns angles key by key, each made continuous with the key before.
fn by_keys(channel: &mut Channel, turn: Quat) -> Option<Between> {
    let has_slopes = channel
        .composition
        .curves()
        .any(|curve| !curve.laws.all(|law| matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Slerp)));
    let rotations = Rotations::of(channel).filter(|_| !has_slopes)?;
    let mut near = None;
    for (key, row) in rotations.rows().iter().enumerate() {
        near = put_near(channel, key, quat_product(turn, *row), near);
    }
    Some(Between::Near)
}

/// A camera that circles a point: the point moves, the orbit turns, and the distance is scaled.
fn circle(orbit: &mut Orbit, similar: &Similar) -> Option<Between> {
    let [axis, ..] = orbit.order.axes();
    let (along, sign) = (similar.axis[axis], orbit.angle_signs[axis]);
    if similar.turns() {
        if along.abs() != 1.0 || sign == 0.0 {
            return None;
        }
        let mut offset = [0.0; 3];
        offset[axis] = along * similar.angle / sign;
        Map { rows: identity(3), offset: offset.into() }.whole(&mut orbit.angles)?;
    }
    Map { rows: vec![vec![similar.scale]], offset: vec![0.0] }.whole(&mut orbit.distance)?;
    Map::new(similar.rows, similar.by).components(&mut orbit.target)
}
