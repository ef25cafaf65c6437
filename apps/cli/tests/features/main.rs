//! The tests of what the feature `table` changes, in a program of their own: all others are built without it.

#[path = "../all/common/mod.rs"]
#[allow(dead_code, reason = "the other program uses all of it")]
mod common;
#[path = "../all/cut_off.rs"]
mod cut_off;
#[path = "../all/table.rs"]
mod table;
