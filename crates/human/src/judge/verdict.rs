//! Verdict on a motion taken by another figure, measured on the written motion: directions of limbs, heights
//! of soles, slides of stands, and lowest points.
//!
//! Arms, legs and the trunk are lines between joints, which point the same way in both figures whatever their
//! lengths are. Feet, hands, shoulders and the neck are built differently in each figure, so they are
//! measured by their departure from their mean angle to the source's, and the back by its departure from the
//! source's as it bends. Legs of held feet may point elsewhere.

use crate::body::figure::{ARMS, FEET, Figure, LEGS, parts, play};
use crate::body::ground::standing_on;
use crate::body::in_gltf;
use crate::body::shape::Body;
use crate::stand::contacts::{ContactLimits, contacts};
use HumanBone as B;
use dopesheet_core::diag::{Limb, Lowest, Slide, Verdict};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order::by_number;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::inside::ChainTransform;
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Code of the finding about a motion that is faulty on its new figure.
pub const NOT_LIKE_THE_SOURCE: &str = "not-like-the-source";

/// Most times at which both figures are compared.
const MOST_TIMES: usize = 240;
/// Largest angle in radians between a limb and the source's: of lines between joints, of limbs built
/// differently, and of trunks, which bend in other places.
const WITHIN_RAD: [f64; 3] = [0.017_453, 0.087_266, 0.174_533];

/// Limbs that are built differently in each figure.
const BUILT: [[HumanBone; 2]; 7] = [
    [B::LeftFoot, B::LeftToes],
    [B::RightFoot, B::RightToes],
    [B::LeftHand, B::LeftMiddleProximal],
    [B::RightHand, B::RightMiddleProximal],
    [B::LeftShoulder, B::LeftUpperArm],
    [B::RightShoulder, B::RightUpperArm],
    [B::Neck, B::Head],
];

/// The trunk, which is a line with another number of parts in each figure; and its part without the head,
/// which may bend otherwise.
const TRUNK: [HumanBone; 2] = [B::Hips, B::Head];
const BACK: [HumanBone; 2] = [B::Hips, B::Neck];

/// A figure with a motion.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// The scene of the figure; a scene with a rig has to be in glTF's axes.
    pub scene: &'a Scene,
    /// Its bones.
    pub humanoid: &'a Humanoid,
    /// Position of the clip in the scene.
    pub clip: usize,
    /// Height in metres of the ground under its soles: that by which the figure was raised.
    pub ground_m: f64,
}

/// A figure in glTF's axes at each time, facing +Z.
struct Played<'a> {
    /// Places and rotations of the bones at each time.
    poses: Vec<Vec<ChainTransform>>,
    humanoid: &'a Humanoid,
    facing: DQuat,
    /// Heights of bones of the standing figure, with its soles on the ground.
    standing: BTreeMap<HumanBone, f64>,
    /// Length of a thigh and a shin.
    leg: f64,
    /// Joints, ends of bones and soles: their bones, nodes, and positions in the axes of the nodes.
    points: Vec<(HumanBone, usize, DVec3)>,
    /// Height of the ground.
    ground_m: f64,
}

impl<'a> Played<'a> {
    fn of(moving: &Moving<'a>, times: &[f64]) -> Option<Self> {
        let (humanoid, ground_m, played) = (moving.humanoid, moving.ground_m, moving.scene);
        let stored = played.clips.get(moving.clip)?;
        let bare = Scene {
            nodes: played.nodes.clone(),
            hierarchy: played.hierarchy,
            clips: vec![stored.clone()],
            ..Scene::new(played.basis)
        };
        let scene = in_gltf(&bare);
        // A clip of goals says nothing of how its figure rests.
        let still = Scene { clips: Vec::new(), ..scene.clone() };
        let (resting, played, clip) = match scene.clips.first().filter(|_| played.rig.is_empty()) {
            Some(clip) => (&scene, &scene, clip),
            None => (&still, played, stored),
        };
        let body = standing_on(Figure { scene: resting, humanoid }, true, ground_m)?;
        let mut poses = Vec::with_capacity(times.len());
        play(played, clip, times.iter().copied().map(Seconds), &mut |placed| poses.push(placed.to_vec()))?;
        let position = |bone: HumanBone| Some(body.facing * body.figure.place(&body.rest, bone)?);
        let length = |[from, to]: [HumanBone; 2]| Some(position(from)?.distance(position(to)?));
        let [thigh, shin] = parts(LEGS[0]);
        let leg = length(thigh)? + length(shin)?;
        // A figure raised at the user's wish is judged by the ground raised with it.
        let standing = body.bones.iter().map(|(bone, joint)| (*bone, joint.place.y + ground_m)).collect();
        Some(Self { points: points(&body), poses, humanoid, facing: body.facing, standing, leg, ground_m })
    }

