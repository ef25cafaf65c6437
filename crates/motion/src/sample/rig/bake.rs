//! Baking: the effect of a rig on a clip, as curves of the moved nodes.

use super::frames::{frames, stride_of};
use super::morphs::expand_groups;
use super::oddities;
use super::player::Player;
use super::segments::{Segment, channel};
use super::solving::{Bound, End, LargestDistance, SolveTime, SolvedSegments, Solving, Work};
use crate::cores;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{
    Blend, Clip, NodeIndex, PoseRelation, Property, Rig, Scene, SolvedChannel, Target, TargetKind, Track,
    Transform,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use dopesheet_rig::{Behaviour, Solver};
use std::collections::HashSet;
use std::ops::Range;

/// Tolerance of the straight segment between two frames, in metres; beyond it, a key is added in the middle.
/// Programs show solved poses on frames; between them chains jump by more than any tolerance from one
/// solution to another. This number does not follow from the caller's tolerance, so that a conversion and a
/// comparison start from the same curves whatever their options.
const BETWEEN_FRAMES_M: f64 = 5e-4;

/// Solves the rig of a scene for each of its clips, and takes it out.
///
/// Nodes that the rig moves get straight curves with a key on every frame of the clip's grid (60 fps without one), and
/// between frames where the straight segment misses the middle by more than half a millimetre; clips of more
/// than 100,000 frames get fewer. All other nodes keep their own keys. Groups of morphs become their member
/// morphs. A rig that does not fit the scene's nodes is left out and reported.
pub fn bake(scene: &mut Scene, behaviour: Behaviour, report: &mut Report) {
    if scene.rig.is_empty() {
        return;
    }
    let solver = match Solver::new(&scene.nodes, &scene.rig, behaviour) {
        Ok(solver) => solver,
        Err(error) => {
            report.dropped("the rig", error.to_string());
            take_out(scene);
            return;
        }
    };
    oddities::report(&solver, scene, report);
    let touched = solver.touched().iter().enumerate();
    let nodes: Vec<usize> = touched.filter(|(_, touched)| **touched).map(|(node, _)| node).collect();
    let (mut largest, mut stride) = (LargestDistance::default(), 1);
    for mut clip in std::mem::take(&mut scene.clips) {
        let rate = clip.grid.unwrap_or(FrameRate::FPS_60);
        stride = stride.max(stride_of(&clip, rate));
        let bounds = bounds(scene, &nodes);
        let work = Work { scene, clip: &clip, behaviour, nodes: &nodes, bounds };
        let all = work.all(&solve_times(&clip, rate));
        let tracks = work.tracks(&all);
        largest.note(&all.largest);
        let nodes = tracks.iter().filter_map(|track| track.target.node);
        clip.solved = nodes.flat_map(SolvedChannel::placing).collect();
        replace(&mut clip, tracks);
        expand_groups(&scene.rig, &mut clip, report);
        scene.clips.push(clip);
    }
    largest.report(scene, stride, report);
    take_out(scene);
}

/// Joints that chains bring up to date in the time that one number of a key takes.
const WORK_OF_A_NUMBER: usize = 500;

/// Numbers of a rotation.
const ROTATION: usize = 4;

/// Cost of [`bake`] for each frame in numbers of keys: the numbers of the nodes that get keys, and the rounds
/// of chains, converted to the numbers of keys that take as long; 0 without a rig, or for a rig that does not
/// fit the scene's nodes.
#[must_use]
pub fn cost(scene: &Scene, behaviour: Behaviour) -> u64 {
    if scene.rig.is_empty() {
        return 0;
    }
    let of = |solver: Solver| {
        let nodes = solver.touched().iter().filter(|touched| **touched).count();
        nodes.saturating_mul(ROTATION).saturating_add(solver.work() / WORK_OF_A_NUMBER)
    };
    Solver::new(&scene.nodes, &scene.rig, behaviour).map_or(0, of) as u64
}

/// Takes the rig out of a scene, and the switches of the rig's chains out of its clips.
pub fn take_out(scene: &mut Scene) -> Rig {
    let rig = std::mem::take(&mut scene.rig);
    let is_goal = |node: Option<NodeIndex>| rig.ik.iter().any(|chain| Some(chain.goal) == node);
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| track.target.kind != TargetKind::Custom || !is_goal(track.target.node));
    }
    rig
}

impl LargestDistance {
    /// Reports the error of the solution on every `stride`th frame.
    fn report(&self, scene: &Scene, stride: usize, report: &mut Report) {
        let channels = scene.clips.iter().flat_map(|clip| &clip.solved);
        let solved: HashSet<NodeIndex> = channels.map(|channel| channel.node).collect();
        if solved.is_empty() {
            return;
        }
        let (unit, factor) = match scene.basis.metres_per_unit {
            Some(metres) => (ErrorUnit::Metre, metres),
            None => (ErrorUnit::One, 1.0),
        };
        let target = scene.nodes.get(self.node).map(|node| node.name.clone()).unwrap_or_default();
        let every = if stride == 1 { "every frame".to_owned() } else { format!("one of {stride} frames") };
        let what = format!("rig: solved for {}, on {every}", counted(solved.len(), "joint"));
        report.unsampled(
            what,
            MaxError { value: self.length * factor, unit, target, time: Seconds(self.time) },
        );
    }
}

