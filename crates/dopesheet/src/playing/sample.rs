//! The values of an animation at given times.

use crate::choice::clip_choice::ClipChoice;
use crate::choice::times::TimeSpec;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::english;
use crate::models::english::Language;
use crate::models::muscles::refuse_muscles_alone;
use crate::playing::on_model::OnModel;
use crate::registry;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{AnyFormat, Limits, MostFrames, NameMap, ToScene, within};
use dopesheet_core::model::{
    Channel, Clip, Hierarchy, Marker, Node, Property, Scene, TargetKind, Track, Transform,
};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{Pose, decompose, local_pose, model_pose};
use dopesheet_motion::sample::rig::{Behaviour, Player};
use dopesheet_motion::sample::stored_at;
use dopesheet_motion::{Side, channel_at, native_parts};
use std::collections::{HashMap, HashSet};

/// Axes, units and names of sampled values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// The file's axes, units and names, as stored.
    #[default]
    Native,
    /// glTF's: the values that a conversion would carry.
    Gltf,
}

/// Space of transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The parent.
    #[default]
    Local,
    /// The model.
    Model,
}

/// Options of sampling.
#[derive(Clone, Debug)]
pub struct SampleOptions<'a> {
    /// The times to sample, in seconds or frames of the clip.
    pub times: TimeSpec,
    /// Axes, units and names of the values.
    pub axes: Axes,
    /// Space of the values: each joint relative to its parent, or to the model.
    pub space: Space,
    /// The motion of the file to sample, by position or name.
    pub clip: ClipChoice,
    /// The model that the motion plays on.
    pub model: Option<&'a Opened>,
    /// The figure that the motion is put onto. Without it, the model is that figure if the bones of motion and
    /// model have names of different vocabularies.
    pub onto: Option<&'a Opened>,
    /// Names of the motion → names of the model.
    pub names: NameMap,
    /// True to refuse a motion of which fewer than half of the moving tracks reach the model ([`Error::Lost`]).
    pub refuses_lost: bool,
    /// Language of the targets' names; with [`Axes::Native`] no other language than the source's is allowed.
    pub language: Language,
    /// Upper bounds of the output; more is refused.
    pub limits: Limits,
}

impl SampleOptions<'_> {
    /// The first clip at some times, as stored.
    #[must_use]
    pub fn at(times: TimeSpec) -> Self {
        Self {
            times,
            axes: Axes::Native,
            space: Space::Local,
            clip: ClipChoice::First,
            model: None,
            onto: None,
            names: NameMap::default(),
            refuses_lost: false,
            language: Language::Original,
            limits: Limits::default(),
        }
    }
}

/// The values of an animation at some times.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The caller's name of the file.
    pub file: String,
    /// The format's id.
    pub format: &'static str,
    /// Axes, units and names of the values.
    pub axes: Axes,
    /// Space of the values: each joint relative to its parent, or to the model.
    pub space: Space,
    /// The times, in seconds, as they were asked for.
    pub times_s: Vec<f64>,
    /// Tracks that move.
    pub tracks: Vec<SampledTrack>,
    /// All markers of the clip, at their times, earlier markers first.
    pub markers: Vec<Marker>,
}

/// A channel of [`Sampled`] under a unique name.
#[derive(Clone, Debug)]
pub struct SampledColumn<'a> {
    /// `TARGET/CHANNEL`; if names repeat, `#2`, `#3` … stand behind the target.
    pub name: String,
    /// The track of the channel.
    pub track: &'a SampledTrack,
    /// The channel.
    pub channel: &'a SampledChannel,
}

impl Sampled {
    /// All channels, each under a unique name.
    #[must_use]
    pub fn columns(&self) -> Vec<SampledColumn<'_>> {
        let mut taken = HashSet::new();
        let channels =
            self.tracks.iter().flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
        let column = |(track, channel): (_, _)| {
            let (track, channel): (&SampledTrack, &SampledChannel) = (track, channel);
            SampledColumn { name: unique(&track.target, &channel.name, &mut taken), track, channel }
        };
        channels.map(column).collect()
    }
}

