//! Keys within a tolerance: choose keys, measure the whole model with them, and choose again for the joints
//! beyond their limits.

use super::adapt::{Adaptation, HOPELESS};
use super::bound::{Bound, bound, share_of_others};
use super::budget::ErrorBudget;
use super::camera::hold_cuts;
use super::choose::{ChosenTrack, choose_keys};
use super::laws::Destination;
use super::storage::shared_times::share as share_lists;
use super::storage::size::room;
use super::storage::{Coarseness, Rounded, finer, round, time};
use super::structure::layout;
use super::tally::{Tally, key_count};
use crate::compare::{Animation, Comparison, Effort, TrackDifference, compare_at};
use crate::tolerance::Tolerance;
use dopesheet_core::format::{KeyCost, KeyLayout};
use dopesheet_core::model::{Channel, Clip, Hierarchy, Scene};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// A bound of at least this part of the tolerance proves that few more keys could be saved.
const USED: f64 = 0.9;

/// Most rounds of choosing keys: the shares of the tolerance merely assume that the errors of a chain add up.
pub(super) const MOST_ROUNDS: usize = 8;

/// Length in seconds up to which all keys of a clip are measured.
const LONG_S: f64 = 5.0;

/// Size of a key with tangents, in halves of a key without: ten numbers beside four.
const CUBIC_SIZE: usize = 5;

/// The parts of the tolerance for dropping keys where values may be coarse; the best of these is taken.
const DROPPING: [f64; 3] = [0.3, 0.55, 0.8];

/// The only part tried where a clip has more keys than [`FEW_KEYS`].
const DROPPING_OF_MANY: [f64; 1] = [0.5];

/// Most rounds for such clips.
const FEW_ROUNDS: usize = 2;

/// Number of keys up to which several parts are tried.
const FEW_KEYS: usize = 200_000;

/// Rounds of making values coarser or finer.
const COARSENINGS: usize = 4;

/// Most rounds of making values finer until they are within the tolerance.
const MOST_COARSENINGS: usize = 10;

/// Factor on their coarseness in each of these rounds.
const FINER: f64 = 0.85;

/// Factor on the tolerance that decides which joints are stored more finely, where the joints of the last
/// tolerance did not suffice.
const TIGHTER: f64 = 0.8;

/// Most such factors until there are more joints.
const MOST_TIGHTER: usize = 5;

/// A clip within a target's laws.
pub(super) struct Candidate {
    /// The clip with its values as stored.
    pub clip: Arc<Clip>,
    pub tally: Tally,
    pub rounded: Rounded,
    /// True if key times differ from the chosen ones, because the target stores rounded times.
    is_moved: bool,
    /// Measured differences from the source, if keys were chosen by the tolerance.
    pub measured: Option<Comparison>,
    /// For each node, the share of its limit taken by stored precision alone; empty within the tolerance.
    pub precision: Vec<f64>,
    /// Upper bound of the displacement of any point. Without measurements this bound proves the tolerance.
    pub bound: Bound,
    /// The clip before its values were rounded, if any were.
    exact: Option<Clip>,
    /// Coarseness of the values, if they need not be as fine as the target can store.
    coarseness: Option<Coarseness>,
}

