//! Files, and the operations on files.

use crate::arguments::{self, Chosen, Describe, Diff, Fit, Read, Sample};
use crate::throwing;
use dopesheet::core::format::{Limits, WriteOptions};
use dopesheet::edit::{Editable, OPERATIONS};
use dopesheet::{
    ConvertOptions, Error, Opened, ReadOptions, SampleOptions, core::format::Output, registry,
    sample::Sampled,
};
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// Files beside another file, by their names.
#[wasm_bindgen]
#[derive(Default)]
pub struct Resources {
    files: HashMap<String, Vec<u8>>,
}

#[wasm_bindgen]
impl Resources {
    /// An empty set of files.
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

/// A file after reading, and perhaps after edits. Copies share the file, so that one copy may be freed while
/// another copy serves as a model.
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

    /// The names of files beside the given file, as named by its bytes.
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

    /// The puppet of this project.
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

    /// JSON of the content of the file, and of how the content fits a model.
    ///
    /// # Errors
    /// If the file cannot be interpreted.
    pub fn info(&self, options: &str, model: Option<Document>) -> Result<String, JsValue> {
        throwing(|| {
            let (names, vocabulary) = arguments::parse::<Describe>(options)?.options()?;
            let (opened, model) = (self.file.opened()?, of(model.as_ref())?);
            let info = dopesheet::info::info_by(&opened, model.as_deref(), &names, vocabulary, 0)?;
            Ok(info.to_json().to_string())
        })
    }

    /// JSON of the errors in the file, and of how the file fits a model.
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

    /// The document as a file of its own format, as read.
    ///
    /// # Errors
    /// If its format is only read.
    pub fn write(&self) -> Result<Vec<u8>, JsValue> {
        throwing(|| {
            let opened = self.file.opened()?;
            Ok(opened.format().write(&opened.document, &WriteOptions::default())?.main)
        })
    }

    /// Values at the given times.
    ///
    /// # Errors
    /// If the file cannot be interpreted, or the times make no sense for the file.
    pub fn sample(
        &self,
        options: &str,
        model: Option<Document>,
        onto: Option<Document>,
    ) -> Result<Samples, JsValue> {
        throwing(|| {
            let (model, onto) = (of(model.as_ref())?, of(onto.as_ref())?);
            let options = arguments::parse::<Sample>(options)?.options(model.as_deref())?;
            let options = SampleOptions { onto: onto.as_deref(), ..options };
            Ok(Samples::new(dopesheet::sample(&*self.file.opened()?, &options)?))
        })
    }

    /// JSON of the differences between this file and another file.
    ///
    /// # Errors
    /// If either file cannot be interpreted.
    pub fn diff(&self, other: &Self, options: &str, model: Option<Document>) -> Result<String, JsValue> {
        throwing(|| {
            let model = of(model.as_ref())?;
            let options = arguments::parse::<Diff>(options)?.options(model.as_deref())?;
            let (opened, other) = (self.file.opened()?, other.file.opened()?);
            Ok(dopesheet::diff(&opened, &other, &options)?.to_json().to_string())
        })
    }