/// `TARGET/CHANNEL`, or the first name not in `taken` with `#2`, `#3` … behind the target; the name is added
/// to `taken`.
fn unique(target: &str, channel: &str, taken: &mut HashSet<String>) -> String {
    let named = |number: usize| match number {
        1 => format!("{target}/{channel}"),
        n => format!("{target}#{n}/{channel}"),
    };
    let free = (1..).map(named).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

impl Sampled {
    /// The times and markers of a clip, without its tracks.
    fn head(opened: &Opened, clip: Option<&Clip>, times_s: Vec<f64>, options: &SampleOptions<'_>) -> Self {
        let (file, format) = (opened.name.clone(), opened.format().info().id);
        let (axes, space) = (options.axes, options.space);
        let mut markers = clip.map(|clip| clip.markers.clone()).unwrap_or_default();
        by_number(&mut markers, |marker| marker.time.0);
        Self { file, format, axes, space, times_s, tracks: Vec::new(), markers }
    }
}

/// The values of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledTrack {
    /// Its name.
    pub target: String,
    /// Its number in the source.
    pub index: usize,
    /// Kind of the target.
    pub kind: TargetKind,
    /// Its channels.
    pub channels: Vec<SampledChannel>,
}

/// The values of a channel, one row per time.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledChannel {
    /// The channel's name: a [`Property::word`], or the source's name with its unit.
    pub name: String,
    /// Numbers per row.
    pub width: usize,
    /// True if a row is a plain number rather than a list with a single number.
    pub is_scalar: bool,
    /// The rows, in sequence.
    pub values: Vec<f64>,
}

/// Samples a clip of a file. A file without clips has no tracks.
///
/// # Errors
/// If the document cannot be interpreted, the clip does not exist, the times make no sense for the clip, or
/// model space is requested of a file whose hierarchy is unknown. Also if poses or glTF's axes are requested
/// of a clip that moves nothing but muscles of a human figure, and if there would be more numbers than
/// [`SampleOptions::limits`] allows.
pub fn sample(opened: &Opened, options: &SampleOptions<'_>) -> Result<Sampled, Error> {
    let mut scene = scene_to_sample(opened, options)?;
    let clip = options.clip.take(&mut scene)?;
    sampled(opened, &scene, clip.as_ref(), options)
}

/// Samples a clip of a file, and hands over each track as soon as its values are complete, so that the values
/// of all tracks are never held together. With each track, and at the end, comes a [`Sampled`] with
/// everything except tracks.
///
/// # Errors
/// As [`sample`], with a higher limit on the number of times; and the errors of `each`.
pub fn sample_each(
    opened: &Opened,
    options: &SampleOptions<'_>,
    each: &mut dyn FnMut(&Sampled, SampledTrack) -> Result<(), Error>,
) -> Result<Sampled, Error> {
    let mut scene = scene_to_sample(opened, options)?;
    let Some(clip) = options.clip.take(&mut scene)? else {
        return sampled(opened, &scene, None, options);
    };
    check_muscles(Some(&clip), options)?;
    let numbers = numbers(&scene, &clip, options);
    let time_limit = options.limits.max_frames.streamed(numbers, clip.most_keys());
    let (times_s, snapped) = times(&clip, options, numbers, time_limit)?;
    let head = Sampled::head(opened, Some(&clip), times_s, options);
    if options.space == Space::Model {
        // Those of as many nodes at once as may be held, and of one where that is none.
        let at_once = MostFrames::default().of(TRANSFORM.saturating_mul(snapped.len() as u64)) as usize;
        model_tracks(&scene, &clip, &snapped, at_once, &mut |track| each(&head, track))?;
        return Ok(head);
    }
    for group in groups(&clip, options.axes, &snapped) {
        let tracks = group.into_iter().filter_map(|at| clip.tracks.get(at));
        let track = joined(tracks.map(|track| local_track(track, options.axes, &snapped)));
        track.into_iter().try_for_each(|track| each(&head, track))?;
    }
    Ok(head)
}

/// Samples a clip on the nodes of its scene, both as [`scene_to_sample`] gives them.
pub(crate) fn sampled(
    opened: &Opened,
    scene: &Scene,
    clip: Option<&Clip>,
    options: &SampleOptions<'_>,
) -> Result<Sampled, Error> {
    check_muscles(clip, options)?;
    let (times_s, snapped) = match clip {
        Some(clip) => {
            let numbers = numbers(scene, clip, options);
            let time_limit = options.limits.max_frames.sampled(numbers, clip.most_keys());
            times(clip, options, numbers, time_limit)?
        }
        None => (options.times.resolve(Seconds(0.0), None)?.iter().map(|t| t.0).collect(), Vec::new()),
    };
    let mut tracks = Vec::new();
    match clip {
        None => {}
        Some(clip) if options.space == Space::Model => {
            model_tracks(scene, clip, &snapped, usize::MAX, &mut |track| {
                tracks.push(track);
                Ok(())
            })?;
        }
        Some(clip) => {
            tracks = joined(clip.tracks.iter().map(|track| local_track(track, options.axes, &snapped)))
        }
    }
    Ok(Sampled { tracks, ..Sampled::head(opened, clip, times_s, options) })
}

