//! PlayCanvas animation JSON, in the order: golden files, fixtures, damage, messages, edits, scenes, corpus.

mod convert;
mod corpus;
mod damage;
mod edit;
mod fixtures;
mod golden;
mod messages;
mod property;
mod write_scene;
