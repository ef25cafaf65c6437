//! Options of a conversion as programs describe them: values by name, in JSON.

use crate::choice::clip_choice::ClipChoice;
use crate::convert::options::ConvertOptions;
use crate::convert::options::settings::{SettingKind, settings};
use crate::error::Error;
use crate::error::wrong_option::{WrongOption, one_of};
use crate::files::read::Opened;
use crate::models::names::of_json;
use crate::registry;
use dopesheet_core::bytes::json;
use dopesheet_core::format::{AnyFormat, Limits};
use serde_json::Value;
use std::sync::LazyLock;

const CONVERT: &str = "convert";
/// Name of the setting `names`, because `names` here holds new names of tracks.
const LANGUAGE: &str = "language";
/// Names of options outside the settings; the first three are files and are passed as documents.
const FURTHER: [&str; 8] = ["model", "into", "onto", "to", "file-name", "names", "motion-only", "replace"];

/// Names of all options.
static KNOWN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let settings = settings().iter().map(|setting| if setting.id == "names" { LANGUAGE } else { setting.id });
    FURTHER.into_iter().chain(settings).collect()
});

impl<'a> ConvertOptions<'a> {
    /// Options in JSON, an object of values by name, in which `null` counts as absent. The files that the
    /// options refer to are separate arguments: the model, the file that clips are added to, and the figure.
    ///
    /// Names are the names of [`settings`], with `language` instead of `names`, and further `to`,
    /// `file-name`, `names` (new names by old names), `motion-only` and `replace`. A switch is true or false,
    /// `clip` a position or a name, a range a text or two times.
    ///
    /// ```
    /// use dopesheet::ConvertOptions;
    ///
    /// let limits = dopesheet::core::format::Limits::default();
    /// let options = ConvertOptions::described(r#"{"to": "glb", "bake": 30, "lossy": true}"#, [None; 3], limits)?;
    /// assert!(options.bake.is_some() && options.lossy);
    /// let error = ConvertOptions::described(r#"{"to": "glb", "ik": "blender"}"#, [None; 3], limits).unwrap_err();
    /// assert_eq!(error.to_string(), "convert: ik: expected mmd or babylon, found \"blender\"");
    /// # Ok::<(), dopesheet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Option`] if an option is unknown or makes no sense, [`Error::Usage`] if there is no format to write.
    pub fn described(
        options: &str,
        [model, into, onto]: [Option<&'a Opened>; 3],
        limits: Limits,
    ) -> Result<Self, Error> {
        let Some(Value::Object(given)) = json::value(options) else {
            return Err(wrong("options", "values by the names of options", options));
        };
        let word = |name: &str| given.get(name).and_then(Value::as_str);
        let (format, variant) = target(word("to"), word("file-name"), into.or(onto))?;
        let file_name = word("file-name").map(str::to_owned);
        let mut options_read = Self { variant, file_name, model, into, onto, limits, ..Self::to(format) };
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            options_read.describe(name, value)?;
        }
        if options_read.motion_only && onto.is_none() {
            return Err(wrong("motion-only", "the figure that it is about, with onto", "none"));
        }
        Ok(options_read)
    }

    fn describe(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let other = |expected: &str| wrong(name, expected, value.to_string());
        let switch = || value.as_bool().ok_or_else(|| other("true or false"));
        match name {
            "to" | "file-name" => drop(value.as_str().ok_or_else(|| other("a text"))?),
            "names" => self.names = of_json(value).ok_or_else(|| other("new names by old names"))?,
            "clip" => self.clip = Some(clip(value).ok_or_else(|| other("a position from 0, or a name"))?),
            "motion-only" => self.motion_only = switch()?,
            "replace" => self.replace = switch()?,
            _ => return self.describe_setting(name, value),
        }
        Ok(())
    }

    fn describe_setting(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let id = if name == LANGUAGE { "names" } else { name };
        let Some(setting) = settings().iter().find(|setting| setting.id == id) else {
            return Err(unknown(name));
        };
        let text = match (setting.kind, value) {
            (SettingKind::Switch, Value::Bool(false)) => return Ok(()),
            (SettingKind::Switch, Value::Bool(true)) => Some(String::new()),
            (SettingKind::Switch, _) => return Err(wrong(name, "true or false", value.to_string())),
            (_, Value::Array(ends)) => ends.iter().map(text).collect::<Option<Vec<_>>>().map(|e| e.join(":")),
            (_, one) => text(one),
        };
        let text = text.ok_or_else(|| wrong(name, "a text or a number", value.to_string()))?;
        setting.set(self, &text).map_err(|error| of_option(name, error))
    }
}

