//! Times at which feet and hands are on the ground.
//!
//! A joint stands while it is low and slow. Height and speed have two limits each: a stand starts below the
//! lower limits and ends above the higher limits, so that jitter about a limit does not come and go
//! (hysteresis, as a Schmitt trigger has it). Feet stand as high above the ground as their joints do when
//! they are lowest, so neither the level of the ground nor the thickness of a sole has to be given. The
//! ground is taken to be level.

use crate::body::upright;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::Side;
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::sample::rig::{Behaviour, Player};
use glam::DVec3;

/// Limits of standing. Lengths and speeds are in lengths of the figure's leg (thigh and shin at rest), so that they fit figures of any
/// size: for an adult 0.05 is about 4 cm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLimits {
    /// Highest joint at the start of a stand and during the stand, above its lowest standing height, in
    /// lengths of the leg.
    pub height: [f64; 2],
    /// Fastest joint at the start of a stand and during the stand, in lengths of the leg per second.
    pub speed: [f64; 2],
    /// Time over which speed is measured, in seconds: long enough that jitter of a millimetre counts for
    /// nothing.
    pub window: Seconds,
    /// Shortest stand, in seconds.
    pub shortest: Seconds,
}

impl Default for ContactLimits {
    /// Height of 5 % of the leg and speed of 25 % of the leg per second at the start, 8 % and 50 % during a
    /// stand; speed over 50 ms; 60 ms at least.
    fn default() -> Self {
        Self { height: [0.05, 0.08], speed: [0.25, 0.5], window: Seconds(0.05), shortest: Seconds(0.06) }
    }
}

/// A joint that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// [`HumanBone::LeftFoot`] and its partner for ankles (heels), [`HumanBone::LeftToes`] for balls, [`HumanBone::LeftHand`] for wrists.
    pub bone: HumanBone,
    /// Its node.
    pub node: NodeIndex,
    /// First time of the stand.
    pub start: Seconds,
    /// Last time of the stand.
    pub end: Seconds,
}

/// Stands of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// By bone, then by time. Stands of the same joint do not touch.
    pub stands: Vec<Contact>,
    /// Length of a thigh and a shin at rest, in units of the scene's basis.
    pub leg: f64,
    /// Standing height of each foot joint in units of the basis: ankles, then balls where the figure has
    /// them.
    pub heights: [Option<f64>; 2],
    /// The axis of the scene that is up for the figure by its stance, whatever its format says.
    pub up: DVec3,
}

impl Contacts {
    /// The stands of a joint, by time.
    pub fn of(&self, bone: HumanBone) -> impl Iterator<Item = &Contact> {
        self.stands.iter().filter(move |stand| stand.bone == bone)
    }

    /// True if a joint stands at a time.
    #[must_use]
    pub fn stands(&self, bone: HumanBone, time: Seconds) -> bool {
        self.of(bone).any(|stand| (stand.start.0..=stand.end.0).contains(&time.0))
    }
}

/// Samples per second of clips without frames, or with fewer.
const SAMPLES: FrameRate = FrameRate::FPS_60;
/// Most samples of a clip.
const MOST_SAMPLES: usize = 1 << 22;
/// Share of all samples below the standing height of a foot: lower samples are glitches.
const LOWEST: f64 = 0.02;

/// Ankles, balls, wrists.
const PAIRS: [[HumanBone; 2]; 3] = [
    [HumanBone::LeftFoot, HumanBone::RightFoot],
    [HumanBone::LeftToes, HumanBone::RightToes],
    [HumanBone::LeftHand, HumanBone::RightHand],
];

/// The stands of a figure in a clip of its scene, at the frames of the clip, or 60 times a second. Depends on nothing but its arguments.
///
/// `None` if the figure has no legs, or the scene's rig cannot be solved.
#[must_use]
pub fn contacts(scene: &Scene, humanoid: &Humanoid, clip: &Clip, limits: &ContactLimits) -> Option<Contacts> {
    let leg = leg_length(scene, humanoid)?;
    let times = sample_times(clip)?;
    let bones: Vec<(HumanBone, NodeIndex)> =
        PAIRS.into_iter().flatten().filter_map(|bone| Some((bone, *humanoid.bones.get(&bone)?))).collect();
    let nodes: Vec<NodeIndex> = bones.iter().map(|(_, node)| *node).collect();
    let paths = places(scene, clip, &times, &nodes)?;
    let up = upright::up(scene, humanoid, Some(clip));
    let heights: Vec<Vec<f64>> =
        paths.iter().map(|path| path.iter().map(|position| position.dot(up)).collect()).collect();
    let lowest = |pair: [HumanBone; 2]| {
        let of_pair = bones.iter().zip(&heights).filter(|((bone, _), _)| pair.contains(bone));
        lowest(of_pair.flat_map(|(_, heights)| heights.iter().copied()).collect())
    };
    let standing = [lowest(PAIRS[0]), lowest(PAIRS[1])];
    let mut contacts = Contacts { stands: Vec::new(), leg, heights: standing, up };
    for (((bone, node), path), heights) in bones.into_iter().zip(&paths).zip(&heights) {
        // A wrist on the ground is about as high as an ankle that stands.
        let ground = if PAIRS[1].contains(&bone) { standing[1] } else { standing[0] }?;
        let speeds = speeds(path, &times, limits.window);
        let samples =
            heights.iter().map(|height| (height - ground) / leg).zip(speeds.iter().map(|speed| speed / leg));
        for (first, last) in held(samples, limits) {
            let (Some(start), Some(end)) = (times.get(first), times.get(last)) else { continue };
            if end.0 - start.0 >= limits.shortest.0 {
                contacts.stands.push(Contact { bone, node, start: *start, end: *end });
            }
        }
    }
    Some(contacts)
}