/// Brings a clip within the target's laws; where keys are chosen freely, also within a tolerance.
pub(super) fn within(
    scene: &Scene,
    clip: Clip,
    target: &Destination<'_>,
    tolerance: &Tolerance,
) -> Candidate {
    let on = KeySearch { scene, source: &clip, target };
    let in_units = in_units(scene, tolerance);
    if target.plan.every_frame {
        return on.on_every_frame(&in_units);
    }
    if target.plan.only_on_grid {
        let candidate = on.search_on_grid(&in_units);
        if !target.drops || candidate.is_within() {
            return candidate;
        }
        // Where fewer keys are too far off, all of them may not be.
        let authored = Destination { drops: false, ..*target };
        let all = KeySearch { target: &authored, ..on }.search_on_grid(&in_units);
        return if all.is_better(&candidate, target) { all } else { candidate };
    }
    let mut fine = on.finer(&in_units);
    let mut tighter = in_units;
    loop {
        let finer = KeySearch { target: &Destination { fine: &fine, ..*target }, ..on };
        let candidate = finer.search(&in_units);
        // Keys that nobody knew before are rounded too, and where some are dropped nothing makes good for what that turns.
        if candidate.is_within() || !on.adds_finer(&candidate, &in_units, &mut tighter, &mut fine) {
            let authored = Destination { drops: false, fine: &fine, ..*target };
            let may_help = target.drops && !on.may_be_coarse() && !candidate.is_hopeless();
            return if may_help { on.or_as(&authored, candidate, &in_units) } else { candidate };
        }
    }
}

/// A source and the target for which keys are chosen.
struct KeySearch<'a> {
    scene: &'a Scene,
    source: &'a Clip,
    target: &'a Destination<'a>,
}

