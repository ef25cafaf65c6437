//! A figure at rest: its facing, and the rotation of each of its bones into VRM's T-pose.

use super::figure::{ARMS, FEET, Figure, LEGS, Placed, TRUNK, hangs_on, parts};
use super::soles;
use super::upright::{Resting, Stance, axis};
use HumanBone as B;
use dopesheet_core::model::HumanBone;
use dopesheet_motion::inside::ChainTransform;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// Shorter vectors have no direction.
const SHORTEST: f64 = 1e-6;

/// A figure at rest, measured.
pub(crate) struct Body<'a> {
    pub(crate) figure: Figure<'a>,
    /// Rotation of the source into an upright stance that faces +Z.
    pub(crate) facing: DQuat,
    /// Height of the lower ankle above the sole of a flat foot, in the source's unit.
    pub(crate) ankle: f64,
    /// The source's nodes at rest, as seen from its root; a pose with its trunk straight.
    pub(crate) rest: Vec<ChainTransform>,
    pub(crate) resting: Resting,
    /// True if the ground is at the lowest resting feet even near zero, as for the motion of a figure of
    /// other proportions with its own soles.
    pub(crate) stands_on_soles: bool,
    /// The feet of the figure.
    pub(crate) feet: Vec<Foot>,
    /// The moving bones, parents first; eyes are among them only on request.
    pub(crate) bones: BTreeMap<HumanBone, Bone>,
}

/// A foot.
pub(crate) struct Foot {
    /// The node of its ankle.
    pub(crate) ankle: usize,
    /// The node of the ball, and the ball's height above the ankle in the T-pose.
    pub(crate) ball: Option<(usize, f64)>,
}

/// A bone at rest.
#[derive(Clone)]
pub(crate) struct Bone {
    /// The source's node.
    pub(crate) node: usize,
    /// The node whose rotation counts: of an upper or lower limb the last node above the next joint, a twist
    /// bone if there is any.
    pub(crate) turn: usize,
    /// The parent bone.
    pub(crate) parent: Option<HumanBone>,
    /// Position in the source: the rest position of the node, except for hips.
    pub(crate) anchor: DVec3,
    /// Turns the source's rest pose, facing +Z, into the T-pose.
    pub(crate) correction: DQuat,
    /// Position at rest in the T-pose, with soles on the ground and hips above the origin.
    pub(crate) place: DVec3,
}

impl<'a> Body<'a> {
    /// A figure without a ground to stand on. `None` if the humanoid names nodes that are not there, or has
    /// no hips. Eyes are bones only with `eyes`.
    pub(crate) fn hanging(figure: Figure<'a>, eyes: bool) -> Option<Self> {
        let stance = Stance::of(figure);
        let up = stance.up(figure.scene.clips.first());
        let (rest, resting) = stance.rest(up);
        let shape = Shape { figure, rest: &rest, up, resting };
        let facing = shape.facing();
        let mut bones: BTreeMap<HumanBone, Bone> = BTreeMap::new();
        for (bone, node) in figure.humanoid.bones.iter().filter(|(bone, _)| eyes || !bone.is_eye()) {
            let parent = figure.humanoid.parent(*bone);
            let above = parent.and_then(|parent| bones.get(&parent));
            let anchor = shape.anchor(*bone)?;
            let from = above.map_or(DQuat::IDENTITY, |above| above.correction);
            let correction = shape.correction(*bone, facing, from);
            let place = above.map_or(DVec3::ZERO, |above| {
                above.place + above.correction * (facing * (anchor - above.anchor))
            });
            let turn = shape.twist(*bone).unwrap_or(node.0);
            bones.insert(*bone, Bone { node: node.0, turn, parent, anchor, correction, place });
        }
        let feet = FEET.into_iter().filter_map(|[foot, toes]| {
            let ankle = bones.get(&foot)?;
            let ball = bones.get(&toes).map(|ball| (ball.node, ball.place.y - ankle.place.y));
            Some(Foot { ankle: ankle.node, ball })
        });
        let feet = feet.collect();
        let (ankle, stands_on_soles) = (0.0, false);
        let body = Self { figure, facing, ankle, stands_on_soles, rest, resting, feet, bones };
        body.bones.contains_key(&B::Hips).then_some(body)
    }

