//! Adapting the error budget to measured errors: less where joints are over their limits, and no more tries
//! where less does not help.

use super::budget::ErrorBudget;
use crate::compare::{Animation, Comparison, Effort, Windows, compare_again};
use crate::keys::splice::{Differing, Stretches, differing};
use crate::tolerance::Tolerance;
use dopesheet_core::model::{Clip, NodeIndex, Scene, ValueKind};
use dopesheet_core::order::by_number;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Factor on the share that would be right if errors were proportional to the budget.
const CAUTION: f64 = 0.9;

/// Share of its limit that at least one joint has to take; else all joints get more.
const WASTE: f64 = 0.7;

/// Excess up to which a joint gets less by itself at first, while its ancestors keep their keys.
const LITTLE: f64 = 0.03;

/// Factor on the budget of such a joint.
const A_LITTLE_LESS: f64 = 0.93;

/// Share of its limit from which on a joint gets less in a stretch while another stretch exceeds the limit:
/// refining finds higher peaks there.
const NEARLY: f64 = 0.97;

/// A joint still above this part of its former share gets [`NO_HELP`] times as much once more.
const HELP: f64 = 0.95;
const NO_HELP: f64 = 0.6;

/// Factor on the tolerance beyond which no other keys help: those at times that the target stores exactly may
/// be several times as near as the source's own.
pub(super) const HOPELESS: f64 = 10.0;

/// Number of times a joint gets less: an error still over its limit has another cause than its keys.
const MOST_TRIES: u8 = 4;

/// Number of times a joint gets less before its cubic segments become straight.
const BEFORE_STRAIGHT: u8 = 2;

/// Joints over their limits, and all measurements of a clip in repeated rounds.
pub(super) struct Adaptation<'a> {
    scene: &'a Scene,
    source: &'a Clip,
    /// Reductions of each node's budget.
    tightened: Vec<Tightened>,
    /// True once all joints were given more.
    has_scaled: bool,
    windows: Option<Windows>,
    /// The last measured clip.
    before: Option<Arc<Clip>>,
    /// For each node found over its limit, the share of its limit taken by stored precision alone, in the
    /// window of its largest excess.
    precision: Vec<Option<f64>>,
}

/// A joint found over its limit.
#[derive(Clone, Copy)]
struct Tightened {
    /// Number of reductions.
    times: u8,
    /// Share of the limit before the last reduction.
    before: f64,
    /// True once the joint alone was reduced.
    was_alone: bool,
}

impl<'a> Adaptation<'a> {
    pub(super) fn new(scene: &'a Scene, source: &'a Clip) -> Self {
        let never = Tightened { times: 0, before: f64::INFINITY, was_alone: false };
        let (tightened, precision) = (vec![never; scene.nodes.len()], vec![None; scene.nodes.len()]);
        Self { scene, source, tightened, has_scaled: false, windows: None, before: None, precision }
    }

    /// Differences of a clip from the source. Only stretches with changes since the last measured clip are
    /// measured.
    pub(super) fn measure(&mut self, clip: &Arc<Clip>, tolerance: &Tolerance, effort: Effort) -> Comparison {
        let [a, b] = [self.source, clip].map(|clip| Animation { scene: self.scene, clip });
        let differing = self.before.replace(Arc::clone(clip)).and_then(|before| differing(&before, clip));
        let before = self.windows.take().zip(differing.as_ref());
        let (found, windows) = compare_again(a, b, tolerance, effort, before);
        self.windows = Some(windows);
        found
    }

    /// Gives less to every joint over its limit and to its ancestors, in the stretches of the excess, and
    /// more to all joints if none is near its limit; changes nothing where the precision of the source's own
    /// keys as `stored` makes it hopeless. `tolerance` is `part` of the one that was asked for. Returns true if
    /// the budget changed.
    pub(super) fn adapt(
        &mut self,
        budget: &mut ErrorBudget,
        comparison: &Comparison,
        tolerance: &Tolerance,
        part: f64,
        stored: &dyn Fn() -> Option<Clip>,
    ) -> bool {
        match placed(comparison).map(|(_, share)| share).fold(0.0, f64::max) {
            0.0 => false,
            most @ ..WASTE => !std::mem::replace(&mut self.has_scaled, true) && budget.raise(CAUTION / most),
            _ => {
                self.look_for_precision(comparison, tolerance, stored);
                !self.is_hopeless(comparison, part) && self.tighten(budget, comparison, tolerance)
            }
        }
    }

    /// For each node, the share of its limit taken by stored precision alone, 0 where not measured. Limits are
    /// those of the tolerance that was asked for, a `part` of which was shared out.
    pub(super) fn precision(self, part: f64) -> Vec<f64> {
        self.precision.into_iter().map(|share| share.unwrap_or_default() * part).collect()
    }

