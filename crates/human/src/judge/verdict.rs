//! Verdict on a motion taken by another figure, measured on the written motion at the frames of the source.
//!
//! Arms, legs, trunk and feet are lines between joints, and constant angles count as all others. Slides, soles and
//! depths are measured beside the source's, in lengths of a figure with legs as long.

use super::played::{Moving, Played, TURNING};
use super::touches::{Touch, floor, ground, in_air, touches};
use crate::body::figure::{ARMS, FEET, Figure, LEGS, parts};
use crate::body::first_frame::motion_start;
use HumanBone as B;
use dopesheet_core::diag::{Measure, MeasureKind, Verdict};
use dopesheet_core::model::HumanBone;
use dopesheet_core::units::{FrameRate, Seconds};
use glam::{DQuat, DVec3};

/// Code of the finding about a motion that is faulty on its new figure.
pub const NOT_LIKE_THE_SOURCE: &str = "not-like-the-source";

/// The verdict on a motion of a figure taken by another figure; `None` if either has no legs or no clip of that
/// index.
#[must_use]
pub fn verdict(source: &Moving<'_>, target: &Moving<'_>) -> Option<Verdict> {
    let times = frames(source, target)?;
    let (from, to) = (Played::of(source, &times)?, Played::of(target, &times)?);
    let pair = Pair { ratio: to.leg / from.leg, from, to, times };
    let mut measures = Vec::new();
    for kind in [pair.arms(), pair.legs(true), pair.legs(false), pair.trunk(), pair.feet(), pair.twist()] {
        measures.extend(kind);
    }
    measures.extend(pair.on_the_ground());
    measures.extend(pair.bends());
    Some(Verdict { clip: target.clip, measures })
}

/// Times of the frames of the source's clip in seconds, from where both figures are in motion.
fn frames(source: &Moving<'_>, target: &Moving<'_>) -> Option<Vec<f64>> {
    let clip = source.scene.clips.get(source.clip)?;
    let figure = Figure { scene: source.scene, humanoid: source.humanoid };
    let start = motion_start(figure, clip, target.scene.clips.get(target.clip)?.grid);
    let end = clip.end();
    let count = clip.grid.unwrap_or(FrameRate::FPS_30).frame(end).round().max(0.0) as usize;
    let times = (0..=count).map(|frame| end.0 * frame as f64 / count.max(1) as f64);
    Some(times.filter(|time| *time > start.0 - SAME_TIME_S).collect())
}

/// Difference in seconds up to which times are of one frame.
const SAME_TIME_S: f64 = 1e-6;

/// Both figures at the same times.
struct Pair {
    from: Played,
    to: Played,
    times: Vec<f64>,
    /// Length of the target's leg as a multiple of the source's.
    ratio: f64,
}

impl Pair {
    fn arms(&self) -> Option<Measure> {
        let lines = ARMS.into_iter().flat_map(parts);
        let angles = lines.map(|line| self.angles(MeasureKind::Arms, line, |_| true));
        angles.flatten().reduce(larger)
    }

    /// Legs whose feet are in the air, or the others.
    fn legs(&self, is_free: bool) -> Option<Measure> {
        let kind = if is_free { MeasureKind::FreeLegs } else { MeasureKind::StandingLegs };
        let of_leg = |(leg, foot): ([HumanBone; 3], [HumanBone; 2])| {
            let free = in_air(&self.from, foot, &self.times);
            let angles =
                parts(leg).map(|line| self.angles(kind, line, |time| free.get(time) == Some(&is_free)));
            angles.into_iter().flatten().reduce(larger)
        };
        LEGS.into_iter().zip(FEET).filter_map(of_leg).reduce(larger)
    }

    fn trunk(&self) -> Option<Measure> {
        let kind = MeasureKind::Trunk;
        let from_hips = |bone: HumanBone| {
            let angle = |time: usize| {
                let [theirs, ours] = [&self.from, &self.to].map(|figure| figure.trunk(bone, time));
                Some(theirs?.angle_between(ours?))
            };
            self.largest(kind, B::Spine, angle)
        };
        let neck = self.angles(kind, [B::Neck, B::Head], |_| true);
        [from_hips(B::Neck), from_hips(B::Head), neck].into_iter().flatten().reduce(larger)
    }

    fn feet(&self) -> Option<Measure> {
        FEET.into_iter().filter_map(|foot| self.angles(MeasureKind::Feet, foot, |_| true)).reduce(larger)
    }

    /// Turns about the axes of forearms, hands and the head.
    fn twist(&self) -> Option<Measure> {
        let of_bone = |(bone, axis): (HumanBone, DVec3)| {
            let (theirs, ours) = (self.from.turns.get(&bone)?, self.to.turns.get(&bone)?);
            self.largest(MeasureKind::Twist, bone, |time| {
                Some(turn_about(axis, theirs.get(time)?.conjugate() * *ours.get(time)?).abs())
            })
        };
        TURNING.into_iter().filter_map(of_bone).reduce(larger)
    }

    /// Slides and soles while the source's feet touch the ground, and the lowest points.
    fn on_the_ground(&self) -> impl Iterator<Item = Measure> {
        let feet = FEET.into_iter().map(|foot| touches(&self.from, foot, &self.times));
        let touches: Vec<Touch> = feet.flatten().collect();
        let slides = touches.iter().filter_map(|touch| self.slide(touch)).reduce(larger);
        let touches_ground = !touches.is_empty();
        let ground = if touches_ground { ground(&self.from) } else { 0.0 };
        let soles = touches.iter().filter_map(|touch| self.sole(touch, ground)).reduce(larger);
        [slides, soles, self.depth(touches_ground)].into_iter().flatten()
    }

