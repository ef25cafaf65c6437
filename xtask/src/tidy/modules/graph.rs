//! A graph of names, and its circles.

use std::collections::{BTreeMap, BTreeSet};

/// Which name uses which, with a place where it does.
#[derive(Default)]
pub(super) struct Graph {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    /// Notes that `from` uses `to`. Of several places the first is kept.
    pub(super) fn add(&mut self, from: String, to: String, place: &str) {
        if from != to {
            self.edges.entry(from).or_default().entry(to).or_insert_with(|| place.to_owned());
        }
    }

    /// The groups of names of which each reaches each other one, in words: all edges inside a group.
    pub(super) fn circles(&self) -> Vec<String> {
        let reached: BTreeMap<&String, BTreeSet<&String>> =
            self.edges.keys().map(|from| (from, self.reached(from))).collect();
        let mut done = BTreeSet::new();
        let mut circles = Vec::new();
        for (from, ends) in reached.iter().filter(|(from, ends)| ends.contains(*from)) {
            let group: BTreeSet<&String> = ends
                .iter()
                .copied()
                .filter(|to| reached.get(to).is_some_and(|back| back.contains(*from)))
                .collect();
            if done.insert(group.clone()) {
                circles.push(self.inside(&group));
            }
        }
        circles
    }

    /// All names that can be reached from one.
    fn reached<'a>(&'a self, from: &'a String) -> BTreeSet<&'a String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            let next = self.edges.get(at).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    }

    fn inside(&self, group: &BTreeSet<&String>) -> String {
        let edges = group.iter().flat_map(|from| {
            let ends = self.edges.get(*from).into_iter().flatten();
            ends.filter(|(to, _)| group.contains(to))
                .map(move |(to, location)| format!("{from} → {to} ({location})"))
        });
        edges.collect::<Vec<_>>().join(", ")
    }
}
