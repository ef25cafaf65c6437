//! Scene to document. Conversion has brought the scene within the capabilities of the format: its axes, its
//! grid, its laws, poses on top of rest, and curves of one target with common key times.

mod camera;
mod circle;
mod lane;
mod light;
mod losses;
pub(super) mod names;
mod optic;
mod plan;
mod switches;

use super::curves::{LINEAR, Physics};
use super::defaults;
use super::document::{
    BoneKeyframe, CameraKeyframe, Document, LightKeyframe, ModelName, MorphKeyframe, Section, Version,
};
use super::info::ID;
use super::info::version_of_variant;
use super::notes::{self, Notes};
use super::targets;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Node, Property, Scene, TargetKind, Track};
use dopesheet_core::words::counted;
use lane::{CurveLane, GRID, curves};
use losses::{Losses, NO_PLACE};
use names::Names;
use plan::Plan;
use std::borrow::Cow;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    with_sources(scene, options, report).map(|(document, _)| document)
}

/// Positions of keys in the document from which a scene was made, parallel to the keys of the new document.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) bones: Vec<Option<u32>>,
    pub(super) morphs: Vec<Option<u32>>,
    pub(super) cameras: Vec<Option<u32>>,
    pub(super) lights: Vec<Option<u32>>,
    pub(super) shadows: Vec<Option<u32>>,
    pub(super) models: Vec<Option<u32>>,
}

