//! Legs, arms and the joints between as a figure.

use super::limbs::{Limb, LimbPair};
use super::ramps::{between, ramp};
use super::tree::Tree;
use crate::who::sides::{side_of, side_word};
use HumanBone as B;
use dopesheet_core::model::{HumanBone, NodeIndex};
use glam::DVec3;
use std::collections::BTreeMap;

/// Bones of legs and arms by side: the three bones that bend, then the bone at the end of a leg or the bone
/// that carries an arm.
const LEGS: [[HumanBone; 4]; 2] = [
    [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes],
    [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes],
];
const ARMS: [[HumanBone; 4]; 2] = [
    [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand, B::LeftShoulder],
    [B::RightUpperArm, B::RightLowerArm, B::RightHand, B::RightShoulder],
];

/// Length of a joint above the neck, in legs, from which on the joint ends the head.
const HEAD: f64 = 0.17;
/// Most joints of the neck and the head.
const MOST_NECK: usize = 6;

/// A node taken for a bone by the shape of its figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    /// The node.
    pub node: NodeIndex,
    /// Certainty from 0 to 1.
    pub certainty: f64,
}

/// A possibly human figure.
pub(crate) struct Candidate<'a> {
    tree: &'a Tree<'a>,
    legs: &'a LimbPair,
    arms: &'a LimbPair,
    /// Limbs of both sides; arms in the order of the legs.
    limbs: [[Limb; 2]; 2],
    arms_cross: bool,
    up: DVec3,
    /// From the second leg to the first.
    across: DVec3,
    leg: f64,
    trunk: Vec<usize>,
    /// From the neck to the head.
    neck: Vec<usize>,
    certainty: f64,
}

impl<'a> Candidate<'a> {
    /// `None` where the limbs cannot belong to the same body.
    pub(crate) fn of(
        tree: &'a Tree<'a>,
        pairs: &[LimbPair],
        legs: &'a LimbPair,
        arms: &'a LimbPair,
    ) -> Option<Self> {
        let limbs = [legs.as_legs?, arms.as_arms?];
        let [[a, b], [c, d]] = [legs.joints(limbs[0]), arms.joints(limbs[1])];
        let position = |node: usize| tree.place(node);
        let length = |[first, second, third]: [usize; 3]| {
            position(first).distance(position(second)) + position(second).distance(position(third))
        };
        let leg = f64::midpoint(length(a), length(b));
        let (hips, shoulders) =
            (position(a[0]).midpoint(position(b[0])), position(c[0]).midpoint(position(d[0])));
        let up = (shoulders - hips).try_normalize()?;
        let across = (position(a[0]) - position(b[0])).try_normalize()?;
        let over = (position(c[0]) - position(d[0])).try_normalize()?;
        let down =
            |[first, _, last]: [usize; 3]| -(position(last) - position(first)).normalize_or_zero().dot(up);
        let arm = f64::midpoint(length(c), length(d));
        let fits = [
            ramp(down(a).min(down(b)), 0.4, 0.75),
            ramp(across.dot(up).abs(), 0.5, 0.25),
            ramp(across.dot(over).abs(), 0.5, 0.8),
            between(shoulders.distance(hips) / leg, [0.2, 0.35, 1.1, 1.6]),
            between(arm / leg, [0.3, 0.45, 1.15, 1.6]),
            between(position(a[0]).distance(position(b[0])) / leg, [0.02, 0.06, 0.6, 0.9]),
            between(position(c[0]).distance(position(d[0])) / leg, [0.08, 0.15, 1.2, 1.8]),
            alike(&[[a, b], [c, d]], position),
        ];
        let certainty: f64 = fits.iter().product();
        if certainty <= 0.0 {
            return None;
        }
        let trunk = trunk(tree, legs, arms)?;
        let arms_cross = across.dot(over) < 0.0;
        let neck = Vec::new();
        let mut figure =
            Self { tree, legs, arms, limbs, arms_cross, up, across, leg, trunk, neck, certainty };
        figure.neck = figure.neck(shoulders);
        let head = figure.neck.last().map_or(0.0, |head| (position(*head) - shoulders).dot(up) / leg);
        figure.certainty *= between(head, [0.0, 0.06, 0.7, 1.1]);
        figure.certainty *= if figure.is_one_of_many(pairs) { 0.5 } else { 1.0 };
        (figure.certainty > 0.0).then_some(figure)
    }

    /// Fit of the figure as a whole.
    pub(crate) fn likely(&self) -> f64 {
        let fits = self.limbs.iter().flatten().map(|limb| limb.fit);
        self.certainty * fits.product::<f64>()
    }

