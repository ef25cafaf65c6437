//! A figure with a motion, as it is judged: places of its joints at each time, seen with Y up and its front at +Z.

use super::surface::lowest_vertex;
use crate::body::figure::{ARMS, FEET, Figure, LEGS, Placed, parts, play, upwards};
use crate::body::ground::standing_on;
use crate::body::in_gltf;
use crate::body::shape::Body;
use HumanBone as B;
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::inside::ChainTransform;
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Bones whose turns about their own axes are judged, with these axes in VRM's T-pose.
pub(super) const TURNING: [(HumanBone, DVec3); 5] = [
    (B::LeftLowerArm, DVec3::X),
    (B::RightLowerArm, DVec3::X),
    (B::LeftHand, DVec3::X),
    (B::RightHand, DVec3::X),
    (B::Head, DVec3::Y),
];

/// Number of stretches of a clip in each of which the surface is looked at once.
const STRETCHES: usize = 10;
/// Depth in metres of a surface below joints from which on it counts: shoes without toes roll through the floor at every step.
const SURFACE_M: f64 = 0.08;

/// A figure with a motion.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// The scene of the figure; a scene with a rig or with skinned meshes has to be in glTF's axes.
    pub scene: &'a Scene,
    /// Its bones.
    pub humanoid: &'a Humanoid,
    /// Position of the clip in the scene.
    pub clip: usize,
    /// Height in metres of the ground under its soles: that by which the figure was raised.
    pub ground_m: f64,
}

/// A point of a figure.
struct Point {
    bone: HumanBone,
    node: usize,
    /// Height at which the point touches the floor: of a joint of a foot, its height in a foot that stands.
    standing: f64,
}

/// A figure in its motion.
pub(super) struct Played {
    /// Places of limbs, trunk and feet, for each bone at all times.
    pub(super) places: BTreeMap<HumanBone, Vec<DVec3>>,
    /// Rotations of [`TURNING`] bones from VRM's T-pose at all times.
    pub(super) turns: BTreeMap<HumanBone, Vec<DQuat>>,
    /// Heights of the joints of standing feet.
    pub(super) standing: BTreeMap<HumanBone, f64>,
    /// At each time, the lowest height of a joint or an end of a bone, of joints of feet less the height at which
    /// they stand; and its bone. At the lowest time of each of [`STRETCHES`] the surface counts, too.
    pub(super) lowest: Vec<(f64, HumanBone)>,
    /// The lowest of these heights among those of feet, at each time.
    pub(super) lowest_feet: Vec<f64>,
    /// Length of a thigh and a shin.
    pub(super) leg: f64,
}

impl Played {
    /// The figure at some times in seconds. `None` if it has no legs, no such clip, or a rig that cannot be solved.
    pub(super) fn of(moving: &Moving<'_>, times: &[f64]) -> Option<Self> {
        let (humanoid, ground_m) = (moving.humanoid, moving.ground_m);
        let stored = moving.scene.clips.get(moving.clip)?;
        let bare = Scene {
            nodes: moving.scene.nodes.clone(),
            hierarchy: moving.scene.hierarchy,
            clips: vec![stored.clone()],
            ..Scene::new(moving.scene.basis)
        };
        let scene = in_gltf(&bare);
        // A clip of goals says nothing of how its figure rests.
        let still = Scene { clips: Vec::new(), ..scene.clone() };
        let (resting, played, clip) = match scene.clips.first().filter(|_| moving.scene.rig.is_empty()) {
            Some(clip) => (&scene, &scene, clip),
            None => (&still, moving.scene, stored),
        };
        let body = standing_on(Figure { scene: resting, humanoid }, true, ground_m)?;
        let (mut seen, up) = (Self::still(&body, ground_m)?, body.up());
        let (points, turning) = (points(&body, &seen.standing, ground_m), turning(&body));
        let columns: Vec<(HumanBone, usize)> =
            seen.places.keys().filter_map(|bone| Some((*bone, humanoid.bones.get(bone)?.0))).collect();
        play(played, clip, times.iter().copied().map(Seconds), &mut |pose| {
            let place = |node: usize| body.facing * pose.get(node).map_or(DVec3::ZERO, ChainTransform::place);
            for (bone, node) in &columns {
                seen.places.entry(*bone).or_default().push(place(*node));
            }
            for (bone, node, after) in &turning {
                let rotation = pose.get(*node).map_or(DQuat::IDENTITY, |turned| turned.rotation);
                seen.turns.entry(*bone).or_default().push(body.facing * rotation * *after);
            }
            let of_feet = points.iter().filter(|point| FEET.as_flattened().contains(&point.bone));
            seen.lowest_feet.extend(lowest(of_feet, up, pose).map(|(height, _)| height));
            seen.lowest.extend(lowest(points.iter(), up, pose));
        })?;
        let vertex = |pose: &Placed| lowest_vertex(moving.scene, up, pose);
        // Soles of a surface may be below the floor at rest.
        let soles = vertex(&body.rest).zip(lowest(points.iter(), up, &body.rest));
        let Some(sole) = soles.map(|(vertex, joint)| vertex.0 - joint.0) else { return Some(seen) };
        let length = times.len().div_ceil(STRETCHES).max(1);
        for (heights, times) in seen.lowest.chunks_mut(length).zip(times.chunks(length)) {
            let lowest = heights.iter_mut().zip(times).min_by(|a, b| a.0.0.total_cmp(&b.0.0));
            let Some((lowest, time)) = lowest else { continue };
            play(played, clip, std::iter::once(Seconds(*time)), &mut |pose| {
                let is_deeper = |(height, _): &(f64, NodeIndex)| height - sole < lowest.0 - SURFACE_M;
                let Some((height, node)) = vertex(pose).filter(is_deeper) else { return };
                let bone_at = |node| humanoid.bones.iter().find(|(_, bone)| **bone == node);
                let bone = upwards(played, node).find_map(bone_at).map_or(B::Hips, |(bone, _)| *bone);
                *lowest = (height - sole, bone);
            })?;
        }
        Some(seen)
    }

