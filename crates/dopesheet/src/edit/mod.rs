//! Changes to the motion of a file within its format. Everything that no operation touches stays to the byte.

mod described;
mod editable;
mod fitted;
mod frames;
mod kinds;
mod line;
mod measured;
mod operations;
mod option;
mod said;
mod stored;
mod unchanged;

pub use crate::error::wrong_option::WrongOption;
pub use described::Described;
pub use dopesheet_edit::*;
pub use editable::Editable;
pub use line::{Line, line};
pub use operations::{GROUPS, OPERATIONS, SPLIT, WITHIN, cuts, described};
pub use option::{EditOption, Form, Shape};

use crate::choice::clip_choice::ClipChoice;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Loss, Report, WriteError};
use dopesheet_core::format::{Limits, MostFrames, RestFrom, ToScene, VariantWords, within};
use dopesheet_core::model::{Clip, Scene, TargetKind, Track};
use dopesheet_motion::{Tolerance, assume_rest};
use fitted::last_key;
use measured::Measure;
use said::Said;
use std::ops::Range;
use std::sync::Arc;

/// Applies operations to a file in order, and updates its document to the result. The report of the result
/// lists the approximations.
///
/// The result is a file like any other: it can be written, converted or edited again.
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
/// [`Error::Usage`] if an operation makes no sense on a clip, or the format has no room for a fact that it
/// states; and the errors of [`convert`](fn@crate::convert).
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
    /// The clips to change, all of them by default.
    pub clips: ClipChoice,
    /// Largest error of results that cannot stay exact. With a requested tolerance, a larger error fails the
    /// edit. Without, the limit is [`Tolerance::DEFAULT`], and a larger error is a warning.
    pub tolerance: Option<Tolerance>,
    /// Upper bounds of the output: of the frames that get keys, and of the frames on which keys are looked
    /// for. More are refused.
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

/// A file and the result of operations, before the file's document is updated to the result.
///
/// A copy shares the file, so each step of a chain can be kept. Consecutive operations that move all keys in
/// time or mirror them share the rounding of their values. Before and after any other operation that changes
/// keys the document is updated, as in separate calls.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The file, brought up to some of the operations.
    opened: Arc<Opened>,
    /// Its scene.
    before: Arc<Scene>,
    /// The scene before the next step, if it is shared.
    earlier: Option<Arc<Scene>>,
    scene: Scene,
    report: Report,
    /// True if no operation since the document was brought up did more to keys than to move all of them.
    has_moved_all: bool,
    /// True if the document rounds keys that the scene holds exactly.
    is_rounded: bool,
    /// Losses of kind "kept" of the latest update of the document.
    kept: Vec<Loss>,
    said: Said,
    /// Limits of the last operation.
    limits: Limits,
    measure: Measure,
}

impl Draft {
    /// A draft of a file without operations.
    ///
    /// # Errors
    /// If the format or the file is read only, and the errors of [`convert`](fn@crate::convert).
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

    /// The file under edit, updated to some of the operations.
    #[must_use]
    pub fn source(&self) -> &Opened {
        &self.opened
    }