    fn node(&self, bone: HumanBone) -> Option<usize> {
        self.humanoid.bones.get(&bone).map(|node| node.0)
    }

    fn at(&self, time: usize, bone: HumanBone) -> Option<DVec3> {
        Some(self.facing * self.poses.get(time)?.get(self.node(bone)?)?.place())
    }

    /// Direction from a bone to another bone at a time.
    fn way(&self, time: usize, [from, to]: [HumanBone; 2]) -> Option<DVec3> {
        (self.at(time, to)? - self.at(time, from)?).try_normalize()
    }

    /// A way as seen from a bone.
    fn seen(&self, time: usize, bone: HumanBone, way: DVec3) -> Option<DVec3> {
        let rotation = self.poses.get(time)?.get(self.node(bone)?)?.rotation;
        Some((self.facing * rotation).conjugate() * way)
    }
}

/// The verdict on a motion of a figure taken by another figure; `None` if either has no legs or no clip of
/// that index. `stands` are the held stands with their slides.
#[must_use]
pub fn verdict(source: &Moving<'_>, target: &Moving<'_>, stands: &[Slide]) -> Option<Verdict> {
    let times = times(source)?;
    let (from, to) = (Played::of(source, &times)?, Played::of(target, &times)?);
    Some(judged(target.clip, &from, &to, stands, &times))
}

/// Times at which both figures are compared, in seconds.
fn times(source: &Moving<'_>) -> Option<Vec<f64>> {
    let clip = source.scene.clips.get(source.clip)?;
    let end = clip.end().0;
    let frames = clip.grid.unwrap_or(FrameRate::FPS_30).frame(Seconds(end));
    let count = (frames.round().max(0.0) as usize).min(MOST_TIMES);
    Some((0..=count).map(|n| end * n as f64 / count.max(1) as f64).collect())
}

fn judged(clip: usize, from: &Played<'_>, to: &Played<'_>, stands: &[Slide], times: &[f64]) -> Verdict {
    let held = stands.iter().any(|stand| stand.clip == clip);
    // Lines between joints.
    let lines = LEGS.into_iter().chain(ARMS).flat_map(parts).filter_map(|limb| {
        apart(limb, times, |time| Some(from.way(time, limb)?.angle_between(to.way(time, limb)?)))
    });
    let built = BUILT.iter().filter_map(|limb| turned(from, to, *limb, times));
    let trunk = apart(TRUNK, times, |time| Some(from.way(time, TRUNK)?.angle_between(to.way(time, TRUNK)?)));
    let back = bent(from, to, times).filter(|limb| limb.angle_rad > WITHIN_RAD[2]);
    let trunk = back.or(trunk).map(|limb| Limb { bone: B::Spine.word().to_owned(), ..limb });
    let limbs: Vec<(Limb, f64)> = lines
        .map(|limb| (limb, WITHIN_RAD[0]))
        .chain(built.map(|limb| (limb, WITHIN_RAD[1])))
        .chain(trunk.map(|limb| (limb, WITHIN_RAD[2])))
        .collect();
    let (within, off): (Vec<_>, Vec<_>) = limbs.iter().partition(|(limb, limit)| limb.angle_rad <= *limit);
    let largest_within = |is_line| {
        let of_kind = within.iter().filter(|(_, limit)| (*limit == WITHIN_RAD[0]) == is_line);
        of_kind.map(|(limb, _)| limb.angle_rad).fold(0.0, f64::max)
    };
    let mut off: Vec<Limb> = off.into_iter().map(|(limb, _)| limb.clone()).collect();
    by_number(&mut off, |limb| -limb.angle_rad);
    let of_clip = || stands.iter().filter(|stand| stand.clip == clip);
    let largest = |of: fn(&Slide) -> f64| of_clip().map(of).fold(0.0, f64::max);
    let (soles_m, sole_at) = soles(from, to, of_clip(), times).unzip();
    Verdict {
        clip,
        limbs: limbs.len(),
        within_rad: largest_within(true),
        trunk_within_rad: largest_within(false),
        off,
        legs_are_held: held,
        soles_m,
        sole_at,
        slides_m: held.then(|| [largest(|slide| slide.before_m), largest(|slide| slide.after_m)]),
        lowest: lowest(from, to, times),
    }
}

