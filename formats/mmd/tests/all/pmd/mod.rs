//! The room `pmd`: bytes ⇄ document ⇄ scene.

mod bytes;
mod check;
mod corpus;
mod fixtures;
mod golden;
mod lift;
mod property;
mod roundtrip;
mod to_scene;
