//! Operations as lines of a recipe or of the command's `-e`.

use super::operations::OPERATIONS;
use super::option::{Form, Shape};
use dopesheet_core::bytes::json;
use serde_json::Value;

/// An operation as a line of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The operation with its options, divided into words by the rules of a shell.
    pub text: String,
    /// Name and contents of the file that the line names, if the command takes an option from a file.
    pub file: Option<(String, String)>,
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
    let operation =
        OPERATIONS.iter().find(|operation| operation.word == word && !operation.takes_others())?;
    let options = json::value(options)?;
    let (mut named, mut alone, mut file) = (Vec::new(), Vec::new(), None);
    for option in operation.options {
        let Some(value) = options.get(option.name).filter(|value| !value.is_null()) else { continue };
        let mut texts = option.texts(value)?;
        if let Some((extension, contents)) = contents(option.shape, value, &texts) {
            texts = vec![format!("{stem}.{extension}")];
            file = Some((texts.concat(), contents));
        }
        match option.form {
            Form::Required | Form::Free => alone.append(&mut texts),
            Form::Named(flag) if *value == Value::Bool(true) && texts.is_empty() => {
                named.push(format!("--{flag}"));
            }
            Form::Named(_) if texts.is_empty() => {}
            Form::Named(flag) => match texts.join(",") {
                text if text.starts_with('-') => named.push(format!("--{flag}={text}")),
                text => named.extend([format!("--{flag}"), text]),
            },
        }
    }
    // Values that look like options, but are no numbers, stand behind `--`.
    let mut dashes = alone.iter().filter_map(|text| text.strip_prefix('-'));
    let is_option = |text: &str| !text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.');
    let words = match dashes.any(is_option) {
        true => [named, vec!["--".to_owned()], alone].concat(),
        false => [alone, named].concat(),
    };
    let words = word.split(' ').map(str::to_owned).chain(words);
    Some(Line { text: words.map(quoted).collect::<Vec<_>>().join(" "), file })
}

/// A word, in quotes where it would be divided or changed.
fn quoted(word: String) -> String {
    let changes = |letter: char| letter.is_whitespace() || "'\"\\".contains(letter);
    match word.is_empty() || word.starts_with('#') || word.contains(changes) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word,
    }
}

/// The extension and the contents of a file with names, or with pairs of times.
fn contents(shape: Shape, value: &Value, texts: &[String]) -> Option<(&'static str, String)> {
    match shape {
        Shape::Names => Some(("json", serde_json::to_string_pretty(value).ok()?)),
        Shape::Spans => Some(("txt", texts.iter().map(|span| span.replace(':', " ") + "\n").collect())),
        _ => None,
    }
}