impl KeySearch<'_> {
    /// A key on every frame.
    fn on_every_frame(&self, tolerance: &Tolerance) -> Candidate {
        let candidate = self.one_round(None, &mut Vec::new(), false);
        if candidate.is_exact() {
            return candidate;
        }
        let mut played = [self.source, &*candidate.clip].map(Cow::Borrowed);
        let last = self.target.plan.rate.frame(self.source.end()).floor();
        let end = self.target.plan.rate.seconds(last);
        // The report tells what a grid leaves out behind its last frame as lost.
        if self.target.plan.only_on_grid && end < self.source.end() {
            played.iter_mut().for_each(|clip| clip.to_mut().duration = end);
        }
        let [source, made] = played.each_ref().map(|clip| Animation { scene: self.scene, clip });
        let measured = Some(compare_at(source, made, tolerance, Effort::Full));
        Candidate { measured, ..candidate }
    }

    /// Keys at any times within a tolerance in units of the scene.
    fn search(&self, tolerance: &Tolerance) -> Candidate {
        let Self { source, target, .. } = *self;
        if !self.may_be_coarse() {
            return self.search_rounds(tolerance, 1.0, MOST_ROUNDS);
        }
        let mut best: Option<Candidate> = None;
        let keys: usize = source.channels().map(key_count).sum();
        let (parts, rounds) =
            if keys <= FEW_KEYS { (&DROPPING[..], MOST_ROUNDS) } else { (&DROPPING_OF_MANY[..], FEW_ROUNDS) };
        for part in parts {
            let candidate = self.coarser(self.search_rounds(tolerance, *part, rounds), tolerance);
            if candidate.is_hopeless() {
                return candidate;
            }
            if best.as_ref().is_none_or(|best| candidate.is_better(best, target)) {
                best = Some(candidate);
            }
        }
        best.unwrap_or_else(|| self.search_rounds(tolerance, 1.0, rounds))
    }

    /// True if values may be coarser than they have to be stored.
    fn may_be_coarse(&self) -> bool {
        let storage = &self.target.storage;
        self.target.lossy && (storage.rotations.has_choice() || storage.numbers.has_choice())
    }

    /// Keys on the frames of a grid, found in a single round.
    fn search_on_grid(&self, tolerance: &Tolerance) -> Candidate {
        let mut budget = ErrorBudget::new(self.scene, self.source, self.target, tolerance);
        budget.assume_the_worst();
        let mut candidate = self.one_round(Some(&budget), &mut Vec::new(), false);
        candidate.measured =
            (!candidate.is_exact()).then(|| self.measured(&candidate.clip, tolerance, Effort::Full));
        candidate
    }

    /// Keys within a part of a tolerance in units of the scene, with the finest values of the target.
    fn search_rounds(&self, whole: &Tolerance, part: f64, most_rounds: usize) -> Candidate {
        let Self { scene, source, target } = *self;
        let tolerance = &Tolerance { length_m: whole.length_m * part, ..*whole };
        let mut budget = ErrorBudget::new(scene, source, target, tolerance);
        let (mut adaptation, mut made) = (Adaptation::new(scene, source), Vec::new());
        let is_long = source.end().0 > LONG_S;
        let mut best = None::<Candidate>;
        for round in 1..=most_rounds {
            let mut candidate = self.one_round(Some(&budget), &mut made, round < most_rounds);
            if candidate.is_exact() {
                return candidate;
            }
            if let Some(bound) = self.proved(&candidate, tolerance) {
                return Candidate { bound, ..candidate };
            }
            // Rounding is largest at keys.
            let effort = if is_long && candidate.rounded.is_empty() { Effort::Made } else { Effort::Full };
            let comparison = adaptation.measure(&candidate.clip, tolerance, effort);
            let changes = adaptation.adapt(&mut budget, &comparison, tolerance, part, &|| self.stored());
            let is_only_rounded = candidate.tally.is_exact() && !comparison.is_within;
            candidate.measured = Some(comparison);
            if best.as_ref().is_none_or(|best| candidate.is_better(best, target)) {
                best = Some(candidate);
            }
            if !changes || is_only_rounded {
                break;
            }
        }
        let mut best = best.unwrap_or_else(|| self.one_round(Some(&budget), &mut made, false));
        if is_long && best.rounded.is_empty() && !best.is_within() {
            best.measured = Some(adaptation.measure(&best.clip, tolerance, Effort::Told));
        }
        let precision = if best.is_within() { Vec::new() } else { adaptation.precision(part) };
        Candidate { precision, bound: self.bound(&best, tolerance), ..best }
    }

    /// Bound of a candidate with the source's own keys, if the bound proves the tolerance and no other keys
    /// would be fewer.
    fn proved(&self, candidate: &Candidate, tolerance: &Tolerance) -> Option<Bound> {
        let may_be_fewer = self.target.lossy || self.target.drops || !self.target.solved.is_empty();
        // Directions have a limit of their own, which no length proves.
        let looks = self.scene.nodes.iter().any(|node| node.camera.is_some() || node.light.is_some());
        if may_be_fewer || looks {
            return None;
        }
        let bound = self.bound(candidate, tolerance);
        let is_used = !candidate.tally.has_other_keys() || bound.value >= USED * tolerance.length_m;
        let others_share = share_of_others(&candidate.clip, &candidate.tally, self.target.storage.times);
        (is_used && others_share <= 1.0 && bound.value <= tolerance.length_m).then_some(bound)
    }

    /// Upper bound of the displacement of any point between the source and a candidate; infinite where values
    /// are rounded.
    fn bound(&self, candidate: &Candidate, tolerance: &Tolerance) -> Bound {
        if !candidate.rounded.is_empty() {
            return Bound::UNKNOWN;
        }
        let shell = tolerance.shell_m(self.scene.hierarchy == Hierarchy::Known);
        bound(self.scene, [self.source, &candidate.clip], &candidate.tally, shell, self.target.storage.times)
    }

    /// The joints whose rotations have to be stored more finely than others, so that keys within the
    /// tolerance exist at all.
    fn finer(&self, tolerance: &Tolerance) -> Vec<bool> {
        let Self { scene, source, target } = *self;
        if !self.has_finer() {
            return Vec::new();
        }
        let mut fine = finer::out_of_range(scene, source, target.storage.rotations);
        loop {
            let narrower = KeySearch { target: &Destination { fine: &fine, ..*target }, ..*self };
            let Some((stored, _)) = round(scene, source, narrower.target, None) else { return fine };
            let comparison = self.measured(&stored, tolerance, Effort::Made);
            // Each time there are more, so that there is an end.
            if !finer::add(scene, source, &comparison, &self.levers(tolerance), &mut fine) {
                return fine;
            }
        }
    }

    /// True if some joints may be stored more finely than others.
    fn has_finer(&self) -> bool {
        let storage = &self.target.storage;
        let is_free = self.target.lossy || finer::is_packed(storage.rotations);
        is_free && finer::is_short(storage.rotations) && storage.fine_rotations != storage.rotations
    }

    fn levers(&self, tolerance: &Tolerance) -> finer::Levers {
        finer::Levers {
            rotations: self.target.storage.rotations,
            shell: tolerance.shell_m(self.scene.hierarchy == Hierarchy::Known),
            tolerance: tolerance.length_m,
        }
    }

    /// Adds joints to be stored more finely. Unless rotations are packed, these are the joints needed by a
    /// `tighter` tolerance, if there are any; else the joints that lead a candidate out of the tolerance.
    /// Returns true if there are more than before.
    fn adds_finer(
        &self,
        candidate: &Candidate,
        tolerance: &Tolerance,
        tighter: &mut Tolerance,
        fine: &mut Vec<bool>,
    ) -> bool {
        let Some(found) = candidate.measured.as_ref().filter(|_| self.has_finer()) else { return false };
        let is_packed = finer::is_packed(self.target.storage.rotations);
        for _ in 0..if is_packed { 0 } else { MOST_TIGHTER } {
            tighter.length_m *= TIGHTER;
            let more = self.finer(tighter);
            if more.iter().zip(&*fine).any(|(more, own)| *more && !own) {
                *fine = more;
                return true;
            }
        }
        finer::add(self.scene, &candidate.clip, found, &self.levers(tolerance), fine)
    }

    /// The source's own keys as stored by the target; `None` if they are stored unchanged.
    fn stored(&self) -> Option<Clip> {
        let mut stored = self.source.clone();
        let is_moved = time(&mut stored, &self.target.storage);
        round(self.scene, &stored, self.target, None).map(|(stored, _)| stored).or(is_moved.then_some(stored))
    }

    /// The better of a candidate and the search result for another target of the same format.
    fn or_as(&self, target: &Destination<'_>, candidate: Candidate, tolerance: &Tolerance) -> Candidate {
        let other = KeySearch { target, ..*self }.search_rounds(tolerance, 1.0, MOST_ROUNDS);
        if other.is_better(&candidate, self.target) { other } else { candidate }
    }

    /// The same keys with values as coarse as a tolerance in units of the scene allows.
    fn coarser(&self, candidate: Candidate, tolerance: &Tolerance) -> Candidate {
        let Some(exact) = &candidate.exact else { return candidate };
        let mut coarseness = Coarseness::new(self.scene, exact, tolerance);
        let mut best: Option<Candidate> = None;
        let tries = if candidate.is_hopeless() { 0 } else { MOST_COARSENINGS };
        for number in 1..=tries {
            let Some((clip, rounded)) = round(self.scene, exact, self.target, Some(&coarseness)) else {
                break;
            };
            let comparison = self.measured(&clip, tolerance, Effort::Full);
            let next = Candidate {
                clip: Arc::new(clip),
                rounded,
                is_moved: candidate.is_moved,
                precision: Vec::new(),
                bound: Bound::UNKNOWN,
                measured: Some(comparison.clone()),
                exact: None,
                coarseness: Some(coarseness.clone()),
                tally: candidate.tally.clone(),
            };
            if best.as_ref().is_none_or(|best| next.is_better(best, self.target)) {
                best = Some(next);
            }
            match best.as_ref().is_some_and(Candidate::is_within) {
                true if number >= COARSENINGS => break,
                false if number >= COARSENINGS => coarseness.shrink(FINER),
                _ => coarseness.adapt(self.scene, &comparison),
            }
        }
        match best {
            Some(best) if best.is_within() => best,
            // Those were chosen for less than the tolerance.
            _ => Candidate {
                measured: Some(self.measured(&candidate.clip, tolerance, Effort::Full)),
                ..candidate
            },
        }
    }

    /// Measured differences of a clip from the source.
    fn measured(&self, clip: &Clip, tolerance: &Tolerance, effort: Effort) -> Comparison {
        let [source, clip] = [self.source, clip].map(|clip| Animation { scene: self.scene, clip });
        compare_at(source, clip, tolerance, effort)
    }

    /// Cost of lists of key times, if channels are to share them.
    fn shared_by(&self) -> Option<KeyCost> {
        self.target.storage.cost.filter(|_| self.target.lossy)
    }

    /// Keys of all tracks with their current shares, stored as the file will store them. `chosen` holds the
    /// tracks of the round before, which stay where nothing changed and they may be used.
    fn one_round(
        &self,
        budget: Option<&ErrorBudget>,
        chosen: &mut Vec<ChosenTrack>,
        may_be_used: bool,
    ) -> Candidate {
        let target = self.target;
        let mut exact = self.source.clone();
        let tally = choose_keys(&mut exact, target, budget, chosen, may_be_used);
        if let Some(cost) = self.shared_by() {
            share_lists(self.source, &mut exact, &cost);
        }
        let is_shared = target.capabilities.layout == KeyLayout::PerTarget && layout::share_times(&mut exact);
        if target.capabilities.parts.orbits && target.plan.only_on_grid {
            hold_cuts(&self.scene.nodes, &mut exact);
        }
        let is_moved = time(&mut exact, &target.storage) || is_shared;
        let (clip, exact, rounded) = match round(self.scene, &exact, target, None) {
            Some((clip, rounded)) => (clip, Some(exact), rounded),
            None => (exact, None, Rounded::default()),
        };
        Candidate {
            clip: Arc::new(clip),
            tally,
            rounded,
            measured: None,
            is_moved,
            precision: Vec::new(),
            bound: Bound::UNKNOWN,
            exact,
            coarseness: None,
        }
    }
}

