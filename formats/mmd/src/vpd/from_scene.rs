//! Scene to document: the pose at the start of a clip. Conversion has brought the scene within the
//! capabilities of the format: its axes, poses on top of rest, and no keys before the start.

use super::document::{Bone, Document, Morph, Pose};
use super::info::ID;
use super::to_scene::{GRID, parent};
use super::write::decimal;
use crate::text::{self, ENCODING};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, ErrorUnit, MaxError, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Outside, Property, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The file name of an unknown model.
const UNKNOWN_PARENT: &str = "model.osm";

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let mut writer = Writer {
        replace: options.replace_unencodable,
        later_keys: 0,
        without_place: 0,
        rounding: [None, None, None],
        report,
    };
    let named = options.model_name.as_ref().map(|name| format!("{name}.osm"));
    let mut pose = Pose {
        parent: writer
            .name("model", named.as_deref().or(parent(clip.source.as_ref())).unwrap_or(UNKNOWN_PARENT))?,
        bones: writer.bones(clip)?,
        morphs: writer.morphs(clip)?,
        ..Pose::default()
    };
    pose.announced_bones = u32::try_from(pose.bones.len()).unwrap_or(u32::MAX);
    if pose.bones.is_empty() && pose.morphs.is_empty() && !clip.tracks.is_empty() {
        let what = format!("{}, none of which moves a bone or morph", counted(clip.tracks.len(), "track"));
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    }
    writer.finish(clip, &pose);
    Ok(Document::new(pose))
}

struct Writer<'r> {
    replace: bool,
    later_keys: usize,
    without_place: usize,
    /// Largest differences made by rounding translations, rotations and weights, with their targets.
    rounding: [Option<(f64, String)>; 3],
    report: &'r mut Report,
}

impl Writer<'_> {
    fn bones(&mut self, clip: &Clip) -> Result<Vec<Bone>, ConvertError> {
        let mut taken = BTreeSet::new();
        let mut bones = Vec::new();
        for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
            let translation = start(track, &Property::Translation);
            let rotation = start(track, &Property::Rotation);
            self.count(track, &[Property::Translation, Property::Rotation]);
            if translation.is_none() && rotation.is_none() {
                continue;
            }
            let Some(name) = self.free_name("bone", track, &mut taken)? else { continue };
            let translation = self.rounded(0, &name, translation.unwrap_or([0.0; 3]));
            let rotation = self.rounded(1, &name, rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            bones.push(Bone { name, translation, rotation });
        }
        Ok(bones)
    }

    fn morphs(&mut self, clip: &Clip) -> Result<Vec<Morph>, ConvertError> {
        let mut taken = BTreeSet::new();
        let mut morphs = Vec::new();
        for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph) {
            self.count(track, &[Property::Weight]);
            let Some(weight) = start(track, &Property::Weight) else { continue };
            let Some(name) = self.free_name("morph", track, &mut taken)? else { continue };
            let [weight] = self.rounded(2, &name, weight);
            morphs.push(Morph { name, weight });
        }
        Ok(morphs)
    }

    /// Counts the keys of a track behind the start, and its channels without a place in the file.
    fn count(&mut self, track: &Track, places: &[Property]) {
        for channel in &track.channels {
            if places.contains(&channel.property) && !curves(channel).is_empty() {
                let later = |curve: &Curve| curve.len() - curve.times.iter().take_while(is_start).count();
                self.later_keys += curves(channel).into_iter().map(later).max().unwrap_or(0);
            } else {
                self.without_place += 1;
            }
        }
    }

    /// The name of a track as stored in the file; `None`, with a line in the report, if an earlier track has
    /// the same name.
    fn free_name(
        &mut self,
        what: &str,
        track: &Track,
        taken: &mut BTreeSet<String>,
    ) -> Result<Option<String>, ConvertError> {
        let name = self.name(what, &track.target.name)?;
        if taken.insert(name.clone()) {
            return Ok(Some(name));
        }
        self.report.dropped(format!("{what} {:?}", track.target.name), "an earlier one has the same name");
        Ok(None)
    }

    fn name(&mut self, what: &str, name: &str) -> Result<String, ConvertError> {
        stored(what, name, self.replace, self.report)
    }

    /// Numbers with the six decimals of the file.
    fn rounded<const N: usize>(&mut self, kind: usize, target: &str, numbers: [f32; N]) -> [f32; N] {
        let rounded = rounded(numbers);
        let error =
            numbers.iter().zip(&rounded).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum::<f64>();
        let largest_error = &mut self.rounding[kind];
        if error > 0.0 && largest_error.as_ref().is_none_or(|(largest, _)| error > *largest) {
            *largest_error = Some((error, target.to_owned()));
        }
        rounded
    }

    fn finish(self, clip: &Clip, pose: &Pose) {
        let Writer { report, rounding, .. } = self;
        let metres = crate::BASIS.metres_per_unit.unwrap_or(1.0);
        // A quaternion that is off by d turns by 2 d.
        let kinds = [
            ("translations", ErrorUnit::Metre, metres),
            ("rotations", ErrorUnit::Radian, 2.0),
            ("weights", ErrorUnit::One, 1.0),
        ];
        for ((what, unit, factor), largest_error) in kinds.into_iter().zip(rounding) {
            if let Some((square, target)) = largest_error {
                let max_error = MaxError { value: square.sqrt() * factor, unit, target, time: Seconds(0.0) };
                report.approximated(format!("{what}, rounded to six decimals"), max_error);
            }
        }
        for (count, what) in [(pose.bones.len(), "bone"), (pose.morphs.len(), "morph")] {
            if count > 0 {
                report.kept(counted(count, what));
            }
        }
        if self.later_keys > 0 {
            report.dropped(
                format!("{} after the start", counted(self.later_keys, "key")),
                "a pose is one moment",
            );
        }
        let other_tracks =
            clip.tracks.iter().filter(|t| !matches!(t.target.kind, TargetKind::Joint | TargetKind::Morph));
        let other_channels =
            self.without_place + other_tracks.map(|track| track.channels.len()).sum::<usize>();
        if other_channels > 0 {
            report.dropped(
                format!("{} of other kinds", counted(other_channels, "channel")),
                "the format has no place for them",
            );
        }
        if !clip.markers.is_empty() {
            report.dropped(counted(clip.markers.len(), "marker"), "the format has no place for them");
        }
    }
}

