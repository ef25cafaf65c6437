//! The numbers of all frames.

use super::super::turns::{self, Quat};
use super::super::winding::winds;
use super::skeleton::{Bone, Skeleton, applied, sum};
use dopesheet_core::model::{Blend, Channel, Clip, Composition, Curve, EulerOrder};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{
    quat_angle, quat_inverse, quat_normalise_or_identity, quat_product, quat_rotate, slerp,
};
use std::f64::consts::TAU;

/// Factor of six decimals, the precision of rounded numbers.
const DECIMALS: f64 = 1e6;

/// A number with six decimals; NaN becomes 0, and a number out of the range of f32 the largest number in the
/// range.
pub(super) fn rounded(number: f64) -> f64 {
    if number.is_nan() {
        return 0.0;
    }
    let number = number.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
    // Adding zero makes a negative zero positive.
    (number * DECIMALS).round() / DECIMALS + 0.0
}

/// Rotations half-way between two frames that turn by no more than this are as they were, in radians.
const REMARKABLE_RAD: f64 = 1e-6;

/// A pose on each frame of a grid.
pub(super) struct Frames<'a> {
    pub(super) count: usize,
    rate: FrameRate,
    /// The angles of each bone about x, y and z on each frame, in radians; bone by bone. Empty for end sites.
    angles: Vec<Vec<[f64; 3]>>,
    clip: &'a Clip,
}

/// A largest difference.
pub(super) struct LargestDeviation {
    /// Radians of a rotation, or a way in units of the scene.
    pub(super) size: f64,
    pub(super) target: String,
    pub(super) time: Seconds,
}

