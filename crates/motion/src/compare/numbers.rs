//! Channels that place no joint: weights, colours, lenses, directions, switches and numbers of any meaning.

use super::matching::{Match, Nodes, Spare};
use super::metric::angle;
use super::peak::Peak;
use super::sides::Side;
use super::times::SampleTimes;
use super::{Animation, ChannelDifference, Course};
use crate::Tolerance;
use crate::sample::moving::changes;
use crate::sample::player::SoaPose;
use crate::sample::{Side as Approach, channel_at};
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Lens, Node, Property, Target};
use dopesheet_core::units::Seconds;
use glam::{DQuat, DVec3};

/// Largest difference of numbers without a meaning, as a share of the largest of them or of 1.
const NUMBER: f64 = 1e-3;

/// One channel on both sides, or on one side against the rest value of the other.
pub(super) struct ComparedChannel<'a> {
    pub(super) target: &'a Target,
    property: &'a Property,
    sides: [Option<Spare<'a>>; 2],
    /// Course of each side with times of its own; `None` where the times are those of the comparison.
    courses: [Option<&'a Course>; 2],
    /// Value of a side without keys.
    rest: Vec<f64>,
    /// Pairs of equal components of A and B; empty if both have the same order.
    order: Vec<(Option<usize>, Option<usize>)>,
    /// Names of the components of A, or of B if A has none.
    names: Vec<String>,
    /// True if the channel moves, or if the constant values of both sides differ.
    moves: bool,
}

/// Largest difference of a channel at samples, and the largest value of A.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberPeaks {
    difference: Peak,
    largest: f64,
}

impl NumberPeaks {
    /// Takes note of the peaks of later samples.
    pub(super) fn merge(&mut self, later: &Self) {
        self.difference.merge(later.difference);
        self.largest = self.largest.max(later.largest);
    }
}

