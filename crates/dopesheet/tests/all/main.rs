//! The tests of this crate, in one program: it is linked once.

mod convert;
mod edit;
mod examples;
mod onto;
mod play;
mod read;
mod refusals;
mod registry;
