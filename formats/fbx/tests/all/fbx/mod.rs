//! FBX: what is read of files made by hand, held against formulas.

mod bad;
mod chain;
mod check;
mod corpus;
mod damage;
mod exact;
mod faults;
mod fixtures;
mod golden;
mod layers;
mod looks;
mod memory;
mod pictures;
mod players;
mod recordings;
mod records;
mod tints;
mod to_scene;
mod unplaced;
mod work;
