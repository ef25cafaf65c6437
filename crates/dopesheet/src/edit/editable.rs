//! Files to which operations are applied one by one, by programs that keep each step.

use super::described::{WITHIN, cuts, within, wrong};
use super::{Draft, EditOptions, Operation, described, own_variant, scene};
use crate::convert::{ClipChoice, Conversion, ConvertOptions, convert};
use crate::error::Error;
use crate::open::read_as;
use crate::read::Opened;
use dopesheet_core::format::{Limits, ReadOptions};
use dopesheet_core::model::Scene;
use std::sync::{Arc, OnceLock};

/// A file, and the result of operations on it. Copies share it.
///
/// Its document is brought up to the result when somebody asks for it, as [`edit`](fn@crate::edit) does after its last operation.
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
    /// Of a file that no operation was applied to.
    #[must_use]
    pub fn new(opened: Opened) -> Self {
        Self { state: State::Read(Arc::new(opened)), limits: Limits::default() }
    }

    /// The same file, of whose motions no more is made than these limits have room for.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Upper bounds of what is made of its motions.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The file, brought up to some of the operations: its name and format are those of the source.
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
    /// Those of [`Draft::finish`].
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

    /// The file after one more operation, which is [`described`] by its word and its options in JSON, or one of which all that follows has to
    /// stay [`WITHIN`] a tolerance. `others` are the files that it
    /// puts together with this one; of each of them one clip alone may be meant, by its position, which takes the place of the chosen one.
    ///
    /// # Errors
    /// Those of [`described`] and [`Draft::apply`].
    pub fn after(
        &self,
        (word, options): (&str, &str),
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

    /// The file after `merge` with others, as two: the motion of the model, and that of cameras and lights, for programs that load only
    /// one of both from a file. Both have the format of this one. Other clips than the chosen ones stay with the model.
    ///
    /// # Errors
    /// As [`Editable::after`]; [`Error::Option`] if only one of both moves; those of [`convert`](fn@crate::convert).
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

    /// The parts of a clip as [`SPLIT`](super::SPLIT) makes them, from its options in JSON. Other clips of the file stay whole.
    ///
    /// # Errors
    /// Those of [`described`] and [`Draft::parts`].
    pub fn split(&self, options: &str, clips: &ClipChoice) -> Result<Vec<Self>, Error> {
        let draft = self.draft()?;
        let trims = draft.parts(&cuts(options)?, clips)?;
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

/// The motions of files; of each of them one clip alone may be meant, which takes the place of the chosen one.
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

/// A motion in memory as a file of the format and dialect of another one. Its report says what that cost.
fn in_format_of(own: &Opened, motion: Opened) -> Result<Opened, Error> {
    if own.is_in_memory() {
        return Ok(motion);
    }
    let format = own.format();
    let options = ConvertOptions { variant: own_variant(own), ..ConvertOptions::to(format) };
    let Conversion { output, report } = convert(&[motion], &options)?;
    let mut beside =
        |name: &str| output.resources.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes.clone());
    let read = read_as(format, &own.name, &output.main, &ReadOptions::default(), &mut beside)?;
    Ok(Opened { report: report.report, ..read })
}

/// A scene with one of its clips alone, at a position. It is as it was if it has no such clip.
fn alone(mut scene: Scene, clip: usize, position: usize) -> Scene {
    if clip < scene.clips.len() {
        let chosen = scene.clips.swap_remove(clip);
        scene.clips = vec![chosen; position + 1];
    }
    scene
}
