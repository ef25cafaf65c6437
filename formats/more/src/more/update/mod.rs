//! Bring a document up to a scene made from this document and changed since: tracks not touched by any
//! operation keep every byte, and all other tracks keep their types if these can hold the changed keys.

mod events;
mod keys;
mod names;

use super::animation::{Body, Keys, Shape, Times, Track as MoreTrack, Values};
use super::codes::TIME_MOVED;
use super::document::{Document, Resource};
use super::from_scene::{duration, from_scene, single_tracks};
use super::to_scene::scene as to_scene;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, Fault, Place, Report};
use dopesheet_core::format::{FromScene, Held, ToScene, warn_written_anew};
use dopesheet_core::model::{Clip, Property, Scene, Track};
use dopesheet_core::words::{counted, number};
use keys::{Leaf, Rewritten};
use std::collections::HashMap;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let read = ToScene::to_update();
    let before = to_scene(document, &read, &document.assumed, &mut Report::default())?.resting_as(scene);
    if before == *scene {
        return Ok(());
    }
    let (how, version) = (document.assumed, document.version);
    let Resource::Animation(animation) = &mut document.resource else {
        let anew = from_scene(scene, options, report)?;
        *document = Document { assumed: document.assumed, ..anew };
        warn_written_anew(report);
        return Ok(());
    };
    let nothing = Clip::default();
    let [old_clip, clip] = [&before, scene].map(|scene| scene.clips.first().unwrap_or(&nothing));
    let mut update = Update {
        tracks: Tracks::of(old_clip, clip),
        clips: [old_clip, clip],
        how,
        changes: TrackChanges::default(),
    };
    let old = std::mem::take(&mut animation.tracks);
    let reaches_beyond = duration(old_clip, &old) > animation.duration;
    animation.tracks =
        old.into_iter().enumerate().filter_map(|(at, track)| update.track(at, track)).collect();
    let Update { tracks, mut changes, .. } = update;
    let at = |clip: &Clip| clip.markers.iter().map(|marker| marker.time.0).collect::<Vec<_>>();
    changes.is_moved |= old_clip.markers.len() == clip.markers.len() && at(old_clip) != at(clip);
    let new: Vec<Track> = tracks.left().into_iter().cloned().collect();
    animation.tracks.extend(single_tracks(scene, &new, options, report)?);
    events::merge(&mut animation.tracks, &old_clip.markers, &clip.markers);
    if clip.name != old_clip.name && version < super::layout::since::NO_NAME {
        animation.name = clip.name.as_deref().map(Name::new);
    }
    if clip.duration != old_clip.duration {
        animation.duration = match reaches_beyond {
            true => keys::seconds(clip.end().0),
            false => duration(clip, &animation.tracks),
        };
    }
    if !animation.instants.is_empty() && changes.is_moved {
        let what = format!("new times of {} (instants)", counted(animation.instants.len(), "mark"));
        report.dropped(what, "they are no part of the motion, and stay as they are");
    }
    changes.report(report);
    report.kept(counted(animation.tracks.len(), "track"));
    Ok(())
}

/// Smallest reported movement of a key, in seconds.
const REMARKABLE_S: f64 = 1e-5;

/// The precision with which the tracks of a document hold the keys of each track of a scene.
pub(super) fn held(document: &Document, before: &Scene, scene: &Scene) -> Vec<Vec<Held>> {
    let Resource::Animation(animation) = &document.resource else { return Vec::new() };
    let (Some(old_clip), Some(clip)) = (before.clips.first(), scene.clips.first()) else { return Vec::new() };
    let mut tracks = Tracks::of(old_clip, clip);
    let mut held = vec![Held::Not; clip.tracks.len()];
    for (index, track) in animation.tracks.iter().enumerate() {
        each_leaf(track, &mut |leaf| {
            if let Some((old_track, Some((at, after)))) = tracks.next(index)
                && let Some(held) = held.get_mut(at)
            {
                *held = match old_track.channels == after.channels {
                    true => Held::Exactly,
                    false => leaf
                        .rewritten(old_track, after, &document.assumed)
                        .map_or(Held::Not, |rewritten| rewritten.held),
                };
            }
        });
    }
    vec![held]
}

