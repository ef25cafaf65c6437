//! Change the motion of a file and stay in its format: what no operation touches stays to the byte.

mod described;
mod editable;
mod fitted;
mod frames;
mod measured;
mod said;
mod stored;
mod unchanged;

pub use crate::wrong_option::WrongOption;
pub use described::{Described, OPERATIONS, SPLIT, WITHIN, described};
pub use dopesheet_edit::*;
pub use editable::Editable;

use crate::convert::ClipChoice;
use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Loss, Report, WriteError};
use dopesheet_core::format::{Limits, MostFrames, RestFrom, ToScene, VariantWords, within};
use dopesheet_core::model::{Clip, Scene, TargetKind, Track};
use dopesheet_motion::{Tolerance, assume_rest};
use fitted::last_key;
use measured::Measure;
use said::Said;
use std::ops::Range;
use std::sync::Arc;

/// Applies operations to a file, one after the other, and brings its document up to the result. Its report says what was
/// approximated.
///
/// The result is a file as any other: it can be written, converted or edited again.
///
/// ```
/// use dopesheet::edit::{Operation, Trim};
///
/// let bow = dopesheet::open("../../samples/bow.vmd".as_ref(), None, &dopesheet::ReadOptions::default())?;
/// let range = dopesheet::times::RangeSpec::parse("30f:90f")?;
/// let trim = Operation::Trim(Trim { range, keep_time: false, snap: false });
/// let shorter = dopesheet::edit(bow, &[trim], &dopesheet::edit::EditOptions::default())?;
/// assert_eq!(dopesheet::info(&shorter)?.clips[0].duration_s, 2.0);
/// shorter.save(std::env::temp_dir().join("part.vmd"), true)?;
/// # Ok::<(), dopesheet::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`] if an operation makes no sense on a clip, or the format has no room for what it says; and those of
/// [`convert`](fn@crate::convert).
pub fn edit(
    opened: Opened,
    operations: &[Operation],
    options: impl Into<EditOptions>,
) -> Result<Opened, Error> {
    let options = options.into();
    let mut draft = Draft::new(Arc::new(opened))?;
    for operation in operations {
        draft.apply(operation, &options)?;
    }
    draft.finish()
}

/// Options of edits, whatever the operation.
#[derive(Clone, Debug)]
pub struct EditOptions {
    /// The clips that are changed; all where none is named.
    pub clips: ClipChoice,
    /// Largest error of what cannot stay exact, where somebody asks for one: beyond it nothing is made. Without one it is
    /// [`Tolerance::DEFAULT`], and more is a warning.
    pub tolerance: Option<Tolerance>,
    /// Upper bounds of what is made: of the frames that get keys, and of those on which keys are looked for. More is refused.
    pub limits: Limits,
}

impl Default for EditOptions {
    fn default() -> Self {
        Self { clips: ClipChoice::All, tolerance: None, limits: Limits::default() }
    }
}

impl From<&ClipChoice> for EditOptions {
    fn from(clips: &ClipChoice) -> Self {
        Self { clips: clips.clone(), ..Self::default() }
    }
}

impl From<&Self> for EditOptions {
    fn from(options: &Self) -> Self {
        options.clone()
    }
}

/// A file and the result of operations, to which its document is not brought up yet.
///
/// A copy shares the file, so that each step of a chain can be kept. Operations that move all keys in time or mirror them share the rounding
/// of their values; before and behind any other one that changes keys the document is brought up to what was done, as it would be in a call
/// of its own.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The file, brought up to some of the operations.
    opened: Arc<Opened>,
    /// Its scene.
    before: Arc<Scene>,
    /// The scene before the next step, where it is shared.
    earlier: Option<Arc<Scene>>,
    scene: Scene,
    report: Report,
    /// True if no operation since the document was brought up did more to keys than to move all of them.
    has_moved_all: bool,
    /// True if the document rounds keys that the scene has exactly.
    is_rounded: bool,
    /// Losses of kind "kept" of the last time that the document was brought up.
    kept: Vec<Loss>,
    said: Said,
    /// Those of the last operation.
    limits: Limits,
    measure: Measure,
}

impl Draft {
    /// Of a file that no operation was applied to.
    ///
    /// # Errors
    /// If its format or its file is only read, or those of [`convert`](fn@crate::convert).
    pub fn new(opened: Arc<Opened>) -> Result<Self, Error> {
        if !opened.is_in_memory() {
            check_writes(&opened)?;
        }
        let before = Arc::new(read(&opened)?);
        let (scene, report) = (Scene::clone(&before), opened.report.clone());
        Ok(Self {
            opened,
            earlier: Some(Arc::clone(&before)),
            before,
            scene,
            report,
            has_moved_all: true,
            is_rounded: false,
            kept: Vec::new(),
            said: Said::default(),
            limits: Limits::default(),
            measure: Measure::default(),
        })
    }

    /// The file that operations are applied to, brought up to some of them.
    #[must_use]
    pub fn source(&self) -> &Opened {
        &self.opened
    }

