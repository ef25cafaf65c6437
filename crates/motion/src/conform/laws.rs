//! Laws and compositions that a format holds unchanged.

use crate::keys::{KeyPlan, straight_law};
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage, LawSet, Rounding};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Law, Laws, Outside, Property, SolvedChannel, TargetKind, Times,
    Track, ValueKind,
};
use std::collections::HashSet;
use std::ops::Range;

/// The target format of a clip, and the plan for it.
#[derive(Clone, Copy)]
pub(super) struct Destination<'a> {
    pub capabilities: &'a Capabilities,
    pub plan: &'a KeyPlan,
    pub storage: KeyStorage,
    /// True if the clip's values already have the format's relation to the rest pose.
    pub keeps_relation: bool,
    /// True if no rest pose turns or scales values relative to it.
    pub keeps_axes: bool,
    /// True if values may be as coarse as the tolerance allows.
    pub lossy: bool,
    /// True if authored keys may be dropped within the tolerance.
    pub drops: bool,
    /// True if cubic segments are wanted where they need fewer numbers than straight ones.
    pub cubic: bool,
    /// Channels whose keys nobody has authored.
    pub solved: &'a HashSet<SolvedChannel>,
    /// For each node, true if its rotations are stored more finely than others; empty if none are.
    pub fine: &'a [bool],
}

impl Destination<'_> {
    /// Rounding of the rotations of a node.
    pub(super) fn rounding(&self, node: usize) -> Rounding {
        let is_fine = self.fine.get(node).copied().unwrap_or(false);
        if is_fine { self.storage.fine_rotations } else { self.storage.rotations }
    }

    /// True if keys of a track's channel of a property may be dropped within the tolerance.
    pub(super) fn may_drop(&self, track: &Track, property: &Property) -> bool {
        let is_solved = |node| self.solved.contains(&SolvedChannel { node, property: property.clone() });
        self.drops || track.target.node.is_some_and(is_solved)
    }

    /// True if all keys of a track may be dropped within the tolerance, but single keys of channels.
    pub(super) fn may_drop_all(&self, track: &Track) -> bool {
        let is_constant = |channel: &Channel| channel.composition.curves().all(|curve| curve.len() < 2);
        track.channels.iter().all(|channel| is_constant(channel) || self.may_drop(track, &channel.property))
    }
}

/// True if a channel of a target of some kind can be written unchanged.
pub(super) fn fits(channel: &Channel, kind: TargetKind, target: &Destination<'_>) -> bool {
    let Destination { capabilities, keeps_relation, .. } = *target;
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let laws = if rotates { &capabilities.rotation_laws } else { &capabilities.vector_laws };
    // Where cameras circle points on a grid, neighbouring frames of cameras and lights are a cut by themselves.
    let cuts = capabilities.parts.orbits && matches!(kind, TargetKind::Camera | TargetKind::Light);
    let may = &capabilities.compositions;
    let stays = keeps_relation || !is_relative(&channel.property);
    let fit =
        |laws, rotates| channel.composition.curves().all(|c| curve_fits(c, laws, rotates, target, cuts));
    // Components without keys count as 0 beside others.
    let each_fits = |laws, rotates| {
        let mut curves = channel.composition.curves().filter(|curve| !curve.is_empty()).peekable();
        curves.peek().is_some() && curves.all(|curve| curve_fits(curve, laws, rotates, target, cuts))
    };
    let curves_fit = || fit(laws, rotates);
    match &channel.composition {
        Composition::Whole(_) => curves_fit(),
        Composition::Components(_) if may.components && !rotates => stays && each_fits(laws, false),
        Composition::ComponentsNormalised(_) if may.components => {
            stays && each_fits(&capabilities.vector_laws, false)
        }
        Composition::Swing { .. } if may.directions => stays && each_fits(&capabilities.vector_laws, false),
        Composition::Euler { .. } if may.angles => stays && fit(&capabilities.vector_laws, false),
        // Per-axis timing is what a Bezier-timed format has of its own; the axes must share their keys.
        Composition::Components(curves) if laws.bezier_timing && !rotates => {
            stays && curves_fit() && curves.array_windows().all(|[a, b]| a.times == b.times)
        }
        Composition::Orbit(_) => capabilities.parts.orbits && curves_fit(),
        _ => false,
    }
}

/// True if the values of a property can be relative to the rest pose.
const fn is_relative(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale)
}

