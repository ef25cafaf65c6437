//! Names of tracks whose nodes were renamed.

use crate::more::animation::TrackType;
use crate::text::Name;

/// Gives a track the name for the same property of a renamed node.
pub(super) fn rename(name: &mut Name, old: &str, new: &str, track_type: TrackType) {
    if !rename_within(name, old, new) {
        // A name without that of its node stood for a root.
        let ending = if track_type.is_rotation() { "Rotation" } else { "Position" };
        *name = Name::new(&format!("{new}.{ending}"));
    }
}

/// Changes the node's name at the start of a name; `false` if the name starts otherwise.
pub(super) fn rename_within(name: &mut Name, old: &str, new: &str) -> bool {
    let text = name.text().into_owned();
    match text.strip_prefix(old).filter(|_| !old.is_empty()) {
        Some(rest) => {
            *name = Name::new(&format!("{new}{rest}"));
            true
        }
        None => false,
    }
}
