//! Keys within a tolerance: choose them, measure the whole model with them, and choose again what is off.

use super::allowances::Allowances;
use super::fits::Target;
use super::layout;
use super::settle::{SettledTrack, settle};
use super::tally::{Tally, key_count};
use crate::apart::{Animation, Apart, MODEL_SPACE, Scope, TrackApart, apart_within};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::KeyLayout;
use dopesheet_core::model::{Channel, Clip, Hierarchy, NodeIndex, Scene, TargetKind, Track};
use std::cmp::Ordering;

/// How often keys are chosen: the shares of the tolerance only assume that the errors of a chain add up.
const MOST_ROUNDS: usize = 5;

/// What is off gets this much less than would have been right, because errors are not quite proportional.
const CAUTION: f64 = 0.9;

/// Where no joint takes this share of the tolerance, more can be had of it.
const WASTE: f64 = 0.7;

/// Where a joint is off by this many tolerances and a round leaves more than [`GAIN`] of that, though it and all it hangs on
/// got less, no other round brings it nearer: numbers or times end there.
const HOPELESS: f64 = 10.0;

/// See [`HOPELESS`].
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
        return once(&clip, target, None, &mut Vec::new());
    }
    let in_units = in_units(scene, tolerance);
    let mut allowances = Allowances::new(scene, &clip, target, &in_units);
    if target.plan.only_on_grid {
        allowances.assume_the_worst();
        let settled = once(&clip, target, Some(&allowances), &mut Vec::new());
        let apart = (!settled.tally.is_exact()).then(|| measured(scene, [&clip, &settled.clip], &in_units));
        return Settled { apart, ..settled };
    }
    let (mut rounds, mut made) = (Rounds::new(scene.nodes.len()), Vec::new());
    for _ in 0..MOST_ROUNDS {
        let mut settled = once(&clip, target, Some(&allowances), &mut made);
        if settled.tally.is_exact() {
            return settled;
        }
        let before = rounds.changed.as_deref().zip(rounds.last.as_ref());
        let found = measured_again(scene, [&clip, &settled.clip], &in_units, before);
        let changes = rounds.change(&mut allowances, scene, &clip, &found);
        rounds.last = Some(found.clone());
        settled.apart = Some(found);
        rounds.meet(settled, scene, &clip);
        if !changes {
            break;
        }
    }
    rounds.best.unwrap_or_else(|| once(&clip, target, Some(&allowances), &mut made))
}

/// How far a clip is from its source, with those joints exactly that are farther than the tolerance.
fn measured(scene: &Scene, clips: [&Clip; 2], tolerance: &Tolerance) -> Apart {
    measured_again(scene, clips, tolerance, None)
}

/// As [`measured`]; joints that are none of `changed` are as far as they were before.
fn measured_again(
    scene: &Scene,
    clips: [&Clip; 2],
    tolerance: &Tolerance,
    before: Option<(&[bool], &Apart)>,
) -> Apart {
    let [source, made] = clips.map(|clip| Animation { scene, clip });
    let scope = Scope { exact_above: tolerance.length_m, only: before.map(|(changed, _)| changed) };
    let mut apart = apart_within(source, made, tolerance, scope);
    let Some((changed, known)) = before else { return apart };
    let stays = |track: &TrackApart| {
        let node = node_of(scene, clips[0], track).filter(|_| track.kind == TargetKind::Joint);
        node.is_some_and(|node| changed.get(node.0) == Some(&false))
    };
    apart.tracks.retain(|track| !stays(track));
    apart.tracks.extend(known.tracks.iter().filter(|track| stays(track)).cloned());
    apart
}

impl Settled {
    /// How much room the keys take, in halves of a key without tangents.
    fn size(&self) -> usize {
        let channels = self.clip.tracks.iter().flat_map(|track| &track.channels);
        let has_tangents = |c: &Channel| c.composition.curves().any(|curve| curve.handles.is_some());
        channels.map(|c| key_count(c) * if has_tangents(c) { CUBIC_SIZE } else { 2 }).sum()
    }
}

/// What was tried.
struct Rounds {
    best: Option<Settled>,
    /// For each node, how far it was off when it last got less, and what it had been given before.
    tried: Vec<Option<Tried>>,
    /// For each node, the share of the limit that no round got below, where that is more than all of it.
    reachable: Vec<f64>,
    /// For each node, whether the last change moves it; all if `None`.
    changed: Option<Vec<bool>>,
    /// How far the last clip was from its source.
    last: Option<Apart>,
}

#[derive(Clone, Copy)]
struct Tried {
    /// Of the limit.
    share: f64,
    /// Of the tolerance.
    given: f64,
}