/// Visits the playable tracks of keys within a track, in the order of their conversion to tracks of a scene.
fn each_leaf(track: &MoreTrack, visit: &mut dyn FnMut(Leaf<'_>)) {
    match &track.body {
        Body::Keys(keys) if keys.times.iter().any(f64::is_finite) => {
            visit(Leaf { keys, track_type: track.track_type });
        }
        Body::Displacement(pair) => {
            each_leaf(&pair.position, visit);
            each_leaf(&pair.rotation, visit);
        }
        _ => {}
    }
}

/// True if a key of the file has another time in a track; if no key of the file is left, true if the clip's
/// length changed.
fn has_moved([own, after]: [&Track; 2], [before, clip]: [&Clip; 2]) -> bool {
    let times = |track: &Track| -> HashMap<u32, f64> {
        let channels = track.channels.iter();
        let curves = channels.flat_map(|channel| channel.composition.curves());
        let keys = curves.flat_map(|curve| (0..curve.len()).map(move |key| (curve, key)));
        keys.filter_map(|(curve, key)| Some((curve.source(key)?, curve.times.get(key)?.0))).collect()
    };
    let (old, new) = (times(own), times(after));
    let is_moved =
        |(source, time): (&u32, &f64)| old.get(source).is_some_and(|old| (old - time).abs() > keys::SAME_S);
    new.iter().any(is_moved) || (new.is_empty() && before.duration != clip.duration)
}

/// The tracks of a clip before and after, by the place of their tracks in the file.
struct Tracks<'a> {
    old: &'a [Track],
    clip: &'a [Track],
    /// Tracks after the change, by their number and property.
    after: HashMap<(usize, String), Vec<usize>>,
    /// Number of tracks before the change visited so far.
    met: usize,
    taken: Vec<bool>,
}

fn key(track: &Track) -> (usize, String) {
    let property = track.channels.first().map_or(&Property::Value, |channel| &channel.property);
    (track.target.index, property.word().to_owned())
}

impl<'a> Tracks<'a> {
    fn of(old_clip: &'a Clip, clip: &'a Clip) -> Self {
        let mut after: HashMap<(usize, String), Vec<usize>> = HashMap::new();
        for (at, track) in clip.tracks.iter().enumerate().rev() {
            after.entry(key(track)).or_default().push(at);
        }
        let taken = vec![false; clip.tracks.len()];
        Self { old: &old_clip.tracks, clip: &clip.tracks, after, met: 0, taken }
    }

    /// The next track before the change, and the corresponding track after the change with its position. Each
    /// track of keys of the file is one such track, in the file's order.
    fn next(&mut self, index: usize) -> Option<(&'a Track, Option<(usize, &'a Track)>)> {
        let old_track = self.old.get(self.met).filter(|old_track| old_track.target.index == index)?;
        self.met += 1;
        let position = self.after.get_mut(&key(old_track)).and_then(Vec::pop);
        if let Some(taken) = position.and_then(|at| self.taken.get_mut(at)) {
            *taken = true;
        }
        Some((old_track, position.and_then(|at| Some((at, self.clip.get(at)?)))))
    }

    /// Tracks not in the file.
    fn left(&self) -> Vec<&'a Track> {
        self.clip.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(track, _)| track).collect()
    }
}

/// Account of changed tracks.
#[derive(Default)]
struct TrackChanges {
    /// Names of tracks with a changed type.
    retyped: Vec<String>,
    /// The largest movement of a key by rounding its time to 16 bits, in seconds, and its track.
    moved: (f64, String),
    /// True if keys or events have other times.
    is_moved: bool,
}

impl TrackChanges {
    fn report(self, report: &mut Report) {
        if let Some(first) = self.retyped.first() {
            let what = format!("the type of {} ({first:?})", counted(self.retyped.len(), "track"));
            report.dropped(what, "it has no place for what their keys are now; they are of floats");
        }
        let (by_s, name) = self.moved;
        if by_s > REMARKABLE_S {
            let actual = format!("keys moved by up to {} ms ({name})", number(1e3 * by_s));
            let (check, expected) = (TIME_MOVED, "times that 16 bits hold");
            report.push(check.severity, Fault::new(check.code, Place::File, expected, actual));
        }
    }
}

