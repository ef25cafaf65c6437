//! Give other names to what moves.

use crate::refused::Reason;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Scene, TargetKind};
use std::collections::HashMap;

/// Options of [`rename`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// Old names → new names; what it lacks stays as it is.
    pub names: NameMap,
}

/// Gives other names to the targets of a clip and to the nodes of the scene. Two names may change places.
///
/// # Errors
/// If two different targets would have the same name.
pub fn rename(scene: &mut Scene, clip: usize, options: &Rename) -> Result<(), Reason> {
    let Some(clip) = scene.clips.get_mut(clip) else { return Ok(()) };
    let mut taken: HashMap<(TargetKind, &str), &str> = HashMap::new();
    for track in &clip.tracks {
        let (kind, from) = (track.target.kind, track.target.name.as_str());
        let to = options.names.get(from);
        match taken.insert((kind, to), from) {
            Some(other) if other != from => {
                return Err(Reason::NameTaken { from: from.to_owned(), to: to.to_owned() });
            }
            _ => {}
        }
    }
    for track in &mut clip.tracks {
        let to = options.names.get(&track.target.name);
        if to != track.target.name {
            track.target.name = to.to_owned();
            track.target.label = None;
        }
    }
    for node in &mut scene.nodes {
        let to = options.names.get(&node.name);
        if to != node.name {
            node.name = to.to_owned();
        }
    }
    Ok(())
}