    /// The file after an operation. The arguments are the word of the operation, its options in JSON, the
    /// other files needed by the operation, and the clip to change, in JSON.
    ///
    /// # Errors
    /// If the operation or its arguments make no sense.
    pub fn edit(
        &self,
        operation: &str,
        options: &str,
        further_files: Vec<Document>,
        clip: &str,
    ) -> Result<Self, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            let files: Vec<_> = further_files.iter().map(|other| (&other.file, None)).collect();
            Ok(Self { file: self.file.after(operation, options, &files, &clips)? })
        })
    }

    /// This file merged with others, as two files: the motion of a model, and the motion of cameras and lights.
    /// The clip is in JSON.
    ///
    /// # Errors
    /// If the clip makes no sense or the files cannot be merged.
    pub fn merge_apart(&self, further_files: Vec<Document>, clip: &str) -> Result<Vec<Document>, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            let files: Vec<_> = further_files.iter().map(|other| (&other.file, None)).collect();
            Ok(self.file.merged_apart(&files, &clips)?.into_iter().map(|file| Self { file }).collect())
        })
    }

    /// The parts of the given clip, in JSON, or of the only clip; `options` are the options of the operation
    /// in JSON.
    ///
    /// # Errors
    /// If the clip or the options make no sense.
    pub fn split(&self, options: &str, clip: &str) -> Result<Vec<Document>, JsValue> {
        throwing(|| {
            let clips = arguments::parse::<Chosen>(clip)?.clips();
            Ok(self.file.split(options, &clips)?.into_iter().map(|file| Self { file }).collect())
        })
    }

    /// JSON of the findings while reading, and of the information kept, approximated and dropped by
    /// operations.
    ///
    /// # Errors
    /// If its format has no room for the result of the operations.
    pub fn report(&self) -> Result<String, JsValue> {
        throwing(|| Ok(dopesheet::json::report_to_json(&self.file.opened()?.report).to_string()))
    }
}

fn of(document: Option<&Document>) -> Result<Option<Arc<Opened>>, Error> {
    document.map(|document| document.file.opened()).transpose()
}

/// Values at the given times: the numbers of all channels in succession, and the span of each channel.
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
                let span = [values.len(), values.len() + channel.values.len()];
                values.extend(channel.values);
                channels
                    .push(serde_json::json!({"name": channel.name, "width": channel.width, "place": span}));
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
    /// Hands the times out, in seconds; a second call yields no times.
    #[must_use]
    pub fn take_times(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.times)
    }

    /// Hands the numbers out; a second call yields no numbers.
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
    /// Converts files to one file.
    ///
    /// # Errors
    /// If the files cannot be converted.
    pub fn of(
        inputs: Vec<Document>,
        options: &str,
        model: Option<Document>,
        into: Option<Document>,
        onto: Option<Document>,
    ) -> Result<Self, JsValue> {
        throwing(|| {
            let documents = [of(model.as_ref())?, of(into.as_ref())?, of(onto.as_ref())?];
            let files = documents.each_ref().map(Option::as_deref);
            let options = ConvertOptions::described(options, files, Limits::default())?;
            let inputs = inputs.iter().map(|input| input.file.opened()).collect::<Result<Vec<_>, _>>()?;
            let conversion = dopesheet::convert(&inputs, &options)?;
            let name = options.file_name.as_deref().unwrap_or_default();
            let report = conversion.report.to_json(name).to_string();
            Ok(Self { output: conversion.output, report, to: conversion.report.to })
        })
    }

    /// Hands the bytes of the file out; a second call yields no bytes.
    #[must_use]
    pub fn take_data(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output.main)
    }

    /// The names of the files needed beside the written file.
    #[must_use]
    pub fn resources(&self) -> Vec<String> {
        self.output.resources.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Hands out the bytes of a file needed beside the written file, by the position of its name.
    #[must_use]
    pub fn take_resource(&mut self, position: usize) -> Vec<u8> {
        self.output.resources.get_mut(position).map(|(_, bytes)| std::mem::take(bytes)).unwrap_or_default()
    }

    /// JSON of the report.
    #[must_use]
    pub fn report(&self) -> String {
        self.report.clone()
    }

    /// The id of the written format.
    #[must_use]
    pub fn to(&self) -> String {
        self.to.to_owned()
    }
}

/// JSON of all operations: their words, their options, and whether they take other files.
#[wasm_bindgen]
#[must_use]
pub fn operations() -> String {
    let all = OPERATIONS.iter().map(|entry| {
        serde_json::json!([entry.word, entry.names().collect::<Vec<_>>(), entry.takes_others()])
    });
    serde_json::Value::from(all.collect::<Vec<_>>()).to_string()
}

/// JSON of all formats.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    let all = registry::formats().iter().map(|format| dopesheet::json::format_to_json(format.info()));
    serde_json::Value::from(all.collect::<Vec<_>>()).to_string()
}
