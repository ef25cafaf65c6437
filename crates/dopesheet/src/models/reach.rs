//! The share of a motion's moving tracks that reach their targets.

use super::nearest::{Known, Nearest};
use crate::error::unbound::Lost;
use dopesheet_core::diag::{Finding, Report, Severity};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Clip, NodeIndex, Property, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use dopesheet_human::{Followers, has_mmd_bones, propose};
use dopesheet_motion::bind::UNBOUND_TRACK;
use dopesheet_motion::moves;
use std::collections::HashSet;

/// A track of a motion, and its success in reaching a target.
#[derive(Clone, Debug)]
struct Aim {
    kind: TargetKind,
    name: String,
    /// True if the track's value changes between the start of its clip and the end.
    moves: bool,
    reaches: bool,
}

impl Aim {
    fn of(track: &Track, clip: &Clip, reaches: bool) -> Self {
        let moves = moves(track, (Seconds(0.0), clip.end()));
        Self { kind: track.target.kind, name: track.target.name.clone(), moves, reaches }
    }
}

/// True for tracks that need a counterpart in a model.
pub(crate) fn needs_a_model(track: &Track) -> bool {
    let has = |property: Property| track.channels.iter().any(|channel| channel.property == property);
    match track.target.kind {
        TargetKind::Joint => true,
        TargetKind::Morph => has(Property::Weight),
        TargetKind::Custom => has(Property::Enabled),
        TargetKind::Camera | TargetKind::Light | TargetKind::Hand => false,
    }
}

/// The tracks of a clip, each with its success in reaching a target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    aims: Vec<Aim>,
}

impl Reach {
    /// The joints of a clip, before their targets are known.
    fn of_joints(clip: &Clip) -> Self {
        let joints = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
        Self { aims: joints.map(|track| Aim::of(track, clip, false)).collect() }
    }

    /// Notes which tracks reach a target, from the clip as bound to a model.
    fn bound(&mut self, clip: &Clip, model: &Known<'_>) {
        let is_joint = |track: &&Track| track.target.kind == TargetKind::Joint;
        let there: HashSet<&str> =
            clip.tracks.iter().filter(is_joint).map(|track| track.target.name.as_str()).collect();
        for aim in &mut self.aims {
            aim.reaches = there.contains(aim.name.as_str());
        }
        let other_tracks = clip.tracks.iter().filter(|track| !is_joint(track) && has_a_place(track));
        self.aims.extend(other_tracks.map(|track| {
            let name = &track.target.name;
            let reaches = match track.target.kind {
                TargetKind::Morph => is_vector(track) || model.has(TargetKind::Morph, name),
                _ => track.target.node.is_some(),
            };
            Aim::of(track, clip, reaches)
        }));
    }

    /// The tracks of a clip that move a human figure, except tracks of the nodes in `left_out`, which reach
    /// nothing. Nodes that only drive others are not counted.
    pub(crate) fn into_figure(clip: &Clip, left_out: &[NodeIndex], followers: &Followers) -> Self {
        let left_out: HashSet<NodeIndex> = left_out.iter().copied().collect();
        let tracks = clip.tracks.iter().filter(|track| {
            matches!(track.target.kind, TargetKind::Joint | TargetKind::Morph)
                && track.target.node.is_none_or(|node| !followers.lead(node))
        });
        let reaches = |track: &Track| track.target.node.is_none_or(|node| !left_out.contains(&node));
        Self { aims: tracks.map(|track| Aim::of(track, clip, reaches(track))).collect() }
    }

    /// Removes the tracks of a clip that have no counterpart by name.
    pub(crate) fn onto_nodes(clip: &mut Clip, has: impl Fn(&str) -> bool) -> Self {
        let reaches = |track: &Track| {
            !(track.target.kind == TargetKind::Joint || is_vector(track)) || has(&track.target.name)
        };
        let aims = clip.tracks.iter().map(|track| Aim::of(track, clip, reaches(track))).collect();
        clip.tracks.retain(reaches);
        Self { aims }
    }

