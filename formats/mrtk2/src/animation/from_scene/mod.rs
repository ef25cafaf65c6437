//! Scene to document. Conversion has brought the scene within the capabilities of the format: its axes, its
//! laws, absolute poses, no key before 0.

mod motion;
mod places;
mod rows;
mod switches;

use super::codes;
use super::document::{Document, KeyShape, Marker, NumberCurve, Pose, Ray, Version};
use super::edit::{set_variant, version_and_shape};
use super::info::{ID, INFO, VARIANT_1_0, VARIANT_1_1, VARIANT_1_1_DOC};
use super::names::{Hand, Joint, PoseName};
use super::notes::{self, Notes};
use super::resample;
use dopesheet_core::diag::{self, ConvertError, ConvertErrorKind, ErrorUnit, Fault, MaxError, Report};
use dopesheet_core::format::{Capabilities, Compositions, FromScene};
use dopesheet_core::model::{Clip, NodeIndex, Property, Scene, Track, Transform};
use dopesheet_core::order::by_number;
use dopesheet_core::order::distinct;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{agreeing, counted};
use motion::Motion;
use places::{FileSlot, Names};
pub(super) use rows::narrow;
use rows::{VectorKey, as_components, curves, directions, worst_swing, worst_turn};
use std::collections::HashSet;

/// Capabilities for a scene and a variant. Keys of the simple shape have no tangents; neither have keys of scenes
/// with a gaze, which only that shape is sure to keep, unless the gaze is a ray with separate keys.
pub(super) fn capabilities(scene: &Scene, variant: Option<&str>) -> Capabilities {
    let has_gaze = scene.nodes.iter().any(|node| Names::get().find(&node.name) == Some(FileSlot::Gaze));
    let mut capabilities = INFO.capabilities;
    // Components keep their own keys where nothing turns or moves them on the way to the world.
    if in_world(scene).is_empty() && motion::gaze_has_a_direction(scene) {
        let directions = motion::only_gaze_swings(scene);
        capabilities.compositions =
            Compositions { components: true, directions, repeats: true, ..Compositions::WHOLE };
        capabilities.vector_laws.weighted = true;
    }
    let keeps_ray = variant == Some(VARIANT_1_1_DOC)
        && capabilities.compositions.directions
        && motion::gaze_is_a_ray(scene);
    if variant == Some(VARIANT_1_1) || (has_gaze && variant != Some(VARIANT_1_0) && !keeps_ray) {
        capabilities.vector_laws.hermite = false;
        capabilities.vector_laws.weighted = false;
        capabilities.rotation_laws.hermite = false;
    }
    capabilities
}

/// The nodes with a place in the file; none if all their ancestors are still, with the identity at rest, and
/// no such node is scaled.
pub(super) fn in_world(scene: &Scene) -> Vec<NodeIndex> {
    let tracks = scene.tracks().filter(|track| motion::places(track));
    let moved: HashSet<NodeIndex> = tracks.filter_map(|track| track.target.node).collect();
    let moves = |node| motion::chain(scene, node).iter().any(|node| moved.contains(node));
    let slots = Names::get().nodes(scene, moves).into_iter();
    let nodes: Vec<NodeIndex> =
        slots.filter(|(slot, _)| !matches!(slot, FileSlot::Switch(..))).map(|(_, node)| node).collect();
    let is_still = |node: &NodeIndex| {
        !moved.contains(node) && scene.node(*node).is_some_and(|node| node.rest == Transform::IDENTITY)
    };
    let tracks = || scene.tracks();
    let is_scaled = |node: NodeIndex| {
        let mut channels =
            tracks().filter(|track| track.target.node == Some(node)).flat_map(|track| &track.channels);
        channels.any(|channel| channel.property == Property::Scale)
    };
    let is_alone = |candidate: &NodeIndex| {
        let chain = motion::chain(scene, *candidate);
        !is_scaled(*candidate) && chain.iter().all(|node| node == candidate || is_still(node))
    };
    if nodes.iter().all(is_alone) { Vec::new() } else { nodes }
}

