//! Values of targets without keys.

use crate::joined::{first_value, last_value};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Laws, Node, PoseRelation, Property, Target, TargetKind, Times,
    Transform,
};

/// Adds missing channels of a target to clips: at rest, or at the last value before if the rest pose is
/// unknown. If a clip needs any of them, all are added, so that the channels keep common key times.
pub(crate) fn fill_together(
    channels: &mut [Vec<Option<Channel>>],
    clip: &Clip,
    target: &Target,
    nodes: &[Node],
) {
    let mut needed = vec![false; channels.first().map_or(0, Vec::len)];
    for parts in channels.iter().filter(|parts| parts.iter().any(Option::is_none)) {
        let mut tried = parts.clone();
        fill(&mut tried, &[], clip, target, nodes);
        for ((needed, part), tried) in needed.iter_mut().zip(parts).zip(&tried) {
            *needed |= part.is_none() && tried.is_some();
        }
    }
    for parts in channels {
        fill(parts, &needed, clip, target, nodes);
    }
}

/// Adds a missing channel to the clips that need it: because the channel is not at rest in a neighbouring
/// clip, or because other channels of its target are needed.
fn fill(parts: &mut [Option<Channel>], needed: &[bool], clip: &Clip, target: &Target, nodes: &[Node]) {
    for at in 0..parts.len() {
        let (before, rest) = parts.split_at(at);
        let Some((None, after)) = rest.split_first() else { continue };
        let (before, after) = (before.last().and_then(Option::as_ref), after.iter().flatten().next());
        let Some(model) = before.or(after) else { continue };
        let is_needed = needed.get(at).copied().unwrap_or_default() || before.is_some() && after.is_some();
        let is_at = |channel: &Channel, value: fn(&Curve) -> &[f32], rest: &[f32]| {
            channel.composition.curves().flat_map(value).eq(rest)
        };
        let filling = match rest_of(model, clip, target, nodes) {
            Some(rest) => {
                let is_held = before.is_none_or(|before| is_at(before, last_value, &rest))
                    && after.is_none_or(|after| is_at(after, first_value, &rest));
                (!is_held || is_needed).then(|| constant(model, &rest))
            }
            None => {
                let side: fn(&Curve) -> &[f32] = if before.is_some() { last_value } else { first_value };
                let value: Vec<f32> = model.composition.curves().flat_map(side).copied().collect();
                is_needed.then(|| constant(model, &value))
            }
        };
        if let Some(part) = parts.get_mut(at) {
            *part = filling;
        }
    }
}

/// A channel of the same curves, each with a single key.
fn constant(model: &Channel, values: &[f32]) -> Channel {
    let mut constant_channel = model.clone();
    let mut values = values.iter().copied();
    for curve in constant_channel.composition.curves_mut() {
        let times = match &curve.times {
            Times::Frames { rate, .. } => Times::Frames { rate: *rate, frames: [0].into() },
            Times::Seconds(_) => Times::Seconds([0.0].into()),
        };
        let value = values.by_ref().take(curve.width).collect();
        *curve = Curve::new(times, curve.width, value, Laws::uniform(curve.laws.get(0)));
    }
    constant_channel
}

/// The value of a property at rest, in the form of its curves; `None` if the rest pose is unknown.
fn rest_of(channel: &Channel, clip: &Clip, target: &Target, nodes: &[Node]) -> Option<Vec<f32>> {
    if target.kind == TargetKind::Morph && channel.property == Property::Weight {
        return Some(vec![0.0]);
    }
    if target.kind != TargetKind::Joint {
        return None;
    }
    let rest = match clip.relation {
        PoseRelation::OnTopOfRest => Transform::IDENTITY,
        PoseRelation::Absolute => nodes.get(target.node?.0)?.rest,
    };
    let plain = matches!(
        channel.composition,
        Composition::Whole(_) | Composition::Components(_) | Composition::ComponentsNormalised(_)
    );
    let value: Vec<f64> = match (&channel.property, &channel.composition) {
        (Property::Translation, _) if plain => rest.translation.into(),
        (Property::Rotation, _) if plain => rest.rotation.into(),
        (Property::Scale, _) if plain => rest.scale.into(),
        (Property::Rotation, Composition::Euler { .. }) if rest.rotation == [0.0, 0.0, 0.0, 1.0] => {
            vec![0.0; 3]
        }
        _ => return None,
    };
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    Some(value.into_iter().map(|value| (value / scale) as f32).collect())
}
