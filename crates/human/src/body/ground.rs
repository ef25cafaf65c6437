//! The ground of a figure: the height of its feet above the ground, and the height of the ground in a clip.
//!
//! The ground is near the file's zero, whatever the figure's height at rest: files state rest positions that
//! their clips never show. The ground is at the lowest resting feet if soles of other shoes explain their
//! height, and at zero if nothing does: stairs and jumps keep their height. Where every resting foot is far
//! from zero, by an amount that a position at rest explains, the ground is at the feet. Feet below zero need no
//! explanation, because nobody stands below a floor, nor do feet of a body whose file states no lengths of legs.

use super::figure::{FEET, Figure, hangs_on};
use super::first_frame::motion_start;
use super::moves::{Moves, Way};
use super::shape::Body;
use super::upright::Resting;
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, NodeIndex, RestPose};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_motion::Side;

const ANKLES: [HumanBone; 2] = [B::LeftFoot, B::RightFoot];

/// Difference in height from which on two grounds contradict each other, in lengths of the leg: 10 cm of an
/// adult.
const SLACK: f64 = 0.115;
/// Share of the times with resting feet near zero from which on the ground is at zero.
const FEW: f64 = 0.05;
/// Share of the times at the height of rest from which on hips count as staying at rest height.
const MOSTLY: f64 = 0.8;
/// Speed below which a foot rests, in lengths of the leg per second.
const SLOW: f64 = 0.25;
/// Time over which the speed is measured, in seconds.
const STEP_S: f64 = 1.0 / 30.0;
/// Most times at which a clip is sampled.
const MOST_TIMES: u32 = 240;
/// Share of resting feet below their standing height: lower samples are glitches.
const LOWEST: f64 = 0.02;
/// Heights of the lowest joint of feet on the ground at rest, in lengths of the leg: joints are above soles.
const ON_GROUND: std::ops::RangeInclusive<f64> = -0.02..=0.25;
/// Lowest mean height of hips above a ground away from zero, in lengths of the leg.
const LOWEST_HIPS: f64 = 0.4;
/// Height of an ankle of a foot without toes, in lengths of the leg.
const ANKLE: f64 = 0.08;
/// Lower feet say nothing about their soles, in lengths of the leg.
const FLAT: f64 = 0.02;
/// Largest height of a ground explained by other soles, in lengths of the leg: 5 cm of an adult.
const SOLES: f64 = 0.06;
/// Smallest height of a ground away from zero, in lengths of the leg.
const SLIGHT: f64 = 0.001;

/// The ground of a motion that another figure takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floor {
    /// The file's zero, unless heights of stands and rest positions tell of another height.
    #[default]
    Weighed,
    /// The height of the lowest stands, in each clip.
    Stands,
    /// The file's zero.
    Origin,
    /// No ground: the hips are as high as in the source, scaled, wherever the feet come to stand.
    Keep,
}