    /// The scene with the result, in the form that operations on several motions take ([`Concat::others`],
    /// [`Merge::others`]).
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Applies a further operation.
    ///
    /// # Errors
    /// [`Error::Refused`] if the operation makes no sense on a clip; the draft may be changed in part then.
    /// [`Error::Usage`] if the chosen clip does not exist. [`Error::Convert`] if the operation makes more
    /// frames than [`EditOptions::limits`] allows.
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
        let mut clip_reports = Vec::with_capacity(chosen.len());
        for clip in chosen.clone() {
            let mut report = Report::default();
            operation.apply(&mut self.scene, clip, &mut report)?;
            check_numbers(operation, &earlier, &self.scene, clip)?;
            clip_reports.push((clip, report));
        }
        self.said.meet(operation);
        self.measure.meet(operation, &earlier, &self.scene, clip_reports, &mut self.report);
        match operation {
            Operation::Retime(retime) => self.settle(chosen, retime.exact),
            _ => Ok(()),
        }
    }

    /// Asks for a tolerance from now on, as [`EditOptions::tolerance`] does.
    pub const fn ask_for(&mut self, tolerance: Tolerance) {
        self.measure.asked = Some(tolerance);
    }

    /// Positions of the chosen clips.
    fn chosen(&self, clips: &ClipChoice) -> Result<Range<usize>, Error> {
        Ok(match clips {
            ClipChoice::All => 0..self.scene.clips.len(),
            choice => choice.place_in(&self.scene.clips)?.map_or(0..0, |at| at..at + 1),
        })
    }

    /// The parts into which a clip is cut, as the trims that produce them; see [`fn@split`].
    ///
    /// # Errors
    /// [`Error::Refused`] if all clips are chosen and there is not exactly one, or if there is nothing to cut
    /// at; [`Error::Usage`] if the chosen clip does not exist.
    pub fn parts(&self, cuts: &Split, clips: &ClipChoice) -> Result<Vec<Trim>, Error> {
        let all_clips = &self.scene.clips;
        let parts = match all_clips.len() {
            several if several != 1 && *clips == ClipChoice::All => Err(several_clips(several)),
            _ => match clips.place_in(all_clips)?.and_then(|at| all_clips.get(at)) {
                Some(clip) => split(clip, cuts),
                None => Err(several_clips(0)),
            },
        };
        parts.map_err(|reason| Refused { operation: "split", reason }.into())
    }

    /// Takes the motion of cameras and lights out, as a file in memory, if the chosen clips also move a
    /// model; for programs that load only one of the two from a file. `None` if the clips move only one of
    /// the two. Other clips stay whole.
    ///
    /// # Errors
    /// [`Error::Usage`] if the chosen clip does not exist; the errors of [`Opened::from_scene`].
    pub fn split_camera(&mut self, clips: &ClipChoice) -> Result<Option<Opened>, Error> {
        let chosen = self.chosen(clips)?;
        let chosen_clips = self.scene.clips.get(chosen.clone()).unwrap_or_default();
        let lights = |track: &Track| matches!(track.target.kind, TargetKind::Camera | TargetKind::Light);
        let moves = |track: &Track| !lights(track) && track.target.kind != TargetKind::Custom;
        let tracks = || chosen_clips.iter().flat_map(|clip| &clip.tracks);
        if !tracks().any(lights) || !tracks().any(moves) {
            return Ok(None);
        }
        // Switches and numbers go with those that they came with, where that can be told.
        let [own_lights, own_model] = [
            tracks().filter(|track| lights(track)).any(is_own),
            tracks().filter(|track| moves(track)).any(is_own),
        ];
        let is_of_camera = |track: &Track| {
            lights(track) || (!moves(track) && own_lights != own_model && is_own(track) == own_lights)
        };
        let mut camera = self.scene.clone();
        camera.clips = chosen_clips.to_vec();
        let chosen_clips = self.scene.clips.get_mut(chosen).unwrap_or_default();
        for clip in &mut *chosen_clips {
            clip.tracks.retain(|track| !is_of_camera(track));
        }
        for clip in &mut camera.clips {
            clip.tracks.retain(is_of_camera);
            clip.made_for = None;
        }
        camera.clips.retain(|clip| !clip.tracks.is_empty());
        // Neither has to last as long as the other.
        chosen_clips.iter_mut().chain(&mut camera.clips).for_each(end_with_last_key);
        Ok(Some(Opened::from_scene(self.opened.name.clone(), &camera)?))
    }

    /// The file with its document updated to the result.
    ///
    /// # Errors
    /// [`Error::Usage`] if the format has no room for a fact that an operation states; and the errors of
    /// [`convert`](fn@crate::convert).
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

/// Refuses an operation that makes more frames of a clip than the limit allows.
fn check_frames(operation: &Operation, clip: &Clip, most: MostFrames) -> Result<(), Error> {
    let Some(frames) = operation.frames(clip) else { return Ok(()) };
    let numbers = clip.numbers();
    Ok(within(most.sampled(numbers, clip.most_keys()), operation.word(), frames, numbers)?)
}

/// The scene of a file in the form that operations on several motions take ([`Concat::others`],
/// [`Merge::others`]).
///
/// # Errors
/// As [`Opened::scene`].
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

/// The word of the document's dialect for writing, if the format has dialects.
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

/// Refuses the result of an operation whose numbers became too large for any file, in a clip whose numbers
/// were smaller before.
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

/// True of an operation with the same effect before and after keys are stored, because it moves all of them
/// alike.
const fn moves_all(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Shift(_) | Operation::Retime(_) | Operation::Reverse | Operation::Mirror(_)
    )
}

/// True of an operation that changes no key: it only leaves out tracks, or states other facts about them.
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
