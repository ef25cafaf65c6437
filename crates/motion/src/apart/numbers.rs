//! Everything that places no joint: weights, colours, lenses, directions, switches and numbers of any meaning.

use super::lane::{Accuracy, Lane};
use super::matching::{Match, Nodes, Spare};
use super::moments::{Moment, Moments};
use super::norm::{angle, half_sine};
use super::{Animation, Difference};
use crate::Tolerance;
use crate::measure::Worst;
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Channel, Lens, Node, Property, Target};
use glam::{DQuat, DVec3};

/// Largest difference of numbers without a meaning, as a share of the largest of them or of 1.
const NUMBER: f64 = 1e-3;

/// One channel on both sides, or on one and what the other shows instead.
pub(super) struct Numbers<'a> {
    pub(super) target: &'a Target,
    property: &'a Property,
    channels: [Option<&'a Channel>; 2],
    a: Option<Lane<'a>>,
    b: Option<Lane<'a>>,
    /// What a side without keys shows; `None` where that is unknown and its first value counts as the rest.
    rest: Option<Vec<f64>>,
    /// Which component of A is which of B; empty if they are the same.
    order: Vec<(Option<usize>, Option<usize>)>,
    /// Names of the components of A, or of B if A has none.
    names: Vec<String>,
    worst: Worst,
    worst_component: usize,
    largest: f64,
    is_measured: bool,
}

