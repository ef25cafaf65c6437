//! Names that tell things apart.

use dopesheet_core::format::DistinctNames;
use dopesheet_core::model::{Clip, Node};
use std::collections::{HashMap, HashSet};

/// Names for nodes that are taken in `order`: the first of several keeps its name, and no new name is one that exists.
pub(super) fn node_names(nodes: &[Node], order: &[usize]) -> (Vec<String>, DistinctNames) {
    let mut taken = DistinctNames::new(nodes.iter().map(|node| node.name.clone()));
    let mut seen: HashSet<&str> = HashSet::new();
    let mut names = vec![String::new(); nodes.len()];
    for index in order {
        let name = nodes[*index].name.as_str();
        names[*index] = if name.is_empty() {
            taken.add(&format!("node_{index}"))
        } else if seen.insert(name) {
            name.to_owned()
        } else {
            taken.add(name)
        };
    }
    (names, taken)
}

/// Names for animations: the clip's own if no other clip of these has it, else that of its file, made different from
/// those that are `taken`.
pub(in crate::gltf) fn clip_names(
    clips: &[Clip],
    file_stems: &[String],
    mut taken: DistinctNames,
) -> Vec<Option<String>> {
    let own = |clip: &Clip| clip.name.clone().filter(|name| !name.is_empty());
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in clips.iter().filter_map(own) {
        *counts.entry(name).or_insert(0) += 1;
    }
    let choose = |(index, clip): (usize, &Clip)| {
        let name = own(clip);
        let is_single = name.as_ref().is_some_and(|name| counts.get(name) == Some(&1));
        let stem = file_stems.get(index).filter(|stem| !stem.is_empty()).cloned();
        let base = if is_single { name } else { stem.or(name) };
        base.map(|base| taken.add(&base))
    };
    clips.iter().enumerate().map(choose).collect()
}