pub(crate) fn scene_to_sample(opened: &Opened, options: &SampleOptions<'_>) -> Result<Scene, Error> {
    let mut report = Report::default();
    let clip = options.refuses_lost.then_some(&options.clip);
    let (model, onto, limits) = (options.model, options.onto, &options.limits);
    let on_model = OnModel { motion: opened, model, onto, names: &options.names, clip, limits };
    if options.axes == Axes::Native {
        if options.language == Language::English {
            let text =
                "expected axes of glTF for English names, found native axes, which have the file's own names";
            return Err(Error::Usage(text.into()));
        }
        let read = ToScene { as_stored: true, ..ToScene::default() };
        return on_model.scene(&read, &mut report);
    }
    let (mut scene, _) = on_model.carried(&mut report)?;
    if options.language == Language::English {
        english::rename(&mut scene, opened, &mut report)?;
    }
    if let Some(glb) = registry::by_id("glb").filter(|glb| !glb.takes(&opened.document)) {
        name_as_written(&mut scene, glb);
    }
    Ok(scene)
}

/// Gives tracks the names that their nodes would get in a file of `format`.
fn name_as_written(scene: &mut Scene, format: &dyn AnyFormat) {
    let names = format.node_names(scene);
    for track in scene.clips.iter_mut().flat_map(|c| &mut c.tracks) {
        if let Some(name) = track.target.node.and_then(|node| names.get(node.0)) {
            track.target.label = Some(name.clone());
        }
    }
}

fn check_muscles(clip: Option<&Clip>, options: &SampleOptions<'_>) -> Result<(), Error> {
    if options.space == Space::Model || options.axes == Axes::Gltf {
        refuse_muscles_alone(clip.map(std::slice::from_ref).unwrap_or_default())?;
    }
    Ok(())
}

/// Numbers of a sampled transform: translation and rotation.
const TRANSFORM: u64 = 7;

/// Numbers of a clip at a single time.
fn numbers(scene: &Scene, clip: &Clip, options: &SampleOptions<'_>) -> u64 {
    match options.space {
        Space::Model => TRANSFORM.saturating_mul(scene.nodes.len() as u64),
        Space::Local => clip.numbers(),
    }
}

/// The times as requested, and the times moved to the clip's grid. More than `max_numbers` numbers, of which each
/// time has `numbers`, are refused.
pub(crate) fn times(
    clip: &Clip,
    options: &SampleOptions<'_>,
    numbers: u64,
    max_numbers: u64,
) -> Result<(Vec<f64>, Vec<Seconds>), Error> {
    within(max_numbers, "sample", options.times.count(clip.duration, clip.grid)?, numbers)?;
    let times = options.times.resolve(clip.duration, clip.grid)?;
    let snapped = times.iter().map(|t| clip.grid.map_or(*t, |grid| grid.snap(*t))).collect();
    Ok((times.iter().map(|t| t.0).collect(), snapped))
}

fn local_track(track: &Track, axes: Axes, times: &[Seconds]) -> SampledTrack {
    let channels = track.channels.iter().flat_map(|channel| match axes {
        Axes::Native => native_channels(channel, times),
        Axes::Gltf => converted_channels(channel, times),
    });
    SampledTrack {
        target: track.target.label().to_owned(),
        index: track.target.index,
        kind: track.target.kind,
        channels: channels.collect(),
    }
}

/// Positions of the tracks in each entry of [`joined`], found by sampling a single time.
fn groups(clip: &Clip, axes: Axes, times: &[Seconds]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let first = times.get(..1).unwrap_or_default();
    let tracks = clip.tracks.iter().map(|track| local_track(track, axes, first));
    join(tracks, |at, entry| match groups.get_mut(entry) {
        Some(group) => group.push(at),
        None => groups.push(vec![at]),
    });
    groups
}

/// One entry per target: a target whose channels lie on several nodes has one entry too.
fn joined(tracks: impl Iterator<Item = SampledTrack>) -> Vec<SampledTrack> {
    join(tracks, |_, _| {})
}

/// As [`joined`]; `assign` receives the position of each track and the position of its entry.
fn join(
    tracks: impl Iterator<Item = SampledTrack>,
    mut assign: impl FnMut(usize, usize),
) -> Vec<SampledTrack> {
    let mut out: Vec<SampledTrack> = Vec::new();
    let mut places: HashMap<(TargetKind, String, usize), usize> = HashMap::new();
    for (at, track) in tracks.enumerate().filter(|(_, track)| !track.channels.is_empty()) {
        let entry = *places.entry((track.kind, track.target.clone(), track.index)).or_insert(out.len());
        let repeats =
            |t: &SampledTrack| t.channels.iter().any(|a| track.channels.iter().any(|b| a.name == b.name));
        match out.get_mut(entry) {
            Some(entry_track) if !repeats(entry_track) => {
                entry_track.channels.extend(track.channels);
                assign(at, entry);
            }
            _ => {
                assign(at, out.len());
                out.push(track);
            }
        }
    }
    out
}

