//! Upper bound of the displacement of points of a model, from the largest errors of its joints' channels.
//!
//! A point of a joint's shell is moved by the joint and by all its ancestors. The error of each of these
//! displaces the point by no more than the error of its translation, plus the errors of its rotation and
//! scale times its distance from the point; the joints above stretch this displacement by their scale.
//! Distances and scales are the largest values at the keys of either clip, which no line, arc or Bezier curve
//! exceeds.

use super::choose::drop::handle_ends;
use super::tally::Tally;
use crate::difference::{Worst, difference};
use crate::sample::evaluate::grid;
use crate::sample::moving::is_constant;
use crate::sample::pose::scale_at_rest;
use crate::tolerance::Tolerance;
use dopesheet_core::format::TimeRounding;
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Law, NodeIndex, Outside, PoseRelation, Property, Scene, Timing,
    Transform,
};
use dopesheet_core::units::Seconds;

/// Largest effect of a node on its descendants.
#[derive(Clone, Copy)]
struct Reach {
    /// Distance from its parent.
    distance: f64,
    /// Factor on lengths.
    scale: f64,
    /// Upper bounds of the errors of the node's translation, rotation (in radians) and scale.
    misses: [Worst; 3],
}

/// Upper bound of the displacement of points around joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Length in units of the scene; infinite where no bound is known.
    pub value: f64,
    /// The joint whose points have this bound.
    pub node: NodeIndex,
    /// Time of the largest error of a channel that moves the joint.
    pub time: Seconds,
}

impl Bound {
    pub(super) const NONE: Self = Self { value: 0.0, node: NodeIndex(0), time: Seconds(0.0) };
    pub(super) const UNKNOWN: Self = Self { value: f64::INFINITY, ..Self::NONE };

    /// The larger bound. Zero times infinity is not a number: such a joint is scaled to nothing below a joint
    /// without a known bound, and its bound is infinite.
    pub(super) fn max(self, other: Self) -> Self {
        match other {
            _ if other.value.is_nan() => Self { value: f64::INFINITY, ..other },
            _ if other.value > self.value => other,
            _ => self,
        }
    }
}

/// Upper bound of the displacement of points within `shell` of each joint between a clip and its converted
/// form, in the scene's unit of length; infinite where the error of a curve is only known from samples. Key
/// times were rounded in the manner of `times`.
pub(super) fn bound(
    scene: &Scene,
    [source, made]: [&Clip; 2],
    tally: &Tally,
    shell: f64,
    times: TimeRounding,
) -> Bound {
    let mut reaches: Vec<Reach> = scene.nodes.iter().map(|node| Reach::at(&node.rest)).collect();
    for clip in [source, made] {
        for (node, channel) in placing(clip) {
            if let (Some(reach), Some(scene_node)) = (reaches.get_mut(node), scene.nodes.get(node)) {
                reach.extend(channel, &scene_node.rest, clip.relation);
            }
        }
    }
    let missed = tally.bounds.iter().map(|(NodeIndex(node), property, bound)| (*node, property, *bound));
    let mut of_source: Vec<Vec<&Channel>> = vec![Vec::new(); scene.nodes.len()];
    for (node, channel) in placing(source) {
        if let Some(channels) = of_source.get_mut(node) {
            channels.push(channel);
        }
    }
    let late = placing(made).map(|(node, channel)| {
        let mut channels = of_source.get(node).into_iter().flatten();
        let counterpart = channels.find(|counterpart| counterpart.property == channel.property).copied();
        (node, &channel.property, late(counterpart, channel, times))
    });
    for (node, property, bound) in missed.chain(late) {
        if let Some(reach) = reaches.get_mut(node) {
            reach.miss(property, bound);
        }
    }
    let all = (0..scene.nodes.len()).map(|joint| displaced(scene, &reaches, joint, shell));
    all.fold(Bound::NONE, Bound::max)
}

/// Upper bound of the share of its limit taken by any channel that is not part of a node's transform.
pub(super) fn share_of_others(clip: &Clip, tally: &Tally, times: TimeRounding) -> f64 {
    let channels = clip.tracks.iter().flat_map(|track| {
        let places = track.target.node.is_some();
        track.channels.iter().filter(move |channel| !(places && is_placing(&channel.property)))
    });
    let late = channels.map(|channel| late(None, channel, times).value / Tolerance::of(&channel.property));
    late.fold(0.0, f64::max) + tally.others
}

