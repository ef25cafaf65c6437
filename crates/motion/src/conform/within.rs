//! Keys within a tolerance: choose them, measure the whole model with them, and choose again what is off.

use super::allowances::Allowances;
use super::camera::hold_cuts;
use super::fits::Target;
use super::glimpse::Glimpse;
use super::layout;
use super::room::room;
use super::rounds::{Rounds, node_of};
use super::settle::{SettledTrack, settle};
use super::sharing::share as share_lists;
use super::stored::{Coarseness, Rounded, round, time};
use super::tally::{Tally, key_count};
use crate::apart::{Animation, Apart, Bound, Found, MODEL_SPACE, Scope, TrackApart, apart, apart_within};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, Fault, MaxError, Place, Report};
use dopesheet_core::format::{KeyCost, KeyLayout};
use dopesheet_core::model::{Channel, Clip, Hierarchy, Scene, TargetKind};
use dopesheet_core::words::{self, counted, length};
use std::cmp::Ordering;
use std::ops::Range;

/// How often keys are chosen: the shares of the tolerance only assume that the errors of a chain add up.
const MOST_ROUNDS: usize = 5;

/// In so many rounds everything is measured where joints hang on each other, unless only few change. In later ones only what changed
/// is, which may have to be made good for at the end.
const WHOLE_ROUNDS: usize = 2;

/// Where joints hang on each other, those are found exactly that are off by more than this part of the tolerance. Then it is known which
/// is farthest when those are brought nearer that were off by more than all of it.
const KNOWN: f64 = 0.95;

/// How much farther joints may be off where a glimpse does not show them, unless they are given what is enough anywhere.
const ELSEWHERE: f64 = 1.2;

/// How much room a key with tangents takes, in halves of one without: ten numbers beside four.
const CUBIC_SIZE: usize = 5;

/// The parts of the tolerance that dropping keys may use where values may be coarse, of which the best is taken.
const DROPPING: [f64; 3] = [0.3, 0.55, 0.8];

/// The part that is tried alone where a clip has more keys than [`FEW_KEYS`].
const DROPPING_OF_MANY: [f64; 1] = [0.5];

/// How often keys are chosen there.
const FEW_ROUNDS: usize = 2;

/// With up to so many keys several ways are tried.
const FEW_KEYS: usize = 200_000;

/// How often values are made coarser or finer.
const COARSENINGS: usize = 4;

/// How often they are made finer until they are within the tolerance.
const MOST_COARSENINGS: usize = 10;

/// How much finer they are made then.
const FINER: f64 = 0.85;

/// A clip within a target's laws.
pub(super) struct Settled {
    /// With the values that are stored.
    pub clip: Clip,
    pub tally: Tally,
    pub rounded: Rounded,
    /// How far it is from the source, if keys were chosen by the tolerance.
    pub apart: Option<Apart>,
    /// What bounds how far its joints are, where that was partly found in an earlier clip.
    pieced: Option<Vec<Bound>>,
    /// The clip before its values were rounded, if they were.
    exact: Option<Clip>,
    /// How coarse its values are, if they need not be as fine as can be stored.
    coarseness: Option<Coarseness>,
}

/// Brings a clip within the target's laws; where keys are chosen freely, also within a tolerance.
pub(super) fn settle_within(
    scene: &Scene,
    clip: Clip,
    target: &Target<'_>,
    tolerance: &Tolerance,
) -> Settled {
    let on = Stage { scene, source: &clip, target };
    if target.plan.every_frame {
        return on.once(None, &mut Vec::new(), false);
    }
    let in_units = in_units(scene, tolerance);
    if target.plan.only_on_grid {
        let mut allowances = Allowances::new(scene, &clip, target, &in_units);
        allowances.assume_the_worst();
        let mut settled = on.once(Some(&allowances), &mut Vec::new(), false);
        settled.apart = (!settled.is_exact()).then(|| on.measured(&settled.clip, &in_units));
        if let Some(apart) = &settled.apart {
            settled.tally.measured(apart);
        }
        return settled;
    }
    let may_be_coarse = target.storage.rotations.has_choice() || target.storage.numbers.has_choice();
    if !target.lossy || !may_be_coarse {
        let settled = on.fitted(&in_units, MOST_ROUNDS);
        // Each way takes less room somewhere, but what it uses of the tolerance there is not left for other channels.
        let straight = Target { spans: false, ..*target };
        let settled = if target.spans { on.or_as(&straight, settled, &in_units) } else { settled };
        let authored = Target { drops: false, ..straight };
        return if target.drops { on.or_as(&authored, settled, &in_units) } else { settled };
    }
    let mut best: Option<Settled> = None;
    let keys: usize = clip.tracks.iter().flat_map(|track| &track.channels).map(key_count).sum();
    let (parts, rounds) =
        if keys <= FEW_KEYS { (&DROPPING[..], MOST_ROUNDS) } else { (&DROPPING_OF_MANY[..], FEW_ROUNDS) };
    for part in parts {
        let length_m = in_units.length_m * part;
        let settled = on.coarser(on.fitted(&Tolerance { length_m, ..in_units }, rounds), &in_units);
        if best.as_ref().is_none_or(|best| settled.is_better(best, target)) {
            best = Some(settled);
        }
    }
    best.unwrap_or_else(|| on.fitted(&in_units, rounds))
}

