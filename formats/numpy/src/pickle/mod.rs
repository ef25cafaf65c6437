//! Pickles: Python's stored objects, read as data.
//!
//! A pickle is a program for a small machine with a stack. Python's machine calls any function named in a
//! pickle, the way of attack of malicious files. This machine knows numbers, texts, lists, tuples,
//! dictionaries and arrays, and calls nothing: the few names needed for arrays are on a list (`globals`),
//! each with a meaning of our own, and any other name is an error.
//!
//! Running a pickle (`run`) makes a `Graph` of values, which points into the file and copies nothing but
//! texts written by Python 3 for Python 2. Operations are read in order and not kept, so a pickle cannot be
//! written again.
//!
//! Source: Python's `pickletools`, which describes each operation of protocols 0 to 5; the pickles written by
//! NumPy for arrays, and the expectations about tensors in programs that read files of `torch.save`.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::cast_possible_truncation
    )
)]

mod globals;
mod machine;
mod opcodes;
mod reduce;
mod rest;
mod value;

pub(crate) use machine::run;
pub(crate) use value::{ArrayOf, Elements, Graph, Tensor, TypeOf, Value, ValueIndex};

/// The reason why a pickle cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Odd {
    /// Offset of the operation from the start of the pickle.
    pub(crate) at: usize,
    pub(crate) kind: OddKind,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// Kinds of reasons why a pickle cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OddKind {
    /// The pickle ends before its last operation.
    Truncated,
    /// The pickle names a function or type missing on the list.
    Global,
    /// Anything else.
    Damaged,
}

impl Odd {
    fn new(at: usize, kind: OddKind, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { at, kind, expected: expected.into(), found: found.into() }
    }
}
