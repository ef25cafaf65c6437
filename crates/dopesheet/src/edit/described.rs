//! Operations as programs, the command and forms describe them: a word, and options by name.

use super::option::{EditOption, Shape};
use crate::error::Error;
use crate::error::wrong_option::{WrongOption, one_of};
use dopesheet_core::bytes::json;
use dopesheet_core::model::Scene;
use dopesheet_edit::Operation;
use serde_json::{Map, Value};
use std::sync::Arc;

/// An operation: its words, its options, and its effect.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Word of the operation, or two words if it is one of a group: `keys move`.
    pub word: &'static str,
    /// Effect, as a phrase.
    pub help: &'static str,
    /// Further sentences about the effect; may be empty.
    pub details: &'static str,
    /// Options, in the order of a line of the command.
    pub options: &'static [EditOption],
    /// Options of which one is given, at least or exactly; empty without such a rule.
    pub needs: &'static [&'static str],
    /// True if several of the needed options exclude each other.
    pub needs_one: bool,
    /// Files that the operation puts together with the edited file, as a phrase; empty if it takes none.
    pub others: &'static str,
    pub(super) build: fn(&Given) -> Result<Operation, Error>,
}

impl Described {
    /// An operation without options or effect.
    pub(super) const fn new(word: &'static str, help: &'static str) -> Self {
        let build = |given: &Given| Err(given.wrong("operation", "another operation", "none"));
        Self { word, help, details: "", options: &[], needs: &[], needs_one: false, others: "", build }
    }

    pub(super) const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    pub(super) const fn options(self, options: &'static [EditOption]) -> Self {
        Self { options, ..self }
    }

    pub(super) const fn one_of(self, needs: &'static [&'static str]) -> Self {
        Self { needs, needs_one: true, ..self }
    }

    pub(super) const fn some_of(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn others(self, others: &'static str) -> Self {
        Self { others, ..self }
    }

    pub(super) const fn build(self, build: fn(&Given) -> Result<Operation, Error>) -> Self {
        Self { build, ..self }
    }

    /// True if the operation puts motions of several files together.
    #[must_use]
    pub const fn takes_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Names of the options.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.options.iter().map(|option| option.name)
    }

    /// The operation with values of its options in JSON, and with motions to put together with the edited motion.
    ///
    /// # Errors
    /// [`Error::Option`] if an option does not exist or makes no sense.
    pub fn operation(
        &'static self,
        values: Map<String, Value>,
        others: Vec<Arc<Scene>>,
    ) -> Result<Operation, Error> {
        (self.build)(&Given { others, ..Given::of(self, values)? })
    }
}

/// Values of an operation's options.
pub(super) struct Given {
    described: &'static Described,
    values: Map<String, Value>,
    pub(super) others: Vec<Arc<Scene>>,
}

impl Given {
    /// The values, if they are of options of the operation and no needed option lacks.
    pub(super) fn of(described: &'static Described, values: Map<String, Value>) -> Result<Self, Error> {
        let mut given = Self { described, values, others: Vec::new() };
        for (name, value) in &given.values {
            let Some(option) = given.option(name) else { return Err(given.unknown(name)) };
            if !value.is_null() && option.texts(value).is_none() {
                return Err(given.wrong(name, option.expected, value.to_string()));
            }
        }
        let is_switch = |name: &str| {
            described.options.iter().any(|option| option.name == name && option.shape == Shape::Switch)
        };
        let is_absent = |name: &str, value: &Value| match value {
            Value::Null => true,
            Value::Bool(false) => is_switch(name),
            _ => false,
        };
        given.values.retain(|name, value| !is_absent(name, value));
        let count = described.needs.iter().filter(|name| given.is(name)).count();
        match described.needs.split_last() {
            Some((last, before @ [first, ..])) if count == 0 || (described.needs_one && count > 1) => {
                let quantity = if described.needs_one { "one" } else { "some" };
                let expected = format!("{quantity} of {} and {last}", before.join(", "));
                Err(given.wrong(first, expected, if count == 0 { "none" } else { "several" }))
            }
            _ => Ok(given),
        }
    }

    fn option(&self, name: &str) -> Option<&'static EditOption> {
        self.described.options.iter().find(|option| option.name == name)
    }

    /// True if an option is given; a switch, if it is on.
    pub(super) fn is(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value of a required option, or of an option with a default.
    pub(super) fn must<T>(&self, name: &str, read: fn(&str) -> Option<T>) -> Result<T, Error> {
        let default = || read(self.option(name)?.default?);
        self.may(name, read)?.or_else(default).ok_or_else(|| self.lacks(name))
    }

    /// The value of an optional option.
    pub(super) fn may<T>(&self, name: &str, read: fn(&str) -> Option<T>) -> Result<Option<T>, Error> {
        Ok(self.list(name, read)?.pop())
    }

    /// The values of an option with a list, or of an object.
    pub(super) fn list<T>(&self, name: &str, read: fn(&str) -> Option<T>) -> Result<Vec<T>, Error> {
        let Some((option, value)) = self.option(name).zip(self.values.get(name)) else {
            return Ok(Vec::new());
        };
        let list = option.texts(value).and_then(|texts| texts.iter().map(|text| read(text)).collect());
        list.ok_or_else(|| self.wrong(name, option.expected, value.to_string()))
    }

    /// The error that an option is not given.
    pub(super) fn lacks(&self, name: &str) -> Error {
        self.wrong(name, self.option(name).map_or("", |option| option.expected), "nothing")
    }

    pub(super) fn wrong(&self, option: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
        wrong(self.described.word, option, expected, found)
    }

    fn unknown(&self, name: &str) -> Error {
        let known: Vec<&str> = self.described.names().collect();
        let expected = match known.is_empty() {
            true => "no options".to_owned(),
            false => one_of(known.iter().map(|name| (*name).to_owned())),
        };
        let unknown = WrongOption::new(self.described.word, name, expected, name);
        Error::Option(Box::new(WrongOption { known, ..unknown }))
    }
}

/// Values of options from an object in JSON.
pub(super) fn object(word: &str, options: &str) -> Result<Map<String, Value>, Error> {
    match json::value(options) {
        Some(Value::Object(values)) => Ok(values),
        _ => Err(wrong(word, "options", "values by the names of options", options)),
    }
}

pub(super) fn wrong(
    operation: &str,
    option: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Error {
    Error::Option(Box::new(WrongOption::new(operation, option, expected, found)))
}