/// What keys are chosen for.
struct Stage<'a> {
    scene: &'a Scene,
    source: &'a Clip,
    target: &'a Target<'a>,
}

impl Stage<'_> {
    /// Keys within a tolerance in units of the scene, with the finest values that can be stored.
    fn fitted(&self, tolerance: &Tolerance, most_rounds: usize) -> Settled {
        let Self { scene, source, target } = *self;
        let mut allowances = Allowances::new(scene, source, target, tolerance);
        let (mut rounds, mut made) = (Rounds::new(scene.nodes.len()), Vec::new());
        let is_alone = scene.hierarchy != Hierarchy::Known;
        for round in 0..most_rounds {
            if round == 0 && !is_alone {
                self.foresee(tolerance, &mut allowances);
            }
            // Where joints hang on each other, most of them change in the second round.
            let may_be_used = round > 0 || is_alone;
            let mut settled = self.once(Some(&allowances), &mut made, may_be_used);
            if settled.is_exact() {
                return settled;
            }
            rounds.note_stuck(scene, source, &made);
            // Where lists of key times are shared, all joints may change.
            let is_by_parts =
                (round >= WHOLE_ROUNDS || is_alone || rounds.changes_few()) && self.shared_by().is_none();
            let before = rounds.changed.as_deref().filter(|_| is_by_parts).zip(rounds.last.as_ref());
            let is_pieced = before.is_some();
            let found = self.measured_again(&settled.clip, tolerance, None, before);
            let changes = rounds.change(&mut allowances, scene, source, &found.apart, 1.0);
            let is_only_rounded = settled.tally.is_exact() && share(Some(&found.apart)) > 1.0;
            settled.apart = Some(found.apart.clone());
            settled.pieced = is_pieced.then(|| found.joints.clone());
            rounds.last = Some(found);
            rounds.meet(settled, scene, source, target);
            if !changes || is_only_rounded {
                break;
            }
        }
        let Some(mut best) = rounds.best else { return self.once(Some(&allowances), &mut made, false) };
        if let Some(joints) = best.pieced.take().filter(|_| best.is_within()) {
            let found = best.apart.take().map(|apart| Found { apart, joints });
            best.apart = found.map(|found| self.with_farthest(found, &best.clip, tolerance));
        }
        best
    }

    /// Which of the joints that were within the tolerance all along is farthest was not looked for: now it is, among those that
    /// may be.
    fn with_farthest(&self, found: Found, made: &Clip, tolerance: &Tolerance) -> Apart {
        let farthest = found.apart.tracks.iter().map(displaced).fold(0.0, f64::max);
        let may_be: Vec<bool> = found.joints.iter().map(|joint| joint.at_most > farthest).collect();
        if !may_be.contains(&true) {
            return found.apart;
        }
        self.measured_again(made, tolerance, None, Some((&may_be, &found))).apart
    }

    /// What takes less room: a clip, or what is made for another target of the same format.
    fn or_as(&self, target: &Target<'_>, settled: Settled, tolerance: &Tolerance) -> Settled {
        let other = Stage { target, ..*self }.fitted(tolerance, MOST_ROUNDS);
        if other.is_better(&settled, self.target) { other } else { settled }
    }

    /// Gives less to what is too far off in a part of the clip already, before keys are chosen for all of it.
    fn foresee(&self, tolerance: &Tolerance, allowances: &mut Allowances) {
        let Glimpse { windows, source } = Glimpse::of(self.source);
        let (glimpse, mut made) = (Stage { source: &source, ..*self }, Vec::new());
        let settled = glimpse.once(Some(allowances), &mut made, false);
        if settled.is_exact() {
            return;
        }
        let mut rounds = Rounds::new(self.scene.nodes.len());
        rounds.note_stuck(self.scene, &source, &made);
        let less = Tolerance { length_m: tolerance.length_m / ELSEWHERE, ..*tolerance };
        let found = glimpse.measured_again(&settled.clip, &less, Some(&windows), None).apart;
        rounds.change(allowances, self.scene, &source, &found, ELSEWHERE);
    }

    /// The same keys with values as coarse as a tolerance in units of the scene allows.
    fn coarser(&self, settled: Settled, tolerance: &Tolerance) -> Settled {
        let Some(exact) = &settled.exact else { return settled };
        let mut coarseness = Coarseness::new(self.scene, exact, tolerance);
        let mut best: Option<Settled> = None;
        for number in 1..=MOST_COARSENINGS {
            let Some((clip, rounded)) = round(self.scene, exact, self.target, Some(&coarseness)) else {
                break;
            };
            let found = self.measured(&clip, tolerance);
            let next = Settled {
                clip,
                rounded,
                apart: Some(found.clone()),
                pieced: None,
                exact: None,
                coarseness: Some(coarseness.clone()),
                tally: settled.tally.clone(),
            };
            if best.as_ref().is_none_or(|best| next.is_better(best, self.target)) {
                best = Some(next);
            }
            match best.as_ref().is_some_and(Settled::is_within) {
                true if number >= COARSENINGS => break,
                false if number >= COARSENINGS => coarseness.shrink(FINER),
                _ => coarseness.adapt(self.scene, exact, &found),
            }
        }
        match best {
            Some(best) if best.is_within() => best,
            // Those were chosen for less than the tolerance.
            _ => Settled { apart: Some(self.measured(&settled.clip, tolerance)), ..settled },
        }
    }

    /// How far a clip is from the source, each joint exactly.
    fn measured(&self, made: &Clip, tolerance: &Tolerance) -> Apart {
        let [source, made] = [self.source, made].map(|clip| Animation { scene: self.scene, clip });
        apart(source, made, tolerance)
    }

    /// How far a clip is from the source, those joints exactly that are farther than (nearly) the tolerance; or about, in some
    /// windows of time. Joints that are none of those changed are as far as they were before.
    fn measured_again(
        &self,
        made: &Clip,
        tolerance: &Tolerance,
        windows: Option<&[Range<f64>]>,
        before: Option<(&[bool], &Found)>,
    ) -> Found {
        let [source, made] = [self.source, made].map(|clip| Animation { scene: self.scene, clip });
        let part = if self.scene.hierarchy == Hierarchy::Known { KNOWN } else { 1.0 };
        let scope = Scope { exact_above: part * tolerance.length_m, windows, ..Scope::ALL };
        let Some((changed, known)) = before else { return apart_within(source, made, tolerance, scope) };
        let stays = |track: &&TrackApart| {
            let node = track.placed_share().and_then(|_| node_of(self.scene, self.source, track));
            node.is_some_and(|node| changed.get(node.0) == Some(&false))
        };
        let stay: Vec<&TrackApart> = known.apart.tracks.iter().filter(stays).collect();
        let largest = stay.iter().map(|track| displaced(track)).fold(0.0, f64::max);
        let scope = Scope { only: Some(changed), largest, ..scope };
        let mut found = apart_within(source, made, tolerance, scope);
        found.apart.tracks.retain(|track| !stays(&track));
        found.apart.tracks.extend(stay.into_iter().cloned());
        found.apart.is_within &= found.apart.tracks.iter().all(|track| track.share() <= 1.0);
        let joints = found.joints.iter_mut().zip(&known.joints).zip(changed);
        for ((joint, known), _) in joints.filter(|(_, changes)| !**changes) {
            if joint.moments.is_none() {
                found.apart.moments += known.moments.unwrap_or(0);
            }
            *joint = *known;
        }
        found
    }

    /// What lists of key times cost, if channels are to share them.
    fn shared_by(&self) -> Option<KeyCost> {
        self.target.storage.cost.filter(|_| self.target.lossy)
    }

    fn once(
        &self,
        allowances: Option<&Allowances>,
        made: &mut Vec<SettledTrack>,
        may_be_used: bool,
    ) -> Settled {
        let target = self.target;
        let mut exact = self.source.clone();
        let tally = settle(&mut exact, target, allowances, made, may_be_used);
        if let Some(cost) = self.shared_by() {
            share_lists(self.source, &mut exact, &cost);
        }
        if target.capabilities.layout == KeyLayout::PerTarget {
            layout::share_times(&mut exact);
        }
        if target.capabilities.parts.orbits && target.plan.only_on_grid {
            hold_cuts(self.scene, &mut exact);
        }
        time(&mut exact, &target.storage);
        let (clip, exact, rounded) = match round(self.scene, &exact, target, None) {
            Some((clip, rounded)) => (clip, Some(exact), rounded),
            None => (exact, None, Rounded::default()),
        };
        Settled { clip, tally, rounded, apart: None, pieced: None, exact, coarseness: None }
    }
}

