//! Cells of the matrix that are known not to hold. The list is to become empty.

/// Operation, format, files, and the reason.
pub(crate) type Fault = (&'static str, &'static str, &'static [&'static str], &'static str);

#[rustfmt::skip]
#[rustfmt::skip]
pub(crate) const FAULTS: &[Fault] = &[
];
