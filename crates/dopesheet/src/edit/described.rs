//! Operations as programs describe them: a word, and options by name.

use crate::convert;
use crate::error::Error;
use crate::error::wrong_option::{WrongOption, one_of};
use dopesheet_core::bytes::json;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Looping, Scene, TargetKind};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::FrameRate;
use dopesheet_edit::{
    Concat, Delete, Filter, Kept, KeyChange, KeyLaw, Keys, Loop, MarkerChange, Markers, Merge, Mirror, Move,
    Operation, Pace, Pattern, Reduce, Rename, Repeat, Resample, Retime, Set, Shift, Smooth, Split, TimeMap,
    Trim, Way,
};
use dopesheet_human::Naming;
use dopesheet_motion::Tolerance;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Words of an operation and its options, equal to the command's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// Word of the operation, or two words if it is one of a group: `keys move`.
    pub word: &'static str,
    /// Names of the options, in the order of the command, required options first.
    pub options: &'static [&'static str],
    /// True if the operation puts motions of several files together.
    pub takes_others: bool,
}

const fn of(word: &'static str, options: &'static [&'static str]) -> Described {
    Described { word, options, takes_others: false }
}

const fn of_several(word: &'static str, options: &'static [&'static str]) -> Described {
    Described { word, options, takes_others: true }
}

/// All operations that make one file. Tests compare the command, the Python package and the npm package with
/// this list.
pub const OPERATIONS: &[Described] = &[
    of("trim", &["range", "keep-time", "snap"]),
    of("delete", &["range", "snap"]),
    of("repeat", &["times"]),
    of_several("concat", &["blend", "snap"]),
    of_several("merge", &[]),
    of("shift", &["by", "snap"]),
    of("retime", &["speed", "duration", "fps", "curve", "exact"]),
    of("reverse", &[]),
    of("mirror", &["names"]),
    of("loop", &["over", "travel"]),
    of("keys move", &["range", "by", "names", "kind", "property", "snap"]),
    of("keys insert", &["at", "names", "kind", "property", "snap"]),
    of("keys delete", &["range", "names", "kind", "property", "snap"]),
    of("keys copy", &["range", "to", "names", "kind", "property", "snap"]),
    of("keys scale", &["range", "factor", "names", "kind", "property", "snap"]),
    of("keys law", &["range", "law", "names", "kind", "property", "snap"]),
    of("markers add", &["at", "name", "snap"]),
    of("markers move", &["marker", "to", "snap"]),
    of("markers remove", &["marker"]),
    of("resample", &["fps"]),
    of("reduce", &["tolerance", "editable"]),
    of("move", &["by", "turn", "scale", "ground"]),
    of(
        "smooth",
        &["names", "kind", "property", "cutoff", "one-euro", "min-cutoff", "beta", "let-feet-slide"],
    ),
    of("rename", &["names", "from", "to"]),
    of("select", &["names", "kind", "property"]),
    of("drop", &["names", "kind", "property"]),
    of("set", &["name", "model-name", "loop"]),
];

/// The operation that makes several files from one.
pub const SPLIT: Described = of("split", &["at", "snap"]);

/// Word that sets a tolerance for all operations after it. It is no [`Operation`].
pub const WITHIN: Described = of("within", &["tolerance"]);

/// The operation of a word with options in JSON: an object of values by the names in [`OPERATIONS`], in which
/// `null` counts as absent.
///
/// A time is a number of seconds, or a text in the command's form (`"45f"`); a range is a list of two times,
/// or a text; new names by old names are an object. `others` are the motions that the operation puts together
/// with the edited motion.
///
/// ```
/// use dopesheet::edit::described;
///
/// let trim = described("trim", r#"{"range": [1, "90f"], "snap": true}"#, Vec::new())?;
/// assert_eq!(trim.word(), "trim");
/// let error = described("trim", r#"{"range": [1]}"#, Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "trim: range: expected a start and an end, in seconds or as \"45f\", found [1]");
/// # Ok::<(), dopesheet::Error>(())
/// ```
///
/// # Errors
/// [`Error::Option`] if the operation or an option does not exist, or an option makes no sense.
pub fn described(word: &str, options: &str, others: Vec<Arc<Scene>>) -> Result<Operation, Error> {
    let Some(operation) = OPERATIONS.iter().find(|operation| operation.word == word) else {
        let words: Vec<&str> = OPERATIONS.iter().map(|operation| operation.word).collect();
        return Err(wrong(word, "operation", format!("one of {}", words.join(", ")), word));
    };
    let mut options = Options::of(operation, options)?;
    match word.split_once(' ') {
        Some(("keys", change)) => options.keys(change),
        Some((_, change)) => options.markers(change),
        None if operation.takes_others => options.of_several(others),
        None => options.of_one(),
    }
}

/// The tolerance of [`WITHIN`] from its options in JSON, in the form of [`described`].
///
/// # Errors
/// [`Error::Option`] if the options state no tolerance.
pub(super) fn within(options: &str) -> Result<Tolerance, Error> {
    let mut options = Options::of(&WITHIN, options)?;
    options.must("tolerance", "a length such as \"0.1mm\" or \"0.1mm@3cm\"", tolerance)
}

/// The cuts of [`SPLIT`] from its options in JSON, in the form of [`described`].
///
/// # Errors
/// [`Error::Option`] if an option is unknown or makes no sense.
pub(super) fn cuts(options: &str) -> Result<Split, Error> {
    let mut options = Options::of(&SPLIT, options)?;
    let times = |value: &Value| match value {
        Value::Array(times) => times.iter().map(time).collect(),
        one => Some(vec![time(one)?]),
    };
    let at = options.may("at", "times in seconds, or frames as \"45f\"", times)?;
    Ok(Split { at: at.unwrap_or_default(), snap: options.is("snap")? })
}

pub(super) fn wrong(
    operation: &str,
    option: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Error {
    Error::Option(Box::new(WrongOption::new(operation, option, expected, found)))
}

const TIME: &str = "a time in seconds, or frames as \"45f\"";
const RANGE: &str = "a start and an end, in seconds or as \"45f\"";
const TIMES: &str = "a time, or a start and an end, in seconds or as \"45f\"";
const NAMES: &str = "new names by old names";

/// Values of options, taken out in turn.
struct Options {
    operation: &'static str,
    given: Map<String, Value>,
}

impl Options {
    /// The options in JSON, if the operation has all of them.
    fn of(known: &Described, options: &str) -> Result<Self, Error> {
        let word = known.word;
        let given = match json::value(options) {
            Some(Value::Object(given)) => given,
            _ => return Err(wrong(word, "options", "values by the names of options", options)),
        };
        if let Some((unknown, _)) = given.iter().find(|(name, _)| !known.options.contains(&name.as_str())) {
            return Err(Error::Option(Box::new(WrongOption {
                operation: word.to_owned(),
                option: unknown.clone(),
                expected: match known.options {
                    [] => "no options".to_owned(),
                    options => one_of(options.iter().map(|option| (*option).to_owned())),
                },
                found: unknown.clone(),
                known: known.options,
            })));
        }
        Ok(Self { operation: word, given })
    }

    fn of_several(&mut self, others: Vec<Arc<Scene>>) -> Result<Operation, Error> {
        Ok(match self.operation {
            "concat" => Operation::Concat(Concat {
                others,
                blend: self.may("blend", TIME, time)?,
                snap: self.is("snap")?,
            }),
            _ => Operation::Merge(Merge { others }),
        })
    }

    fn of_one(&mut self) -> Result<Operation, Error> {
        Ok(match self.operation {
            "trim" => Operation::Trim(Trim {
                range: self.must("range", RANGE, range)?,
                keep_time: self.is("keep-time")?,
                snap: self.is("snap")?,
            }),
            "delete" => {
                Operation::Delete(Delete { range: self.must("range", RANGE, range)?, snap: self.is("snap")? })
            }
            "repeat" => {
                Operation::Repeat(Repeat { times: self.must("times", "a whole number from 1 up", count)? })
            }
            "shift" => Operation::Shift(Shift { by: self.must("by", TIME, time)?, snap: self.is("snap")? }),
            "retime" => Operation::Retime(self.retime()?),
            "reverse" => Operation::Reverse,
            "mirror" => {
                Operation::Mirror(Mirror { names: self.may("names", NAMES, names)?.unwrap_or_default() })
            }
            "loop" => {
                Operation::Loop(Loop { over: self.may("over", TIME, time)?, travels: self.is("travel")? })
            }
            "resample" => Operation::Resample(Resample { rate: self.must("fps", RATE, rate)? }),
            "reduce" => Operation::Reduce(Reduce {
                tolerance: self
                    .may("tolerance", "a length such as \"0.1mm\"", tolerance)?
                    .unwrap_or_default(),
                editable: self.is("editable")?,
            }),
            "move" => Operation::Move(self.place()?),
            "smooth" => Operation::Smooth(Smooth {
                on: self.kept()?,
                filter: self.filter()?,
                lets_feet_slide: self.is("let-feet-slide")?,
            }),
            "rename" => Operation::Rename(self.rename()?),
            "select" => Operation::Select(self.kept()?),
            "drop" => Operation::Drop(self.kept()?),
            _ => Operation::Set(self.set()?),
        })
    }

    fn keys(&mut self, change: &str) -> Result<Operation, Error> {
        let change = match change {
            "insert" => KeyChange::Insert { at: self.must("at", TIME, time)? },
            "scale" => KeyChange::Scale {
                range: self.must("range", RANGE, range)?,
                factor: self.must("factor", "a number", Value::as_f64)?,
            },
            _ => {
                let range = self.must("range", TIMES, times)?;
                match change {
                    "move" => KeyChange::Move { range, by: self.must("by", TIME, time)? },
                    "copy" => KeyChange::Copy { range, to: self.must("to", TIME, time)? },
                    "law" => KeyChange::SetLaw { range, law: self.must("law", KeyLaw::EXPECTED, law)? },
                    _ => KeyChange::Delete { range },
                }
            }
        };
        Ok(Operation::Keys(Keys { on: self.kept()?, change, snap: self.is("snap")? }))
    }

    fn markers(&mut self, change: &str) -> Result<Operation, Error> {
        const NAME: &str = "a name";
        const MARKER: &str = "the name of a marker, or its time";
        let change = match change {
            "add" => {
                MarkerChange::Add { at: self.must("at", TIME, time)?, name: self.must("name", NAME, text)? }
            }
            "move" => MarkerChange::Move {
                marker: self.must("marker", MARKER, marker)?,
                to: self.must("to", TIME, time)?,
            },
            _ => MarkerChange::Remove { marker: self.must("marker", MARKER, marker)? },
        };
        Ok(Operation::Markers(Markers { change, snap: self.is("snap")? }))
    }

    fn retime(&mut self) -> Result<Retime, Error> {
        let exact = self.is("exact")?;
        let paces = [
            self.may("speed", "a number", Value::as_f64)?.map(Pace::Speed),
            self.may("duration", TIME, time)?.map(Pace::Duration),
            self.may("fps", RATE, rate)?.map(Pace::Frames),
            self.may("curve", "pairs of a time and its new time", points)?
                .map(|points| Pace::Curve(TimeMap { points })),
        ];
        let mut given = paces.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(pace), None) => Ok(Retime { pace, exact }),
            (one, _) => {
                let count = if one.is_none() { "none" } else { "several" };
                Err(wrong(self.operation, "speed", "one of speed, duration, fps and curve", count))
            }
        }
    }

    fn place(&mut self) -> Result<Move, Error> {
        let movement = Move {
            by: self.may("by", "a way along three axes, such as \"1m,0,-20cm\"", way)?.unwrap_or_default(),
            turn_deg: self.may("turn", "a number of degrees", Value::as_f64)?.unwrap_or_default(),
            scale: self.may("scale", "a number", Value::as_f64)?,
            grounds: self.is("ground")?,
        };
        match movement == Move::default() {
            true => Err(wrong(self.operation, "by", "some of by, turn, scale and ground", "none")),
            false => Ok(movement),
        }
    }

    fn filter(&mut self) -> Result<Filter, Error> {
        const HERTZ: &str = "a number of times per second";
        let cutoff = self.may("cutoff", HERTZ, Value::as_f64)?;
        let min_cutoff = self.may("min-cutoff", HERTZ, Value::as_f64)?;
        let beta = self.may("beta", "a number", Value::as_f64)?;
        match (self.is("one-euro")?, cutoff, min_cutoff.or(beta)) {
            (true, Some(cutoff), _) => {
                let expected = "min-cutoff with one-euro";
                Err(wrong(self.operation, "cutoff", expected, cutoff.to_string()))
            }
            (false, _, Some(_)) => {
                let expected = "true with min-cutoff or beta";
                Err(wrong(self.operation, "one-euro", expected, "false"))
            }
            (true, ..) => Ok(Filter::OneEuro {
                min_cutoff_hz: min_cutoff.unwrap_or(Filter::MIN_CUTOFF_HZ),
                beta: beta.unwrap_or(Filter::BETA),
            }),
            (false, ..) => Ok(Filter::ZeroPhase { cutoff_hz: cutoff.unwrap_or(Filter::CUTOFF_HZ) }),
        }
    }

    fn rename(&mut self) -> Result<Rename, Error> {
        let words: Vec<&str> = Naming::all().map(Naming::word).collect();
        let expected = format!("one of {}", words.join(", "));
        let naming = |value: &Value| value.as_str()?.parse::<Naming>().ok();
        let (from, to) = (self.may("from", &expected, naming)?, self.may("to", &expected, naming)?);
        let names = self.may("names", NAMES, names)?;
        let bones = match (from, to) {
            (Some(from), Some(to)) => Some((from, to)),
            (None, None) if names.is_some() => None,
            (None, None) => return Err(wrong(self.operation, "names", "names, or from and to", "nothing")),
            (Some(_), None) => return Err(wrong(self.operation, "to", expected, "nothing")),
            (None, Some(_)) => return Err(wrong(self.operation, "from", expected, "nothing")),
        };
        Ok(Rename { names: names.unwrap_or_default(), bones })
    }

    fn kept(&mut self) -> Result<Kept, Error> {
        let names = self.may("names", "names, or patterns of names", texts)?.unwrap_or_default();
        let names = names.iter().map(|name| name.parse::<Pattern>());
        let names = names
            .collect::<Result<_, _>>()
            .map_err(|fault| Error::Usage(format!("{}: {fault}", self.operation)))?;
        let words: Vec<&str> = TargetKind::ALL.iter().map(|kind| kind.word()).collect();
        let kinds = self.may("kind", &format!("some of {}", words.join(", ")), |value| {
            let kind = |word: &String| TargetKind::ALL.into_iter().find(|kind| kind.word() == word);
            texts(value)?.iter().map(kind).collect::<Option<Vec<_>>>()
        })?;
        let properties = self.may("property", "words of properties, such as \"rotation\"", texts)?;
        Ok(Kept { names, kinds: kinds.unwrap_or_default(), properties: properties.unwrap_or_default() })
    }

    fn set(&mut self) -> Result<Set, Error> {
        let looping = self.may("loop", SWITCH, Value::as_bool)?;
        let set = Set {
            name: self.may("name", "a name", text)?,
            model_name: self.may("model-name", "a name", text)?,
            looping: looping.map(|is_on| if is_on { Looping::Loop } else { Looping::Once }),
        };
        match set == Set::default() {
            true => {
                Err(wrong(self.operation, "name", "something to say: name, model-name or loop", "nothing"))
            }
            false => Ok(set),
        }
    }

    /// The value of a required option.
    fn must<T>(
        &mut self,
        option: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, Error> {
        let value = self.may(option, expected, read)?;
        value.ok_or_else(|| wrong(self.operation, option, expected, "nothing"))
    }

    /// The value of an optional option.
    fn may<T>(
        &mut self,
        option: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        match self.given.remove(option) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(&value) {
                Some(read) => Ok(Some(read)),
                None => Err(wrong(self.operation, option, expected, value.to_string())),
            },
        }
    }

    fn is(&mut self, option: &str) -> Result<bool, Error> {
        Ok(self.may(option, SWITCH, Value::as_bool)?.unwrap_or_default())
    }
}

const SWITCH: &str = "true or false";
const RATE: &str = "a rate from 0.001 to 1,000,000";

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// A text, or a list of texts.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(list) => list.iter().map(text).collect(),
        one => Some(vec![text(one)?]),
    }
}

