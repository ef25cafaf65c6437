//! The tests of this crate, in one program: it is linked once.

mod bent;
mod identities;
mod mirrored;
mod on_frames;
mod parts;
mod placed;
mod seams;
mod single_keys;
mod smoothed;
