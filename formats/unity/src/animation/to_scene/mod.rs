//! Document to scene: nodes of paths, and clips with curves by component.

mod keys;
mod numbers;
mod objects;

use super::curves::order;
use super::document::{AnimationCurve, Clip as OwnClip, Document, Event, TransformCurve};
use super::notes;
use super::numbering::Numbering;
use super::spans::ClipList;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, EulerOrder, Looping, Marker, Native, NodeIndex, Property,
    RestPose, Scene, Target, TargetKind, Times, Track,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use keys::{SharedTimes, components, sources};
pub(super) use numbers::{parameter, part};
use objects::Objects;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashMap;

/// Name of angles in the format's own terms.
pub(super) const ANGLES: &str = "angles_deg";
/// Word of a scene for weights of morphs as they are stored.
pub(super) const PERCENT: &str = "weight_percent";
/// And fields of view.
pub(super) const YFOV_DEG: &str = "yfov_deg";

/// The method called by markers of other formats.
pub(super) const ON_MARKER: &str = "OnMarker";

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let file = document.file();
    let mut scene = Scene { rest: RestPose::Unknown, ..Scene::new(Basis::UNITY) };
    let objects = Objects::of(&file.clips, &mut scene);
    let mut lost = Lost::default();
    for stored in &file.clips {
        let mut builder = Builder {
            options,
            objects: &objects,
            scene: &mut scene,
            tracks: Vec::new(),
            shared: SharedTimes::default(),
            components: Vec::new(),
            places: HashMap::new(),
            lost: &mut lost,
            numbering: options.keep_sources.then(|| Numbering::of(stored)),
        };
        builder.transforms(stored);
        builder.numbers(stored);
        let Builder { tracks, components, .. } = builder;
        let clip = clip(stored, tracks, notes::write(stored, &components), options);
        scene.clips.push(clip);
        lost.references += stored.object_curves.len();
        lost.packed += stored.compressed_rotation_curves;
    }
    lost.report(report);
    scene
}

fn clip(stored: &OwnClip, tracks: Vec<Track>, source: serde_json::Value, options: &ToScene) -> Clip {
    let curves = || tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
    let last = curves().filter_map(|curve| curve.times.span()).map(|span| span.1.0).fold(0.0, f64::max);
    let stop = f64::from(stored.settings.stop_time);
    // A clip that the editor has not saved has no stop time.
    let duration = Seconds(if stop.is_finite() && stop > 0.0 { stop } else { last });
    let rate = FrameRate::from_fps(f64::from(stored.sample_rate));
    let looping = match stored.wrap_mode {
        _ if stored.settings.loop_time => Looping::Loop,
        2 => Looping::Loop,
        1 | 8 => Looping::Once,
        _ => Looping::Unspecified,
    };
    Clip {
        name: Some(stored.name.clone())
            .filter(|name| !name.is_empty())
            .or_else(|| options.fallback_name.clone()),
        duration,
        markers: stored.events.iter().filter(|event| event.time.is_finite()).map(marker).collect(),
        // The rate is what the editor shows; it says where keys are only if they are there.
        grid: rate.filter(|rate| curves().all(|curve| is_on(&curve.times, *rate))),
        looping,
        source: Some(source),
        tracks,
        ..Clip::default()
    }
}

/// True if all times are frames of a rate.
fn is_on(times: &Times, rate: FrameRate) -> bool {
    times.iter().all(|time| rate.frame(time).fract() == 0.0)
}

/// An event as a marker: named by its text, if it calls the method of our own markers, else by its method.
fn marker(event: &Event) -> Marker {
    let plain = Event {
        time: event.time,
        function_name: ON_MARKER.to_owned(),
        data: event.data.clone(),
        ..Event::default()
    };
    let time = Seconds(event.time.into());
    if *event == plain {
        return Marker { time, name: event.data.clone(), data: None };
    }
    let object = &event.object_reference;
    let data = json!({
        "functionName": event.function_name,
        "data": event.data,
        "objectReferenceParameter": [json!(object.file_id), json!(object.guid), json!(object.kind)],
        "floatParameter": event.float_parameter,
        "intParameter": event.int_parameter,
        "messageOptions": event.message_options,
    });
    Marker { time, name: event.function_name.clone(), data: Some(data) }
}

/// Curves without a place in a scene, or without a meaning.
#[derive(Default)]
struct Lost {
    references: usize,
    packed: usize,
    not_finite: Vec<String>,
    again: Vec<String>,
}

