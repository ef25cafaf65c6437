//! PlayCanvas model JSON, in the order: golden files, fixtures, damage, messages, scenes, corpus.

mod convert;
mod corpus;
mod damage;
mod fixtures;
mod golden;
mod messages;
