//! The way up of a figure, and the pose that counts as its rest.
//!
//! Files do not always keep to the axis that their format calls up, and rest in any pose: captures with Z up are stored as BVH, LAFAN1's
//! figures rest with all limbs along +X. A figure that stands shows the way up itself, from its hips to its head.

use crate::sample::pose::{ChainTransform, Pose, local_pose, rest_pose};
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Cosine of the largest angle by which a trunk leans from the axis that counts as up.
const LEANING: f64 = 0.6;
/// Cosine of the smallest angle between the trunk and the way to the feet of a figure that stands.
const STANDING: f64 = -0.5;
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
        let trunks = START_S.iter().filter(|time| **time <= clip.end().0.max(0.0));
        let trunks =
            trunks.filter_map(|time| figure.trunk(&figure.placed(&local_pose(scene, clip, Seconds(*time)))));
        let mean = trunks.map(|trunk| trunk.normalize_or_zero()).sum::<DVec3>();
        (mean.length() > SHORTEST).then(|| nearest(mean, own))
    });
    moving.filter(|moving| *moving == own || at_rest.is_none()).or(at_rest).unwrap_or(own)
}

/// The nodes of a figure at rest, as seen from the root of its scene. Those of a figure that does not stand at rest are those at the start of
/// its first clip, with the trunk as it rests, upright and straight ahead; true of it beside.
pub(super) fn rest(scene: &Scene, humanoid: &Humanoid, up: DVec3) -> (Vec<ChainTransform>, bool) {
    let figure = Figure { scene, humanoid };
    let rest = figure.placed(&rest_pose(scene));
    let is_upright = figure.stands(&rest)
        && figure.trunk(&rest).is_some_and(|trunk| trunk.normalize_or_zero().dot(up) >= LEANING);
    let clip = scene.clips.first().filter(|_| !is_upright && !humanoid.rests_in_t_pose);
    match clip.and_then(|clip| figure.straightened(local_pose(scene, clip, Seconds(0.0)), up)) {
        Some(posed) => (posed, true),
        None => (rest, false),
    }
}

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

    /// True of feet that are on the other side of the hips than the head, or are not known.
    fn stands(&self, pose: &[ChainTransform]) -> bool {
        let (Some(trunk), Some(hips)) = (self.trunk(pose), self.at(pose, B::Hips)) else { return false };
        let feet = [B::LeftFoot, B::RightFoot].into_iter().filter_map(|foot| self.at(pose, foot));
        let legs = feet.map(|foot| foot - hips).sum::<DVec3>();
        legs.length() < SHORTEST || legs.normalize().dot(trunk.normalize()) <= STANDING
    }

    /// A pose turned so that its trunk, which gets straight, is upright and its left is along an axis, with the hips above the origin.
    fn straightened(&self, mut pose: Pose, up: DVec3) -> Option<Vec<ChainTransform>> {
        let hips = *self.humanoid.bones.get(&B::Hips)?;
        let above = |node: &NodeIndex| self.scene.node(*node).and_then(|own| own.parent);
        let trunk = std::iter::successors(self.head(), above).take(self.scene.nodes.len());
        for node in trunk.take_while(|node| *node != hips) {
            let (own, rest) = (pose.0.get_mut(node.0)?, self.scene.node(node)?.rest);
            own.rotation = rest.rotation;
        }
        let placed = self.placed(&pose);
        let left = self.at(&placed, B::LeftUpperLeg)? - self.at(&placed, B::RightUpperLeg)?;
        let trunk = self.trunk(&placed)?.normalize();
        let left = left.reject_from_normalized(trunk).try_normalize()?;
        let ahead = axis(left, up)?;
        let frame = |left: DVec3, up: DVec3| DMat3::from_cols(left, up, left.cross(up));
        let turn = DQuat::from_mat3(&(frame(ahead, up) * frame(left, trunk).transpose())).normalize();
        let place = self.at(&placed, B::Hips)?;
        let to = DAffine3::from_translation(up * place.dot(up));
        let matrix = to * DAffine3::from_quat(turn) * DAffine3::from_translation(-place);
        let turned = ChainTransform { matrix, rotation: turn };
        Some(placed.into_iter().map(|own| turned * own).collect())
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
