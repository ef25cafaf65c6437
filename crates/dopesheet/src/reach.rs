//! The share of a motion's moving tracks that reach what they are to move.

use crate::nearest::{Known, Nearest};
use crate::unbound::Lost;
use dopesheet_core::model::{Clip, NodeIndex, Property, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use dopesheet_motion::humanoid::Followers;
use dopesheet_motion::moves;
use std::collections::HashSet;

/// A track of a motion, and whether it reaches what it is to move.
#[derive(Clone, Debug)]
struct Aim {
    kind: TargetKind,
    name: String,
    /// Whether it does so from the start of its clip to the end.
    moves: bool,
    reaches: bool,
}

impl Aim {
    fn of(track: &Track, clip: &Clip, reaches: bool) -> Self {
        let moves = moves(track, (Seconds(0.0), clip.end()));
        Self { kind: track.target.kind, name: track.target.name.clone(), moves, reaches }
    }
}

/// True for tracks that have their place in a model.
pub(crate) fn needs_a_model(track: &Track) -> bool {
    let has = |property: Property| track.channels.iter().any(|channel| channel.property == property);
    match track.target.kind {
        TargetKind::Joint => true,
        TargetKind::Morph => has(Property::Weight),
        TargetKind::Custom => has(Property::Enabled),
        TargetKind::Camera | TargetKind::Light | TargetKind::Hand => false,
    }
}

/// The tracks of a clip, and which of them reach what they are to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    aims: Vec<Aim>,
}

impl Reach {
    /// The joints of a clip, before it is known which of them reach anything.
    fn of_joints(clip: &Clip) -> Self {
        let joints = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
        Self { aims: joints.map(|track| Aim::of(track, clip, false)).collect() }
    }

    /// Notes which tracks reach something, from the clip as it was bound to a model.
    fn bound(&mut self, clip: &Clip, model: &Known<'_>) {
        let is_joint = |track: &&Track| track.target.kind == TargetKind::Joint;
        let there: HashSet<&str> =
            clip.tracks.iter().filter(is_joint).map(|track| track.target.name.as_str()).collect();
        for aim in &mut self.aims {
            aim.reaches = there.contains(aim.name.as_str());
        }
        let others = clip.tracks.iter().filter(|track| !is_joint(track) && has_a_place(track));
        self.aims.extend(others.map(|track| {
            let name = &track.target.name;
            let reaches = match track.target.kind {
                TargetKind::Morph => is_vector(track) || model.has(TargetKind::Morph, name),
                _ => track.target.node.is_some(),
            };
            Aim::of(track, clip, reaches)
        }));
    }

    /// The tracks of a clip that are part of a human figure: all but some of its nodes. Those that
    /// only drive others count with them.
    pub(crate) fn into_figure(clip: &Clip, left_out: &[NodeIndex], followers: &Followers) -> Self {
        let left_out: HashSet<NodeIndex> = left_out.iter().copied().collect();
        let tracks = clip.tracks.iter().filter(|track| {
            matches!(track.target.kind, TargetKind::Joint | TargetKind::Morph)
                && track.target.node.is_none_or(|node| !followers.lead(node))
        });
        let reaches = |track: &Track| track.target.node.is_none_or(|node| !left_out.contains(&node));
        Self { aims: tracks.map(|track| Aim::of(track, clip, reaches(track))).collect() }
    }

    /// Takes those tracks of a clip away that have no counterpart by their names.
    pub(crate) fn onto_nodes(clip: &mut Clip, has: impl Fn(&str) -> bool) -> Self {
        let reaches = |track: &Track| {
            !(track.target.kind == TargetKind::Joint || is_vector(track)) || has(&track.target.name)
        };
        let aims = clip.tracks.iter().map(|track| Aim::of(track, clip, reaches(track))).collect();
        clip.tracks.retain(reaches);
        Self { aims }
    }

    /// The targets that reach nothing, each once, and how many targets there are.
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