    /// Measures the source's own keys as stored, for joints over their limits for the first time, each in the
    /// window of its largest excess.
    fn look_for_precision(
        &mut self,
        comparison: &Comparison,
        tolerance: &Tolerance,
        stored: &dyn Fn() -> Option<Clip>,
    ) {
        let is_new = |node: &NodeIndex| self.precision.get(node.0) == Some(&None);
        let over: Vec<NodeIndex> =
            placed(comparison).filter(|joint| joint.1 > 1.0).map(|joint| joint.0).filter(is_new).collect();
        let Some(windows) = self.windows.as_ref().filter(|_| !over.is_empty()) else { return };
        let mut shares = vec![0.0; self.scene.nodes.len()];
        if let Some(stored) = stored() {
            let stretches = over.iter().filter_map(|node| windows.largest(tolerance, *node)).collect();
            let differing = Differing { stretches, nodes: over.iter().copied().collect() };
            let [a, b] = [self.source, &stored].map(|clip| Animation { scene: self.scene, clip });
            let before = Some((windows.emptied(), &differing));
            for (node, share) in placed(&compare_again(a, b, tolerance, Effort::Made, before).0) {
                shares.get_mut(node.0).into_iter().for_each(|own| *own = share);
            }
        }
        self.add_steps(&mut shares, tolerance);
        for node in over {
            let share = shares.get(node.0).copied();
            self.precision.get_mut(node.0).into_iter().for_each(|own| *own = share);
        }
    }

    /// True if stored precision alone is far beyond the tolerance, a `part` of which is shared out, or if most
    /// joints are over their limits, most of them by stored precision: the gain of another round for the others
    /// is not worth its work.
    fn is_hopeless(&self, comparison: &Comparison, part: f64) -> bool {
        let by_precision = self.precision.iter().copied().flatten().fold(0.0, f64::max);
        if by_precision * part > HOPELESS {
            return true;
        }
        let over = || placed(comparison).filter(|joint| joint.1 > 1.0).map(|joint| joint.0);
        let by_precision =
            over().filter(|node| self.precision.get(node.0).copied().flatten() > Some(1.0)).count();
        over().count() > placed(comparison).count() / 2 && by_precision > over().count() / 2
    }

    /// Adds half a step of f32 for positions at keys between the source's keys.
    fn add_steps(&self, shares: &mut [f64], tolerance: &Tolerance) {
        let mut steps = vec![0.0f64; shares.len()];
        for track in &self.source.tracks {
            let moves = track.channels.iter().filter(|own| own.property.kind() == ValueKind::Position);
            let values = moves.flat_map(|own| own.composition.curves()).flat_map(|curve| &*curve.values);
            let largest = values.fold(0.0f32, |most, x| most.max(x.abs()));
            if let Some(own) = track.target.node.and_then(|node| steps.get_mut(node.0)) {
                *own = f64::from(largest) * f64::from(f32::EPSILON) / 2.0;
            }
        }
        for ((index, node), share) in self.scene.nodes.iter().enumerate().zip(shares) {
            let above = node.parent.and_then(|parent| steps.get(parent.0)).copied().unwrap_or_default();
            if let Some(step) = steps.get_mut(index) {
                *step += above;
                *share += *step / tolerance.length_m;
            }
        }
    }

    fn tighten(&mut self, budget: &mut ErrorBudget, comparison: &Comparison, tolerance: &Tolerance) -> bool {
        let Some(windows) = &self.windows else { return false };
        let (mut lower, mut is_straightened) = (BTreeMap::<usize, (f64, Stretches)>::new(), false);
        for (node, share) in placed(comparison).filter(|joint| joint.1 > 1.0) {
            let Some(Tightened { times, before, was_alone }) = self.tightened.get_mut(node.0) else {
                continue;
            };
            if *times >= MOST_TRIES {
                continue;
            }
            is_straightened |= *times >= BEFORE_STRAIGHT && budget.straighten(node);
            let is_alone = share <= 1.0 + LITTLE && !std::mem::replace(was_alone, true);
            let mut stretches = windows.above(NEARLY, tolerance, node);
            if stretches.is_empty() {
                // Between samples it is over its limit, at none of them.
                stretches.extend(windows.largest(tolerance, node));
            }
            let helps = share < *before * HELP;
            let factor =
                if is_alone { A_LITTLE_LESS } else { CAUTION / share * if helps { 1.0 } else { NO_HELP } };
            (*times, *before) = (times.saturating_add(1), share);
            let mut above = Some(node);
            while let Some(node) = above {
                let lowered = lower.entry(node.0).or_insert_with(|| (1.0, Stretches::new()));
                lowered.0 = lowered.0.min(factor);
                lowered.1.extend_from_slice(&stretches);
                above = self.scene.node(node).and_then(|node| node.parent).filter(|_| !is_alone);
            }
        }
        lower.into_iter().fold(is_straightened, |changes, (node, (factor, mut stretches))| {
            by_number(&mut stretches, |stretch| stretch.start);
            stretches.dedup();
            budget.lower(NodeIndex(node), factor, Some(stretches)) || changes
        })
    }
}