/// Takes out the tracks of nodes other than head, hand and gaze; if there are no other tracks, all stay, to
/// be refused later.
pub(super) fn leave_out(scene: &mut Scene, report: &mut Report) {
    for mut clip in std::mem::take(&mut scene.clips) {
        let motion = Motion::new(scene, &clip);
        let placed: HashSet<NodeIndex> = Names::get()
            .nodes(scene, |node| motion.moves_in_world(node))
            .into_iter()
            .map(|(_, node)| node)
            .collect();
        let is_lost = |track: &Track| {
            track.target.node.is_some_and(|node| motion.moves(node) && !placed.contains(&node))
        };
        let (lost, kept): (Vec<Track>, Vec<Track>) = clip.tracks.iter().cloned().partition(is_lost);
        if !lost.is_empty() && !placed.is_empty() {
            report_lost(lost.into_iter().map(|track| track.target.name).collect(), report);
            clip.tracks = kept;
        }
        scene.clips.push(clip);
    }
}

fn report_lost(mut names: Vec<String>, report: &mut Report) {
    distinct(&mut names);
    if !names.is_empty() {
        let what = format!("motion of {}: {}", counted(names.len(), "node"), names.join(", "));
        report.dropped(what, "their names are not those of MRTK2, or of OpenXR's or WebXR's hands");
    }
}

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let wanted = options.variant.as_deref().map(version_and_shape).transpose()?;
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let mut writer = Writer {
        scene,
        clip,
        motion: Motion::new(scene, clip),
        notes: notes::read(clip.source.as_ref()),
        document: Document::new(Version::V1_1),
        used: HashSet::new(),
        counts: KeyCounts::default(),
        shell_m: options.shell_m,
        report,
    };
    writer.places()?;
    writer.switches();
    writer.absent_joints();
    writer.markers();
    writer.unplaced()?;
    writer.finish(wanted)
}

/// Account of the written keys.
#[derive(Default)]
struct KeyCounts {
    keys: usize,
    /// Segments that were divided, and the largest error of turns played component by component.
    divided: usize,
    played: LargestTurnError,
}

struct Writer<'a, 'r> {
    scene: &'a Scene,
    clip: &'a Clip,
    motion: Motion<'a>,
    notes: Notes,
    document: Document,
    /// Nodes with their motion in the document.
    used: HashSet<NodeIndex>,
    counts: KeyCounts,
    /// See [`FromScene::shell_m`].
    shell_m: f64,
    report: &'r mut Report,
}

impl Writer<'_, '_> {
    fn places(&mut self) -> Result<(), ConvertError> {
        let nodes = Names::get().nodes(self.scene, |node| self.motion.moves_in_world(node));
        for (slot, node) in nodes {
            match slot {
                FileSlot::Pose(name) => self.pose(name, node)?,
                FileSlot::Gaze => self.gaze(node)?,
                // Their scale only shows what the switches say.
                FileSlot::Switch(..) => {}
            }
            self.used.extend(self.motion.chain(node));
        }
        Ok(())
    }

    /// Position and rotation of a node in the world.
    fn rows(&self, node: NodeIndex) -> Result<(Vec<VectorKey<3>>, Vec<VectorKey<4>>), ConvertError> {
        self.motion.rows(node).ok_or_else(|| {
            let name = self.scene.node(node).map_or("", |node| &node.name);
            let what = format!("poses are stored in world space, and \"{name}\" has a moving parent");
            ConvertError::new(ID, ConvertErrorKind::Unsupported(what))
        })
    }

