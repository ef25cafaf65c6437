//! The room `vmd`: bytes ⇄ document ⇄ scene.

mod bytes;
mod check;
mod corpus;
mod edit;
mod fixtures;
mod from_scene;
mod golden;
mod play;
mod property;
mod roundtrip;
mod to_scene;
