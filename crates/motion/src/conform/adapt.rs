//! Adapting the error budget to measured errors: less where joints are over their limits, and no more tries where that is no help.

use super::budget::ErrorBudget;
use crate::compare::{Animation, Comparison, Effort, Windows, compare_again};
use crate::keys::splice::{Differing, Stretches, differing};
use crate::tolerance::Tolerance;
use dopesheet_core::model::{Clip, NodeIndex, Scene, ValueKind};
use dopesheet_core::order::by_number;
use std::collections::BTreeMap;

/// Factor on the share that would be right if errors were proportional to the budget.
const CAUTION: f64 = 0.9;

/// Share of its limit that some joint has to take; else all get more.
const WASTE: f64 = 0.7;

/// A joint that is over by no more than this share gets less by itself at first: what it hangs on keeps its keys.
const LITTLE: f64 = 0.03;

/// Factor on the budget of such a joint.
const A_LITTLE_LESS: f64 = 0.93;

/// Share of its limit from which on a joint gets less where another stretch takes it beyond that: refining finds higher peaks there.
const NEARLY: f64 = 0.97;

/// A joint that was not brought below this part of what it took before gets that much less once more.
const HELP: f64 = 0.95;
const NO_HELP: f64 = 0.6;

/// Number of times that a joint gets less: what is then over its limit is so by something else than its keys.
const MOST_TRIES: u8 = 4;

/// Number of times that a joint gets less before its cubic segments become straight ones.
const BEFORE_STRAIGHT: u8 = 2;

/// Joints over their limits, and all that was measured of a clip that is made again and again.
pub(super) struct Adaptation<'a> {
    scene: &'a Scene,
    source: &'a Clip,
    /// For each node.
    tightened: Vec<Tightened>,
    /// True once all joints were given more.
    has_scaled: bool,
    windows: Option<Windows>,
    /// The clip that was measured, if another one is made by a changed budget.
    before: Option<Clip>,
}

/// A joint that was over its limit.
#[derive(Clone, Copy)]
struct Tightened {
    /// Number of times that it got less.
    times: u8,
    /// Share of its limit that it then took.
    before: f64,
    /// True once it alone got less.
    was_alone: bool,
}

impl<'a> Adaptation<'a> {
    pub(super) fn new(scene: &'a Scene, source: &'a Clip) -> Self {
        let never = Tightened { times: 0, before: f64::INFINITY, was_alone: false };
        let tightened = vec![never; scene.nodes.len()];
        Self { scene, source, tightened, has_scaled: false, windows: None, before: None }
    }

    /// Differences of a clip from the source. Only stretches in which it differs from the clip that was measured before are looked at.
    pub(super) fn measure(&mut self, made: &Clip, tolerance: &Tolerance, effort: Effort) -> Comparison {
        let [a, b] = [self.source, made].map(|clip| Animation { scene: self.scene, clip });
        let differing = self.before.take().and_then(|before| differing(&before, made));
        let before = self.windows.take().zip(differing.as_ref());
        let (found, windows) = compare_again(a, b, tolerance, effort, before);
        self.windows = Some(windows);
        found
    }

    /// Gives less to every joint that is over its limit and to those it hangs on, in the stretches where it is over, and more to all if
    /// none is near. Yields true if the budget changed.
    pub(super) fn adapt(
        &mut self,
        budget: &mut ErrorBudget,
        (made, found): (&Clip, &Comparison),
        tolerance: &Tolerance,
    ) -> bool {
        let most = placed(found).map(|(_, share)| share).fold(0.0, f64::max);
        let changes = match most {
            0.0 => false,
            ..WASTE => !std::mem::replace(&mut self.has_scaled, true) && budget.raise(CAUTION / most),
            _ => self.tighten(budget, found, tolerance),
        };
        self.before = changes.then(|| made.clone());
        changes
    }

