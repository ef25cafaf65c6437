//! Foot locking: an IK pass keeps the feet and hands of a figure in place during the contacts of the source.

use super::contacts::{ContactLimits, Paths};
use super::plants::{Footing, Plants};
use crate::body::curves::Sampled;
use crate::body::figure::Figure;
use crate::body::limb::{FADE_S, Limb, Placed, Stand, correction};
use crate::body::measures::{SHARE, at, span, times};
use crate::body::moves::{Moves, Way};
use crate::body::shape::Body;
use crate::body::tracks::{metres_off, put};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{Channel, Clip, NodeIndex, Property};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::{Side, Tolerance};
use glam::{DMat3, DQuat, DVec3};
use std::cell::RefCell;
use std::collections::HashMap;

/// Largest difference between the speeds at which a knee turns with and without being held, in radians per second. Rather than
/// turn faster, a leg is too short or too long.
const KNEE_RAD_PER_S: f64 = 4.7;
/// Largest distance by which the hips leave their way, in lengths of the leg.
const FARTHEST: f64 = 0.07;
/// Weight of hips that stay on their way beside that of a foot that stays on the ground.
const ON_WAY: f64 = 0.1;
/// Weight of a distance along a straight leg beside the same distance across the leg, which turns the leg far less.
const STRAIGHT: f64 = 50.0;
/// Largest acceleration of the hips beside their way, as a share of their acceleration on it.
const PUSHED: f64 = 0.18;
/// Acceleration of hips that nobody sees, in lengths of the leg per second squared.
const UNSEEN: f64 = 0.2;
/// Part of a bone's share of the tolerance for the way of the hips.
const STEADY: f64 = 0.25;
/// Most rounds in which the way of the hips is smoothed until its acceleration is allowed.
const MOST_SMOOTHINGS: usize = 12;
/// Most rounds in which stands are let go: hips stay higher without a stand, so that other stands are easier to hold.
const MOST_ROUNDS: usize = 3;
/// Time over which hips leave their way and come back, in seconds.
const LEAVING_S: f64 = 0.15;
/// Time from a position to the next for accelerations, in seconds: less is noise.
const STEP_S: f64 = 1.0 / 30.0;

/// Cosine of the largest lean of a figure.
const UPRIGHT: f64 = 0.99;
/// Distance in metres that counts as zero.
const NOTHING_M: f64 = 1e-9;

/// The contacts of a source that are kept when another figure takes its motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Planted {
    /// No contacts: bones point in the directions of the source's bones, and feet slide.
    Nothing,
    /// Contacts of feet.
    #[default]
    Feet,
    /// Contacts of feet and hands.
    All,
}

/// The IK pass over the clips of a target.
pub(crate) struct IkPass<'a> {
    pub(crate) planted: Planted,
    /// The source with all its bones.
    pub(crate) source: Figure<'a>,
    pub(crate) from: &'a Body<'a>,
    pub(crate) to: &'a Body<'a>,
    /// Length of the target's legs, as a multiple of the source's.
    pub(crate) ratio: f64,
    /// The node that translates the hips, and the matrix from world directions into the axes of its parent.
    pub(crate) lowering: Option<(NodeIndex, DMat3)>,
    pub(crate) tolerance: Tolerance,
}

/// A clip of a target with feet and hands held.
pub(crate) struct Held {
    pub(crate) clip: Clip,
    pub(crate) limbs: Vec<PlantedLimb>,
    /// Times at which the limbs are given, in seconds.
    pub(crate) times: Vec<f64>,
    /// Errors of new keys.
    pub(crate) errors: Vec<MaxError>,
}

/// A limb with contacts, and its joints at each time before the pass and after the pass.
pub(crate) struct PlantedLimb {
    pub(crate) limb: Limb,
    pub(crate) footing: Footing,
    pub(crate) placed: Vec<Placed>,
    pub(crate) held: Vec<Placed>,
    stands: Vec<Stand>,
}

/// The pass over a clip.
struct IkSolver<'a> {
    pass: &'a IkPass<'a>,
    moves: Moves<'a>,
    times: Vec<f64>,
    /// Vector by which the hips leave their way, at each time.
    shifts: Vec<DVec3>,
    up: DVec3,
}

