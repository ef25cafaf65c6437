//! The format `m4b`.

mod archive;
mod bytes;
mod check;
mod corpus;
mod fixtures;
mod property;
mod roundtrip;
