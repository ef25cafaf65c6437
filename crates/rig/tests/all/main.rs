//! The tests of this crate, in one program: it is linked once.

mod allocation;
mod build;
mod captures;
mod golden;
mod kit;
mod morphs;
mod peer;
mod properties;
mod rules;
mod worlds;
