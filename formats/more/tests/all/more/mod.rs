//! The format `more`.

mod bytes;
mod check;
mod clips;
mod convert;
mod corpus;
mod corpus_actors;
mod edit;
mod fixtures;
mod golden;
mod property;
mod request;
mod roundtrip;
