//! Scene to document: an animation with tracks of the types used in the game's own files.

mod displacement;
mod forms;
pub(super) mod keys;
mod packed;
mod skeleton;
mod tcb;

pub use skeleton::skeleton;

use super::animation::{Animation, Body, Event, Track as MoreTrack, TrackType};
use super::document::{Document, Resource};
use super::info::ID;
use super::layout::since;
use super::wanted::Wanted;
use super::{edit, notes};
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Hierarchy, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;
use forms::Forms;
use keys::WrittenKeys;
use std::collections::BTreeMap;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let wanted = Wanted::of(options.variant.as_deref())?;
    if wanted.actor {
        return actor(scene, &wanted, report);
    }
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let mut writer = Writer {
        scene,
        tracks: Vec::new(),
        losses: LossCounts::default(),
        forms: Forms::new(wanted, options.rounded),
    };
    clip.tracks.iter().for_each(|track| writer.track(track));
    let notes = notes::read(clip.source.as_ref());
    if writer.tracks.is_empty() && !clip.tracks.is_empty() && clip.markers.is_empty() {
        let what = format!(
            "{}, none of which is of numbers, vectors or rotations",
            counted(clip.tracks.len(), "track")
        );
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    }
    let tracks = writer.tracks.len();
    if wanted.displacement {
        displacement::join(scene, &mut writer.tracks, report);
    }
    writer.events(clip);
    for (track_type, name, terminate) in &notes.users {
        let body = Body::User { terminate: *terminate };
        writer.tracks.push(MoreTrack { track_type: *track_type, name: Name::new(name), body });
    }
    let name = notes.name.as_deref().or(clip.name.as_deref()).filter(|_| wanted.version < since::NO_NAME);
    let animation = Animation {
        name: name.map(Name::new),
        duration: duration(clip, &writer.tracks),
        // With a model conversion has added the pose.
        is_delta: notes.is_delta && scene.hierarchy == Hierarchy::Unknown,
        instants: notes.instants,
        tracks: writer.tracks,
    };
    let joints = scene.nodes.iter().filter(|node| node.parent.is_some()).count();
    if scene.hierarchy == Hierarchy::Known && joints > 0 {
        let why = "an animation has only motion; more@actor writes the skeleton";
        report.dropped(format!("the parents and rest poses of {}", counted(joints, "joint")), why);
    }
    writer.losses.report(report);
    writer.forms.report(report);
    let mut document = Document::new(Resource::Animation(animation));
    edit::set_version(&mut document, wanted.version, wanted.endian, report)?;
    report.kept(counted(tracks, "track"));
    Ok(document)
}

/// The skeleton alone.
fn actor(scene: &Scene, request: &Wanted, report: &mut Report) -> Result<Document, ConvertError> {
    if scene.nodes.is_empty() {
        let what = "no joint, of which an actor could have bones".to_owned();
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    }
    let mut document = skeleton(scene)?;
    edit::set_version(&mut document, request.version, request.endian, report)?;
    report.kept(counted(scene.nodes.len(), "bone"));
    Ok(document)
}

/// Tracks of some of a clip's tracks, as a new file has them.
pub(super) fn single_tracks(
    scene: &Scene,
    tracks: &[Track],
    options: &FromScene,
    report: &mut Report,
) -> Result<Vec<MoreTrack>, ConvertError> {
    let wanted = Wanted::of(options.variant.as_deref())?;
    let forms = Forms::new(wanted, options.rounded);
    let mut writer = Writer { scene, tracks: Vec::new(), losses: LossCounts::default(), forms };
    tracks.iter().for_each(|track| writer.track(track));
    writer.losses.report(report);
    Ok(writer.tracks)
}

/// Duration: the clip's, or the last key's time if later.
pub(super) fn duration(clip: &Clip, tracks: &[MoreTrack]) -> f32 {
    let ends = tracks.iter().filter_map(|track| match &track.body {
        Body::Keys(keys) => keys.times.iter().reduce(f64::max),
        _ => None,
    });
    keys::narrow(ends.fold(clip.duration.0, f64::max))
}

