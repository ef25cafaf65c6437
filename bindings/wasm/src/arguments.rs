//! Arguments of JavaScript, as JSON, as options of the library.

use dopesheet::core::bytes::json;
use dopesheet::human::Vocabulary;
use dopesheet::{
    ClipChoice, DiffOptions, Error, NameMap, Opened, SampleOptions, TimeSpec, Tolerance,
    core::format::AnyFormat, core::format::Assumptions, names::Language, registry, sample::Axes,
    sample::Space, times::TimeValue, vocabularies::Vocabularies,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Reads arguments.
pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    // Its numbers are those of JavaScript to the last digit.
    let arguments = json::value(json)
        .ok_or_else(|| Error::Usage("options: expected JSON, found something else".into()))?;
    serde_json::from_value(arguments).map_err(|error| Error::Usage(format!("options: {error}")))
}

/// Words or numbers of seconds.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words<T> {
    Text(String),
    Numbers(T),
}

/// A position from 0, or a name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Clip {
    Position(usize),
    Name(String),
}

fn choice(clip: Option<Clip>) -> Option<ClipChoice> {
    clip.map(|clip| match clip {
        Clip::Position(position) => ClipChoice::Position(position),
        Clip::Name(name) => ClipChoice::Name(name),
    })
}

type Names = BTreeMap<String, String>;

fn tolerance(text: Option<&str>) -> Result<Option<Tolerance>, Error> {
    let wrong = |error: dopesheet::motion::InvalidTolerance| Error::Usage(error.to_string());
    text.map(|text| text.parse().map_err(wrong)).transpose()
}

/// Options of reading.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[derive(Default)]
pub(crate) struct Read {
    format: Option<String>,
    pub(crate) lenient: bool,
    assume: Names,
}

impl Read {
    pub(crate) fn format(&self) -> Result<Option<&'static dyn AnyFormat>, Error> {
        self.format.as_deref().map(registry::wanted).transpose()
    }

    pub(crate) fn assume(self, opened: &mut Opened) -> Result<(), Error> {
        if self.assume.is_empty() { Ok(()) } else { opened.assume(&Assumptions::new(self.assume)) }
    }
}

/// The clip changed by an operation; all clips of the file where no clip is given.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Chosen {
    clip: Option<Clip>,
}

impl Chosen {
    pub(crate) fn clips(self) -> ClipChoice {
        choice(self.clip).unwrap_or(ClipChoice::All)
    }
}

/// Options of fitting a motion to a model.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Fit {
    names: Names,
}

impl Fit {
    pub(crate) fn names(self) -> NameMap {
        NameMap::new(self.names)
    }
}

/// Options for describing the content of a file.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Describe {
    names: Names,
    vocabulary: Option<String>,
}

impl Describe {
    /// Names, and the only vocabulary to count.
    pub(crate) fn options(self) -> Result<(NameMap, Option<Vocabulary>), Error> {
        let vocabulary = self.vocabulary.as_deref().map(Vocabularies::parse).transpose()?;
        Ok((NameMap::new(self.names), vocabulary.unwrap_or_default().motion))
    }
}

/// The words for the languages of names.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LanguageWord {
    #[default]
    Original,
    English,
}

impl From<LanguageWord> for Language {
    fn from(word: LanguageWord) -> Self {
        match word {
            LanguageWord::Original => Self::Original,
            LanguageWord::English => Self::English,
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AxesWord {
    #[default]
    Native,
    Gltf,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SpaceWord {
    #[default]
    Local,
    Model,
}

/// Options of sampling.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[derive(Default)]
pub(crate) struct Sample {
    times: Option<Words<Vec<f64>>>,
    frames: Option<Vec<f64>>,
    fps: Option<f64>,
    range: Option<Words<[f64; 3]>>,
    axes: AxesWord,
    space: SpaceWord,
    clip: Option<Clip>,
    names: Names,
    language: LanguageWord,
}

impl Sample {
    fn times(&mut self) -> Result<TimeSpec, Error> {
        let list = |list: Vec<f64>, value: fn(f64) -> TimeValue| {
            TimeSpec::List(list.into_iter().map(value).collect())
        };
        match (self.times.take(), self.frames.take(), self.fps, self.range.take()) {
            (None, None, None, None) => Ok(TimeSpec::Grid),
            (Some(Words::Text(text)), None, None, None) => TimeSpec::parse_list(&text),
            (Some(Words::Numbers(times)), None, None, None) => Ok(list(times, TimeValue::Seconds)),
            (None, Some(frames), None, None) => Ok(list(frames, TimeValue::Frames)),
            (None, None, Some(fps), None) => Ok(TimeSpec::Rate(fps)),
            (None, None, None, Some(Words::Text(text))) => TimeSpec::parse_steps(&text),
            (None, None, None, Some(Words::Numbers(numbers))) => {
                let [start, end, step] = numbers.map(TimeValue::Seconds);
                Ok(TimeSpec::Steps { start, end, step })
            }
            _ => {
                Err(Error::Usage("times, frames, fps and range exclude each other; give one of them".into()))
            }
        }
    }

    /// The options of the library.
    pub(crate) fn options(mut self, model: Option<&Opened>) -> Result<SampleOptions<'_>, Error> {
        let defaults = SampleOptions::at(self.times()?);
        Ok(SampleOptions {
            axes: match self.axes {
                AxesWord::Native => Axes::Native,
                AxesWord::Gltf => Axes::Gltf,
            },
            space: match self.space {
                SpaceWord::Local => Space::Local,
                SpaceWord::Model => Space::Model,
            },
            model,
            clip: choice(self.clip).unwrap_or_default(),
            names: NameMap::new(self.names),
            language: self.language.into(),
            ..defaults
        })
    }
}

/// Options of a comparison.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Diff {
    tolerance: Option<String>,
    names: Names,
    clip: Option<Clip>,
}

impl Diff {
    /// The options of the library.
    pub(crate) fn options(self, model: Option<&Opened>) -> Result<DiffOptions<'_>, Error> {
        Ok(DiffOptions {
            tolerance: tolerance(self.tolerance.as_deref())?.unwrap_or_default(),
            model,
            names: NameMap::new(self.names),
            clip: choice(self.clip).unwrap_or_default(),
            ..DiffOptions::default()
        })
    }
}
