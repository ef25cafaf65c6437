//! The way up of a figure, and the pose that counts as its rest.
//!
//! Files do not always keep to the axis that their format calls up, and rest in any pose: captures with Z up are stored as BVH, LAFAN1's
//! figures rest with all limbs along +X. A figure that stands shows the way up itself, from its hips to its head, or, as it moves, from its feet.

use crate::sample::pose::{ChainTransform, Pose, local_pose, rest_pose};
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Cosine of the largest angle by which a trunk leans from the axis that counts as up.
const LEANING: f64 = 0.6;
/// Cosine of the smallest angle between the trunk and the way to the feet of a figure that stands.
const STANDING: f64 = -0.5;
/// Cosine of the largest angle by which a trunk leans at rest, to the front or back.
const LEANING_AT_REST: f64 = 0.96;
/// Sine of the largest angle by which it leans to a side.
const ASIDE: f64 = 0.09;
/// Cosine of the largest angle between what is alike on both sides at rest.
const ALIKE: f64 = 0.99;
/// Cosine of the largest angle between a straight leg and the vertical.
const STRAIGHT: f64 = 0.996;
/// Cosine of the largest angle between the left of a figure and the axis that it counts as.
const ALONG: f64 = 0.9994;
/// Cosine of the angle by which a moment of a motion is turned from the front of its file from which on its figure looks back at rest.
const LOOKING_BACK: f64 = -0.7;
/// Cosine of the largest angle between bones of a trunk and their mean, as seen from the bones above them.
const ONE_WAY: f64 = 0.9;
/// Shorter trunks in units of the basis show nothing.
const SHORTEST: f64 = 1e-9;
/// Times at the start of a clip at which its figure is looked at, in seconds.
const START_S: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The axis of a scene that is up for a figure: as it stands at rest, or else as it stands at the start of a clip. Where both
/// contradict each other, the one that agrees with the format counts.
pub(super) fn up(scene: &Scene, humanoid: &Humanoid, clip: Option<&Clip>) -> DVec3 {
    let figure = Figure { scene, humanoid };
    let own = DVec3::from(scene.basis.up.vector());
    let rest = figure.placed(&rest_pose(scene));
    let at_rest = figure.trunk(&rest).filter(|_| figure.stands(&rest)).map(|trunk| nearest(trunk, own));
    if at_rest == Some(own) {
        return own;
    }
    let moving = clip.and_then(|clip| {
        let times = START_S.iter().filter(|time| **time <= clip.end().0.max(0.0));
        let bodies =
            times.filter_map(|time| figure.body(&figure.placed(&local_pose(scene, clip, Seconds(*time)))));
        let mean = bodies.map(|body| body.normalize_or_zero()).sum::<DVec3>();
        (mean.length() > SHORTEST).then(|| nearest(mean, own))
    });
    moving.filter(|moving| *moving == own || at_rest.is_none()).or(at_rest).unwrap_or(own)
}

/// How far the rest pose of a figure is that of a body which stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resting {
    /// It stands on straight legs, so that its feet are flat and its ankles as high as they are above the ground.
    Straight,
    /// Its trunk is upright, and both sides are alike.
    Upright,
    /// It is a moment of a motion. Its trunk was straightened by the axes of its nodes.
    Posed,
    /// It is a moment of a motion, in a file that states no rotations at rest: bones of its trunk point as they did then.
    Bent,
}

/// A figure at rest, by which it is measured.
pub(super) struct Rest {
    /// Its nodes as seen from the root of its scene, with the left along an axis.
    pub(super) placed: Vec<ChainTransform>,
    pub(super) resting: Resting,
}

