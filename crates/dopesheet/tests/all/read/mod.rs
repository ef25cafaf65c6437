//! Files as they are read, written back and checked.

mod english;
mod fbx;
mod subjects;
mod wild;
