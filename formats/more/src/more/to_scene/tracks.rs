//! Tracks and markers of a clip.

use super::binding::Bound;
use super::curves::{self, TrackLane};
use super::names::Role;
use super::repairs::Repairs;
use super::{Motion, Scene};
use crate::more::animation::{Body, Keys, Track as MoreTrack, TrackType};
use crate::more::codes;
use crate::more::notes;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;
use dopesheet_core::model::{
    Channel, Composition, EulerOrder, Marker, Native, Node, NodeIndex, Property, Target, TargetKind, Track,
    Transform,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// The word for every value in the file, whatever its property.
const VALUE: &str = "value";

/// The role of a track as half of a displacement.
#[derive(Clone, Copy)]
struct Half<'a> {
    /// Text of the displacement's name.
    outer: &'a str,
    role: Role,
}

/// Tracks as they are put together.
pub(super) struct Tracks<'a, 'r> {
    motion: &'a Motion<'a>,
    scene: &'r mut Scene,
    repairs: &'r mut Repairs,
    report: &'r mut Report,
    nodes: HashMap<String, NodeIndex>,
    tracks: Vec<Track>,
    /// Index in `tracks` of each node's track.
    by_node: HashMap<NodeIndex, usize>,
    /// Oddities: code, first place, and number of times.
    met: Vec<(Check, String, usize)>,
    markers: Vec<Marker>,
}

impl<'a, 'r> Tracks<'a, 'r> {
    pub(super) fn new(
        motion: &'a Motion<'a>,
        scene: &'r mut Scene,
        repairs: &'r mut Repairs,
        report: &'r mut Report,
    ) -> Self {
        Self {
            motion,
            scene,
            repairs,
            report,
            nodes: HashMap::new(),
            tracks: Vec::new(),
            by_node: HashMap::new(),
            met: Vec::new(),
            markers: Vec::new(),
        }
    }

    /// Adds a track of the file.
    pub(super) fn add(&mut self, index: usize, track: &MoreTrack) {
        self.part(index, &track.name.text(), track, None);
    }

    /// Adds a track, or half of a displacement.
    fn part(&mut self, index: usize, label: &str, track: &MoreTrack, half: Option<Half<'_>>) {
        match &track.body {
            Body::Keys(keys) => {
                let (binding, track_type) = (self.motion.binding, track.track_type);
                let bound = match half {
                    Some(Half { outer, role }) => binding.half(outer, &track.name.text(), role, track_type),
                    None => binding.track(label, track_type),
                };
                self.keys(index, label, track_type, keys, bound);
            }
            Body::Displacement(pair) => {
                let outer = half.map_or(label, |half| half.outer);
                let position = Half { outer, role: Role::Translation };
                self.part(index, &format!("{label}/position"), &pair.position, Some(position));
                let rotation = Half { outer, role: Role::Rotation };
                self.part(index, &format!("{label}/rotation"), &pair.rotation, Some(rotation));
            }
            Body::Events(events) => {
                let marker = |event| notes::marker(index, label, event);
                self.markers.extend(events.iter().filter(|e| e.time.is_finite()).map(marker));
            }
            // The game feeds it: there is nothing to play.
            Body::User { .. } => {}
        }
    }

    fn keys(&mut self, index: usize, label: &str, track_type: TrackType, keys: &Keys, bound: Bound) {
        let Some(lane) = TrackLane::new(keys, track_type, self.repairs) else { return };
        let mut curve = curves::curve(&lane, self.motion.how, self.repairs);
        if self.motion.options.keep_sources && self.motion.document.animation().is_some() {
            curve.sources = Some(lane.sources());
        }
        match bound {
            Bound::Node { name, role, respelled } => {
                if let Some(respelled) = respelled {
                    self.note(codes::NAME_CASE, || {
                        format!("\"{label}\", matched to \"{respelled}\", which differs only in case")
                    });
                }
                let composition = match curves::is_euler(track_type) {
                    true => Composition::Euler { order: EulerOrder::Zyx, angles: vec![curve] },
                    false => Composition::Whole(curve),
                };
                let native = Some(Native { name: Cow::Borrowed(VALUE), scale: 1.0 });
                let channel = Channel { property: role.property(), composition, native };
                self.joint(index, label, name, channel);
            }
            Bound::Nothing { is_unbound } => {
                if is_unbound && Role::usual(track_type).is_some() {
                    self.note(codes::UNBOUND_TRACK, || format!("none of the name \"{label}\""));
                }
                let target = Target::new(TargetKind::Custom, label, index, None);
                let channels = vec![Channel::whole(Property::Value, curve)];
                self.tracks.push(Track { target, channels });
            }
        }
    }

    /// A channel of a node. As stored, each track of the file stays a separate track; otherwise all channels
    /// of a node make one track.
    fn joint(&mut self, index: usize, label: &str, name: String, channel: Channel) {
        let node = self.node(&name, index);
        let position = self.by_node.get(&node).copied().filter(|_| !self.repairs.as_stored);
        let Some(position) = position else {
            self.by_node.insert(node, self.tracks.len());
            let mut target = Target::new(TargetKind::Joint, name, index, Some(node));
            target.label = Some(label.to_owned()).filter(|label| *label != target.name);
            self.tracks.push(Track { target, channels: vec![channel] });
            return;
        };
        let track = &mut self.tracks[position];
        if track.channels.iter().any(|other| other.property == channel.property) {
            let what = format!("the track \"{label}\"");
            self.report
                .dropped(what, format!("another one moves the {} of \"{name}\"", channel.property.word()));
            self.note(codes::TARGET_CONFLICT, || {
                format!("\"{label}\" for the same property as an earlier track")
            });
        } else {
            track.channels.push(channel);
        }
    }

    fn node(&mut self, name: &str, index: usize) -> NodeIndex {
        if let Some(node) = self.nodes.get(name) {
            return *node;
        }
        let node = Node::new(name, None, Transform::IDENTITY);
        let node = self.scene.push_node(Node { source_index: Some(index), ..node });
        self.nodes.insert(name.to_owned(), node);
        node
    }

    fn note(&mut self, check: Check, describe: impl FnOnce() -> String) {
        match self.met.iter_mut().find(|(noted, ..)| noted.code == check.code) {
            Some((.., count)) => *count += 1,
            None => self.met.push((check, describe(), 1)),
        }
    }

    pub(super) fn finish(self) -> (Vec<Track>, Vec<Marker>) {
        for (check, first, count) in self.met {
            let expected = match check.code {
                code if code == codes::NAME_CASE.code || code == codes::UNBOUND_TRACK.code => {
                    "tracks by the names that the model lists"
                }
                _ => "tracks that move different properties",
            };
            let actual = if count > 1 { format!("{first}; {count} such tracks in all") } else { first };
            self.report.push(check.severity, Fault::new(check.code, Place::File, expected, actual));
        }
        (self.tracks, self.markers)
    }
}