impl<'a> Frames<'a> {
    /// The first `count` frames of a clip.
    pub(super) fn of(skeleton: &Skeleton<'_>, clip: &'a Clip, rate: FrameRate, count: usize) -> Self {
        let mut frames = Self { count, rate, angles: Vec::new(), clip };
        frames.angles = skeleton.bones.iter().map(|bone| frames.turns_of(bone)).collect();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if frames.is_bent_by_turns(bone, index) {
                frames.angles[index].iter_mut().flatten().for_each(|angle| *angle = unwound(*angle));
            }
        }
        frames
    }

    /// True if angles of a bone that takes the shortest way count turns, by which a file would bend the way.
    fn is_bent_by_turns(&self, bone: &Bone<'_>, index: usize) -> bool {
        let bend = Bend::of(bone, &self.angles[index]);
        let is_off = |frame: usize| {
            let [scene, file] = self.turns_between(bone, index, bend, frame, 0.5);
            quat_angle(scene, file) > REMARKABLE_RAD
        };
        bend.is_wound && bend.even.is_none() && (0..self.count.saturating_sub(1)).any(is_off)
    }

    fn turns_of(&self, bone: &Bone<'_>) -> Vec<[f64; 3]> {
        if bone.is_end {
            return Vec::new();
        }
        let mut all: Vec<[f64; 3]> = Vec::with_capacity(self.count);
        let as_stored = own_angles(bone);
        for frame in 0..self.count {
            let time = self.rate.seconds(frame as f64);
            let angles = match as_stored {
                Some((angles, scale)) => triple(angles, self.rate, time).map(|angle| angle * scale),
                None => turns::angles(bone.order, self.rotation(bone, time), all.last().copied()),
            };
            all.push(angles);
        }
        all
    }

    fn rotation(&self, bone: &Bone<'_>, time: Seconds) -> Quat {
        let local = match bone.rotation {
            Some(channel) => quaternion(channel, self.rate, time),
            None => quat_normalise_or_identity(bone.node.rest.rotation),
        };
        unturned(bone, local)
    }

    fn position(&self, bone: &Bone<'_>, time: Seconds) -> [f64; 3] {
        match bone.translation {
            Some(channel) => {
                let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
                let curves: Vec<&Curve> = channel.composition.curves().collect();
                let offset = triple(&curves, self.rate, time).map(|x| x * scale);
                sum(bone.origin, applied(&bone.from_parent, offset))
            }
            None => bone.offset,
        }
    }

    /// All numbers, frame by frame.
    pub(super) fn values(&self, skeleton: &Skeleton<'_>) -> Vec<f64> {
        let bones = || skeleton.bones.iter().zip(&self.angles).filter(|(bone, _)| !bone.is_end);
        let width: usize = bones().map(|(bone, _)| if bone.has_positions { 6 } else { 3 }).sum();
        let mut values = Vec::with_capacity(width * self.count);
        for frame in 0..self.count {
            let time = self.rate.seconds(frame as f64);
            for (bone, angles) in bones() {
                if bone.has_positions {
                    values.extend(self.position(bone, time).map(rounded));
                }
                let angles = angles.get(frame).copied().unwrap_or_default();
                values.extend(bone.order.axes().map(|axis| rounded(angles[axis].to_degrees())));
            }
        }
        values
    }

    /// The largest differences between a scene and the reading of a file with these angles: of a rotation,
    /// half-way between two frames, and of points up to `shell` from a joint.
    pub(super) fn between(&self, skeleton: &Skeleton<'_>, shell: f64) -> [Option<LargestDeviation>; 2] {
        let bends: Vec<Bend<'_>> =
            skeleton.bones.iter().zip(&self.angles).map(|(bone, angles)| Bend::of(bone, angles)).collect();
        if self.clip.tracks.is_empty() || !bends.iter().any(Bend::is_bent) {
            return [None, None];
        }
        [self.most_turned(skeleton, &bends), self.farthest(skeleton, &bends, shell)]
    }

    /// The largest difference of a rotation half-way between two frames.
    fn most_turned(&self, skeleton: &Skeleton<'_>, bends: &[Bend<'_>]) -> Option<LargestDeviation> {
        let mut largest: Option<LargestDeviation> = None;
        for (index, bone) in skeleton.bones.iter().enumerate().filter(|(index, _)| bends[*index].is_bent()) {
            for frame in 0..self.count.saturating_sub(1) {
                let [scene, file] = self.turns_between(bone, index, bends[index], frame, 0.5);
                let size = quat_angle(scene, file);
                if size > largest.as_ref().map_or(REMARKABLE_RAD, |largest| largest.size) {
                    let time = self.rate.seconds(frame as f64 + 0.5);
                    largest = Some(LargestDeviation { size, target: bone.node.name.clone(), time });
                }
            }
        }
        largest
    }

    /// The largest displacement of points around joints, between the two frames with the largest displacement
    /// half-way.
    fn farthest(&self, skeleton: &Skeleton<'_>, bends: &[Bend<'_>], shell: f64) -> Option<LargestDeviation> {
        let look = |(frame, share): (usize, f64)| {
            let (displacement, bone) = self.way_between(skeleton, bends, shell, frame, share);
            (displacement, bone, frame, share)
        };
        let larger = |a: (f64, usize, usize, f64), b: (f64, usize, usize, f64)| if b.0 > a.0 { b } else { a };
        let half_way = (0..self.count.saturating_sub(1)).map(|frame| look((frame, 0.5))).reduce(larger)?;
        let near = SHARES.into_iter().map(|share| look((half_way.2, share)));
        let (size, bone, frame, share) = near.fold(half_way, larger);
        let target = skeleton.bones.get(bone)?.node.name.clone();
        Some(LargestDeviation { size, target, time: self.rate.seconds(frame as f64 + share) })
    }

    /// Rotations of a bone at a share of the time from a frame to the next: of the scene, and of the file.
    fn turns_between(
        &self,
        bone: &Bone<'_>,
        index: usize,
        bend: Bend<'_>,
        frame: usize,
        share: f64,
    ) -> [Quat; 2] {
        let angles = self.angles.get(index).map(Vec::as_slice).unwrap_or_default();
        let [from, to] = [frame, frame + 1].map(|frame| angles.get(frame).copied().unwrap_or_default());
        let [start, end] = [from, to].map(|angles| turns::rotation(bone.order, angles));
        let shortest = if from == to { start } else { slerp(start, end, share) };
        let file = if bend.is_wound { turns::rotation(bone.order, mixed(from, to, share)) } else { shortest };
        let scene = bend.even.map_or(shortest, |even| unturned(bone, even.rotation(self.rate, frame, share)));
        [scene, file]
    }

    /// The largest displacement of points around a joint of the file from their places in the scene, and the
    /// joint.
    fn way_between(
        &self,
        skeleton: &Skeleton<'_>,
        bends: &[Bend<'_>],
        shell: f64,
        frame: usize,
        share: f64,
    ) -> (f64, usize) {
        let mut farthest = (0.0, 0);
        let turns = |(bend, angles): (&Bend<'_>, &Vec<[f64; 3]>)| {
            bend.is_bent() && angles.get(frame) != angles.get(frame + 1)
        };
        if !bends.iter().zip(&self.angles).any(turns) {
            return farthest;
        }
        let mut poses: Vec<[Pose; 2]> = Vec::with_capacity(skeleton.bones.len());
        for (index, (bone, bend)) in skeleton.bones.iter().zip(bends).enumerate() {
            let [from, to] =
                [frame, frame + 1].map(|frame| self.position(bone, self.rate.seconds(frame as f64)));
            let (position, turns) =
                (mixed(from, to, share), self.turns_between(bone, index, *bend, frame, share));
            let above = bone.parent.and_then(|parent| poses.get(parent)).copied().unwrap_or_default();
            let pair = [0, 1].map(|side| above[side].child(position, turns[side]));
            let turn = 2.0 * libm::sin(0.5 * quat_angle(pair[0].turn, pair[1].turn));
            let displacement = distance(pair[0].position, pair[1].position) + shell * turn;
            if displacement > farthest.0 {
                farthest = (displacement, index);
            }
            poses.push(pair);
        }
        farthest
    }
}