    /// Slide during a touch beyond the source's. A foot may turn about a joint that stands, so that the joint
    /// with the least slide counts.
    fn slide(&self, touch: &Touch) -> Option<Measure> {
        let of_joint = |joint: &HumanBone| {
            let widths = [&self.from, &self.to]
                .map(|figure| Some(width(figure.places.get(joint)?.get(touch.during.clone())?)));
            let [theirs, ours] = widths;
            let source = theirs? * self.ratio;
            let at = self.at(MeasureKind::Slides, *joint, *touch.during.start(), ours? - source)?;
            Some(Measure { source, ..at })
        };
        touch.joints.iter().filter_map(of_joint).min_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// Height of a sole during a touch, outside of the range between the floor and the source's sole.
    fn sole(&self, touch: &Touch, ground: f64) -> Option<Measure> {
        let off = |time: usize| {
            let height = |figure: &Played, floor: f64| {
                let heights = touch.joints.iter().filter_map(|joint| {
                    Some(figure.at(*joint, time)?.y - figure.standing.get(joint)? - floor)
                });
                heights.reduce(f64::min)
            };
            let theirs = height(&self.from, ground)? * self.ratio;
            let ours = height(&self.to, 0.0)?;
            Some((time, ours - ours.clamp(theirs.min(0.0), theirs.max(0.0))))
        };
        let farthest = touch.during.clone().filter_map(off).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let (time, height) = farthest?;
        self.at(MeasureKind::Soles, *touch.joints.first()?, time, height)
    }

    /// Depth of the lowest point below the floor beyond the source's depth below its own floor, which only feet
    /// that touch it show.
    fn depth(&self, touches_ground: bool) -> Option<Measure> {
        let floor = floor(&self.from);
        let depth = self.from.lowest.iter().map(|(height, _)| floor - height).reduce(f64::max)?;
        let source = if touches_ground { depth * self.ratio } else { 0.0 };
        let all = self.to.lowest.iter().enumerate();
        let (time, (height, bone)) = all.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let at = self.at(MeasureKind::Depth, *bone, time, -height - source)?;
        Some(Measure { source, ..at })
    }

    /// Speeds at which knees and elbows bend, beyond the source's.
    fn bends(&self) -> Option<Measure> {
        let of_limb = |limb: [HumanBone; 3]| {
            let [_, middle, _] = limb;
            self.largest(MeasureKind::Bends, middle, |time| {
                let before = time.checked_sub(1)?;
                let lasting = self.times.get(time)? - self.times.get(before)?;
                let [theirs, ours] = [&self.from, &self.to]
                    .map(|figure| Some(bend(figure, limb, time)?.distance(bend(figure, limb, before)?)));
                Some((ours? - theirs?) / lasting)
            })
        };
        LEGS.into_iter().chain(ARMS).filter_map(of_limb).reduce(larger)
    }

    /// Largest angle between a line of both figures at some of the times.
    fn angles(
        &self,
        kind: MeasureKind,
        line: [HumanBone; 2],
        counts: impl Fn(usize) -> bool,
    ) -> Option<Measure> {
        let [bone, _] = line;
        self.largest(kind, bone, |time| {
            let [theirs, ours] = [&self.from, &self.to].map(|figure| figure.line(line, time));
            counts(time).then_some(theirs?.angle_between(ours?))
        })
    }

    /// Largest value of a bone, and its smallest.
    fn largest(
        &self,
        kind: MeasureKind,
        bone: HumanBone,
        value: impl Fn(usize) -> Option<f64>,
    ) -> Option<Measure> {
        let values = (0..self.times.len()).filter_map(|time| Some((time, value(time)?)));
        let (mut largest, mut least) = (None, f64::INFINITY);
        for (time, value) in values {
            least = least.min(value);
            if largest.is_none_or(|(_, other)| value > other) {
                largest = Some((time, value));
            }
        }
        let (time, value) = largest?;
        Some(Measure { least, ..self.at(kind, bone, time, value)? })
    }

    /// A value at a time.
    fn at(&self, kind: MeasureKind, bone: HumanBone, time: usize, value: f64) -> Option<Measure> {
        let time = Seconds(*self.times.get(time)?);
        Some(Measure { kind, bone: bone.word().to_owned(), time, value, least: 0.0, source: 0.0 })
    }
}

fn larger(a: Measure, b: Measure) -> Measure {
    if b.size() > a.size() { b } else { a }
}

/// Angle in radians by which a rotation turns about an axis.
fn turn_about(axis: DVec3, rotation: DQuat) -> f64 {
    let turned = rotation.xyz().dot(axis);
    let angle = 2.0 * libm::atan2(turned, rotation.w);
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

/// Number of directions in which a path over the ground is measured: its width is at most 2 % short.
const DIRECTIONS: usize = 8;

/// Largest width of a path over the ground.
fn width(path: &[DVec3]) -> f64 {
    let across = |direction: usize| {
        let (sin, cos) = libm::sincos(std::f64::consts::PI * direction as f64 / DIRECTIONS as f64);
        let along = path.iter().map(|place| place.x * cos + place.z * sin);
        let ends =
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)]);
        let [low, high] = ends;
        high - low
    };
    (0..DIRECTIONS).map(across).fold(0.0, f64::max)
}

/// Axis about which a knee or an elbow is bent, as long as the angle.
fn bend(figure: &Played, limb: [HumanBone; 3], time: usize) -> Option<DVec3> {
    let [upper, lower] = parts(limb).map(|line| figure.line(line, time));
    let (upper, lower) = (upper?, lower?);
    Some(upper.cross(lower).normalize_or_zero() * upper.angle_between(lower))
}
