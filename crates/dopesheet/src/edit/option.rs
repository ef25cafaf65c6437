//! Options of operations.

use crate::choice::times::read_pairs;
use crate::error::Error;
use crate::models::names::read_names;
use dopesheet_core::times::RangeSpec;
use serde_json::Value;
use std::path::Path;

/// An option of an operation.
#[derive(Clone, Copy, Debug)]
pub struct EditOption {
    /// Name for programs and forms.
    pub name: &'static str,
    /// Effect, as a phrase.
    pub help: &'static str,
    /// Position in a line of the command.
    pub form: Form,
    /// Shape of its value.
    pub shape: Shape,
    /// Word for a value in help.
    pub value: &'static str,
    /// Accepted values, as a phrase.
    pub expected: &'static str,
    /// Value where none is given, as in a line.
    pub default: Option<&'static str>,
}

/// Position of an option in a line of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Behind an option of this name, which is all of a switch.
    Named(&'static str),
    /// A value alone, always given.
    Required,
    /// A value alone, all values of a list, or none.
    Free,
}

/// Shape of an option's value in JSON, and in a line of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// True or false: the option is there or not.
    Switch,
    /// True or false: `on` or `off`.
    OnOff,
    /// A number, several numbers with commas in between, or a text.
    Amount,
    /// Two amounts with a colon in between, or a single amount.
    Span,
    /// A text.
    Name,
    /// A list of texts or a text: values in turn, or with commas in between.
    List,
    /// An object of texts by name: a file for [`read_names`].
    Names,
    /// A list of spans: a file for [`read_pairs`].
    Spans,
}

impl EditOption {
    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// True of an option with a file in a line of the command.
    #[must_use]
    pub const fn is_file(&self) -> bool {
        matches!(self.shape, Shape::Names | Shape::Spans)
    }

    /// Value in JSON from the option's file.
    ///
    /// # Errors
    /// As [`read_names`] and [`read_pairs`].
    pub fn of_file(&self, path: &Path) -> Result<Value, Error> {
        if self.shape == Shape::Spans {
            let spans = read_pairs(path)?.into_iter();
            return Ok(spans.map(|(start, end)| RangeSpec { start, end }.to_string()).collect());
        }
        Ok(Value::Object(read_names(path)?.pairs().map(|(old, new)| (old.to_owned(), new.into())).collect()))
    }

    /// Values in a line of the command from a value in JSON: none for a switch, old and new names in turn for an
    /// object. `None` if the value is of another shape.
    pub(super) fn texts(&self, value: &Value) -> Option<Vec<String>> {
        match (self.shape, value) {
            (Shape::Switch, Value::Bool(_)) => Some(Vec::new()),
            (Shape::OnOff, Value::Bool(is_on)) => Some(vec![if *is_on { "on" } else { "off" }.to_owned()]),
            (Shape::Names, Value::Object(names)) => {
                let pair = |(old, new): (&String, &Value)| Some([old.clone(), new.as_str()?.to_owned()]);
                Some(names.iter().map(pair).collect::<Option<Vec<_>>>()?.concat())
            }
            (Shape::Spans, Value::Array(spans)) => {
                spans.iter().map(|span| Some(scalars(span)?.join(":"))).collect()
            }
            (Shape::Switch | Shape::Names | Shape::Spans, _) => None,
            (Shape::Name, value) if !value.is_string() => None,
            (Shape::Span, value) => Some(vec![scalars(value)?.join(":")]),
            (Shape::List, value) if matches!(self.form, Form::Named(_)) => {
                Some(scalars(value)?.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect())
            }
            (Shape::List, value) => scalars(value),
            (_, value) => Some(vec![scalars(value)?.join(",")]),
        }
    }
}

/// A number or a text, or those of a list.
fn scalars(value: &Value) -> Option<Vec<String>> {
    let scalar = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Value::Array(list) => list.iter().map(scalar).collect(),
        single => Some(vec![scalar(single)?]),
    }
}
