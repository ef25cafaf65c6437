//! Arguments of Python as options of the library.

use crate::errors::{argument, raise};
use crate::file::{Document, opened};
use dopesheet::core::format::{Limits, MostFrames};
use dopesheet::core::model::{Axis, Basis};
use dopesheet::{
    ClipChoice, ConvertOptions, DiffOptions, Error, NameMap, Opened, SampleOptions, TimeSpec, Tolerance,
    names::Language, registry, sample::Axes, sample::Space, times::TimeValue, vocabularies::Vocabularies,
};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Words or seconds.
#[derive(FromPyObject)]
pub(crate) enum Times {
    Text(String),
    List(Vec<f64>),
}

/// Words or three numbers of seconds.
#[derive(FromPyObject)]
pub(crate) enum Steps {
    Text(String),
    Numbers(f64, f64, f64),
}

/// Pairs, or a file of them.
#[derive(FromPyObject)]
pub(crate) enum Names {
    Pairs(BTreeMap<String, String>),
    File(PathBuf),
}

/// A name, or a position from 0.
#[derive(FromPyObject)]
pub(crate) enum Clip {
    Position(usize),
    Name(String),
}

/// Name map from Python's pairs or from a file of names.
pub(crate) fn names(names: Option<Names>) -> Result<NameMap, Error> {
    match names {
        None => Ok(NameMap::default()),
        Some(Names::Pairs(pairs)) => Ok(NameMap::new(pairs)),
        Some(Names::File(path)) => dopesheet::names::read_names(&path),
    }
}

fn choice(clip: Option<Clip>) -> Option<ClipChoice> {
    clip.map(|clip| match clip {
        Clip::Position(position) => ClipChoice::Position(position),
        Clip::Name(name) => ClipChoice::Name(name),
    })
}

/// The value that belongs to a word; an error that lists all words otherwise.
fn word<T: Copy>(py: Python<'_>, argument_name: &str, given: &str, words: &[(&str, T)]) -> PyResult<T> {
    let value = words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value);
    value.ok_or_else(|| {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        argument(py, argument_name, &words.join(" or "), &format!("\"{given}\""))
    })
}

fn language(py: Python<'_>, language: &str) -> PyResult<Language> {
    word(py, "language", language, &[("original", Language::Original), ("english", Language::English)])
}

/// Arguments of sampling.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Sample {
    times: Option<Times>,
    frames: Option<Vec<f64>>,
    fps: Option<f64>,
    range: Option<Steps>,
    axes: String,
    space: String,
    clip: Option<Clip>,
    model: Option<Py<Document>>,
    onto: Option<Py<Document>>,
    names: Option<Names>,
    language: String,
}

impl Sample {
    fn spec(&mut self, py: Python<'_>) -> PyResult<TimeSpec> {
        let list = |list: Vec<f64>, value: fn(f64) -> TimeValue| {
            TimeSpec::List(list.into_iter().map(value).collect())
        };
        let given = (self.times.take(), self.frames.take(), self.fps, self.range.take());
        let spec = match given {
            (None, None, None, None) => Ok(TimeSpec::Grid),
            (Some(Times::Text(text)), None, None, None) => TimeSpec::parse_list(&text),
            (Some(Times::List(times)), None, None, None) => Ok(list(times, TimeValue::Seconds)),
            (None, Some(frames), None, None) => Ok(list(frames, TimeValue::Frames)),
            (None, None, Some(fps), None) => Ok(TimeSpec::Rate(fps)),
            (None, None, None, Some(Steps::Text(text))) => TimeSpec::parse_steps(&text),
            (None, None, None, Some(Steps::Numbers(start, end, step))) => Ok(TimeSpec::Steps {
                start: TimeValue::Seconds(start),
                end: TimeValue::Seconds(end),
                step: TimeValue::Seconds(step),
            }),
            _ => return Err(argument(py, "times", "one of times, frames, fps and range", "several")),
        };
        spec.map_err(|error| raise(py, &error))
    }

    /// The model and the figure, borrowed by the options.
    pub(crate) fn others(&self, py: Python<'_>) -> PyResult<[Option<Arc<Opened>>; 2]> {
        Ok([opened(py, self.model.as_ref())?, opened(py, self.onto.as_ref())?])
    }

    /// The options of the library, all but the model and the figure.
    pub(crate) fn options(mut self, py: Python<'_>, limits: Limits) -> PyResult<SampleOptions<'static>> {
        let times = self.spec(py)?;
        Ok(SampleOptions {
            axes: word(py, "axes", &self.axes, &[("native", Axes::Native), ("gltf", Axes::Gltf)])?,
            space: word(py, "space", &self.space, &[("local", Space::Local), ("model", Space::Model)])?,
            clip: choice(self.clip).unwrap_or_default(),
            names: names(self.names).map_err(|error| raise(py, &error))?,
            language: language(py, &self.language)?,
            limits,
            ..SampleOptions::at(times)
        })
    }
}

/// Arguments of a conversion: options in JSON, and the arguments that JSON cannot hold.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Convert {
    options: String,
    names: Option<Names>,
    model: Option<Py<Document>>,
    into: Option<Py<Document>>,
    onto: Option<Py<Document>>,
}