/// The times at which a clip is sampled: its frames, or 60 a second if the frames are fewer than 20 a second.
/// `None` of a clip with too many.
pub(crate) fn sample_times(clip: &Clip) -> Option<Vec<Seconds>> {
    let rate = clip.grid.filter(|grid| grid.fps() >= 20.0).unwrap_or(SAMPLES);
    let count = rate.frame(clip.end()).floor() + 1.0;
    (count <= MOST_SAMPLES as f64)
        .then(|| (0..count as usize).map(|frame| rate.seconds(frame as f64)).collect())
}

/// Length of a thigh and a shin at rest; the mean of the legs that the figure has.
fn leg_length(scene: &Scene, humanoid: &Humanoid) -> Option<f64> {
    use HumanBone as B;
    let rest = model_pose(scene, &dopesheet_motion::sample::pose::rest_pose(scene)).0;
    let position = |bone| rest.get(humanoid.bones.get(&bone)?.0).map(|node| node.translation);
    let legs =
        [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];
    let lengths = legs.into_iter().filter_map(|[hip, knee, ankle]| {
        let knee = position(knee)?;
        Some(position(hip)?.distance(knee) + knee.distance(position(ankle)?))
    });
    let lengths: Vec<f64> = lengths.filter(|length| length.is_finite() && *length > 0.0).collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    (mean > 0.0).then_some(mean)
}

/// The way of each node in the scene.
fn places(scene: &Scene, clip: &Clip, times: &[Seconds], nodes: &[NodeIndex]) -> Option<Vec<Vec<DVec3>>> {
    let mut paths = vec![Vec::with_capacity(times.len()); nodes.len()];
    // Rigs know no scales, so that figures without one are posed as they are.
    let is_rigged = !scene.rig.is_empty();
    let mut player = is_rigged.then(|| Player::new(scene, clip, Behaviour::default())).transpose().ok()?;
    for time in times {
        let model: Vec<DVec3> = match &mut player {
            Some(player) => {
                let solved = player.pose_at(*time, Side::At);
                solved.model.iter().map(|joint| DVec3::from(joint.translation)).collect()
            }
            None => {
                let model = model_pose(scene, &local_pose(scene, clip, *time));
                model.0.iter().map(|joint| joint.translation).collect()
            }
        };
        for (path, node) in paths.iter_mut().zip(nodes) {
            path.push(model.get(node.0).copied().unwrap_or_default());
        }
    }
    Some(paths)
}

/// The height below which only glitches lie; `None` without heights.
fn lowest(mut heights: Vec<f64>) -> Option<f64> {
    heights.retain(|height| height.is_finite());
    ascend(&mut heights);
    let at = (heights.len().saturating_sub(1) as f64 * LOWEST) as usize;
    heights.get(at).copied()
}

/// Speed at each time: the lower of the speeds just before and just behind, for a foot that touches down is
/// slow from there on.
fn speeds(path: &[DVec3], times: &[Seconds], window: Seconds) -> Vec<f64> {
    let step = if let [first, second, ..] = times { second.0 - first.0 } else { 1.0 };
    let reach = ((window.0 / step).round() as usize).max(1);
    let between = |early: usize, late: usize| -> Option<f64> {
        let (from, to) = (path.get(early)?, path.get(late)?);
        let over = times.get(late)?.0 - times.get(early)?.0;
        (over > 0.0).then(|| to.distance(*from) / over)
    };
    let speed = |at: usize| {
        let before = at.checked_sub(reach).and_then(|early| between(early, at));
        let behind = between(at, at.saturating_add(reach));
        before.into_iter().chain(behind).fold(f64::INFINITY, f64::min)
    };
    (0..path.len()).map(speed).collect()
}

/// First and last sample of each run that starts within the lower limits and ends above the higher limits.
fn held(samples: impl Iterator<Item = (f64, f64)>, limits: &ContactLimits) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let ([high_at_start, high], [fast_at_start, fast]) = (limits.height, limits.speed);
    for (at, (height, speed)) in samples.enumerate() {
        let starts = height <= high_at_start && speed <= fast_at_start;
        let lasts = height <= high && speed <= fast;
        open = match open {
            Some((first, _)) if lasts => Some((first, at)),
            None if starts => Some((at, at)),
            None => None,
            Some(run) => {
                runs.push(run);
                None
            }
        };
    }
    runs.extend(open);
    runs
}
