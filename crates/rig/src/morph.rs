//! Morphs with an effect on joints, on other morphs or on one of several morphs.

use crate::error::RigError;
use crate::joint::Joint;
use crate::turn::{bounded, bounded_vector, share_of, unit};
use dopesheet_core::model::{MorphEffect, RigMorph};
use glam::{DQuat, DVec3};

/// The morphs of a rig, by kind of effect.
#[derive(Clone, Debug, Default)]
pub(crate) struct Morphs {
    pub(crate) count: usize,
    /// Morph, other morph, factor.
    groups: Vec<(usize, usize, f64)>,
    /// Morph and its choices.
    flips: Vec<(usize, Vec<(usize, f64)>)>,
    pub(crate) offsets: Vec<Offset>,
}

/// Move of a joint by a morph, at full weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    morph: usize,
    pub(crate) node: usize,
    translation: DVec3,
    turn: DQuat,
}

impl Morphs {
    pub(crate) fn new(morphs: &[RigMorph], nodes: usize) -> Result<Self, RigError> {
        let mut all = Self { count: morphs.len(), ..Self::default() };
        for (index, morph) in morphs.iter().enumerate() {
            match &morph.effect {
                MorphEffect::Surface => {}
                MorphEffect::Joints(offsets) => {
                    for offset in offsets {
                        if offset.node.0 >= nodes {
                            return Err(RigError::NoSuchNode { node: offset.node, nodes });
                        }
                        let (translation, turn) = (bounded_vector(offset.translation), unit(offset.rotation));
                        all.offsets.push(Offset { morph: index, node: offset.node.0, translation, turn });
                    }
                }
                MorphEffect::Group(children) => {
                    let children = single_effects(morphs, children)?;
                    all.groups.extend(children.map(|(child, factor)| (index, child, bounded(factor))));
                }
                MorphEffect::Flip(choices) => {
                    check_children(morphs, choices)?;
                    all.flips.push((index, choices.to_vec()));
                }
            }
        }
        Ok(all)
    }

    /// The effective weights, from the keyed weights.
    pub(crate) fn weights(&self, keyed: &[f64], out: &mut [f64]) {
        for (index, weight) in out.iter_mut().enumerate() {
            *weight = bounded(keyed.get(index).copied().unwrap_or(0.0));
        }
        for &(morph, child, factor) in &self.groups {
            if let Some(weight) = out.get_mut(child) {
                *weight = bounded(*weight + keyed_weight(keyed, morph) * factor);
            }
        }
        for (morph, choices) in &self.flips {
            if let Some((chosen, weight)) = chosen(choices, keyed_weight(keyed, *morph))
                && let Some(slot) = out.get_mut(chosen)
            {
                *slot = bounded(weight);
            }
        }
    }

    /// Moves the joints by the effective weights, in the order of the morphs.
    pub(crate) fn apply(&self, weights: &[f64], state: &mut [Joint]) {
        for offset in &self.offsets {
            let weight = weights.get(offset.morph).copied().unwrap_or_default();
            if weight != 0.0
                && let Some(joint) = state.get_mut(offset.node)
            {
                joint.translation += offset.translation * weight;
                joint.turn = share_of(offset.turn, weight) * joint.turn;
            }
        }
    }
}

fn keyed_weight(keyed: &[f64], morph: usize) -> f64 {
    bounded(keyed.get(morph).copied().unwrap_or(0.0))
}

fn check_children(morphs: &[RigMorph], children: &[(usize, f64)]) -> Result<(), RigError> {
    match children.iter().find(|(child, _)| *child >= morphs.len()) {
        Some((child, _)) => Err(RigError::NoSuchMorph { morph: *child, morphs: morphs.len() }),
        None => Ok(()),
    }
}

/// The children of a group, without children that are groups themselves: groups inside groups have no effect
/// in MikuMikuDance.
fn single_effects<'a>(
    morphs: &'a [RigMorph],
    children: &'a [(usize, f64)],
) -> Result<impl Iterator<Item = (usize, f64)> + 'a, RigError> {
    check_children(morphs, children)?;
    let is_single = |(child, _): &(usize, f64)| {
        morphs.get(*child).is_some_and(|m| !matches!(m.effect, MorphEffect::Group(_)))
    };
    Ok(children.iter().copied().filter(is_single))
}

/// The chosen morph for a weight from 0 to 1. The range is divided into equal parts, one more than there are
/// choices; in the first part no morph is chosen (PMX 2.1 format text).
fn chosen(choices: &[(usize, f64)], weight: f64) -> Option<(usize, f64)> {
    let part = weight * (choices.len() as f64 + 1.0);
    choices.iter().enumerate().rev().find(|(index, _)| part >= *index as f64 + 1.0).map(|(_, choice)| *choice)
}
