//! What was tried to bring a model within a tolerance, and what to try next.

use super::allowances::Allowances;
use super::fits::Target;
use super::settle::SettledTrack;
use super::within::Settled;
use crate::compare::{Comparison, TrackDifference};
use dopesheet_core::model::{Clip, Hierarchy, NodeIndex, Scene};
use std::cmp::Ordering;

/// A joint that takes more than this share of its limit gets less: a closer look finds peaks that are a little higher.
const FULL: f64 = 0.98;

/// What is off gets this much less than would have been right, because errors are not quite proportional.
const CAUTION: f64 = 0.9;

/// A joint that is off by no more than this part of the tolerance too much gets less alone, at first: what hangs on it is all that has
/// to be made and measured again.
const LITTLE: f64 = 0.03;

/// How much less, in what it is off too much.
const ENOUGH: f64 = 2.0;

/// And in parts of the tolerance, because with other keys it is farthest elsewhere.
const SPARE: f64 = 0.01;

/// It keeps no less than this part of what it had.
const KEPT: f64 = 0.5;

/// Where no joint takes this share of the tolerance, more can be had of it.
const WASTE: f64 = 0.7;

/// Where a joint is off by this many tolerances and a round leaves more than [`GAIN`] of that, though it and all it hangs on
/// got less, no other round brings it nearer: numbers or times end there.
const HOPELESS: f64 = 10.0;

/// See [`HOPELESS`].
const GAIN: f64 = 0.9;

/// Where this part of what a joint is off comes from what no key can mend, it gets straight segments if it had cubic ones, and else
/// is left.
const STUCK: f64 = 0.8;

/// What was tried.
pub(super) struct Rounds {
    pub(super) best: Option<Settled>,
    /// For each node, how far it was off when it last got less, and what it had been given before.
    tried: Vec<Option<Tried>>,
    /// For each node, the share of the limit that no round got below, where that is more than all of it.
    reachable: Vec<f64>,
    /// For each node, the largest part of the tolerance by which it or what it hangs on is off however many keys there are.
    stuck: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Tried {
    /// Of the limit.
    share: f64,
    /// Of the tolerance.
    given: f64,
}

impl Rounds {
    pub(super) fn new(nodes: usize) -> Self {
        let (tried, reachable) = (vec![None; nodes], vec![1.0; nodes]);
        Self { best: None, tried, reachable, stuck: vec![0.0; nodes] }
    }

    /// Notes what no key can mend of the tracks that were made of a clip's.
    pub(super) fn note_stuck(&mut self, scene: &Scene, clip: &Clip, made: &[SettledTrack]) {
        self.stuck.fill(0.0);
        for (track, made) in clip.tracks.iter().zip(made) {
            if let Some(own) = track.target.node.and_then(|node| self.stuck.get_mut(node.0)) {
                *own = own.max(made.stuck);
            }
        }
        // Parents stand before children.
        for (index, node) in scene.nodes.iter().enumerate().filter(|_| scene.hierarchy == Hierarchy::Known) {
            let above = node.parent.and_then(|parent| self.stuck.get(parent.0)).copied().unwrap_or(0.0);
            if let Some(own) = self.stuck.get_mut(index) {
                *own = own.max(above);
            }
        }
    }

    /// Keeps what is nearer to the tolerance, or within it and smaller.
    pub(super) fn meet(&mut self, settled: Settled, target: &Target<'_>) {
        let off = |settled: &Settled| self.off(settled);
        let is_better = |best: &Settled| match off(&settled).total_cmp(&off(best)) {
            Ordering::Equal => settled.size(target) < best.size(target),
            order => order == Ordering::Less,
        };
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(settled);
        }
    }

    /// The largest share of a limit, at least 1; of a joint that no round brings within the tolerance, of the least that
    /// one reached.
    fn off(&self, settled: &Settled) -> f64 {
        let share = |track: &TrackDifference| {
            let node = track.placed_share().and(track.node);
            track.share() / node.and_then(|node| self.reachable.get(node.0)).unwrap_or(&1.0)
        };
        let tracks = settled.apart.iter().flat_map(|apart| &apart.tracks);
        tracks.map(share).filter(|share| *share > FULL).fold(FULL, f64::max)
    }

