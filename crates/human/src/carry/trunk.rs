//! Trunks with different parts. Each part of the target's trunk turns as the source's trunk does over the same share of its length, the
//! last part as the source's last, and the line from the hips to the neck turns as the source's.

use crate::body::curves::Sampled;
use crate::body::figure::{Figure, TRUNK, hangs_on};
use crate::body::measures::{SHARE, times};
use crate::body::moves::{Moves, Way};
use crate::body::shape::Body;
use crate::body::tracks::{metres_off, put, report_largest};
use HumanBone as B;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{Channel, HumanBone, Node, NodeIndex, Property, Scene, SolvedChannel, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::{Side, Tolerance};
use glam::{DQuat, DVec3, DVec4};
use std::cell::RefCell;
use std::collections::HashMap;

/// Rounds in which the line from the hips to the neck comes to its direction: the hips do not turn for it.
const ROUNDS: usize = 3;

/// Bones of a trunk in the T-pose, the hips first.
struct Trunk {
    bones: Vec<HumanBone>,
    /// Places in metres of their joints, and of the neck or the head.
    joints: Vec<DVec3>,
}

impl Trunk {
    /// The trunk of a body up to a bone.
    fn of(body: &Body<'_>, top: HumanBone) -> Self {
        let parts = TRUNK.into_iter().filter(|bone| body.bones.contains_key(bone));
        let bones: Vec<HumanBone> = [B::Hips].into_iter().chain(parts).collect();
        let joints = bones.iter().chain([&top]).filter_map(|bone| body.bones.get(bone));
        Self { joints: joints.map(|bone| bone.place).collect(), bones }
    }

    /// Shares of the trunk's length at which its bones start, and 1.
    fn shares(&self) -> Vec<f64> {
        let mut reached = 0.0;
        let ends = self.joints.array_windows().map(|[from, to]| {
            reached += from.distance(*to);
            reached
        });
        let ends: Vec<f64> = [0.0].into_iter().chain(ends).collect();
        ends.iter().map(|end| end / reached).collect()
    }

    /// Direction from the hips to the neck with the bones turned.
    fn line(&self, turns: &[DQuat]) -> DVec3 {
        let bones = turns.iter().zip(self.joints.array_windows());
        bones.map(|(turn, [from, to])| *turn * (to - from)).sum::<DVec3>().normalize_or(DVec3::Y)
    }
}

/// A trunk whose motion goes to a trunk with other parts.
struct Spread {
    source: Trunk,
    target: Trunk,
    /// Way from the hips to each of the source's bones in the figure.
    ways: Vec<Way>,
    /// For each of the target's bones the shares that the source's bones have in it.
    shares: Vec<Vec<f64>>,
    /// From the source's line from the hips to the neck to the target's, both at rest.
    built: DQuat,
}

impl Spread {
    /// `None` of trunks with the same parts.
    fn of(figure: &Scene, source: &Body<'_>, target: &Body<'_>) -> Option<Self> {
        let has_necks = [source, target].iter().all(|body| body.bones.contains_key(&B::Neck));
        let top = if has_necks { B::Neck } else { B::Head };
        let is_joined = has_joint_below_spine(source);
        let (source, target) = (Trunk::of(source, top), Trunk::of(target, top));
        if source.bones == target.bones {
            return None;
        }
        let nodes = source.bones.iter().filter_map(|bone| figure.humanoid.as_ref()?.bones.get(bone));
        let hips = nodes.clone().next().map(|hips| hips.0);
        let mut ways: Vec<Way> = nodes.map(|node| Way::of(figure, hips, node.0)).collect();
        if is_joined && let [hips, spine, ..] = ways.as_mut_slice() {
            hips.clone_from(spine);
        }
        let starts = source.shares();
        let shares = |[from, to]: &[f64; 2]| {
            let shared = |[start, end]: &[f64; 2]| (end.min(*to) - start.max(*from)).max(0.0);
            starts.array_windows().map(shared).collect()
        };
        let shares = target.shares().array_windows().map(shares).collect();
        let [theirs, ours] =
            [&source, &target].map(|trunk| trunk.line(&vec![DQuat::IDENTITY; trunk.bones.len()]));
        Some(Self { source, target, ways, shares, built: DQuat::from_rotation_arc(theirs, ours) })
    }

    /// Rotations of the target's bones as seen from the hips.
    fn turns(&self, moves: &Moves<'_>, time: Seconds, side: Side) -> Vec<DQuat> {
        let theirs: Vec<DQuat> = self.ways.iter().map(|way| moves.turn(way, time, side)).collect();
        let parts = self.shares.iter().skip(1).map(|shares| mean(&theirs, shares));
        let mut turns: Vec<DQuat> = [DQuat::IDENTITY].into_iter().chain(parts).collect();
        // Arms hang on the last part.
        if let ([_, .., chest], Some(their_chest)) = (turns.as_mut_slice(), theirs.last()) {
            *chest = *their_chest;
        }
        let wanted = self.built * self.source.line(&theirs);
        for _ in 0..ROUNDS {
            let by = DQuat::from_rotation_arc(self.target.line(&turns), wanted);
            turns.iter_mut().skip(1).for_each(|turn| *turn = by * *turn);
        }
        turns
    }
}

/// True of a body with a moving joint between hips and spine, as the lower back of captures: what lies between them turns with the spine.
fn has_joint_below_spine(body: &Body<'_>) -> bool {
    let Figure { scene, .. } = body.figure;
    let node = |bone: HumanBone| body.bones.get(&bone).map(|bone| NodeIndex(bone.node));
    let above = node(B::Spine).and_then(|spine| scene.node(spine)?.parent);
    let below =
        above.zip(node(B::Hips)).filter(|(above, hips)| above != hips && hangs_on(scene, *above, *hips));
    let mut tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    below.is_some_and(|(above, _)| tracks.any(|track| track.target.node == Some(above)))
}

/// Mean of rotations with weights.
fn mean(turns: &[DQuat], weights: &[f64]) -> DQuat {
    let sum = turns.iter().zip(weights).fold(DVec4::ZERO, |sum, (turn, weight)| {
        let turn = DVec4::from(*turn);
        sum + turn * if sum.dot(turn) < 0.0 { -weight } else { *weight }
    });
    DQuat::from_vec4(sum.try_normalize().unwrap_or(DVec4::W))
}

/// Gives a figure with the motion of a source the parts of a target's trunk, beside those of the source's, if they differ.
pub(super) fn spread(
    figure: &mut Scene,
    source: &Body<'_>,
    target: &Body<'_>,
    tolerance: Tolerance,
    report: &mut Report,
) {
    let Some(spread) = Spread::of(figure, source, target) else { return };
    let bare = figure.clone();
    let Some(humanoid) = &mut figure.humanoid else { return };
    let mut above = humanoid.bones.get(&B::Hips).copied();
    for bone in spread.target.bones.iter().skip(1) {
        let node = NodeIndex(figure.nodes.len());
        figure.nodes.push(Node::new(bone.word(), above, Transform::IDENTITY));
        humanoid.bones.insert(*bone, node);
        above = Some(node);
    }
    let reach = source.reach(B::Spine) + tolerance.shell_m(true);
    let allowance = tolerance.length_m * SHARE / reach;
    let mut errors: Vec<MaxError> = Vec::new();
    let mut clips = bare.clips.clone();
    for (clip, motion) in clips.iter_mut().zip(&bare.clips) {
        let moves = Moves::of(&bare, motion);
        let times = spread.ways.last().map(|way| times(&moves, way)).unwrap_or_default();
        let is_solved =
            spread.ways.iter().flat_map(Way::nodes).any(|node| motion.has_solved(NodeIndex(node)));
        // All bones are sampled at the same times.
        let turned = RefCell::new(HashMap::<(u64, u8), Vec<DQuat>>::new());
        for (bone, node) in (1usize..).zip((bare.nodes.len()..figure.nodes.len()).map(NodeIndex)) {
            let value = |time: Seconds, side: Side| {
                let mut turned = turned.borrow_mut();
                let turns = turned
                    .entry((time.0.to_bits(), side as u8))
                    .or_insert_with(|| spread.turns(&moves, time, side));
                let [below, turn] = [bone.saturating_sub(1), bone].map(|bone| turns.get(bone).copied());
                let turn = below.unwrap_or_default().conjugate() * turn.unwrap_or_default();
                turn.normalize().to_array().to_vec()
            };
            let (curve, error) =
                Sampled { property: Property::Rotation, allowance, value: &value }.curve(&times);
            errors.push(metres_off(figure, node, (error.value + allowance / 2.0) * reach, error.time));
            put(clip, figure, node, Channel::whole(Property::Rotation, curve));
            clip.solved.extend(is_solved.then(|| SolvedChannel::placing(node)).into_iter().flatten());
        }
    }
    figure.clips = clips;
    let curves = counted(errors.len(), "curve");
    report_largest(format!("{curves} of a trunk with other parts, re-keyed"), errors, report);
}