/// The document of a scene, and the source of each key.
pub(super) fn with_sources(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(Document, Sources), ConvertError> {
    let version = options.variant.as_deref().map_or(Ok(Version::V0002), version_of_variant)?;
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let mut writer = Writer {
        scene,
        clip,
        options,
        notes: notes_of(clip),
        document: Document::new(version, &Name::EMPTY),
        sources: Sources::default(),
        losses: Losses::default(),
        report,
    };
    writer.bones()?;
    writer.morphs()?;
    writer.camera()?;
    writer.light()?;
    writer.switches()?;
    writer.other_tracks()?;
    writer.finish(version)
}

struct Writer<'a, 'r> {
    scene: &'a Scene,
    clip: &'a Clip,
    options: &'a FromScene,
    notes: Notes,
    document: Document,
    sources: Sources,
    losses: Losses,
    report: &'r mut Report,
}

impl<'a> Writer<'a, '_> {
    /// The tracks of bones: joints without a camera or a light.
    fn bones(&mut self) -> Result<(), ConvertError> {
        let (scene, mut names) = (self.scene, Names::new("bone", self.options.replace_unencodable));
        for track in self.clip.tracks.iter().filter(|track| is_bone(scene, track)) {
            let translation = curves(track, &Property::Translation);
            let rotation = curves(track, &Property::Rotation).into_iter().next();
            if translation.is_empty() && rotation.is_none() {
                continue;
            }
            let Some(name) = names.of(track, self.report)? else { continue };
            self.bone(name, &track.target.name, &translation, rotation)?;
        }
        Ok(())
    }

    fn bone(
        &mut self,
        name: Name<15>,
        text: &str,
        translation: &[&'a Curve],
        rotation: Option<&'a Curve>,
    ) -> Result<(), ConvertError> {
        let [x, y, z] = axes(translation, &[0.0; 3])?;
        let lanes = [x, y, z, CurveLane::new(rotation, 0..4, &[0.0, 0.0, 0.0, 1.0])?];
        let plan = Plan::new(&lanes);
        if !self.losses.plan(&plan, self.options.keep_constant) {
            return Ok(());
        }
        for (moment, from) in plan.moments() {
            let frame = moment.frame();
            let curve = |lane: &CurveLane<'_>| lane.arriving(moment, from);
            let [x, y, z, rotation] = &lanes;
            let physics =
                match self.notes.physics_off.get(text).is_some_and(|off| off.contains(&u64::from(frame))) {
                    true => Physics::Off,
                    false => Physics::On,
                };
            self.sources.bones.push(lanes.iter().find_map(|lane| lane.source(moment)));
            self.document.bones.push(BoneKeyframe {
                name,
                frame,
                translation: [x, y, z].map(|lane| lane.value(moment)[0]),
                rotation: rotation.value(moment),
                interpolation: BoneKeyframe::interpolation_bytes(
                    [curve(x), curve(y), curve(z), curve(rotation)],
                    physics,
                ),
            });
        }
        Ok(())
    }

    fn morphs(&mut self) -> Result<(), ConvertError> {
        let mut names = Names::new("morph", self.options.replace_unencodable);
        for track in self.clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph) {
            let Some(curve) = curves(track, &Property::Weight).into_iter().next() else { continue };
            let Some(name) = names.of(track, self.report)? else { continue };
            let lane = [CurveLane::new(Some(curve), 0..1, &[0.0])?];
            let plan = Plan::new(&lane);
            if !self.losses.plan(&plan, self.options.keep_constant) {
                continue;
            }
            let [lane] = &lane;
            self.sources.morphs.extend(plan.moments().map(|(moment, _)| lane.source(moment)));
            let keys = plan.moments().map(|(moment, _)| MorphKeyframe {
                name,
                frame: moment.frame(),
                weight: lane.value(moment)[0],
            });
            self.document.morphs.extend(keys);
        }
        Ok(())
    }

    /// Counts the channels without a place in the file.
    fn other_tracks(&mut self) -> Result<(), ConvertError> {
        for track in &self.clip.tracks {
            for channel in track.channels.iter().filter(|channel| !has_place(self.scene, track, channel)) {
                self.losses.without_place(channel.property.word(), track.target.kind.word());
            }
        }
        for _ in &self.clip.markers {
            self.losses.add("marker", NO_PLACE);
        }
        if self.losses.held == 0 && !self.clip.tracks.is_empty() {
            let tracks = counted(self.clip.tracks.len(), "track");
            let what = format!("{tracks}, none of which moves a bone, morph, camera or light");
            return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
        }
        Ok(())
    }

    fn finish(mut self, version: Version) -> Result<(Document, Sources), ConvertError> {
        self.restore_notes();
        self.last_until_end();
        self.losses.report(self.report);
        if self.document.is_camera_motion() {
            // MikuMikuDance writes no show/IK section for the camera.
            self.document.last_section = Section::Shadows;
        }
        let is_camera = self.document.is_camera_motion();
        let named = self.options.model_name.as_ref().or(self.notes.model.as_ref());
        let model = match is_camera {
            true => ModelName::CAMERA_AND_LIGHT,
            false => named.map_or("", String::as_str),
        };
        self.document.model = match version {
            Version::Old => ModelName::Short(names::encode(model, true, "model", self.report)?),
            Version::V0002 | Version::Bare => {
                ModelName::Long(names::encode(model, true, "model", self.report)?)
            }
        };
        for section in Section::ALL {
            match self.document.count(section) {
                0 => {}
                count => self.report.kept(section.counted(count)),
            }
        }
        Ok((self.document, self.sources))
    }

    /// Adds a key at the end of the motion, because the file does not state its duration: the track with the
    /// last key keeps its last pose until the end.
    fn last_until_end(&mut self) {
        let end = GRID.frame(self.clip.end()).floor();
        let last = Section::ALL.into_iter().filter_map(|section| self.document.frames(section).max()).max();
        let Some(last) = last.filter(|last| f64::from(*last) < end && end <= f64::from(defaults::LAST_FRAME))
        else {
            return;
        };
        let end = end as u32;
        let Document { bones, morphs, cameras, lights, .. } = &mut self.document;
        if let Some(at) = bones.iter().rposition(|key| key.frame == last) {
            let curves = BoneKeyframe::interpolation_bytes([LINEAR; 4], bones[at].physics());
            bones.insert(at + 1, BoneKeyframe { frame: end, interpolation: curves, ..bones[at] });
            self.sources.bones.insert(at + 1, None);
        } else if let Some(at) = morphs.iter().rposition(|key| key.frame == last) {
            morphs.insert(at + 1, MorphKeyframe { frame: end, ..morphs[at] });
            self.sources.morphs.insert(at + 1, None);
        } else if let Some(at) = cameras.iter().rposition(|key| key.frame == last) {
            let curves = CameraKeyframe::interpolation_bytes([LINEAR; 6]);
            cameras.insert(at + 1, CameraKeyframe { frame: end, interpolation: curves, ..cameras[at] });
            self.sources.cameras.insert(at + 1, None);
        } else if let Some(at) = lights.iter().rposition(|key| key.frame == last) {
            lights.insert(at + 1, LightKeyframe { frame: end, ..lights[at] });
            self.sources.lights.insert(at + 1, None);
        }
    }

    /// Keys taken from the notes, if the scene has no tracks for them.
    fn restore_notes(&mut self) {
        if self.document.shadows.is_empty() {
            self.document.shadows = std::mem::take(&mut self.notes.shadows);
        }
        if self.document.models.is_empty() {
            self.document.models = std::mem::take(&mut self.notes.models);
        }
    }
}

/// The names of nodes after reading the file again.
pub(super) fn node_names(scene: &Scene) -> Vec<String> {
    let name = |node: &Node| match node {
        Node { camera: Some(_), .. } => targets::CAMERA.to_owned(),
        Node { light: Some(_), .. } => targets::LIGHT.to_owned(),
        Node { name, .. } => stored_name(name).into_owned(),
    };
    scene.nodes.iter().map(name).collect()
}

