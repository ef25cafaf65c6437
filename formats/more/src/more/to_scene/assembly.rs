//! The combined animations of a clip: each in the clip's time, and all motions of one property mixed.

use super::layers::{self, Layer};
use super::segments::Drift;
use super::timeline::Timeline;
use crate::BASIS;
use crate::more::clip::TimeMap;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Marker, Node, NodeIndex, Outside, Property, Scene, Target,
    Times, Track, ValueKind,
};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// A motion of something, by the time of its layer.
struct LayerMotion {
    weight: f64,
    map: usize,
    channel: Channel,
}

/// A scene being put together.
pub(super) struct Assembly {
    /// True if every track stays a separate track.
    as_stored: bool,
    /// Curves repeat beyond their ends.
    repeats: bool,
    scene: Option<Scene>,
    maps: Vec<TimeMap>,
    /// Targets, and for each property of a target the parts that move the property.
    tracks: Vec<(Target, Vec<Vec<LayerMotion>>)>,
    markers: Vec<Marker>,
    /// Markers at times never passed.
    skipped: usize,
    /// Tracks that cannot be mixed with other tracks of the same property.
    unlike: usize,
    /// Segments still allowed beyond the segments of the layers themselves.
    left: usize,
    /// Curves cut short because no segments were left.
    stopped: usize,
    /// Motions replaced by straight pieces, for rotations, lengths and other numbers.
    drift: [Vec<(Drift, String)>; 3],
}

/// Most segments added by repetition and warp to all curves together: far more than any clip needs, and few
/// enough for the memory.
const MOST_SEGMENTS: usize = 1_000_000;

const UNITS: [ErrorUnit; 3] = [ErrorUnit::Radian, ErrorUnit::Metre, ErrorUnit::One];

impl Assembly {
    pub(super) fn new(as_stored: bool, is_looping: bool) -> Self {
        Self {
            as_stored,
            repeats: as_stored && is_looping,
            scene: None,
            maps: Vec::new(),
            tracks: Vec::new(),
            markers: Vec::new(),
            skipped: 0,
            unlike: 0,
            left: MOST_SEGMENTS,
            stopped: 0,
            drift: Default::default(),
        }
    }

    /// Adds a layer: its animation as a scene, its position in the clip, its weight and its time.
    pub(super) fn add(&mut self, mut scene: Scene, layer: usize, weight: f64, map: TimeMap) {
        let clip = scene.clips.first_mut();
        let (tracks, markers) = clip.map_or_else(Default::default, |clip| {
            (std::mem::take(&mut clip.tracks), std::mem::take(&mut clip.markers))
        });
        self.add_markers(markers, &map);
        self.maps.push(map);
        let whole = self.scene.get_or_insert_with(|| Scene { nodes: Vec::new(), ..scene.clone() });
        let offset = self.tracks.iter().map(|(target, _)| target.index + 1).max().unwrap_or(0);
        let nodes: Vec<NodeIndex> = scene.nodes.into_iter().map(|node| placed(whole, node, offset)).collect();
        for mut track in tracks {
            let node = track.target.node.and_then(|node| nodes.get(node.0));
            track.target.node = node.copied();
            track.target.index += offset;
            if self.as_stored && layer > 0 {
                track.target.label = Some(format!("subLayers[{layer}]/{}", track.target.label()));
            }
            self.add_track(track, weight);
        }
    }

    fn add_track(&mut self, track: Track, weight: f64) {
        let map = self.maps.len() - 1;
        let Track { target, channels } = track;
        let same = |earlier: &Target| earlier.kind == target.kind && earlier.name == target.name;
        let position = self.tracks.iter().position(|(earlier, _)| same(earlier)).filter(|_| !self.as_stored);
        let number = position.unwrap_or_else(|| {
            self.tracks.push((target, Vec::new()));
            self.tracks.len() - 1
        });
        let groups = &mut self.tracks[number].1;
        for channel in channels {
            let same = |group: &&mut Vec<LayerMotion>| {
                group.first().is_some_and(|part| part.channel.property == channel.property && part.map != map)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(LayerMotion { weight, map, channel }),
                None => groups.push(vec![LayerMotion { weight, map, channel }]),
            }
        }
    }

    fn add_markers(&mut self, markers: Vec<Marker>, map: &TimeMap) {
        for marker in markers {
            let times = match map.speed() {
                Some(speed) => vec![marker.time.0 / speed],
                None => map.when(marker.time.0),
            };
            self.skipped += usize::from(times.is_empty());
            self.markers
                .extend(times.into_iter().map(|time| Marker { time: Seconds(time), ..marker.clone() }));
        }
    }

    pub(super) fn finish(mut self, report: &mut Report) -> Scene {
        let tracks = std::mem::take(&mut self.tracks).into_iter().map(|(target, groups)| {
            let channels = groups.into_iter().map(|parts| self.channel(&target, parts)).collect();
            Track { target, channels }
        });
        let tracks = tracks.collect();
        self.report(report);
        let mut scene = self.scene.unwrap_or_else(|| Scene::new(BASIS));
        if let Some(clip) = scene.clips.first_mut() {
            *clip = Clip { tracks, markers: self.markers, ..std::mem::take(clip) };
        }
        scene
    }