    /// The scene with the result, as operations take it that put motions together ([`Concat::others`], [`Merge::others`]).
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Applies one more operation.
    ///
    /// # Errors
    /// [`Error::Refused`] if it makes no sense on a clip; the draft may be changed in part then. [`Error::Usage`] if there is no such
    /// clip. [`Error::Convert`] if it makes more frames than [`EditOptions::limits`] have room for.
    pub fn apply(&mut self, operation: &Operation, options: impl Into<EditOptions>) -> Result<(), Error> {
        let options = options.into();
        self.limits = options.limits;
        self.measure.ask(options.tolerance, operation);
        if !leaves_keys(operation) {
            if !(self.has_moved_all && moves_all(operation)) {
                self.store()?;
            }
            self.has_moved_all = moves_all(operation);
        }
        let chosen = self.chosen(&options.clips)?;
        for clip in self.scene.clips.get(chosen.clone()).into_iter().flatten() {
            check_frames(operation, clip, options.limits.max_frames)?;
        }
        let earlier = self.earlier.take().unwrap_or_else(|| Arc::new(self.scene.clone()));
        let mut told = Vec::with_capacity(chosen.len());
        for clip in chosen.clone() {
            let mut report = Report::default();
            operation.apply(&mut self.scene, clip, &mut report)?;
            check_numbers(operation, &earlier, &self.scene, clip)?;
            told.push((clip, report));
        }
        self.said.meet(operation);
        self.measure.meet(operation, (&earlier, &self.scene), told, &mut self.report);
        match operation {
            Operation::Retime(retime) => self.settle(chosen, retime.exact),
            _ => Ok(()),
        }
    }

    /// Asks for a tolerance from now on, as [`EditOptions::tolerance`] does.
    pub const fn ask_for(&mut self, tolerance: Tolerance) {
        self.measure.asked = Some(tolerance);
    }

    /// Positions of clips that are meant.
    fn chosen(&self, clips: &ClipChoice) -> Result<Range<usize>, Error> {
        Ok(match clips {
            ClipChoice::All => 0..self.scene.clips.len(),
            one => one.place_in(&self.scene.clips)?.map_or(0..0, |at| at..at + 1),
        })
    }

    /// The parts that a clip is cut into, as what trims it to each; see [`fn@split`].
    ///
    /// # Errors
    /// [`Error::Refused`] if all clips are meant and there is not one alone, or if there is nothing to cut at; [`Error::Usage`] if there is
    /// no such clip.
    pub fn parts(&self, cuts: &Split, clips: &ClipChoice) -> Result<Vec<Trim>, Error> {
        let own = &self.scene.clips;
        let parts = match own.len() {
            several if several != 1 && *clips == ClipChoice::All => Err(several_clips(several)),
            _ => match clips.place_in(own)?.and_then(|at| own.get(at)) {
                Some(clip) => split(clip, cuts),
                None => Err(several_clips(0)),
            },
        };
        parts.map_err(|reason| Refused { operation: "split", reason }.into())
    }

    /// Takes the motion of cameras and lights out, as a file in memory, where the chosen clips move a model too; for programs that load
    /// only one of both from a file. `None` where there is only one. Other clips stay whole.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such clip; those of [`Opened::from_scene`].
    pub fn split_camera(&mut self, clips: &ClipChoice) -> Result<Option<Opened>, Error> {
        let chosen = self.chosen(clips)?;
        let own = self.scene.clips.get(chosen.clone()).unwrap_or_default();
        let lights = |track: &Track| matches!(track.target.kind, TargetKind::Camera | TargetKind::Light);
        let moves = |track: &Track| !lights(track) && track.target.kind != TargetKind::Custom;
        let tracks = || own.iter().flat_map(|clip| &clip.tracks);
        if !tracks().any(lights) || !tracks().any(moves) {
            return Ok(None);
        }
        // Switches and numbers go with those that they came with, where that can be told.
        let [own_lights, own_model] =
            [tracks().filter(|own| lights(own)).any(is_own), tracks().filter(|own| moves(own)).any(is_own)];
        let is_of_camera = |track: &Track| {
            lights(track) || (!moves(track) && own_lights != own_model && is_own(track) == own_lights)
        };
        let mut camera = self.scene.clone();
        camera.clips = own.to_vec();
        let own = self.scene.clips.get_mut(chosen).unwrap_or_default();
        for clip in &mut *own {
            clip.tracks.retain(|track| !is_of_camera(track));
        }
        for clip in &mut camera.clips {
            clip.tracks.retain(is_of_camera);
            clip.made_for = None;
        }
        camera.clips.retain(|clip| !clip.tracks.is_empty());
        // Neither has to last as long as the other.
        own.iter_mut().chain(&mut camera.clips).for_each(end_with_last_key);
        Ok(Some(Opened::from_scene(self.opened.name.clone(), &camera)?))
    }