    /// Gives less to every joint that is off, and to those it hangs on, and straight segments where that was in vain; gives all more
    /// if none is off by far. `false` if there is nothing to be gained.
    pub(super) fn change(
        &mut self,
        allowances: &mut Allowances,
        scene: &Scene,
        apart: &Comparison,
    ) -> bool {
        let placed = apart.tracks.iter().filter_map(|track| Some((track, track.placed_share()?)));
        let most = placed.clone().map(|(_, share)| share).fold(0.0, f64::max);
        if most > 0.0 && most < WASTE {
            return allowances.scale(&vec![CAUTION / most; scene.nodes.len()]);
        }
        let given = allowances.shares();
        let mut factors = vec![1.0f64; scene.nodes.len()];
        let (mut back, mut straightened) = (Vec::new(), vec![false; scene.nodes.len()]);
        for (track, share) in placed.filter(|(_, share)| *share > FULL) {
            let Some(node) = track.node else { continue };
            let Some(now) = given.get(node.0) else { continue };
            let alone = self.alone(node, share, *now);
            match self.next(node, share, *now, allowances) {
                Next::Left => {}
                Next::Back(part) => back.push((node, part / now)),
                Next::Straight => straightened[node.0] = true,
                Next::Less if alone.is_some() => {
                    if let Some((factor, alone)) = factors.get_mut(node.0).zip(alone) {
                        *factor = factor.min(alone);
                    }
                }
                Next::Less => {
                    let mut next = Some(node);
                    while let Some(at) = next {
                        let Some(factor) = factors.get_mut(at.0) else { break };
                        *factor = factor.min(CAUTION / share);
                        next = scene.nodes.get(at.0).and_then(|n| n.parent);
                    }
                }
            }
        }
        // What was in vain is taken back, unless something else needs it.
        for (node, back) in back {
            if let Some(factor) = factors.get_mut(node.0).filter(|factor| **factor == 1.0) {
                *factor = back;
            }
        }
        let straightens = straightened.contains(&true);
        allowances.scale(&factors) | straightens
    }

    /// By what factor a joint gets less alone that is off by a share of the limit and was given a part of the tolerance; `None` where
    /// that is too much for it, or was tried.
    fn alone(&self, node: NodeIndex, share: f64, given: f64) -> Option<f64> {
        let is_little = |share: f64| share <= 1.0 + LITTLE;
        let was_tried = self.tried.get(node.0).copied().flatten().is_some_and(|tried| is_little(tried.share));
        let factor = 1.0 - (ENOUGH * (share - 1.0) + SPARE) / given;
        (is_little(share) && !was_tried && factor >= KEPT).then_some(factor)
    }

    /// What is tried next of a joint that is off by a share of the limit and was given a part of the tolerance.
    fn next(&mut self, node: NodeIndex, share: f64, given: f64, allowances: &mut Allowances) -> Next {
        let (Some(stuck), Some(reachable), Some(tried)) =
            (self.stuck.get(node.0), self.reachable.get_mut(node.0), self.tried.get_mut(node.0))
        else {
            return Next::Left;
        };
        if *stuck > STUCK * share {
            if allowances.straighten(node) {
                return Next::Straight;
            }
            *reachable = if *reachable > 1.0 { reachable.min(share) } else { share };
            return Next::Left;
        }
        if let Some(before) = tried.filter(|before| share > HOPELESS && share > GAIN * before.share) {
            *reachable = reachable.max(share.min(before.share));
            return Next::Back(before.given);
        }
        *tried = Some(Tried { share, given });
        Next::Less
    }
}

/// What is tried next of a joint that is off.
enum Next {
    /// Nothing.
    Left,
    /// It, and what it hangs on, are given less.
    Less,
    /// It is given that part of the tolerance again.
    Back(f64),
    /// It keeps what it was given, and its new segments become straight.
    Straight,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_by_little_gets_less_alone_and_only_once() {
        let (node, mut rounds) = (NodeIndex(0), Rounds::new(8));
        let less = rounds.alone(node, 1.01, 0.3).unwrap();
        assert!((0.3 * (1.0 - less) - 0.03).abs() < 1e-12, "twice what it is off too much, and a hundredth");
        assert_eq!(rounds.alone(node, 1.05, 0.3), None, "that is not little");
        assert_eq!(rounds.alone(node, 1.01, 0.04), None, "it would have nearly nothing left");
        rounds.tried[0] = Some(Tried { share: 1.4, given: 0.5 });
        assert_eq!(rounds.alone(node, 1.01, 0.3), Some(less), "it was off by much before");
        rounds.tried[0] = Some(Tried { share: 1.02, given: 0.5 });
        assert_eq!(rounds.alone(node, 1.01, 0.3), None, "that was in vain");
    }
}
