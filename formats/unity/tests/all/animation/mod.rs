//! Unity animation clips.

mod check;
mod convert;
mod edit;
mod fixtures;
mod golden;
mod property;
mod roundtrip;