/// A name as stored in the file, with a line in the report if its spelling changes. With `replace`,
/// characters missing in CP932 become `?`.
pub(super) fn stored(
    what: &str,
    name: &str,
    replace: bool,
    report: &mut Report,
) -> Result<String, ConvertError> {
    let stored = stored_name(name);
    if stored == name {
        return Ok(name.to_owned());
    }
    if !replace && lacks_characters(name) {
        let kind = ConvertErrorKind::Unencodable { name: name.to_owned(), encoding: ENCODING };
        return Err(ConvertError::new(ID, kind));
    }
    if lacks_characters(name) || stored.trim_end() != name.trim_end() {
        let lost = format!("characters of the {what} name {name:?}");
        report.dropped(lost, format!("{ENCODING} lacks them; it is written as {stored:?}"));
    } else {
        report.dropped(format!("the blanks behind the {what} name {name:?}"), "names end with their line");
    }
    Ok(stored.into_owned())
}

/// Numbers with the six decimals of the file.
pub(super) fn rounded<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    numbers.map(|number| decimal(number).parse().unwrap_or(number))
}

/// A name as stored in the file: one line without blanks at the end, with `?` for characters missing in
/// CP932.
pub(super) fn stored_name(name: &str) -> Cow<'_, str> {
    let one_line = name.replace(['\n', '\r'], "?");
    let trimmed = one_line.trim_end_matches(|c: char| c.is_ascii_whitespace());
    match text::encode(trimmed, true) {
        Ok(encoded) if text::decode(&encoded.bytes).text == name => Cow::Borrowed(name),
        Ok(encoded) => Cow::Owned(text::decode(&encoded.bytes).text),
        // With replacement, encoding does not fail.
        Err(_) => Cow::Borrowed(name),
    }
}

fn lacks_characters(name: &str) -> bool {
    name.contains(['\n', '\r']) || text::encode(name, false).is_err()
}

fn is_start(time: &Seconds) -> bool {
    GRID.snap(*time).0 <= 0.0
}

/// The curves of a channel: a single curve, or one per axis; empty for other compositions.
fn curves(channel: &Channel) -> Vec<&Curve> {
    match &channel.composition {
        Composition::Whole(curve) => vec![curve],
        Composition::Components(curves) => curves.iter().collect(),
        _ => Vec::new(),
    }
}

/// The value of a property at the start, if the track moves the property.
pub(super) fn start<const N: usize>(track: &Track, property: &Property) -> Option<[f32; N]> {
    let channel = track.channels.iter().find(|channel| channel.property == *property)?;
    let values: Vec<f32> = curves(channel).into_iter().filter_map(start_of).flatten().copied().collect();
    values.try_into().ok()
}

/// The value of a curve at the start: the value of the last key there, or else the value before the first
/// key.
fn start_of(curve: &Curve) -> Option<&[f32]> {
    match (curve.times.iter().take_while(is_start).count().checked_sub(1), &curve.before) {
        (Some(last), _) => curve.value(last),
        (None, Outside::Ramp { from, .. }) => Some(from),
        (None, _) => curve.value(0),
    }
}
