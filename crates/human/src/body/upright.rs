//! The way up of a figure, and the pose that counts as its rest.
//!
//! Files do not always keep to the axis that their format calls up, and rest in any pose: captures with Z up
//! are stored as BVH, LAFAN1's figures rest with all limbs along +X. A standing figure shows the way up
//! itself, from its hips to its head, or, in motion, from its feet.

use super::figure::{Figure, LEGS, Placed, parts, upwards};
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::{Pose, local_pose, rest_pose};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Cosine of the largest lean of a trunk from the axis that counts as up.
const LEANING: f64 = 0.6;
/// Cosine of the smallest angle between the trunk and the direction to the feet of a standing figure.
const STANDING: f64 = -0.5;
/// Cosine of the largest lean of a trunk at rest, to the front or back.
const LEANING_AT_REST: f64 = 0.96;
/// Sine of the largest lean of a trunk at rest to a side.
const ASIDE: f64 = 0.09;
/// Cosine of the largest angle between the bones of both sides, one of them mirrored, at rest.
const ALIKE: f64 = 0.99;
/// Cosine of the largest angle between a straight leg and the vertical.
const STRAIGHT: f64 = 0.996;
/// Cosine of the largest angle between the left of a figure and the axis taken for left.
const ALONG: f64 = 0.9994;
/// Cosine of the angle between a moment of a motion and the front of its file from which on the figure looks
/// back at rest.
const LOOKING_BACK: f64 = -0.7;
/// Cosine of the largest angle between bones of a trunk and their mean, as seen from the bones above them.
const ONE_WAY: f64 = 0.9;
/// Shorter trunks in units of the basis show nothing.
const SHORTEST: f64 = 1e-9;
/// Times at the start of a clip at which its figure is examined, in seconds.
const START_S: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A figure that lies at rest by the way up of its file, and so in its motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Lying {
    /// Angle in radians between the trunk and the file's way up.
    pub angle_rad: f64,
    /// The node that turns the figure over, and the angle of its rotation in radians; `None` if its bones lie without one.
    pub by: Option<(NodeIndex, f64)>,
}

impl Lying {
    /// `None` of a figure that stands, at rest or at the start of its first clip.
    #[must_use]
    pub fn of(scene: &Scene, humanoid: &Humanoid) -> Option<Self> {
        let stance = Stance::of(Figure { scene, humanoid });
        let format_up = DVec3::from(scene.basis.up.vector());
        if stance.up(scene.clips.first()) == format_up {
            return None;
        }
        let trunk = stance.trunk(&stance.stored)?;
        let stands_without = |node: &NodeIndex| {
            let mut pose = rest_pose(scene);
            let Some(local) = pose.0.get_mut(node.0) else { return false };
            local.rotation = DQuat::IDENTITY.to_array();
            let placed = ChainTransform::of_pose(scene, &pose);
            stance.trunk(&placed).is_some_and(|trunk| nearest(trunk, format_up) == format_up)
        };
        let hips = stance.figure.node(B::Hips);
        let by = hips.and_then(|hips| upwards(scene, hips).filter(stands_without).last());
        let angle = |node: NodeIndex| {
            let rotation = DQuat::from_array(scene.node(node)?.rest.rotation);
            Some((node, 2.0 * libm::acos(rotation.w.abs().min(1.0))))
        };
        Some(Self { angle_rad: trunk.angle_between(format_up), by: by.and_then(angle) })
    }
}

/// True of a figure that looks back at rest: its left is where a figure that looks to the front of the file has its right.
#[must_use]
pub fn looks_back(scene: &Scene, humanoid: &Humanoid) -> bool {
    let stance = Stance::of(Figure { scene, humanoid });
    let up = stance.up(scene.clips.first());
    let left = stance.axes(&stance.rest(up).0, up).and_then(|axes| axis(axes.x_axis, up));
    left == Some(-DVec3::from(scene.basis.left.vector()))
}

/// The kind of a figure's rest pose, compared with a standing body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resting {
    /// The figure stands on straight legs, so that its feet are flat and its ankles at their height above the
    /// ground.
    Straight,
    /// Its trunk is upright, and both sides are alike.
    Upright,
    /// A moment of a motion. The trunk was straightened by the axes of its nodes.
    Posed,
    /// A moment of a motion, in a file without rotations at rest: bones of the trunk point as in that moment.
    Bent,
}

