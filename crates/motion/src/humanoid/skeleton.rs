//! Any human figure's motion on the skeleton of another.
//!
//! The motion is [retargeted](fn@crate::humanoid::retarget) first, so that it is that of a figure in VRM's T-pose, in which
//! a bone has the rotation G as seen from the root and Gₚ⁻¹·G relative to the mapped bone *p* that it hangs on. With C what
//! turns the target's bone into the T-pose, F what faces the target to +Z, R the rest rotation of the bone's node and Rₐ that
//! of the node right above it, the node's own rotation is
//!
//! Rₐ⁻¹·F⁻¹·Cₚ⁻¹ · (Gₚ⁻¹·G) · C·F·R,
//!
//! the reverse of what retargeting does: two rotations that never change around one that does. Every law between keys
//! commutes with that, so keys stay as they are. Bones point where the source's point, whatever their lengths are. The hips
//! go the source's way times how much higher they rest.

use super::names::Vocabulary;
use super::onto::faces;
use super::propose::Proposal;
use super::retarget::body::{Body, Bone, TRUNK};
use super::retarget::curves::{Sampled, constant, moved, permuted, turned};
use super::retarget::moves::Lone;
use super::retarget::{Retarget, RetargetError, Retargeted, retarget};
use crate::sample::pose::ChainTransform;
use crate::sample::{Side, channel_at};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, HumanBone, Humanoid, Node, NodeIndex, Property, Rig, Scene,
    Target, TargetKind, Track, rebase,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::collections::{BTreeMap, HashMap};

/// Parts of quaternions, and lengths in metres, that differ by less are the same.
const SAME: f64 = 1e-6;

/// Legs down to the ankles.
const LEGS: [HumanBone; 6] = [
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
];

/// A figure whose skeleton takes the motion, and its bones.
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    /// The figure at rest; its clips count for nothing.
    pub scene: &'a Scene,
    /// Which node is which bone.
    pub found: &'a Proposal,
}

/// A figure with the motions of another on its nodes, in glTF's axes and metres; see the [module](self).
///
/// The hierarchies of both must be known and rigs solved. Bones that only one of the two has are left alone; what they do in the
/// source goes to the bones below them, and of a trunk with more parts the last one counts.
///
/// # Errors
/// If either figure lacks bones that every humanoid has.
pub fn retarget_onto(
    scene: &Scene,
    humanoid: &Humanoid,
    skeleton: Skeleton<'_>,
    options: &Retarget<'_>,
    report: &mut Report,
) -> Result<Retargeted, RetargetError> {
    // Keys say all that happens, so nothing is left to a rig.
    let mut target = Scene { clips: Vec::new(), rig: Rig::default(), ..skeleton.scene.clone() };
    rebase(&mut target, &Basis::GLTF, None);
    let own = &carrying_surface(&target, skeleton.found);
    let missing = own.missing();
    let Some(body) = Body::of(&target, own, true).filter(|_| missing.is_empty()) else {
        return Err(RetargetError { missing });
    };
    let shared = shared(humanoid, own);
    let eyes = shared.bones.keys().any(|bone| bone.is_eye());
    let Retargeted { scene: figure, left_out } =
        retarget(scene, &shared, &Retarget { eyes, ..*options }, report)?;
    let seats = Seats::of(&figure, &body, &target, options.tolerance);
    report.kept(format!("the way of the hips, times {:.3}: that much higher they rest", seats.ratio));
    let put = |motion: &Clip| {
        let mut clip = seats.clip(motion);
        let (faces, missing) = faces::tracks(motion, skeleton.scene);
        if !missing.is_empty() {
            report.dropped(format!("weights of {}", faces::names(&missing)), "the target has no such morph");
        }
        clip.tracks.extend(faces);
        clip.made_for.clone_from(&target.name);
        clip
    };
    let clips = figure.clips.iter().map(put).collect();
    Ok(Retargeted { scene: Scene { clips, ..target }, left_out })
}

/// The bones of a target that its surface hangs on; legs of MikuMikuDance's models have a second set of them.
fn carrying_surface(target: &Scene, found: &Proposal) -> Humanoid {
    let mut own = found.humanoid.clone();
    if found.vocabulary != Some(Vocabulary::Mmd) {
        return own;
    }
    let by_name: HashMap<&str, usize> =
        target.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    for (_, node) in own.bones.iter_mut().filter(|(bone, _)| LEGS.contains(bone)) {
        let name = target.node(*node).map(|node| format!("{}{}", node.name, Vocabulary::CARRIES_SURFACE));
        if let Some(second) = name.and_then(|name| by_name.get(name.as_str())) {
            *node = NodeIndex(*second);
        }
    }
    own
}

