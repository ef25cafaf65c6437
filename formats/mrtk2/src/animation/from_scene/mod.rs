//! Scene to document. Conversion has brought the scene within the capabilities that the format states: its axes, its
//! laws, absolute poses, no key before 0.

mod motion;
mod places;
mod rows;
mod switches;

use super::document::{Document, KeyShape, Marker, NumberCurve, Pose, Ray, Version};
use super::edit::{set_variant, version_and_shape};
use super::info::{ID, INFO, VARIANT_1_0, VARIANT_1_1};
use super::names::PoseName;
use super::notes::{self, Notes};
use super::resample;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, ErrorUnit, MaxError, Report};
use dopesheet_core::format::{Capabilities, Compositions, FromScene};
use dopesheet_core::model::{Clip, NodeIndex, Property, Scene};
use dopesheet_core::order::distinct;
use dopesheet_core::units::Seconds;
use motion::Motion;
use places::{Names, Place};
use rows::{as_components, curves, directions, narrow};
use std::collections::HashSet;

/// Keys of the simple shape have no tangents, and a gaze, which only that shape is sure to keep, points along none.
pub(super) fn capabilities(scene: &Scene, variant: Option<&str>) -> Capabilities {
    let has_gaze = scene.nodes.iter().any(|node| Names::get().find(&node.name) == Some(Place::Gaze));
    let mut capabilities = INFO.capabilities;
    // Components keep their own keys where nothing turns or moves them on the way to the world.
    if Motion::is_flat(scene) {
        capabilities.compositions = Compositions { components: true, repeats: true, ..Compositions::WHOLE };
        capabilities.vector_laws.weighted = true;
    }
    if variant == Some(VARIANT_1_1) || (has_gaze && variant != Some(VARIANT_1_0)) {
        capabilities.vector_laws.hermite = false;
        capabilities.vector_laws.weighted = false;
        capabilities.rotation_laws.hermite = false;
    }
    capabilities
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
        tally: Tally::default(),
        report,
    };
    writer.places();
    writer.switches();
    writer.markers();
    writer.unplaced()?;
    writer.finish(wanted)
}

/// What was done to the keys.
#[derive(Default)]
struct Tally {
    keys: usize,
    sampled: Vec<String>,
    /// Turns that were divided, and the first pose that has one.
    divided: usize,
    first_divided: String,
}

struct Writer<'a, 'r> {
    scene: &'a Scene,
    clip: &'a Clip,
    motion: Motion<'a>,
    notes: Notes,
    document: Document,
    /// Nodes whose motion is in the document.
    used: HashSet<NodeIndex>,
    tally: Tally,
    report: &'r mut Report,
}

impl Writer<'_, '_> {
    fn places(&mut self) {
        let names = Names::get();
        let moves = |node| self.motion.chain(node).into_iter().any(|n| self.motion.moves(n));
        for (place, node) in names.nodes(self.scene, moves) {
            match place {
                Place::Pose(name) => self.pose(name, node),
                Place::Gaze => self.gaze(node),
                // Their scale only shows what the switches say.
                Place::Switch(..) => {}
            }
            self.used.extend(self.motion.chain(node));
        }
    }

    fn pose(&mut self, name: PoseName, node: NodeIndex) {
        let (translation, rotation, is_sampled) = self.motion.rows(node);
        let (rotation, divided) = as_components(rotation);
        if self.tally.divided == 0 && divided > 0 {
            self.tally.first_divided = name.to_string();
        }
        self.tally.divided += divided;
        if is_sampled {
            self.tally.sampled.push(name.to_string());
        }
        let position =
            self.motion.components(node, &Property::Translation).unwrap_or_else(|| curves(&translation));
        let rotation = self.motion.components(node, &Property::Rotation).unwrap_or_else(|| curves(&rotation));
        let most = |curves: &[NumberCurve]| curves.iter().map(|curve| curve.keys.len()).max().unwrap_or(0);
        self.tally.keys += most(&position) + most(&rotation);
        let pose = Pose { position, rotation };
        match name {
            PoseName::Camera => self.document.camera = Some(pose),
            PoseName::Joint(hand, joint) => {
                let hands = self.document.hands.get_or_insert_default();
                hands.joints[hand as usize][joint as usize] = pose;
            }
        }
    }

