//! How far two animations are apart.
//!
//! Joints are compared where it shows: in model space, as the distance of points that hang on them (see
//! [`apart`](fn@apart)). Nothing here knows how either animation was made, so it is also the judge of every conversion.

mod abreast;
mod at;
mod blocks;
mod field;
mod instants;
mod joints;
mod lane;
mod matching;
mod moments;
mod norm;
mod numbers;
mod pieces;
mod result;
mod schedule;
mod stage;
mod summary;

pub use at::{JointApart, joints_at};
pub(crate) use joints::{GAZE, MODEL_SPACE};
pub use result::{Apart, Difference, Lone, TrackApart, Worst};

use crate::Tolerance;
use dopesheet_core::model::{Clip, Hierarchy, Scene};
use dopesheet_core::units::Seconds;
use joints::Joints;
use matching::{Nodes, channels, spares};
use numbers::Numbers;
use std::ops::Range;
use summary::summary;

/// One clip of a scene, in metres and glTF's axes ([`Basis::GLTF`](dopesheet_core::model::Basis::GLTF)).
#[derive(Clone, Copy, Debug)]
pub struct Animation<'a> {
    /// The nodes that move.
    pub scene: &'a Scene,
    /// How they move; one of the scene's clips, or one taken out of it.
    pub clip: &'a Clip,
}

/// Measures how far two animations are apart, from 0 to the end of the longer one.
///
/// For every joint that both have, the displacement of points within a shell around it, in model space, is bounded by
/// |Δp| + shell·‖ΔM‖, where Δp is the difference of its positions and ‖ΔM‖ the spectral norm of the difference of its
/// rotations and scales; for rotations θ apart that is 2·sin(θ/2). Some point of the shell reaches the bound where both
/// parts have one direction, and none exceeds it. Where a hierarchy is unknown, each joint is taken relative to its
/// parent, and joints that neither side moves are left out. Beside that stand limits for weights, colours, fields of
/// view, directions of cameras, lights and rays (0.01°), switches (must be equal) and other numbers (1e-3 of the largest
/// of A, or of 1).
///
/// Each channel is measured at all its keys on both sides, seen from both sides of a jump, and at 8 points between any two
/// neighbours of them, each at the nearest f32; a joint at those of everything it hangs on. Keys of both sides that are
/// roundings of one time to f32 are one time, which each side has as it has it, and between two of those each channel has passed
/// the same share on both sides; a key beside a frame of a grid (within
/// [`FrameRate::SNAP_FRAMES`](dopesheet_core::units::FrameRate::SNAP_FRAMES)) is looked at on the frame, as which it counts
/// there; nothing is measured between neighbouring f32; and of a jump the values at the neighbouring f32 count, because a
/// file of f32 has it in between. Times at which a joint is known to be
/// nearer than it was at another one are not looked at: by a bound where both sides' laws have one, else by the sum of what
/// the joint and those it hangs on do relative to their parents, first of lengths and then of vectors, with allowances for
/// what lies between the times at which that was seen.
///
/// Joints are matched by name, of equal names the first with the first; other channels by kind, name and property, or
/// by the joint they sit on. What one side does not move stays at its rest, and a joint that one side does not have is compared
/// with its own rest on the other, relative to what it hangs on.
#[must_use]
pub fn apart(a: Animation<'_>, b: Animation<'_>, tolerance: &Tolerance) -> Apart {
    apart_within(a, b, tolerance, Scope::ALL).apart
}

/// What of joints is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// Displacements up to this, in metres, are found only where they are the largest of all; differences relative to
    /// the parent are not if this is above 0.
    pub(crate) exact_above: f64,
    /// For each node of A, whether its displacement is found; all if `None`.
    pub(crate) only: Option<&'a [bool]>,
    /// The largest displacement of the others.
    pub(crate) largest: f64,
    /// Joints are looked at in these windows of time, ascending, and sums of small differences count as displacements; all the time,
    /// and exactly, if `None`.
    pub(crate) windows: Option<&'a [Range<f64>]>,
}

impl Scope<'_> {
    /// Everything of all joints.
    pub(crate) const ALL: Self = Self { exact_above: 0.0, only: None, largest: 0.0, windows: None };
}

/// What was found, and how far apart joints are at most where that was not looked for.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) apart: Apart,
    /// For each node of A.
    pub(crate) joints: Vec<Bound>,
}

/// What is known of a joint besides where it was seen to be farthest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// No displacement is larger, in metres; infinite where that is not known.
    pub(crate) at_most: f64,
    /// How many of the times are its own; `None` where none were looked for.
    pub(crate) moments: Option<usize>,
}

/// As [`apart`](fn@apart), but only of some joints, or only as far as those are of interest.
pub(crate) fn apart_within(
    a: Animation<'_>,
    b: Animation<'_>,
    tolerance: &Tolerance,
    scope: Scope<'_>,
) -> Found {
    let is_known = [a, b].iter().all(|side| side.scene.hierarchy == Hierarchy::Known);
    let nodes = Nodes::new(a.scene, b.scene);
    let mut joints = Joints::new([&a, &b], &nodes, is_known, tolerance, scope);
    let (spares_a, spares_b) = (spares(a.scene, a.clip), spares(b.scene, b.clip));
    let pairs = channels(&spares_a, &spares_b, &nodes);
    let numbers = pairs.into_iter();
    let mut numbers: Vec<Numbers<'_>> =
        numbers.filter_map(|pair| Numbers::new(pair, [&spares_a, &spares_b], [&a, &b], &nodes)).collect();
    let end = a.clip.end().0.max(b.clip.end().0);
    let measured = joints.measure([&a, &b], end) + numbers.iter_mut().map(|n| n.measure(end)).sum::<usize>();
    let apart = summary(&joints, &numbers, tolerance, (Seconds(end), measured));
    Found { apart, joints: joints.bounds(a.scene.nodes.len()) }
}
