//! The room `pmx`: bytes ⇄ document → scene.

mod bytes;
mod check;
mod corpus;
mod everything;
mod fixtures;
mod golden;
mod pictures;
mod property;
mod roundtrip;
mod to_scene;