    /// The bones with their certainties.
    pub(crate) fn bones(&self) -> BTreeMap<HumanBone, Likely> {
        let mut bones = BTreeMap::new();
        let mut put = |bone, node: Option<&usize>, certainty: f64| {
            if let Some(node) = node {
                bones.insert(bone, Likely { node: NodeIndex(*node), certainty });
            }
        };
        let certainty = self.certainty;
        put(B::Hips, Some(&self.legs.at), certainty);
        if let [spine, rest @ ..] = self.trunk.as_slice() {
            put(B::Spine, Some(spine), certainty);
            let (chest, upper) = match rest {
                [.., before, last] => (Some(before), Some(last)),
                [last] => (Some(last), None),
                [] => (None, None),
            };
            put(B::Chest, chest, certainty);
            put(B::UpperChest, upper, certainty);
        }
        put(B::Head, self.neck.last(), certainty);
        put(B::Neck, self.neck.first().filter(|_| self.neck.len() > 1), certainty);
        let (is_first_left, sure) = self.sides();
        for (rank, other) in [(0, 1), (1, 0)] {
            let side = usize::from((rank == 0) != is_first_left);
            let other = if self.arms_cross { other } else { rank };
            let [leg, arm] = [(self.legs, 0, rank, LEGS), (self.arms, 1, other, ARMS)].map(
                |(pair, kind, order, bones)| {
                    Some((pair.paths.get(order)?, *self.limbs.get(kind)?.get(order)?, *bones.get(side)?))
                },
            );
            let of = |limb: Limb| certainty * sure * ramp(limb.fit, 0.3, 0.75);
            if let Some((path, limb, [upper, lower, foot, toes])) = leg {
                for (bone, joint) in [upper, lower, foot].into_iter().zip(limb.joints) {
                    put(bone, path.get(joint), of(limb));
                }
                let next = limb.joints[2].checked_add(1).and_then(|next| path.get(next));
                put(toes, next.filter(|next| !self.tree.is_end(**next)), of(limb));
            }
            if let Some((path, limb, [upper, lower, hand, shoulder])) = arm {
                for (bone, joint) in [upper, lower, hand].into_iter().zip(limb.joints) {
                    put(bone, path.get(joint), of(limb));
                }
                let before = limb.joints[0].checked_sub(1).filter(|before| *before > 0);
                put(shoulder, before.and_then(|before| path.get(before)), of(limb));
            }
        }
        bones
    }

    /// Joints from above the arms up to the head: the most upward chain in the middle.
    fn neck(&self, shoulders: DVec3) -> Vec<usize> {
        let taken = self.arms.paths.each_ref().map(|path| path.get(1).copied());
        let is_central = |node: usize, below: usize| {
            let offset = self.tree.place(below) - self.tree.place(node);
            let aside = (self.tree.place(below) - shoulders).dot(self.across).abs();
            aside <= 0.2 * self.leg && offset.dot(self.across).abs() <= 0.5 * offset.length()
        };
        let next = |node: &usize| {
            // Of joints at one place the way on from there counts.
            let rises = |below: &usize| {
                let path = self.tree.path(*node, *below).into_iter();
                let mut offsets = path.map(|joint| self.tree.place(joint) - self.tree.place(*node));
                let offset = offsets.find(|offset| offset.length() > 0.01 * self.leg).unwrap_or_default();
                (offset.normalize_or_zero().dot(self.up), *below)
            };
            let below = self.tree.children(*node).iter().filter(|below| !taken.contains(&Some(**below)));
            let below = below.filter(|below| is_central(*node, **below) && !self.trunk.contains(below));
            let steepest = below.map(rises).max_by(|a, b| a.0.total_cmp(&b.0));
            steepest.filter(|(rise, _)| *rise > 0.4).map(|(_, below)| below)
        };
        let chain = std::iter::successors(next(&self.arms.at), next).take(MOST_NECK);
        let mut neck: Vec<usize> = Vec::new();
        for node in chain {
            let is_above = neck.last().is_some_and(|last| self.is_top(*last, node));
            if is_above {
                break;
            }
            neck.push(node);
            if self.tree.children(node).len() > 2 {
                break;
            }
        }
        neck
    }

    /// True of a joint that only marks the end of the head below.
    fn is_top(&self, head: usize, node: usize) -> bool {
        let length = self.tree.place(head).distance(self.tree.place(node));
        let is_leaf = self.tree.children(node).is_empty();
        self.tree.is_end(node) || is_leaf && length > HEAD * self.leg
    }

