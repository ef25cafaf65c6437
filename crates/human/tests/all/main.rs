//! The tests of this crate, in one program: it is linked once.

mod bodies;
mod contacts;
mod faces;
mod figures;
mod first_frame;
mod floors;
mod humanoid;
mod onto;
mod planted;
mod skeleton;
mod twists;
mod unnamed;
mod upright;