/// The joints of a comparison, with their shares of their limits in model space.
pub(super) fn placed(comparison: &Comparison) -> impl Iterator<Item = (NodeIndex, f64)> {
    comparison.tracks.iter().filter_map(|track| Some((track.node?, track.placed_share()?.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{
        Basis, Channel, Curve, Law, Laws, Node, Property, Target, TargetKind, Times, Track, Transform,
    };
    use dopesheet_core::units::{FrameRate, Seconds};

    /// A chain of joints that turn to and fro on every frame, from a frame on.
    fn shaking(first: i64) -> (Scene, Clip) {
        let mut scene = Scene::new(Basis::GLTF);
        let frames: Vec<i64> = (first..).take(20).collect();
        let mut clip = Clip { duration: FrameRate::FPS_30.seconds(first as f64 + 20.0), ..Clip::default() };
        let mut parent = None;
        for index in 0..4 {
            let rest = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
            let node = scene.push_node(Node::new(format!("joint {index}"), parent, rest));
            parent = Some(node);
            let values =
                (0..20).flat_map(|n| if n % 2 == 0 { [0.3, 0.0, 0.0, 0.954] } else { [0.0, 0.0, 0.0, 1.0] });
            let times = Times::Frames { rate: FrameRate::FPS_30, frames: frames.clone().into() };
            let curve = Curve::new(times, 4, values.collect(), Laws::uniform(Law::SLERP));
            let channels = vec![Channel::whole(Property::Rotation, curve)];
            let target = Target::new(TargetKind::Joint, format!("joint {index}"), index, Some(node));
            clip.tracks.push(Track { target, channels });
        }
        (scene, clip)
    }

    /// The clip with times in single precision.
    fn stored(clip: &Clip) -> Clip {
        let mut stored = clip.clone();
        let channels = stored.tracks.iter_mut().flat_map(|track| &mut track.channels);
        for curve in channels.flat_map(|channel| channel.composition.curves_mut()) {
            curve.times =
                Times::Seconds(curve.times.iter().map(|Seconds(time)| f64::from(time as f32)).collect());
        }
        stored
    }

    #[test]
    fn a_search_ends_after_one_round_where_stored_times_take_most_joints_beyond_their_limits() {
        let goes_on = |first: i64, knows_cause: bool| {
            let (scene, clip) = shaking(first);
            let stored = stored(&clip);
            let mut budget = ErrorBudget::of_all(&scene, &clip, &Tolerance::DEFAULT);
            let mut adaptation = Adaptation::new(&scene, &clip);
            let rounded = Arc::new(stored.clone());
            let comparison = adaptation.measure(&rounded, &Tolerance::DEFAULT, Effort::Full);
            assert!(!comparison.is_within);
            let cause = || knows_cause.then(|| stored.clone());
            (
                adaptation.adapt(&mut budget, &comparison, &Tolerance::DEFAULT, 1.0, &cause),
                adaptation.precision(1.0),
            )
        };
        let (again, shares) = goes_on(60_000, true);
        assert!(!again && shares.iter().filter(|share| **share > 1.0).count() > 2, "{shares:?}");
        assert!(goes_on(60_000, false).0, "other keys may help where precision costs nothing");
    }

    #[test]
    fn a_joint_that_is_over_its_limit_between_samples_alone_gets_less_in_some_stretch() {
        let (scene, clip) = shaking(0);
        let mut budget = ErrorBudget::of_all(&scene, &clip, &Tolerance::DEFAULT);
        let mut adaptation = Adaptation::new(&scene, &clip);
        let mut comparison = adaptation.measure(&Arc::new(stored(&clip)), &Tolerance::DEFAULT, Effort::Full);
        let last = comparison.tracks.iter_mut().find(|track| track.node == Some(NodeIndex(3))).unwrap();
        last.channels[0].value = 1.02 * Tolerance::DEFAULT.length_m;
        assert!(adaptation.tighten(&mut budget, &comparison, &Tolerance::DEFAULT));
        let stretches = budget.stretches(&clip.tracks[3]);
        assert!(stretches.is_some_and(|stretches| !stretches.is_empty()), "{stretches:?}");
    }
}
