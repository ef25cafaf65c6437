//! Document to scene: interprets laws and names, repairs, and reports its repairs.

mod curves;
mod nodes;
mod repairs;

use super::check;
use super::document::{Document, Pose, SwitchCurve};
use super::names::{Hand, PoseName};
use super::notes;
use curves::SharedTimes;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_core::units::Seconds;
use nodes::Nodes;
use repairs::Repairs;
use std::borrow::Cow;

pub(super) use nodes::{CAMERA, GAZE, group_name, indicator_name, joint_name};

/// Properties of a hand.
pub(super) const TRACKED: &str = "tracked";
/// As [`TRACKED`].
pub(super) const PINCH: &str = "pinch";

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let mut builder = Builder {
        document,
        scene: Scene::new(Basis::UNITY),
        tracks: Vec::new(),
        shared: SharedTimes::new(options.keep_sources),
        repairs: Repairs::new(options.as_stored),
    };
    let nodes = Nodes::new(document, &mut builder.scene);
    if let Some(pose) = &document.camera {
        builder.pose(PoseName::Camera, pose, &nodes);
    }
    builder.hands(&nodes);
    builder.gaze(&nodes);
    let Builder { mut scene, tracks, repairs, .. } = builder;
    repairs.report(report);
    if !options.as_stored {
        check::wrap_mode_once(document, report);
    }
    scene.clips.push(Clip {
        name: options.fallback_name.clone(),
        duration: Seconds(document.duration_s().into()),
        tracks,
        markers: markers(document),
        source: Some(notes::write(document)),
        ..Clip::default()
    });
    scene
}

fn markers(document: &Document) -> Vec<dopesheet_core::model::Marker> {
    let playable = document.markers.iter().flatten().filter(|marker| marker.time.is_finite());
    let markers = playable.map(|marker| dopesheet_core::model::Marker {
        time: Seconds(marker.time.into()),
        name: marker.text().into_owned(),
        data: None,
    });
    markers.collect()
}

struct Builder<'a> {
    document: &'a Document,
    scene: Scene,
    tracks: Vec<Track>,
    shared: SharedTimes,
    repairs: Repairs,
}

impl Builder<'_> {
    fn hands(&mut self, nodes: &Nodes) {
        let Some(hands) = self.document.hands.as_deref() else { return };
        for hand in Hand::BOTH {
            self.switch(hand, TRACKED, &hands.tracked[hand as usize], nodes);
            self.switch(hand, PINCH, &hands.pinch[hand as usize], nodes);
        }
        for (name, pose) in hands.poses() {
            self.pose(name, pose, nodes);
        }
    }

    fn pose(&mut self, name: PoseName, pose: &Pose, nodes: &Nodes) {
        let position = pose.position.each_ref().map(|curve| curves::numbers(curve, &mut self.shared));
        let mut rotation = pose.rotation.each_ref().map(|curve| curves::numbers(curve, &mut self.shared));
        if let Some(w) = self.repairs.rotation(self.document, name, pose) {
            rotation[3] = curves::numbers(&w, &mut self.shared);
        }
        let label = name.to_string();
        let channels = [
            self.channel(&label, Property::Translation, position, Composition::Components),
            self.channel(&label, Property::Rotation, rotation, Composition::ComponentsNormalised),
        ];
        let kind = if name == PoseName::Camera { TargetKind::Camera } else { TargetKind::Joint };
        self.track(kind, label, nodes.pose(name), channels.into_iter().flatten().collect());
    }

    fn gaze(&mut self, nodes: &Nodes) {
        let Some(ray) = &self.document.gaze else { return };
        let origin = ray.origin.each_ref().map(|curve| curves::numbers(curve, &mut self.shared));
        let direction = ray.direction.each_ref().map(|curve| curves::numbers(curve, &mut self.shared));
        let label = "gaze";
        let channels = [
            self.channel(label, Property::Origin, origin, Composition::Components),
            self.channel(label, Property::Direction, direction, Composition::Components),
        ];
        self.track(TargetKind::Joint, label.to_owned(), nodes.gaze, channels.into_iter().flatten().collect());
    }

    fn switch(&mut self, hand: Hand, property: &'static str, curve: &SwitchCurve, nodes: &Nodes) {
        let label = format!("{}.hand", hand.word());
        let node = nodes.indicator(hand, property);
        let whole = |mut curves: Vec<Curve>| Composition::Whole(curves.swap_remove(0));
        let curve = [curves::switch(curve, &mut self.shared)];
        let channel = self.channel(&label, Property::Named(Cow::Borrowed(property)), curve, whole);
        self.track(TargetKind::Hand, label, node, channel.into_iter().collect());
    }

    /// A channel with a curve per component. Components without keys count as 0 beside others; if no
    /// component has keys there is no channel, unless values are requested as stored: Unity plays 0 then.
    fn channel<const N: usize>(
        &mut self,
        label: &str,
        property: Property,
        mut curves: [Curve; N],
        compose: impl FnOnce(Vec<Curve>) -> Composition,
    ) -> Option<Channel> {
        if curves.iter().all(Curve::is_empty) {
            if !self.repairs.as_stored {
                return None;
            }
            curves = std::array::from_fn(|_| curves::zero());
        }
        self.repairs.accept(label, &property, &curves).then(|| Channel {
            property,
            composition: compose(curves.into()),
            native: None,
        })
    }

    fn track(&mut self, kind: TargetKind, label: String, node: Option<NodeIndex>, channels: Vec<Channel>) {
        if channels.is_empty() {
            return;
        }
        let name = node.and_then(|node| self.scene.node(node)).map(|node| node.name.clone());
        // Tracks of one target have one number.
        let same = self.tracks.iter().find(|track| track.target.label() == label);
        let next = self.tracks.last().map_or(0, |track| track.target.index + 1);
        let index = same.map_or(next, |track| track.target.index);
        let name = name.unwrap_or_else(|| label.clone());
        let target = Target { label: Some(label), ..Target::new(kind, name, index, node) };
        self.tracks.push(Track { target, channels });
    }
}
