//! Nodes among their own ancestors. The library refuses files with such nodes without a name.

use super::limits::NODE_DEPTH;
use super::records::each_record;
use std::collections::{HashMap, HashSet};

/// Class of nodes in the names of a file's objects.
const NODE: &str = "Model::";

/// Largest number of names in a message.
const MOST_NAMES: usize = 8;

/// Names of the nodes along a cycle, each a child of the next one, the first one also at the end; `None` if the records do not show a cycle.
pub(super) fn names(bytes: &[u8]) -> Option<Vec<String>> {
    let mut names: HashMap<String, String> = HashMap::new();
    each_record(bytes, "Model", &mut |values| {
        let name = values.iter().take(2).find_map(|value| value.strip_prefix(NODE));
        if let Some((id, name)) = values.first().zip(name) {
            names.insert(id.clone(), name.to_owned());
        }
    });
    let mut links: Vec<(String, String)> = Vec::new();
    for word in ["C", "Connect"] {
        each_record(bytes, word, &mut |values| {
            if let [kind, child, parent] = values
                && kind == "OO"
                && names.contains_key(child)
                && names.contains_key(parent)
            {
                links.push((child.clone(), parent.clone()));
            }
        });
    }
    // What is below the root and no cycle goes, a level at a time.
    for _ in 0..NODE_DEPTH {
        let children: HashSet<String> = links.iter().map(|(child, _)| child.clone()).collect();
        links.retain(|(_, parent)| children.contains(parent));
    }
    let mut path: Vec<&String> = vec![links.first().map(|(child, _)| child)?];
    let parents: HashMap<&String, &String> = links.iter().map(|(child, parent)| (child, parent)).collect();
    while let Some(parent) = path.last().and_then(|child| parents.get(child)) {
        let start = path.iter().position(|node| node == parent);
        path.push(parent);
        if let Some(start) = start {
            let cycle = path.get(start..)?.iter().filter_map(|id| names.get(*id).cloned());
            return Some(cycle.take(MOST_NAMES).collect());
        }
    }
    None
}
