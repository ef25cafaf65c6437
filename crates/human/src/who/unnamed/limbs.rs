//! Limbs: two chains of the same shape below a joint, and the three bending joints of each chain.

use super::ramps::{between, ramp};
use super::tree::Tree;
use dopesheet_core::order::by_number;
use glam::DVec3;

/// Most limbs examined below a joint, the longest first.
const MOST_BELOW: usize = 6;
/// Most pairs examined, the longest first.
const MOST_PAIRS: usize = 64;
/// Least length of a limb as a share of the other one's.
const ALIKE: f64 = 0.8;
/// Fewest joints of a limb, including the joint above.
const FEWEST_JOINTS: usize = 4;

/// Two limbs below the same joint.
pub(crate) struct LimbPair {
    pub(crate) at: usize,
    pub(crate) paths: [Vec<usize>; 2],
    pub(crate) length: f64,
    pub(crate) as_legs: Option<[Limb; 2]>,
    pub(crate) as_arms: Option<[Limb; 2]>,
}

/// The three bending joints of a limb, by their indices in its path, and their fit from 0 to 1.
#[derive(Clone, Copy)]
pub(crate) struct Limb {
    pub(crate) joints: [usize; 3],
    pub(crate) fit: f64,
}

/// Kind of a limb.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimbKind {
    Leg,
    Arm,
}

impl LimbPair {
    /// All pairs of a tree, the longest first.
    pub(crate) fn all(tree: &Tree<'_>) -> Vec<Self> {
        let mut candidates: Vec<(f64, usize, [usize; 2])> = Vec::new();
        for at in tree.branches() {
            let mut below: Vec<(f64, usize)> =
                tree.children(at).iter().map(|first| (tree.length(at, *first), *first)).collect();
            by_number(&mut below, |(length, _)| -length);
            below.truncate(MOST_BELOW);
            for (rank, (length, first)) in below.iter().enumerate() {
                let rest = below.iter().skip(rank.saturating_add(1));
                let alike = rest.filter(|(other, _)| *other >= ALIKE * length && *other > 0.0);
                candidates.extend(alike.map(|(_, second)| (*length, at, [*first, *second])));
            }
        }
        by_number(&mut candidates, |(length, ..)| -length);
        let pairs = candidates.into_iter().map(|(length, at, firsts)| {
            let paths = firsts.map(|first| tree.path(at, first));
            let of = |kind| {
                let [a, b] = paths.each_ref().map(|path| Limb::of(tree, path, kind));
                Some([a?, b?])
            };
            Self { at, length, as_legs: of(LimbKind::Leg), as_arms: of(LimbKind::Arm), paths }
        });
        let is_limb = |pair: &Self| pair.paths.iter().all(|path| path.len() >= FEWEST_JOINTS);
        pairs.filter(is_limb).take(MOST_PAIRS).collect()
    }

    /// Nodes of the three joints of both.
    pub(crate) fn joints(&self, limbs: [Limb; 2]) -> [[usize; 3]; 2] {
        let [a, b] = [0, 1].map(|side| limbs.get(side).zip(self.paths.get(side)));
        [a, b].map(|chosen| {
            chosen
                .map_or([0; 3], |(limb, path)| limb.joints.map(|joint| path.get(joint).copied().unwrap_or(0)))
        })
    }
}

impl Limb {
    /// The three joints of a path with the best fit.
    fn of(tree: &Tree<'_>, path: &[usize], kind: LimbKind) -> Option<Self> {
        let places: Vec<DVec3> = path.iter().map(|node| tree.place(*node)).collect();
        let many = path.iter().skip(1).position(|node| tree.limbs_below(*node) > 2);
        let several = || path.iter().rposition(|node| tree.children(*node).len() > 1).filter(|at| *at > 2);
        let fingers = many.map(|at| at.saturating_add(1)).or_else(several).filter(|_| kind == LimbKind::Arm);
        let ends = path.last().is_some_and(|last| tree.is_end(*last));
        let mut best: Option<Self> = None;
        for first in 1..path.len() {
            for second in first.saturating_add(1)..path.len() {
                for third in second.saturating_add(1)..path.len() {
                    let joints = [first, second, third];
                    let is_end = ends && third.saturating_add(1) == path.len();
                    let fit = fit(&places, joints, fingers, kind) * if is_end { 0.5 } else { 1.0 };
                    if best.is_none_or(|best| fit > best.fit) {
                        best = Some(Self { joints, fit });
                    }
                }
            }
        }
        best
    }
}

/// Fit of three joints as the joints of a limb, from 0 to 1, given the index of the joint where fingers
/// begin.
fn fit(places: &[DVec3], [first, second, third]: [usize; 3], fingers: Option<usize>, kind: LimbKind) -> f64 {
    let at = |joint: usize| places.get(joint).copied().unwrap_or_default();
    let path_length = |from: usize, to: usize| {
        places
            .iter()
            .skip(from)
            .zip(places.iter().skip(from.saturating_add(1)))
            .take(to.saturating_sub(from))
            .map(|(a, b)| a.distance(*b))
            .sum::<f64>()
    };
    let (upper, lower) = (at(first).distance(at(second)), at(second).distance(at(third)));
    let total = upper + lower;
    if upper <= 0.0 || lower <= 0.0 {
        return 0.0;
    }
    let along = (at(third) - at(first)).normalize_or_zero();
    // Joints between those that bend lie on a line.
    let straight = ramp(total / (path_length(first, second) + path_length(second, third)), 0.93, 0.995);
    let last = places.len().saturating_sub(1);
    let (before, behind) = (at(0).distance(at(first)), path_length(third, last));
    // What comes before goes aside, not along.
    let lead = (at(first) - at(0)).dot(along).max(0.0) / total;
    let ratio = libm::log(upper / lower);
    let turn = places.get(third.saturating_add(1)).map(|next| (*next - at(third)).normalize_or_zero());
    let shin = (at(third) - at(second)).normalize_or_zero();
    match kind {
        LimbKind::Leg => {
            let turned = turn.map_or(0.85, |turn| 1.0 - 0.25 * ramp(turn.dot(shin), 0.8, 0.95));
            let long = between(behind / total, [-1.0, -0.5, 0.42, 0.7]);
            between(ratio, [-0.75, -0.3, 0.35, 0.8])
                * (1.0 - 0.2 * ratio.abs())
                * straight
                * turned
                * long
                * (1.0 - (lead - 0.15).max(0.0))
                * (0.7 + 0.3 * ramp(before / total, 0.0, 0.06))
                * between(before / total, [-1.0, -0.5, 0.4, 0.8])
        }
        LimbKind::Arm => {
            let hand = match fingers {
                Some(at) if at == third => 1.0,
                Some(at) if at == third.saturating_add(1) => 0.95,
                Some(_) => 0.6,
                None => 0.97 - 0.5 * (behind / total - 0.2).max(0.0) - if third == last { 0.03 } else { 0.0 },
            };
            between(ratio, [-0.6, -0.25, 0.55, 0.9])
                * (1.0 - 0.2 * (ratio - 0.08).abs())
                * (0.7 + 0.3 * ramp(before / total, 0.0, 0.22))
                * straight
                * hand.max(0.0)
                * between(behind / total, [-1.0, -0.5, 0.55, 1.0])
                * between(before / total, [-1.0, -0.5, 1.0, 1.6])
        }
    }
}