/// A figure at rest. One whose sides differ or whose trunk leans rests as it does with its trunk straight and upright, and one that
/// does not stand at all as it starts to move.
pub(super) fn rest(scene: &Scene, humanoid: &Humanoid, up: DVec3) -> Rest {
    let figure = Figure { scene, humanoid };
    let pose = rest_pose(scene);
    let placed = figure.placed(&pose);
    let mut resting = figure.resting(&placed, up);
    let changed = match resting {
        Resting::Posed => {
            let first = scene.clips.first().filter(|_| !figure.stands(&placed));
            if first.is_none() && figure.is_plain() {
                resting = Resting::Bent;
            }
            let pose = first.map_or(pose, |clip| local_pose(scene, clip, Seconds(0.0)));
            figure.straightened(pose).and_then(|pose| figure.turned(&pose, up, true))
        }
        _ if figure.is_turned(&placed, up) => figure.turned(&placed, up, false),
        _ => None,
    };
    let placed = changed.map_or_else(|| placed.clone(), |changed| figure.joined(&placed, changed));
    Rest { placed, resting }
}

/// Bones of both legs, by their ends.
const LEGS: [[(HumanBone, HumanBone); 2]; 2] = [
    [(B::LeftUpperLeg, B::LeftLowerLeg), (B::LeftLowerLeg, B::LeftFoot)],
    [(B::RightUpperLeg, B::RightLowerLeg), (B::RightLowerLeg, B::RightFoot)],
];

struct Figure<'a> {
    scene: &'a Scene,
    humanoid: &'a Humanoid,
}

