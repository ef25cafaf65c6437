//! Operations as lines of a recipe or of the command's `-e`.

use super::described::{Described, OPERATIONS};
use dopesheet_core::bytes::json;
use serde_json::Value;

/// Options that are on or off.
const SWITCHES: [&str; 8] =
    ["keep-time", "snap", "exact", "travel", "editable", "ground", "one-euro", "let-feet-slide"];

/// An operation as a line of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The operation with its options, divided into words by the rules of a shell.
    pub text: String,
    /// Name and contents of the file that the line names, if the command takes an option from a file.
    pub file: Option<(String, String)>,
}

/// Form of an option in a line.
enum Form {
    /// Its name alone, if the option is on.
    Switch,
    /// Its name, and `on` or `off`.
    OnOff,
    /// Its name and its value.
    Named,
    /// Its value alone.
    Value,
    /// Each of its values alone.
    Values,
    /// The name of a file with its value, behind an option of that name if there is one.
    File(Option<&'static str>),
}

impl Form {
    fn of(word: &str, option: &str) -> Self {
        match (word, option) {
            ("mirror", "names") => Self::File(Some("map")),
            ("rename", "names") => Self::File(None),
            ("retime", "curve") => Self::File(Some("curve")),
            ("set", "loop") => Self::OnOff,
            ("retime", "fps") | ("rename", "to") | ("move", "by") | ("set", "name") => Self::Named,
            (_, "names") => Self::Values,
            (_, "range" | "times" | "fps" | "at" | "by" | "to" | "factor" | "law" | "marker" | "name") => {
                Self::Value
            }
            _ if SWITCHES.contains(&option) => Self::Switch,
            _ => Self::Named,
        }
    }
}

impl Described {
    /// True of an option that is on or off.
    #[must_use]
    pub fn is_switch(option: &str) -> bool {
        SWITCHES.contains(&option)
    }
}

/// An operation with options in JSON, as [`described`](fn@super::described) takes it, as a line of the command. A file for names or for
/// pairs of times is named `stem` with an extension. `None` of no operation, of one that takes motions of other files, and of values of
/// another kind than their options have.
///
/// ```
/// use dopesheet::edit::line;
///
/// let trim = line("trim", r#"{"range": [1, "90f"], "snap": true}"#, "trim").map(|line| line.text);
/// assert_eq!(trim.as_deref(), Some("trim 1:90f --snap"));
/// let mirror = line("mirror", r#"{"names": {"Fin A": "Fin B"}}"#, "fins").unwrap();
/// assert_eq!(mirror.text, "mirror --map fins.json");
/// assert_eq!(mirror.file.unwrap().1, "{\n  \"Fin A\": \"Fin B\"\n}");
/// ```
#[must_use]
pub fn line(word: &str, options: &str, stem: &str) -> Option<Line> {
    let operation = OPERATIONS.iter().find(|operation| operation.word == word && !operation.takes_others)?;
    let options = json::value(options)?;
    let mut line = Words { front: word.split(' ').map(str::to_owned).collect(), back: Vec::new() };
    let mut file = None;
    for option in operation.options {
        let Some(value) = options.get(*option).filter(|value| !value.is_null()) else { continue };
        match Form::of(word, option) {
            Form::Switch if value.as_bool()? => line.option(option, None),
            Form::Switch => {}
            Form::OnOff => line.option(option, Some(if value.as_bool()? { "on" } else { "off" }.to_owned())),
            Form::Named if value.as_array().is_some_and(Vec::is_empty) => {}
            Form::Named => line.option(option, Some(joined(option, value)?)),
            Form::Value => line.value(option, joined(option, value)?),
            Form::Values => {
                parts(value)?.into_iter().for_each(|part| line.value(option, part));
            }
            Form::File(flag) => {
                let (extension, contents) = contents(value)?;
                let name = format!("{stem}.{extension}");
                match flag {
                    Some(flag) => line.option(flag, Some(name.clone())),
                    None => line.value(option, name.clone()),
                }
                file = Some((name, contents));
            }
        }
    }
    Some(Line { text: line.text(), file })
}

/// Words of a line.
struct Words {
    front: Vec<String>,
    /// Words behind `--`, of which the first looks like an option, but is none.
    back: Vec<String>,
}

impl Words {
    fn option(&mut self, option: &str, value: Option<String>) {
        match value {
            None => self.front.push(format!("--{option}")),
            Some(value) if value.starts_with('-') => self.front.push(format!("--{option}={value}")),
            Some(value) => self.front.extend([format!("--{option}"), value]),
        }
    }

    fn value(&mut self, option: &str, value: String) {
        let is_text = matches!(option, "names" | "name" | "marker");
        match is_text && value.starts_with('-') || !self.back.is_empty() {
            true => self.back.push(value),
            false => self.front.push(value),
        }
    }

    fn text(self) -> String {
        let end = (!self.back.is_empty()).then(|| "--".to_owned());
        let words = self.front.into_iter().chain(end).chain(self.back);
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// A word, in quotes where it would be divided or changed.
fn quoted(word: String) -> String {
    let changes = |letter: char| letter.is_whitespace() || "'\"\\".contains(letter);
    match word.is_empty() || word.starts_with('#') || word.contains(changes) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word,
    }
}

/// The parts of a value in one text: of a range with a colon between its ends, else with commas.
fn joined(option: &str, value: &Value) -> Option<String> {
    Some(parts(value)?.join(if option == "range" { ":" } else { "," }))
}

/// A number or a text, or those of a list.
fn parts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(number) => Some(vec![number.to_string()]),
        Value::Array(list) => {
            let parts: Option<Vec<_>> = list.iter().map(parts).collect();
            parts.map(|parts| parts.concat())
        }
        _ => None,
    }
}

/// The extension and the contents of a file with names, or with pairs of times.
fn contents(value: &Value) -> Option<(&'static str, String)> {
    let pair = |pair: &Value| Some(format!("{}\n", joined("range", pair)?.replace(':', " ")));
    match value {
        Value::Object(_) => Some(("json", serde_json::to_string_pretty(value).ok()?)),
        Value::Array(pairs) => Some(("txt", pairs.iter().map(pair).collect::<Option<_>>()?)),
        _ => None,
    }
}
