//! Limbs of two bones that bring their end to a position: legs with their ankles, arms with their wrists.
//!
//! The correction of a standing end fades out over a tenth of a second around the stand, so that nothing
//! jumps (L. Kovar, J. Schreiner, M. Gleicher, "Footskate Cleanup for Motion Capture Editing", SCA 2002). The
//! end keeps its rotation.

use super::figure::{ARMS, FEET, Figure, LEGS, hangs_on, upwards};
use super::measures::span;
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::Pose;
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// Time over which a correction fades in and out, in seconds.
pub const FADE_S: f64 = 0.1;
/// Smallest bend of a limb as a part of its length, unless the limb is straighter already: a stretched leg
/// has no knee to turn.
const BENT: f64 = 1e-4;
/// Largest angle by which a joint bent the wrong way is bent further in the same direction, in radians;
/// rather than more, the joint bends the right way.
const WRONG: f64 = 0.05;
/// Angle in radians up to which the direction of a joint's bend is noise, so that the joint bends further as
/// a straight joint does; and the angle from which on the joint bends further in the direction of its present
/// bend.
const NOISE: [f64; 2] = [0.1, 0.4];

/// A limb: its joints in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Bones of hip, knee and ankle, or of shoulder, elbow and wrist.
    pub bones: [HumanBone; 3],
    /// Their nodes.
    pub joints: [NodeIndex; 3],
    /// The nodes right above them.
    above: [Option<NodeIndex>; 3],
    /// Direction of the end's movement when the limb bends from straight, as seen from the upper bone's node:
    /// a heel goes back, a hand goes forward.
    bends: DVec3,
}

impl Limb {
    /// The legs of a figure; empty without any. `front` is the direction in which the figure looks at rest.
    #[must_use]
    pub fn legs(scene: &Scene, humanoid: &Humanoid, front: DVec3) -> Vec<Self> {
        Self::all(Figure { scene, humanoid }, LEGS, -front)
    }

    /// The arms of a figure; empty without any. `front` is the direction in which the figure looks at rest.
    #[must_use]
    pub fn arms(scene: &Scene, humanoid: &Humanoid, front: DVec3) -> Vec<Self> {
        Self::all(Figure { scene, humanoid }, ARMS, front)
    }

    fn all(figure: Figure<'_>, sides: [[HumanBone; 3]; 2], bends: DVec3) -> Vec<Self> {
        let rest = figure.at_rest();
        let limb = |bones: [HumanBone; 3]| {
            let [upper, middle, end] = bones.map(|bone| figure.node(bone));
            let joints @ [upper, middle, end] = [upper?, middle?, end?];
            // What stands beside its limb is not brought anywhere by it.
            if !hangs_on(figure.scene, middle, upper) || !hangs_on(figure.scene, end, middle) {
                return None;
            }
            let above = joints.map(|joint| figure.scene.node(joint).and_then(|joint| joint.parent));
            let bends = rest.get(upper.0)?.rotation.conjugate() * bends;
            Some(Self { bones, joints, above, bends })
        };
        sides.into_iter().filter_map(limb).collect()
    }

    /// The bone of the ball of a leg's foot.
    #[must_use]
    pub fn ball(&self) -> Option<HumanBone> {
        let [.., end] = self.bones;
        FEET.into_iter().find(|[ankle, _]| *ankle == end).map(|[_, ball]| ball)
    }

    /// The limb in a pose of its scene.
    #[must_use]
    pub fn placed(&self, scene: &Scene, pose: &Pose) -> Placed {
        let end = |node: NodeIndex| {
            let locals = upwards(scene, node).filter_map(|node| pose.0.get(node.0)).map(ChainTransform::from);
            locals.fold(ChainTransform::IDENTITY, |below, local| local * below)
        };
        self.placed_by(end)
    }

    /// The limb in a pose given by the transform of each node, as seen from the root.
    pub(crate) fn placed_by(&self, end: impl Fn(NodeIndex) -> ChainTransform) -> Placed {
        let joints = self.joints.map(&end);
        let rotations = joints.map(|joint| joint.rotation);
        let above = self.above.map(|node| node.map_or(DQuat::IDENTITY, |node| end(node).rotation));
        let [upper, ..] = rotations;
        Placed { places: joints.map(|joint| joint.place()), rotations, above, bends: upper * self.bends }
    }
}