/// An angle in radians, without whole turns if it shows its file to count turns.
fn unwound(angle: f64) -> f64 {
    if winds(rounded(angle.to_degrees())) { angle - TAU * (angle / TAU).round() } else { angle }
}

/// Shares of the time between two frames at which the largest displacement is looked for.
const SHARES: [f64; 8] = [0.3, 0.35, 0.4, 0.45, 0.55, 0.6, 0.65, 0.7];

/// Place and rotation of a joint in the model.
#[derive(Clone, Copy)]
struct Pose {
    position: [f64; 3],
    turn: Quat,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: [0.0; 3], turn: [0.0, 0.0, 0.0, 1.0] }
    }
}

impl Pose {
    fn child(&self, place: [f64; 3], turn: Quat) -> Self {
        let position = sum(self.position, quat_rotate(self.turn, place));
        Self { position, turn: quat_product(self.turn, turn) }
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Reasons why a rotation does not take the shortest way between frames, in the scene or in the file.
#[derive(Clone, Copy)]
struct Bend<'a> {
    /// True if the file has angles beyond a half turn, which are interpolated linearly.
    is_wound: bool,
    /// Angles of the scene that are interpolated linearly.
    even: Option<Even<'a>>,
}

impl<'a> Bend<'a> {
    fn of(bone: &Bone<'a>, angles: &[[f64; 3]]) -> Self {
        // Few angles are that large, and rounding takes long.
        let is_near = |angle: &&f64| angle.abs() > 0.99 * TAU;
        let is_wound =
            angles.iter().flatten().filter(is_near).any(|angle| winds(rounded(angle.to_degrees())));
        Self { is_wound, even: bone.rotation.and_then(even_angles) }
    }

    const fn is_bent(&self) -> bool {
        self.is_wound || self.even.is_some()
    }
}

/// Angles interpolated linearly from frame to frame.
#[derive(Clone, Copy)]
struct Even<'a> {
    order: EulerOrder,
    angles: &'a [Curve],
    /// Radians per stored unit.
    scale: f64,
}

impl Even<'_> {
    /// The rotation at a share of the time from a frame to the next.
    fn rotation(&self, rate: FrameRate, frame: usize, share: f64) -> Quat {
        let ends = [frame, frame + 1].map(|frame| triple(self.angles, rate, rate.seconds(frame as f64)));
        turns::rotation(self.order, mixed(ends[0], ends[1], share).map(|angle| angle * self.scale))
    }
}

/// The angles of a channel, if they do run evenly anywhere.
fn even_angles(channel: &Channel) -> Option<Even<'_>> {
    let Composition::Euler { order, angles } = &channel.composition else { return None };
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let runs = angles.iter().any(|curve| !curve.laws.all(|law| law.blend == Blend::Slerp));
    runs.then_some(Even { order: *order, angles, scale })
}

fn mixed(from: [f64; 3], to: [f64; 3], share: f64) -> [f64; 3] {
    std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
}

/// A rotation of a bone for a skeleton without rotations at rest: with W the rest pose in model space and p
/// the parent, W_p · A · W⁻¹.
fn unturned(bone: &Bone<'_>, local: Quat) -> Quat {
    let turned = quat_product(bone.parent_turn, local);
    quat_normalise_or_identity(quat_product(turned, quat_inverse(bone.turn)))
}

/// The angles of a bone from its channel, with radians per unit, if the file has the same angles: no rotation
/// at rest.
fn own_angles<'a>(bone: &Bone<'a>) -> Option<(&'a [Curve], f64)> {
    let channel = bone.rotation?;
    let Composition::Euler { angles, .. } = &channel.composition else { return None };
    let is_plain = |turn: Quat| turn == [0.0, 0.0, 0.0, 1.0];
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    (is_plain(bone.turn) && is_plain(bone.parent_turn)).then_some((angles.as_slice(), scale))
}

/// Three numbers of a single curve, or of a curve for each.
fn triple<C: std::borrow::Borrow<Curve>>(curves: &[C], rate: FrameRate, time: Seconds) -> [f64; 3] {
    let mut all = curves.iter().flat_map(|curve| curve.borrow().row_on(rate, time)).map(|x| f64::from(*x));
    std::array::from_fn(|_| all.next().unwrap_or(0.0))
}

fn quaternion(channel: &Channel, rate: FrameRate, time: Seconds) -> Quat {
    if let Composition::Euler { order, angles } = &channel.composition {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        return turns::rotation(*order, triple(angles, rate, time).map(|angle| angle * scale));
    }
    let mut all =
        channel.composition.curves().flat_map(|curve| curve.row_on(rate, time)).map(|x| f64::from(*x));
    quat_normalise_or_identity(std::array::from_fn(|_| all.next().unwrap_or(0.0)))
}