/// The bones of a source that a target has, too. Of a trunk with more parts than the target's, the last that the target lacks
/// stands for the one before.
fn shared(source: &Humanoid, target: &Humanoid) -> Humanoid {
    let mut shared = source.clone();
    shared.bones.retain(|bone, _| target.bones.contains_key(bone));
    for (place, part) in TRUNK.iter().enumerate() {
        let further = TRUNK.iter().skip(place + 1);
        let lacking = further.take_while(|part| !target.bones.contains_key(part));
        let last = lacking.filter_map(|part| source.bones.get(part)).last();
        if let Some((own, last)) = shared.bones.get_mut(part).zip(last) {
            *own = *last;
        }
    }
    shared
}

/// The nodes of a target, each with what stands around the motion of its bone.
struct Seats<'a> {
    target: &'a Scene,
    /// By the nodes of the figure in the T-pose.
    turns: BTreeMap<NodeIndex, Turn>,
    hips: Option<Way>,
    /// Height of the target's hips, as a multiple of the figure's.
    ratio: f64,
    tolerance: Tolerance,
}

/// A node that turns: what stands before and behind the rotation of its bone.
struct Turn {
    node: NodeIndex,
    before: DQuat,
    after: DQuat,
}

/// The node that goes where the hips do: its position from theirs.
struct Way {
    seat: NodeIndex,
    by: DMat3,
    offset: DVec3,
}

impl<'a> Seats<'a> {
    fn of(figure: &Scene, body: &Body, target: &'a Scene, tolerance: Tolerance) -> Self {
        let bones = figure.humanoid.iter().flat_map(|humanoid| &humanoid.bones);
        let mut seats = Self { target, turns: BTreeMap::new(), hips: None, ratio: 1.0, tolerance };
        for (bone, seat) in bones {
            let Some(own) = body.bones.get(bone) else { continue };
            let above = figure.humanoid.as_ref().and_then(|humanoid| humanoid.parent(*bone));
            let above = above.and_then(|above| body.bones.get(&above));
            let before = above.map_or(DQuat::IDENTITY, |above| above.correction);
            let under = seats.above(body, own.node).rotation;
            seats.turns.insert(
                *seat,
                Turn {
                    node: NodeIndex(own.node),
                    before: (before * body.facing * under).conjugate(),
                    after: body.after(own.node, own.correction).conjugate(),
                },
            );
            if *bone == HumanBone::Hips {
                seats.go(figure, *seat, body, own);
            }
        }
        seats
    }

    /// The node right above another, at rest.
    fn above(&self, body: &Body, node: usize) -> ChainTransform {
        let parent = self.target.nodes.get(node).and_then(|node| node.parent);
        parent.and_then(|parent| body.rest.get(parent.0)).copied().unwrap_or(ChainTransform::IDENTITY)
    }