/// Joints of a figure, ends of its bones, which are their only children and no bones, and soles below ankles
/// and balls.
fn points(body: &Body<'_>) -> Vec<(HumanBone, usize, DVec3)> {
    let Figure { scene, humanoid } = body.figure;
    let mut points = Vec::new();
    for (bone, node) in &humanoid.bones {
        let mut below = (0..).zip(&scene.nodes).filter(|(_, child)| child.parent == Some(*node));
        let only = below.next().filter(|_| below.next().is_none()).map(|(child, _)| child);
        let end = only.filter(|child| !body.figure.has(NodeIndex(*child)));
        points.extend(std::iter::once(node.0).chain(end).map(|node| (*bone, node, DVec3::ZERO)));
        if let Some(joint) = body.bones.get(bone).filter(|_| foot(bone.word()).is_some()) {
            let down = body.after(node.0, joint.correction) * DVec3::NEG_Y;
            points.push((*bone, node.0, down * joint.place.y));
        }
    }
    points
}

/// Lowest points of both figures, the source's in metres of the other figure.
fn lowest(from: &Played<'_>, to: &Played<'_>, times: &[f64]) -> Lowest {
    let of = |figure: &Played<'_>| {
        let mut lowest = (f64::INFINITY, B::Hips, 0.0);
        for (pose, time) in figure.poses.iter().zip(times) {
            for (bone, node, offset) in &figure.points {
                let Some(at) = pose.get(*node) else { continue };
                let height = (figure.facing * (at.place() + at.rotation * *offset)).y - figure.ground_m;
                if height < lowest.0 {
                    lowest = (height, *bone, *time);
                }
            }
        }
        lowest
    };
    let ((source, ..), (height_m, bone, time)) = (of(from), of(to));
    Lowest {
        height_m,
        bone: bone.word().to_owned(),
        time: Seconds(time),
        source_m: source * to.leg / from.leg,
    }
}

/// As [`verdict`], with the stands found in the source and the distance of each in the target beyond the
/// source's own.
#[must_use]
pub fn verdict_alone(source: &Moving<'_>, target: &Moving<'_>) -> Option<Verdict> {
    let clip = source.scene.clips.get(source.clip)?;
    let contacts = contacts(source.scene, source.humanoid, clip, &ContactLimits::default())?;
    let times = times(source)?;
    let (from, to) = (Played::of(source, &times)?, Played::of(target, &times)?);
    let slide = |bone: HumanBone, stand: [Seconds; 2]| {
        let [Seconds(start), Seconds(end)] = stand;
        let during = times.iter().enumerate().filter(|(_, time)| (start..=end).contains(*time));
        let during: Vec<usize> = during.map(|(index, _)| index).collect();
        let gone = |figure: &Played<'_>| {
            let offset = |time: &usize| Some(figure.at(*time, bone)? - figure.at(*during.first()?, bone)?);
            during.iter().filter_map(offset).map(|offset| libm::hypot(offset.x, offset.z)).fold(0.0, f64::max)
        };
        (gone(&to) - gone(&from) * to.leg / from.leg).max(0.0)
    };
    let feet = contacts.stands.iter().filter(|stand| foot(stand.bone.word()).is_some());
    let stands: Vec<Slide> = feet
        .map(|contact| {
            let stand = [contact.start, contact.end];
            let slide_m = slide(contact.bone, stand);
            Slide {
                clip: source.clip,
                bone: contact.bone.word().to_owned(),
                stand,
                before_m: slide_m,
                after_m: slide_m,
            }
        })
        .collect();
    Some(judged(source.clip, &from, &to, &stands, &times))
}

