//! The room `bvh`: text ⇄ document ⇄ scene.

mod between_frames;
mod check;
mod convert;
mod edit;
mod fixtures;
mod from_scene;
mod golden;
mod property;
mod roundtrip;
mod to_scene;
