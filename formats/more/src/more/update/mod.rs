//! Bring a document up to a scene that was made of it and changed since: tracks that no operation touched stay to the byte, and the
//! others keep their types where those hold what became of them.

mod events;
mod keys;
mod names;

use super::animation::{Body, Keys, Shape, Times, Track as MoreTrack, Values};
use super::document::{Document, Resource};
use super::from_scene::{duration, from_scene, single_tracks};
use super::to_scene::scene as to_scene;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{FromScene, ToScene, warn_written_anew};
use dopesheet_core::model::{Clip, Property, Scene, Track};
use dopesheet_core::words::counted;
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
    let [own, clip] = [&before, scene].map(|scene| scene.clips.first().unwrap_or(&nothing));
    let mut update = Update { tracks: Tracks::of(own, clip), how, tally: Tally::default() };
    let old = std::mem::take(&mut animation.tracks);
    let reaches_beyond = duration(own, &old) > animation.duration;
    animation.tracks =
        old.into_iter().enumerate().filter_map(|(at, track)| update.track(at, track)).collect();
    let Update { tracks, tally, .. } = update;
    let new: Vec<Track> = tracks.left().into_iter().cloned().collect();
    animation.tracks.extend(single_tracks(scene, &new, options, report)?);
    events::merge(&mut animation.tracks, &own.markers, &clip.markers);
    if clip.name != own.name && version < super::layout::since::NO_NAME {
        animation.name = clip.name.as_deref().map(Name::new);
    }
    if clip.duration != own.duration {
        animation.duration = match reaches_beyond {
            true => keys::seconds(clip.end().0),
            false => duration(clip, &animation.tracks),
        };
    }
    tally.report(report);
    if !animation.instants.is_empty() && has_moved(own, clip) {
        let what = format!("new times of {} (instants)", counted(animation.instants.len(), "mark"));
        report.dropped(what, "they are no part of the motion, and stay as they are");
    }
    report.kept(counted(animation.tracks.len(), "track"));
    Ok(())
}

/// True if keys of a clip have other times.
fn has_moved(own: &Clip, clip: &Clip) -> bool {
    let times = |clip: &Clip| -> Vec<f64> {
        let channels = clip.tracks.iter().flat_map(|track| &track.channels);
        let curves = channels.flat_map(|channel| channel.composition.curves());
        curves.flat_map(|curve| curve.times.iter()).map(|time| time.0).collect()
    };
    own.duration != clip.duration || times(own) != times(clip)
}

/// The tracks of a clip before and after, by the place of their tracks in the file.
struct Tracks<'a> {
    own: &'a [Track],
    clip: &'a [Track],
    /// Tracks after, by the number and the property that they have.
    after: HashMap<(usize, String), Vec<usize>>,
    /// Number of tracks before that were met.
    met: usize,
    taken: Vec<bool>,
}

fn key(track: &Track) -> (usize, String) {
    let property = track.channels.first().map_or(&Property::Value, |channel| &channel.property);
    (track.target.index, property.word().to_owned())
}

impl<'a> Tracks<'a> {
    fn of(own: &'a Clip, clip: &'a Clip) -> Self {
        let mut after: HashMap<(usize, String), Vec<usize>> = HashMap::new();
        for (at, track) in clip.tracks.iter().enumerate().rev() {
            after.entry(key(track)).or_default().push(at);
        }
        let taken = vec![false; clip.tracks.len()];
        Self { own: &own.tracks, clip: &clip.tracks, after, met: 0, taken }
    }

    /// The next track before, and what became of it. Each track of keys of the file is one, in its order.
    fn next(&mut self, index: usize) -> Option<(&'a Track, Option<&'a Track>)> {
        let own = self.own.get(self.met).filter(|own| own.target.index == index)?;
        self.met += 1;
        let found = self.after.get_mut(&key(own)).and_then(Vec::pop);
        if let Some(taken) = found.and_then(|at| self.taken.get_mut(at)) {
            *taken = true;
        }
        Some((own, found.and_then(|at| self.clip.get(at))))
    }

    /// Tracks that the file does not have.
    fn left(&self) -> Vec<&'a Track> {
        self.clip.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(track, _)| track).collect()
    }
}