impl IkPass<'_> {
    /// A clip of the target with feet and hands held as in the source's clip; `None` if nothing stands.
    pub(crate) fn hold(
        &self,
        motion: &Clip,
        ground: f64,
        unheld: &Clip,
        report: &mut Report,
    ) -> Option<Held> {
        let paths = Paths::of(self.source, motion);
        let contacts =
            paths.as_ref().and_then(|paths| paths.contacts(self.source, motion, &ContactLimits::default()));
        // Another clip may stand another way up than the first, by which the figure is known.
        let is_upright = contacts.as_ref().is_none_or(|contacts| self.from.up().dot(contacts.up) >= UPRIGHT);
        let (Some(paths), Some(contacts), true) = (paths, contacts, is_upright) else {
            let why =
                if is_upright { "the clip is too long" } else { "its first clip stands another way up" };
            report.dropped("contacts with the ground, so that feet may slide", why);
            return None;
        };
        let times: Vec<f64> = paths.times.iter().map(|time| time.0).collect();
        let (source, from, to, ratio) = (self.source, self.from, self.to, self.ratio);
        let (paths, contacts) = (&paths, &contacts);
        let plants = Plants { source, from, to, ratio, ground, paths, contacts, times: &times };
        let mut limbs = self.limbs(&plants, unheld);
        if limbs.iter().all(|planted| planted.footing.contacts.is_empty()) {
            return None;
        }
        let moves = Moves::of(to.figure.scene, unheld);
        let mut solver = IkSolver { pass: self, moves, shifts: Vec::new(), up: to.up(), times };
        let gone = solver.settle(&mut limbs);
        if !gone.is_empty() {
            let stands = counted(gone.len(), "stand");
            report.dropped(
                format!("the hold of {stands} ({})", gone.join(", ")),
                "the foot would slide farther than unheld, or its leg turn by more than 15°",
            );
        }
        let (tracks, errors) = solver.tracks(&limbs);
        let times = solver.times;
        let mut clip = unheld.clone();
        for (node, channel) in tracks {
            put(&mut clip, to.figure.scene, node, channel);
        }
        for limb in &mut limbs {
            limb.held = self.placed(&limb.limb, &times, &clip);
        }
        Some(Held { clip, limbs, times, errors })
    }

    /// The limbs to be held, with their motion in a clip of the target.
    fn limbs(&self, plants: &Plants<'_>, made: &Clip) -> Vec<PlantedLimb> {
        let Figure { scene, humanoid } = self.to.figure;
        let front = self.to.facing.conjugate() * DVec3::Z;
        let mut limbs = Limb::legs(scene, humanoid, front);
        if self.planted == Planted::All {
            limbs.extend(Limb::arms(scene, humanoid, front));
        }
        let planted = |limb: Limb| {
            let footing = plants.footing(&limb)?;
            let placed = self.placed(&limb, plants.times, made);
            let [.., end] = limb.joints;
            let stands = footing.stands(end, plants.times, &placed);
            Some(PlantedLimb { limb, footing, placed, held: Vec::new(), stands })
        };
        limbs.into_iter().filter_map(planted).collect()
    }

    /// A limb of the target at each time.
    fn placed(&self, limb: &Limb, times: &[f64], clip: &Clip) -> Vec<Placed> {
        let moves = Moves::of(self.to.figure.scene, clip);
        let path = moves.way(None, limb.joints[2].0);
        times.iter().map(|time| placed(limb, &path, &moves, (Seconds(*time), Side::At))).collect()
    }
}

impl PlantedLimb {
    /// True of a leg, whose foot stays in place if the hips come down.
    fn is_leg(&self) -> bool {
        self.limb.ball().is_some()
    }
}

