//! The room `npz`: bytes ⇄ document ⇄ scene.

mod check;
mod fixtures;
mod from_scene;
mod golden;
mod hostile_pickles;
mod pickles;
mod property;
mod research;
mod roundtrip;
mod to_scene;