    /// For each node, the share of its limit that a clip takes with the source's own keys as they are `stored`, in the stretches where
    /// what was measured last takes some joint beyond its limit.
    pub(super) fn precision(mut self, stored: &Clip, tolerance: &Tolerance) -> Vec<f64> {
        let mut shares = vec![0.0; self.scene.nodes.len()];
        let Some(windows) = self.windows.take() else { return shares };
        let nodes = (0..shares.len()).map(NodeIndex);
        let stretches = nodes.clone().flat_map(|node| windows.above(NEARLY, tolerance, node)).collect();
        let differing = Differing { stretches, nodes: nodes.collect() };
        let [a, b] = [self.source, stored].map(|clip| Animation { scene: self.scene, clip });
        let before = Some((windows.emptied(), &differing));
        for (node, share) in placed(&compare_again(a, b, tolerance, Effort::Made, before).0) {
            if let Some(own) = shares.get_mut(node.0) {
                *own = share;
            }
        }
        self.add_steps(&mut shares, tolerance);
        shares
    }

    /// Adds half a step of f32 for positions at keys between those of the source.
    fn add_steps(&self, shares: &mut [f64], tolerance: &Tolerance) {
        let mut steps = vec![0.0f64; shares.len()];
        for track in &self.source.tracks {
            let moves = track.channels.iter().filter(|own| own.property.kind() == ValueKind::Position);
            let values = moves.flat_map(|own| own.composition.curves()).flat_map(|curve| &*curve.values);
            let largest = values.fold(0.0f32, |most, x| most.max(x.abs()));
            if let Some(own) = track.target.node.and_then(|node| steps.get_mut(node.0)) {
                *own = f64::from(largest) * f64::from(f32::EPSILON) / 2.0;
            }
        }
        for ((index, node), share) in self.scene.nodes.iter().enumerate().zip(shares) {
            let above = node.parent.and_then(|parent| steps.get(parent.0)).copied().unwrap_or_default();
            if let Some(step) = steps.get_mut(index) {
                *step += above;
                *share += *step / tolerance.length_m;
            }
        }
    }

    fn tighten(&mut self, budget: &mut ErrorBudget, found: &Comparison, tolerance: &Tolerance) -> bool {
        let Some(windows) = &self.windows else { return false };
        let (mut lower, mut is_straightened) = (BTreeMap::<usize, (f64, Stretches)>::new(), false);
        for (node, share) in placed(found).filter(|(_, share)| *share > 1.0) {
            let Some(Tightened { times, before, was_alone }) = self.tightened.get_mut(node.0) else {
                continue;
            };
            if *times >= MOST_TRIES {
                continue;
            }
            is_straightened |= *times >= BEFORE_STRAIGHT && budget.straighten(node);
            let is_alone = share <= 1.0 + LITTLE && !std::mem::replace(was_alone, true);
            let stretches = windows.above(NEARLY, tolerance, node);
            let helps = share < *before * HELP;
            let factor =
                if is_alone { A_LITTLE_LESS } else { CAUTION / share * if helps { 1.0 } else { NO_HELP } };
            (*times, *before) = (times.saturating_add(1), share);
            let mut above = Some(node);
            while let Some(node) = above {
                let own = lower.entry(node.0).or_insert_with(|| (1.0, Stretches::new()));
                own.0 = own.0.min(factor);
                own.1.extend_from_slice(&stretches);
                above = self.scene.node(node).and_then(|node| node.parent).filter(|_| !is_alone);
            }
        }
        lower.into_iter().fold(is_straightened, |changes, (node, (factor, mut stretches))| {
            by_number(&mut stretches, |own| own.start);
            stretches.dedup();
            budget.lower(NodeIndex(node), factor, Some(stretches)) || changes
        })
    }
}

/// The joints of a comparison, with the shares of their limits that they take in model space.
pub(super) fn placed(found: &Comparison) -> impl Iterator<Item = (NodeIndex, f64)> {
    found.tracks.iter().filter_map(|track| Some((track.node?, track.placed_share()?.0)))
}
