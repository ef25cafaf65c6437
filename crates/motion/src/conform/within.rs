//! Keys within a tolerance: choose them, measure the whole model with them, and choose again what is off.

use super::allowances::Allowances;
use super::fits::Target;
use super::layout;
use super::settle::settle;
use super::tally::{Tally, key_count};
use crate::apart::{Animation, Apart, MODEL_SPACE, apart};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::KeyLayout;
use dopesheet_core::model::{Channel, Clip, Hierarchy, NodeIndex, Scene, TargetKind};

/// How often keys are chosen: the shares of the tolerance only assume that the errors of a chain add up.
const MOST_ROUNDS: usize = 5;

/// What is off gets this much less than would have been right, because errors are not quite proportional.
const CAUTION: f64 = 0.9;

/// Where no joint takes this share of the tolerance, more can be had of it.
const WASTE: f64 = 0.7;

/// Where a round brings what is off by this many tolerances no nearer than [`GAIN`], no other one does: numbers or keys
/// end there.
const HOPELESS: f64 = 100.0;

/// The share of what is off that a round must get rid of where it is hopeless, as what remains.
const GAIN: f64 = 0.9;

/// How much room a key with tangents takes, in halves of one without: ten numbers beside four.
const CUBIC_SIZE: usize = 5;

/// A clip within a target's laws.
pub(super) struct Settled {
    pub clip: Clip,
    pub tally: Tally,
    /// How far it is from the source, if keys were chosen by the tolerance.
    pub apart: Option<Apart>,
}

/// Brings a clip within the target's laws; where keys are chosen freely, also within a tolerance.
pub(super) fn settle_within(
    scene: &Scene,
    clip: Clip,
    target: &Target<'_>,
    tolerance: &Tolerance,
) -> Settled {
    if target.plan.every_frame {
        return once(clip, target, None);
    }
    let in_units = in_units(scene, tolerance);
    let mut allowances = Allowances::new(scene, &clip, target, &in_units);
    if target.plan.only_on_grid {
        allowances.assume_the_worst();
        let settled = once(clip.clone(), target, Some(&allowances));
        let apart = (!settled.tally.is_exact()).then(|| measured(scene, [&clip, &settled.clip], &in_units));
        return Settled { apart, ..settled };
    }
    let mut best: Option<Settled> = None;
    for _ in 0..MOST_ROUNDS {
        let mut settled = once(clip.clone(), target, Some(&allowances));
        if settled.tally.is_exact() {
            return settled;
        }
        let found = measured(scene, [&clip, &settled.clip], &in_units);
        let changes = change(&mut allowances, scene, &clip, &found);
        let share = share(Some(&found));
        settled.apart = Some(found);
        let is_stuck = best.as_ref().is_some_and(|best| share > HOPELESS && share > GAIN * best.share());
        if best.as_ref().is_none_or(|best| settled.is_better(best)) {
            best = Some(settled);
        }
        if !changes || is_stuck {
            break;
        }
    }
    best.unwrap_or_else(|| once(clip, target, Some(&allowances)))
}

fn measured(scene: &Scene, clips: [&Clip; 2], tolerance: &Tolerance) -> Apart {
    let [source, made] = clips.map(|clip| Animation { scene, clip });
    apart(source, made, tolerance)
}

impl Settled {
    fn is_within(&self) -> bool {
        self.apart.as_ref().is_none_or(|apart| apart.is_within)
    }

    fn share(&self) -> f64 {
        share(self.apart.as_ref())
    }

    /// How much room the keys take, in halves of a key without tangents.
    fn size(&self) -> usize {
        let channels = self.clip.tracks.iter().flat_map(|track| &track.channels);
        let has_tangents = |c: &Channel| c.composition.curves().any(|curve| curve.handles.is_some());
        channels.map(|c| key_count(c) * if has_tangents(c) { CUBIC_SIZE } else { 2 }).sum()
    }

    /// Within the tolerance where the other is not, or nearer to it, or with fewer keys.
    fn is_better(&self, other: &Self) -> bool {
        match (self.is_within(), other.is_within()) {
            (true, true) => self.size() < other.size(),
            (false, false) => self.share() < other.share(),
            (is_within, _) => is_within,
        }
    }
}

/// The largest share of a limit that anything takes.
pub(super) fn share(apart: Option<&Apart>) -> f64 {
    apart.and_then(|apart| apart.worst.as_ref()).map_or(0.0, |worst| worst.difference.share())
}

fn once(mut clip: Clip, target: &Target<'_>, allowances: Option<&Allowances>) -> Settled {
    let mut tally = Tally::default();
    settle(&mut clip, target, allowances, &mut tally);
    if target.capabilities.layout == KeyLayout::PerTarget {
        layout::share_times(&mut clip);
    }
    Settled { clip, tally, apart: None }
}

/// A tolerance in units of the scene instead of metres.
fn in_units(scene: &Scene, tolerance: &Tolerance) -> Tolerance {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let shell = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
    Tolerance { length_m: tolerance.length_m / unit, shell_m: Some(shell / unit) }
}

/// Gives less to every joint that is off, and to those it hangs on; gives all more if none is off by far. `false` if
/// there is nothing to be gained.
fn change(allowances: &mut Allowances, scene: &Scene, clip: &Clip, apart: &Apart) -> bool {
    let joints = apart.tracks.iter().filter(|t| t.kind == TargetKind::Joint);
    let most = joints.map(|t| t.share()).fold(0.0, f64::max);
    if most > 0.0 && most < WASTE {
        return allowances.scale(&vec![CAUTION / most; scene.nodes.len()]);
    }
    let mut factors = vec![1.0f64; scene.nodes.len()];
    for track in apart.tracks.iter().filter(|t| t.share() > 1.0 && t.kind == TargetKind::Joint) {
        let same = |t: &&dopesheet_core::model::Track| {
            t.target.kind == track.kind && t.target.index == track.index && t.target.name == track.target
        };
        // A joint that no track moves is off by what it hangs on; nothing but its name says which it is.
        let named = || scene.nodes.iter().position(|node| node.name == track.target).map(NodeIndex);
        let mut node = clip.tracks.iter().find(same).and_then(|t| t.target.node).or_else(named);
        while let Some(at) = node {
            let Some(factor) = factors.get_mut(at.0) else { break };
            *factor = factor.min(CAUTION / track.share());
            node = scene.nodes.get(at.0).and_then(|n| n.parent);
        }
    }
    allowances.scale(&factors)
}

/// One line on how far the model is from the source at most.
pub(super) fn report(scene: &Scene, tolerance: &Tolerance, apart: &Apart, report: &mut Report) {
    let joints = apart.tracks.iter().filter(|track| track.kind == TargetKind::Joint);
    let displaced =
        joints.filter_map(|track| Some((track, track.channels.iter().find(|c| c.channel == MODEL_SPACE)?)));
    let Some((track, most)) = displaced.max_by(|a, b| a.1.value.total_cmp(&b.1.value)) else { return };
    let known = scene.hierarchy == Hierarchy::Known;
    let shell = Tolerance { length_m: tolerance.shell_m(known), shell_m: None };
    let whose = if known { "model space" } else { "each joint by itself" };
    let what = format!("{whose}, up to {shell} from any joint, measured at {} times", apart.moments);
    let (unit, factor) = match scene.basis.metres_per_unit {
        Some(metres) => (ErrorUnit::Metre, metres),
        None => (ErrorUnit::One, 1.0),
    };
    let target = track.target.clone();
    report.approximated(what, MaxError { value: most.value * factor, unit, target, time: most.time });
}
