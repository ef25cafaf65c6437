//! Times at which feet and hands are on the ground.
//!
//! A joint stands while it is low and slow. Height and speed have two limits each: a stand starts below the
//! lower limits and ends above the higher limits, so that jitter about a limit does not come and go
//! (hysteresis, as a Schmitt trigger has it). Feet stand as high above the ground as their joints do when
//! they are lowest, so neither the level of the ground nor the thickness of a sole has to be given. The
//! ground is taken to be level.

use crate::body::figure::{Figure, LEGS, play};
use crate::body::first_frame::motion_start;
use crate::body::upright::Stance;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use glam::DVec3;
use std::collections::BTreeMap;

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

/// The stands of a figure in a clip of its scene, at the frames of the clip, or 60 times a second, from the [start of its
/// motion](motion_start) on. Depends on nothing but its arguments.
///
/// `None` if the figure has no legs, or the scene's rig cannot be solved.
#[must_use]
pub fn contacts(scene: &Scene, humanoid: &Humanoid, clip: &Clip, limits: &ContactLimits) -> Option<Contacts> {
    let figure = Figure { scene, humanoid };
    Paths::of(figure, clip)?.contacts(figure, clip, limits)
}

/// Ways of the joints that may stand, from frame to frame of a clip.
pub(crate) struct Paths {
    /// The frames, or 60 times a second if the frames are fewer than 20 a second.
    pub(crate) times: Vec<Seconds>,
    /// Node and positions of each joint, as seen from the root of the scene.
    joints: BTreeMap<HumanBone, (NodeIndex, Vec<DVec3>)>,
}

impl Paths {
    /// `None` of a clip with too many frames, or with a rig that cannot be solved.
    pub(crate) fn of(figure: Figure<'_>, clip: &Clip) -> Option<Self> {
        let rate = clip.grid.filter(|grid| grid.fps() >= 20.0).unwrap_or(SAMPLES);
        let count = rate.frame(clip.end()).floor() + 1.0;
        if count > MOST_SAMPLES as f64 {
            return None;
        }
        let times: Vec<Seconds> = (0..count as usize).map(|frame| rate.seconds(frame as f64)).collect();
        let bones = PAIRS.into_iter().flatten();
        let mut joints: BTreeMap<HumanBone, (NodeIndex, Vec<DVec3>)> = bones
            .filter_map(|bone| Some((bone, (figure.node(bone)?, Vec::with_capacity(times.len())))))
            .collect();
        play(figure.scene, clip, times.iter().copied(), &mut |placed| {
            for (node, path) in joints.values_mut() {
                path.push(placed.get(node.0).map(|node| node.place()).unwrap_or_default());
            }
        })?;
        Some(Self { times, joints })
    }

    /// Positions of a joint.
    pub(crate) fn path(&self, bone: HumanBone) -> Option<&[DVec3]> {
        self.joints.get(&bone).map(|(_, path)| path.as_slice())
    }

    /// The stands of the joints. `None` if the figure has no legs.
    pub(crate) fn contacts(
        &self,
        figure: Figure<'_>,
        clip: &Clip,
        limits: &ContactLimits,
    ) -> Option<Contacts> {
        let leg = leg_length(figure)?;
        let up = Stance::of(figure).up(Some(clip));
        let heights = |path: &[DVec3]| path.iter().map(|position| position.dot(up)).collect::<Vec<f64>>();
        let start = motion_start(figure, clip, None);
        let skipped = self.times.partition_point(|time| time.0 < start.0);
        let lowest = |pair: [HumanBone; 2]| {
            let paths = pair.into_iter().filter_map(|bone| self.path(bone));
            lowest(paths.flat_map(|path| heights(path.get(skipped..).unwrap_or_default())).collect())
        };
        let standing = [lowest(PAIRS[0]), lowest(PAIRS[1])];
        let mut contacts = Contacts { stands: Vec::new(), leg, heights: standing, up };
        for bone in PAIRS.into_iter().flatten() {
            let Some((node, path)) = self.joints.get(&bone) else { continue };
            // A wrist on the ground is about as high as an ankle that stands.
            let ground = if PAIRS[1].contains(&bone) { standing[1] } else { standing[0] }?;
            let heights = heights(path).into_iter().map(|height| (height - ground) / leg);
            let speeds = speeds(path, &self.times, limits.window);
            for (first, last) in held(heights.zip(speeds.iter().map(|speed| speed / leg)), limits) {
                let (Some(start), Some(end)) = (self.times.get(first.max(skipped)), self.times.get(last))
                else {
                    continue;
                };
                if end.0 - start.0 >= limits.shortest.0 {
                    contacts.stands.push(Contact { bone, node: *node, start: *start, end: *end });
                }
            }
        }
        Some(contacts)
    }
}

/// Length of a thigh and a shin at rest; the mean of the legs that the figure has.
fn leg_length(figure: Figure<'_>) -> Option<f64> {
    let rest = figure.at_rest();
    let lengths = LEGS.into_iter().filter_map(|leg| figure.length(&rest, leg));
    let lengths: Vec<f64> = lengths.filter(|length| length.is_finite() && *length > 0.0).collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    (mean > 0.0).then_some(mean)
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