/// A name as stored in the file: with replacements for characters missing in CP932, and cut to fifteen bytes.
pub(super) fn stored_name(name: &str) -> Cow<'_, str> {
    // With replacement, encoding does not fail.
    Name::<15>::encode(name, true).map_or(Cow::Borrowed(name), |encoded| Cow::Owned(encoded.name.text()))
}

/// The notes of a clip; if the clip was cut or stretched since, only the notes independent of time.
fn notes_of(clip: &Clip) -> Notes {
    let notes = notes::read(clip.source.as_ref());
    // A document that is brought up to a scene has its keys itself.
    let mut curves = clip.curves();
    let has_document = curves.any(|curve| curve.sources.is_some());
    match notes.last_frame.filter(|_| !has_document) {
        Some(last) if GRID.frame(clip.duration) == last as f64 => notes,
        _ => Notes { model: notes.model, ..Notes::default() },
    }
}

/// Takes out channels of hands, custom targets and joints unknown to the format; if there are no other
/// channels, all stay, to be refused later.
pub(super) fn leave_out(scene: &mut Scene, report: &mut Report) {
    let mut losses = Losses::default();
    for mut clip in std::mem::take(&mut scene.clips) {
        let stays = |track: &Track, channel: &Channel| {
            use Property::{Placement, Rotation, Scale, Translation, Weight, Weights};
            let is_usual =
                matches!(channel.property, Translation | Rotation | Scale | Placement | Weight | Weights);
            is_usual || has_room(scene, track, &channel.property)
        };
        let channels =
            clip.tracks.iter().flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
        if channels.clone().any(|(track, channel)| stays(track, channel)) {
            let lost = channels.filter(|(track, channel)| !stays(track, channel));
            lost.for_each(|(track, channel)| {
                losses.without_place(channel.property.word(), track.target.kind.word())
            });
            for track in &mut clip.tracks {
                let channels = std::mem::take(&mut track.channels);
                track.channels = channels.into_iter().filter(|channel| stays(track, channel)).collect();
            }
            clip.tracks.retain(|track| !track.channels.is_empty());
        }
        scene.clips.push(clip);
    }
    losses.report(report);
}

/// True if the file holds a channel's property, and the channel's composition is supported here.
fn has_place(scene: &Scene, track: &Track, channel: &Channel) -> bool {
    use Property::{Placement, Rotation};
    let property = &channel.property;
    let is_known = match &channel.composition {
        Composition::Whole(_) | Composition::Components(_) => *property != Placement,
        Composition::Orbit(_) => *property == Placement,
        Composition::Aim { .. } => *property == Rotation,
        _ => false,
    };
    is_known && has_room(scene, track, property)
}

/// True if the file has a property of the track's target.
fn has_room(scene: &Scene, track: &Track, property: &Property) -> bool {
    use Property::{Color, Direction, Orthographic, Placement, Rotation, Translation, Weight, YFov};
    let node = track.target.node.and_then(|node| scene.node(node));
    let has_camera = node.is_some_and(|node| node.camera.is_some());
    match track.target.kind {
        TargetKind::Joint if is_bone(scene, track) => matches!(property, Translation | Rotation),
        TargetKind::Joint if has_camera => matches!(property, Translation | Rotation),
        TargetKind::Camera => matches!(property, Placement | Translation | Rotation | YFov | Orthographic),
        TargetKind::Joint | TargetKind::Light => matches!(property, Rotation | Color | Direction),
        TargetKind::Morph => *property == Weight,
        TargetKind::Custom => switches::has_place(track, property),
        TargetKind::Hand => false,
    }
}

/// True if a track moves a joint without a camera or a light.
fn is_bone(scene: &Scene, track: &Track) -> bool {
    let node = track.target.node.and_then(|node| scene.node(node));
    let is_optic = node.is_some_and(|node| node.camera.is_some() || node.light.is_some());
    track.target.kind == TargetKind::Joint && !is_optic
}

/// Lanes of the three axes of a vector, from a single curve or from three.
fn axes<'a>(curves: &[&'a Curve], rest: &[f32; 3]) -> Result<[CurveLane<'a>; 3], ConvertError> {
    let [x, y, z] = rest;
    if let [of_x, of_y, of_z] = curves {
        let lane = |curve, rest| CurveLane::new(Some(curve), 0..1, &[rest]);
        return Ok([lane(of_x, *x)?, lane(of_y, *y)?, lane(of_z, *z)?]);
    }
    let first = CurveLane::new(curves.first().copied(), 0..1, &[*x])?;
    let second = first.next(*y);
    let third = second.next(*z);
    Ok([first, second, third])
}