/// Account of tracks that changed.
#[derive(Default)]
struct Tally {
    /// Names of tracks that are of other types now.
    retyped: Vec<String>,
    turned: Option<dopesheet_core::diag::MaxError>,
}

impl Tally {
    fn report(self, report: &mut Report) {
        if let Some(first) = self.retyped.first() {
            let what = format!("the type of {} ({first:?})", counted(self.retyped.len(), "track"));
            report.dropped(what, "it has no place for what their keys are now; they are of floats");
        }
        if let Some(error) = self.turned {
            report.approximated("changed rotations in fewer bits", error);
        }
    }
}

struct Update<'a> {
    tracks: Tracks<'a>,
    how: super::interpretation::Interpretation,
    tally: Tally,
}

impl Update<'_> {
    /// A track of the file after the change; `None` if it is gone.
    fn track(&mut self, index: usize, mut track: MoreTrack) -> Option<MoreTrack> {
        match &mut track.body {
            Body::Keys(_) => {
                let (made, renamed) = self.keys(index, track)?;
                let mut made = made;
                if let Some([old, new]) = renamed {
                    names::rename(&mut made.name, &old, &new, made.track_type);
                }
                Some(made)
            }
            Body::Displacement(_) => {
                let [count, gone] = self.halves(index, &mut track);
                (count == 0 || gone < count).then_some(track)
            }
            Body::Events(_) | Body::User { .. } => Some(track),
        }
    }

    /// Brings the halves of a displacement up to what became of them; yields how many have keys, and how many of those are gone.
    fn halves(&mut self, index: usize, track: &mut MoreTrack) -> [usize; 2] {
        let (mut count, mut gone) = (0, 0);
        let Body::Displacement(pair) = &mut track.body else { return [0, 0] };
        for half in [&mut pair.position, &mut pair.rotation] {
            if let Body::Displacement(_) = half.body {
                let [own, lost] = self.halves(index, half);
                (count, gone) = (count + own, gone + lost);
            }
            if !matches!(half.body, Body::Keys(_)) {
                continue;
            }
            count += 1;
            let Some((made, renamed)) = self.keys(index, half.clone()) else {
                gone += 1;
                half.body = Body::Keys(Box::new(without_keys(&half.body)));
                continue;
            };
            *half = made;
            if let Some([old, new]) = renamed
                && !names::rename_within(&mut half.name, &old, &new)
            {
                names::rename_within(&mut track.name, &old, &new);
            }
        }
        [count, gone]
    }

    /// A track of keys, and its node's name before and after where that changed; `None` if it is gone.
    fn keys(&mut self, index: usize, track: MoreTrack) -> Option<(MoreTrack, Option<[String; 2]>)> {
        let Body::Keys(keys) = &track.body else { return Some((track, None)) };
        if !keys.times.iter().any(f64::is_finite) {
            // Nothing of it plays.
            return Some((track, None));
        }
        let Some((own, after)) = self.tracks.next(index) else { return Some((track, None)) };
        let after = after?;
        let names = [own, after].map(|track| track.target.name.clone());
        let renamed = Some(names).filter(|[old, new]| old != new);
        if own.channels == after.channels {
            return Some((track, renamed));
        }
        let leaf = Leaf { keys, track_type: track.track_type, how: &self.how };
        let Some(Rewritten { track_type, keys, is_retyped, turned }) = leaf.rewritten(own, after) else {
            return Some((track, renamed));
        };
        if is_retyped {
            self.tally.retyped.push(track.name.text().into_owned());
        }
        if turned.value > self.tally.turned.as_ref().map_or(0.0, |known| known.value) {
            self.tally.turned = Some(turned);
        }
        let body = Body::Keys(Box::new(keys));
        Some((MoreTrack { track_type, name: track.name, body }, renamed))
    }
}

/// Rest of keys of which nothing plays any more.
fn without_keys(body: &Body) -> Keys {
    let Body::Keys(keys) = body else {
        let (times, values) = (Times::Seconds(Vec::new()), Values::Floats(Vec::new()));
        return Keys { terminate: true, times, values, shape: Shape::Plain };
    };
    keys::picked(keys, &[])
}