impl IkSolver<'_> {
    /// The correction of a limb's end at a time, and the share of the correction that counts there, given the
    /// limb without correction.
    fn by(&self, own: &PlantedLimb, time: f64, placed: &Placed) -> Option<(DVec3, f64)> {
        let [.., end] = placed.places;
        let position = |_, at: f64| match self.times.binary_search_by(|sample| sample.total_cmp(&at)) {
            Ok(index) if at != time => own.placed.get(index).map_or(end, |placed| placed.places[2]),
            _ => end,
        };
        let first = own.stands.partition_point(|stand| stand.ends().1 + FADE_S < time);
        let last = own.stands.partition_point(|stand| stand.ends().0 - FADE_S <= time);
        let by = correction(own.stands.get(first..last).unwrap_or_default(), time, position);
        let lift = own.footing.lift((&self.times, time), placed, by.map_or(end, |(by, _)| end + by));
        match by {
            Some((by, share)) => Some((by + lift, share)),
            None => (lift != DVec3::ZERO).then(|| (lift, own.footing.touches((&self.times, time)))),
        }
    }

    /// Lets go of stands until all others do more good than harm, and finds the shifts of the hips. Yields the limbs and times of the
    /// stands that are not held.
    fn settle(&mut self, limbs: &mut [PlantedLimb]) -> Vec<String> {
        let mut gone = Vec::new();
        for _ in 0..MOST_ROUNDS {
            self.shifts = self.shifts(limbs);
            let before = gone.len();
            for planted in limbs.iter_mut() {
                let ([.., bone], [.., node]) = (planted.limb.bones, planted.limb.joints);
                let held = self.solved(planted);
                let spans = planted.footing.let_go(&self.times, &planted.placed, &held);
                planted.stands = planted.footing.stands(node, &self.times, &planted.placed);
                let words =
                    spans.iter().map(|[start, end]| format!("{} from {start:.3} to {end:.3} s", bone.word()));
                gone.extend(words);
            }
            if gone.len() == before {
                break;
            }
        }
        gone
    }

    /// A limb at each time with its stands held.
    fn solved(&self, own: &PlantedLimb) -> Vec<Placed> {
        let aims = self.times.iter().zip(&own.placed).zip(self.bent(own));
        let solved = aims.map(|((time, placed), by)| {
            let (lower, to) = self.aim(own, placed, *time);
            lower.bent_further(to.unwrap_or(lower.places[2]), by).unwrap_or(lower)
        });
        solved.collect()
    }

    /// Angle by which the middle joint of a limb bends further at each time.
    fn bent(&self, own: &PlantedLimb) -> Vec<f64> {
        let bent = self.times.iter().zip(&own.placed).map(|(time, placed)| {
            let (lower, to) = self.aim(own, placed, *time);
            to.map_or(0.0, |to| lower.angle_for(to.distance(lower.places[0])) - lower.angle())
        });
        slowed(&self.times, &bent.collect::<Vec<f64>>())
    }

    /// Vector by which the hips leave their way at each time, so that legs on the ground turn less: by least squares between the feet and
    /// the hips' way, and not much faster than that.
    fn shifts(&self, limbs: &[PlantedLimb]) -> Vec<DVec3> {
        let legs: Vec<&PlantedLimb> = limbs.iter().filter(|limb| limb.is_leg()).collect();
        if self.pass.lowering.is_none() {
            return vec![DVec3::ZERO; self.times.len()];
        }
        let leg = legs.iter().filter_map(|leg| leg.placed.first()).map(Placed::longest).fold(0.0, f64::max);
        let wanted: Vec<(DMat3, DVec3)> = (0..self.times.len()).map(|at| self.wanted(&legs, at)).collect();
        let best = |time: &f64| {
            let sums = near(&self.times, &wanted, *time);
            let (weights, wanted) = sums.fold((DMat3::ZERO, DVec3::ZERO), |sums, (wanted, weight)| {
                (sums.0 + wanted.0 * weight, sums.1 + wanted.1 * weight)
            });
            let shift = weights.inverse() * wanted;
            // The farther the shift, the less of it.
            shift / (1.0 + (shift.length() / (FARTHEST * leg)).powi(8)).sqrt().sqrt().sqrt()
        };
        let mut shifts: Vec<DVec3> = self.times.iter().map(best).collect();
        let hips = |at: usize| {
            let hips = legs.iter().filter_map(|leg| leg.placed.get(at)).map(|placed| placed.places[0]);
            hips.sum::<DVec3>() / legs.len() as f64
        };
        let way: Vec<DVec3> = (0..self.times.len()).map(hips).collect();
        let allowed = f64::max(PUSHED * acceleration(&self.times, &way), UNSEEN * leg);
        let mut pushed = acceleration(&self.times, &shifts);
        for _ in 0..MOST_SMOOTHINGS {
            if pushed <= allowed {
                break;
            }
            shifts = smoothed(&self.times, &shifts);
            pushed = acceleration(&self.times, &shifts);
        }
        shifts.into_iter().map(|shift| shift * (allowed / pushed.max(allowed))).collect()
    }

    /// Weights of the directions in which the hips may leave their way at one of the times, and the weighted sum of the corrections of
    /// feet on the ground.
    fn wanted(&self, legs: &[&PlantedLimb], at: usize) -> (DMat3, DVec3) {
        let (mut weights, mut wanted) = (DMat3::IDENTITY * ON_WAY, DVec3::ZERO);
        for leg in legs {
            let (Some(placed), Some(time)) = (leg.placed.get(at), self.times.get(at)) else { continue };
            let on_ground = leg.footing.on_ground((&self.times, *time));
            let (by, share) = self.by(leg, *time, placed).unwrap_or((DVec3::ZERO, on_ground));
            let [hip, _, ankle] = placed.places;
            let along = (ankle - hip).normalize_or_zero();
            let bent = 1.0 - (placed.span() / placed.longest()).powi(2);
            let along = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
            let stiff = DMat3::IDENTITY + along * (1.0 / bent.max(1.0 / STRAIGHT) - 1.0);
            let weight = stiff * share.max(on_ground);
            weights += weight;
            wanted += weight * by;
        }
        (weights, wanted)
    }

    /// Vector by which the hips leave their way at a time.
    fn shift(&self, time: f64) -> DVec3 {
        let (before, share) = span(&self.times, time);
        match self.shifts.get(before..) {
            Some([from, to, ..]) => from.lerp(*to, share),
            Some([shift]) => *shift,
            _ => DVec3::ZERO,
        }
    }

    /// The changed channels, and the errors of their new keys.
    fn tracks(&self, limbs: &[PlantedLimb]) -> (Vec<(NodeIndex, Channel)>, Vec<MaxError>) {
        let (mut tracks, mut errors) = (Vec::new(), Vec::new());
        let least = self.pass.tolerance.length_m;
        let is_shifted = self.shifts.iter().any(|shift| shift.length() > least);
        for limb in limbs {
            let off = |(time, placed): (&f64, &Placed)| {
                self.by(limb, *time, placed).map_or(0.0, |(by, _)| by.length())
            };
            let is_off = self.times.iter().zip(&limb.placed).any(|at| off(at) > least);
            if is_off || is_shifted && limb.is_leg() {
                self.rotations(limb, &mut tracks, &mut errors);
            }
        }
        if let Some((node, into)) = self.pass.lowering.filter(|_| is_shifted) {
            tracks.push((node, self.shifted_hips(node, into, &mut errors)));
        }
        (tracks, errors)
    }

    /// A limb as it hangs on the hips at a time, and the position to which its end goes; `None` for an end in
    /// place.
    fn aim(&self, own: &PlantedLimb, placed: &Placed, time: f64) -> (Placed, Option<DVec3>) {
        let shift = self.shift(time);
        let lower = placed.moved(shift);
        let ([.., end], [.., hanging]) = (placed.places, lower.places);
        let by = self.by(own, time, placed);
        let to = match own.is_leg() {
            true => by.map_or(end, |(by, _)| end + by) + own.footing.hangs((&self.times, time), shift),
            false => by.map_or(hanging, |(by, share)| hanging + by - shift * share),
        };
        (lower, (to.distance(hanging) > NOTHING_M).then_some(to))
    }

    /// New rotations of a limb.
    fn rotations(
        &self,
        own: &PlantedLimb,
        tracks: &mut Vec<(NodeIndex, Channel)>,
        found: &mut Vec<MaxError>,
    ) {
        let bent = self.bent(own);
        let path = self.moves.way(None, own.limb.joints[2].0);
        // All joints of the limb are sampled at the same times.
        let turned = RefCell::new(HashMap::<(u64, u8), [DQuat; 3]>::new());
        let turn = |time: Seconds, side: Side| {
            let placed = placed(&own.limb, &path, &self.moves, (time, side));
            let (lower, to) = self.aim(own, &placed, time.0);
            let by = at(&self.times, &bent, time.0);
            let to = to.unwrap_or(lower.places[2]);
            lower.bent_further(to, by).unwrap_or(placed).local()
        };
        let all = self.all_times(&path);
        let Some([hip, knee, ankle]) = own.placed.first().map(|placed| placed.places) else { return };
        let reaches = [hip.distance(knee) + knee.distance(ankle), knee.distance(ankle), own.footing.length()];
        let shell = self.pass.tolerance.shell_m(true);
        for (joint, (node, reach)) in own.limb.joints.into_iter().zip(reaches).enumerate() {
            let allowance = self.pass.tolerance.length_m * SHARE / (reach + shell);
            let value = |time: Seconds, side: Side| {
                let mut turned = turned.borrow_mut();
                let turns = turned.entry((time.0.to_bits(), side as u8)).or_insert_with(|| turn(time, side));
                turns.get(joint).copied().unwrap_or_default().to_array().to_vec()
            };
            let sampled = Sampled { property: Property::Rotation, allowance, value: &value };
            let (curve, error) = sampled.curve(&all);
            found.push(self.off(node, (error.value + allowance / 2.0) * (reach + shell), error.time));
            tracks.push((node, Channel::whole(Property::Rotation, curve)));
        }
    }

    /// Positions of the node that translates the hips, with the shifts.
    fn shifted_hips(&self, node: NodeIndex, into: DMat3, found: &mut Vec<MaxError>) -> Channel {
        let chain = self.moves.way(None, node.0);
        let value = |time: Seconds, side: Side| {
            let translation = DVec3::from(self.moves.local(node.0, time, side).translation);
            (translation + into * self.shift(time.0)).to_array().to_vec()
        };
        let all = self.all_times(&chain);
        // Between keys within the tolerance alone, all of the body would jerk.
        let allowance = self.pass.tolerance.length_m * SHARE * STEADY;
        // In the parent's unit.
        let unit = (into * self.up).length();
        let sampled = Sampled { property: Property::Translation, allowance: allowance * unit, value: &value };
        let (curve, error) = sampled.curve(&all);
        found.push(self.off(node, error.value / unit + allowance / 2.0, error.time));
        Channel::whole(Property::Translation, curve)
    }

    /// Times of changes along a way, and the sample times of the stands, ascending.
    fn all_times(&self, way: &Way) -> Vec<f64> {
        let mut all = times(&self.moves, way);
        all.extend(&self.times);
        ascend(&mut all);
        all.dedup();
        all
    }

    fn off(&self, node: NodeIndex, value: f64, time: Seconds) -> MaxError {
        metres_off(self.pass.to.figure.scene, node, value, time)
    }
}