    fn gaze(&mut self, node: NodeIndex) {
        let (translation, rotation, is_sampled) = self.motion.rows(node);
        let direction = directions(&rotation);
        if is_sampled {
            self.tally.sampled.push("gaze".into());
        }
        self.tally.keys += translation.len() + direction.len();
        let origin =
            self.motion.components(node, &Property::Translation).unwrap_or_else(|| curves(&translation));
        self.document.gaze = Some(Ray { origin, direction: curves(&direction) });
    }

    fn markers(&mut self) {
        let mut markers: Vec<Marker> =
            self.clip.markers.iter().map(|m| Marker::new(narrow(m.time.0), &m.name)).collect();
        markers.sort_by(|a, b| a.time.total_cmp(&b.time));
        let with_data = self.clip.markers.iter().filter(|m| m.data.is_some()).count();
        if with_data > 0 {
            self.report
                .dropped(format!("data of {with_data} markers"), "a marker has only a time and a name");
        }
        self.document.markers = Some(markers);
    }

    /// Lists everything that moves and found no place.
    fn unplaced(&mut self) -> Result<(), ConvertError> {
        let mut lost: Vec<String> = Vec::new();
        let mut others = 0;
        for track in &self.clip.tracks {
            match track.target.node.filter(|node| self.motion.moves(*node)) {
                Some(node) if !self.used.contains(&node) => lost.push(track.target.name.clone()),
                None if !switches::is_switch(track) => others += 1,
                _ => {}
            }
        }
        distinct(&mut lost);
        if !lost.is_empty() {
            let nodes = if lost.len() == 1 { "one node".to_owned() } else { format!("{} nodes", lost.len()) };
            let what = format!("motion of {nodes}: {}", lost.join(", "));
            self.report.dropped(what, "their names are neither MRTK2's nor OpenXR's or WebXR's for hands");
        }
        if others > 0 {
            self.report
                .dropped(format!("{others} tracks without a node"), "the format has no place for them");
        }
        let is_empty = self.document.curves().all(|(_, curve)| curve.is_empty());
        if is_empty
            && self.document.markers.as_ref().is_none_or(Vec::is_empty)
            && !self.clip.tracks.is_empty()
        {
            let what = format!("{} tracks, none of which is a head, hand or gaze", self.clip.tracks.len());
            return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
        }
        Ok(())
    }

    fn finish(mut self, wanted: Option<(Version, KeyShape)>) -> Result<Document, ConvertError> {
        self.restore_wraps();
        let default = match (self.needs_tangents() || self.notes.is_1_0, self.document.gaze.is_some()) {
            (true, false) => VARIANT_1_0,
            _ => VARIANT_1_1,
        };
        if wanted.is_none() && default == VARIANT_1_0 && !self.notes.is_1_0 {
            self.report.kept("tangents and steps, as version 1.0: keys of 1.1 have none");
        }
        let target = wanted.map_or_else(|| version_and_shape(default), Ok)?;
        self.report.kept(format!("{} keys of positions, rotations and directions", self.tally.keys));
        self.report_approximations();
        set_variant(&mut self.document, target, self.report);
        Ok(self.document)
    }

    fn needs_tangents(&mut self) -> bool {
        self.document.number_curves_mut().any(|curve| !resample::is_straight(curve))
    }

    fn report_approximations(&mut self) {
        if self.tally.divided > 0 {
            let what = format!(
                "{} turns, divided into steps of at most 10° and played by component",
                self.tally.divided
            );
            let target = std::mem::take(&mut self.tally.first_divided);
            let (value, unit, time) = (STEP_ERROR_RAD, ErrorUnit::Radian, Seconds(0.0));
            self.report.approximated(what, MaxError { value, unit, target, time });
        }
        if !self.tally.sampled.is_empty() {
            let names = self.tally.sampled.join(", ");
            let what =
                format!("poses of nodes that move with their parents, at 60 fps and all keys: {names}");
            self.report.kept(what);
        }
    }

    /// What happened outside the keys comes back where the keys still span the clip, so that nothing inside changes.
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

/// Difference between a great arc of 10° and the normalised straight line between its ends.
const STEP_ERROR_RAD: f64 = 2e-5;

fn spans(curve: &NumberCurve, end: f32) -> bool {
    let first = curve.keys.get(0).is_some_and(|key| key.time <= 0.0);
    let last = curve.keys.len().checked_sub(1).and_then(|at| curve.keys.get(at));
    first && last.is_some_and(|key| key.time >= end)
}
