//! Options of described operations that make no sense.

use std::fmt;

/// An option of a described operation that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongOption {
    /// The operation's word.
    pub operation: String,
    /// The option's name.
    pub option: String,
    /// Values that the option accepts.
    pub expected: String,
    /// The rejected value.
    pub found: String,
    /// Names of the operation's options, if the option's name is unknown; else empty.
    pub known: Vec<&'static str>,
}

impl WrongOption {
    /// An existing option of an operation, with a value that makes no sense.
    pub(crate) fn new(
        operation: &str,
        option: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            operation: operation.to_owned(),
            option: option.to_owned(),
            expected: expected.into(),
            found: found.into(),
            known: Vec::new(),
        }
    }

    /// The same error in a language with its own spelling of option names.
    #[must_use]
    pub fn spelt(&self, spell: impl Fn(&str) -> String) -> Self {
        let expected = match &self.known[..] {
            [] => self.expected.clone(),
            names => one_of(names.iter().map(|option| spell(option))),
        };
        Self { option: spell(&self.option), expected, ..self.clone() }
    }
}

/// Names of options, as the expected value.
pub(crate) fn one_of(options: impl Iterator<Item = String>) -> String {
    format!("one of the options {}", options.collect::<Vec<_>>().join(", "))
}

impl fmt::Display for WrongOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, option, expected, found, .. } = self;
        write!(f, "{operation}: {option}: expected {expected}, found {found}")
    }
}

impl std::error::Error for WrongOption {}
