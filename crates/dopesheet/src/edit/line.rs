//! Operations as lines of a recipe or of the command's `-e`.

use super::described::{Described, OPERATIONS};
use dopesheet_core::bytes::json;
use serde_json::Value;
use std::fmt::Write;

/// Options that are on or off.
const SWITCHES: [&str; 7] = ["keep-time", "snap", "exact", "travel", "editable", "ground", "one-euro"];

/// Operations of which the line has an option's value without its name.
const POSITIONAL: [(&str, &str); 5] =
    [("trim", "range"), ("delete", "range"), ("repeat", "times"), ("shift", "by"), ("resample", "fps")];

impl Described {
    /// True of an option that is on or off.
    #[must_use]
    pub fn is_switch(option: &str) -> bool {
        SWITCHES.contains(&option)
    }
}

/// An operation with options in JSON, as [`described`](fn@super::described) takes it, as a line of the command: `trim 0.5:2 --snap`.
/// `None` of one with names, which the command takes from a file, or of no operation.
///
/// ```
/// let line = dopesheet::edit::line("trim", r#"{"range": [1, "90f"], "snap": true}"#);
/// assert_eq!(line.as_deref(), Some("trim 1:90f --snap"));
/// ```
#[must_use]
pub fn line(word: &str, options: &str) -> Option<String> {
    let operation = OPERATIONS.iter().find(|operation| operation.word == word && !operation.takes_others)?;
    let options = json::value(options)?;
    let mut line = word.to_owned();
    for option in operation.options {
        let text = match options.get(*option) {
            None | Some(Value::Null | Value::Bool(false)) => continue,
            Some(Value::Bool(true)) => String::new(),
            Some(Value::Array(ends)) => ends.iter().map(plain).collect::<Option<Vec<_>>>()?.join(":"),
            Some(one) => plain(one)?,
        };
        match (text.is_empty(), POSITIONAL.contains(&(word, option))) {
            (true, _) => write!(line, " --{option}").ok()?,
            (false, true) => write!(line, " {text}").ok()?,
            (false, false) => write!(line, " --{option} {text}").ok()?,
        }
    }
    Some(line)
}

/// A number or a text as it is written.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