    /// The same body with other names for some of its bones, and without the rest.
    pub(crate) fn with<'b>(self, figure: Figure<'b>) -> Body<'b> {
        let named = figure.humanoid.bones.iter().filter_map(|(bone, node)| {
            let same = self.bones.values().find(|same| same.node == node.0)?;
            Some((*bone, Bone { parent: figure.humanoid.parent(*bone), ..same.clone() }))
        });
        let bones = named.collect();
        let Self { facing, ankle, rest, resting, stands_on_soles, feet, .. } = self;
        Body { figure, facing, ankle, rest, resting, stands_on_soles, feet, bones }
    }

    /// The way up as seen from the figure's root.
    pub(crate) fn up(&self) -> DVec3 {
        self.facing.conjugate() * DVec3::Y
    }

    /// Height of the hips less the length of a leg: of the ankles above the ground, and of the hips above the thighs. `None` of a
    /// figure without legs.
    pub(crate) fn base(&self) -> Option<f64> {
        let leg = self.leg();
        let hips = self.bones.get(&HumanBone::Hips)?.place.y;
        (leg > 0.0 && leg.is_finite()).then_some(hips - leg)
    }

    /// Length of its legs as a multiple of the length of a source's; 1 where either has none.
    pub(crate) fn ratio(&self, source: &Body<'_>) -> f64 {
        self.base().and(source.base()).map_or(1.0, |_| self.leg() / source.leg())
    }

    /// True of two bodies whose legs have the same proportions.
    pub(crate) fn is_like(&self, other: &Body<'_>) -> bool {
        let measures = |body: &Body<'_>| Some([body.leg(), body.base()?, body.ankle]);
        let pairs =
            measures(self).zip(measures(other)).map(|(measures, others)| measures.into_iter().zip(others));
        pairs.is_some_and(|mut pairs| {
            pairs.all(|(measure, other)| (measure - other).abs() < SAME * self.leg())
        })
    }

    /// Height of the lowest of some bones in the T-pose.
    pub(crate) fn lowest<const N: usize>(&self, bones: [HumanBone; N]) -> Option<f64> {
        let heights = bones.into_iter().filter_map(|bone| self.bones.get(&bone).map(|bone| bone.place.y));
        heights.reduce(f64::min)
    }

    /// Length of a straight leg, the mean of both; 0 without any.
    pub(crate) fn leg(&self) -> f64 {
        let length = |leg: &[HumanBone; 3]| {
            let [hip, knee, ankle] = leg.map(|bone| self.bones.get(&bone).map(|bone| bone.place));
            Some(hip?.distance(knee?) + knee?.distance(ankle?))
        };
        let legs: Vec<f64> = LEGS.iter().filter_map(length).collect();
        legs.iter().sum::<f64>() / legs.len().max(1) as f64
    }

    /// Right factor that turns a node's rotation as seen from the source's root into the rotation of the bone
    /// in the T-pose.
    pub(crate) fn after(&self, node: usize, correction: DQuat) -> DQuat {
        let rest = self.rest.get(node).map_or(DQuat::IDENTITY, |rest| rest.rotation);
        rest.conjugate() * self.facing.conjugate() * correction.conjugate()
    }

    /// Largest distance at rest from a bone to the bones below; 0 of a bone missing in the figure.
    pub(crate) fn reach(&self, bone: HumanBone) -> f64 {
        let Some(top) = self.bones.get(&bone) else { return 0.0 };
        let below = self.bones.iter().filter(|(other, _)| self.is_below(**other, bone));
        below.map(|(_, other)| other.place.distance(top.place)).fold(0.0, f64::max)
    }

    fn is_below(&self, bone: HumanBone, above: HumanBone) -> bool {
        let parent = |bone: &HumanBone| self.bones.get(bone).and_then(|bone| bone.parent);
        std::iter::successors(Some(bone), parent).any(|bone| bone == above)
    }
}

/// Part of the length of a leg by which equal proportions may differ.
const SAME: f64 = 1e-4;

/// Length up to which a child counts as a mere stub, as a share of the length of the bone above.
const STUB: f64 = 0.05;

/// The source's figure at rest.
struct Shape<'a> {
    figure: Figure<'a>,
    rest: &'a Placed,
    /// The axis that points up.
    up: DVec3,
    resting: Resting,
}