    fn channel(&mut self, target: &Target, mut parts: Vec<LayerMotion>) -> Channel {
        let mut drift = Drift::default();
        let is_state = |part: &LayerMotion| {
            part.channel.composition.curves().all(|c| c.laws.all(|l| l.blend == Blend::Step))
        };
        if parts.len() > 1 && parts.iter().all(is_state) || !are_alike(&parts) {
            self.unlike += parts.len() - 1;
            by_number(&mut parts, |part| -part.weight);
            parts.truncate(1);
        }
        let channel = match <[LayerMotion; 1]>::try_from(parts) {
            Ok([part]) => self.retimed(part, &mut drift),
            Err(parts) => self.mixed(parts, &mut drift),
        };
        if drift.pieces > 0 {
            let unit = match channel.property.kind() {
                ValueKind::Rotation => 0,
                ValueKind::Position => 1,
                _ => 2,
            };
            self.drift[unit].push((drift, target.name.clone()));
        }
        channel
    }

    fn retimed(&mut self, part: LayerMotion, drift: &mut Drift) -> Channel {
        let mut channel = part.channel;
        let speed = self.maps.get(part.map).and_then(TimeMap::speed).filter(|_| !self.repeats);
        for curve in channel.composition.curves_mut() {
            match speed {
                Some(speed) => speed_up(curve, speed),
                None => {
                    let bent = self.timeline(curve, part.map, drift).into_curve(self.repeats);
                    *curve = self.ended(bent);
                }
            }
        }
        channel
    }

    /// A curve by the time of its layer.
    fn timeline(&mut self, curve: &Curve, map: usize, drift: &mut Drift) -> Timeline {
        let least = 4 * curve.len();
        let limit = least.saturating_add(self.left);
        let timeline = Timeline::new(curve, &self.maps[map], limit, drift);
        let count = timeline.segments.len();
        self.stopped += usize::from(count >= limit);
        self.left = self.left.saturating_sub(count.saturating_sub(least));
        timeline
    }

    fn ended(&self, curve: Curve) -> Curve {
        match self.repeats && curve.len() > 1 {
            true => Curve { before: Outside::Loop, after: Outside::Loop, ..curve },
            false => curve,
        }
    }

    fn mixed(&mut self, parts: Vec<LayerMotion>, drift: &mut Drift) -> Channel {
        let layer = |part: &LayerMotion| {
            let curve = part.channel.composition.curves().next()?;
            let is_angles = matches!(part.channel.composition, Composition::Euler { .. });
            Some(Layer { weight: part.weight, timeline: self.timeline(curve, part.map, drift), is_angles })
        };
        let layers: Vec<Layer> = parts.iter().filter_map(layer).collect();
        let first = parts.into_iter().next().map(|part| part.channel);
        let (property, native) = first.map_or((Property::Value, None), |c| (c.property, c.native));
        let timeline = match property {
            Property::Rotation => layers::rotations(&layers, drift),
            _ => layers::numbers(&layers, drift),
        };
        let composition = Composition::Whole(self.ended(timeline.into_curve(self.repeats)));
        Channel { property, composition, native }
    }

    fn report(&self, report: &mut Report) {
        if self.skipped > 0 {
            let what = format!("{} at times that the clip never plays", counted(self.skipped, "event"));
            report.dropped(what, "the clip's timing skips them");
        }
        if self.unlike > 0 {
            let what = format!("{} of layers of less weight", counted(self.unlike, "track"));
            report.dropped(what, "states, and values of different kinds, cannot be mixed");
        }
        if self.stopped > 0 {
            let what = format!("the rest of {}", counted(self.stopped, "channel"));
            report.dropped(what, format!("repeating them would take more than {MOST_SEGMENTS} segments"));
        }
        for (ways, unit) in self.drift.iter().zip(UNITS) {
            let pieces: usize = ways.iter().map(|(drift, _)| drift.pieces).sum();
            let Some((farthest, target)) = ways.iter().max_by(|a, b| a.0.worst.total_cmp(&b.0.worst)) else {
                continue;
            };
            let what = format!(
                "{} bent by the clip's timing and layers, as {}",
                counted(ways.len(), "channel"),
                counted(pieces, "straight piece")
            );
            let max_error =
                MaxError { value: farthest.worst, unit, target: target.clone(), time: Seconds(farthest.at) };
            report.approximated(what, max_error);
        }
    }
}

/// True if all parts have as many numbers: three angles are four numbers once they have become a rotation.
fn are_alike(parts: &[LayerMotion]) -> bool {
    let width = |part: &LayerMotion| match &part.channel.composition {
        Composition::Euler { .. } => Some(4),
        other => other.curves().next().map(|curve| curve.width),
    };
    parts.iter().all(|part| width(part) == parts.first().and_then(width))
}

/// The node with a name, added to the scene if missing.
fn placed(scene: &mut Scene, node: Node, offset: usize) -> NodeIndex {
    let position = scene.nodes.iter().position(|other| other.name == node.name);
    position.map(NodeIndex).unwrap_or_else(|| {
        let source_index = node.source_index.map(|index| index + offset);
        scene.push_node(Node { source_index, ..node })
    })
}

/// A curve at a speed, with all its keys.
fn speed_up(curve: &mut Curve, speed: f64) {
    if speed == 1.0 {
        return;
    }
    curve.times = Times::Seconds(curve.times.iter().map(|t| t.0 / speed).collect());
    let has_tangents = curve.laws.runs().any(|law| law.blend == Blend::Hermite);
    if let Some(handles) = curve.handles.as_mut().filter(|_| has_tangents) {
        for tangent in handles.arriving.iter_mut().chain(&mut handles.leaving) {
            *tangent = (f64::from(*tangent) * speed) as f32;
        }
    }
}