/// A figure and its stance.
pub(crate) struct Stance<'a> {
    figure: Figure<'a>,
    /// The nodes at rest as the file has them.
    stored: Vec<ChainTransform>,
}

impl<'a> Stance<'a> {
    pub(crate) fn of(figure: Figure<'a>) -> Self {
        Self { figure, stored: figure.at_rest() }
    }

    /// The axis of the scene that is up for the figure: by its stance at rest, or else at the start of a clip. Where
    /// both contradict each other, the axis that agrees with the format counts.
    pub(crate) fn up(&self, clip: Option<&Clip>) -> DVec3 {
        let format_up = DVec3::from(self.figure.scene.basis.up.vector());
        let trunk = self.trunk(&self.stored).filter(|_| self.stands(&self.stored));
        let at_rest = trunk.map(|trunk| nearest(trunk, format_up));
        if at_rest == Some(format_up) {
            return format_up;
        }
        let moving = clip.and_then(|clip| {
            let times = START_S.iter().filter(|time| **time <= clip.end().0.max(0.0));
            let bodies = times.filter_map(|time| self.body(&self.figure.moving(clip, Seconds(*time))));
            let mean = bodies.map(|body| body.normalize_or_zero()).sum::<DVec3>();
            (mean.length() > SHORTEST).then(|| nearest(mean, format_up))
        });
        moving.filter(|moving| *moving == format_up || at_rest.is_none()).or(at_rest).unwrap_or(format_up)
    }

    /// The figure at rest. A figure with unlike sides or a leaning trunk rests with its trunk straight and upright,
    /// and a figure that does not stand at all rests as at the start of its motion. The left of the figure is along an axis.
    pub(crate) fn rest(&self, up: DVec3) -> (Vec<ChainTransform>, Resting) {
        let scene = self.figure.scene;
        let mut resting = self.resting(&self.stored, up);
        let changed = match resting {
            Resting::Posed => {
                let first = scene.clips.first().filter(|_| !self.stands(&self.stored));
                if first.is_none() && self.is_plain() {
                    resting = Resting::Bent;
                }
                let pose =
                    first.map_or_else(|| rest_pose(scene), |clip| local_pose(scene, clip, Seconds(0.0)));
                self.straightened(pose).and_then(|pose| self.turned(&pose, up, true))
            }
            _ if self.is_turned(&self.stored, up) => self.turned(&self.stored, up, false),
            _ => None,
        };
        let placed = changed.map_or_else(|| self.stored.clone(), |changed| self.joined(changed));
        (placed, resting)
    }

    fn head(&self) -> Option<NodeIndex> {
        [B::Head, B::Neck].iter().find_map(|bone| self.figure.node(*bone))
    }

    /// Nodes from the head down to below the hips.
    fn trunk_nodes(&self) -> impl Iterator<Item = NodeIndex> {
        let (scene, hips) = (self.figure.scene, self.figure.node(B::Hips));
        let nodes = self.head().into_iter().flat_map(|head| upwards(scene, head));
        nodes.take_while(move |node| Some(*node) != hips)
    }

    /// From the hips to the head.
    fn trunk(&self, pose: &Placed) -> Option<DVec3> {
        let trunk = pose.get(self.head()?.0)?.place() - self.figure.place(pose, B::Hips)?;
        (trunk.length() > SHORTEST && trunk.is_finite()).then_some(trunk)
    }

    /// From half-way between the feet to the head, for a crouching figure leans far; from the hips without
    /// both feet.
    fn body(&self, pose: &Placed) -> Option<DVec3> {
        let feet = self.figure.place(pose, B::LeftFoot).zip(self.figure.place(pose, B::RightFoot));
        match feet {
            Some((left, right)) => Some(pose.get(self.head()?.0)?.place() - left.midpoint(right)),
            None => self.trunk(pose),
        }
    }

