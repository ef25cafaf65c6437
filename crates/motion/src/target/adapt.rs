//! Adapting the error budget to measured errors.

use super::budget::ErrorBudget;
use crate::compare::{Comparison, TrackDifference, are_neighbours};
use dopesheet_core::model::{Clip, NodeIndex, Scene, Track};
use dopesheet_core::units::Seconds;

/// Share of its limit above which a joint counts as over it, because refining finds peaks that are a little higher.
pub(super) const FULL: f64 = 0.98;

/// Factor on the share that would be right if errors were proportional to the budget.
const CAUTION: f64 = 0.9;

/// Where no joint takes this share of its limit, all get more.
const WASTE: f64 = 0.7;

/// A joint that is over by no more than this share gets less by itself at first: what it hangs on keeps its keys.
const LITTLE: f64 = 0.03;

/// Factor on the budget of such a joint.
const A_LITTLE_LESS: f64 = 0.93;

/// Number of times that a joint gets less before its cubic segments become straight ones.
const BEFORE_STRAIGHT: u8 = 2;

/// Joints that were over their limits.
pub(super) struct Adaptation {
    /// For each node, how often it got less.
    tightened: Vec<u8>,
    /// True if precision is likely to cost much.
    is_imprecise: bool,
    /// For each node, the share of its limit that the precision of stored values and times alone costs; empty until it is needed.
    precision: Vec<f64>,
}

impl Adaptation {
    pub(super) fn new(nodes: usize, is_imprecise: bool) -> Self {
        Self { tightened: vec![0; nodes], is_imprecise, precision: Vec::new() }
    }

    /// Gives less to every joint that is over its limit and to those it hangs on, and more to all if none is near. `precision` is,
    /// for each node, the share of its limit that stored values and times cost by themselves; keys of the `made` clip that are as close
    /// as times can be stored are another such cost. Yields true if the budget changed.
    pub(super) fn adapt(
        &mut self,
        budget: &mut ErrorBudget,
        (scene, made): (&Scene, &Clip),
        found: &Comparison,
        precision: impl FnOnce() -> Vec<f64>,
    ) -> bool {
        let most = placed(found).map(|(_, share)| share).fold(0.0, f64::max);
        if most > 0.0 && most < WASTE {
            return budget.scale(&vec![CAUTION / most; scene.nodes.len()]);
        }
        let over: Vec<(NodeIndex, f64)> = placed(found).filter(|(_, share)| *share > FULL).collect();
        if self.precision.is_empty()
            && over
                .iter()
                .any(|(node, _)| self.is_imprecise || self.tightened.get(node.0).is_some_and(|n| *n > 0))
        {
            self.precision = precision();
        }
        for (node, share, time) in placed_at(found).filter(|(_, share, _)| *share > FULL) {
            if has_no_room(scene, made, node, time) {
                self.precision.resize(scene.nodes.len(), 0.0);
                if let Some(own) = self.precision.get_mut(node.0) {
                    *own = own.max(share);
                }
            }
        }
        let (mut factors, mut is_straightened) = (vec![1.0f64; scene.nodes.len()], false);
        let mut lower = |node: NodeIndex, most: f64| {
            if let Some(own) = factors.get_mut(node.0) {
                *own = own.min(most);
            }
        };
        for (node, share) in over {
            let by_precision = self.precision_of(node);
            if by_precision > FULL {
                continue;
            }
            let Some(times) = self.tightened.get_mut(node.0) else { continue };
            let tightened = *times;
            *times = tightened.saturating_add(1);
            is_straightened |= tightened >= BEFORE_STRAIGHT && budget.straighten(node);
            if share <= 1.0 + LITTLE && tightened == 0 {
                lower(node, A_LITTLE_LESS);
                continue;
            }
            let factor = CAUTION * (1.0 - by_precision) / (share - by_precision).max(1.0 - by_precision);
            let mut above = Some(node);
            while let Some(node) = above {
                lower(node, factor);
                above = scene.node(node).and_then(|node| node.parent);
            }
        }
        budget.scale(&factors) | is_straightened
    }

    /// True if precision alone takes some joint beyond its limit.
    pub(super) fn is_limited(&self) -> bool {
        self.precision.iter().any(|share| *share > FULL)
    }

    fn precision_of(&self, node: NodeIndex) -> f64 {
        self.precision.get(node.0).copied().unwrap_or_default()
    }

    /// Largest share of a limit, at least [`FULL`], leaving out joints that precision alone takes beyond theirs.
    pub(super) fn excess(&self, found: &Comparison) -> f64 {
        let is_limited =
            |track: &TrackDifference| track.node.is_some_and(|node| self.precision_of(node) > FULL);
        let shares = found.tracks.iter().filter(|track| !is_limited(track)).map(TrackDifference::share);
        shares.fold(FULL, f64::max)
    }

    /// For each node, the share of its limit that precision alone costs; empty if that was not needed.
    pub(super) fn into_precision(self) -> Vec<f64> {
        self.precision
    }
}

/// The joints of a comparison, with the shares of their limits that they take in model space.
pub(super) fn placed(found: &Comparison) -> impl Iterator<Item = (NodeIndex, f64)> {
    placed_at(found).map(|(node, share, _)| (node, share))
}

/// The same with the times of those shares.
fn placed_at(found: &Comparison) -> impl Iterator<Item = (NodeIndex, f64, Seconds)> {
    found.tracks.iter().filter_map(|track| {
        let (share, time) = track.placed_share()?;
        Some((track.node?, share, time))
    })
}

/// True if a node, or one that it hangs on, moves at a time between keys as close as single precision can tell.
fn has_no_room(scene: &Scene, made: &Clip, node: NodeIndex, time: Seconds) -> bool {
    let mut chain = vec![node];
    while let Some(parent) = chain.last().and_then(|last| scene.node(*last)?.parent) {
        if chain.contains(&parent) {
            break;
        }
        chain.push(parent);
    }
    let is_above = |track: &&Track| track.target.node.is_some_and(|node| chain.contains(&node));
    let channels = made.tracks.iter().filter(is_above).flat_map(|track| &track.channels);
    channels.flat_map(|channel| channel.composition.curves()).any(|curve| {
        let next = curve.times.count_until(time);
        let (Some(a), Some(b)) =
            (next.checked_sub(1).and_then(|last| curve.times.get(last)), curve.times.get(next))
        else {
            return false;
        };
        a < time && are_neighbours(a.0, b.0) && curve.value(next.saturating_sub(1)) != curve.value(next)
    })
}