/// A limb at a time, as seen from the scene's root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Places of its joints.
    pub places: [DVec3; 3],
    /// Rotations of its joints.
    pub rotations: [DQuat; 3],
    /// Rotations of the nodes right above them.
    above: [DQuat; 3],
    /// Direction of the end's movement when the limb bends from straight.
    bends: DVec3,
}

impl Placed {
    /// Lengths of both bones.
    fn lengths(&self) -> [f64; 2] {
        let [upper, middle, end] = self.places;
        [upper.distance(middle), middle.distance(end)]
    }

    /// Length of the limb when stretched.
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.lengths().iter().sum()
    }

    /// Distance of its ends.
    #[must_use]
    pub fn span(&self) -> f64 {
        let [upper, _, end] = self.places;
        upper.distance(end)
    }

    /// Angle by which the middle joint is bent in the direction of a further bend, in radians; 0 is straight,
    /// and a negative angle is bent the wrong way.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.bend().angle()
    }

    fn bend(&self) -> Bend {
        let [upper, middle, end] = self.places;
        let along = (middle - upper).normalize_or_zero();
        let across = |vector: DVec3| vector.reject_from_normalized(along).normalize_or_zero();
        let angle = along.angle_between(end - middle);
        let (straight, bent) = (across(self.bends), across(end - middle));
        let [noise, clear] = NOISE;
        let u = ((angle - noise) / (clear - noise)).clamp(0.0, 1.0);
        let share = u * u * (3.0 - 2.0 * u);
        Bend { own: bent * angle, further: straight.lerp(bent, share).normalize_or(bent) }
    }

    /// Angle between the directions of the lower bone in two poses, both as seen from the upper bone, in
    /// radians.
    #[must_use]
    pub fn turn_from(&self, other: &Self) -> f64 {
        let lower = |placed: &Self| {
            let ([_, middle, end], [upper, ..]) = (placed.places, placed.rotations);
            upper.conjugate() * (end - middle)
        };
        lower(self).angle_between(lower(other))
    }

    /// Angle by which the middle joint has to be bent for a distance of the ends, or for the nearest possible
    /// distance, in radians.
    #[must_use]
    pub fn angle_for(&self, distance: f64) -> f64 {
        let [upper, lower] = self.lengths();
        let longest = ((upper + lower) * (1.0 - BENT)).max(self.span());
        let far = distance.clamp(((upper - lower).abs() * (1.0 + BENT)).min(longest), longest);
        // By the law of cosines.
        let cosine = (far * far - upper * upper - lower * lower) / (2.0 * upper * lower);
        let (bend, whole) = (self.bend(), libm::acos(cosine.clamp(-1.0, 1.0)));
        let current = bend.angle();
        let aside = bend.own.length_squared() - current * current;
        let bent = (whole * whole - aside).max(0.0).sqrt();
        if current < 0.0 && bent + current < WRONG { -bent } else { bent }
    }

    /// The local rotations of its joints.
    #[must_use]
    pub fn local(&self) -> [DQuat; 3] {
        let [upper, middle, end] = self.rotations;
        let [over_upper, over_middle, over_end] = self.above;
        [over_upper.conjugate() * upper, over_middle.conjugate() * middle, over_end.conjugate() * end]
    }

    /// The limb moved as a whole.
    #[must_use]
    pub fn moved(&self, by: DVec3) -> Self {
        Self { places: self.places.map(|position| position + by), ..*self }
    }

    /// The local rotations of the joints that bring the end to a position, or as near as the limb reaches.
    /// `None` of a limb without a length, or for the position of the upper joint.
    #[must_use]
    pub fn brought_to(&self, to: DVec3) -> Option<[DQuat; 3]> {
        let [upper, ..] = self.places;
        self.bent_towards(to, self.angle_for(to.distance(upper)))
    }

    /// The local rotations of the joints with the middle joint at an angle in radians and the end in the
    /// direction of a position. `None` as of [`Placed::brought_to`].
    #[must_use]
    pub fn bent_towards(&self, to: DVec3, angle: f64) -> Option<[DQuat; 3]> {
        self.bent_further(to, angle - self.angle()).map(|bent| bent.local())
    }

    /// The limb as of [`Placed::bent_towards`], with the middle joint bent further by an angle.
    pub(crate) fn bent_further(&self, to: DVec3, by: f64) -> Option<Self> {
        let [upper, middle, end] = self.places;
        let (thigh, shin) = (middle - upper, end - middle);
        let (along, lower) = (thigh.try_normalize()?, shin.try_normalize()?);
        let bend = self.bend();
        let bent = bend.own + bend.further * by;
        let (sine, cosine) = libm::sincos(bent.length().min(PI));
        let bent = along * cosine + bent.normalize_or_zero() * sine;
        let bend = DQuat::from_rotation_arc(lower, bent.try_normalize()?);
        let reached = thigh + bent * shin.length();
        let swing = DQuat::from_rotation_arc(reached.try_normalize()?, (to - upper).try_normalize()?);
        let turn = swing * bend;
        let ([upper_turn, shin_turn, foot], [over_thigh, over_shin, over_foot]) =
            (self.rotations, self.above);
        let (middle, end) = (upper + swing * thigh, upper + swing * reached);
        Some(Self {
            places: [upper, middle, end],
            rotations: [swing * upper_turn, turn * shin_turn, foot].map(DQuat::normalize),
            // What hangs between two of them turns with the upper one.
            above: [over_thigh, swing * over_shin, turn * over_foot].map(DQuat::normalize),
            bends: swing * self.bends,
        })
    }

    /// Largest angle between the directions of its bones in two poses, in radians.
    pub(crate) fn angle_from(&self, other: &Self) -> f64 {
        let ways = |placed: &Self| {
            let [upper, middle, end] = placed.places;
            [middle - upper, end - middle]
        };
        let [theirs, ours] = [other, self].map(ways);
        theirs.into_iter().zip(ours).map(|(theirs, ours)| theirs.angle_between(ours)).fold(0.0, f64::max)
    }
}