    /// True where other limbs than these are as long as the figure's legs.
    fn is_one_of_many(&self, pairs: &[LimbPair]) -> bool {
        let firsts = |pair: &LimbPair| pair.paths.each_ref().map(|path| path.get(1).copied());
        let first_joints = [firsts(self.legs), firsts(self.arms)].concat();
        let long_pairs = pairs.iter().filter(|pair| {
            pair.length >= 0.85 * self.legs.length
                && !firsts(pair).iter().any(|first| first_joints.contains(first))
        });
        let is_apart = |pair: &LimbPair| {
            let mut above = self.tree.above(pair.at);
            !above.any(|node| first_joints.contains(&Some(node)) || self.neck.last() == Some(&node))
        };
        let below = |pair: &LimbPair| {
            // The trunk is a limb of what it hangs on.
            let trunk = self.trunk.first();
            firsts(pair).iter().flatten().any(|first| Some(first) == trunk)
        };
        long_pairs.into_iter().any(|pair| is_apart(pair) && !below(pair))
    }

    /// True if the first leg is the left leg, and the certainty from 0 to 1: by the direction of feet and
    /// knees, and by names.
    fn sides(&self) -> (bool, f64) {
        let level = |vector: DVec3| (vector - self.up * vector.dot(self.up)) / self.leg;
        let (mut feet, mut knees) = (DVec3::ZERO, DVec3::ZERO);
        for (path, limb) in self.legs.paths.iter().zip(self.limbs[0]) {
            let position = |joint: usize| path.get(joint).map(|node| self.tree.place(*node));
            let [Some(hip), Some(knee), Some(ankle)] = limb.joints.map(position) else { continue };
            let last = path.last().map_or(ankle, |node| self.tree.place(*node));
            feet += level(last - ankle);
            let along = (ankle - hip).normalize_or_zero();
            knees += level((knee - hip) - along * (knee - hip).dot(along));
        }
        let is_left_handed = self.tree.scene.basis.is_left_handed();
        let left = |front: DVec3| if is_left_handed { front.cross(self.up) } else { self.up.cross(front) };
        // Feet and knees that point aside tell nothing.
        let vote = |front: DVec3, least: f64| {
            let along = left(front.normalize_or_zero()).dot(self.across);
            (front.length() >= least && along.abs() > 0.6).then_some(along > 0.0)
        };
        match (vote(feet, 0.1), vote(knees, 0.01), self.named_sides()) {
            (Some(feet), _, Some(named)) => (feet, if feet == named { 1.0 } else { 0.6 }),
            (Some(feet), Some(knees), None) => (feet, if feet == knees { 0.97 } else { 0.85 }),
            (Some(feet), None, None) => (feet, 0.95),
            (None, Some(knees), Some(named)) => (named, if knees == named { 0.97 } else { 0.85 }),
            (None, Some(knees), None) => (knees, 0.85),
            (None, None, Some(named)) => (named, 0.9),
            (None, None, None) => (true, 0.5),
        }
    }

    /// True if the first leg is the left leg by the names of its joints, false if it is the right leg by
    /// them; `None` if names are undecided.
    fn named_sides(&self) -> Option<bool> {
        let mut votes = 0_i32;
        for (path, sign) in self.legs.paths.iter().zip([1, -1]) {
            for node in path.iter().skip(1) {
                let name = self.tree.name(*node);
                match side_of(name).or_else(|| side_word(name)) {
                    Some("left") => votes = votes.saturating_add(sign),
                    Some(_) => votes = votes.saturating_sub(sign),
                    None => {}
                }
            }
        }
        (votes != 0).then_some(votes > 0)
    }
}

/// Likeness of both sides of each pair of limbs.
fn alike(pairs: &[[[usize; 3]; 2]; 2], place: impl Fn(usize) -> DVec3) -> f64 {
    let lengths = |[first, second, third]: [usize; 3]| {
        [place(first).distance(place(second)), place(second).distance(place(third))]
    };
    let share = |[a, b]: [[usize; 3]; 2]| {
        let both = lengths(a).into_iter().zip(lengths(b));
        both.map(|(a, b)| a.min(b) / a.max(b)).fold(1.0, f64::min)
    };
    pairs.iter().map(|pair| ramp(share(*pair), 0.6, 0.9)).product()
}

/// Joints of the trunk: from above the joint of the legs up to the joint of the arms; `None` where both are
/// the same joint, or where either hangs on a limb of the other.
fn trunk(tree: &Tree<'_>, legs: &LimbPair, arms: &LimbPair) -> Option<Vec<usize>> {
    let [below, above]: [Vec<usize>; 2] = [legs.at, arms.at].map(|at| tree.above(at).collect());
    let is_on = |chain: &[usize], pair: &LimbPair| {
        pair.paths.iter().filter_map(|path| path.get(1)).any(|first| chain.contains(first))
    };
    if is_on(&above, legs) || is_on(&below, arms) || legs.at == arms.at {
        return None;
    }
    let mut trunk: Vec<usize> = above.iter().copied().take_while(|node| !below.contains(node)).collect();
    let has_root = above.iter().any(|node| below.contains(node));
    trunk.reverse();
    (has_root && !trunk.is_empty()).then_some(trunk)
}