fn curve_fits(curve: &Curve, laws: &LawSet, rotates: bool, target: &Destination<'_>, cuts: bool) -> bool {
    let (plan, repeats) = (target.plan, target.capabilities.compositions.repeats);
    // Bezier-timed formats start with a ramp of their own.
    let starts = match &curve.before {
        Outside::Hold => true,
        Outside::Ramp { start, law, .. } => laws.bezier_timing && *start == plan.range.0 && laws.holds(*law),
        Outside::Loop | Outside::PingPong => repeats,
    };
    let right_blend = |law: Law| match law.blend {
        Blend::Lerp => !rotates,
        Blend::Slerp => rotates,
        Blend::Hermite | Blend::WeightedBezier => has_finite_handles(curve),
        _ => true,
    };
    starts
        && is_sound(curve)
        && (repeats || !matches!(curve.after, Outside::Loop | Outside::PingPong))
        && (curve_is_inside(curve, plan) || (target.capabilities.negative_times && ends_inside(curve, plan)))
        && (laws.mixed || is_one_blend(&curve.laws))
        && (curve.laws.all(|law| laws.holds(law) && right_blend(law)) || (cuts && segments_fit(curve, laws)))
        && times_fit(curve, plan)
}

/// True if a curve keeps its own rules, and every value is a number.
fn is_sound(curve: &Curve) -> bool {
    let starts = match &curve.before {
        Outside::Ramp { from, .. } => from.iter().all(|x| x.is_finite()),
        _ => true,
    };
    starts && curve.validate().is_ok() && curve.values.iter().all(|x| x.is_finite())
}

/// True if every segment has a law that fits, or holds its key until a cut: that is one more key, on the frame before.
fn segments_fit(curve: &Curve, laws: &LawSet) -> bool {
    matches!(curve.times, Times::Frames { .. })
        && curve.laws.all(|law| laws.holds(law) || law.blend == Blend::Step)
}

/// True if the tangents of all cubic segments are numbers.
fn has_finite_handles(curve: &Curve) -> bool {
    let Some(handles) = curve.handles.as_deref() else { return false };
    let finite = |column: &[f32], key| {
        column.get(components(curve, key)).is_some_and(|row| row.iter().all(|v| v.is_finite()))
    };
    (0..curve.len().saturating_sub(1))
        .filter(|key| needs_handles(curve, *key))
        .all(|key| finite(&handles.leaving, key) && finite(&handles.arriving, key.saturating_add(1)))
}

/// True if the segment after a key has tangents.
fn needs_handles(curve: &Curve, key: usize) -> bool {
    key < curve.len().saturating_sub(1)
        && matches!(curve.laws.get(key).blend, Blend::Hermite | Blend::WeightedBezier)
}

fn components(curve: &Curve, key: usize) -> Range<usize> {
    let start = key.saturating_mul(curve.width);
    start..start.saturating_add(curve.width)
}

/// Sets tangents that are not finite to 0 where no segment needs them: formats store them all the same. Where
/// segments of one curve have laws of their own, infinite tangents stay, because a file marks held segments
/// by them.
pub(super) fn tidy_handles(curve: &mut Curve, laws: &LawSet) {
    let is_stored = |x: f32| x.is_finite() || (laws.mixed && x.is_infinite());
    let Some(mut handles) = curve.handles.take() else { return };
    for key in 0..curve.len() {
        let is_needed = [key.checked_sub(1), Some(key)]
            .map(|segment| segment.is_some_and(|segment| needs_handles(curve, segment)));
        let columns = [&mut handles.arriving, &mut handles.leaving];
        for (column, _) in columns.into_iter().zip(is_needed).filter(|(_, is_needed)| !is_needed) {
            let row = column.get_mut(components(curve, key));
            row.into_iter().flatten().filter(|x| !is_stored(**x)).for_each(|x| *x = 0.0);
        }
    }
    curve.handles = Some(handles);
}

/// True if all segments have one blend; formats without mixed laws write it once per curve.
fn is_one_blend(laws: &Laws) -> bool {
    let mut blends = laws.runs().map(|law| law.blend);
    let first = blends.next();
    blends.all(|blend| Some(blend) == first)
}