fn time(value: &Value) -> Option<TimeValue> {
    match value {
        Value::String(text) => TimeValue::parse(text).ok(),
        number => number.as_f64().map(TimeValue::Seconds),
    }
}

fn range(value: &Value) -> Option<RangeSpec> {
    match value {
        Value::String(text) => RangeSpec::parse(text).ok(),
        Value::Array(ends) => match &ends[..] {
            [start, end] => Some(RangeSpec { start: time(start)?, end: time(end)? }),
            _ => None,
        },
        _ => None,
    }
}

fn points(value: &Value) -> Option<Vec<(TimeValue, TimeValue)>> {
    let point = |pair: &Value| range(pair).map(|RangeSpec { start, end }| (start, end));
    value.as_array()?.iter().map(point).collect()
}

/// A range, or a time that is both of its ends.
fn times(value: &Value) -> Option<RangeSpec> {
    range(value).or_else(|| time(value).map(|time| RangeSpec { start: time, end: time }))
}

fn marker(value: &Value) -> Option<String> {
    text(value).or_else(|| value.as_f64().map(|time| time.to_string()))
}

/// A text, or the lengths along each axis.
fn way(value: &Value) -> Option<Way> {
    let length = |part: &Value| text(part).or_else(|| part.as_f64().map(|units| units.to_string()));
    let parts = match value {
        Value::Array(parts) => parts.iter().map(length).collect::<Option<Vec<_>>>()?.join(","),
        one => text(one)?,
    };
    parts.parse().ok()
}

fn count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn rate(value: &Value) -> Option<FrameRate> {
    convert::rate(value.as_f64()?).ok()
}

fn tolerance(value: &Value) -> Option<Tolerance> {
    value.as_str()?.parse().ok()
}

fn names(value: &Value) -> Option<NameMap> {
    let pair = |(old, new): (&String, &Value)| Some((old.clone(), text(new)?));
    let pairs: Option<Vec<_>> = value.as_object()?.iter().map(pair).collect();
    pairs.map(NameMap::new)
}

/// A word, or the four numbers of a timing.
fn law(value: &Value) -> Option<KeyLaw> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Array(numbers) => {
            let numbers: Option<Vec<f64>> = numbers.iter().map(Value::as_f64).collect();
            match numbers?[..] {
                [x1, y1, x2, y2] => Some(KeyLaw::Bezier([x1, y1, x2, y2].map(|number| number as f32))),
                _ => None,
            }
        }
        _ => None,
    }
}