impl Settled {
    fn is_within(&self) -> bool {
        self.apart.as_ref().is_none_or(|apart| apart.is_within)
    }

    fn share(&self) -> f64 {
        share(self.apart.as_ref())
    }

    /// Whether nothing is off.
    fn is_exact(&self) -> bool {
        self.tally.is_exact() && self.rounded.is_empty()
    }

    /// How much room the keys take.
    pub(super) fn size(&self, target: &Target<'_>) -> f64 {
        match target.storage.cost {
            Some(cost) => room(&self.clip, &cost, self.coarseness.as_ref()),
            None => {
                let channels = self.clip.tracks.iter().flat_map(|track| &track.channels);
                channels.map(|c| key_count(c) * if has_tangents(c) { CUBIC_SIZE } else { 2 }).sum::<usize>()
                    as f64
            }
        }
    }

    /// Within the tolerance where the other is not, or nearer to it, or with less room for keys.
    fn is_better(&self, other: &Self, target: &Target<'_>) -> bool {
        match (self.is_within(), other.is_within()) {
            (true, true) => self.size(target) < other.size(target),
            (false, false) => match self.share().total_cmp(&other.share()) {
                Ordering::Equal => self.size(target) < other.size(target),
                order => order == Ordering::Less,
            },
            (is_within, _) => is_within,
        }
    }
}

