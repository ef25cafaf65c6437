//! Scene to document. Conversion has brought the scene within the capabilities of the format: its axes, its
//! laws, absolute poses.

mod lanes;
mod merge;
mod numbers;
mod paths;

use super::ID;
use super::curves::rotation_order;
use super::document::{
    AnimationCurve, Clip, Document, Event, File, ObjectReference, Settings, TransformCurve,
};
use super::notes::{self, Notes};
use super::numbering::Numbering;
use super::spans::ClipList;
use super::to_scene::ON_MARKER;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, ErrorUnit, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{
    Channel, Clip as SceneClip, Composition, Looping, Marker, NodeIndex, Property, Scene, Target, TargetKind,
    Track, Transform,
};
use dopesheet_core::order::by_number;
use dopesheet_core::words::{agreeing, counted};
use lanes::{RotationLanes, WeightedLane, lane, narrow, rotation};
use merge::{Merged, can_share, merged};
use paths::Paths;
use std::borrow::Cow;
use std::collections::HashSet;

/// Frames per second for the editor if a scene states none.
const USUAL_RATE: f32 = 60.0;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let Some(first) = scene.clips.first() else {
        let what =
            format!("{} and no motion, which is all that a clip holds", counted(scene.nodes.len(), "node"));
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    };
    let clip = with_sources(scene, first, &Numbering::default(), options, report).clip;
    let file = File { clips: vec![clip], other_objects: 0 };
    Ok(Document::new(file))
}

/// A clip made from a scene.
pub(super) struct ClipFromScene {
    pub(super) clip: Clip,
    /// For each list of its curves, the numbers of the keys of each curve in the clip from which the scene
    /// was made.
    pub(super) sources: Sources,
    /// Path of each node of the scene.
    pub(super) paths: Vec<String>,
}

/// Numbers of keys, by list and curve.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) rotation: Vec<Vec<Option<u32>>>,
    pub(super) euler: Vec<Vec<Option<u32>>>,
    pub(super) position: Vec<Vec<Option<u32>>>,
    pub(super) scale: Vec<Vec<Option<u32>>>,
    pub(super) float: Vec<Vec<Option<u32>>>,
}

/// A clip of a scene. `numbering` tells the single-number curves of the clip from which the scene was made.
pub(super) fn with_sources(
    scene: &Scene,
    clip: &SceneClip,
    numbering: &Numbering,
    options: &FromScene,
    report: &mut Report,
) -> ClipFromScene {
    let notes = notes::read(clip.source.as_ref());
    let mut writer = Writer {
        scene,
        clip,
        paths: Paths::of(scene, clip, notes.is_own),
        notes,
        numbering,
        written: empty_clip(clip, options),
        sources: Sources::default(),
        counts: WriteCounts::default(),
    };
    writer.written.serialized_version = writer.notes.serialized_version.or(writer.written.serialized_version);
    (writer.written.wrap_mode, writer.written.legacy) = (writer.notes.wrap_mode, writer.notes.legacy);
    clip.tracks.iter().for_each(|track| writer.track(track));
    writer.events();
    writer.report(report);
    ClipFromScene { clip: writer.written, sources: writer.sources, paths: writer.paths.into_all() }
}

/// The clip without its curves.
fn empty_clip(clip: &SceneClip, options: &FromScene) -> Clip {
    let stem = options.file_stems.first().cloned();
    let rate = clip.grid.map_or(USUAL_RATE, |rate| narrow(rate.fps()));
    let settings = Settings {
        stop_time: narrow(clip.end().0),
        loop_time: clip.looping == Looping::Loop,
        ..Settings::default()
    };
    let name = clip.name.clone().or(stem).unwrap_or_default();
    Clip { name, sample_rate: rate, settings, ..Clip::default() }
}

/// Account of the written keys.
#[derive(Default)]
struct WriteCounts {
    keys: usize,
    inserted: usize,
    divided: usize,
    arcs: usize,
    /// Upper bound of the angle between the arcs and the cubics in their place.
    arc_bound_rad: f64,
    /// Channels with nothing to write.
    lost: Vec<String>,
    /// Morphs of an unknown mesh.
    homeless: usize,
    /// Numbers without an object, written as properties of the Animator.
    parameters: usize,
    apart: usize,
}

struct Writer<'a> {
    scene: &'a Scene,
    clip: &'a SceneClip,
    paths: Paths,
    notes: Notes,
    numbering: &'a Numbering,
    written: Clip,
    sources: Sources,
    counts: WriteCounts,
}