    /// The file with its document brought up to the result.
    ///
    /// # Errors
    /// [`Error::Usage`] if the format has no room for what operations say; and those of [`convert`](fn@crate::convert).
    pub fn finish(mut self) -> Result<Opened, Error> {
        self.fit()?;
        let asked = self.scene.clips.clone();
        let is_changed = self.scene != *self.before;
        if self.is_rounded {
            self.update()?;
            self.measure.state(&read(&self.opened)?, &mut self.report)?;
        } else {
            self.measure.state(&self.scene, &mut self.report)?;
        }
        self.report.losses.append(&mut self.kept);
        if is_changed && !self.is_rounded {
            self.update()?;
        }
        let Self { opened, mut report, said, .. } = self;
        if is_changed && !opened.is_in_memory() {
            if !said.is_nothing() {
                said.check(opened.format().info(), &asked, &read(&opened)?.clips)?;
            }
            if report.losses.is_empty() {
                report.kept("everything that no operation touched");
            }
        }
        Ok(Opened { report, ..Arc::unwrap_or_clone(opened) })
    }
}

/// Refuses an operation that makes more frames of a clip than there may be.
fn check_frames(operation: &Operation, clip: &Clip, most: MostFrames) -> Result<(), Error> {
    let Some(frames) = operation.frames(clip) else { return Ok(()) };
    let numbers = clip.numbers();
    Ok(within(most.sampled(numbers, clip.most_keys()), operation.word(), frames, numbers)?)
}

/// The scene of a file as operations take it that put motions together ([`Concat::others`], [`Merge::others`]).
///
/// # Errors
/// Those of [`Opened::scene`].
pub fn scene(opened: &Opened) -> Result<Scene, Error> {
    read(opened)
}

fn end_with_last_key(clip: &mut Clip) {
    if let Some(last) = last_key(clip) {
        clip.duration = last;
    }
}

/// True of a track with keys of the document.
fn is_own(track: &Track) -> bool {
    let mut curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
    curves.any(|curve| curve.sources.as_ref().is_some_and(|sources| sources.iter().any(Option::is_some)))
}

/// The scene of a file, with the place of each key in its document.
fn read(opened: &Opened) -> Result<Scene, Error> {
    let options = ToScene::to_update();
    let mut scene = opened.format().to_scene(&opened.document, &options, &mut Report::default())?;
    // No rest pose is written: what gets keys where it had none stays as it starts.
    assume_rest(&mut scene, RestFrom::First);
    Ok(scene)
}

/// The word by which a document of the same dialect is written, if the format has dialects.
fn own_variant(opened: &Opened) -> Option<String> {
    let (format, summary) = (opened.format(), opened.format().summary(&opened.document));
    let is_written =
        |word: &String| VariantWords::parse(format.info().variants, format.variant_words(), word).is_ok();
    [summary.variant, summary.version].into_iter().flatten().find(is_written)
}

fn check_writes(opened: &Opened) -> Result<(), Error> {
    let info = opened.format().info();
    if !(info.capabilities.writes || info.capabilities.attaches) {
        let what =
            format!("{} is read only; convert the file, to .glb for instance, and edit that", info.name);
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    }
    match opened.format().read_only(&opened.document) {
        Some(fault) => Err(WriteError::new(info.id, fault).into()),
        None => Ok(()),
    }
}

/// Refuses what an operation made too large for any file, in a clip that was smaller before.
fn check_numbers(operation: &Operation, earlier: &Scene, now: &Scene, clip: usize) -> Result<(), Error> {
    let too_large = |track: &Track| {
        let curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
        let values = curves.flat_map(|curve| &*curve.values);
        values.filter(|value| !value.is_finite() || value.abs() == f32::MAX).count()
    };
    let tracks =
        |scene: &Scene| scene.clips.get(clip).map_or(0, |clip| clip.tracks.iter().map(too_large).sum());
    let is_endless = now.clips.get(clip).is_some_and(|clip| {
        let end = clip.end().0;
        // Frames have limits of their own.
        !end.is_finite() || (clip.grid.is_none() && end >= f64::from(f32::MAX))
    });
    let now_large: usize = tracks(now);
    if !is_endless && (now_large == 0 || now_large <= tracks(earlier)) {
        return Ok(());
    }
    let mut all = now.clips.get(clip).into_iter().flat_map(|clip| &clip.tracks);
    let target = all.find(|track| too_large(track) > 0).map(|track| track.target.label().to_owned());
    let target = target.as_deref().unwrap_or("time");
    let reason = Reason::new(format!(
        "expected values that files can hold, up to 3.4e38, found larger ones of \"{target}\""
    ));
    Err(Refused { operation: operation.word(), reason }.into())
}

fn several_clips(found: usize) -> Reason {
    let way_out = "write each into a file of its own first";
    Reason::new(format!("expected a file with one clip, found {found}; {way_out}"))
}

/// True of an operation that does the same to keys before and after they are stored, because it moves all of them alike.
const fn moves_all(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Shift(_) | Operation::Retime(_) | Operation::Reverse | Operation::Mirror(_)
    )
}

/// True of an operation that changes no key: it only leaves out tracks, or says other things of them.
const fn leaves_keys(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Rename(_)
            | Operation::Select(_)
            | Operation::Drop(_)
            | Operation::Set(_)
            | Operation::Markers(_)
    )
}