/// A limb at a time, by the way to its end: all its other nodes stand on that.
fn placed(limb: &Limb, way: &Way, moves: &Moves<'_>, (time, side): (Seconds, Side)) -> Placed {
    let mut end = ChainTransform::IDENTITY;
    let ends: Vec<(usize, ChainTransform)> = way
        .nodes()
        .map(|node| {
            end = end * ChainTransform::from(&moves.local(node, time, side));
            (node, end)
        })
        .collect();
    let of = |node: NodeIndex| ends.iter().find(|(own, _)| *own == node.0).map(|(_, end)| *end);
    limb.placed_by(|node| of(node).unwrap_or(ChainTransform::IDENTITY))
}

/// Means of the vectors near each time.
fn smoothed(times: &[f64], vectors: &[DVec3]) -> Vec<DVec3> {
    let mean = |time: &f64| {
        let sums = near(times, vectors, *time);
        let (sum, weights) = sums.fold((DVec3::ZERO, 0.0), |(sum, weights), (vector, weight)| {
            (sum + *vector * weight, weights + weight)
        });
        sum / weights
    };
    times.iter().map(mean).collect()
}

/// The values near a time, each with a weight.
fn near<'a, T>(times: &'a [f64], values: &'a [T], time: f64) -> impl Iterator<Item = (&'a T, f64)> {
    let first = times.partition_point(|sample| *sample < time - LEAVING_S);
    let last = times.partition_point(|sample| *sample <= time + LEAVING_S);
    let weight = move |at: &f64| (1.0 - ((at - time) / LEAVING_S).powi(2)).powi(2) + f64::EPSILON;
    values.iter().skip(first).zip(times.get(first..last).unwrap_or_default().iter().map(weight))
}