struct Update<'a> {
    tracks: Tracks<'a>,
    /// The clip before and after.
    clips: [&'a Clip; 2],
    how: super::interpretation::Interpretation,
    changes: TrackChanges,
}

impl Update<'_> {
    /// A track of the file after the change; `None` if removed.
    fn track(&mut self, index: usize, mut track: MoreTrack) -> Option<MoreTrack> {
        match &mut track.body {
            Body::Keys(_) => {
                let (new_track, renamed) = self.keys(index, track)?;
                let mut renamed_track = new_track;
                if let Some([old, new]) = renamed {
                    names::rename(&mut renamed_track.name, &old, &new, renamed_track.track_type);
                }
                Some(renamed_track)
            }
            Body::Displacement(_) => {
                let [count, gone] = self.halves(index, &mut track);
                (count == 0 || gone < count).then_some(track)
            }
            Body::Events(_) | Body::User { .. } => Some(track),
        }
    }

    /// Brings the halves of a displacement up to their changes; yields the number of halves with keys, and
    /// the number of them that are gone.
    fn halves(&mut self, index: usize, track: &mut MoreTrack) -> [usize; 2] {
        let (mut count, mut gone) = (0, 0);
        let Body::Displacement(pair) = &mut track.body else { return [0, 0] };
        for half in [&mut pair.position, &mut pair.rotation] {
            if let Body::Displacement(_) = half.body {
                let [inner, lost] = self.halves(index, half);
                (count, gone) = (count + inner, gone + lost);
            }
            if !matches!(half.body, Body::Keys(_)) {
                continue;
            }
            count += 1;
            let Some((new_half, renamed)) = self.keys(index, half.clone()) else {
                gone += 1;
                half.body = Body::Keys(Box::new(without_keys(&half.body)));
                continue;
            };
            *half = new_half;
            if let Some([old, new]) = renamed
                && !names::rename_within(&mut half.name, &old, &new)
            {
                names::rename_within(&mut track.name, &old, &new);
            }
        }
        [count, gone]
    }

    /// A track of keys, and its node's name before and after if the name changed; `None` if the track is
    /// gone.
    fn keys(&mut self, index: usize, track: MoreTrack) -> Option<(MoreTrack, Option<[String; 2]>)> {
        let Body::Keys(keys) = &track.body else { return Some((track, None)) };
        if !keys.times.iter().any(f64::is_finite) {
            // Nothing of it plays.
            return Some((track, None));
        }
        let Some((old_track, after)) = self.tracks.next(index) else { return Some((track, None)) };
        let (_, after) = after?;
        let names = [old_track, after].map(|track| track.target.name.clone());
        let renamed = Some(names).filter(|[old, new]| old != new);
        if old_track.channels == after.channels {
            return Some((track, renamed));
        }
        self.changes.is_moved |= has_moved([old_track, after], self.clips);
        let leaf = Leaf { keys, track_type: track.track_type };
        let Some(Rewritten { track_type, keys, is_retyped, rounding, .. }) =
            leaf.rewritten(old_track, after, &self.how)
        else {
            return Some((track, renamed));
        };
        let is_of_16_bits = matches!(keys.times, Times::Codes(_));
        if is_of_16_bits && rounding.moved_s > self.changes.moved.0 {
            self.changes.moved = (rounding.moved_s, track.name.text().into_owned());
        }
        if is_retyped {
            self.changes.retyped.push(track.name.text().into_owned());
        }
        let body = Body::Keys(Box::new(keys));
        Some((MoreTrack { track_type, name: track.name, body }, renamed))
    }
}

/// Rest of keys without any playable key.
fn without_keys(body: &Body) -> Keys {
    let Body::Keys(keys) = body else {
        let (times, values) = (Times::Seconds(Vec::new()), Values::Floats(Vec::new()));
        return Keys { terminate: true, times, values, shape: Shape::Plain };
    };
    keys::picked(keys, &[])
}
