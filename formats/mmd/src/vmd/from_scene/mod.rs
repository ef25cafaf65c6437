//! Scene to document. Conversion has brought the scene within the capabilities that the format states: its axes, its
//! grid, its laws, poses on top of rest, and curves of one target that share their key times.

mod camera;
mod lanes;
mod names;
mod switches;

use super::curves::Physics;
use super::document::{BoneKeyframe, Document, ModelName, MorphKeyframe, Section, Version};
use super::edit::version_of_variant;
use super::info::ID;
use super::notes::{self, Notes};
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Clip, Composition, Curve, Property, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use lanes::{GRID, Lane, Plan};
use names::Names;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let version = options.variant.as_deref().map_or(Ok(Version::V0002), version_of_variant)?;
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let mut writer = Writer {
        scene,
        clip,
        options,
        notes: notes::read(clip.source.as_ref()),
        document: Document::new(version, &Name::EMPTY),
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

/// Counts of what has no place, by what it is.
#[derive(Default)]
struct Losses {
    counts: Vec<(String, &'static str, usize)>,
    /// Targets that were written, or left out only because they stay at rest.
    held: usize,
    at_rest: usize,
    bent_jumps: usize,
    foreign_laws: usize,
}

impl Losses {
    fn add(&mut self, what: impl Into<String>, why: &'static str) {
        let what = what.into();
        match self.counts.iter_mut().find(|(w, y, _)| *w == what && *y == why) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((what, why, 1)),
        }
    }

    /// Notes what a target costs. `false` if it need not be written.
    fn plan(&mut self, plan: &Plan, keep_constant: bool) -> bool {
        self.held += 1;
        if plan.is_at_rest && !keep_constant {
            self.at_rest += 1;
            return false;
        }
        self.bent_jumps += plan.bent_jumps;
        self.foreign_laws += plan.foreign_laws;
        true
    }

    fn report(&self, report: &mut Report) {
        for (what, why, count) in &self.counts {
            report.dropped(format!("{count} {what}"), *why);
        }
        if self.at_rest > 0 {
            report.dropped(
                format!("{} targets that stay at rest", self.at_rest),
                "they are at rest without keys, too",
            );
        }
        if self.bent_jumps > 0 {
            let what = format!("the old side of {} jumps", self.bent_jumps);
            report.dropped(what, "there is a key one frame earlier already");
        }
        if self.foreign_laws > 0 {
            let what = format!("the shape of {} segments", self.foreign_laws);
            report.dropped(what, "only Bezier timing can be written; they became straight");
        }
    }
}

struct Writer<'a, 'r> {
    scene: &'a Scene,
    clip: &'a Clip,
    options: &'a FromScene,
    notes: Notes,
    document: Document,
    losses: Losses,
    report: &'r mut Report,
}

impl<'a> Writer<'a, '_> {
    /// The tracks of bones: joints that carry neither the camera nor the light.
    fn bones(&mut self) -> Result<(), ConvertError> {
        let (scene, mut names) = (self.scene, Names::new("bone", self.options.replace_unencodable));
        for track in self.clip.tracks.iter().filter(|track| is_bone(scene, track)) {
            let translation = curves(track, &Property::Translation);
            let rotation = curves(track, &Property::Rotation).into_iter().next();
            if translation.is_empty() && rotation.is_none() {
                continue;
            }
            let Some(name) = names.add(&track.target.name, self.report)? else { continue };
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
        let lanes = [x, y, z, Lane::new(rotation, 0..4, &[0.0, 0.0, 0.0, 1.0])?];
        let plan = Plan::new(&lanes)?;
        if !self.losses.plan(&plan, self.options.keep_constant) {
            return Ok(());
        }
        for (moment, follows_jump) in plan.moments() {
            let frame = moment.frame();
            let curve = |lane: &Lane<'_>| lane.arriving(moment, follows_jump);
            let [x, y, z, rotation] = &lanes;
            let physics = match self.notes.is_physics_off(text, frame) {
                true => Physics::Off,
                false => Physics::On,
            };
            self.document.bones.push(BoneKeyframe {
                name,
                frame,
                translation: [x, y, z].map(|lane| number(lane.value(moment))),
                rotation: numbers(rotation.value(moment)),
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
            let Some(name) = names.add(&track.target.name, self.report)? else { continue };
            let lane = [Lane::new(Some(curve), 0..1, &[0.0])?];
            let plan = Plan::new(&lane)?;
            if !self.losses.plan(&plan, self.options.keep_constant) {
                continue;
            }
            let [lane] = &lane;
            let keys = plan.moments().map(|(moment, _)| MorphKeyframe {
                name,
                frame: moment.frame(),
                weight: number(lane.value(moment)),
            });
            self.document.morphs.extend(keys);
        }
        Ok(())
    }

    /// Everything that has no place in the file.
    fn other_tracks(&mut self) -> Result<(), ConvertError> {
        for track in &self.clip.tracks {
            for channel in &track.channels {
                if !self.has_place(track, &channel.property) {
                    let what = format!(
                        "{} channels of {} targets",
                        channel.property.word(),
                        track.target.kind.word()
                    );
                    self.losses.add(what, "the format has no place for them");
                }
            }
        }
        for _ in &self.clip.markers {
            self.losses.add("markers", "the format has no place for them");
        }
        if self.losses.held == 0 && !self.clip.tracks.is_empty() {
            let what = format!(
                "{} tracks, none of which moves a bone, morph, camera or light",
                self.clip.tracks.len()
            );
            return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
        }
        Ok(())
    }

    fn has_place(&self, track: &Track, property: &Property) -> bool {
        use Property::{Color, Direction, Orthographic, Placement, Rotation, Translation, Weight, YFov};
        match track.target.kind {
            TargetKind::Joint if is_bone(self.scene, track) => matches!(property, Translation | Rotation),
            TargetKind::Joint | TargetKind::Camera | TargetKind::Light => {
                let optics = matches!(property, Placement | YFov | Orthographic | Color | Direction);
                optics || matches!(property, Translation | Rotation)
            }
            TargetKind::Morph => *property == Weight,
            TargetKind::Custom => switches::has_place(track, property),
            TargetKind::Hand => false,
        }
    }

    fn finish(mut self, version: Version) -> Result<Document, ConvertError> {
        self.restore_notes();
        self.losses.report(self.report);
        if self.document.is_camera_motion() {
            // MikuMikuDance writes no show/IK section for the camera.
            self.document.last_section = Section::Shadows;
        }
        let is_camera = self.document.is_camera_motion();
        let model = match (&self.notes.model, is_camera) {
            (_, true) => ModelName::CAMERA_AND_LIGHT,
            (Some(model), false) => model,
            (None, false) => "",
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
                count => self.report.kept(format!("{count} {}", section.word())),
            }
        }
        Ok(self.document)
    }

    /// Keys that came along as notes, where the scene has no tracks for them and the clip still has its length.
    fn restore_notes(&mut self) {
        if !self.notes.fit(self.clip.duration) {
            return;
        }
        if self.document.shadows.is_empty() {
            self.document.shadows = std::mem::take(&mut self.notes.shadows);
        }
        if self.document.models.is_empty() {
            self.document.models = std::mem::take(&mut self.notes.models);
        }
    }
}

impl Notes {
    /// Whether the clip is as long as it was when the notes were written.
    fn fit(&self, duration: Seconds) -> bool {
        self.last_frame.is_some_and(|last| GRID.frame(duration) == last as f64)
    }

    fn is_physics_off(&self, bone: &str, frame: u32) -> bool {
        self.physics_off.get(bone).is_some_and(|frames| frames.contains(&u64::from(frame)))
    }
}

/// Whether a track moves a joint that carries neither the camera nor the light.
fn is_bone(scene: &Scene, track: &Track) -> bool {
    let node = track.target.node.and_then(|node| scene.node(node));
    let is_optic = node.is_some_and(|node| node.camera.is_some() || node.light.is_some());
    track.target.kind == TargetKind::Joint && !is_optic
}

/// The curves of a property: one, or one per axis; none if the track does not move it.
fn curves<'a>(track: &'a Track, property: &Property) -> Vec<&'a Curve> {
    let channel = track.channels.iter().find(|channel| channel.property == *property);
    match channel.map(|channel| &channel.composition) {
        Some(Composition::Whole(curve)) => vec![curve],
        Some(Composition::Components(curves)) => curves.iter().collect(),
        _ => Vec::new(),
    }
}

/// Lanes of the three axes of a vector, from one curve or from three.
fn axes<'a>(curves: &[&'a Curve], rest: &'a [f32; 3]) -> Result<[Lane<'a>; 3], ConvertError> {
    let lane = |axis: usize| match curves {
        [x, y, z] => Lane::new(Some([x, y, z][axis]), 0..1, &rest[axis..=axis]),
        [whole, ..] => Lane::new(Some(whole), axis..axis + 1, &rest[axis..=axis]),
        [] => Lane::new(None, 0..1, &rest[axis..=axis]),
    };
    Ok([lane(0)?, lane(1)?, lane(2)?])
}

fn number(value: &[f32]) -> f32 {
    value.first().copied().unwrap_or_default()
}

fn numbers<const N: usize>(value: &[f32]) -> [f32; N] {
    value.first_chunk().copied().unwrap_or([0.0; N])
}