/// The body of a figure on its ground. `None` if the humanoid names nodes that are not there, or has no
/// hips. Eyes are bones only with `eyes`.
pub(crate) fn standing(figure: Figure<'_>, eyes: bool) -> Option<Body<'_>> {
    standing_on(figure, eyes, 0.0)
}

/// As [`standing`], of a figure raised by `ground` in its motion.
pub(crate) fn standing_on(figure: Figure<'_>, eyes: bool, ground: f64) -> Option<Body<'_>> {
    let mut body = Body::hanging(figure, eyes)?;
    body.ankle = ankle(&body, ground);
    let raised = body.ankle - body.lowest(ANKLES).unwrap_or(0.0);
    body.bones.values_mut().for_each(|bone| bone.place.y += raised);
    Some(body)
}

/// Height of the lower ankle above its sole in the T-pose: the height at rest if the figure stands straight
/// on the ground then, else the standing height in its first clip, else the height at rest near the ground or
/// the height of its foot.
fn ankle(body: &Body<'_>, ground: f64) -> f64 {
    let leg = body.leg();
    let lowest = |bones: &[HumanBone]| {
        let heights = bones.iter().filter_map(|bone| at_rest(body, body.bones.get(bone)?.node));
        heights.fold(f64::INFINITY, f64::min)
    };
    let joint = lowest(FEET.as_flattened());
    let is_on_ground = leg > 0.0 && ON_GROUND.contains(&(joint / leg));
    if body.resting == Resting::Straight && is_on_ground {
        return lowest(&ANKLES);
    }
    let foot = foot(body);
    let foot = if foot > FLAT * leg { foot } else { ANKLE * leg };
    let first = body.figure.scene.clips.first().and_then(|clip| {
        let moves = Moves::of(body.figure.scene, clip);
        let stands = Stands::of(body, &moves)?.above(ground);
        Some(stands.lowest()? - far(body, &moves, &stands, foot))
    });
    let at_rest = Some(lowest(&ANKLES)).filter(|_| is_on_ground);
    first.filter(|height| (height - foot).abs() <= SLACK * leg).or(at_rest).unwrap_or(foot)
}

/// Height of the ground in a clip, along the figure's way up.
pub(crate) fn of(body: &Body<'_>, moves: &Moves<'_>, floor: Floor) -> f64 {
    let stands = Stands::of(body, moves).filter(|_| matches!(floor, Floor::Weighed | Floor::Stands));
    let Some(stands) = stands else { return 0.0 };
    let off = stands.lowest().map_or(0.0, |lowest| lowest - body.ankle);
    let height = if floor == Floor::Stands { off } else { weighed(body, moves, &stands, off) };
    if height.abs() < SLIGHT * body.leg() { 0.0 } else { height }
}

/// Height of the ground by all that tells of it, `off` being the height of the lowest stands.
fn weighed(body: &Body<'_>, moves: &Moves<'_>, stands: &Stands, off: f64) -> f64 {
    let far = far(body, moves, stands, body.ankle);
    if far != 0.0 {
        return far;
    }
    let slack = SLACK * body.leg();
    let is_explained = if off < -slack {
        stands.share_near(body.ankle, slack) < FEW
    } else {
        stands.rest && body.stands_on_soles && off <= SOLES * body.leg()
    };
    let has_lengths = body.figure.scene.rest != RestPose::Ordinary;
    let is_ground = is_explained || stands.rest && !has_lengths;
    if is_ground && stands.hips - off >= LOWEST_HIPS * body.leg() { off } else { 0.0 }
}

/// Height of a ground far from zero; 0 of any other ground.
fn far(body: &Body<'_>, moves: &Moves<'_>, stands: &Stands, ankle: f64) -> f64 {
    let slack = SLACK * body.leg();
    if stands.share_near(ankle, slack) >= FEW {
        return 0.0;
    }
    let is_ground = |off: &f64| off.abs() > slack && stands.hips - off >= LOWEST_HIPS * body.leg();
    let Some(off) = stands.lowest().map(|lowest| lowest - ankle).filter(is_ground) else { return 0.0 };
    let Some(hips) = body.bones.get(&B::Hips).map(|bone| bone.node) else { return 0.0 };
    let chain = moves.way(None, hips);
    let hips_at_rest = at_rest(body, hips).unwrap_or(0.0);
    // Hips that stay as high as they rest, but for glitches, have no height of their own.
    let as_at_rest = stands.hips_heights.iter().filter(|height| (*height - hips_at_rest).abs() <= slack);
    if as_at_rest.count() as f64 >= MOSTLY * stands.hips_heights.len() as f64 {
        return off;
    }
    if !stands.rest {
        return 0.0;
    }
    // What a root adds to its positions, or leaves out of them.
    let roots = chain.nodes().filter_map(|node| at_rest(body, node)).flat_map(|height| [height, -height]);
    roots.into_iter().find(|height| (off - height).abs() <= slack).unwrap_or(0.0)
}

fn at_rest(body: &Body<'_>, node: usize) -> Option<f64> {
    body.rest.get(node).map(|rest| (body.facing * rest.place()).y)
}

/// Height of the ankle above the lowest node of its foot in the T-pose, of the higher foot.
fn foot(body: &Body<'_>) -> f64 {
    let drop = |foot: &HumanBone| {
        let (bone, node) = (body.bones.get(foot)?, body.figure.node(*foot)?);
        let ankle = body.rest.get(node.0)?.place();
        let below =
            body.rest.iter().enumerate().filter(|(n, _)| hangs_on(body.figure.scene, NodeIndex(*n), node));
        let drops = below.map(|(_, rest)| -(bone.correction * (body.facing * (rest.place() - ankle))).y);
        Some(drops.fold(0.0, f64::max))
    };
    ANKLES.iter().filter_map(drop).fold(0.0, f64::max)
}

/// Heights of ankles while their feet rest, as high as they were with the foot flat, ascending; of all if no foot ever does.
struct Stands {
    heights: Vec<f64>,
    /// True if any foot rests.
    rest: bool,
    /// Mean height of the hips.
    hips: f64,
    /// Their heights from time to time.
    hips_heights: Vec<f64>,
}

impl Stands {
    fn of(body: &Body<'_>, moves: &Moves<'_>) -> Option<Self> {
        let to_node = |node: usize| moves.way(None, node);
        let feet = body
            .feet
            .iter()
            .map(|foot| (to_node(foot.ankle), foot.ball.map(|(ball, above)| (to_node(ball), above))));
        let feet: Vec<_> = feet.collect();
        let hips = moves.way(None, body.bones.get(&B::Hips)?.node);
        let longest_step = SLOW * body.leg() * STEP_S;
        let (mut resting, mut all) = (Vec::new(), Vec::new());
        let mut hips_heights = Vec::new();
        let start = motion_start(body.figure, moves.clip, None).0;
        for time in times(moves.clip).filter(|time| *time >= start) {
            hips_heights.push((body.facing * moves.end(&hips, Seconds(time), Side::At).place()).y);
            let at = |chain: &Way| {
                let position = |time: f64| moves.end(chain, Seconds(time), Side::At).place();
                let (from, to) = (position(time), position(time + STEP_S));
                ((body.facing * from).y, from.distance(to) <= longest_step)
            };
            for (ankle, ball) in &feet {
                let (height, rests) = at(ankle);
                let ball = ball.as_ref().map(|(chain, above)| (at(chain), above));
                let ball = ball.map(|((height, rests), above)| (height - above, rests));
                let (height, rests) = ball.filter(|ball| ball.0 < height).unwrap_or((height, rests));
                all.push(height);
                if rests {
                    resting.push(height);
                }
            }
        }
        let rest = !resting.is_empty();
        let mut heights = if rest { resting } else { all };
        heights.retain(|height| height.is_finite());
        ascend(&mut heights);
        let hips = hips_heights.iter().sum::<f64>() / hips_heights.len() as f64;
        (!heights.is_empty()).then_some(Self { heights, rest, hips, hips_heights })
    }

    /// The same heights, above a ground.
    fn above(mut self, ground: f64) -> Self {
        self.hips -= ground;
        self.heights.iter_mut().chain(&mut self.hips_heights).for_each(|height| *height -= ground);
        self
    }

    /// The height below which only glitches lie; `None` without heights.
    fn lowest(&self) -> Option<f64> {
        self.heights.get((self.heights.len().saturating_sub(1) as f64 * LOWEST) as usize).copied()
    }

    fn share_near(&self, height: f64, slack: f64) -> f64 {
        let near = self.heights.iter().filter(|sample| (**sample - height).abs() <= slack).count();
        near as f64 / self.heights.len().max(1) as f64
    }
}

/// Times over a clip in seconds: about [`MOST_TIMES`] at most, and no closer than [`STEP_S`].
fn times(clip: &Clip) -> impl Iterator<Item = f64> + use<> {
    let Seconds(end) = clip.end();
    let end = end.max(0.0);
    let step = (end / f64::from(MOST_TIMES)).max(STEP_S);
    // Behind its end nothing moves.
    let last = (end - STEP_S).max(0.0);
    (0..).map(move |n| f64::from(n) * step).take_while(move |time| *time <= last)
}
