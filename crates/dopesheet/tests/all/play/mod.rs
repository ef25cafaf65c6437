//! Values and pictures of motions.

mod mmd_corpus;
mod pictures;
mod plot;
mod points;
mod poses;
