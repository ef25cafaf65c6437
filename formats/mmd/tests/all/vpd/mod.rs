//! The room `vpd`: text ⇄ document ⇄ scene.

mod check;
mod convert;
mod corpus;
mod edit;
mod fixtures;
mod from_scene;
mod golden;
mod property;
mod roundtrip;
mod to_scene;
