//! The room `animation`: bytes ⇄ document ⇄ scene.

mod bytes;
mod check;
mod convert;
mod corpus;
mod edit;
mod fixtures;
mod golden;
mod property;
mod roundtrip;