/// Bend of a middle joint.
struct Bend {
    /// Direction in which the lower bone leaves the line of the upper bone, as long as the angle in radians.
    own: DVec3,
    /// Direction of a further bend, of length 1.
    further: DVec3,
}

impl Bend {
    fn angle(&self) -> f64 {
        self.own.dot(self.further)
    }
}

/// A stand: the path of a joint that does not move, from frame to frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// The joint.
    pub node: NodeIndex,
    /// Times in seconds, ascending.
    pub times: Vec<f64>,
    /// Its places at them.
    pub places: Vec<DVec3>,
}

impl Stand {
    /// Position of the joint at a time; the position at the nearer end before and behind the stand.
    #[must_use]
    pub fn place(&self, time: f64) -> DVec3 {
        let (before, share) = span(&self.times, time);
        match self.places.get(before..) {
            Some([from, to, ..]) => from.lerp(*to, share),
            Some([place]) => *place,
            _ => DVec3::ZERO,
        }
    }

    /// First and last time.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(0.0))
    }

    /// Share of the stand's correction that counts at a time in seconds, with another stand in the given distances before and behind:
    /// none of the correction counts during the others.
    fn weight(&self, time: f64, [before_s, behind_s]: [f64; 2]) -> f64 {
        let (start, end) = self.ends();
        faded((start - time).max(0.0), before_s.min(FADE_S))
            * faded((time - end).max(0.0), behind_s.min(FADE_S))
    }
}

/// Share of a correction that counts at a distance in seconds from the stretch of its full effect, if it fades over a time.
pub(crate) fn faded(distance_s: f64, over_s: f64) -> f64 {
    let u = 1.0 - (distance_s / over_s.max(f64::MIN_POSITIVE)).min(1.0);
    u * u * (3.0 - 2.0 * u)
}

/// The correction of a limb's end at a time by its stands, and the share of the correction that counts there;
/// `None` far from all stands. `place` yields the position of a joint without any correction at a time.
/// Before and behind a stand, the correction at the stand's end holds.
pub fn correction(
    stands: &[Stand],
    time: f64,
    place: impl Fn(NodeIndex, f64) -> DVec3,
) -> Option<(DVec3, f64)> {
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for (index, stand) in stands.iter().enumerate() {
        let (start, end) = stand.ends();
        let before = index.checked_sub(1).and_then(|before| stands.get(before));
        let behind = stands.get(index.saturating_add(1));
        let apart =
            [before.map(|before| start - before.ends().1), behind.map(|behind| behind.ends().0 - end)];
        let weight = stand.weight(time, apart.map(|gap| gap.unwrap_or(FADE_S)));
        if weight > 0.0 {
            let nearest = time.clamp(start, end);
            sum += (stand.place(nearest) - place(stand.node, nearest)) * weight;
            weights += weight;
        }
    }
    (weights > 0.0).then(|| (sum / weights.max(1.0), weights.min(1.0)))
}