/// Counts of parts without a place in the file, by kind.
#[derive(Default)]
struct LossCounts(BTreeMap<(String, &'static str), usize>);

impl LossCounts {
    fn add(&mut self, what: impl Into<String>, why: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry((what.into(), why)).or_default() += count;
        }
    }

    fn report(&self, report: &mut Report) {
        for ((what, why), count) in &self.0 {
            report.dropped(format!("{what} ({count})"), *why);
        }
    }
}

struct Writer<'a> {
    scene: &'a Scene,
    tracks: Vec<MoreTrack>,
    losses: LossCounts,
    forms: Forms,
}

impl Writer<'_> {
    fn track(&mut self, track: &Track) {
        for channel in &track.channels {
            let name = self.name(&track.target, &channel.property);
            let rotates = channel.property == Property::Rotation && track.target.kind != TargetKind::Custom;
            let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
            match &channel.composition {
                Composition::Whole(curve) => self.curve(&name, curve, rotates, scale),
                Composition::Components(curves) if curves.iter().all(|c| c.width == 1) && !rotates => {
                    self.components(&name, curves, scale);
                }
                _ => self.no_place(track, channel),
            }
        }
    }

    fn no_place(&mut self, track: &Track, channel: &Channel) {
        let what = format!("{} channels of {} targets", channel.property.word(), track.target.kind.word());
        self.losses.add(what, "no type of track holds such values", 1);
    }

    /// Separate curves become separate tracks.
    fn components(&mut self, name: &str, curves: &[Curve], scale: f64) {
        if let [one] = curves {
            return self.curve(name, one, false, scale);
        }
        for (index, curve) in curves.iter().enumerate() {
            let axis = ["x", "y", "z", "w"].get(index).map_or_else(|| index.to_string(), |a| (*a).to_owned());
            self.curve(&format!("{name}.{axis}"), curve, false, scale);
        }
    }

    fn curve(&mut self, name: &str, curve: &Curve, rotates: bool, scale: f64) {
        if curve.is_empty() {
            return;
        }
        let Some(WrittenKeys { track_type, keys, bent, repeats }) = keys::keys(curve, rotates, scale) else {
            let what = format!("channels of {}", counted(curve.width, "number"));
            return self.losses.add(what, "only numbers, vectors and rotations have tracks", 1);
        };
        self.losses.add(
            "segments with a law of their own",
            "tracks hold steps, straight segments and cubics; these became straight",
            bent,
        );
        self.losses.add(
            "repetition outside the keys",
            "a track holds its first and last value there",
            repeats,
        );
        let (track_type, keys) = self.forms.keys(name, curve, track_type, keys);
        self.tracks.push(MoreTrack { track_type, name: Name::new(name), body: Body::Keys(Box::new(keys)) });
    }

    /// A track's name: the name of the node, with an ending for the property.
    fn name(&self, target: &Target, property: &Property) -> String {
        let node = target.node.and_then(|node| self.scene.node(node)).map(|node| node.name.as_str());
        let owner = node.unwrap_or(&target.name);
        match (property, target.kind) {
            (Property::Value, _) => target.name.clone(),
            (Property::Translation, TargetKind::Joint) => format!("{owner}.Position"),
            (Property::Rotation, TargetKind::Joint) => format!("{owner}.Rotation"),
            (Property::Scale, TargetKind::Joint) => format!("{owner}.Scale"),
            (Property::Weight, _) => match node {
                Some(node) => format!("{node}.Weight{}", target.index),
                None => format!("{}.Weight", target.name),
            },
            (other, _) => format!("{}.{}", target.name, other.word()),
        }
    }

    /// A track per name of markers, in the order of their first appearance.
    fn events(&mut self, clip: &Clip) {
        let mut lists: Vec<(&str, Vec<Event>)> = Vec::new();
        for marker in &clip.markers {
            let event = notes::event(marker);
            match lists.iter_mut().find(|(name, _)| *name == marker.name) {
                Some((_, events)) => events.push(event),
                None => lists.push((&marker.name, vec![event])),
            }
        }
        for (name, mut events) in lists {
            by_number(&mut events, |event| event.time.into());
            let body = Body::Events(events);
            self.tracks.push(MoreTrack { track_type: TrackType::EVENT, name: Name::new(name), body });
        }
    }
}