impl Shape<'_> {
    fn at(&self, bone: HumanBone) -> Option<DVec3> {
        self.figure.place(self.rest, bone)
    }

    /// From a bone to another bone, facing +Z.
    fn way(&self, bone: [HumanBone; 2], facing: DQuat) -> Option<DVec3> {
        Some(facing * self.figure.way(self.rest, bone)?)
    }

    /// The rotation, by quarters, that brings the left side to +X and the head up.
    fn facing(&self) -> DQuat {
        let up = self.up;
        let left = self.at(B::LeftUpperLeg).zip(self.at(B::RightUpperLeg));
        match left.and_then(|(left, right)| axis(left - right, up)) {
            None => DQuat::from_rotation_arc(up, DVec3::Y),
            Some(DVec3::X) if up == DVec3::Y => DQuat::IDENTITY,
            Some(left) => {
                DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up)).transpose()).normalize()
            }
        }
    }

    /// Position of a bone in the source. Hips at the waist are put between the thighs: players scale the
    /// figure's path by the height of the hips, which is meant to be the length of the legs.
    fn anchor(&self, bone: HumanBone) -> Option<DVec3> {
        let joint = self.at(bone)?;
        if bone != B::Hips {
            return Some(joint);
        }
        let thighs = self.at(B::LeftUpperLeg).zip(self.at(B::RightUpperLeg));
        let thighs = thighs.map(|(left, right)| left.midpoint(right));
        let is_waist = |thighs: &DVec3| {
            self.at(B::Spine).is_some_and(|spine| joint.distance(spine) < joint.distance(*thighs))
        };
        Some(thighs.filter(is_waist).unwrap_or(joint))
    }

    /// The rotation of a bone into the T-pose, if its parent is turned by `from`.
    fn correction(&self, bone: HumanBone, facing: DQuat, from: DQuat) -> DQuat {
        if matches!(bone, B::LeftFoot | B::RightFoot) {
            return self.straight_foot(bone, facing).unwrap_or(from);
        }
        let is_bent = self.resting == Resting::Bent;
        let is_trunk = is_bent && (TRUNK.contains(&bone) || bone == B::Neck);
        let wanted = wanted(bone).or(is_trunk.then_some(DVec3::Y));
        let arc = wanted.zip(self.direction(bone)).map(|(wanted, direction)| {
            DQuat::from_rotation_arc((from * (facing * direction)).normalize(), wanted) * from
        });
        let turned = match bone {
            B::Hips if is_bent => self.upright_hips(facing).unwrap_or(from),
            _ => arc.unwrap_or(from),
        };
        if is_trunk
            && self.figure.humanoid.bones.keys().rfind(|trunk_bone| TRUNK.contains(trunk_bone)) == Some(&bone)
        {
            return self.squared(turned, facing);
        }
        self.across(bone).map_or(turned, |across| {
            // The palm is down when the index finger is in front of the little one.
            let across = turned * (facing * across);
            DQuat::from_rotation_x(libm::atan2(across.y, across.z)) * turned
        })
    }

    /// Hips with their thighs side by side below the spine.
    fn upright_hips(&self, facing: DQuat) -> Option<DQuat> {
        let left = self.way([B::RightUpperLeg, B::LeftUpperLeg], facing)?.try_normalize()?;
        let up = (facing * self.direction(B::Hips)?).reject_from_normalized(left).try_normalize()?;
        Some(DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up)).transpose()).normalize())
    }

    /// A rotation of the chest, turned further about the vertical so that its shoulders are side by side.
    fn squared(&self, turn: DQuat, facing: DQuat) -> DQuat {
        let across = |shoulders: [HumanBone; 2]| {
            let across = turn * self.way(shoulders, facing)?;
            (libm::hypot(across.x, across.z) > SHORTEST).then_some(across)
        };
        let pairs = [[B::RightShoulder, B::LeftShoulder], [B::RightUpperArm, B::LeftUpperArm]];
        let by = pairs.into_iter().find_map(across).map_or(0.0, |across| libm::atan2(across.z, across.x));
        DQuat::from_rotation_y(by) * turn
    }

    /// Rotation of a foot that puts its sole on the ground and its toes to the front, as in the first clip.
    fn flat_foot(&self, foot: HumanBone, along: DVec3, facing: DQuat) -> Option<DQuat> {
        let ankle_and_ball = FEET.into_iter().find(|[ankle, _]| *ankle == foot)?;
        let [Some(ankle), Some(ball)] = ankle_and_ball.map(|bone| self.figure.node(bone)) else {
            return None;
        };
        let [thigh, ..] = LEGS.into_iter().find(|[.., ankle]| *ankle == foot)?;
        let leg = self.at(thigh)?.distance(self.at(foot)?);
        let sole_up = soles::way_up(self.figure.scene, [ankle, ball], self.up, leg)?;
        let up = facing * (self.rest.get(ankle.0)?.rotation * sole_up);
        let front = along.reject_from_normalized(up).try_normalize()?;
        Some(DQuat::from_mat3(&DMat3::from_cols(up.cross(front), up, front).transpose()).normalize())
    }

    /// Rotation of a foot that puts its toes to the front. Of the feet of a figure resting in a pose, the
    /// flatter foot is taken to stand.
    fn straight_foot(&self, foot: HumanBone, facing: DQuat) -> Option<DQuat> {
        let down = |along: DVec3| libm::atan2(-along.y, libm::hypot(along.x, along.z));
        let all = FEET.into_iter().filter_map(|foot| self.way(foot, facing));
        let flattest = all.map(down).fold(f64::INFINITY, f64::min);
        let along_foot = FEET.into_iter().find(|[ankle, _]| *ankle == foot);
        let along_foot = self.way(along_foot?, facing)?;
        let shown =
            (self.resting != Resting::Straight).then(|| self.flat_foot(foot, along_foot, facing)).flatten();
        if shown.is_some() {
            return shown;
        }
        let pitch = if matches!(self.resting, Resting::Posed | Resting::Bent) {
            flattest - down(along_foot)
        } else {
            0.0
        };
        let ahead = || DQuat::from_rotation_y(-libm::atan2(along_foot.x, along_foot.z));
        (libm::hypot(along_foot.x, along_foot.z) > SHORTEST).then(|| DQuat::from_rotation_x(pitch) * ahead())
    }

    /// From the little finger's root to the index finger's, of a hand.
    fn across(&self, bone: HumanBone) -> Option<DVec3> {
        let fingers = match bone {
            B::LeftHand => [B::LeftLittleProximal, B::LeftIndexProximal],
            B::RightHand => [B::RightLittleProximal, B::RightIndexProximal],
            _ => return None,
        };
        self.figure.way(self.rest, fingers).filter(|across| across.length() > SHORTEST)
    }

    /// Direction of a bone: to the next bone, else to its only child, else on from its parent unless the
    /// parent is a hand.
    fn direction(&self, bone: HumanBone) -> Option<DVec3> {
        let joint = self.at(bone)?;
        let spine = [&TRUNK[..], &[B::Neck, B::Head]].concat();
        let above =
            TRUNK.contains(&bone).then(|| spine.iter().skip_while(|trunk_bone| **trunk_bone != bone).skip(1));
        let above = above.into_iter().flatten().find_map(|next| self.at(*next));
        let next = above.or_else(|| self.at(next(bone)?));
        // Ends of chains that some programs write point nowhere.
        let length = self
            .figure
            .humanoid
            .parent(bone)
            .and_then(|above| self.at(above))
            .map_or(0.0, |at| at.distance(joint));
        let is_bone = |child: &DVec3| child.distance(joint) > STUB * length;
        let target = next.or_else(|| self.only_child(bone).filter(is_bone));
        // Fingers spread from the hand.
        let above =
            self.figure.humanoid.parent(bone).filter(|above| !matches!(above, B::LeftHand | B::RightHand));
        let on = || Some(joint * 2.0 - self.at(above?)?);
        let far = |target: &DVec3| target.distance(joint) > SHORTEST;
        let target = target.filter(far).or_else(on).filter(far)?;
        Some((target - joint).normalize())
    }

    /// The last node above the joint at the end of a limb.
    fn twist(&self, bone: HumanBone) -> Option<usize> {
        let mut bones = LEGS.into_iter().chain(ARMS).flat_map(parts);
        let [_, end] = bones.find(|[upper, _]| *upper == bone)?;
        let end = self.figure.node(end)?;
        let last = self.figure.scene.node(end)?.parent?;
        hangs_on(self.figure.scene, last, self.figure.node(bone)?).then_some(last.0)
    }

    fn only_child(&self, bone: HumanBone) -> Option<DVec3> {
        let parent = self.figure.node(bone)?;
        let nodes = self.figure.scene.nodes.iter().zip(self.rest);
        let mut children = nodes.filter(|(node, _)| node.parent == Some(parent));
        let (_, first) = children.next()?;
        children.next().is_none().then(|| first.place())
    }
}

/// Direction of a bone in the T-pose (VRM 1.0 specification, `tpose.md`, 1.4 to 1.8); `None` where the
/// source's rest pose is taken unchanged: shoulders hang as they do.
fn wanted(bone: HumanBone) -> Option<DVec3> {
    if matches!(bone, B::LeftUpperLeg | B::LeftLowerLeg | B::RightUpperLeg | B::RightLowerLeg) {
        return Some(DVec3::NEG_Y);
    }
    let word = bone.word();
    let side = if word.starts_with("left") { 1.0 } else { -1.0 };
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    if has(&["Thumb"]) {
        return Some(DVec3::new(side, 0.0, 1.0).normalize());
    }
    has(&["Arm", "Hand", "Index", "Middle", "Ring", "Little"]).then_some(DVec3::X * side)
}

/// The next bone, to which a bone points.
fn next(bone: HumanBone) -> Option<HumanBone> {
    match bone {
        B::LeftHand => Some(B::LeftMiddleProximal),
        B::RightHand => Some(B::RightMiddleProximal),
        _ => B::ALL.into_iter().find(|next| next.parent() == Some(bone)),
    }
}