    /// True if the feet are on the other side of the hips than the head, or missing.
    fn stands(&self, pose: &Placed) -> bool {
        let (Some(trunk), Some(hips)) = (self.trunk(pose), self.figure.place(pose, B::Hips)) else {
            return false;
        };
        let trunk = trunk.normalize();
        let mut feet =
            [B::LeftFoot, B::RightFoot].into_iter().filter_map(|foot| self.figure.place(pose, foot));
        feet.all(|foot| (foot - hips).length() < SHORTEST || (foot - hips).normalize().dot(trunk) <= STANDING)
    }

    /// The axes of a pose by its thighs: left, the axis that is up, and front.
    fn axes(&self, pose: &Placed, up: DVec3) -> Option<DMat3> {
        let across = self.figure.way(pose, [B::RightUpperLeg, B::LeftUpperLeg])?;
        let left = across.reject_from_normalized(up).try_normalize()?;
        Some(DMat3::from_cols(left, up, left.cross(up)))
    }

    /// The kind of a pose, compared with a standing body.
    fn resting(&self, pose: &Placed, up: DVec3) -> Resting {
        let (Some(axes), Some(trunk), true) = (self.axes(pose, up), self.trunk(pose), self.stands(pose))
        else {
            return Resting::Posed;
        };
        let local = |vector: DVec3| axes.transpose() * vector.normalize_or_zero();
        let trunk = local(trunk);
        if trunk.x.abs() > ASIDE || trunk.y < LEANING_AT_REST || !self.is_mirrored(pose, &axes) {
            return Resting::Posed;
        }
        let mut bones = LEGS.into_iter().flat_map(parts).filter_map(|bone| self.figure.way(pose, bone));
        match bones.all(|bone| local(bone).y <= -STRAIGHT) {
            true => Resting::Straight,
            false => Resting::Upright,
        }
    }

    /// True if legs of both sides point alike, and shoulders and thighs the same way.
    fn is_mirrored(&self, pose: &Placed, axes: &DMat3) -> bool {
        let local = |vector: DVec3| axes.transpose() * vector.normalize_or_zero();
        let way = |bone| self.figure.way(pose, bone);
        let [left, right] = LEGS.map(parts);
        let mut legs =
            left.into_iter().zip(right).filter_map(|(left, right)| Some((way(left)?, way(right)?)));
        let shoulders = way([B::RightUpperArm, B::LeftUpperArm]).map(local);
        legs.all(|(left, right)| {
            let (left, right) = (local(left), local(right));
            (left * DVec3::new(-1.0, 1.0, 1.0)).dot(right) >= ALIKE
        }) && shoulders.is_none_or(|across| across.x >= ALIKE)
    }

    /// True of a figure whose left is along no axis.
    fn is_turned(&self, pose: &Placed, up: DVec3) -> bool {
        let left = self.axes(pose, up).map(|axes| axes.x_axis);
        left.is_some_and(|left| axis(left, up).is_none_or(|axis| axis.dot(left) < ALONG))
    }

    /// True if no bone of the trunk is turned at rest.
    fn is_plain(&self) -> bool {
        let mut trunk = self.trunk_nodes().filter_map(|node| self.figure.scene.node(node));
        trunk.all(|node| node.rest.rotation == DQuat::IDENTITY.to_array())
    }

    /// A pose with a straight trunk: its bones have the axes of their parents, as in files that state no
    /// rotations.
    fn straightened(&self, mut pose: Pose) -> Option<Vec<ChainTransform>> {
        let scene = self.figure.scene;
        self.figure.node(B::Hips)?;
        let trunk: Vec<NodeIndex> = self.trunk_nodes().collect();
        let offsets =
            trunk.iter().filter_map(|node| DVec3::from(scene.node(*node)?.rest.translation).try_normalize());
        let offsets: Vec<DVec3> = offsets.collect();
        let mean = offsets.iter().sum::<DVec3>().normalize_or_zero();
        if offsets.iter().any(|offset| offset.dot(mean) < ONE_WAY) {
            return Some(ChainTransform::of_pose(scene, &pose));
        }
        let mut bones = trunk.iter().filter(|node| self.figure.has(**node));
        for node in bones.clone() {
            pose.0.get_mut(node.0)?.rotation = DQuat::IDENTITY.to_array();
        }
        let placed = ChainTransform::of_pose(scene, &pose);
        let Some((twist, first)) = self.twist(&placed).zip(bones.next_back()) else { return Some(placed) };
        let above = scene.node(*first).and_then(|node| placed.get(node.parent?.0));
        let above = above.map_or(DQuat::IDENTITY, |node| node.rotation);
        pose.0.get_mut(first.0)?.rotation = (above.conjugate() * twist * above).normalize().to_array();
        Some(ChainTransform::of_pose(scene, &pose))
    }

