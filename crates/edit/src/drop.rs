//! Leave out tracks by their names.

use crate::refused::Reason;
use dopesheet_core::model::{Clip, Property, TargetKind, Track};
use std::collections::HashSet;
use std::str::FromStr;

/// A pattern of names, as for files: `*` is any text, `?` any letter, `[ab]` a letter of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(glob::Pattern);

impl FromStr for Pattern {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Self, Reason> {
        glob::Pattern::new(text).map(Self).map_err(|error| {
            Reason::new(format!("expected a pattern of names, found \"{text}\" ({})", error.msg))
        })
    }
}

/// Selected tracks and channels: all that match every given option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Their names; any if the list is empty.
    pub names: Vec<Pattern>,
    /// Their kinds; any if the list is empty.
    pub kinds: Vec<TargetKind>,
    /// Their properties, by their words; any if the list is empty.
    pub properties: Vec<String>,
}

impl Kept {
    pub(crate) fn has(&self, track: &Track, property: &Property) -> bool {
        let name = &track.target.name;
        let is_named = self.names.is_empty() || self.names.iter().any(|pattern| pattern.0.matches(name));
        let is_kind = self.kinds.is_empty() || self.kinds.contains(&track.target.kind);
        let is_property =
            self.properties.is_empty() || self.properties.iter().any(|word| word == property.word());
        is_named && is_kind && is_property
    }

    /// Refuses patterns that match no name, because they are usually misspelt.
    pub(crate) fn check(&self, clip: &Clip) -> Result<(), Reason> {
        let names = || clip.tracks.iter().map(|track| track.target.name.as_str());
        match self.names.iter().find(|pattern| !names().any(|name| pattern.0.matches(name))) {
            None => Ok(()),
            Some(pattern) => Err(nothing_named(pattern.0.as_str(), clip)),
        }
    }
}

/// The error that no track of a clip matches a name, with names of the clip.
pub(crate) fn nothing_named(name: &str, clip: &Clip) -> Reason {
    let names = distinct_names(clip);
    let shown = names.get(..SHOWN).unwrap_or(&names).join(", ");
    let examples = match names.len().saturating_sub(SHOWN) {
        _ if names.is_empty() => String::new(),
        0 => format!("; there are {shown}"),
        more => format!("; there are {shown} and {more} more"),
    };
    Reason::new(format!("expected the name of something that moves, found \"{name}\"{examples}"))
}

/// Most names in a message.
const SHOWN: usize = 8;

/// The names of the targets of a clip, each once.
fn distinct_names(clip: &Clip) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = clip.tracks.iter().map(|track| &track.target.name);
    names.filter(|name| seen.insert(*name)).cloned().collect()
}

/// Keeps only the selected channels of a clip, and removes tracks left without any channels.
///
/// # Errors
/// If a pattern of the names matches no track of the clip.
pub fn select(clip: &mut Clip, kept: &Kept) -> Result<(), Reason> {
    kept.check(clip)?;
    retain(clip, |track, property| kept.has(track, property));
    Ok(())
}

/// Removes the selected channels of a clip, and tracks left without any channels.
///
/// # Errors
/// If a pattern of the names matches no track of the clip.
pub fn drop(clip: &mut Clip, dropped: &Kept) -> Result<(), Reason> {
    dropped.check(clip)?;
    retain(clip, |track, property| !dropped.has(track, property));
    Ok(())
}

fn retain(clip: &mut Clip, stays: impl Fn(&Track, &Property) -> bool) {
    for track in &mut clip.tracks {
        let channels = std::mem::take(&mut track.channels);
        let kept = channels.into_iter().filter(|channel| stays(track, &channel.property)).collect();
        track.channels = kept;
    }
    clip.tracks.retain(|track| !track.channels.is_empty());
}