/// True if a format holds the curve's times. On a grid, they must be its frames and ascend, except for
/// several keys of one frame from the document; elsewhere at most two keys may have the same time, but not at
/// the start.
fn times_fit(curve: &Curve, plan: &KeyPlan) -> bool {
    if plan.only_on_grid {
        let Times::Frames { rate, frames } = &curve.times else { return false };
        let is_stored = |key: usize| curve.source(key).is_some();
        let ascends = frames.array_windows().enumerate().all(|(key, [from, to])| {
            from < to || (from == to && is_stored(key) && is_stored(key.saturating_add(1)))
        });
        return *rate == plan.rate && ascends;
    }
    let mut before = [None, None];
    curve.times.iter().all(|time| {
        let [earlier, last] = before;
        before = [last, Some(time)];
        last != Some(time) || (earlier != Some(time) && time != plan.range.0)
    })
}

fn curve_is_inside(curve: &Curve, plan: &KeyPlan) -> bool {
    let (start, end) = plan.range;
    curve.times.span().is_some_and(|(first, last)| first.0 >= start.0 && last.0 <= end.0)
}

/// As [`curve_is_inside`] for formats that have keys before the start.
fn ends_inside(curve: &Curve, plan: &KeyPlan) -> bool {
    curve.times.span().is_some_and(|(_, last)| last.0 <= plan.range.1.0)
}

fn holds_ends(curve: &Curve) -> bool {
    curve.before == Outside::Hold && curve.after == Outside::Hold
}

/// True if the keys of a channel are all inside the range, and nothing moves before and after them.
pub(super) fn is_plain(channel: &Channel, plan: &KeyPlan) -> bool {
    channel.composition.curves().all(|c| is_sound(c) && curve_is_inside(c, plan) && holds_ends(c))
}

/// True if a channel is one curve of straight segments.
pub(super) fn is_straight(channel: &Channel) -> bool {
    let Composition::Whole(curve) = &channel.composition else { return false };
    let straight = straight_law(&channel.property);
    holds_ends(curve) && curve.laws.all(|law| law == straight)
}

/// True if all segments of a channel hold or go straight.
pub(super) fn is_simple(channel: &Channel) -> bool {
    let simple = |law: Law| law.blend == Blend::Step || law == straight_law(&channel.property);
    channel.composition.curves().all(|curve| curve.laws.all(simple))
}

/// For each channel of a track, true if the channel stays unchanged.
pub(super) fn kept(track: &Track, target: &Destination<'_>) -> Vec<bool> {
    let (plan, kind) = (target.plan, track.target.kind);
    let keeps_all = keeps_all(track, target);
    let is_copied =
        |channel: &Channel| channel.composition.curves().all(|curve| is_on_all_frames(curve, plan));
    let stays = |channel: &Channel| match plan.every_frame {
        true => is_straight(channel) && is_copied(channel),
        false => keeps_all || is_straight(channel),
    };
    let keeps = |channel: &Channel| match is_free(kind) {
        true => fits(channel, kind, target) || (is_plain(channel, plan) && is_simple(channel)),
        false => fits(channel, kind, target) && stays(channel),
    };
    track.channels.iter().map(keeps).collect()
}

/// True of a target that has no standard meaning, so that its keys may hold and go straight as they do.
pub(super) const fn is_free(kind: TargetKind) -> bool {
    matches!(kind, TargetKind::Custom | TargetKind::Hand)
}

/// True if channels that fit can stay as they are: a format that keys all channels of a node together needs all of
/// them with the same key times, because other times can only be added to straight segments.
fn keeps_all(track: &Track, target: &Destination<'_>) -> bool {
    if target.capabilities.layout == KeyLayout::PerChannel || track.target.kind != TargetKind::Joint {
        return true;
    }
    let mut times = track.channels.iter().flat_map(|c| c.composition.curves()).map(|c| &c.times);
    let first = times.next();
    times.all(|t| Some(t) == first) && track.channels.iter().all(|c| fits(c, track.target.kind, target))
}

/// True if a curve has a key on each frame from 0 to the end of the clip.
pub(super) fn is_on_all_frames(curve: &Curve, plan: &KeyPlan) -> bool {
    let Times::Frames { rate, frames } = &curve.times else { return false };
    let last = plan.rate.frame(plan.range.1).round() as i64;
    *rate == plan.rate
        && frames.first() == Some(&0)
        && frames.last() == Some(&last)
        && frames.array_windows().all(|[a, b]| a.checked_add(1) == Some(*b))
}
