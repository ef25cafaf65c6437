//! Arms turned aside so that hands stay out of a body broader than the body that moved.
//!
//! The body is a capsule from the hips to the neck and a capsule for each thigh. The radius of a capsule is
//! measured on the surface carried by its bones at rest; for the trunk the distance to the side of the middle
//! counts. A figure without a surface gets radii in proportion to the length of its legs.

use crate::body::figure::{ARMS, Figure, LEGS, play};
use crate::body::ground::standing;
use crate::body::shape::Body;
use crate::body::tracks::put;
use HumanBone as B;
use dopesheet_core::model::{
    Channel, Clip, Curve, HumanBone, Humanoid, Law, Laws, NodeIndex, Property, Scene, Times,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::inside::ChainTransform;
use glam::{DQuat, DVec3};

/// Radius of a trunk and of a thigh without a surface, in lengths of the leg.
const RADIUS: f64 = 0.17;
const THIGH: f64 = 0.09;
/// Share of the surface points nearer to the middle line than the radius.
const INSIDE: f64 = 0.9;
/// Time before and behind a turn of an arm over which the turn comes and goes, in seconds.
const EASE_S: f64 = 0.3;
/// Largest angle by which an arm is turned, in radians.
const MOST_RAD: f64 = 0.9;
/// Most times at which depths are measured in a motion that is not to change.
const MOST_TIMES: f64 = 240.0;
/// Angle in radians below which an arm does not turn.
const NOTHING_RAD: f64 = 1e-4;

/// The trunk up to the start of the neck.
const TRUNK: [HumanBone; 6] = [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Neck, B::Head];
/// A hand in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressed {
    /// The bone.
    pub bone: HumanBone,
    /// Depth of its joint in the body in metres; of a joint outside less than 0.
    pub depth_m: f64,
    /// The time of the greatest depth.
    pub time: Seconds,
}

/// A part of a body as a capsule.
struct Capsule {
    ends: [NodeIndex; 2],
    radius: f64,
}

impl Capsule {
    /// Trunk and thighs of a figure in glTF's axes.
    fn all(scene: &Scene, body: &Body<'_>) -> Vec<Self> {
        let across = body.facing.conjugate() * DVec3::X;
        let has_neck = body.figure.node(B::Neck).is_some();
        let trunk: Vec<HumanBone> = TRUNK.into_iter().filter(|bone| *bone != B::Head || !has_neck).collect();
        // Only so far as the shoulders do not widen it.
        let trunk = Self::of(scene, body, &trunk, RADIUS, |point, along| {
            (0.0..0.75).contains(&along).then(|| point.dot(across).abs())
        });
        let thighs = LEGS.iter().filter_map(|[thigh, knee, _]| {
            Self::of(scene, body, &[*thigh, *knee], THIGH, |point, along| {
                (0.0..1.0).contains(&along).then(|| point.length())
            })
        });
        trunk.into_iter().chain(thighs).collect()
    }

    /// Capsule from the first to the last of some bones, as broad as the surface carried by the bones
    /// between. `distance` yields the distance of a point, given relative to the middle line and with its
    /// share of the way along; `None` if the point does not count. `None` without both ends or without legs.
    /// `usual` is the radius without a surface, in lengths of the leg.
    fn of(
        scene: &Scene,
        body: &Body<'_>,
        bones: &[HumanBone],
        usual: f64,
        distance: impl Fn(DVec3, f64) -> Option<f64>,
    ) -> Option<Self> {
        let nodes: Vec<NodeIndex> = bones.iter().filter_map(|bone| body.figure.node(*bone)).collect();
        let (first, [inner @ .., last]) = (*nodes.first()?, nodes.as_slice()) else { return None };
        let [low, high] = [first, *last].map(|node| body.rest.get(node.0).map(ChainTransform::place));
        let (low, along) = (low?, high? - low?);
        let leg = body.leg();
        let away = |point: &DVec3| {
            let share = (*point - low).dot(along) / along.length_squared();
            distance(*point - low - along * share, share)
        };
        let mut all: Vec<f64> = surface(scene, inner).iter().filter_map(away).collect();
        ascend(&mut all);
        let radius = all.get((all.len() as f64 * INSIDE) as usize).copied();
        let radius = radius.filter(|measured| (0.05 * leg..leg).contains(measured)).unwrap_or(usual * leg);
        (leg > 0.0 && first != *last).then_some(Self { ends: [first, *last], radius })
    }