impl Candidate {
    fn is_within(&self) -> bool {
        self.measured.as_ref().is_none_or(|measured| measured.is_within)
    }

    /// True if far beyond the tolerance by the target's precision alone.
    fn is_hopeless(&self) -> bool {
        self.precision.iter().any(|share| *share > HOPELESS)
    }

    /// Sum of all excesses of targets over their limits, in shares of these limits.
    fn excess(&self) -> f64 {
        let tracks = self.measured.iter().flat_map(|measured| &measured.tracks);
        tracks.map(|track| (track.share() - 1.0).max(0.0)).sum()
    }

    /// True if every channel is exact.
    fn is_exact(&self) -> bool {
        self.tally.is_exact() && self.rounded.is_empty() && !self.is_moved
    }

    /// The same candidate, with the measurements entered in its tally.
    pub(super) fn counted(mut self) -> Self {
        if let Some(measured) = &self.measured {
            self.tally.measured(measured);
        }
        self
    }

    /// Size of the keys, in bytes or about.
    pub(super) fn size(&self, target: &Destination<'_>) -> f64 {
        match target.storage.cost {
            Some(cost) => room(&self.clip, &cost, self.coarseness.as_ref()),
            None => {
                let size =
                    |c: &Channel| key_count(c).saturating_mul(if has_tangents(c) { CUBIC_SIZE } else { 2 });
                self.clip.channels().map(size).sum::<usize>() as f64
            }
        }
    }

    /// True if within the tolerance where the other is not, or nearer to the tolerance, or with smaller keys.
    fn is_better(&self, other: &Self, target: &Destination<'_>) -> bool {
        match (self.is_within(), other.is_within()) {
            (true, true) => self.size(target) < other.size(target),
            (false, false) => match self.excess().total_cmp(&other.excess()) {
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

/// The largest share of a limit taken by any target.
pub(super) fn share(measured: Option<&Comparison>) -> f64 {
    measured.into_iter().flat_map(|measured| &measured.tracks).map(TrackDifference::share).fold(0.0, f64::max)
}

/// A tolerance in units of a scene instead of metres.
#[must_use]
pub fn in_units(scene: &Scene, tolerance: &Tolerance) -> Tolerance {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let shell = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
    Tolerance { length_m: tolerance.length_m / unit, shell_m: Some(shell / unit) }
}
