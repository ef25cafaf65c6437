//! The tests of this crate, in one program: it is linked once.

mod attach;
mod check;
mod common;
mod convert;
mod corpus;
mod exchanged;
mod figure;
mod golden;
mod keys;
mod meshopt;
mod packing;
mod roundtrip;
mod surfaces;
mod vrm;
mod vrma;