    /// Depth of a point in the capsule in a pose, and the vector to the point from the middle line.
    fn depth(&self, pose: &[ChainTransform], point: DVec3) -> Option<(f64, DVec3)> {
        let [low, high] = self.ends.map(|end| pose.get(end.0).map(ChainTransform::place));
        let (low, high) = (low?, high?);
        let along = high - low;
        let share = ((point - low).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let off = point - (low + along * share);
        Some((self.radius - off.length(), off))
    }

    /// The greatest depth of a point in any of several capsules, and the vector to the point from the middle
    /// line.
    fn deepest(all: &[Self], pose: &[ChainTransform], point: DVec3) -> Option<(f64, DVec3)> {
        let depths = all.iter().filter_map(|capsule| capsule.depth(pose, point));
        depths.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Points of the surface at rest with more than half of their weight on some joints.
fn surface(scene: &Scene, joints: &[NodeIndex]) -> Vec<DVec3> {
    let mut points = Vec::new();
    for node in &scene.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        let (Some(mesh), Some(skin)) = (scene.meshes.get(mesh.0), scene.skins.get(skin.0)) else { continue };
        let is_trunk: Vec<bool> = skin.joints.iter().map(|joint| joints.contains(joint)).collect();
        for part in &mesh.primitives {
            for (position, influences) in part.positions.iter().zip(&part.joints) {
                let carried = influences.joints.iter().zip(&influences.weights);
                let carried = carried
                    .filter(|(joint, _)| is_trunk.get(usize::from(**joint)).is_some_and(|listed| *listed));
                if carried.map(|(_, weight)| *weight).sum::<f32>() > 0.5 {
                    points.push(DVec3::from(position.map(f64::from)));
                }
            }
        }
    }
    points
}

/// Measures the depth by which each hand goes into the body of a figure in a clip. With a `space` in metres,
/// also turns the arms aside so that no hand comes nearer to the body than `space`. `scene` is a figure in
/// glTF's axes with its surface, at rest.
pub fn keep_hands_off(
    scene: &Scene,
    humanoid: &Humanoid,
    clip: &mut Clip,
    space: Option<f64>,
) -> Vec<Pressed> {
    let still = Scene { nodes: scene.nodes.clone(), hierarchy: scene.hierarchy, ..Scene::new(scene.basis) };
    let Some(body) = standing(Figure { scene: &still, humanoid }, false) else { return Vec::new() };
    let capsules = Capsule::all(scene, &body);
    if capsules.is_empty() {
        return Vec::new();
    }
    let rate = clip.grid.unwrap_or(FrameRate::FPS_30);
    let end = clip.end();
    // Arms that are turned get keys on all frames; to tell, fewer times will do.
    let limit = if space.is_some() { f64::from(u32::MAX) } else { MOST_TIMES };
    let frames = rate.frame(end).ceil().clamp(0.0, limit) as u32;
    let step = end.0.max(0.0) / f64::from(frames.max(1));
    let times: Vec<f64> = (0..=frames).map(|frame| step * f64::from(frame)).collect();
    let mut poses: Vec<Vec<ChainTransform>> = Vec::with_capacity(times.len());
    let seconds = times.iter().copied().map(Seconds);
    play(&still, clip, seconds, &mut |placed| poses.push(placed.to_vec()));
    let motion = BodyMotion { capsules, times, poses };
    let mut pressed = Vec::new();
    for [upper, _, hand] in ARMS {
        let (Some(arm), Some(end)) = (humanoid.bones.get(&upper), humanoid.bones.get(&hand)) else {
            continue;
        };
        let deepest = motion.deepest(*end);
        pressed.extend(deepest.map(|(depth_m, time)| Pressed { bone: hand, depth_m, time: Seconds(time) }));
        let parent = scene.node(*arm).and_then(|node| node.parent);
        if let Some(channel) =
            space.and_then(|space| motion.turned_aside([parent, Some(*arm), Some(*end)], space))
        {
            put(clip, scene, *arm, channel);
        }
    }
    pressed
}

/// The body of a figure in a clip, before any arm is turned.
struct BodyMotion {
    capsules: Vec<Capsule>,
    times: Vec<f64>,
    /// The nodes of the figure at each time.
    poses: Vec<Vec<ChainTransform>>,
}

impl BodyMotion {
    /// Greatest depth of a node in the body, and its time.
    fn deepest(&self, node: NodeIndex) -> Option<(f64, f64)> {
        let depths = self.poses.iter().zip(&self.times).filter_map(|(pose, time)| {
            Some((Capsule::deepest(&self.capsules, pose, pose.get(node.0)?.place())?.0, *time))
        });
        depths.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Rotations of an arm that keep its hand off the body by a space in metres; `None` if the hand is off it as it is. The nodes are
    /// the arm's parent, the arm and the hand.
    fn turned_aside(&self, [parent, arm, hand]: [Option<NodeIndex>; 3], space: f64) -> Option<Channel> {
        let at = |pose: &[ChainTransform], node: Option<NodeIndex>| pose.get(node?.0).copied();
        let turn = |pose: &Vec<ChainTransform>| {
            let (shoulder, wrist) = (at(pose, arm)?.place(), at(pose, hand)?.place());
            let (depth, off) = Capsule::deepest(&self.capsules, pose, wrist)?;
            let lacking = depth + space;
            let along = wrist - shoulder;
            // A hand in front of the shoulder goes aside, away from the middle.
            let axis = along.cross(off).try_normalize()?;
            let angle = (lacking.max(0.0) / along.length().max(f64::EPSILON)).min(MOST_RAD);
            Some((axis, angle))
        };
        let turns = self.poses.iter().map(|pose| turn(pose).unwrap_or((DVec3::X, 0.0)));
        let (axes, angles): (Vec<DVec3>, Vec<f64>) = turns.unzip();
        if angles.iter().all(|angle| *angle < NOTHING_RAD) {
            return None;
        }
        let mut values = Vec::new();
        for ((axis, angle), pose) in axes.iter().zip(eased(&self.times, &angles)).zip(&self.poses) {
            let rotation = |node| at(pose, node).map_or(DQuat::IDENTITY, |node| node.rotation);
            let turn = DQuat::from_axis_angle(*axis, angle);
            let local = (rotation(parent).conjugate() * turn * rotation(arm)).normalize();
            values.extend(local.to_array().map(|x| x as f32));
        }
        let times = Times::Seconds(self.times.as_slice().into());
        Some(Channel::whole(Property::Rotation, Curve::new(times, 4, values, Laws::uniform(Law::SLERP))))
    }
}

/// Angles that are nowhere less than half of the angles needed nearby, and come and go slowly: the highest
/// angle within [`EASE_S`] of each time, smoothed.
fn eased(times: &[f64], angles: &[f64]) -> Vec<f64> {
    let near = |time: f64| {
        let first = times.partition_point(|at| *at < time - EASE_S);
        first..times.partition_point(|at| *at <= time + EASE_S)
    };
    let highest: Vec<f64> = times
        .iter()
        .map(|time| angles.get(near(*time)).unwrap_or_default().iter().copied().fold(0.0, f64::max))
        .collect();
    let mean = |time: &f64| {
        let nearby = highest.get(near(*time)).unwrap_or_default();
        nearby.iter().sum::<f64>() / nearby.len().max(1) as f64
    };
    times.iter().map(mean).collect()
}
