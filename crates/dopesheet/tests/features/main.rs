//! The tests of what the feature `fbx` changes, in a program of their own: all others are built without it.

#[path = "../all/fbx.rs"]
mod fbx;
