//! Files for programs that apply operations step by step and keep each step.

use super::described::{object, wrong};
use super::operations::{SPLIT, WITHIN, cuts, described, within};
use super::{Draft, EditOptions, Operation, own_variant, scene};
use crate::choice::clip_choice::ClipChoice;
use crate::convert::{Conversion, ConvertOptions, convert};
use crate::error::Error;
use crate::files::open::read_as;
use crate::files::read::Opened;
use dopesheet_core::format::{Limits, ReadOptions};
use dopesheet_core::model::Scene;
use std::sync::{Arc, OnceLock};

/// A file, and the result of operations on it. Copies share the file.
///
/// The document is updated to the result on demand, as [`edit`](fn@crate::edit) does after its last
/// operation.
#[derive(Clone, Debug)]
pub struct Editable {
    state: State,
    limits: Limits,
}

#[derive(Clone, Debug)]
enum State {
    Read(Arc<Opened>),
    Edited { draft: Arc<Draft>, finished: Arc<OnceLock<Arc<Opened>>> },
}

impl Editable {
    /// A file without operations.
    #[must_use]
    pub fn new(opened: Opened) -> Self {
        Self { state: State::Read(Arc::new(opened)), limits: Limits::default() }
    }

    /// The same file, with limits on the work of later operations.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Upper bounds of the work on the file's motions.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The file, updated to some of the operations; its name and format are those of the source.
    #[must_use]
    pub fn source(&self) -> &Opened {
        match &self.state {
            State::Read(opened) => opened,
            State::Edited { draft, .. } => draft.source(),
        }
    }

    /// The file with the result of all operations.
    ///
    /// # Errors
    /// As [`Draft::finish`].
    pub fn opened(&self) -> Result<Arc<Opened>, Error> {
        match &self.state {
            State::Read(opened) => Ok(Arc::clone(opened)),
            State::Edited { draft, finished } => match finished.get() {
                Some(opened) => Ok(Arc::clone(opened)),
                None => {
                    let opened = Arc::new(Draft::clone(draft).finish()?);
                    Ok(Arc::clone(finished.get_or_init(|| opened)))
                }
            },
        }
    }

    /// The file after a further step: an operation, [`described`] by its word and its options in JSON, or
    /// [`WITHIN`], which sets the tolerance of all later operations. `others` are the files that the
    /// operation puts together with this file; the optional position selects a single clip of the other file,
    /// to be used in place of the chosen clip.
    ///
    /// # Errors
    /// As [`described`] and [`Draft::apply`].
    pub fn after(
        &self,
        word: &str,
        options: &str,
        others: &[(&Self, Option<usize>)],
        clips: &ClipChoice,
    ) -> Result<Self, Error> {
        if word == WITHIN.word {
            let mut draft = self.draft()?;
            draft.ask_for(within(options)?);
            return Ok(self.of(draft));
        }
        let operation = described(word, options, motions(others, clips)?)?;
        self.made(self.draft()?, &operation, clips)
    }

    /// The file after `merge` with others, as two files: the motion of the model, and the motion of cameras
    /// and lights, for programs that load only one of the two from a file. Both have the format of this file.
    /// Clips not chosen stay with the model.
    ///
    /// # Errors
    /// As [`Editable::after`]; [`Error::Option`] if only one of the two moves; the errors of
    /// [`convert`](fn@crate::convert).
    pub fn merged_apart(
        &self,
        others: &[(&Self, Option<usize>)],
        clips: &ClipChoice,
    ) -> Result<[Self; 2], Error> {
        let mut draft = self.draft()?;
        draft.apply(&described("merge", "{}", motions(others, clips)?)?, self.options(clips))?;
        let Some(camera) = draft.split_camera(clips)? else {
            let expected = "the motion of a model and that of a camera";
            return Err(wrong("merge", "split", expected, "only one of them"));
        };
        let camera = in_format_of(draft.source(), camera)?;
        Ok([self.of(draft), Self::new(camera).within(self.limits)])
    }

    /// The parts of a clip cut by [`SPLIT`], from its options in JSON. Other clips of the file
    /// stay whole.
    ///
    /// # Errors
    /// As [`described`] and [`Draft::parts`].
    pub fn split(&self, options: &str, clips: &ClipChoice) -> Result<Vec<Self>, Error> {
        let draft = self.draft()?;
        let trims = draft.parts(&cuts(object(SPLIT.word, options)?)?, clips)?;
        trims.into_iter().map(|trim| self.made(draft.clone(), &Operation::Trim(trim), clips)).collect()
    }

    fn draft(&self) -> Result<Draft, Error> {
        match &self.state {
            State::Read(opened) => Draft::new(Arc::clone(opened)),
            State::Edited { draft, .. } => Ok(Draft::clone(draft)),
        }
    }

    fn made(&self, mut draft: Draft, operation: &Operation, clips: &ClipChoice) -> Result<Self, Error> {
        draft.apply(operation, self.options(clips))?;
        Ok(self.of(draft))
    }

    fn options(&self, clips: &ClipChoice) -> EditOptions {
        EditOptions { clips: clips.clone(), limits: self.limits, ..EditOptions::default() }
    }

    fn of(&self, draft: Draft) -> Self {
        let state = State::Edited { draft: Arc::new(draft), finished: Arc::default() };
        Self { state, limits: self.limits }
    }

    fn scene(&self) -> Result<Scene, Error> {
        match &self.state {
            State::Read(opened) => scene(opened),
            State::Edited { draft, .. } => Ok(draft.scene().clone()),
        }
    }
}

/// The motions of files. The optional position selects a single clip of a file, to be used in place of the
/// chosen clip.
fn motions(others: &[(&Editable, Option<usize>)], clips: &ClipChoice) -> Result<Vec<Arc<Scene>>, Error> {
    let position = match clips {
        ClipChoice::Position(position) => *position,
        _ => 0,
    };
    let motion = |(other, clip): &(&Editable, Option<usize>)| {
        let scene = other.scene()?;
        Ok(Arc::new(match clip {
            Some(clip) => alone(scene, *clip, position),
            None => scene,
        }))
    };
    others.iter().map(motion).collect()
}

/// A motion in memory as a file of the format and dialect of `own`. The report of the result lists the
/// losses.
fn in_format_of(own: &Opened, motion: Opened) -> Result<Opened, Error> {
    if own.is_in_memory() {
        return Ok(motion);
    }
    let format = own.format();
    let options = ConvertOptions { variant: own_variant(own), ..ConvertOptions::to(format) };
    let Conversion { output, report } = convert(&[motion], &options)?;
    let mut beside = |name: &str| {
        output.resources.iter().find(|(resource, _)| resource == name).map(|(_, bytes)| bytes.clone())
    };
    let read = read_as(format, &own.name, &output.main, &ReadOptions::default(), &mut beside)?;
    Ok(Opened { report: report.report, ..read })
}

/// A scene with only the given clip, repeated up to and including `position`. The scene is unchanged if the
/// clip does not exist.
fn alone(mut scene: Scene, clip: usize, position: usize) -> Scene {
    if clip < scene.clips.len() {
        let chosen = scene.clips.swap_remove(clip);
        scene.clips = vec![chosen; position + 1];
    }
    scene
}