fn has_tangents(channel: &Channel) -> bool {
    channel.composition.curves().any(|curve| curve.handles.is_some())
}

/// The largest share of a limit that anything takes.
pub(super) fn share(apart: Option<&Apart>) -> f64 {
    apart.into_iter().flat_map(|apart| &apart.tracks).map(TrackApart::share).fold(0.0, f64::max)
}

/// How far a joint is in model space; 0 for what has no place there.
fn displaced(track: &TrackApart) -> f64 {
    track.channels.iter().find(|channel| channel.channel == MODEL_SPACE).map_or(0.0, |channel| channel.value)
}

/// A tolerance in units of the scene instead of metres.
pub(super) fn in_units(scene: &Scene, tolerance: &Tolerance) -> Tolerance {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let shell = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
    Tolerance { length_m: tolerance.length_m / unit, shell_m: Some(shell / unit) }
}

/// One line on how far the model is from the source at most, which may be `already_off_m` from what it was made of.
pub(super) fn report(
    scene: &Scene,
    tolerance: &Tolerance,
    apart: &Apart,
    already_off_m: f64,
    report: &mut Report,
) {
    let joints = apart.tracks.iter().filter(|track| track.kind == TargetKind::Joint);
    let displaced =
        joints.filter_map(|track| Some((track, track.channels.iter().find(|c| c.channel == MODEL_SPACE)?)));
    let Some((track, most)) = displaced.max_by(|a, b| a.1.value.total_cmp(&b.1.value)) else { return };
    let known = scene.hierarchy == Hierarchy::Known;
    let shell = length(tolerance.shell_m(known));
    let whose = if known { "model space" } else { "each joint by itself" };
    let what =
        format!("{whose}, up to {shell} from any joint, measured at {}", counted(apart.moments, "time"));
    let value = most.value * scene.basis.metres_per_unit.unwrap_or(1.0) + already_off_m;
    let (unit, target) = (ErrorUnit::Metre, track.target.clone());
    report.approximated(what, MaxError { value, unit, target, time: most.time });
}

/// Says so where something is farther off than the tolerance allows: numbers and key times end somewhere, and so do frames.
pub(super) fn warn_if_beyond(scene: &Scene, tolerance: &Tolerance, apart: &Apart, report: &mut Report) {
    let all =
        apart.tracks.iter().flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
    let beyond = || all.clone().filter(|(_, channel)| channel.share() > 1.0);
    let Some((track, most)) = beyond().max_by(|a, b| a.1.share().total_cmp(&b.1.share())) else { return };
    let factor = match most.unit {
        ErrorUnit::Metre => scene.basis.metres_per_unit.unwrap_or(1.0),
        _ => 1.0,
    };
    let shell_m = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
    let asked = Tolerance { shell_m: Some(shell_m), ..*tolerance };
    let limit = most.limit.unwrap_or_default() * factor;
    let expected = format!("{} at most {} off (tolerance {asked})", most.channel, most.unit.in_words(limit));
    let found = format!(
        "{} ({} at {}); no keys that were tried bring it nearer, {} of {} within",
        most.unit.in_words(most.value * factor),
        track.target,
        words::time(most.time),
        apart.tracks.iter().filter(|track| track.share() <= 1.0).count(),
        counted(apart.tracks.len(), "target")
    );
    report.warn(Fault::new("tolerance-exceeded", Place::File, expected, found));
}
