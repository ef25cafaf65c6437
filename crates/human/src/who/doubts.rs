//! Doubts about a figure whose bones were found by their names: contradictions between names and positions of
//! the bones.

use crate::body::figure::{ARMS, FEET, Figure, LEGS, Placed, hangs_on, parts};
use crate::body::upright::Stance;
use HumanBone as B;
use dopesheet_core::model::{Hierarchy, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use glam::DVec3;
use std::collections::HashMap;

/// Largest ratio of the lengths of a left and a right limb.
const MOST_UNEQUAL: f64 = 1.5;

/// Cosine of the smallest angle between the legs and a trunk across them, and cosine of the largest angle
/// between the legs and arms parallel to them.
const ACROSS: f64 = 0.5;
const ALONG: f64 = 0.9;
/// Difference between the depths of hands and feet on the same ground, as a share of the feet's depth.
const NEAR: f64 = 0.2;

/// Fewest names of bones present twice that show two figures.
const MOST_TWICE: usize = 12;

/// Contradictions to the names of a figure's bones, as phrases: a limb in the wrong order or much longer than
/// its counterpart, and, at rest as well as at the start of the first clip (for some files rest in no pose of
/// a body), feet above or a head below the hips, and left for right.
#[must_use]
pub fn doubts(scene: &Scene, humanoid: &Humanoid) -> Vec<String> {
    if scene.hierarchy == Hierarchy::Unknown {
        return Vec::new();
    }
    let format_up = DVec3::from(scene.basis.up.vector());
    let bones = Figure { scene, humanoid };
    // A figure that stands on its head contradicts its names.
    let up = Some(Stance::of(bones).up(scene.clips.first())).filter(|up| *up != -format_up);
    let figure = Named { bones, up: up.unwrap_or(format_up) };
    let rest = bones.at_rest();
    let mut all = figure.order();
    all.extend(figure.twice());
    all.extend(figure.lengths(&rest));
    let stands = |pose: &Placed| {
        let mut stance = figure.stance(pose);
        stance.extend(figure.four_legs(pose));
        stance.extend(figure.nowhere(pose));
        stance
    };
    let mut stance = stands(&rest);
    if let Some(clip) = scene.clips.first().filter(|_| !stance.is_empty()) {
        let start = stands(&bones.moving(clip, Seconds(0.0)));
        stance.retain(|doubt| start.contains(doubt));
    }
    all.extend(stance);
    all
}

/// Hands that do not hang on the forearms that move them, as phrases: when the figure takes a motion, they stay
/// behind.
#[must_use]
pub fn detached(scene: &Scene, humanoid: &Humanoid) -> Vec<String> {
    let bones = Figure { scene, humanoid };
    let figure = Named { bones, up: DVec3::Y };
    let ends = ARMS.into_iter().filter(|[_, lower, end]| {
        let both = bones.node(*lower).zip(bones.node(*end));
        both.is_some_and(|(lower, end)| !hangs_on(scene, end, lower))
    });
    ends.map(|[_, lower, end]| format!("{} does not hang on {}", figure.name(end), figure.name(lower)))
        .collect()
}

/// A figure by the names of its bones.
struct Named<'a> {
    bones: Figure<'a>,
    /// The axis that points up.
    up: DVec3,
}

