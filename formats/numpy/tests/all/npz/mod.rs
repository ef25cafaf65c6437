//! The room `npz`: bytes ⇄ document ⇄ scene.

mod check;
mod fixtures;
mod from_scene;
mod golden;
mod property;
mod roundtrip;
mod to_scene;