    /// Rotation about the trunk of a straight pose that brings its shoulders above the thighs: axes of hips
    /// and chest may differ.
    fn twist(&self, pose: &Placed) -> Option<DQuat> {
        let up = self.trunk(pose)?.normalize();
        let across =
            |bone: [HumanBone; 2]| self.figure.way(pose, bone)?.reject_from_normalized(up).try_normalize();
        let thighs = across([B::RightUpperLeg, B::LeftUpperLeg])?;
        let shoulders = across([B::RightShoulder, B::LeftShoulder]);
        let shoulders = shoulders.or_else(|| across([B::RightUpperArm, B::LeftUpperArm]))?;
        Some(DQuat::from_axis_angle(up, libm::atan2(shoulders.cross(thighs).dot(up), shoulders.dot(thighs))))
    }

    /// A pose turned about its hips so that its left is along an axis and, with `is_upright`, its trunk
    /// upright.
    fn turned(&self, pose: &Placed, up: DVec3, is_upright: bool) -> Option<Vec<ChainTransform>> {
        let trunk = if is_upright { self.trunk(pose)?.normalize() } else { up };
        let axes = self.axes(pose, trunk)?;
        // A moment of a motion tells little of where its figure looks at rest, which is the front of its file unless it looks back.
        let file_left = DVec3::from(self.figure.scene.basis.left.vector());
        let is_front = is_upright && file_left.dot(up) == 0.0 && file_left.dot(axes.x_axis) > LOOKING_BACK;
        let left = if is_front { file_left } else { axis(axes.x_axis, up)? };
        let to = DMat3::from_cols(left, up, left.cross(up));
        let turn = DQuat::from_mat3(&(to * axes.transpose())).normalize();
        let rest = self.figure.place(&self.stored, B::Hips)?;
        let matrix = DAffine3::from_translation(rest)
            * DAffine3::from_quat(turn)
            * DAffine3::from_translation(-self.figure.place(pose, B::Hips)?);
        let turned = ChainTransform { matrix, rotation: turn };
        Some(pose.iter().map(|node| turned * *node).collect())
    }

    /// A pose of the bones and all nodes below them, with all other nodes at rest.
    fn joined(&self, mut pose: Vec<ChainTransform>) -> Vec<ChainTransform> {
        let mut inside = vec![false; pose.len()];
        for (index, (node, rest)) in self.figure.scene.nodes.iter().zip(&self.stored).enumerate() {
            let is_below = node.parent.and_then(|parent| inside.get(parent.0)).copied().unwrap_or(false);
            let is_bone = self.figure.has(NodeIndex(index));
            match (is_below || is_bone, pose.get_mut(index), inside.get_mut(index)) {
                (true, _, Some(inside)) => *inside = true,
                (false, Some(slot), _) => *slot = *rest,
                _ => {}
            }
        }
        pose
    }
}

/// The axis nearest to a direction; the format's own axis as long as the direction may be a lean.
fn nearest(direction: DVec3, format_up: DVec3) -> DVec3 {
    let direction = direction.normalize_or_zero();
    if direction.dot(format_up) >= LEANING {
        return format_up;
    }
    axis(direction, DVec3::ZERO).unwrap_or(format_up)
}

/// The axis nearest to a vector, among the axes across another vector.
pub(crate) fn axis(vector: DVec3, across: DVec3) -> Option<DVec3> {
    let across = across.abs();
    let rest = vector * (DVec3::ONE - across);
    let largest = rest.abs().max_element();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let nearest =
        axes.into_iter().find(|axis| rest.dot(*axis).abs() == largest).filter(|_| largest > SHORTEST)?;
    Some(nearest * rest.dot(nearest).signum())
}