    /// The motion of some clips as lost, if fewer than half of what moves reaches anything.
    pub(crate) fn lost(all: &[Self]) -> Option<LostTracks<'_>> {
        Self::lost_but(all, &[])
    }

    /// As [`Reach::lost`] of a motion of which the bones of a human figure are all that counts: it is lost where fewer than half of what moves
    /// and [few bones](Self::FEWEST_BONES) reach anything, however many skirts and hairs do not.
    pub(crate) fn lost_figure(all: &[Self]) -> Option<LostTracks<'_>> {
        Self::lost(all).filter(|lost| lost.reached < Self::FEWEST_BONES)
    }

    /// Bones that make a motion that of a figure: half of those that every figure has.
    const FEWEST_BONES: usize = 8;

    /// As [`Reach::lost`]; kinds that are of use wherever they go count as reaching something.
    fn lost_but<'a>(all: &'a [Self], kept: &[TargetKind]) -> Option<LostTracks<'a>> {
        let aims = || all.iter().flat_map(|reach| &reach.aims);
        let anything_moves = aims().any(|aim| aim.moves);
        let counted: Vec<&Aim> = aims().filter(|aim| aim.moves || !anything_moves).collect();
        let (reaching, lost): (Vec<&Aim>, Vec<&Aim>) =
            counted.into_iter().partition(|aim| aim.reaches || kept.contains(&aim.kind));
        (reaching.len() < lost.len()).then_some(LostTracks { lost, reached: reaching.len() })
    }
}

/// The fit of a motion and the model that it was put on.
pub(crate) struct Fit {
    model: String,
    /// The nodes of the motion alone.
    motion: Scene,
    clips: Vec<Reach>,
}

impl Fit {
    /// A motion that is about to be put on a model of some name.
    pub(crate) fn of(model: &str, motion: &Scene) -> Self {
        let bones = Scene {
            nodes: motion.nodes.clone(),
            humanoid: motion.humanoid.clone(),
            ..Scene::new(motion.basis)
        };
        let clips = motion.clips.iter().map(Reach::of_joints).collect();
        Self { model: model.to_owned(), motion: bones, clips }
    }

    /// Notes which tracks reach something, from the motion on its model.
    pub(crate) fn settle(&mut self, bound: &Scene) {
        let known = Known::of(bound);
        for (reach, clip) in self.clips.iter_mut().zip(&bound.clips) {
            reach.bound(clip, &known);
        }
    }

    /// The joints of a clip that the model does not have.
    pub(crate) fn unbound_joints(&self, clip: usize) -> HashSet<&str> {
        let aims = self.clips.get(clip).into_iter().flat_map(|reach| &reach.aims);
        aims.filter(|aim| aim.kind == TargetKind::Joint && !aim.reaches)
            .map(|aim| aim.name.as_str())
            .collect()
    }

    /// Leaves one of the clips.
    pub(crate) fn choose(&mut self, clip: usize) {
        self.clips = self.clips.get(clip).cloned().into_iter().collect();
    }

    /// The motion as lost, if fewer than half of what moves reaches the model; morphs always do where a format keeps those that
    /// a model does not have. Of a motion for a human figure only that counts.
    pub(crate) fn lost(&self, bound: &Scene, keeps_morphs: bool, is_of_figure: bool) -> Option<Lost> {
        let kept: &[TargetKind] = if keeps_morphs { &[TargetKind::Morph] } else { &[] };
        let lost = match is_of_figure {
            true => Reach::lost_figure(&self.clips),
            false => Reach::lost_but(&self.clips, kept),
        }?;
        Some(lost.onto(&self.model, &Known::of(bound), &Nearest::of(&self.motion, bound)))
    }
}

/// True of a track that moves something that a model may lack.
fn has_a_place(track: &Track) -> bool {
    is_vector(track) || needs_a_model(track)
}

fn is_vector(track: &Track) -> bool {
    track.target.kind == TargetKind::Morph && track.channels.iter().any(|c| c.property == Property::Weights)
}

/// Tracks of a motion of which most reach nothing.
pub(crate) struct LostTracks<'a> {
    lost: Vec<&'a Aim>,
    reached: usize,
}

impl LostTracks<'_> {
    /// The error that says so, with the names nearest to those that are lost.
    pub(crate) fn onto(&self, onto: &str, known: &Known<'_>, nearest: &Nearest) -> Lost {
        let mut seen = HashSet::new();
        let lost = self.lost.iter().filter(|aim| seen.insert((aim.kind, &aim.name)));
        Lost {
            onto: onto.to_owned(),
            tracks: self.lost.len() + self.reached,
            reached: self.reached,
            unbound: lost.map(|aim| nearest.unbound(aim.kind, &aim.name, known)).collect(),
            is_figure: false,
        }
    }
}