fn native_channels(channel: &Channel, times: &[Seconds]) -> Vec<SampledChannel> {
    let sampled = native_parts(channel).into_iter().enumerate().filter_map(|(part, (name, _))| {
        let mut row = Vec::new();
        let mut values = Vec::new();
        for time in times {
            if !stored_at(channel, part, *time, &mut row) {
                return None;
            }
            values.extend_from_slice(&row);
        }
        let is_scalar = row.len() == 1 && channel.property != Property::Weights;
        Some(SampledChannel { name: name.to_owned(), width: row.len(), is_scalar, values })
    });
    sampled.collect()
}

fn converted_channels(channel: &Channel, times: &[Seconds]) -> Vec<SampledChannel> {
    let mut row = Vec::new();
    let mut values = Vec::new();
    for time in times {
        if !channel_at(channel, *time, Side::At, &mut row) {
            return Vec::new();
        }
        values.extend_from_slice(&row);
    }
    let width = row.len();
    if channel.property == Property::Placement {
        let part = |name: &str, range: std::ops::Range<usize>| SampledChannel {
            name: name.to_owned(),
            width: range.len(),
            is_scalar: false,
            values: values.chunks_exact(width).flat_map(|row| &row[range.clone()]).copied().collect(),
        };
        return vec![part("translation", 0..3), part("rotation", 3..7)];
    }
    let is_scalar = width == 1 && channel.property != Property::Weights;
    vec![SampledChannel { name: channel.property.word().to_owned(), width, is_scalar, values }]
}

/// Hands over a track for each node in model space, after the rig if there is one; `at_once` nodes are
/// sampled at a time.
fn model_tracks(
    scene: &Scene,
    clip: &Clip,
    times: &[Seconds],
    at_once: usize,
    each: &mut dyn FnMut(SampledTrack) -> Result<(), Error>,
) -> Result<(), Error> {
    if scene.hierarchy == Hierarchy::Unknown {
        let text = "--space model needs a hierarchy, which this file does not have; give its model with -m";
        return Err(Error::Usage(text.into()));
    }
    let rig = (!scene.rig.is_empty()).then(|| Player::new(scene, clip, Behaviour::default()).ok());
    let mut rig = rig.flatten();
    let at_once = at_once.clamp(1, scene.nodes.len().max(1));
    for (nodes, start) in scene.nodes.chunks(at_once).zip((0..).step_by(at_once)) {
        let mut tracks: Vec<SampledTrack> =
            nodes.iter().zip(start..).map(|(node, index)| model_track(node, index, times.len())).collect();
        for time in times {
            let local = match &mut rig {
                Some(player) => Pose(player.pose_at(*time, Side::At).local.clone()),
                None => local_pose(scene, clip, *time),
            };
            let model = model_pose(scene, &local);
            for (track, matrix) in tracks.iter_mut().zip(model.0.iter().skip(start)) {
                let Transform { translation, rotation, .. } = decompose(matrix);
                let numbers: [&[f64]; 2] = [&translation, &rotation];
                track.channels.iter_mut().zip(numbers).for_each(|(c, numbers)| c.values.extend(numbers));
            }
        }
        tracks.into_iter().try_for_each(&mut *each)?;
    }
    Ok(())
}

/// The track of a node, with capacity for its values at `times` times.
fn model_track(node: &Node, index: usize, times: usize) -> SampledTrack {
    let channel = |name: &str, width: usize| SampledChannel {
        name: name.to_owned(),
        width,
        is_scalar: false,
        values: Vec::with_capacity(width * times),
    };
    SampledTrack {
        target: node.name.clone(),
        index: node.source_index.unwrap_or(index),
        kind: TargetKind::Joint,
        channels: vec![channel("translation", 3), channel("rotation", 4)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_told_apart() {
        let mut taken = HashSet::new();
        let names = [("a", "x"), ("a", "x"), ("a", "y"), ("a#2", "x"), ("a", "x")]
            .map(|(target, channel)| unique(target, channel, &mut taken));
        assert_eq!(names, ["a/x", "a#2/x", "a/y", "a#2#2/x", "a#3/x"]);
    }
}
