//! Places of entries in the file, and their new paths.

use crate::animation::spans::List;
use std::collections::HashMap;

/// Places in the file of an entry of a list and of its keys; `None` for what the file does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Origin {
    pub(super) entry: Option<usize>,
    pub(super) keys: Vec<Option<usize>>,
}

/// Origins of the entries of each list.
pub(super) type Origins = [Vec<Origin>; List::ALL.len()];

/// Gives an object the path that it has now.
pub(super) fn rename(path: &mut String, renamed: &HashMap<String, String>) {
    if let Some(new) = renamed.get(path) {
        path.clone_from(new);
    }
}