    /// The figure before it moves.
    fn still(body: &Body<'_>, ground_m: f64) -> Option<Self> {
        let position = |bone: HumanBone| body.figure.place(&body.rest, bone);
        let length = |[from, to]: [HumanBone; 2]| Some(position(from)?.distance(position(to)?));
        let [thigh, shin] = parts(LEGS[0]);
        let joints = LEGS.into_iter().chain(ARMS).flatten().chain(FEET.into_iter().flatten());
        let joints = joints.chain([B::Neck, B::Head]).filter(|bone| body.bones.contains_key(bone));
        // A figure raised at the user's wish is judged by the ground raised with it.
        let standing = |bone| Some((bone, body.bones.get(&bone)?.place.y + ground_m));
        Some(Self {
            places: joints.map(|bone| (bone, Vec::new())).collect(),
            turns: BTreeMap::new(),
            standing: FEET.into_iter().flatten().filter_map(standing).collect(),
            lowest: Vec::new(),
            lowest_feet: Vec::new(),
            leg: length(thigh)? + length(shin)?,
        })
    }

    /// The place of a bone at a time.
    pub(super) fn at(&self, bone: HumanBone, time: usize) -> Option<DVec3> {
        self.places.get(&bone)?.get(time).copied()
    }

    /// Direction from a bone to another bone at a time.
    pub(super) fn line(&self, [from, to]: [HumanBone; 2], time: usize) -> Option<DVec3> {
        (self.at(to, time)? - self.at(from, time)?).try_normalize()
    }

    /// Direction from the middle of the hips to a bone at a time.
    pub(super) fn trunk(&self, to: HumanBone, time: usize) -> Option<DVec3> {
        let middle = self.at(B::LeftUpperLeg, time)?.midpoint(self.at(B::RightUpperLeg, time)?);
        (self.at(to, time)? - middle).try_normalize()
    }
}

/// The lowest of some points in a pose.
fn lowest<'a>(points: impl Iterator<Item = &'a Point>, up: DVec3, pose: &Placed) -> Option<(f64, HumanBone)> {
    let height = |point: &Point| Some((pose.get(point.node)?.place().dot(up) - point.standing, point.bone));
    points.filter_map(height).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Joints of a figure, and ends of its bones, which are their only children and no bones.
fn points(body: &Body<'_>, standing: &BTreeMap<HumanBone, f64>, ground_m: f64) -> Vec<Point> {
    let Figure { scene, humanoid } = body.figure;
    let mut points = Vec::new();
    for (bone, node) in &humanoid.bones {
        let mut below = (0..).zip(&scene.nodes).filter(|(_, child)| child.parent == Some(*node));
        let only = below.next().filter(|_| below.next().is_none()).map(|(child, _)| child);
        let end = only.filter(|child| !body.figure.has(NodeIndex(*child)));
        let joint = standing.get(bone).copied().unwrap_or(ground_m);
        points.push(Point { bone: *bone, node: node.0, standing: joint });
        points.extend(end.map(|node| Point { bone: *bone, node, standing: ground_m }));
    }
    points
}

/// The nodes whose rotations are those of [`TURNING`] bones, and the right factors that make them rotations from
/// VRM's T-pose.
fn turning(body: &Body<'_>) -> Vec<(HumanBone, usize, DQuat)> {
    let bones = TURNING.into_iter().filter_map(|(bone, _)| Some((bone, body.bones.get(&bone)?)));
    bones.map(|(bone, joint)| (bone, joint.turn, body.after(joint.turn, joint.correction))).collect()
}
