//! Placeholder, replaced in the first change.