    /// The targets without a counterpart, each once, and the number of all targets.
    pub(crate) fn missing(all: &[Self]) -> (Vec<&str>, usize) {
        let names = |wanted: &dyn Fn(&Aim) -> bool| {
            let aims = all.iter().flat_map(|reach| &reach.aims).filter(|aim| wanted(aim));
            let mut names: Vec<&str> = aims.map(|aim| aim.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        (names(&|aim| !aim.reaches), names(&|_| true).len())
    }

    /// The motion of some clips as lost, if fewer than half of the moving tracks reach a target.
    pub(crate) fn lost(all: &[Self]) -> Option<LostTracks<'_>> {
        Self::lost_but(all, &[])
    }

    /// As [`Reach::lost`], for a motion of which only the bones of a human figure count: the motion is lost
    /// if fewer than half of the moving tracks and also [few bones](Self::FEWEST_BONES) reach a target,
    /// whatever the number of skirts and hairs without one.
    pub(crate) fn lost_figure(all: &[Self]) -> Option<LostTracks<'_>> {
        Self::lost(all).filter(|lost| lost.reached < Self::FEWEST_BONES)
    }

    /// Fewest bones that make a motion a figure's motion: half of the bones required of every figure.
    const FEWEST_BONES: usize = 8;

    /// As [`Reach::lost`], with the kinds in `kept` counted as reaching a target, because formats keep them
    /// in any case.
    fn lost_but<'a>(all: &'a [Self], kept: &[TargetKind]) -> Option<LostTracks<'a>> {
        let aims = || all.iter().flat_map(|reach| &reach.aims);
        let anything_moves = aims().any(|aim| aim.moves);
        let counted: Vec<&Aim> = aims().filter(|aim| aim.moves || !anything_moves).collect();
        let (reaching, lost): (Vec<&Aim>, Vec<&Aim>) =
            counted.into_iter().partition(|aim| aim.reaches || kept.contains(&aim.kind));
        (reaching.len() < lost.len()).then_some(LostTracks { lost, reached: reaching.len() })
    }
}

/// The fit of a motion and its model.
pub(crate) struct ModelFit {
    model: String,
    /// The nodes of the motion alone.
    motion: Scene,
    /// True if the model is a figure with the bones of MikuMikuDance.
    has_mmd_bones: bool,
    clips: Vec<Reach>,
}

impl ModelFit {
    /// A motion about to be put on a model named `model`.
    pub(crate) fn of(model: &str, motion: &Scene) -> Self {
        let bones = Scene {
            nodes: motion.nodes.clone(),
            humanoid: motion.humanoid.clone(),
            ..Scene::new(motion.basis)
        };
        let clips = motion.clips.iter().map(Reach::of_joints).collect();
        Self { model: model.to_owned(), motion: bones, has_mmd_bones: false, clips }
    }

    /// Notes which tracks reach a target, from the motion on its model.
    pub(crate) fn settle(&mut self, bound: &Scene) {
        let known_names = Known::of(bound);
        self.has_mmd_bones = has_mmd_bones(bound);
        for (reach, clip) in self.clips.iter_mut().zip(&bound.clips) {
            reach.bound(clip, &known_names);
        }
    }

    /// The joints of a clip that the model lacks.
    pub(crate) fn unbound_joints(&self, clip: usize) -> HashSet<&str> {
        let aims = self.clips.get(clip).into_iter().flat_map(|reach| &reach.aims);
        aims.filter(|aim| aim.kind == TargetKind::Joint && !aim.reaches)
            .map(|aim| aim.name.as_str())
            .collect()
    }

    /// Keeps only the chosen clip.
    pub(crate) fn choose(&mut self, clip: usize) {
        self.clips = self.clips.get(clip).cloned().into_iter().collect();
    }

