//! The tests of what the features `fbx` and `table` change, in a program of their own: all others are built without them.

#[path = "../all/common/mod.rs"]
#[allow(dead_code, reason = "the other program uses all of it")]
mod common;
#[path = "../all/cut_off.rs"]
mod cut_off;
#[path = "../all/fbx.rs"]
mod fbx;
#[path = "../all/table.rs"]
mod table;