impl Lost {
    fn report(&self, report: &mut Report) {
        if self.references > 0 {
            let what = format!("{} of references (m_PPtrCurves)", counted(self.references, "curve"));
            report.dropped(what, "they refer to objects of a Unity project");
        }
        if self.packed > 0 {
            let what =
                format!("{} (m_CompressedRotationCurves)", counted(self.packed, "packed rotation curve"));
            report.dropped(
                what,
                "they are not read; turn off Keyframe Reduction and Compression in Unity's import settings",
            );
        }
        if !self.not_finite.is_empty() {
            report.dropped(self.not_finite.join(", "), "some of its values are not finite");
        }
        if !self.again.is_empty() {
            report.dropped(self.again.join(", "), "an earlier curve moves the same property");
        }
    }
}

struct Builder<'a> {
    options: &'a ToScene<'a>,
    objects: &'a Objects,
    scene: &'a mut Scene,
    tracks: Vec<Track>,
    shared: SharedTimes,
    components: Vec<notes::Component>,
    /// Index of each target's track; by kind and label, and for joints by number.
    places: HashMap<(TargetKind, String, Option<usize>), usize>,
    lost: &'a mut Lost,
    /// Numbers of the clip's keys, if curves are to state the places of their keys in the file.
    numbering: Option<Numbering>,
}

impl Builder<'_> {
    fn transforms(&mut self, stored: &OwnClip) {
        for (at, position) in stored.position_curves.iter().enumerate() {
            let at = (ClipList::Position, at);
            self.transform(position, at, Property::Translation, Composition::Components, None);
        }
        for (at, rotation) in stored.rotation_curves.iter().enumerate() {
            let at = (ClipList::Rotation, at);
            self.transform(rotation, at, Property::Rotation, Composition::ComponentsNormalised, None);
        }
        for (at, angles) in stored.euler_curves.iter().enumerate() {
            let order = order(angles.curve.rotation_order).unwrap_or(EulerOrder::Yxz);
            let compose = |angles| Composition::Euler { order, angles };
            self.transform(angles, (ClipList::Euler, at), Property::Rotation, compose, Some(degrees()));
        }
        for (at, scale) in stored.scale_curves.iter().enumerate() {
            self.transform(scale, (ClipList::Scale, at), Property::Scale, Composition::Components, None);
        }
    }

    fn transform<const N: usize>(
        &mut self,
        stored: &TransformCurve<N>,
        at: (ClipList, usize),
        property: Property,
        compose: impl FnOnce(Vec<Curve>) -> Composition,
        native: Option<Native>,
    ) {
        let what = || format!("{} of {:?}", property.word(), stored.path);
        let Some(curves) = self.curves(&stored.curve, at, what) else { return };
        let Some(node) = self.objects.get(&stored.path) else { return };
        self.joint(node, Channel { property, composition: compose(curves), native });
    }

    /// The components of a curve; values that cannot be played are noted.
    fn curves<const N: usize>(
        &mut self,
        curve: &AnimationCurve<N>,
        at: (ClipList, usize),
        what: impl FnOnce() -> String,
    ) -> Option<Vec<Curve>> {
        let mut curves = components(curve, self.options.as_stored, &mut self.shared);
        if self.options.keep_sources
            && let Some(first) = self.numbering.as_ref().and_then(|numbering| numbering.first(at.0, at.1))
        {
            let sources = sources(curve, first);
            curves.iter_mut().flatten().for_each(|curve| curve.sources = Some(sources.clone()));
        }
        if curves.is_none() && !curve.keys.is_empty() {
            self.lost.not_finite.push(what());
        }
        curves
    }

    /// Adds a channel to a node; the first channel of a property counts.
    fn joint(&mut self, node: NodeIndex, channel: Channel) {
        let name = self.scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let target = Target::new(TargetKind::Joint, name, node.0, Some(node));
        self.channel(target, channel);
    }

    fn channel(&mut self, target: Target, channel: Channel) {
        let number = (target.kind == TargetKind::Joint).then_some(target.index);
        let key = (target.kind, target.label().to_owned(), number);
        let at = *self.places.entry(key).or_insert(self.tracks.len());
        match self.tracks.get_mut(at) {
            Some(track) if track.channels.iter().any(|present| present.property == channel.property) => {
                self.lost.again.push(format!("{} of {:?}", channel.property.word(), target.name));
            }
            Some(track) => track.channels.push(channel),
            None => self.tracks.push(Track { target, channels: vec![channel] }),
        }
    }
}

fn degrees() -> Native {
    Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() }
}