impl Work<'_> {
    fn all(&self, times: &[SolveTime]) -> SolvedSegments {
        // Each thread has a player of its own, which is fast for times that ascend.
        let length = times.len().div_ceil(cores::count().saturating_mul(4).max(1)).max(64);
        let starts: Vec<usize> = (0..times.len()).step_by(length).collect();
        // Each part ends where the next begins.
        let end = |from: usize| from.saturating_add(length).saturating_add(1).min(times.len());
        let parts = cores::map(starts, |from| self.part(times, from..end(from)));
        let mut all = SolvedSegments::new(self.nodes.len());
        parts.into_iter().for_each(|part| all.append(part));
        all
    }

    /// The segments between some times.
    fn part(&self, times: &[SolveTime], range: Range<usize>) -> SolvedSegments {
        let part = SolvedSegments::new(self.nodes.len());
        let Ok(player) = Player::of_rig(self.scene, self.clip, self.behaviour) else { return part };
        let mut solving = Solving { work: self, player, part };
        let of_part = times.get(range).unwrap_or_default();
        let ends: Vec<End> = of_part.iter().map(|at| solving.end(at)).collect();
        for [from, to] in ends.array_windows() {
            solving.segment(from, to);
        }
        if let ([only], [end]) = (times, ends.as_slice()) {
            let (transforms, bends) = ([(); 3].map(|()| end.after.clone()), vec![false; self.nodes.len()]);
            solving.part.segments.push(Segment { start: only.time, end: only.time, transforms, bends });
        }
        solving.part
    }

    /// New tracks of all nodes changed by the rig.
    fn tracks(&self, all: &SolvedSegments) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (place, (node, changes)) in self.nodes.iter().zip(&all.changes).enumerate() {
            let Some(own) = self.scene.nodes.get(*node) else { continue };
            let base = match self.clip.relation {
                PoseRelation::OnTopOfRest => own.rest,
                PoseRelation::Absolute => Transform::IDENTITY,
            };
            let properties = [Property::Translation, Property::Rotation].into_iter().zip(changes);
            let channels: Vec<_> = properties
                .filter(|(_, changes)| **changes)
                .map(|(property, _)| channel(&all.segments, place, property, &base))
                .collect();
            if !channels.is_empty() {
                let index = own.source_index.unwrap_or(*node);
                let target = Target::new(TargetKind::Joint, own.name.clone(), index, Some(NodeIndex(*node)));
                tracks.push(Track { target, channels });
            }
        }
        tracks
    }
}

/// Tolerance of each node, from the reach of its points in the rest pose.
fn bounds(scene: &Scene, nodes: &[usize]) -> Vec<Bound> {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let (length, shell) = (BETWEEN_FRAMES_M / unit, Tolerance::default().shell_m(true) / unit);
    let mut reach = vec![shell; scene.nodes.len()];
    let of = |reach: &[f64], node: usize| reach.get(node).copied().unwrap_or(shell);
    for (index, node) in scene.nodes.iter().enumerate().rev() {
        let away = glam::DVec3::from(node.rest.translation).length() + of(&reach, index);
        if let Some(parent) = node.parent.and_then(|parent| reach.get_mut(parent.0)) {
            *parent = parent.max(away);
        }
    }
    nodes.iter().map(|node| Bound { length, angle_rad: length / of(&reach, *node) }).collect()
}

/// The times between which the rig is looked at: every frame, both ends, and every time at which something jumps.
fn solve_times(clip: &Clip, rate: FrameRate) -> Vec<SolveTime> {
    let Seconds(end) = clip.end();
    let mut times: Vec<f64> = frames(clip, rate).collect();
    let mut jumps = Vec::new();
    for curve in clip.curves() {
        let steps = !curve.laws.all(|law| law.blend != Blend::Step);
        let keys: Vec<f64> = curve.times.iter().map(|time| time.0).collect();
        jumps.extend(keys.array_windows().filter(|[a, b]| a == b).map(|[a, _]| *a));
        jumps.extend(keys.iter().filter(|_| steps));
    }
    ascend(&mut jumps);
    times.extend(jumps.iter().chain([&end]));
    times.retain(|time| (0.0..=end).contains(time));
    ascend(&mut times);
    times.dedup();
    let jumps_at = |time: &f64| jumps.binary_search_by(|jump| jump.total_cmp(time)).is_ok();
    times.iter().map(|time| SolveTime { time: *time, jumps: jumps_at(time) }).collect()
}

/// Puts the channels of solved tracks in the place of the clip's channels for the same nodes and properties.
fn replace(clip: &mut Clip, tracks: Vec<Track>) {
    for track in tracks {
        let is_new = |property: &Property| track.channels.iter().any(|channel| channel.property == *property);
        let mut same_target = clip
            .tracks
            .iter_mut()
            .filter(|t| t.target.node == track.target.node && t.target.kind == TargetKind::Joint);
        match same_target.next() {
            Some(first) => {
                first.channels.retain(|channel| !is_new(&channel.property));
                for other in same_target {
                    other.channels.retain(|channel| !is_new(&channel.property));
                }
                first.channels.extend(track.channels);
            }
            None => clip.tracks.push(track),
        }
    }
    clip.tracks.retain(|track| !track.channels.is_empty());
}