    /// The motion as lost, if fewer than half of the moving tracks reach the model. Morphs always count as
    /// reaching it if the format keeps morphs that a model lacks. For a motion of a human figure, and on a
    /// figure with the bones of MikuMikuDance, only the figure's tracks decide.
    pub(crate) fn lost(&self, bound: &Scene, keeps_morphs: bool, is_of_figure: bool) -> Option<Lost> {
        let kept: &[TargetKind] = if keeps_morphs { &[TargetKind::Morph] } else { &[] };
        let lost = match is_of_figure || self.has_mmd_bones {
            true => Reach::lost_figure(&self.clips),
            false => Reach::lost_but(&self.clips, kept),
        }?;
        Some(self.lost_on(bound, &lost))
    }

    /// Makes a remark of the warning about unbound tracks of a human figure's motion if they are cloth, hair and
    /// other nodes that are no bones, and the figure moves.
    pub(crate) fn note_no_bone_lost(&self, is_of_figure: bool, report: &mut Report) {
        let is_warning = |finding: &&mut Finding| finding.fault.code == UNBOUND_TRACK;
        let mut warnings = report.findings.iter_mut().filter(is_warning).peekable();
        if warnings.peek().is_some() && (is_of_figure || self.has_mmd_bones) && !self.loses_bones() {
            warnings.for_each(|finding| finding.severity = Severity::Info);
        }
    }

    /// True if the model lacks a bone of the motion's human figure, or most of its motion.
    fn loses_bones(&self) -> bool {
        let bones = propose(&self.motion, &NameMap::default()).humanoid.bones;
        let unbound: HashSet<&str> =
            (0..self.clips.len()).flat_map(|clip| self.unbound_joints(clip)).collect();
        let is_lost = |node: &NodeIndex| {
            self.motion.node(*node).is_some_and(|node| unbound.contains(node.name.as_str()))
        };
        bones.values().any(is_lost) || Reach::lost_figure(&self.clips).is_some()
    }

    /// A clip, or all clips, as lost, if a track moves and fewer than half of the moving tracks reach the model.
    pub(crate) fn lost_clip(&self, bound: &Scene, clip: Option<usize>) -> Option<Lost> {
        let chosen = clip.and_then(|clip| self.clips.get(clip)).map_or(&self.clips[..], std::slice::from_ref);
        let lost = match self.has_mmd_bones {
            true => Reach::lost_figure(chosen),
            false => Reach::lost(chosen),
        };
        let lost = lost.filter(LostTracks::moves)?;
        Some(self.lost_on(bound, &lost))
    }

    fn lost_on(&self, bound: &Scene, lost: &LostTracks<'_>) -> Lost {
        lost.onto(&self.model, &Known::of(bound), &Nearest::of(&self.motion, bound))
    }
}

/// True of a track whose target a model may lack.
fn has_a_place(track: &Track) -> bool {
    is_vector(track) || needs_a_model(track)
}

fn is_vector(track: &Track) -> bool {
    track.target.kind == TargetKind::Morph && track.channels.iter().any(|c| c.property == Property::Weights)
}

/// Tracks of a motion of which most reach no target.
pub(crate) struct LostTracks<'a> {
    lost: Vec<&'a Aim>,
    reached: usize,
}

impl LostTracks<'_> {
    /// True if a track changes its value.
    fn moves(&self) -> bool {
        self.lost.iter().any(|aim| aim.moves)
    }

    /// The error about the lost tracks, with the names nearest to their targets.
    pub(crate) fn onto(&self, onto: &str, names: &Known<'_>, nearest: &Nearest) -> Lost {
        let mut seen = HashSet::new();
        let lost = self.lost.iter().filter(|aim| seen.insert((aim.kind, &aim.name)));
        Lost {
            motion: String::new(),
            onto: onto.to_owned(),
            tracks: self.lost.len() + self.reached,
            reached: self.reached,
            unbound: lost.map(|aim| nearest.unbound(aim.kind, &aim.name, names)).collect(),
            is_figure: false,
        }
    }
}
