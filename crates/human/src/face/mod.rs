//! Expressions and the morphs that make them.

mod names;
pub(crate) mod to_expressions;
pub(crate) mod to_morphs;
