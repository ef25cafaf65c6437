//! The tests of this crate, in one program: it is linked once.

mod arrange;
mod bind;
mod cameras;
mod compare;
mod compiled;
mod conform;
mod cubic;
mod cut;
mod evaluate;
mod fit;
mod framed;
mod grid;
mod handles;
mod hostile;
mod kit;
mod lights;
mod linearise;
mod oracle;
mod pose;
mod promise;
mod rests;
mod rigged;
mod search;
mod trim;
mod world;