    fn pose(&mut self, name: PoseName, node: NodeIndex) -> Result<(), ConvertError> {
        let (translation, rotation) = self.rows(node)?;
        let (rotation, divided) = as_components(rotation);
        self.counts.divided += divided;
        if self.motion.components::<4>(node, &Property::Rotation).is_none() {
            self.counts.played.note(worst_turn(&rotation), || name.to_string());
        }
        let position =
            self.motion.components(node, &Property::Translation).unwrap_or_else(|| curves(&translation));
        let rotation = self.motion.components(node, &Property::Rotation).unwrap_or_else(|| curves(&rotation));
        self.counts.keys += most_keys(&position) + most_keys(&rotation);
        let pose = Pose { position, rotation };
        match name {
            PoseName::Camera => self.document.camera = Some(pose),
            PoseName::Joint(hand, joint) => {
                let hands = self.document.hands.get_or_insert_default();
                hands.joints[hand as usize][joint as usize] = pose;
            }
        }
        Ok(())
    }

    fn gaze(&mut self, node: NodeIndex) -> Result<(), ConvertError> {
        let (translation, rotation) = self.rows(node)?;
        let origin =
            self.motion.components(node, &Property::Translation).unwrap_or_else(|| curves(&translation));
        let direction = self.motion.components(node, &Property::Rotation).unwrap_or_else(|| {
            let direction = directions(&rotation);
            self.counts.played.note(worst_swing(&direction), || "gaze".to_owned());
            curves(&direction)
        });
        self.counts.keys += most_keys(&origin) + most_keys(&direction);
        self.document.gaze = Some(Ray { origin, direction });
        Ok(())
    }

    fn markers(&mut self) {
        let mut markers: Vec<Marker> =
            self.clip.markers.iter().map(|m| Marker::new(narrow(m.time.0), &m.name)).collect();
        by_number(&mut markers, |marker| marker.time.into());
        let with_data = self.clip.markers.iter().filter(|m| m.data.is_some()).count();
        if with_data > 0 {
            self.report.dropped(
                format!("data of {}", counted(with_data, "marker")),
                "a marker has only a time and a name",
            );
        }
        self.document.markers = Some(markers);
    }

    /// Lists the joints of hands missing in the scene.
    fn absent_joints(&mut self) {
        let Some(hands) = &self.document.hands else { return };
        for (hand, poses) in Hand::BOTH.into_iter().zip(&hands.joints) {
            let joints = Joint::ALL.into_iter().zip(poses).filter(|(joint, _)| *joint != Joint::None);
            let (absent, there): (Vec<_>, Vec<_>) = joints.partition(|(_, pose)| pose.is_absent());
            let is_tracked = hands.tracked[hand as usize].keys.iter().any(|key| key.value > 0.5);
            let actual = match there.is_empty() {
                _ if absent.is_empty() || (there.is_empty() && !is_tracked) => continue,
                true => "keys for none, so that MRTK shows a tracked hand at the origin".to_owned(),
                false => {
                    let names: Vec<&str> = absent.iter().map(|(joint, _)| joint.name()).collect();
                    format!("no keys for {}", names.join(", "))
                }
            };
            let expected = format!("all 26 joints of the {} hand", hand.word());
            self.report.info(Fault::new(codes::JOINTS_ABSENT.code, diag::Place::File, expected, actual));
        }
    }

    /// Lists all moving nodes and tracks without a place in the file.
    fn unplaced(&mut self) -> Result<(), ConvertError> {
        let mut lost: Vec<String> = Vec::new();
        let mut further = 0;
        for track in &self.clip.tracks {
            match track.target.node.filter(|node| self.motion.moves(*node)) {
                Some(node) if !self.used.contains(&node) => lost.push(track.target.name.clone()),
                None if !switches::is_switch(track) => further += 1,
                _ => {}
            }
        }
        report_lost(lost, self.report);
        if further > 0 {
            self.report.dropped(
                format!("{} without a node", counted(further, "track")),
                "the format has no place for them",
            );
        }
        let is_empty = self.document.curves().all(|(_, curve)| curve.is_empty());
        if is_empty
            && self.document.markers.as_ref().is_none_or(Vec::is_empty)
            && !self.clip.tracks.is_empty()
        {
            let what = format!(
                "{}, none of which is a head, hand or gaze",
                counted(self.clip.tracks.len(), "track")
            );
            return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
        }
        Ok(())
    }

