//! PlayCanvas model JSON, in the order: golden files, fixtures, damage, messages, scenes, corpus.

mod corpus;
