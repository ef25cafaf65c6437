//! Pickles: what Python makes of objects, read as data.
//!
//! A pickle is a program for a small machine with a stack. Python's machine calls whatever a pickle names, which is how such files
//! attack. This one knows numbers, texts, lists, tuples, dictionaries and arrays, and calls nothing: the few names that arrays
//! need are on a list (`globals`), each with a meaning of our own, and any other name is an error.
//!
//! Running a pickle (`run`) makes a `Graph` of values, which points into the file and copies nothing of it but texts that Python 3
//! wrote for Python 2. Operations are read one after the other and not kept, so that a pickle cannot be written again.
//!
//! Source: Python's `pickletools`, which describes each operation of protocols 0 to 5; what NumPy writes for arrays, and what
//! programs that read files of `torch.save` expect of tensors.
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

/// Something about a pickle that keeps it from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Odd {
    /// Offset of the operation from the start of the pickle.
    pub(crate) at: usize,
    pub(crate) kind: OddKind,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// Kinds of what keeps a pickle from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OddKind {
    /// It ends before its last operation.
    Truncated,
    /// It names something that is not on the list.
    Global,
    /// Anything else.
    Damaged,
}

impl Odd {
    fn new(at: usize, kind: OddKind, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { at, kind, expected: expected.into(), found: found.into() }
    }
}