impl Figure<'_> {
    fn placed(&self, pose: &Pose) -> Vec<ChainTransform> {
        ChainTransform::of_pose(self.scene, pose)
    }

    fn at(&self, pose: &[ChainTransform], bone: HumanBone) -> Option<DVec3> {
        pose.get(self.humanoid.bones.get(&bone)?.0).map(ChainTransform::place)
    }

    fn head(&self) -> Option<NodeIndex> {
        [B::Head, B::Neck].iter().find_map(|bone| self.humanoid.bones.get(bone)).copied()
    }

    /// From the hips to the head.
    fn trunk(&self, pose: &[ChainTransform]) -> Option<DVec3> {
        let trunk = pose.get(self.head()?.0)?.place() - self.at(pose, B::Hips)?;
        (trunk.length() > SHORTEST && trunk.is_finite()).then_some(trunk)
    }

    /// From half-way between the feet to the head, for one that crouches leans far; from the hips where the feet are not known.
    fn body(&self, pose: &[ChainTransform]) -> Option<DVec3> {
        let feet = self.at(pose, B::LeftFoot).zip(self.at(pose, B::RightFoot));
        match feet {
            Some((left, right)) => Some(pose.get(self.head()?.0)?.place() - left.midpoint(right)),
            None => self.trunk(pose),
        }
    }

    /// True of feet that are on the other side of the hips than the head, or are not known.
    fn stands(&self, pose: &[ChainTransform]) -> bool {
        let (Some(trunk), Some(hips)) = (self.trunk(pose), self.at(pose, B::Hips)) else { return false };
        let trunk = trunk.normalize();
        let mut feet = [B::LeftFoot, B::RightFoot].into_iter().filter_map(|foot| self.at(pose, foot));
        feet.all(|foot| (foot - hips).length() < SHORTEST || (foot - hips).normalize().dot(trunk) <= STANDING)
    }

    /// The axes of a pose by its thighs: left, the axis that is up, and front.
    fn axes(&self, pose: &[ChainTransform], up: DVec3) -> Option<DMat3> {
        let across = self.at(pose, B::LeftUpperLeg)? - self.at(pose, B::RightUpperLeg)?;
        let left = across.reject_from_normalized(up).try_normalize()?;
        Some(DMat3::from_cols(left, up, left.cross(up)))
    }

    /// How far a pose is that of a body which stands.
    fn resting(&self, pose: &[ChainTransform], up: DVec3) -> Resting {
        let (Some(axes), Some(trunk), true) = (self.axes(pose, up), self.trunk(pose), self.stands(pose))
        else {
            return Resting::Posed;
        };
        let own = |way: DVec3| axes.transpose() * way.normalize_or_zero();
        let trunk = own(trunk);
        if trunk.x.abs() > ASIDE || trunk.y < LEANING_AT_REST || !self.is_mirrored(pose, &axes) {
            return Resting::Posed;
        }
        let bones = LEGS.into_iter().flatten().filter_map(|(from, to)| self.way(pose, from, to));
        match bones.into_iter().all(|bone| own(bone).y <= -STRAIGHT) {
            true => Resting::Straight,
            false => Resting::Upright,
        }
    }

    fn way(&self, pose: &[ChainTransform], from: HumanBone, to: HumanBone) -> Option<DVec3> {
        Some(self.at(pose, to)? - self.at(pose, from)?)
    }

    /// True if legs of both sides point alike, and shoulders and thighs the same way.
    fn is_mirrored(&self, pose: &[ChainTransform], axes: &DMat3) -> bool {
        let own = |way: DVec3| axes.transpose() * way.normalize_or_zero();
        let [left, right] = LEGS;
        let pairs = left.into_iter().zip(right);
        let mut legs =
            pairs.filter_map(|((a, b), (c, d))| Some((self.way(pose, a, b)?, self.way(pose, c, d)?)));
        let shoulders = self.way(pose, B::RightUpperArm, B::LeftUpperArm).map(own);
        legs.all(|(left, right)| {
            let (left, right) = (own(left), own(right));
            (left * DVec3::new(-1.0, 1.0, 1.0)).dot(right) >= ALIKE
        }) && shoulders.is_none_or(|across| across.x >= ALIKE)
    }

    /// True of a figure whose left is along no axis.
    fn is_turned(&self, pose: &[ChainTransform], up: DVec3) -> bool {
        let left = self.axes(pose, up).map(|axes| axes.x_axis);
        left.is_some_and(|left| axis(left, up).is_none_or(|axis| axis.dot(left) < ALONG))
    }

    /// True if no bone of the trunk is turned at rest.
    fn is_plain(&self) -> bool {
        let hips = self.humanoid.bones.get(&B::Hips);
        let above = |node: &NodeIndex| self.scene.node(*node).and_then(|own| own.parent);
        let trunk = std::iter::successors(self.head(), above).take(self.scene.nodes.len());
        let mut trunk = trunk.take_while(|node| Some(node) != hips).filter_map(|node| self.scene.node(node));
        trunk.all(|node| node.rest.rotation == DQuat::IDENTITY.to_array())
    }

    /// A pose whose trunk is straight: its bones have the axes of those that they hang on, as they do in files that state no rotations.
    fn straightened(&self, mut pose: Pose) -> Option<Vec<ChainTransform>> {
        let hips = *self.humanoid.bones.get(&B::Hips)?;
        let above = |node: &NodeIndex| self.scene.node(*node).and_then(|own| own.parent);
        let trunk = std::iter::successors(self.head(), above).take(self.scene.nodes.len());
        let trunk: Vec<NodeIndex> = trunk.take_while(|node| *node != hips).collect();
        let offsets = trunk
            .iter()
            .filter_map(|node| DVec3::from(self.scene.node(*node)?.rest.translation).try_normalize());
        let offsets: Vec<DVec3> = offsets.collect();
        let mean = offsets.iter().sum::<DVec3>().normalize_or_zero();
        if offsets.iter().any(|offset| offset.dot(mean) < ONE_WAY) {
            return Some(self.placed(&pose));
        }
        let mut bones = trunk.iter().filter(|node| self.humanoid.bones.values().any(|bone| bone == *node));
        for node in bones.clone() {
            pose.0.get_mut(node.0)?.rotation = DQuat::IDENTITY.to_array();
        }
        let placed = self.placed(&pose);
        let Some((twist, first)) = self.twist(&placed).zip(bones.next_back()) else { return Some(placed) };
        let above =
            above(first).and_then(|above| placed.get(above.0)).map_or(DQuat::IDENTITY, |own| own.rotation);
        pose.0.get_mut(first.0)?.rotation = (above.conjugate() * twist * above).normalize().to_array();
        Some(self.placed(&pose))
    }

    /// What turns the shoulders of a straight pose about its trunk so that they are above the thighs: axes of hips and chest may differ.
    fn twist(&self, pose: &[ChainTransform]) -> Option<DQuat> {
        let up = self.trunk(pose)?.normalize();
        let across =
            |[from, to]: [HumanBone; 2]| self.way(pose, from, to)?.reject_from_normalized(up).try_normalize();
        let thighs = across([B::RightUpperLeg, B::LeftUpperLeg])?;
        let shoulders = across([B::RightShoulder, B::LeftShoulder]);
        let shoulders = shoulders.or_else(|| across([B::RightUpperArm, B::LeftUpperArm]))?;
        Some(DQuat::from_axis_angle(up, shoulders.cross(thighs).dot(up).atan2(shoulders.dot(thighs))))
    }

    /// A pose turned about its hips so that its left is along an axis and, if that is wanted, its trunk upright.
    fn turned(&self, pose: &[ChainTransform], up: DVec3, is_upright: bool) -> Option<Vec<ChainTransform>> {
        let trunk = if is_upright { self.trunk(pose)?.normalize() } else { up };
        let axes = self.axes(pose, trunk)?;
        // A moment of a motion tells little of where its figure looks at rest, which is the front of its file unless it looks back.
        let own = DVec3::from(self.scene.basis.left.vector());
        let is_front = is_upright && own.dot(up) == 0.0 && own.dot(axes.x_axis) > LOOKING_BACK;
        let left = if is_front { own } else { axis(axes.x_axis, up)? };
        let to = DMat3::from_cols(left, up, left.cross(up));
        let turn = DQuat::from_mat3(&(to * axes.transpose())).normalize();
        let rest = self.at(&self.placed(&rest_pose(self.scene)), B::Hips)?;
        let matrix = DAffine3::from_translation(rest)
            * DAffine3::from_quat(turn)
            * DAffine3::from_translation(-self.at(pose, B::Hips)?);
        let turned = ChainTransform { matrix, rotation: turn };
        Some(pose.iter().map(|own| turned * *own).collect())
    }

    /// A pose of the bones and what hangs on them, with all other nodes as they rest.
    fn joined(&self, rest: &[ChainTransform], mut pose: Vec<ChainTransform>) -> Vec<ChainTransform> {
        let mut inside = vec![false; pose.len()];
        for (index, (node, rest)) in self.scene.nodes.iter().zip(rest).enumerate() {
            let is_below = node.parent.and_then(|parent| inside.get(parent.0)).copied().unwrap_or(false);
            let is_bone = self.humanoid.bones.values().any(|bone| bone.0 == index);
            match (is_below || is_bone, pose.get_mut(index), inside.get_mut(index)) {
                (true, _, Some(inside)) => *inside = true,
                (false, Some(own), _) => *own = *rest,
                _ => {}
            }
        }
        pose
    }
}

/// The axis that a way is nearest to; that of the format as long as it may be a lean.
fn nearest(way: DVec3, own: DVec3) -> DVec3 {
    let way = way.normalize_or_zero();
    if way.dot(own) >= LEANING {
        return own;
    }
    axis(way, DVec3::ZERO).unwrap_or(own)
}

/// The axis that a vector is nearest to, of those across another.
pub(super) fn axis(vector: DVec3, across: DVec3) -> Option<DVec3> {
    let across = across.abs();
    let rest = vector * (DVec3::ONE - across);
    let most = rest.abs().max_element();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let nearest = axes.into_iter().find(|axis| rest.dot(*axis).abs() == most).filter(|_| most > SHORTEST)?;
    Some(nearest * rest.dot(nearest).signum())
}
