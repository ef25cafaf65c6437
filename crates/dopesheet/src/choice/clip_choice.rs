//! The choice of a clip of a file.

use crate::error::Error;
use dopesheet_core::model::{Clip, Scene};
use std::fmt;

/// The motion of a file to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClipChoice {
    /// The first with keys on several frames, else the first with keys, else the first, if the operation works on one clip.
    #[default]
    First,
    /// All, if the target can hold them.
    All,
    /// The first of this name, else the first stored under this name.
    Name(String),
    /// By position, from 0.
    Position(usize),
}

impl ClipChoice {
    /// Reads a name, `#2` for a position, or `#all`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match (text, text.strip_prefix('#').map(str::parse)) {
            ("#all", _) => Self::All,
            (_, Some(Ok(position))) => Self::Position(position),
            _ => Self::Name(text.to_owned()),
        }
    }

    /// Index of the chosen clip; `None` in an empty list. [`Self::All`] yields the clip of [`Self::First`].
    ///
    /// # Errors
    /// If no clip has the name or the position.
    pub fn place_in(&self, clips: &[Clip]) -> Result<Option<usize>, Error> {
        let index = match self {
            Self::First | Self::All => {
                return Ok(clips.iter().position(|clip| extent(clip) == longest(clips)));
            }
            Self::Name(name) => {
                let of = |stored: fn(&Clip) -> &Option<String>| {
                    clips.iter().position(|c| stored(c).as_ref() == Some(name))
                };
                of(|clip| &clip.name).or_else(|| of(|clip| &clip.stored_name))
            }
            Self::Position(position) => (*position < clips.len()).then_some(*position),
        };
        index.map(Some).ok_or_else(|| {
            let names: Vec<_> = clips.iter().map(|c| c.name.as_deref().unwrap_or("(no name)")).collect();
            Error::Usage(format!("expected a clip of this file ({}), found {self}", names.join(", ")))
        })
    }

    /// Takes the chosen clip out of a scene; `None` if the scene has no clip.
    pub(crate) fn take(&self, scene: &mut Scene) -> Result<Option<Clip>, Error> {
        Ok(self.place_in(&scene.clips)?.map(|at| scene.clips.swap_remove(at)))
    }

    /// Leaves only the chosen clip in a scene; with [`ClipChoice::All`] all of them.
    pub(crate) fn keep(&self, scene: &mut Scene) -> Result<(), Error> {
        if *self != Self::All
            && let Some(at) = self.place_in(&scene.clips)?
        {
            scene.clips = vec![scene.clips.swap_remove(at)];
        }
        Ok(())
    }
}

/// Extent of a clip's motion in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// No keys. Programs of Autodesk write such a take before the takes of others.
    Nothing,
    /// A single frame, often the pose in which a figure was bound to its skeleton.
    Frame,
    /// Keys at any times.
    Motion,
}

/// The extent of a clip.
pub(crate) fn extent(clip: &Clip) -> Extent {
    match clip.key_count() {
        0 => Extent::Nothing,
        _ if clip.is_single_frame() => Extent::Frame,
        _ => Extent::Motion,
    }
}

/// The largest extent among some clips.
pub(crate) fn longest(clips: &[Clip]) -> Extent {
    clips.iter().map(extent).max().unwrap_or(Extent::Nothing)
}

impl fmt::Display for ClipChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("the first clip"),
            Self::All => f.write_str("all clips"),
            Self::Name(name) => write!(f, "\"{name}\""),
            Self::Position(position) => write!(f, "#{position}"),
        }
    }
}
