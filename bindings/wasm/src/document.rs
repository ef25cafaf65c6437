//! Files, and what is done with them.

use crate::arguments::{self, Chosen, Describe, Diff, Fit, Read, Sample};
use crate::throwing;
use dopesheet::core::format::{Limits, WriteOptions};
use dopesheet::edit::{Editable, OPERATIONS};
use dopesheet::{
    ConvertOptions, Error, Opened, ReadOptions, core::format::Output, registry, sample::Sampled,
};
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// Files that stand beside another one, by their names.
#[wasm_bindgen]
#[derive(Default)]
pub struct Resources {
    files: HashMap<String, Vec<u8>>,
}

#[wasm_bindgen]
impl Resources {
    /// None yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.files.insert(name, bytes);
    }
}

/// A file that has been read, and perhaps edited. Copies share it, so that one may be freed while another is a model.
#[wasm_bindgen]
pub struct Document {
    file: Editable,
}

#[wasm_bindgen]
impl Document {
    /// Reads the bytes of a file with a name.
    ///
    /// # Errors
    /// If the format is unknown, the file is damaged or an option makes no sense.
    pub fn read(name: &str, bytes: &[u8], resources: &Resources, options: &str) -> Result<Self, JsValue> {
        throwing(|| {
            let read: Read = arguments::parse(options)?;
            let format = match read.format()? {
                Some(format) => format,
                None => dopesheet::open::detect(name, bytes)?,
            };
            let options = ReadOptions { lenient: read.lenient, ..ReadOptions::default() };
            let mut fetch = |name: &str| resources.files.get(name).cloned();
            let mut opened = dopesheet::open::read_as(format, name, bytes, &options, &mut fetch)?;
            read.assume(&mut opened)?;
            Ok(Self { file: Editable::new(opened) })
        })
    }

    /// The names of files that the bytes of a file name and that stand beside it.
    ///
    /// # Errors
    /// If the format is unknown or an option makes no sense.
    pub fn wants(name: &str, bytes: &[u8], options: &str) -> Result<Vec<String>, JsValue> {
        throwing(|| {
            let read: Read = arguments::parse(options)?;
            let format = match read.format()? {
                Some(format) => format,
                None => dopesheet::open::detect(name, bytes)?,
            };
            Ok(format.wants(bytes))
        })
    }

    /// Our own puppet.
    ///
    /// # Errors
    /// If this build has no models of MikuMikuDance.
    pub fn standard() -> Result<Self, JsValue> {
        throwing(|| Ok(Self { file: Editable::new(dopesheet::puppet::standard_model()?) }))
    }

    /// The same file once more.
    #[must_use]
    pub fn share(&self) -> Self {
        Self { file: self.file.clone() }
    }

    /// Its name.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn name(&self) -> String {
        self.file.source().name.clone()
    }

    /// The format's id.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn format(&self) -> String {
        self.file.source().format().info().id.to_owned()
    }

    /// JSON of what is in it, and of how it fits a model.
    ///
    /// # Errors
    /// If it cannot be interpreted.
    pub fn info(&self, options: &str, model: Option<Document>) -> Result<String, JsValue> {
        throwing(|| {
            let (names, vocabulary) = arguments::parse::<Describe>(options)?.options()?;
            let (opened, model) = (self.file.opened()?, of(model.as_ref())?);
            let info = dopesheet::info::info_by(&opened, model.as_deref(), &names, vocabulary)?;
            Ok(info.to_json().to_string())
        })
    }

    /// JSON of what is wrong with it, and with how it fits a model.
    ///
    /// # Errors
    /// If the model cannot be interpreted.
    pub fn check(&self, options: &str, model: Option<Document>) -> Result<String, JsValue> {
        throwing(|| {
            let names = arguments::parse::<Fit>(options)?.names();
            let (opened, model) = (self.file.opened()?, of(model.as_ref())?);
            let report = dopesheet::check::check_on(&opened, model.as_deref(), &names)?;
            let (name, format) = (&opened.name, opened.format().info().id);
            Ok(dopesheet::json::check_to_json(name, Some(format), &report.findings).to_string())
        })
    }

    /// The document as a file of its own format: what was read.
    ///
    /// # Errors
    /// If its format is only read.
    pub fn write(&self) -> Result<Vec<u8>, JsValue> {
        throwing(|| {
            let opened = self.file.opened()?;
            Ok(opened.format().write(&opened.document, &WriteOptions::default())?.main)
        })
    }

    /// Values at some times.
    ///
    /// # Errors
    /// If it cannot be interpreted, or the times make no sense for it.
    pub fn sample(&self, options: &str, model: Option<Document>) -> Result<Samples, JsValue> {
        throwing(|| {
            let model = of(model.as_ref())?;
            let options = arguments::parse::<Sample>(options)?.options(model.as_deref())?;
            Ok(Samples::new(dopesheet::sample(&*self.file.opened()?, &options)?))
        })
    }

    /// JSON of how far apart this and another file are.
    ///
    /// # Errors
    /// If one of them cannot be interpreted.
    pub fn diff(&self, other: &Self, options: &str, model: Option<Document>) -> Result<String, JsValue> {
        throwing(|| {
            let model = of(model.as_ref())?;
            let options = arguments::parse::<Diff>(options)?.options(model.as_deref())?;
            let (own, other) = (self.file.opened()?, other.file.opened()?);
            Ok(dopesheet::diff(&own, &other, &options)?.to_json().to_string())
        })
    }

    /// The file after an operation: its word, its options in JSON, other files that it needs, and the clip that is changed, in JSON.
    ///
    /// # Errors
    /// If that makes no sense.
    pub fn edit(
        &self,
        operation: &str,
        options: &str,
        others: Vec<Document>,
        clip: &str,
    ) -> Result<Self, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            let others: Vec<_> = others.iter().map(|other| (&other.file, None)).collect();
            Ok(Self { file: self.file.after((operation, options), &others, &clips)? })
        })
    }

    /// The two files of this one merged with others: the motion of a model, and that of cameras and lights; the clip is in JSON.
    ///
    /// # Errors
    /// If that makes no sense.
    pub fn merge_apart(&self, others: Vec<Document>, clip: &str) -> Result<Vec<Document>, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            let others: Vec<_> = others.iter().map(|other| (&other.file, None)).collect();
            Ok(self.file.merged_apart(&others, &clips)?.into_iter().map(|file| Self { file }).collect())
        })
    }

    /// The parts of a clip, in JSON, or of the only one; `options` are those of the operation in JSON.
    ///
    /// # Errors
    /// If that makes no sense.
    pub fn split(&self, options: &str, clip: &str) -> Result<Vec<Document>, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            Ok(self.file.split(options, &clips)?.into_iter().map(|file| Self { file }).collect())
        })
    }

    /// JSON of what was found when it was read, and of what operations kept, approximated and dropped.
    ///
    /// # Errors
    /// If its format has no room for what operations made of it.
    pub fn report(&self) -> Result<String, JsValue> {
        throwing(|| Ok(dopesheet::json::report_to_json(&self.file.opened()?.report).to_string()))
    }
}

