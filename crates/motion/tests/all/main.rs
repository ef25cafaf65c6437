//! The tests of this crate, in one program: it is linked once.

mod arrange;
mod bind;
mod cameras;
mod clock;
mod compare;
mod compiled;
mod conform;
mod cubic;
mod cut;
mod evaluate;
mod figures;
mod fit;
mod grid;
mod handles;
mod hostile;
mod humanoid;
mod kit;
mod linearise;
mod onto;
mod points;
mod pose;
mod promise;
mod rigged;
mod spans;
mod trim;
mod world;
