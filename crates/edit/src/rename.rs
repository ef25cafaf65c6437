//! New names for targets.

use crate::drop::nothing_named;
use crate::refused::Reason;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Clip, Scene, TargetKind};
use dopesheet_human::Naming;
use std::collections::{HashMap, HashSet};

/// Options of [`rename`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// Old names → new names; all other names stay as they are.
    pub names: NameMap,
    /// Naming of the motion's bones, and the naming to change to; names of bones missing from either stay as
    /// they are.
    pub bones: Option<(Naming, Naming)>,
}

impl Rename {
    /// The new names on a clip of a scene.
    fn names_on(&self, scene: &Scene, clip: &Clip) -> Result<NameMap, Reason> {
        let Some((from, to)) = self.bones else {
            return self.check(scene, clip).map(|()| self.names.clone());
        };
        let joints = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
        let nodes = scene.nodes.iter().map(|node| node.name.as_str());
        let names: Vec<&str> = joints.map(|track| track.target.name.as_str()).chain(nodes).collect();
        match from.pairs(to, &names) {
            none if none.is_empty() => Err(Reason::new(format!(
                "expected names of bones as {} has them, found none of them",
                from.word()
            ))),
            pairs => Ok(self.names.with(pairs)),
        }
    }

    /// Refuses names if no target or node has any of them: they are misspelt, or meant for another file.
    fn check(&self, scene: &Scene, clip: &Clip) -> Result<(), Reason> {
        let targets = scene.tracks().map(|track| &track.target.name);
        let names: HashSet<&str> =
            targets.chain(scene.nodes.iter().map(|node| &node.name)).map(String::as_str).collect();
        // Nodes that several clips move have their new names from the second clip on.
        let is_renamed = |to: &str| scene.clips.len() > 1 && names.contains(to);
        let mut pairs = self.names.pairs().peekable();
        match pairs.peek().copied() {
            Some((first, _)) if !pairs.any(|(from, to)| names.contains(from) || is_renamed(to)) => {
                Err(nothing_named(first, clip))
            }
            _ => Ok(()),
        }
    }
}

/// Gives other names to the targets of a clip and to the nodes of the scene. Two names may change places.
///
/// # Errors
/// If two different targets would have the same name, or nothing has any of the names.
pub fn rename(scene: &mut Scene, clip: usize, options: &Rename) -> Result<(), Reason> {
    let Some(source_clip) = scene.clips.get(clip) else { return Ok(()) };
    let names = options.names_on(scene, source_clip)?;
    let Some(clip) = scene.clips.get_mut(clip) else { return Ok(()) };
    let mut taken: HashMap<(TargetKind, &str), &str> = HashMap::new();
    for track in &clip.tracks {
        let (kind, from) = (track.target.kind, track.target.name.as_str());
        let to = names.get(from);
        match taken.insert((kind, to), from) {
            Some(other) if other != from => {
                return Err(Reason::new(format!(
                    "expected a name that nothing else has for \"{from}\", found \"{to}\""
                )));
            }
            _ => {}
        }
    }
    for track in &mut clip.tracks {
        let to = names.get(&track.target.name);
        if to != track.target.name {
            track.target.name = to.to_owned();
            track.target.label = None;
        }
    }
    for node in &mut scene.nodes {
        let to = names.get(&node.name);
        if to != node.name {
            node.name = to.to_owned();
        }
    }
    Ok(())
}