fn of(document: Option<&Document>) -> Result<Option<Arc<Opened>>, Error> {
    document.map(|document| document.file.opened()).transpose()
}

/// Values at some times: numbers of all channels one after the other, and which is which.
#[wasm_bindgen]
pub struct Samples {
    times: Vec<f64>,
    values: Vec<f64>,
    tracks: String,
}

impl Samples {
    fn new(sampled: Sampled) -> Self {
        let (mut values, mut tracks) = (Vec::new(), Vec::new());
        for track in sampled.tracks {
            let mut channels = Vec::new();
            for channel in track.channels {
                let place = [values.len(), values.len() + channel.values.len()];
                values.extend(channel.values);
                channels
                    .push(serde_json::json!({"name": channel.name, "width": channel.width, "place": place}));
            }
            tracks.push(serde_json::json!({
                "target": track.target, "index": track.index, "kind": track.kind.word(), "channels": channels,
            }));
        }
        Self { times: sampled.times_s, values, tracks: serde_json::Value::from(tracks).to_string() }
    }
}

#[wasm_bindgen]
impl Samples {
    /// Hands the times out, in seconds; there are none after that.
    #[must_use]
    pub fn take_times(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.times)
    }

    /// Hands the numbers out; there are none after that.
    #[must_use]
    pub fn take_values(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.values)
    }

    /// JSON of the tracks.
    #[must_use]
    pub fn tracks(&self) -> String {
        self.tracks.clone()
    }
}

/// The result of a conversion.
#[wasm_bindgen]
pub struct Conversion {
    output: Output,
    report: String,
    to: &'static str,
}

#[wasm_bindgen]
impl Conversion {
    /// Converts files to one.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn of(
        inputs: Vec<Document>,
        options: &str,
        model: Option<Document>,
        into: Option<Document>,
        onto: Option<Document>,
    ) -> Result<Self, JsValue> {
        throwing(|| {
            let others = [of(model.as_ref())?, of(into.as_ref())?, of(onto.as_ref())?];
            let others = others.each_ref().map(Option::as_deref);
            let options = ConvertOptions::described(options, others, Limits::default())?;
            let inputs = inputs.iter().map(|input| input.file.opened()).collect::<Result<Vec<_>, _>>()?;
            let conversion = dopesheet::convert(&inputs, &options)?;
            let name = options.file_name.as_deref().unwrap_or_default();
            let report = conversion.report.to_json(name).to_string();
            Ok(Self { output: conversion.output, report, to: conversion.report.to })
        })
    }

    /// Hands the file's bytes out; there are none after that.
    #[must_use]
    pub fn take_data(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output.main)
    }

    /// The names of the files that must stand beside it.
    #[must_use]
    pub fn resources(&self) -> Vec<String> {
        self.output.resources.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Hands the bytes of one of them out, by its position.
    #[must_use]
    pub fn take_resource(&mut self, position: usize) -> Vec<u8> {
        self.output.resources.get_mut(position).map(|(_, bytes)| std::mem::take(bytes)).unwrap_or_default()
    }

    /// JSON of the report.
    #[must_use]
    pub fn report(&self) -> String {
        self.report.clone()
    }

    /// The id of the format that was written.
    #[must_use]
    pub fn to(&self) -> String {
        self.to.to_owned()
    }
}

/// JSON of all operations: their words, their options, and whether they take other files.
#[wasm_bindgen]
#[must_use]
pub fn operations() -> String {
    let all =
        OPERATIONS.iter().map(|known| serde_json::json!([known.word, known.options, known.takes_others]));
    serde_json::Value::from(all.collect::<Vec<_>>()).to_string()
}

/// JSON of all formats.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    let all = registry::formats().iter().map(|format| dopesheet::json::format_to_json(format.info()));
    serde_json::Value::from(all.collect::<Vec<_>>()).to_string()
}
