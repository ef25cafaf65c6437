//! Names that tell things apart.

use dopesheet_core::model::{Clip, Node};
use std::collections::{HashMap, HashSet};

/// `name`, or with `_1`, `_2` … behind it the first that is not taken; it is then.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut chosen = name.to_owned();
    let mut number = 1usize;
    while taken.contains(&chosen) {
        chosen = format!("{name}_{number}");
        number += 1;
    }
    taken.insert(chosen.clone());
    chosen
}

/// Names for nodes that are taken in `order`: the first of several keeps its name, and no new name is one that exists.
pub(super) fn node_names(nodes: &[Node], order: &[usize]) -> (Vec<String>, HashSet<String>) {
    let existing: HashSet<String> = nodes.iter().map(|node| node.name.clone()).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut taken = existing;
    let mut counters: HashMap<&str, usize> = HashMap::new();
    let mut names = vec![String::new(); nodes.len()];
    for index in order {
        let name = nodes[*index].name.as_str();
        if name.is_empty() {
            names[*index] = unique(&format!("node_{index}"), &mut taken);
        } else if seen.insert(name) {
            name.clone_into(&mut names[*index]);
        } else {
            // Counting on from the last one keeps many equal names from being tried over and over.
            let counter = counters.entry(name).or_insert(0);
            names[*index] = loop {
                *counter += 1;
                let candidate = format!("{name}_{counter}");
                if taken.insert(candidate.clone()) {
                    break candidate;
                }
            };
        }
    }
    (names, taken)
}

/// Names for animations: the clip's own if no other clip of these has it, else that of its file, made different from
/// those that are `taken`.
pub(in crate::gltf) fn clip_names(
    clips: &[Clip],
    file_stems: &[String],
    mut taken: HashSet<String>,
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
        base.map(|base| unique(&base, &mut taken))
    };
    clips.iter().enumerate().map(choose).collect()
}
