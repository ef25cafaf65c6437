//! A figure at rest: its facing, and the rotation of each of its bones into VRM's T-pose.

use super::soles;
use super::upright::{self, Rest, Resting, axis};
use HumanBone as B;
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_motion::inside::ChainTransform;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// Shorter vectors have no direction.
const SHORTEST: f64 = 1e-6;
/// The trunk, from the hips up. Figures have one to three of its bones.
pub(crate) const TRUNK: [HumanBone; 3] = [B::Spine, B::Chest, B::UpperChest];

/// Legs down to the ankles.
pub(crate) const LEGS: [[HumanBone; 3]; 2] =
    [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];

/// Ankle and ball of each foot.
pub(crate) const FEET: [[HumanBone; 2]; 2] = [[B::LeftFoot, B::LeftToes], [B::RightFoot, B::RightToes]];

/// Players of a motion in the T-pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Any avatar: the figure has the source's lengths.
    Avatars,
    /// A figure with its own lengths.
    Figure,
}

/// A figure at rest.
pub(crate) struct Body {
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

impl Body {
    /// A figure without a ground to stand on. `None` if the humanoid names nodes that are not there, or has
    /// no hips. Eyes are bones only with `eyes`.
    pub(crate) fn hanging(scene: &Scene, humanoid: &Humanoid, eyes: bool) -> Option<Self> {
        let up = upright::up(scene, humanoid, scene.clips.first());
        let Rest { placed: rest, resting } = upright::rest(scene, humanoid, up);
        let shape = Shape { scene, humanoid, rest: &rest, up, resting };
        let facing = shape.facing();
        let mut bones: BTreeMap<HumanBone, Bone> = BTreeMap::new();
        for (bone, node) in humanoid.bones.iter().filter(|(bone, _)| eyes || !bone.is_eye()) {
            let parent = humanoid.parent(*bone);
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
        bones.contains_key(&B::Hips).then_some(Self {
            facing,
            ankle: 0.0,
            stands_on_soles: false,
            rest,
            resting,
            feet,
            bones,
        })
    }

    /// The same figure with other names for some of its bones, and without the rest.
    pub(crate) fn with(mut self, humanoid: &Humanoid) -> Self {
        let named = humanoid.bones.iter().filter_map(|(bone, node)| {
            let same = self.bones.values().find(|same| same.node == node.0)?;
            Some((*bone, Bone { parent: humanoid.parent(*bone), ..same.clone() }))
        });
        self.bones = named.collect();
        self
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

/// Length up to which a child counts as a mere stub, as a share of the length of the bone above.
const STUB: f64 = 0.05;

/// The source's figure at rest.
struct Shape<'a> {
    scene: &'a Scene,
    humanoid: &'a Humanoid,
    rest: &'a [ChainTransform],
    /// The axis that points up.
    up: DVec3,
    resting: Resting,
}

impl Shape<'_> {
    fn at(&self, bone: HumanBone) -> Option<DVec3> {
        self.place(*self.humanoid.bones.get(&bone)?)
    }

    fn place(&self, node: NodeIndex) -> Option<DVec3> {
        self.rest.get(node.0).map(ChainTransform::place)
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
            && self.humanoid.bones.keys().rfind(|trunk_bone| TRUNK.contains(trunk_bone)) == Some(&bone)
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
        let across = facing * (self.at(B::LeftUpperLeg)? - self.at(B::RightUpperLeg)?);
        let left = across.try_normalize()?;
        let up = (facing * self.direction(B::Hips)?).reject_from_normalized(left).try_normalize()?;
        Some(DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up)).transpose()).normalize())
    }

    /// A rotation of the chest, turned further about the vertical so that its shoulders are side by side.
    fn squared(&self, turn: DQuat, facing: DQuat) -> DQuat {
        let across = |[left, right]: [HumanBone; 2]| {
            let across = turn * (facing * (self.at(left)? - self.at(right)?));
            (libm::hypot(across.x, across.z) > SHORTEST).then_some(across)
        };
        let pairs = [[B::LeftShoulder, B::RightShoulder], [B::LeftUpperArm, B::RightUpperArm]];
        let by = pairs.into_iter().find_map(across).map_or(0.0, |across| libm::atan2(across.z, across.x));
        DQuat::from_rotation_y(by) * turn
    }

    /// Rotation of a foot that puts its sole on the ground and its toes to the front, as in the first clip.
    fn flat_foot(&self, foot: HumanBone, along: DVec3, facing: DQuat) -> Option<DQuat> {
        let ball = if foot == B::LeftFoot { B::LeftToes } else { B::RightToes };
        let nodes = [*self.humanoid.bones.get(&foot)?, *self.humanoid.bones.get(&ball)?];
        let thigh = if foot == B::LeftFoot { B::LeftUpperLeg } else { B::RightUpperLeg };
        let leg = self.at(thigh)?.distance(self.at(foot)?);
        let sole_up = soles::way_up(self.scene, nodes, self.up, leg)?;
        let up = facing * (self.rest.get(nodes[0].0)?.rotation * sole_up);
        let front = along.reject_from_normalized(up).try_normalize()?;
        Some(DQuat::from_mat3(&DMat3::from_cols(up.cross(front), up, front).transpose()).normalize())
    }

    /// Rotation of a foot that puts its toes to the front. Of the feet of a figure resting in a pose, the
    /// flatter foot is taken to stand.
    fn straight_foot(&self, foot: HumanBone, facing: DQuat) -> Option<DQuat> {
        let along = |foot, toes| Some(facing * (self.at(toes)? - self.at(foot)?));
        let sides = [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)];
        let down = |along: DVec3| libm::atan2(-along.y, libm::hypot(along.x, along.z));
        let all = sides.into_iter().filter_map(|(foot, toes)| along(foot, toes));
        let flattest = all.map(down).fold(f64::INFINITY, f64::min);
        let along_foot =
            sides.into_iter().find(|side| side.0 == foot).and_then(|(foot, toes)| along(foot, toes))?;
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
        let (index, little) = match bone {
            B::LeftHand => (B::LeftIndexProximal, B::LeftLittleProximal),
            B::RightHand => (B::RightIndexProximal, B::RightLittleProximal),
            _ => return None,
        };
        let across = self.at(index)? - self.at(little)?;
        (across.length() > SHORTEST).then_some(across)
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
        let length =
            self.humanoid.parent(bone).and_then(|above| self.at(above)).map_or(0.0, |at| at.distance(joint));
        let is_bone = |child: &DVec3| child.distance(joint) > STUB * length;
        let target = next.or_else(|| self.only_child(bone).filter(is_bone));
        // Fingers spread from the hand.
        let above = self.humanoid.parent(bone).filter(|above| !matches!(above, B::LeftHand | B::RightHand));
        let on = || Some(joint * 2.0 - self.at(above?)?);
        let far = |target: &DVec3| target.distance(joint) > SHORTEST;
        let target = target.filter(far).or_else(on).filter(far)?;
        Some((target - joint).normalize())
    }

    /// The last node above the joint at the end of a limb.
    fn twist(&self, bone: HumanBone) -> Option<usize> {
        let is_limb =
            ["UpperArm", "LowerArm", "UpperLeg", "LowerLeg"].iter().any(|part| bone.word().ends_with(part));
        let bone_node = *self.humanoid.bones.get(&bone)?;
        let end = *self.humanoid.bones.get(&next(bone).filter(|_| is_limb)?)?;
        let parent = |node: &NodeIndex| self.scene.node(*node)?.parent;
        let last = parent(&end)?;
        std::iter::successors(Some(last), parent).any(|node| node == bone_node).then_some(last.0)
    }

    fn only_child(&self, bone: HumanBone) -> Option<DVec3> {
        let bone_node = self.humanoid.bones.get(&bone)?;
        let nodes = self.scene.nodes.iter().enumerate();
        let mut children =
            nodes.filter(|(_, node)| node.parent == Some(*bone_node)).map(|(n, _)| NodeIndex(n));
        let first = children.next()?;
        children.next().is_none().then(|| self.place(first)).flatten()
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
