//! Files to which operations are applied one by one, by programs that keep each step.

use super::described::cuts;
use super::{Draft, Operation, described, scene};
use crate::convert::ClipChoice;
use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::model::Scene;
use std::sync::{Arc, OnceLock};

/// A file, and the result of operations on it. Copies share it.
///
/// Its document is brought up to the result when somebody asks for it, as [`edit`](fn@crate::edit) does after its last operation.
#[derive(Clone, Debug)]
pub struct Editable(State);

#[derive(Clone, Debug)]
enum State {
    Read(Arc<Opened>),
    Edited { draft: Arc<Draft>, finished: Arc<OnceLock<Arc<Opened>>> },
}

impl Editable {
    /// Of a file that no operation was applied to.
    #[must_use]
    pub fn new(opened: Opened) -> Self {
        Self(State::Read(Arc::new(opened)))
    }

    /// The file before any operation.
    #[must_use]
    pub fn source(&self) -> &Opened {
        match &self.0 {
            State::Read(opened) => opened,
            State::Edited { draft, .. } => draft.source(),
        }
    }

    /// The file with the result of all operations.
    ///
    /// # Errors
    /// Those of [`Draft::finish`].
    pub fn opened(&self) -> Result<Arc<Opened>, Error> {
        match &self.0 {
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

    /// The file after one more operation, which is [`described`] by its word and its options in JSON. `others` are the files that it
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
        let position = match clips {
            ClipChoice::Position(position) => *position,
            _ => 0,
        };
        let motion = |(other, clip): &(&Self, Option<usize>)| {
            let scene = other.scene()?;
            Ok(Arc::new(match clip {
                Some(clip) => alone(scene, *clip, position),
                None => scene,
            }))
        };
        let others = others.iter().map(motion).collect::<Result<_, Error>>()?;
        let operation = described(word, options, others)?;
        Self::made(self.draft()?, &operation, clips)
    }

    /// The parts of a clip as [`SPLIT`](super::SPLIT) makes them, from its options in JSON. Other clips of the file stay whole.
    ///
    /// # Errors
    /// Those of [`described`] and [`Draft::parts`].
    pub fn split(&self, options: &str, clips: &ClipChoice) -> Result<Vec<Self>, Error> {
        let draft = self.draft()?;
        let trims = draft.parts(&cuts(options)?, clips)?;
        trims.into_iter().map(|trim| Self::made(draft.clone(), &Operation::Trim(trim), clips)).collect()
    }

    fn draft(&self) -> Result<Draft, Error> {
        match &self.0 {
            State::Read(opened) => Draft::new(Arc::clone(opened)),
            State::Edited { draft, .. } => Ok(Draft::clone(draft)),
        }
    }

    fn made(mut draft: Draft, operation: &Operation, clips: &ClipChoice) -> Result<Self, Error> {
        draft.apply(operation, clips)?;
        Ok(Self(State::Edited { draft: Arc::new(draft), finished: Arc::default() }))
    }

    fn scene(&self) -> Result<Scene, Error> {
        match &self.0 {
            State::Read(opened) => scene(opened),
            State::Edited { draft, .. } => Ok(draft.scene().clone()),
        }
    }
}

/// A scene with one of its clips alone, at a position. It is as it was if it has no such clip.
fn alone(mut scene: Scene, clip: usize, position: usize) -> Scene {
    if clip < scene.clips.len() {
        let chosen = scene.clips.swap_remove(clip);
        scene.clips = vec![chosen; position + 1];
    }
    scene
}