/// The largest angle of a limb, and when.
fn apart(limb: [HumanBone; 2], times: &[f64], angle: impl Fn(usize) -> Option<f64>) -> Option<Limb> {
    let angles = times.iter().enumerate().filter_map(|(index, time)| Some((angle(index)?, *time)));
    let (angle_rad, time) = angles.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let [bone, _] = limb;
    Some(Limb { bone: bone.word().to_owned(), angle_rad, time: Seconds(time) })
}

/// Largest angle between the direction of a bone and its mean direction, both as seen from the source's bone.
fn turned(from: &Played<'_>, to: &Played<'_>, limb: [HumanBone; 2], times: &[f64]) -> Option<Limb> {
    let [bone, _] = limb;
    from.way(0, limb)?;
    let seen = |time: usize| from.seen(time, bone, to.way(time, limb)?);
    let mean = (0..times.len()).filter_map(seen).sum::<DVec3>().try_normalize()?;
    apart(limb, times, |time| Some(seen(time)?.angle_between(mean)))
}

/// Largest angle between the backs of both figures as seen from the source's hips, less their mean
/// difference, which is due to their build.
fn bent(from: &Played<'_>, to: &Played<'_>, times: &[f64]) -> Option<Limb> {
    let seen = |time: usize| {
        let both = [from.way(time, BACK)?, to.way(time, BACK)?];
        let [theirs, ours] = both.map(|way| from.seen(time, B::Hips, way));
        theirs.zip(ours)
    };
    let all = (0..times.len()).filter_map(seen);
    let built = all.map(|(theirs, ours)| ours - theirs).sum::<DVec3>() / times.len() as f64;
    apart(BACK, times, |time| seen(time).map(|(theirs, ours)| (theirs + built).angle_between(ours)))
}

/// The joints of the foot with a bone; `None` of other bones.
fn foot(bone: &str) -> Option<[HumanBone; 2]> {
    FEET.into_iter().find(|foot| foot.iter().any(|joint| joint.word() == bone))
}

/// Lowest and highest departure in metres of a sole during stands, below or above the range between its
/// height at rest and the height of the source's sole above its lowest stand; with bone and time of the
/// farthest departure. The height of a sole is the lower of the heights of its ankle and its ball above their
/// heights with the foot flat.
fn soles<'a>(
    from: &Played<'_>,
    to: &Played<'_>,
    stands: impl Iterator<Item = &'a Slide> + Clone,
    times: &[f64],
) -> Option<([f64; 2], (String, Seconds))> {
    let during = |stand: &Slide| {
        let [Seconds(start), Seconds(end)] = stand.stand;
        times.partition_point(|time| *time < start)..times.partition_point(|time| *time <= end)
    };
    let feet = || stands.clone().filter_map(|stand| Some((foot(&stand.bone)?, during(stand))));
    let at = |time: usize, bone: HumanBone| from.at(time, bone).map(|position| position.y);
    let lowest = [0, 1].map(|joint| {
        let all =
            feet().flat_map(|(foot, during)| during.filter_map(move |time| at(time, *foot.get(joint)?)));
        all.fold(f64::INFINITY, f64::min)
    });
    let sole = |foot: [HumanBone; 2], height: &dyn Fn(HumanBone, usize) -> Option<f64>| {
        let both = foot.into_iter().enumerate().filter(|(_, bone)| to.standing.contains_key(bone));
        both.filter_map(|(joint, bone)| height(bone, joint)).reduce(f64::min)
    };
    let mut range: Option<([f64; 2], (f64, HumanBone, f64))> = None;
    for (foot, during) in feet() {
        for time in during {
            let theirs = sole(foot, &|bone, joint| Some(at(time, bone)? - lowest.get(joint)?));
            let ours = sole(foot, &|bone, _| Some(to.at(time, bone)?.y - to.standing.get(&bone)?));
            let Some((theirs, ours)) = theirs.map(|height| height * to.leg / from.leg).zip(ours) else {
                continue;
            };
            let off = ours - ours.clamp(theirs.min(0.0), theirs.max(0.0));
            let candidate = (off, foot[0], *times.get(time)?);
            let ([low, high], farthest) = range.unwrap_or(([off; 2], candidate));
            let farthest = if off.abs() > farthest.0.abs() { candidate } else { farthest };
            range = Some(([low.min(off), high.max(off)], farthest));
        }
    }
    range.map(|(range, (_, bone, time))| (range, (bone.word().to_owned(), Seconds(time))))
}
