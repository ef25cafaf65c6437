//! The tests of this crate, in one program: it is linked once.

mod identities;
mod mirrored;
mod seams;
mod single_keys;
