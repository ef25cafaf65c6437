//! Facts that operations state about clips, for formats with and without room for them.

use crate::error::Error;
use dopesheet_core::format::FormatInfo;
use dopesheet_core::model::Clip;
use dopesheet_core::order::set;
use dopesheet_edit::Operation;
use std::collections::BTreeSet;

/// Kinds of facts that operations stated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    is_set: bool,
    is_marked: bool,
    is_renamed: bool,
}

impl Said {
    /// Takes note of an operation.
    pub(super) const fn meet(&mut self, operation: &Operation) {
        self.is_set |= matches!(operation, Operation::Set(_));
        self.is_marked |= matches!(operation, Operation::Markers(_));
        self.is_renamed |= matches!(operation, Operation::Rename(_));
    }

    /// True if no operation stated any.
    pub(super) const fn is_nothing(self) -> bool {
        !self.is_set && !self.is_marked && !self.is_renamed
    }

    /// Refuses facts that operations stated about clips but the written file does not hold.
    pub(super) fn check(self, format: &FormatInfo, asked: &[Clip], said: &[Clip]) -> Result<(), Error> {
        asked.iter().zip(said).try_for_each(|(asked, said)| self.check_clip(format, asked, said))
    }

    fn check_clip(self, format: &FormatInfo, asked: &Clip, said: &Clip) -> Result<(), Error> {
        if self.is_marked && asked.markers.len() != said.markers.len() {
            return Err(refused(format!("markers: {} files have none", format.id)));
        }
        if let Some(lost) = lost_name(&names(asked), &names(said)).filter(|_| self.is_renamed) {
            return Err(refused(format!("rename: {} files cannot have the name \"{lost}\"", format.id)));
        }
        let differs = [
            (asked.looping != said.looping, "if a clip starts again at its end"),
            (!is_said(asked.made_for.as_deref(), said.made_for.as_deref()), "which model a motion is for"),
            (asked.name != said.name, "the name of a clip"),
        ];
        match differs.into_iter().find(|(differs, _)| self.is_set && *differs) {
            Some((_, what)) => Err(refused(format!("set: {} files do not say {what}", format.id))),
            None => Ok(()),
        }
    }
}

/// Refusal of a fact that a format has no room for, with advice.
fn refused(why: String) -> Error {
    Error::Usage(format!("{why}; convert the file to another format first, and edit that"))
}

/// True if a file has the name of a model, possibly shortened and with `?` for letters that the file lacks;
/// the report tells of both.
fn is_said(asked: Option<&str>, said: Option<&str>) -> bool {
    asked == said
        || asked.zip(said).is_some_and(|(asked, said)| {
            !said.is_empty()
                && said.chars().zip(asked.chars()).all(|(said, asked)| said == asked || said == '?')
        })
}

/// Names of the targets that a clip moves.
fn names(clip: &Clip) -> BTreeSet<&str> {
    set(clip.tracks.iter().map(|track| track.target.name.as_str()))
}

/// A name missing from a file. A shortened name still moves its target, and the report tells of the
/// shortening: the file has the start of the name, and no other target has that start as its name.
fn lost_name<'a>(asked: &BTreeSet<&'a str>, said: &BTreeSet<&'a str>) -> Option<&'a str> {
    let mut unmatched = set(said.difference(asked).copied());
    let mut lost = asked.difference(said).filter(|name| {
        // The longest start, so that shorter ones are left for other names.
        let start = unmatched.iter().filter(|other| !other.is_empty() && name.starts_with(**other));
        let start = start.max_by_key(|other| other.len()).copied();
        !start.is_some_and(|start| unmatched.remove(start))
    });
    lost.next().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost<'a, const A: usize, const B: usize>(asked: [&'a str; A], said: [&'a str; B]) -> Option<&'a str> {
        lost_name(&BTreeSet::from(asked), &BTreeSet::from(said))
    }

    #[test]
    fn a_name_may_be_cut_short() {
        assert_eq!(lost(["Hips", "LeftForeArmTwist"], ["Hips", "LeftForeArm"]), None);
        assert_eq!(lost(["abc", "ax"], ["a", "ab"]), None);
        assert_eq!(lost(["Hips"], [""]), Some("Hips"));
        assert_eq!(lost(["Hips"], ["Hip", "Spine"]), None);
    }

    #[test]
    fn the_start_of_a_name_that_is_another_ones_is_no_name_of_it() {
        assert_eq!(lost(["LeftArm", "LeftArmTwist"], ["LeftArm"]), Some("LeftArmTwist"));
        assert_eq!(lost(["LeftArmA", "LeftArmB"], ["LeftArm"]), Some("LeftArmB"));
    }
}