impl<'a> ComparedChannel<'a> {
    /// `None` if neither side has keys.
    pub(super) fn new(
        pair: Match,
        spares: [&[Spare<'a>]; 2],
        sides: [&Side<'a>; 2],
        nodes: &Nodes,
    ) -> Option<Self> {
        let spare = |spares: &[Spare<'a>], at: Option<usize>| spares.get(at?).copied();
        let both = [spare(spares[0], pair.a), spare(spares[1], pair.b)];
        let either = both[0].or(both[1])?;
        let animations = sides.map(|side| side.animation);
        let mut shown = Vec::new();
        channel_at(either.channel, Seconds(0.0), Approach::At, &mut shown);
        let rest = match both {
            [Some(_), Some(_)] => None,
            [Some(_), None] => rest(&animations[1], either, nodes.in_b(either.node), shown.len()),
            _ => rest(&animations[0], either, nodes.in_a(either.node), shown.len()),
        };
        let (names_a, names_b) = (morphs(&animations[0], both[0]), morphs(&animations[1], both[1]));
        Some(Self {
            target: &either.track.target,
            property: &either.channel.property,
            sides: both,
            courses: sides.map(|side| side.course),
            // Where it is unknown, what is shown at first counts as the rest.
            rest: rest.unwrap_or(shown),
            order: order(&names_a, &names_b),
            names: if names_a.is_empty() { names_b } else { names_a },
            moves: both.iter().flatten().any(|spare| changes(spare.channel)),
        })
    }

    /// True if the channel is only in A, and if only in B.
    pub(super) const fn is_only_in(&self) -> (bool, bool) {
        (self.sides[1].is_none(), self.sides[0].is_none())
    }

    /// Takes note of the difference of both sides at a sample.
    pub(super) fn note<'f>(
        &self,
        peaks: &mut NumberPeaks,
        poses: [&'f SoaPose; 2],
        time: f64,
        is_first: bool,
    ) {
        if !self.moves && !is_first {
            return;
        }
        let value = |spare: Option<Spare<'_>>, pose: &'f SoaPose| {
            let range = spare.map_or(0..0, |spare| spare.slot.range());
            pose.numbers().get(range).unwrap_or_default()
        };
        let (a, b) = (value(self.sides[0], poses[0]), value(self.sides[1], poses[1]));
        let (difference, _) = match self.sides {
            [Some(_), Some(_)] => apart(self.property, a, b, &self.order),
            [Some(_), None] => apart(self.property, a, &self.rest, &self.order),
            _ => apart(self.property, &self.rest, b, &self.order),
        };
        peaks.difference.note(difference, time);
        peaks.largest = a.iter().fold(peaks.largest, |most, v| most.max(v.abs().into()));
    }

    /// Values of A and of B at a time, by the reference evaluator.
    fn values_at(&self, time: f64) -> [Vec<f64>; 2] {
        let ([a, b], [course_a, course_b]) = (self.sides, self.courses);
        [(a, course_a), (b, course_b)].map(|(spare, course)| {
            let Some(spare) = spare else { return self.rest.clone() };
            let mut value = Vec::new();
            let time = course.map_or(time, |course| course.shown(time));
            channel_at(spare.channel, Seconds(time), Approach::At, &mut value);
            value
        })
    }

    /// The largest difference by the reference evaluator.
    pub(super) fn difference(
        &self,
        peaks: &NumberPeaks,
        times: &SampleTimes,
        tolerance: &Tolerance,
    ) -> ChannelDifference {
        let (unit, limit) = self.limit(peaks.largest, tolerance);
        let apart_at = |time: f64| {
            let [a, b] = self.values_at(time);
            apart(self.property, &a, &b, &self.order)
        };
        let exact = |time: f64| apart_at(time).0;
        let is_refined = limit > 0.0 && peaks.difference.value > 0.0;
        let (value, time) = match is_refined {
            true => peaks.difference.refined(times, exact),
            false => peaks.difference.looked_up(exact),
        };
        let component = self.names.get(if value > 0.0 { apart_at(time.0).1 } else { 0 }).cloned();
        let channel = self.property.word().to_owned();
        ChannelDifference { channel, component, value, unit, time, limit: Some(limit) }
    }

    /// Limit of a difference and its unit, for values of A up to `largest`.
    fn limit(&self, largest: f64, tolerance: &Tolerance) -> (ErrorUnit, f64) {
        match self.property {
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
            | Property::Named(_) => (ErrorUnit::One, NUMBER * largest.max(1.0)),
        }
    }
}

/// Difference of two values, and its component.
fn apart<A: Copy + Into<f64>, B: Copy + Into<f64>>(
    property: &Property,
    a: &[A],
    b: &[B],
    order: &[(Option<usize>, Option<usize>)],
) -> (f64, usize) {
    let (count_a, count_b) = (a.len(), b.len());
    let x = |at: usize| a.get(at).map_or(0.0, |x| (*x).into());
    let y = |at: usize| b.get(at).map_or(0.0, |y| (*y).into());
    let vectors = || [DVec3::new(x(0), x(1), x(2)), DVec3::new(y(0), y(1), y(2))];
    match (property, count_a, count_b) {
        (Property::Direction, 3, 3) => {
            let [a, b] = vectors();
            (libm::atan2(a.cross(b).length(), a.dot(b)), 0)
        }
        (Property::Rotation, 4, 4) => {
            (angle(DQuat::from_xyzw(x(0), x(1), x(2), x(3)), DQuat::from_xyzw(y(0), y(1), y(2), y(3))), 0)
        }
        (Property::Translation | Property::Origin, 3, 3) => {
            let [a, b] = vectors();
            (a.distance(b), 0)
        }
        _ => {
            let pair = |at: usize| order.get(at).copied().unwrap_or((Some(at), Some(at)));
            let differences = (0..count_a.max(count_b).max(order.len())).map(|at| {
                let (in_a, in_b) = pair(at);
                let (x, y) = (in_a.map_or(0.0, x), in_b.map_or(0.0, y));
                let apart = if x.to_bits() == y.to_bits() { 0.0 } else { (x - y).abs() };
                (if apart.is_nan() { f64::INFINITY } else { apart }, in_a.or(in_b).unwrap_or(at))
            });
            differences.fold((0.0, 0), |largest, next| if next.0 > largest.0 { next } else { largest })
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

/// Pairs of components with equal names, where both sides have names in different orders.
fn order(a: &[String], b: &[String]) -> Vec<(Option<usize>, Option<usize>)> {
    if a == b || a.is_empty() || b.is_empty() || a.iter().chain(b).any(String::is_empty) {
        return Vec::new();
    }
    let there = |name: &String| b.iter().position(|other| other == name);
    let mut order: Vec<_> = a.iter().enumerate().map(|(at, name)| (Some(at), there(name))).collect();
    order.extend(b.iter().enumerate().filter(|(_, name)| !a.contains(name)).map(|(at, _)| (None, Some(at))));
    order
}

/// Value of a side without keys; `None` where unknown.
fn rest(other: &Animation<'_>, spare: Spare<'_>, node: Option<usize>, width: usize) -> Option<Vec<f64>> {
    let node = node.and_then(|node| other.scene.nodes.get(node));
    let numbers = match spare.channel.property {
        Property::Weight => vec![0.0],
        Property::Weights => {
            let set = node.and_then(|node| other.scene.morph_sets.get(node.morphs?.0));
            let mut rest: Vec<f64> =
                set.map(|s| s.rest.iter().map(|w| (*w).into()).collect()).unwrap_or_default();
            rest.resize(width, 0.0);
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