impl Rounds {
    fn new(nodes: usize) -> Self {
        let (tried, reachable) = (vec![None; nodes], vec![1.0; nodes]);
        Self { best: None, tried, reachable, changed: None, last: None }
    }

    /// Keeps what is nearer to the tolerance, or within it and smaller.
    fn meet(&mut self, settled: Settled, scene: &Scene, source: &Clip) {
        let off = |settled: &Settled| self.off(settled, scene, source);
        let is_better = |best: &Settled| match off(&settled).total_cmp(&off(best)) {
            Ordering::Equal => settled.size() < best.size(),
            order => order == Ordering::Less,
        };
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(settled);
        }
    }

    /// The largest share of a limit, at least 1; of a joint that no round brings within the tolerance, of the least that
    /// one reached.
    fn off(&self, settled: &Settled, scene: &Scene, source: &Clip) -> f64 {
        let share = |track: &TrackApart| {
            let node = (track.kind == TargetKind::Joint).then(|| node_of(scene, source, track)).flatten();
            track.share() / node.and_then(|node| self.reachable.get(node.0)).unwrap_or(&1.0)
        };
        let tracks = settled.apart.iter().flat_map(|apart| &apart.tracks);
        tracks.filter(|track| track.share() > 1.0).map(share).fold(1.0, f64::max)
    }

    /// Gives less to every joint that is off, and to those it hangs on; gives all more if none is off by far. `false` if
    /// there is nothing to be gained.
    fn change(&mut self, allowances: &mut Allowances, scene: &Scene, clip: &Clip, apart: &Apart) -> bool {
        let joints = apart.tracks.iter().filter(|t| t.kind == TargetKind::Joint);
        let most = joints.clone().map(|t| t.share()).fold(0.0, f64::max);
        self.changed = None;
        if most > 0.0 && most < WASTE {
            return allowances.scale(&vec![CAUTION / most; scene.nodes.len()]);
        }
        let given = allowances.shares();
        let mut factors = vec![1.0f64; scene.nodes.len()];
        let mut lost = Vec::new();
        for track in joints.filter(|track| track.share() > 1.0) {
            let Some(node) = node_of(scene, clip, track) else { continue };
            let share = track.share();
            let (Some(tried), Some(now)) = (self.tried.get_mut(node.0), given.get(node.0)) else { continue };
            let in_vain = |before: &Tried| share > HOPELESS && share > GAIN * before.share;
            if let Some(before) = tried.filter(in_vain) {
                if let Some(reachable) = self.reachable.get_mut(node.0) {
                    *reachable = reachable.max(share.min(before.share));
                }
                lost.push((node, before.given / now));
                continue;
            }
            *tried = Some(Tried { share, given: *now });
            let mut next = Some(node);
            while let Some(at) = next {
                let Some(factor) = factors.get_mut(at.0) else { break };
                *factor = factor.min(CAUTION / share);
                next = scene.nodes.get(at.0).and_then(|n| n.parent);
            }
        }
        // What was in vain is taken back, unless something else needs it.
        for (node, back) in lost {
            if let Some(factor) = factors.get_mut(node.0).filter(|factor| **factor == 1.0) {
                *factor = back;
            }
        }
        let mut changed: Vec<bool> = factors.iter().map(|factor| *factor != 1.0).collect();
        // Parents stand before children.
        for (index, node) in scene.nodes.iter().enumerate() {
            let hangs = scene.hierarchy == Hierarchy::Known
                && node.parent.is_some_and(|p| changed.get(p.0) == Some(&true));
            if let Some(own) = changed.get_mut(index) {
                *own |= hangs;
            }
        }
        self.changed = Some(changed);
        allowances.scale(&factors)
    }
}

/// The node whose displacement is that of a track.
fn node_of(scene: &Scene, clip: &Clip, track: &TrackApart) -> Option<NodeIndex> {
    let same = |t: &&Track| {
        t.target.kind == track.kind && t.target.index == track.index && t.target.name == track.target
    };
    // A joint that no track moves is off by what it hangs on; nothing but its name says which it is.
    let named = || scene.nodes.iter().position(|node| node.name == track.target).map(NodeIndex);
    clip.tracks.iter().find(same).and_then(|t| t.target.node).or_else(named)
}

/// The largest share of a limit that anything takes.
pub(super) fn share(apart: Option<&Apart>) -> f64 {
    apart.into_iter().flat_map(|apart| &apart.tracks).map(TrackApart::share).fold(0.0, f64::max)
}

fn once(
    clip: &Clip,
    target: &Target<'_>,
    allowances: Option<&Allowances>,
    made: &mut Vec<SettledTrack>,
) -> Settled {
    let mut clip = clip.clone();
    let tally = settle(&mut clip, target, allowances, made);
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