/// Largest acceleration on a way by its positions at each time.
fn acceleration(times: &[f64], way: &[DVec3]) -> f64 {
    let frame = if let [first, second, ..] = times { second - first } else { STEP_S };
    let reach = ((STEP_S / frame).round() as usize).max(1);
    let triples = way.iter().zip(way.iter().skip(reach)).zip(way.iter().skip(reach.saturating_mul(2)));
    let second = |((a, b), c): ((&DVec3, &DVec3), &DVec3)| (*a - *b - *b + *c).length();
    triples.map(second).fold(0.0, f64::max) / (reach as f64 * frame).powi(2)
}

/// Angles near to given angles that change no faster than knees may: half-way between the lowest and the
/// highest possible angle.
fn slowed(times: &[f64], angles: &[f64]) -> Vec<f64> {
    let mut ranges: Vec<(f64, [f64; 2])> =
        times.iter().zip(angles).map(|(time, angle)| (*time, [*angle; 2])).collect();
    spread(&mut ranges.iter_mut());
    spread(&mut ranges.iter_mut().rev());
    ranges.iter().map(|(_, [low, high])| f64::midpoint(*low, *high)).collect()
}

/// Widens each lowest and highest angle by the angles at the time before, in the order given.
fn spread(ranges: &mut dyn Iterator<Item = &mut (f64, [f64; 2])>) {
    let Some(mut before) = ranges.next() else { return };
    for range in ranges {
        let limit = KNEE_RAD_PER_S * (range.0 - before.0).abs();
        let ([low, high], [low_before, high_before]) = (&mut range.1, before.1);
        *high = high.max(high_before - limit);
        *low = low.min(low_before + limit);
        before = range;
    }
}