impl Writer<'_> {
    fn track(&mut self, track: &Track) {
        for channel in &track.channels {
            if channel.composition.curves().all(dopesheet_core::model::Curve::is_empty) {
                continue;
            }
            let is_written = match (track.target.kind, &channel.property) {
                (_, Property::Translation | Property::Rotation | Property::Scale) => {
                    self.is_shown(track, channel) || self.transform(&track.target, channel)
                }
                _ => self.number(&track.target, channel),
            };
            if !is_written {
                let what = format!("{} of {}", channel.property.word(), track.target.name);
                self.counts.lost.push(what);
            }
        }
    }

    /// Path of a target. A target without a node counts as an object of its name.
    fn path<'t>(&'t self, target: &'t Target) -> Cow<'t, str> {
        match target.node.and_then(|node| self.paths.get(node)) {
            Some(path) => Cow::Borrowed(path),
            None => notes::stored_name(&target.name),
        }
    }

    /// True if a scale only shows a switch, which is written as a switch.
    fn is_shown(&self, track: &Track, channel: &Channel) -> bool {
        let Composition::Whole(scale) = &channel.composition else { return false };
        let is_switch = |other: &&Track| {
            matches!(other.target.kind, TargetKind::Hand | TargetKind::Custom)
                && other.target.node == track.target.node
        };
        let shows = |scale_channel: &Channel| match &scale_channel.composition {
            Composition::Whole(curve) => {
                curve.width == 1
                    && curve.times == scale.times
                    && scale
                        .values
                        .chunks_exact(3)
                        .zip(&curve.values)
                        .all(|(scale, on)| scale.iter().all(|x| x == on))
            }
            _ => false,
        };
        channel.property == Property::Scale
            && track.target.node.is_some()
            && scale.width == 3
            && self.clip.tracks.iter().filter(is_switch).flat_map(|other| &other.channels).any(shows)
    }

    fn transform(&mut self, target: &Target, channel: &Channel) -> bool {
        let Some(lanes) = self.lanes(channel) else { return false };
        let path = self.path(target).into_owned();
        self.counts.keys += lanes.iter().map(|lane| lane.keys.len()).max().unwrap_or(0);
        let order = match &channel.composition {
            Composition::Euler { order, .. } => Some(*order),
            _ => None,
        };
        if !can_share(&lanes) || self.is_of_numbers(&lanes) {
            self.apart(&path, &channel.property, order.is_some(), &lanes);
            return true;
        }
        match (&channel.property, order) {
            (Property::Rotation, None) => {
                let (curve, sources) = self.shared::<4>(&lanes);
                self.written.rotation_curves.push(TransformCurve { path, curve });
                self.sources.rotation.push(sources);
            }
            (Property::Rotation, Some(order)) => {
                let (curve, sources) = self.shared::<3>(&lanes);
                let curve = AnimationCurve { rotation_order: rotation_order(order), ..curve };
                self.written.euler_curves.push(TransformCurve { path, curve });
                self.sources.euler.push(sources);
            }
            (property, _) => {
                let (curve, sources) = self.shared::<3>(&lanes);
                let (curves, all) = match property {
                    Property::Scale => (&mut self.written.scale_curves, &mut self.sources.scale),
                    _ => (&mut self.written.position_curves, &mut self.sources.position),
                };
                curves.push(TransformCurve { path, curve });
                all.push(sources);
            }
        }
        true
    }

    fn shared<const N: usize>(&mut self, lanes: &[WeightedLane]) -> (AnimationCurve<N>, Vec<Option<u32>>) {
        let Merged { curve, inserted, sources } = merged(lanes);
        self.counts.inserted += inserted;
        (curve, sources)
    }

    /// True if components come from curves of single numbers.
    fn is_of_numbers(&self, lanes: &[WeightedLane]) -> bool {
        let mut sources = lanes.iter().flat_map(|lane| lane.sources.iter().copied()).flatten();
        sources.any(|number| {
            self.numbering.key(number).is_some_and(|key_place| key_place.list == ClipList::Float)
        })
    }

    /// The components of a channel; `None` if the format lacks the channel's composition.
    fn lanes(&mut self, channel: &Channel) -> Option<Vec<WeightedLane>> {
        let factor = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let count = match (&channel.property, &channel.composition) {
            (Property::Rotation, Composition::Whole(_) | Composition::ComponentsNormalised(_)) => 4,
            _ => 3,
        };
        let lanes: Vec<WeightedLane> = match &channel.composition {
            Composition::Whole(curve) if channel.property == Property::Rotation => {
                if curve.width != 4 || curve.validate().is_err() {
                    return None;
                }
                let RotationLanes { lanes, divided, bound_rad } = rotation(curve);
                self.counts.arcs += usize::from(bound_rad > 0.0);
                self.counts.arc_bound_rad = self.counts.arc_bound_rad.max(bound_rad);
                self.counts.divided += divided;
                lanes
            }
            Composition::Whole(curve) if curve.width == count => {
                (0..count).map(|component| lane(curve, component, factor)).collect()
            }
            Composition::Components(curves) | Composition::ComponentsNormalised(curves) => {
                curves.iter().map(|curve| lane(curve, 0, factor)).collect()
            }
            Composition::Euler { angles, .. } => {
                let degrees = 1f64.to_radians();
                // Degrees stay the numbers that they are.
                let factor = if factor == degrees { 1.0 } else { factor / degrees };
                match &angles[..] {
                    [all] if all.width == 3 => (0..3).map(|component| lane(all, component, factor)).collect(),
                    each => each.iter().map(|curve| lane(curve, 0, factor)).collect(),
                }
            }
            _ => return None,
        };
        (lanes.len() == count).then_some(lanes)
    }

    fn events(&mut self) {
        let mut events: Vec<Event> = self.clip.markers.iter().map(event).collect();
        by_number(&mut events, |event| event.time.into());
        self.written.events = events;
    }

    fn report(&self, report: &mut Report) {
        let WriteCounts { keys, inserted, divided, arcs, arc_bound_rad, .. } = self.counts;
        report.kept(format!(
            "{} of {}, {} and {}",
            counted(keys, "key"),
            counted(self.written.rotation_curves.len() + self.written.euler_curves.len(), "rotation"),
            counted(self.written.position_curves.len(), "position"),
            counted(self.written.scale_curves.len(), "scale")
        ));
        if !self.written.float_curves.is_empty() {
            let keys: usize = self.written.float_curves.iter().map(|curve| curve.curve.keys.len()).sum();
            report.kept(format!(
                "{} of {}",
                counted(keys, "key"),
                counted(self.written.float_curves.len(), "number")
            ));
        }
        if inserted > 0 {
            report.kept(format!(
                "components without keys where others have them, with {} in between",
                counted(inserted, "added key")
            ));
        }
        if self.counts.apart > 0 {
            let what = format!(
                "{} with components that repeat with different periods, as single numbers",
                counted(self.counts.apart, "value")
            );
            report.kept(what);
        }
        if arcs > 0 {
            let what = format!(
                "great arcs of {}, as cubics of their components; {} beyond 30° {} divided",
                counted(arcs, "rotation"),
                counted(divided, "turn"),
                agreeing(divided, "is", "are")
            );
            report.proved(what, arc_bound_rad, ErrorUnit::Radian);
        }
        self.report_names(report);
        self.report_lost(report);
    }

    fn report_names(&self, report: &mut Report) {
        if let Some(root) = &self.paths.root {
            report.kept(format!("paths below {root:?}, which stands for the object that plays the clip"));
        }
        if let Some(first) = self.paths.renamed.first() {
            let what = format!("names of {}, such as {first:?}", counted(self.paths.renamed.len(), "node"));
            report.dropped(
                what,
                "objects are found by their paths, so names have no slash, and siblings have different names",
            );
        }
    }

    fn report_lost(&self, report: &mut Report) {
        let WriteCounts { lost, homeless, parameters, .. } = &self.counts;
        if *homeless > 0 {
            let what =
                format!("the meshes of {}; blend shapes belong to the root", counted(*homeless, "morph"));
            report.dropped(what, "a motion without a model does not say which mesh has them");
        }
        if *parameters > 0 {
            report.kept(format!(
                "{} without an object, as {} of the Animator",
                counted(*parameters, "number"),
                agreeing(*parameters, "a parameter", "parameters")
            ));
        }
        if !lost.is_empty() {
            report.dropped(lost.join(", "), "a clip has no curves composed like this");
        }
        let moved: HashSet<NodeIndex> =
            self.clip.tracks.iter().filter_map(|track| track.target.node).collect();
        let nodes = self.scene.nodes.iter().enumerate();
        let resting = nodes
            .filter(|(at, node)| node.rest != Transform::IDENTITY && !moved.contains(&NodeIndex(*at)))
            .count();
        if resting > 0 && !self.notes.is_own {
            let what = format!("rest poses of {} without motion", counted(resting, "node"));
            report
                .dropped(what, "a clip only holds motion; the objects it plays on have their own rest pose");
        }
    }
}

/// A marker as an event: markers of other formats call a common method, with the marker's name as argument.
pub(super) fn event(marker: &Marker) -> Event {
    let plain = Event {
        time: narrow(marker.time.0),
        function_name: ON_MARKER.to_owned(),
        data: marker.name.clone(),
        ..Event::default()
    };
    let Some(data) = marker.data.as_ref().filter(|data| data["functionName"].is_string()) else {
        return plain;
    };
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    let object = &data["objectReferenceParameter"];
    Event {
        function_name: text("functionName"),
        data: text("data"),
        object_reference: ObjectReference {
            file_id: object[0].as_i64().unwrap_or(0),
            guid: object[1].as_str().map(str::to_owned),
            kind: object[2].as_i64(),
        },
        float_parameter: data["floatParameter"].as_f64().map_or(0.0, narrow),
        int_parameter: data["intParameter"].as_i64().unwrap_or(0),
        message_options: data["messageOptions"].as_i64().unwrap_or(0),
        ..plain
    }
}
