//! First frames that hold the rest pose of a figure instead of the start of its motion.
//!
//! Programs that export captures put the figure's T-pose before the motion, as its first frame. With *r* the rotation of a node at
//! rest, *qₖ* its rotation on frame *k* and ∠ the largest angle among the nodes of upper and lower arms and legs, the first frame is
//! such a pose if ∠(r, q₀) ≤ 25°, ∠(q₀, q₁) ≥ 30°, and ∠(q₀, q₁) ≥ 5 · ∠(qₖ, qₖ₊₁) for the next four frames.

use super::figure::{ARMS, Figure, LEGS};
use super::moves::Moves;
use dopesheet_core::model::Clip;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::Side;
use glam::DQuat;

/// Largest angle between the first frame and the rest pose: arms of a T-pose hang less, and legs are spread less.
const AT_REST_RAD: f64 = 25.0 * std::f64::consts::PI / 180.0;
/// Smallest angle of a jump to the second frame: a limb turns as far in a thirtieth of a second only at 900° a second.
const JUMP_RAD: f64 = 30.0 * std::f64::consts::PI / 180.0;
/// Factor by which the jump exceeds the steps behind it.
const LEAP: f64 = 5.0;
/// Frames whose poses are compared.
const FRAMES: u32 = 6;

/// The time from which on a clip is motion: its second frame if its first holds the rest pose, rounded up to a frame of `grid`; 0 of
/// other clips, and of clips without frames.
#[must_use]
pub fn motion_start(figure: Figure<'_>, clip: &Clip, grid: Option<FrameRate>) -> Seconds {
    let Some(rate) = clip.grid.filter(|rate| rests_first(figure, clip, *rate)) else { return Seconds(0.0) };
    let second = rate.seconds(1.0);
    grid.map_or(second, |grid| grid.seconds((grid.frame(second) - SAME_FRAME).ceil()))
}

/// Part of a frame by which times of one frame may differ.
const SAME_FRAME: f64 = 1e-3;

/// True if the first frame of a clip holds the rest pose, and the motion is elsewhere.
fn rests_first(figure: Figure<'_>, clip: &Clip, rate: FrameRate) -> bool {
    if rate.frame(clip.end()) < f64::from(FRAMES.saturating_sub(1)) {
        return false;
    }
    let moves = Moves::of(figure.scene, clip);
    let uppers_and_lowers = ARMS.iter().chain(&LEGS).flat_map(|[upper, lower, _]| [*upper, *lower]);
    let nodes: Vec<usize> = uppers_and_lowers.filter_map(|bone| Some(figure.node(bone)?.0)).collect();
    let rotation = |node: usize, frame: u32| {
        let local = moves.local(node, rate.seconds(f64::from(frame)), Side::At);
        DQuat::from_array(local.rotation).normalize()
    };
    let step = |frame: u32| {
        let angles =
            nodes.iter().map(|node| apart(rotation(*node, frame), rotation(*node, frame.saturating_add(1))));
        angles.fold(0.0, f64::max)
    };
    let at_rest = nodes.iter().filter_map(|node| {
        let rest = figure.scene.nodes.get(*node)?.rest.rotation;
        Some(apart(DQuat::from_array(rest).normalize(), rotation(*node, 0)))
    });
    let jump = step(0);
    let is_jump = jump >= JUMP_RAD && (1..FRAMES.saturating_sub(1)).all(|frame| jump >= LEAP * step(frame));
    is_jump && at_rest.fold(0.0, f64::max) <= AT_REST_RAD
}

/// Angle between two rotations, whichever sign their quaternions have.
fn apart(from: DQuat, to: DQuat) -> f64 {
    2.0 * libm::acos(from.dot(to).abs().min(1.0))
}