impl Convert {
    /// The model, the target and the figure, borrowed by the options.
    pub(crate) fn others(&self, py: Python<'_>) -> PyResult<[Option<Arc<Opened>>; 3]> {
        let opened_file = |file: &Option<Py<Document>>| opened(py, file.as_ref());
        Ok([opened_file(&self.model)?, opened_file(&self.into)?, opened_file(&self.onto)?])
    }

    /// The options of the library.
    pub(crate) fn options<'a>(
        self,
        py: Python<'_>,
        others: [Option<&'a Opened>; 3],
        limits: Limits,
    ) -> PyResult<ConvertOptions<'a>> {
        let options = ConvertOptions::described(&self.options, others, limits);
        let options = options.and_then(|options| Ok(ConvertOptions { names: names(self.names)?, ..options }));
        options.map_err(|error| raise(py, &error))
    }
}

fn most_frames(frames: Option<f64>) -> Result<Option<MostFrames>, Error> {
    frames.map(dopesheet::convert::most_frames).transpose()
}

/// Limits of reading and of results, from a number of bytes and a number of frames.
pub(crate) fn all_limits(memory: Option<u64>, frames: Option<f64>) -> Result<Limits, Error> {
    let (usual, max_frames) = (Limits::default(), most_frames(frames)?.unwrap_or_default());
    Ok(Limits { max_frames, ..memory.map_or(usual, |bytes| usual.with_memory(bytes)) })
}

/// Vocabularies named by a text; the default without a text.
pub(crate) fn vocabularies(text: Option<&str>) -> Result<Vocabularies, Error> {
    text.map(Vocabularies::parse).transpose().map(Option::unwrap_or_default)
}

fn tolerance(text: &str) -> Result<Tolerance, Error> {
    text.parse().map_err(|error: dopesheet::motion::InvalidTolerance| Error::Usage(error.to_string()))
}

/// Arguments of a comparison.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Diff {
    tolerance: Option<String>,
    pub(crate) model: Option<Py<Document>>,
    names: Option<Names>,
    clip: Option<Clip>,
}

impl Diff {
    /// The options of the library.
    pub(crate) fn options<'a>(self, py: Python<'_>, model: Option<&'a Opened>) -> PyResult<DiffOptions<'a>> {
        let tolerance = self.tolerance.as_deref().map(tolerance).transpose();
        let tolerance = tolerance.map_err(|error| raise(py, &error))?.unwrap_or_default();
        let names = names(self.names).map_err(|error| raise(py, &error))?;
        let clip = choice(self.clip).unwrap_or_default();
        Ok(DiffOptions { tolerance, model, names, clip, ..DiffOptions::default() })
    }
}

/// A format's axes, or the directions of a figure's left, of up and of its front.
#[derive(FromPyObject)]
pub(crate) enum Directions {
    Format(String),
    Words(String, String, String),
}

impl Directions {
    /// The basis, with a unit of `metres` metres; `None` for an unknown unit.
    pub(crate) fn basis(&self, py: Python<'_>, metres: Option<f64>) -> PyResult<Basis> {
        let metres_per_unit =
            metres.map(dopesheet::convert::metres).transpose().map_err(|error| raise(py, &error))?;
        let basis = match self {
            Self::Format(id) => {
                let bases: Vec<_> = registry::formats()
                    .iter()
                    .filter_map(|format| Some((format.info().id, format.info().capabilities.basis?)))
                    .collect();
                word(py, "axes", id, &bases)?
            }
            Self::Words(left, up, front) => directions(py, [left, up, front])?,
        };
        Ok(Basis { metres_per_unit, ..basis })
    }
}

fn directions(py: Python<'_>, words: [&String; 3]) -> PyResult<Basis> {
    let expected = "left, up and front of a figure as three different ones of \"+x\", \"-x\", \"+y\", \"-y\", \"+z\", \"-z\"";
    let wrong = || argument(py, "axes", expected, &format!("{words:?}"));
    let axes = words.map(|word| Axis::from_word(word));
    let [Some(left), Some(up), Some(front)] = axes else { return Err(wrong()) };
    let mut used = [left.index(), up.index(), front.index()];
    used.sort_unstable();
    if used != [0, 1, 2] {
        return Err(wrong());
    }
    Ok(Basis { left, up, front, ..Basis::GLTF })
}