impl<'a> Numbers<'a> {
    /// `None` if neither side has keys.
    pub(super) fn new(
        pair: Match,
        [spares_a, spares_b]: [&[Spare<'a>]; 2],
        [a, b]: [&Animation<'_>; 2],
        nodes: &Nodes,
    ) -> Option<Self> {
        let spare = |list: &[Spare<'a>], at: Option<usize>| at.and_then(|at| list.get(at).copied());
        let (in_a, in_b) = (spare(spares_a, pair.a), spare(spares_b, pair.b));
        let known = in_a.or(in_b)?;
        let lane = |spare: Option<Spare<'a>>| spare.and_then(|s| Lane::new(s.channel));
        let (lane_a, lane_b) = (lane(in_a), lane(in_b));
        let rest = match (&lane_a, &lane_b) {
            (None, None) => return None,
            (Some(_), Some(_)) => None,
            (Some(shown), None) => rest(b, known, nodes.in_b(known.node), shown),
            (None, Some(shown)) => rest(a, known, nodes.in_a(known.node), shown),
        };
        let (names_a, names_b) = (morphs(a, in_a), morphs(b, in_b));
        let order = order(&names_a, &names_b);
        let names = if names_a.is_empty() { names_b } else { names_a };
        Some(Self {
            target: &known.track.target,
            property: &known.channel.property,
            channels: [in_a, in_b].map(|spare| spare.map(|s| s.channel)),
            a: lane_a,
            b: lane_b,
            rest,
            order,
            names,
            worst: Worst::default(),
            worst_component: 0,
            largest: 0.0,
            is_measured: false,
        })
    }

    /// Whether only A has it, or only B.
    pub(super) const fn is_only_in(&self) -> (bool, bool) {
        (self.b.is_none(), self.a.is_none())
    }

    /// Measures it from 0 to `end`. Yields at how many times.
    pub(super) fn measure(&mut self, end: f64) -> usize {
        let [a, b] = self.channels;
        let moments = Moments::of([&mut a.into_iter(), &mut b.into_iter()], end);
        let mut near = 0;
        moments.iter().map(|moment| self.measure_at(&moment, moments.own(moment.time.0, &mut near))).count()
    }

    /// Measures it at a moment, as A has it and as B has it.
    fn measure_at(&mut self, moment: &Moment, own: [f64; 2]) {
        let in_a = self.a.as_mut().is_some_and(|lane| lane.advance(moment, own[0], Accuracy::Exact));
        let in_b = self.b.as_mut().is_some_and(|lane| lane.advance(moment, own[1], Accuracy::Exact));
        if self.is_measured && !in_a && !in_b {
            return;
        }
        if !self.is_measured && self.rest.is_none() {
            self.rest = self.a.as_ref().xor(self.b.as_ref()).map(|only| only.value.clone());
        }
        self.is_measured = true;
        let rest = self.rest.as_deref().unwrap_or_default();
        let a = self.a.as_ref().map_or(rest, |lane| &lane.value);
        let b = self.b.as_ref().map_or(rest, |lane| &lane.value);
        self.largest = a.iter().fold(self.largest, |most, v| most.max(v.abs()));
        let (difference, component) = apart(self.property, a, b, &self.order);
        if difference > self.worst.value {
            self.worst = Worst { value: difference, time: moment.time };
            self.worst_component = component;
        }
    }

    /// The largest difference that was met.
    pub(super) fn difference(&self, tolerance: &Tolerance) -> Difference {
        let (unit, limit) = match self.property {
            Property::Weight | Property::Weights => (ErrorUnit::One, Tolerance::WEIGHT),
            Property::Color => (ErrorUnit::One, Tolerance::COLOUR),
            Property::YFov | Property::Direction | Property::Rotation => {
                (ErrorUnit::Radian, Tolerance::ANGLE_RAD)
            }
            Property::Translation | Property::Origin | Property::Placement => {
                (ErrorUnit::Metre, tolerance.length_m)
            }
            Property::Visible | Property::Enabled | Property::Orthographic => (ErrorUnit::One, 0.0),
            Property::Scale
            | Property::Intensity
            | Property::Value
            | Property::Muscle
            | Property::Named(_) => (ErrorUnit::One, NUMBER * self.largest.max(1.0)),
        };
        Difference {
            channel: self.property.word().to_owned(),
            component: self.names.get(self.worst_component).cloned(),
            value: self.worst.value,
            unit,
            time: self.worst.time,
            limit: Some(limit),
        }
    }
}

/// How far two values are apart, and in which component.
fn apart(
    property: &Property,
    a: &[f64],
    b: &[f64],
    order: &[(Option<usize>, Option<usize>)],
) -> (f64, usize) {
    match (property, a, b) {
        (Property::Direction, &[ax, ay, az], &[bx, by, bz]) => {
            let (a, b) = (DVec3::new(ax, ay, az), DVec3::new(bx, by, bz));
            (a.cross(b).length().atan2(a.dot(b)), 0)
        }
        (Property::Rotation, &[ax, ay, az, aw], &[bx, by, bz, bw]) => {
            (angle(half_sine(DQuat::from_xyzw(ax, ay, az, aw), DQuat::from_xyzw(bx, by, bz, bw))), 0)
        }
        (Property::Translation | Property::Origin, &[ax, ay, az], &[bx, by, bz]) => {
            (DVec3::new(ax, ay, az).distance(DVec3::new(bx, by, bz)), 0)
        }
        _ => {
            let value = |list: &[f64], at: Option<usize>| at.and_then(|at| list.get(at)).copied();
            let pairs = a.len().max(b.len());
            let pair = |at: usize| order.get(at).copied().unwrap_or((Some(at), Some(at)));
            let differences = (0..pairs.max(order.len())).map(|at| {
                let (in_a, in_b) = pair(at);
                let (x, y) = (value(a, in_a).unwrap_or(0.0), value(b, in_b).unwrap_or(0.0));
                let apart = if x.to_bits() == y.to_bits() { 0.0 } else { (x - y).abs() };
                (if apart.is_nan() { f64::INFINITY } else { apart }, in_a.or(in_b).unwrap_or(at))
            });
            differences.fold((0.0, 0), |worst, next| if next.0 > worst.0 { next } else { worst })
        }
    }
}

/// Names of the morphs behind a vector of weights.
fn morphs(animation: &Animation<'_>, spare: Option<Spare<'_>>) -> Vec<String> {
    let set = || {
        let spare = spare.filter(|s| s.channel.property == Property::Weights)?;
        let node = animation.scene.nodes.get(spare.node?)?;
        animation.scene.morph_sets.get(node.morphs?.0)
    };
    set().map(|set| set.morphs.clone()).unwrap_or_default()
}

/// Which component is which, where both sides have names and put them in another order.
fn order(a: &[String], b: &[String]) -> Vec<(Option<usize>, Option<usize>)> {
    if a == b || a.is_empty() || b.is_empty() || a.iter().chain(b).any(String::is_empty) {
        return Vec::new();
    }
    let there = |name: &String| b.iter().position(|other| other == name);
    let mut order: Vec<_> = a.iter().enumerate().map(|(at, name)| (Some(at), there(name))).collect();
    order.extend(b.iter().enumerate().filter(|(_, name)| !a.contains(name)).map(|(at, _)| (None, Some(at))));
    order
}

/// What a side without keys shows.
fn rest(other: &Animation<'_>, known: Spare<'_>, node: Option<usize>, shown: &Lane<'_>) -> Option<Vec<f64>> {
    let node = node.and_then(|node| other.scene.nodes.get(node));
    let numbers = match known.channel.property {
        Property::Weight => vec![0.0],
        Property::Weights => {
            let set = node.and_then(|node| other.scene.morph_sets.get(node.morphs?.0));
            let mut rest: Vec<f64> =
                set.map(|s| s.rest.iter().map(|w| (*w).into()).collect()).unwrap_or_default();
            rest.resize(shown.value.len(), 0.0);
            rest
        }
        Property::Visible | Property::Enabled => vec![1.0],
        Property::YFov => match camera(other, node?)? {
            Lens::Perspective { yfov_rad, .. } => vec![yfov_rad],
            Lens::Orthographic { .. } => return None,
        },
        Property::Orthographic => {
            let lens = node.and_then(|node| camera(other, node));
            vec![f64::from(u8::from(matches!(lens, Some(Lens::Orthographic { .. }))))]
        }
        Property::Color => other.scene.lights.get(node?.light?.0)?.color.to_vec(),
        Property::Intensity => vec![other.scene.lights.get(node?.light?.0)?.intensity],
        _ => return None,
    };
    Some(numbers)
}

fn camera(animation: &Animation<'_>, node: &Node) -> Option<Lens> {
    animation.scene.cameras.get(node.camera?.0).map(|camera| camera.lens)
}