    fn finish(mut self, requested: Option<(Version, KeyShape)>) -> Result<Document, ConvertError> {
        self.restore_wraps();
        let default = match (self.needs_tangents() || self.notes.is_1_0, self.document.gaze.is_some()) {
            (true, false) => VARIANT_1_0,
            _ => VARIANT_1_1,
        };
        if requested.is_none() && default == VARIANT_1_0 && !self.notes.is_1_0 {
            self.report.kept("tangents and steps, by writing version 1.0: keys of 1.1 have none");
        }
        if requested.is_none() && default == VARIANT_1_1 && self.counts.keys > 0 {
            let expected = "keys of 28 bytes for readers made from the published document (mrtk2@1.1-doc)";
            let actual = "keys of 8 bytes, as MRTK 2.6 and later write them";
            self.report.info(Fault::new(codes::KEYS_OF_8_BYTES.code, diag::Place::File, expected, actual));
        }
        let (version, shape) = requested.map_or_else(|| version_and_shape(default), Ok)?;
        self.report
            .kept(format!("{} of positions, rotations and directions", counted(self.counts.keys, "key")));
        self.report_approximations();
        set_variant(&mut self.document, version, shape, self.report);
        Ok(self.document)
    }

    fn needs_tangents(&mut self) -> bool {
        self.document.number_curves_mut().any(|curve| !resample::is_straight(curve))
    }

    fn report_approximations(&mut self) {
        let LargestTurnError { off_rad, time, target } = std::mem::take(&mut self.counts.played);
        if off_rad > SEEN_RAD {
            let (turns, were) =
                (counted(self.counts.divided, "turn"), agreeing(self.counts.divided, "was", "were"));
            let what = format!(
                "rotations and directions, played by component in steps of at most 10° ({turns} {were} divided)"
            );
            let max_error = MaxError { value: off_rad, unit: ErrorUnit::Radian, target, time };
            self.report.turned_further(what, max_error, self.shell_m);
        }
    }

    /// Restores the wrap modes if the keys still span the clip, so that nothing inside the clip changes.
    fn restore_wraps(&mut self) {
        let names: Vec<_> = self.document.curves().map(|(name, _)| name).filter(|n| !n.is_switch()).collect();
        let end = narrow(self.clip.duration.0);
        for (name, curve) in names.into_iter().zip(self.document.number_curves_mut()) {
            if let Some(wrap) = self.notes.wraps.get(&name.to_string()).filter(|_| spans(curve, end)) {
                curve.wrap = *wrap;
            }
        }
    }
}

/// Number of keys of the component with most keys.
fn most_keys(curves: &[NumberCurve]) -> usize {
    curves.iter().map(|curve| curve.keys.len()).max().unwrap_or(0)
}

/// A difference caused by single precision anyway, in radians.
const SEEN_RAD: f64 = 1e-6;

/// The error of a turn played by component.
#[derive(Default)]
struct LargestTurnError {
    off_rad: f64,
    time: Seconds,
    target: String,
}

impl LargestTurnError {
    fn note(&mut self, largest: (f64, Seconds), target: impl FnOnce() -> String) {
        let (off_rad, time) = largest;
        if off_rad > self.off_rad {
            *self = Self { off_rad, time, target: target() };
        }
    }
}

fn spans(curve: &NumberCurve, end: f32) -> bool {
    let first = curve.keys.get(0).is_some_and(|key| key.time <= 0.0);
    let last = curve.keys.len().checked_sub(1).and_then(|at| curve.keys.get(at));
    first && last.is_some_and(|key| key.time >= end)
}
