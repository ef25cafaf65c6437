//! Solved transforms at ascending times, and straight curves through them.

use crate::single::narrow;
use dopesheet_core::model::{Channel, Curve, Law, Laws, Property, Times, Transform};
use glam::{DQuat, DVec3};

/// Solved local transforms of the nodes that the rig may move, at one time.
pub(super) type Transforms = Vec<Transform>;

/// A segment of a solved clip: the transforms at its ends and its middle.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub start: f64,
    pub end: f64,
    /// At the start as seen from later, at the middle, and at the end as seen from earlier.
    pub transforms: [Transforms; 3],
    /// For each node, true if a key at the middle is needed.
    pub bends: Vec<bool>,
}

/// Distance of the middle between two transforms from the true transform there: length, and angle in radians.
pub(super) fn miss(from: &Transform, exact: &Transform, to: &Transform) -> (f64, f64) {
    let half = DVec3::from(from.translation).midpoint(DVec3::from(to.translation));
    let [a, b, own] = [from, to, exact].map(|t| DQuat::from_array(t.rotation));
    let turned = (a + nearer(b, a)).normalize();
    let chord = (nearer(turned, own) - own).length();
    (half.distance(DVec3::from(exact.translation)), 4.0 * libm::asin((chord / 2.0).min(1.0)))
}

fn nearer(rotation: DQuat, to: DQuat) -> DQuat {
    if rotation.dot(to) < 0.0 { -rotation } else { rotation }
}

/// The keys of one node, relative to a base; with two keys where two segments do not meet.
pub(super) fn channel(segments: &[Segment], node: usize, property: Property, base: &Transform) -> Channel {
    let mut keys = RelativeKeys::new(property, base);
    for Segment { start, end, transforms, bends } in segments {
        let poses = transforms.each_ref().map(|all| all.get(node));
        let [Some(from), Some(middle), Some(to)] = poses else { continue };
        keys.add(*start, from);
        if bends.get(node) == Some(&true) {
            keys.add(f64::midpoint(*start, *end), middle);
        }
        keys.add(*end, to);
    }
    keys.into_channel()
}

/// Difference below which two values are the same, in units of the basis or parts of a quaternion.
pub(super) const SAME: f64 = 1e-9;

/// Keys of a node's curve under construction, relative to a base.
pub struct RelativeKeys<'a> {
    property: Property,
    base: &'a Transform,
    times: Vec<f64>,
    values: Vec<f32>,
    last: [f64; 4],
}

impl<'a> RelativeKeys<'a> {
    /// No keys yet, of a property relative to a base.
    pub fn new(property: Property, base: &'a Transform) -> Self {
        Self { property, base, times: Vec::new(), values: Vec::new(), last: [f64::NAN; 4] }
    }

    /// Adds a key unless the last key has the same time and value.
    pub fn add(&mut self, time: f64, local: &Transform) {
        let rotates = self.property == Property::Rotation;
        let value = if rotates {
            let relative =
                DQuat::from_array(self.base.rotation).conjugate() * DQuat::from_array(local.rotation);
            nearer(relative, DQuat::from_array(self.last)).to_array()
        } else {
            (DVec3::from(local.translation) - DVec3::from(self.base.translation)).extend(0.0).to_array()
        };
        let is_there = self.times.last() == Some(&time)
            && value.iter().zip(&self.last).all(|(a, b)| (a - b).abs() <= SAME);
        if !is_there {
            self.times.push(time);
            self.values.extend(value.iter().take(if rotates { 4 } else { 3 }).map(|x| narrow(*x)));
            self.last = value;
        }
    }

    /// The channel; with one key if nothing moves.
    pub fn into_channel(mut self) -> Channel {
        let (width, law) =
            if self.property == Property::Rotation { (4, Law::SLERP) } else { (3, Law::LINEAR) };
        let mut values = self.values.chunks_exact(width);
        let first = values.next();
        if values.all(|value| Some(value) == first) {
            self.times.truncate(1);
            self.values.truncate(width);
        }
        let curve = Curve::new(Times::Seconds(self.times.into()), width, self.values, Laws::uniform(law));
        Channel::whole(self.property, curve)
    }
}