/// The format to write: the requested format, else the format of the file name's extension, else the format of
/// the file that clips are added to or whose figure moves.
fn target(
    word: Option<&str>,
    file_name: Option<&str>,
    into: Option<&Opened>,
) -> Result<(&'static dyn AnyFormat, Option<String>), Error> {
    match (word, file_name, into) {
        (Some(word), ..) => {
            let (id, variant) = registry::split_variant(word);
            Ok((registry::wanted_for_writing(id)?, variant.map(str::to_owned)))
        }
        (None, Some(name), _) => Ok((registry::by_file_name(name)?, None)),
        (None, None, Some(into)) => Ok((into.format(), None)),
        (None, None, None) => {
            Err(Error::Usage("no format to write; name one, or a file whose name tells it".into()))
        }
    }
}

fn clip(value: &Value) -> Option<ClipChoice> {
    match value {
        Value::String(name) => Some(ClipChoice::Name(name.clone())),
        position => Some(ClipChoice::Position(usize::try_from(position.as_u64()?).ok()?)),
    }
}

/// A text or a number in the form that the command accepts.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn wrong(option: &str, expected: impl Into<String>, value: impl Into<String>) -> Error {
    Error::Option(Box::new(WrongOption::new(CONVERT, option, expected, value)))
}

fn unknown(name: &str) -> Error {
    let expected = one_of(KNOWN.iter().map(|name| (*name).to_owned()));
    Error::Option(Box::new(WrongOption {
        known: KNOWN.clone(),
        ..WrongOption::new(CONVERT, name, expected, name)
    }))
}

/// Turns an error about the text of a setting, with its expected and found values, into an error about the
/// option.
fn of_option(name: &str, error: Error) -> Error {
    let Error::Usage(text) = &error else { return error };
    match text.strip_prefix("expected ").and_then(|text| text.rsplit_once(", found ")) {
        Some((expected, found)) => wrong(name, expected, found),
        None => Error::Usage(format!("{CONVERT}: {name}: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_human::Planted;

    fn described(options: &str) -> Result<ConvertOptions<'static>, Error> {
        ConvertOptions::described(options, [None; 3], Limits::default())
    }

    #[test]
    fn every_option_is_known_by_its_name_and_an_unknown_one_is_told_with_all() {
        for name in KNOWN.iter().filter(|name| !["model", "into", "onto", "to", "file-name"].contains(name)) {
            let error = described(&format!(r#"{{"to": "glb", "{name}": {{"a": 1}}}}"#)).unwrap_err();
            let Error::Option(wrong) = error else { panic!("{name}: {error}") };
            assert_eq!((wrong.option.as_str(), wrong.known.as_slice()), (*name, &[][..]));
        }
        let error = described(r#"{"to": "glb", "speed": 2}"#).unwrap_err().to_string();
        assert!(
            error.starts_with("convert: speed: expected one of the options model, into, onto,"),
            "{error}"
        );
        assert!(error.contains(", language, ") && error.ends_with(", found speed"), "{error}");
    }

    #[test]
    fn values_of_a_program_are_those_that_the_command_reads() {
        let options = described(
            r#"{"to": "playcanvas@3", "range": [1, "90f"], "clip": 2, "language": "english", "scale": 0.5,
                "names": {"a": "b"}, "contacts": "off", "max-frames": 9, "lossy": false, "raw": true, "bake": null}"#,
        );
        let options = options.unwrap();
        assert_eq!((options.to.info().id, options.variant.as_deref()), ("playcanvas", Some("3")));
        assert_eq!(options.range, Some(crate::choice::times::RangeSpec::parse("1:90f").unwrap()));
        assert_eq!(options.clip, Some(ClipChoice::Position(2)));
        assert_eq!(options.metres_per_unit, Some(0.5));
        assert_eq!(options.planted, Planted::Nothing);
        assert!(options.raw && !options.lossy && options.bake.is_none());
        assert_eq!(
            described(r#"{"to": "glb", "clip": "2"}"#).unwrap().clip,
            Some(ClipChoice::Name("2".into()))
        );
    }

    #[test]
    fn a_value_that_makes_no_sense_is_told_by_the_name_of_its_option() {
        for (options, message) in [
            (r#"{"bake": 0}"#, "convert: bake: expected a rate from 0.001 to 1,000,000, found 0"),
            (
                r#"{"contacts": "hands"}"#,
                "convert: contacts: expected one of feet, all, off, found \"hands\"",
            ),
            (r#"{"lossy": 1}"#, "convert: lossy: expected true or false, found 1"),
            (
                r#"{"motion-only": true}"#,
                "convert: motion-only: expected the figure that it is about, with onto, found none",
            ),
            (r#"{"range": [1]}"#, "convert: range: expected START:END, found \"1\""),
        ] {
            let options = options.replacen('{', r#"{"to": "glb", "#, 1);
            assert_eq!(described(&options).unwrap_err().to_string(), message);
        }
    }
}