    /// Finds where the hips go.
    fn go(&mut self, figure: &Scene, seat: NodeIndex, body: &Body, own: &Bone) {
        let rest = figure.node(seat).map_or(DVec3::ZERO, |hips| DVec3::from(hips.rest.translation));
        let ratio = own.place.y / rest.y;
        self.ratio = if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 };
        let place = body.rest.get(own.node).map_or(DVec3::ZERO, ChainTransform::place);
        let into = self.above(body, own.node).matrix.inverse();
        let into = if into.is_finite() { into } else { DAffine3::IDENTITY };
        let back = DMat3::from_quat(body.facing.conjugate()) * self.ratio;
        let (by, offset) = (into.matrix3 * back, into.transform_point3(place - back * rest));
        self.hips = Some(Way { seat, by, offset });
    }

    /// A clip of the figure in the T-pose as one of the target.
    fn clip(&self, motion: &Clip) -> Clip {
        let curves: BTreeMap<NodeIndex, &[Channel]> = motion
            .tracks
            .iter()
            .filter_map(|track| Some((track.target.node?, track.channels.as_slice())))
            .collect();
        let channels = |seat: &NodeIndex| curves.get(seat).copied().unwrap_or_default().iter();
        let mut tracks = Vec::new();
        for (seat, turn) in &self.turns {
            let Some(node) = self.target.node(turn.node) else { continue };
            let rotation = channels(seat).find(|channel| channel.property == Property::Rotation);
            let way = self.hips.as_ref().filter(|way| way.seat == *seat);
            let place = channels(seat).find(|channel| channel.property == Property::Translation);
            let mut own: Vec<Channel> = Vec::new();
            own.extend(way.zip(place).map(|(way, channel)| self.going(way, channel, motion)));
            own.push(turn.turning(rotation));
            own.retain(|channel| !is_at_rest(channel, node));
            if !own.is_empty() {
                let number = node.source_index.unwrap_or(turn.node.0);
                let target = Target::new(TargetKind::Joint, node.name.clone(), number, Some(turn.node));
                tracks.push(Track { target, channels: own });
            }
        }
        let node = |seat: &NodeIndex| self.turns.get(seat).map(|turn| turn.node);
        Clip { tracks, solved: motion.solved.iter().filter_map(node).collect(), ..motion.clone() }
    }

    /// The hips' positions, with the source's keys where axes stay axes.
    fn going(&self, way: &Way, channel: &Channel, motion: &Clip) -> Channel {
        let own = match &channel.composition {
            Composition::Whole(curve) if curve.width == 3 => {
                Some(Composition::Whole(moved(curve, way.by, way.offset)))
            }
            Composition::Components(curves) => {
                permuted(curves, way.by, way.offset).map(Composition::Components)
            }
            _ => None,
        };
        let sampled = || Composition::Whole(self.sampled(way, channel, motion));
        Channel { property: Property::Translation, composition: own.unwrap_or_else(sampled), native: None }
    }

    fn sampled(&self, way: &Way, channel: &Channel, motion: &Clip) -> Curve {
        let value = |time: Seconds, side: Side| {
            let mut value = Vec::new();
            channel_at(channel, time, side, &mut value);
            let own = value.first_chunk::<3>().copied().map_or(DVec3::ZERO, DVec3::from);
            (way.by * own + way.offset).to_array().to_vec()
        };
        // Half of what is allowed is left to whatever comes behind.
        let allowance = self.tolerance.length_m / 2.0;
        let sampled = Sampled { property: Property::Translation, allowance, value: &value };
        sampled.curve(&times(channel, motion)).0
    }
}

impl Turn {
    /// The node's rotations; that of the T-pose for a bone that never turns.
    fn turning(&self, rotation: Option<&Channel>) -> Channel {
        let curve = rotation.and_then(|channel| match &channel.composition {
            Composition::Whole(curve) => Some(curve),
            _ => None,
        });
        let still = || constant(&Property::Rotation, &(self.before * self.after).normalize().to_array());
        let lone = |curve| Lone { before: DQuat::IDENTITY, curve, after: DQuat::IDENTITY };
        let curve = curve.map_or_else(still, |curve| turned(&lone(curve), self.before, self.after));
        Channel::whole(Property::Rotation, curve)
    }
}

/// Times of a channel's keys and of the frames, on which it is sampled.
fn times(channel: &Channel, motion: &Clip) -> Vec<f64> {
    let Seconds(end) = motion.end();
    let rate = motion.grid.unwrap_or(FrameRate::FPS_30);
    let frames = (0..).map(|frame| rate.seconds(f64::from(frame)).0).take_while(|time| *time < end);
    let keys = channel.composition.curves().flat_map(|curve| curve.times.iter().map(|time| time.0));
    let mut times: Vec<f64> = keys.chain(frames).chain([0.0, end]).collect();
    times.retain(|time| (0.0..=end).contains(time));
    ascend(&mut times);
    times.dedup();
    times
}

/// True if a channel says at every key what its node's rest pose says.
fn is_at_rest(channel: &Channel, node: &Node) -> bool {
    let rest: &[f64] = match channel.property {
        Property::Rotation => &node.rest.rotation,
        _ => &node.rest.translation,
    };
    let is_rest = |value: &[f32], sign: f64| {
        value.iter().zip(rest).all(|(value, rest)| (f64::from(*value) * sign - rest).abs() < SAME)
    };
    match &channel.composition {
        Composition::Whole(curve) => {
            let turns = channel.property == Property::Rotation;
            curve
                .values
                .chunks_exact(rest.len())
                .all(|value| is_rest(value, 1.0) || turns && is_rest(value, -1.0))
        }
        _ => false,
    }
}
