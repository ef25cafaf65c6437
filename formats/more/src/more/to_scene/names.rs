//! Targets of tracks, judged by their names alone.
//!
//! The names in the game's own files are unknown; the rules here follow the habits of exporters.

use crate::more::animation::{TrackType, ValueType};
use dopesheet_core::model::Property;

/// Property of a node moved by a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::more) enum Role {
    /// Position of the node.
    Translation,
    /// Rotation of the node.
    Rotation,
    /// Scale of the node.
    Scale,
}

impl Role {
    /// The property of a scene.
    pub(in crate::more) const fn property(self) -> Property {
        match self {
            Self::Translation => Property::Translation,
            Self::Rotation => Property::Rotation,
            Self::Scale => Property::Scale,
        }
    }

    /// True if values of a type can be this property.
    pub(in crate::more) fn fits(self, track_type: TrackType) -> bool {
        match self {
            Self::Rotation => track_type.is_rotation(),
            Self::Translation | Self::Scale => {
                track_type.value() == Some(ValueType::Vector) && !track_type.is_rotation()
            }
        }
    }

    /// Usual property of values of a type; `None` for types unfit for nodes.
    pub(in crate::more) fn usual(track_type: TrackType) -> Option<Self> {
        [Self::Rotation, Self::Translation].into_iter().find(|role| role.fits(track_type))
    }
}

/// Endings and their meanings. Single letters count only behind a separator.
const SUFFIXES: [(&str, Role); 17] = [
    ("position", Role::Translation),
    ("pos", Role::Translation),
    ("translation", Role::Translation),
    ("trans", Role::Translation),
    ("t", Role::Translation),
    ("p", Role::Translation),
    ("rotation", Role::Rotation),
    ("rot", Role::Rotation),
    ("orientation", Role::Rotation),
    ("quat", Role::Rotation),
    ("euler", Role::Rotation),
    ("r", Role::Rotation),
    ("q", Role::Rotation),
    ("scalevalue", Role::Scale),
    ("scale", Role::Scale),
    ("scl", Role::Scale),
    ("s", Role::Scale),
];

/// The name of a node for a track without any other name.
const ROOT: &str = "root";

/// Splits a track's name into the name of a node and its role; `None` without a fitting ending.
pub(super) fn split(name: &str, track_type: TrackType) -> Option<(&str, Role)> {
    let fitting = SUFFIXES.into_iter().filter(|(_, role)| role.fits(track_type));
    fitting.filter_map(|(suffix, role)| Some((strip(name, suffix)?, role))).min_by_key(|(rest, _)| rest.len())
}

/// The node and role of a track's name, by its ending or else by its values.
pub(super) fn guess(name: &str, track_type: TrackType) -> Option<(String, Role)> {
    let (rest, role) = split(name, track_type).or_else(|| Some((name, Role::usual(track_type)?)))?;
    Some((or_root(rest), role))
}

pub(super) fn or_root(name: &str) -> String {
    if name.is_empty() { ROOT.to_owned() } else { name.to_owned() }
}

/// Part of a name before a separated ending.
fn strip<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(suffix.len())?;
    let (head, tail) = (name.get(..at)?, name.get(at..)?);
    if !tail.eq_ignore_ascii_case(suffix) {
        return None;
    }
    let is_separator = |c: char| matches!(c, '.' | '_' | '-' | ':' | '|' | '/' | ' ');
    let bare = head.trim_end_matches(is_separator);
    if bare.len() < head.len() {
        return Some(bare);
    }
    let is_camel = head.ends_with(|c: char| c.is_lowercase()) && tail.starts_with(|c: char| c.is_uppercase());
    let is_word = suffix.len() > 1;
    (is_word && (head.is_empty() || is_camel)).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(name: &str, code: u32) -> Option<(String, Role)> {
        guess(name, TrackType::new(code).expect("a known type"))
    }

    fn named(name: &str, role: Role) -> Option<(String, Role)> {
        Some((name.to_owned(), role))
    }

    #[test]
    fn endings_name_the_property_if_they_are_set_off_and_fit() {
        const VECTOR: u32 = 0x05;
        const QUATERNION: u32 = 0x06;
        const EULER: u32 = 0x1E;
        assert_eq!(guessed("Bip01 L Hand.Position", VECTOR), named("Bip01 L Hand", Role::Translation));
        assert_eq!(guessed("Hand_rot", QUATERNION), named("Hand", Role::Rotation));
        assert_eq!(guessed("handScale", VECTOR), named("hand", Role::Scale));
        assert_eq!(guessed("hand s", VECTOR), named("hand", Role::Scale));
        assert_eq!(guessed("hands", VECTOR), named("hands", Role::Translation));
        assert_eq!(guessed("depot", EULER), named("depot", Role::Rotation));
        assert_eq!(guessed("Hand.Rotation", VECTOR), named("Hand.Rotation", Role::Translation));
        assert_eq!(guessed("Position", VECTOR), named("root", Role::Translation));
        assert_eq!(guessed("", QUATERNION), named("root", Role::Rotation));
        assert_eq!(guessed("Glow.Position", 0x04), None);
    }
}
