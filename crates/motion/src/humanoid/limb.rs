//! Limbs of two bones, which bring their end to a place: legs with their ankles, arms with their wrists.
//!
//! The correction of an end that stands fades out over a tenth of a second around, so that nothing jumps (L. Kovar, J. Schreiner,
//! M. Gleicher, "Footskate Cleanup for Motion Capture Editing", SCA 2002). The end keeps its rotation.

use crate::sample::pose::{ChainTransform, Pose, rest_pose};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// Time over which a correction fades in and out, in seconds.
pub const FADE_S: f64 = 0.1;
/// Part of a limb's length that it is bent at least, unless it is straighter already: a stretched one has no knee to turn.
const BENT: f64 = 1e-4;
/// Angle by which a joint that is bent the wrong way is bent further that way at most, in radians; rather than more it bends the right way.
const WRONG: f64 = 0.05;
/// Angle in radians up to which the way in which a joint is bent is noise, so that it bends further as a joint does from straight; and
/// from which on it bends further the way in which it is bent already.
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
    /// The way that its end goes when it bends from straight, as seen from the upper bone's node: a heel goes back, a hand goes forward.
    bends: DVec3,
}

impl Limb {
    /// The legs that a figure has. `front` is where it looks at rest.
    #[must_use]
    pub fn legs(scene: &Scene, humanoid: &Humanoid, front: DVec3) -> Vec<Self> {
        use HumanBone as B;
        let sides = [
            [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
            [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
        ];
        Self::all(scene, humanoid, sides, -front)
    }

    /// The arms that a figure has. `front` is where it looks at rest.
    #[must_use]
    pub fn arms(scene: &Scene, humanoid: &Humanoid, front: DVec3) -> Vec<Self> {
        use HumanBone as B;
        let sides = [
            [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
            [B::RightUpperArm, B::RightLowerArm, B::RightHand],
        ];
        Self::all(scene, humanoid, sides, front)
    }

    fn all(scene: &Scene, humanoid: &Humanoid, sides: [[HumanBone; 3]; 2], bends: DVec3) -> Vec<Self> {
        let rest = ChainTransform::of_pose(scene, &rest_pose(scene));
        let node = |bone: HumanBone| humanoid.bones.get(&bone).copied();
        let limb = |bones: [HumanBone; 3]| {
            let [upper, middle, end] = bones.map(node);
            let joints = [upper?, middle?, end?];
            let hangs = |[node, other]: [NodeIndex; 2]| {
                let up = std::iter::successors(Some(node), |own| scene.node(*own)?.parent);
                up.take(scene.nodes.len()).any(|above| above == other)
            };
            // What stands beside its limb is not brought anywhere by it.
            if !hangs([joints[1], joints[0]]) || !hangs([joints[2], joints[1]]) {
                return None;
            }
            let above = joints.map(|own| scene.node(own).and_then(|own| own.parent));
            let [upper, ..] = joints;
            let bends = rest.get(upper.0)?.rotation.conjugate() * bends;
            Some(Self { bones, joints, above, bends })
        };
        sides.into_iter().filter_map(limb).collect()
    }

    /// The bone whose joint is the ball of a leg's foot.
    #[must_use]
    pub const fn ball(&self) -> Option<HumanBone> {
        match self.bones {
            [.., HumanBone::LeftFoot] => Some(HumanBone::LeftToes),
            [.., HumanBone::RightFoot] => Some(HumanBone::RightToes),
            _ => None,
        }
    }

    /// Its joints and the nodes right above them.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        self.joints.into_iter().chain(self.above.into_iter().flatten())
    }

    /// The limb in a pose of its scene.
    #[must_use]
    pub fn placed(&self, scene: &Scene, pose: &Pose) -> Placed {
        let above = |node: &NodeIndex| scene.node(*node).and_then(|own| own.parent);
        let end = |node: NodeIndex| {
            let chain = std::iter::successors(Some(node), above).take(scene.nodes.len());
            let locals = chain.filter_map(|own| pose.0.get(own.0)).map(ChainTransform::from);
            locals.fold(ChainTransform::IDENTITY, |below, own| own * below)
        };
        self.placed_by(end)
    }

    /// The limb where each node has the transform that is given, as seen from the root.
    pub(crate) fn placed_by(&self, end: impl Fn(NodeIndex) -> ChainTransform) -> Placed {
        let joints = self.joints.map(&end);
        let rotations = joints.map(|own| own.rotation);
        let above = self.above.map(|own| own.map_or(DQuat::IDENTITY, |own| end(own).rotation));
        let [upper, ..] = rotations;
        Placed { places: joints.map(|own| own.place()), rotations, above, bends: upper * self.bends }
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
    /// The way that its end goes when it bends from straight.
    bends: DVec3,
}

impl Placed {
    /// Lengths of both bones.
    fn lengths(&self) -> [f64; 2] {
        let [upper, middle, end] = self.places;
        [upper.distance(middle), middle.distance(end)]
    }

    /// Length of the limb when it is straight.
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

    /// Angle by which the middle joint is bent in the way in which it bends further, in radians; 0 is straight, and what is below is bent the
    /// wrong way.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.bend().angle()
    }

    fn bend(&self) -> Bend {
        let [upper, middle, end] = self.places;
        let along = (middle - upper).normalize_or_zero();
        let across = |way: DVec3| way.reject_from_normalized(along).normalize_or_zero();
        let angle = along.angle_between(end - middle);
        let (straight, own) = (across(self.bends), across(end - middle));
        let [noise, clear] = NOISE;
        let u = ((angle - noise) / (clear - noise)).clamp(0.0, 1.0);
        let share = u * u * (3.0 - 2.0 * u);
        Bend { own: own * angle, further: straight.lerp(own, share).normalize_or(own) }
    }

    /// Angle to the lower bone from where it is at another time, both as seen from the upper one, in radians.
    #[must_use]
    pub fn turn_from(&self, other: &Self) -> f64 {
        let lower = |placed: &Self| {
            let ([_, middle, end], [upper, ..]) = (placed.places, placed.rotations);
            upper.conjugate() * (end - middle)
        };
        lower(self).angle_between(lower(other))
    }

    /// Angle by which the middle joint has to be bent for a distance of the ends, or the nearest to it that there is, in radians.
    #[must_use]
    pub fn angle_for(&self, distance: f64) -> f64 {
        let [upper, lower] = self.lengths();
        let longest = ((upper + lower) * (1.0 - BENT)).max(self.span());
        let far = distance.clamp(((upper - lower).abs() * (1.0 + BENT)).min(longest), longest);
        // By the law of cosines.
        let cosine = (far * far - upper * upper - lower * lower) / (2.0 * upper * lower);
        let (bend, whole) = (self.bend(), cosine.clamp(-1.0, 1.0).acos());
        let own = bend.angle();
        let aside = bend.own.length_squared() - own * own;
        let bent = (whole * whole - aside).max(0.0).sqrt();
        if own < 0.0 && bent + own < WRONG { -bent } else { bent }
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
        Self { places: self.places.map(|own| own + by), ..*self }
    }

    /// The local rotations of its joints by which its end comes to a place, or as near as it reaches. `None` of a limb without
    /// a length, or for the place of the upper joint.
    #[must_use]
    pub fn brought_to(&self, to: DVec3) -> Option<[DQuat; 3]> {
        let [upper, ..] = self.places;
        self.bent_towards(to, self.angle_for(to.distance(upper)))
    }

    /// The local rotations of its joints by which its middle joint has an angle and its end points to a place. `None` as of
    /// [`Placed::brought_to`].
    #[must_use]
    pub fn bent_towards(&self, to: DVec3, angle: f64) -> Option<[DQuat; 3]> {
        self.bent_further(to, angle - self.angle())
    }

    /// As [`Placed::bent_towards`], with the middle joint bent further by an angle.
    pub(crate) fn bent_further(&self, to: DVec3, by: f64) -> Option<[DQuat; 3]> {
        let [upper, middle, end] = self.places;
        let (thigh, shin) = (middle - upper, end - middle);
        let (along, lower) = (thigh.try_normalize()?, shin.try_normalize()?);
        let bend = self.bend();
        let bent = bend.own + bend.further * by;
        let (sine, cosine) = bent.length().min(PI).sin_cos();
        let bent = along * cosine + bent.normalize_or_zero() * sine;
        let bend = DQuat::from_rotation_arc(lower, bent.try_normalize()?);
        let reached = thigh + bent * shin.length();
        let swing = DQuat::from_rotation_arc(reached.try_normalize()?, (to - upper).try_normalize()?);
        let [thigh, shin, foot] = self.rotations;
        let [over_thigh, over_shin, over_foot] = self.above;
        // What hangs between two of them turns with the upper one.
        let turned = [
            over_thigh.conjugate() * swing * thigh,
            over_shin.conjugate() * bend * shin,
            (swing * bend * over_foot).conjugate() * foot,
        ];
        Some(turned.map(DQuat::normalize))
    }
}

/// Bend of a middle joint.
struct Bend {
    /// The way in which its lower bone leaves the line of the upper one, as long as the angle in radians.
    own: DVec3,
    /// The way in which it bends further, of length 1.
    further: DVec3,
}

impl Bend {
    fn angle(&self) -> f64 {
        self.own.dot(self.further)
    }
}

/// A stand: the way of a joint that stays where it is, from frame to frame.
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
    /// Place of its joint at a time; that of its ends before and behind it.
    #[must_use]
    pub fn place(&self, time: f64) -> DVec3 {
        let reached = self.times.partition_point(|own| *own <= time);
        let before = reached.saturating_sub(1).min(self.times.len().saturating_sub(2));
        let behind = before.saturating_add(1);
        let (Some(a), Some(from)) = (self.times.get(before), self.places.get(before)) else {
            return DVec3::ZERO;
        };
        let (Some(b), Some(to)) = (self.times.get(behind), self.places.get(behind)) else { return *from };
        from.lerp(*to, ((time - a) / (b - a)).clamp(0.0, 1.0))
    }

    /// First and last time.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(0.0))
    }

    /// Share of its correction that counts at a time.
    #[must_use]
    pub fn weight(&self, time: f64) -> f64 {
        let (start, end) = self.ends();
        faded((start - time).max(time - end).max(0.0))
    }
}

/// Share of a correction that counts at a distance in seconds from where all of it does.
pub(super) fn faded(distance_s: f64) -> f64 {
    let u = 1.0 - (distance_s / FADE_S).min(1.0);
    u * u * (3.0 - 2.0 * u)
}

/// The correction of a limb's end at a time by its stands, given where a joint is without any at a time, and the share of it that
/// counts there; `None` far from all of them. Before and behind a stand its correction is that of its end.
pub fn correction(
    stands: &[Stand],
    time: f64,
    place: impl Fn(NodeIndex, f64) -> DVec3,
) -> Option<(DVec3, f64)> {
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for stand in stands {
        let weight = stand.weight(time);
        if weight > 0.0 {
            let (start, end) = stand.ends();
            let own = time.clamp(start, end);
            sum += (stand.place(own) - place(stand.node, own)) * weight;
            weights += weight;
        }
    }
    (weights > 0.0).then(|| (sum / weights.max(1.0), weights.min(1.0)))
}
