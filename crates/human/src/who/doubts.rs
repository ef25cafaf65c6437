//! Doubts about a figure whose bones were found by their names: contradictions between names and positions of
//! the bones.

use crate::body::upright;
use HumanBone as B;
use dopesheet_core::model::{Hierarchy, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{ModelPose, local_pose, model_pose, rest_pose};
use glam::DVec3;
use std::collections::HashMap;

/// Bones of limbs from the trunk outwards; in every figure each hangs below the bone before.
const LIMBS: [[HumanBone; 3]; 4] = [
    [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
    [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
    [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
    [B::RightUpperArm, B::RightLowerArm, B::RightHand],
];

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
    // A figure that stands on its head contradicts its names.
    let up = Some(upright::up(scene, humanoid, scene.clips.first()))
        .filter(|up| *up != -format_up)
        .unwrap_or(format_up);
    let figure = Figure { scene, humanoid, up };
    let rest = model_pose(scene, &rest_pose(scene));
    let mut all = figure.order();
    all.extend(figure.twice());
    all.extend(figure.lengths(&rest));
    let stands = |pose: &ModelPose| {
        let mut stance = figure.stance(pose);
        stance.extend(figure.four_legs(pose));
        stance
    };
    let mut stance = stands(&rest);
    if let Some(clip) = scene.clips.first().filter(|_| !stance.is_empty()) {
        let start = stands(&model_pose(scene, &local_pose(scene, clip, Seconds(0.0))));
        stance.retain(|doubt| start.contains(doubt));
    }
    all.extend(stance);
    all
}

/// Feet and hands that do not hang on the bones that move them, as phrases: when the figure takes a motion,
/// they stay behind.
#[must_use]
pub fn detached(scene: &Scene, humanoid: &Humanoid) -> Vec<String> {
    let figure = Figure { scene, humanoid, up: DVec3::Y };
    let node = |bone| humanoid.bones.get(&bone).copied();
    let ends = LIMBS.into_iter().filter(|[_, lower, end]| {
        node(*lower).zip(node(*end)).is_some_and(|(lower, end)| !figure.hangs_on(end, lower))
    });
    ends.map(|[_, lower, end]| format!("{} does not hang on {}", figure.name(end), figure.name(lower)))
        .collect()
}

struct Figure<'a> {
    scene: &'a Scene,
    humanoid: &'a Humanoid,
    /// The axis that points up.
    up: DVec3,
}

impl Figure<'_> {
    fn name(&self, bone: HumanBone) -> String {
        let node = self.humanoid.bones.get(&bone).and_then(|node| self.scene.node(*node));
        format!("{} ({})", bone.word(), node.map_or("", |node| &node.name))
    }

    fn place(&self, pose: &ModelPose, bone: HumanBone) -> Option<DVec3> {
        Some(pose.0.get(self.humanoid.bones.get(&bone)?.0)?.translation)
    }

    fn hangs_on(&self, node: NodeIndex, other: NodeIndex) -> bool {
        let parent = |node: &NodeIndex| self.scene.node(*node)?.parent;
        std::iter::successors(Some(node), parent).take(self.scene.nodes.len()).any(|above| above == other)
    }

    /// Limbs whose bones hang on each other in another order. Nodes side by side say nothing.
    fn order(&self) -> Vec<String> {
        let pairs = LIMBS.into_iter().flat_map(|[upper, lower, end]| [(upper, lower), (lower, end)]);
        let node = |bone| self.humanoid.bones.get(&bone).copied();
        let wrong = pairs.filter(|(upper, lower)| {
            let both = node(*upper).zip(node(*lower));
            both.is_some_and(|(upper, lower)| upper != lower && self.hangs_on(upper, lower))
        });
        wrong.map(|(upper, lower)| format!("{} hangs on {}", self.name(upper), self.name(lower))).collect()
    }

    /// A second figure with the same names.
    fn twice(&self) -> Option<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for node in self.scene.nodes.iter().filter(|node| node.mesh.is_none()) {
            let count = counts.entry(node.name.as_str()).or_default();
            *count = count.saturating_add(1);
        }
        let required = self.humanoid.bones.iter().filter(|(bone, _)| bone.is_required());
        let name = |node: &NodeIndex| self.scene.node(*node).map(|node| node.name.as_str());
        let names = required.filter_map(|(_, node)| name(node));
        let twice = names.filter(|name| counts.get(name).is_some_and(|count| *count > 1)).count();
        (twice >= MOST_TWICE).then(|| format!("{twice} names of bones twice, as of two figures"))
    }

    fn lengths(&self, rest: &ModelPose) -> Vec<String> {
        let length = |[upper, lower, end]: [HumanBone; 3]| {
            let [a, b, c] = [upper, lower, end].map(|bone| self.place(rest, bone));
            Some(a?.distance(b?) + b?.distance(c?))
        };
        let sides = LIMBS.chunks_exact(2).filter_map(|pair| match pair {
            [left, right] => Some((*left, *right, length(*left)?, length(*right)?)),
            _ => None,
        });
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

    /// Bones in positions that no upright body has, as phrases.
    fn stance(&self, pose: &ModelPose) -> Vec<String> {
        let height = |bone| Some(self.place(pose, bone)?.dot(self.up));
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

    /// Phrase about arms that reach as far down as legs from a trunk across both; `None` of other figures.
    fn four_legs(&self, pose: &ModelPose) -> Option<String> {
        let vector = |from, to| Some(self.place(pose, to)? - self.place(pose, from)?);
        let [leg, other_leg, arm, other_arm] = LIMBS.map(|[upper, _, end]| vector(upper, end));
        let (legs, arms) = (leg? + other_leg?, arm? + other_arm?);
        let (trunk, down) = (vector(B::Hips, B::Head)?, legs.try_normalize()?);
        let (hands, feet) =
            (vector(B::Hips, B::LeftHand)?.dot(down), vector(B::Hips, B::LeftFoot)?.dot(down));
        let is_across = trunk.normalize_or_zero().dot(down).abs() < ACROSS;
        let are_alike =
            arms.normalize_or_zero().dot(down) > ALONG && (hands - feet).abs() < NEAR * feet.abs();
        (is_across && are_alike).then(|| {
            format!(
                "{} stands beside {}, as of an animal on four legs",
                self.name(B::LeftHand),
                self.name(B::LeftFoot)
            )
        })
    }

    /// True if the left leg is on the right, seen in the direction of the toes; `None` where toes point
    /// nowhere.
    fn is_swapped(&self, pose: &ModelPose, up: DVec3) -> Option<bool> {
        let toes = [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)];
        let mut ahead = DVec3::ZERO;
        for (foot, toes) in toes {
            ahead += self.place(pose, toes)? - self.place(pose, foot)?;
        }
        let ahead = ahead - up * ahead.dot(up);
        let across = self.place(pose, B::LeftUpperLeg)? - self.place(pose, B::RightUpperLeg)?;
        let left = match self.scene.basis.is_left_handed() {
            true => ahead.cross(up),
            false => up.cross(ahead),
        };
        let along = left.normalize_or_zero().dot(across.normalize_or_zero());
        // Of legs that are nearly before each other nobody can tell.
        (along.abs() > 0.5).then_some(along < 0.0)
    }
}
