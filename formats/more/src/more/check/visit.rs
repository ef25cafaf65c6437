//! All tracks of an animation with their places.

use crate::more::animation::{Animation, Body, Track};
use crate::more::document::{ANIMATION, Document};
use crate::more::interpretation::Interpretation;
use crate::more::layout::{KeyForm, since};
use crate::more::sizes::{keys_offset, track_size};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// An animation, and its place in the file.
pub(super) struct Subject<'a> {
    pub(super) animation: &'a Animation,
    pub(super) version: u32,
    how: Interpretation,
    /// The path of the animation in the file, with a dot behind it; empty for an animation that is the file's
    /// resource.
    prefix: String,
    /// Offset of the count of tracks, if known.
    tracks_at: Option<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn top(document: &Document, animation: &'a Animation) -> Self {
        let header = 8 + 4 + 4 + ANIMATION.len();
        let name = match &animation.name {
            Some(name) if document.version < since::NO_NAME => 4 + name.0.len(),
            None if document.version < since::NO_NAME => 4,
            _ => 0,
        };
        let delta = usize::from(document.version >= since::IS_DELTA);
        let tracks_at = Some(header + name + 4 + delta);
        let (version, how) = (document.version, document.assumed);
        Self { animation, version, how, prefix: String::new(), tracks_at }
    }

    pub(super) fn layer(document: &Document, animation: &'a Animation, layer: usize) -> Self {
        let prefix = format!("subLayers[{layer}].");
        let (version, how) = (document.version, document.assumed);
        Self { animation, version, how, prefix, tracks_at: None }
    }

    /// A fault of the animation itself.
    pub(super) fn fault(
        &self,
        path: &str,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        Fault::new("", Place::File, expected, found).at_path(format!("{}{path}", self.prefix))
    }

    /// All tracks, with the tracks inside a displacement behind the displacement.
    pub(super) fn tracks(&self) -> Vec<Located<'a>> {
        let mut out = Vec::with_capacity(self.animation.tracks.len());
        let mut at = self.tracks_at.map(|at| at + 4);
        for (index, track) in self.animation.tracks.iter().enumerate() {
            let path = format!("{}tracks[{index}]", self.prefix);
            self.push(track, path, at, &mut out);
            at = at.map(|at| at + track_size(track, self.version));
        }
        out
    }

    fn push(&self, track: &'a Track, path: String, at: Option<usize>, out: &mut Vec<Located<'a>>) {
        let form = track.track_type.key_form(self.version);
        let duration = f64::from(self.animation.duration);
        out.push(Located { track, form, duration, how: self.how, path: path.clone(), at });
        if let Body::Displacement(pair) = &track.body {
            let position = at.map(|at| at + 8 + track.name.0.len());
            let rotation = position.map(|at| at + track_size(&pair.position, self.version));
            self.push(&pair.position, format!("{path}.position"), position, out);
            self.push(&pair.rotation, format!("{path}.rotation"), rotation, out);
        }
    }
}

/// A track, and its place in the file.
pub(super) struct Located<'a> {
    pub(super) track: &'a Track,
    pub(super) form: KeyForm,
    /// Length of the animation in seconds.
    pub(super) duration: f64,
    /// Choices for the inferred parts of the format.
    pub(super) how: Interpretation,
    path: String,
    at: Option<usize>,
}

impl Located<'_> {
    /// A fault of the track itself, at its first byte.
    pub(super) fn fault(
        &self,
        path: &str,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        self.fault_at(self.at, format!("{}.{path}", self.path), expected, found)
    }

    /// A fault of a key, at the key's first byte.
    pub(super) fn fault_in_key(
        &self,
        key: usize,
        field: &str,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        let is_event = matches!(self.track.body, Body::Events(_));
        // Events have texts of any length between them.
        let before = if is_event { None } else { Some(key * self.form.size()) };
        let at = self.at.map(|at| at + keys_offset(self.track)).map(|at| at + before.unwrap_or(0));
        let list = if is_event { "events" } else { "keys" };
        self.fault_at(at, format!("{}.{list}[{key}].{field}", self.path), expected, found)
    }

    fn fault_at(
        &self,
        at: Option<usize>,
        path: String,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        let byte = at.map_or(Place::File, |at| Place::Byte(ByteOffset(at as u64)));
        Fault::new("", byte, expected, found).at_path(path)
    }
}
