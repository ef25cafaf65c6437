//! The numbers of all frames.

use super::super::notes::axes;
use super::super::turns::{self, Quat};
use super::super::winding::winds;
use super::skeleton::{Bone, Skeleton, applied, sum};
use dopesheet_core::model::{Blend, Channel, Clip, Composition, Curve, EulerOrder};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{quat_angle, quat_normalise_or_identity, slerp};

/// Six decimals, to which numbers are rounded.
const DECIMALS: f64 = 1e6;

/// A number with six decimals; what is none is 0, and what no format can store the largest that they can.
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

/// The largest difference of a rotation.
pub(super) struct Moved {
    pub(super) angle_rad: f64,
    pub(super) target: String,
    pub(super) time: Seconds,
}

impl<'a> Frames<'a> {
    /// The first `count` frames of a clip.
    pub(super) fn of(skeleton: &Skeleton<'_>, clip: &'a Clip, rate: FrameRate, count: usize) -> Self {
        let mut frames = Self { count, rate, angles: Vec::new(), clip };
        frames.angles = skeleton.bones.iter().map(|bone| frames.turns_of(bone)).collect();
        frames
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
                let place = triple(&curves, self.rate, time).map(|x| x * scale);
                sum(bone.origin, applied(&bone.from_parent, place))
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
                values.extend(axes(bone.order).map(|axis| rounded(angles[axis].to_degrees())));
            }
        }
        values
    }

    /// The largest difference between a rotation of the scene half-way between two frames and what a file with these angles is
    /// read as there.
    pub(super) fn between(&self, skeleton: &Skeleton<'_>) -> Option<Moved> {
        let mut worst: Option<Moved> = None;
        for (bone, angles) in skeleton.bones.iter().zip(&self.angles) {
            let is_wound = angles.iter().flatten().any(|angle| winds(rounded(angle.to_degrees())));
            let evenly = bone.rotation.and_then(even_angles);
            if !is_wound && evenly.is_none() {
                continue;
            }
            for (frame, pair) in angles.windows(2).enumerate() {
                let [from, to] = [pair[0], pair[1]];
                if from == to {
                    continue;
                }
                let ends = [from, to].map(|angles| turns::rotation(bone.order, angles));
                let shortest = slerp(ends[0], ends[1], 0.5);
                let written = if is_wound { turns::rotation(bone.order, middle(from, to)) } else { shortest };
                let own = evenly.map_or(shortest, |own| unturned(bone, own.half_way(self.rate, frame)));
                let angle_rad = quat_angle(own, written);
                if angle_rad > worst.as_ref().map_or(REMARKABLE_RAD, |worst| worst.angle_rad) {
                    let time = self.rate.seconds(frame as f64 + 0.5);
                    worst = Some(Moved { angle_rad, target: bone.node.name.clone(), time });
                }
            }
        }
        worst.filter(|_| !self.clip.tracks.is_empty())
    }
}

/// Angles that run evenly from frame to frame.
#[derive(Clone, Copy)]
struct Even<'a> {
    order: EulerOrder,
    angles: &'a [Curve],
    /// Radians per stored unit.
    scale: f64,
}

impl Even<'_> {
    /// The rotation between a frame and the next.
    fn half_way(&self, rate: FrameRate, frame: usize) -> Quat {
        let ends = [frame, frame + 1].map(|frame| triple(self.angles, rate, rate.seconds(frame as f64)));
        turns::rotation(self.order, middle(ends[0], ends[1]).map(|angle| angle * self.scale))
    }
}

/// The angles of a channel, if they do run evenly anywhere.
fn even_angles(channel: &Channel) -> Option<Even<'_>> {
    let Composition::Euler { order, angles } = &channel.composition else { return None };
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let runs = angles.iter().any(|curve| !curve.laws.all(|law| law.blend == Blend::Slerp));
    runs.then_some(Even { order: *order, angles, scale })
}

fn middle(from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| 0.5 * (from[axis] + to[axis]))
}

/// A rotation of a bone where none is turned at rest: with W the rest pose in model space and p the parent,
/// W_p · A · W⁻¹.
fn unturned(bone: &Bone<'_>, local: Quat) -> Quat {
    let turned = turns::product(bone.parent_turn, local);
    quat_normalise_or_identity(turns::product(turned, turns::inverse(bone.turn)))
}

/// The angles of a bone as its channel has them, with radians per unit, if they are those of the file: nothing is turned
/// at rest.
fn own_angles<'a>(bone: &Bone<'a>) -> Option<(&'a [Curve], f64)> {
    let channel = bone.rotation?;
    let Composition::Euler { angles, .. } = &channel.composition else { return None };
    let is_plain = |turn: Quat| turn == [0.0, 0.0, 0.0, 1.0];
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    (is_plain(bone.turn) && is_plain(bone.parent_turn)).then_some((angles.as_slice(), scale))
}

/// Three numbers of one curve, or of one for each.
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
