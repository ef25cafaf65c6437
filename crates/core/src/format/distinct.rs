//! Distinct names for items.

use std::collections::{HashMap, HashSet};

/// Names of which no two are equal.
#[derive(Clone, Debug, Default)]
pub struct DistinctNames {
    taken: HashSet<String>,
    /// Counting on from the last number keeps many equal names from being tried over and over.
    counters: HashMap<String, usize>,
}

impl DistinctNames {
    /// A set with names that are already taken.
    pub fn new(taken: impl IntoIterator<Item = String>) -> Self {
        Self { taken: taken.into_iter().collect(), counters: HashMap::new() }
    }

    /// `name`, or the first name not taken with `_1`, `_2` … behind it; the result is then taken.
    pub fn add(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let counter = self.counters.entry(name.to_owned()).or_insert(0);
        loop {
            *counter += 1;
            let candidate = format!("{name}_{counter}");
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice_nor_one_that_was_there() {
        let mut names = DistinctNames::new(["D_1".to_owned()]);
        let given: Vec<_> = ["D", "D", "D", "D_1", ""].iter().map(|name| names.add(name)).collect();
        assert_eq!(given, ["D", "D_2", "D_3", "D_1_1", ""]);
    }
}