const fn is_placing(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// The channels of nodes.
fn placing(clip: &Clip) -> impl Iterator<Item = (usize, &Channel)> {
    let of_nodes = clip.tracks.iter().filter_map(|track| Some((track.target.node?.0, &track.channels)));
    of_nodes.flat_map(|(node, channels)| channels.iter().map(move |channel| (node, channel)))
}

/// Upper bound of the displacement of points around one joint.
fn displaced(scene: &Scene, reaches: &[Reach], joint: usize, shell: f64) -> Bound {
    let mut radius = shell / scale_at_rest(scene, NodeIndex(joint));
    let (mut displaced, mut most) = (0.0, Worst::default());
    let mut above = Some(NodeIndex(joint));
    let bound = |value: f64, most: Worst| Bound { value, node: NodeIndex(joint), time: most.time };
    // Parents of a scene may hang on each other.
    for _ in 0..=scene.nodes.len() {
        let Some(NodeIndex(node)) = above else { return bound(displaced, most) };
        let (Some(reach), Some(own)) = (reaches.get(node), scene.nodes.get(node)) else { break };
        let [translation, rotation, scale] = reach.misses.map(|miss| miss.value);
        let moved = translation + radius * (reach.scale * rotation + scale);
        reach.misses.iter().for_each(|miss| most.note(if miss.value > 0.0 { moved } else { 0.0 }, miss.time));
        displaced = reach.scale * displaced + moved;
        radius = reach.distance + reach.scale * radius;
        above = own.parent;
    }
    bound(f64::INFINITY, most)
}

impl Reach {
    fn at(rest: &Transform) -> Self {
        let scale = rest.scale.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        Self { distance: length(&rest.translation), scale, misses: [Worst::default(); 3] }
    }

    /// Takes note of a channel's largest distance or scale.
    fn extend(&mut self, channel: &Channel, rest: &Transform, relation: PoseRelation) {
        let is_on_top = relation == PoseRelation::OnTopOfRest;
        match channel.property {
            Property::Translation => {
                let largest = largest(channel).map(|parts| length(&parts)).unwrap_or(f64::INFINITY);
                let start = if is_on_top { length(&rest.translation) } else { 0.0 };
                self.distance = self.distance.max(start + largest);
            }
            Property::Scale => {
                let largest =
                    largest(channel).map_or(f64::INFINITY, |parts| parts.into_iter().fold(0.0, f64::max));
                let factor = if is_on_top { Self::at(rest).scale } else { 1.0 };
                self.scale = self.scale.max(factor * largest);
            }
            Property::Placement | Property::Origin => self.distance = f64::INFINITY,
            _ => {}
        }
    }

    /// Takes note of a channel's largest error.
    fn miss(&mut self, property: &Property, bound: Worst) {
        let [place, turn, scale] = &mut self.misses;
        let miss = match property {
            Property::Translation => place,
            Property::Rotation => turn,
            Property::Scale => scale,
            Property::Placement | Property::Origin => {
                self.misses = [Worst { value: f64::INFINITY, ..bound }; 3];
                return;
            }
            _ => return,
        };
        *miss = miss.and(bound);
    }
}

fn length(parts: &[f64; 3]) -> f64 {
    parts.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Largest absolute value of each of three components; `None` where a curve may leave the hull of its keys and handles.
fn largest(channel: &Channel) -> Option<[f64; 3]> {
    let curves = match &channel.composition {
        Composition::Whole(curve) => std::slice::from_ref(curve),
        Composition::Components(curves) => curves,
        _ => return None,
    };
    if channel.native.is_some() {
        return None;
    }
    let (mut largest, mut column) = ([0.0f64; 3], 0usize);
    for curve in curves {
        if !curve.laws.all(stays_in_hull) {
            return None;
        }
        let start = match &curve.before {
            Outside::Ramp { from, .. } => &**from,
            _ => &[],
        };
        let ends = handle_ends(curve);
        let values = ends.iter().flat_map(|ends| &ends.values).chain(&*curve.values).chain(start);
        for (value, n) in values.zip((0..curve.width).cycle()) {
            let component = largest.get_mut(column.saturating_add(n))?;
            *component = component.max(f64::from(*value).abs());
        }
        column = column.saturating_add(curve.width);
    }
    Some(largest)
}

/// True of a law whose values stay in the hull of keys and handles.
fn stays_in_hull(law: Law) -> bool {
    let is_monotonic = match law.timing {
        Timing::Bezier { y1, y2, .. } => [y1, y2].iter().all(|y| (0.0..=1.0).contains(y)),
        Timing::Linear | Timing::Ease { .. } => true,
    };
    is_monotonic && matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Hermite)
}

/// Upper bound of a channel's error from key times rounded to the nearest f32: the distance from the key
/// times of the `source` (half the distance of neighbouring f32 without a source), times the channel's
/// highest speed. Infinite for other roundings, and for laws without a known speed.
fn late(source: Option<&Channel>, channel: &Channel, times: TimeRounding) -> Worst {
    let unknown = Worst { value: f64::INFINITY, ..Worst::default() };
    if times == TimeRounding::None {
        return Worst::default();
    }
    let (Composition::Whole(curve), TimeRounding::Single) = (&channel.composition, times) else {
        return unknown;
    };
    let rate = source.and_then(grid);
    let mut largest = Worst::default();
    for (key, next) in (0..).zip(1..curve.len()) {
        let (Some(from), Some(to)) = (curve.value(key), curve.value(next)) else { break };
        let (Some(a), Some(b)) = (curve.times.get(key), curve.times.get(next)) else { break };
        let law = curve.laws.get(key);
        let middle = Seconds(f64::midpoint(a.0, b.0));
        // Beside a frame nothing is seen but the frame.
        if law.blend == Blend::Step || b.0 <= a.0 || rate.is_some_and(|rate| rate.snap(middle) != middle) {
            continue;
        }
        if !law.timing.is_linear() || !matches!(law.blend, Blend::Lerp | Blend::Slerp) {
            return if is_constant(curve) { Worst::default() } else { unknown };
        }
        let off = [a, b].map(|time| rounded_by(source, time)).into_iter().fold(0.0, f64::max);
        largest.note(difference(&channel.property, from, to) / (b.0 - a.0) * off, b);
    }
    largest
}

/// Distance of a stored time from its key of the source; 0 for keys inserted between these keys.
fn rounded_by(source: Option<&Channel>, time: Seconds) -> f64 {
    let half = 0.5 * (f64::from((time.0 as f32).next_up()) - f64::from(time.0 as f32));
    let Some(source) = source else { return half };
    let near = source.composition.curves().flat_map(|curve| {
        let next = curve.times.count_until(time);
        [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|key| curve.times.get(key))
    });
    near.map(|key| (key.0 - time.0).abs()).filter(|off| *off <= half).fold(0.0, f64::max)
}