impl Named<'_> {
    fn name(&self, bone: HumanBone) -> String {
        let node = self.bones.node(bone).and_then(|node| self.bones.scene.node(node));
        format!("{} ({})", bone.word(), node.map_or("", |node| &node.name))
    }

    /// Limbs whose bones hang on each other in another order. Nodes side by side say nothing.
    fn order(&self) -> Vec<String> {
        let wrong = LEGS.into_iter().chain(ARMS).flat_map(parts).filter(|[upper, lower]| {
            let both = self.bones.node(*upper).zip(self.bones.node(*lower));
            both.is_some_and(|(upper, lower)| upper != lower && hangs_on(self.bones.scene, upper, lower))
        });
        wrong.map(|[upper, lower]| format!("{} hangs on {}", self.name(upper), self.name(lower))).collect()
    }

    /// A second figure with the same names.
    fn twice(&self) -> Option<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for node in self.bones.scene.nodes.iter().filter(|node| node.mesh.is_none()) {
            let count = counts.entry(node.name.as_str()).or_default();
            *count = count.saturating_add(1);
        }
        let required = self.bones.humanoid.bones.iter().filter(|(bone, _)| bone.is_required());
        let name = |node: &NodeIndex| self.bones.scene.node(*node).map(|node| node.name.as_str());
        let names = required.filter_map(|(_, node)| name(node));
        let twice = names.filter(|name| counts.get(name).is_some_and(|count| *count > 1)).count();
        (twice >= MOST_TWICE).then(|| format!("{twice} names of bones twice, as of two figures"))
    }

    fn lengths(&self, rest: &Placed) -> Vec<String> {
        let length = |limb| self.bones.length(rest, limb);
        let sides = [LEGS, ARMS]
            .into_iter()
            .filter_map(|[left, right]| Some((left, right, length(left)?, length(right)?)));
        let unequal = sides.filter(|(_, _, left, right)| {
            let (least, greatest) = (left.min(*right), left.max(*right));
            least > 0.0 && greatest > MOST_UNEQUAL * least
        });
        unequal
            .map(|([left, ..], [right, ..], a, b)| {
                format!(
                    "the limb of {} is {:.1} times as long as that of {}",
                    self.name(left),
                    a / b,
                    self.name(right)
                )
            })
            .collect()
    }

    /// Phrase about bones without a position, or all at one.
    fn nowhere(&self, pose: &Placed) -> Option<String> {
        let is_nowhere = |bone: &HumanBone| self.bones.place(pose, *bone).is_some_and(|at| !at.is_finite());
        let lost = self.bones.humanoid.bones.keys().copied().find(is_nowhere);
        let lost = lost.map(|bone| format!("{} rests at no position", self.name(bone)));
        let length = |[upper, lower, _]: [HumanBone; 3]| Some(self.bones.way(pose, [upper, lower])?.length());
        let mut lengths = LEGS.into_iter().chain(ARMS).filter_map(length);
        lost.or_else(|| lengths.all(|length| length == 0.0).then(|| "all limbs without a length".to_owned()))
    }

    /// Bones in positions that no upright body has, as phrases.
    fn stance(&self, pose: &Placed) -> Vec<String> {
        let height = |bone| Some(self.bones.place(pose, bone)?.dot(self.up));
        let Some(hips) = height(B::Hips) else { return Vec::new() };
        let mut all = Vec::new();
        for foot in [B::LeftFoot, B::RightFoot] {
            if height(foot).is_some_and(|foot_height| foot_height > hips) {
                all.push(format!("{} is above the hips", self.name(foot)));
            }
        }
        if height(B::Head).is_some_and(|head_height| head_height < hips) {
            all.push(format!("{} is below the hips", self.name(B::Head)));
        }
        if all.is_empty() && self.is_swapped(pose, self.up) == Some(true) {
            all.push(format!("{} is on the right side", self.name(B::LeftUpperLeg)));
        }
        all
    }

    /// Phrase about a trunk across the legs, and about arms that reach as far down as legs from there; `None` of
    /// other figures.
    fn four_legs(&self, pose: &Placed) -> Option<String> {
        let way = |bone| self.bones.way(pose, bone);
        let [[leg, other_leg], [arm, other_arm]] =
            [LEGS, ARMS].map(|sides| sides.map(|[upper, _, end]| way([upper, end])));
        let (legs, arms) = (leg? + other_leg?, arm? + other_arm?);
        let (trunk, down) = (way([B::Hips, B::Head])?, legs.try_normalize()?);
        let [hands, feet] = [B::LeftHand, B::LeftFoot].map(|end| Some(way([B::Hips, end])?.dot(down)));
        let (hands, feet) = (hands?, feet?);
        let is_across = trunk.normalize_or_zero().dot(down).abs() < ACROSS;
        let are_alike =
            arms.normalize_or_zero().dot(down) > ALONG && (hands - feet).abs() < NEAR * feet.abs();
        let [hand, foot] = [B::LeftHand, B::LeftFoot].map(|end| self.name(end));
        match (is_across, are_alike) {
            (false, _) => None,
            (_, true) => Some(format!("{hand} stands beside {foot}, as of an animal on four legs")),
            (_, false) => Some(format!("the trunk lies across the legs ({foot}), as of a bird")),
        }
    }

    /// True if the left leg is on the right, seen in the direction of the toes; `None` where toes point
    /// nowhere.
    fn is_swapped(&self, pose: &Placed, up: DVec3) -> Option<bool> {
        let mut ahead = DVec3::ZERO;
        for foot in FEET {
            ahead += self.bones.way(pose, foot)?;
        }
        let ahead = ahead - up * ahead.dot(up);
        let across = self.bones.way(pose, [B::RightUpperLeg, B::LeftUpperLeg])?;
        let left = match self.bones.scene.basis.is_left_handed() {
            true => ahead.cross(up),
            false => up.cross(ahead),
        };
        let along = left.normalize_or_zero().dot(across.normalize_or_zero());
        // Of legs that are nearly before each other nobody can tell.
        (along.abs() > 0.5).then_some(along < 0.0)
    }
}
