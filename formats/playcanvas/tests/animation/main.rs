//! PlayCanvas animation JSON, in the order: golden files, fixtures, damage, messages, edits, scenes, corpus.

mod corpus;
