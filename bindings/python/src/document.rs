//! The methods of files, and functions of them.

use crate::arguments::{self, Names};
use crate::arrays::shaped;
use crate::clip::Clip;
use crate::errors::detached;
use crate::file::{Document, opened};
use dopesheet::core::diag::{ReadError, Severity};
use dopesheet::core::format::WriteOptions;
use dopesheet::table::TableOptions;
use dopesheet::{
    ClipChoice, DiffOptions, Error, NameMap, Opened, ReadOptions, SampleOptions, core::format::Assumptions,
    registry, sample::Sampled,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::collections::HashMap;
use std::path::PathBuf;

/// The main file, and the names and bytes of the files beside the main file.
type Written<'py> = (Bound<'py, PyBytes>, Vec<(String, Bound<'py, PyBytes>)>);

fn written<'py>(py: Python<'py>, output: &dopesheet::core::format::Output) -> Written<'py> {
    let resource = |(name, bytes): &(String, Vec<u8>)| (name.clone(), PyBytes::new(py, bytes));
    (PyBytes::new(py, &output.main), output.resources.iter().map(resource).collect())
}

/// Facts to assume about a file with open questions: the value of each fact, by the fact's word.
type Facts = HashMap<String, String>;

fn assuming(mut opened: Opened, facts: Facts) -> Result<Opened, Error> {
    if !facts.is_empty() {
        opened.assume(&Assumptions::new(facts))?;
    }
    Ok(opened)
}

/// Refuses a file of arrays with an error in its findings, unless reading leniently: later nobody could tell
/// the origin of its numbers.
fn sound(opened: Opened, lenient: bool) -> Result<Opened, Error> {
    let format = opened.format().info().id;
    if !lenient && format == ARRAYS {
        let report = dopesheet::check::check_on(&opened, None, &NameMap::default())?;
        let wrong = report.findings.into_iter().find(|finding| finding.severity == Severity::Error);
        if let Some(finding) = wrong {
            return Err(ReadError::new(format, finding.fault).into());
        }
    }
    Ok(opened)
}

/// The format of arrays.
const ARRAYS: &str = "npz";

#[pymethods]
impl Document {
    /// Opens a file on disk, or in an archive on disk, together with the files it refers to.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        lenient: bool,
        assume: Facts,
        limits: (Option<u64>, Option<f64>),
    ) -> PyResult<Self> {
        detached(py, || {
            let format = format.map(registry::wanted).transpose()?;
            let options = ReadOptions { lenient, limits: arguments::all_limits(limits.0, limits.1)? };
            let opened = sound(assuming(dopesheet::open(&path, format, &options)?, assume)?, lenient)?;
            Ok(Self::within(opened, options.limits))
        })
    }

    /// Opens a model's file, or the built-in puppet (`standard`).
    #[staticmethod]
    fn open_model(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        detached(py, || dopesheet::puppet::open_model(&path)).map(Self::new)
    }

    /// Reads a file from its name and bytes, with the bytes of further files by name.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        file: (String, PyBackedBytes),
        resources: HashMap<String, PyBackedBytes>,
        reading: (Option<String>, bool),
        assume: Facts,
        limits: (Option<u64>, Option<f64>),
    ) -> PyResult<Self> {
        let ((name, data), (format, lenient)) = (file, reading);
        detached(py, || {
            let format = match &format {
                Some(id) => registry::wanted(id)?,
                None => dopesheet::open::detect(&name, &data)?,
            };
            let options = ReadOptions { lenient, limits: arguments::all_limits(limits.0, limits.1)? };
            let mut fetch = |name: &str| resources.get(name).map(|bytes| bytes.to_vec());
            let opened = dopesheet::open::read_as(format, &name, &data, &options, &mut fetch)?;
            Ok(Self::within(sound(assuming(opened, assume)?, lenient)?, options.limits))
        })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.file.source().name
    }

    #[getter]
    fn format(&self) -> &'static str {
        self.file.source().format().info().id
    }

    /// The contents of the file and the fit of its motions on a model, as JSON.
    #[pyo3(signature = (model, names, vocabulary))]
    fn info(
        &self,
        py: Python<'_>,
        model: Option<&Self>,
        names: Option<Names>,
        vocabulary: Option<&str>,
    ) -> PyResult<String> {
        detached(py, || {
            let (opened, model) = (self.opened()?, model.map(Self::opened).transpose()?);
            let (names, only) = (arguments::names(names)?, arguments::vocabularies(vocabulary)?.motion);
            let info = dopesheet::info::info_by(&opened, model.as_deref(), &names, only, 0)?;
            Ok(info.to_json().to_string())
        })
    }

    /// Faults of the file and of its fit on a model, as JSON.
    #[pyo3(signature = (model, names))]
    fn check(&self, py: Python<'_>, model: Option<&Self>, names: Option<Names>) -> PyResult<String> {
        detached(py, || {
            let (opened, model) = (self.opened()?, model.map(Self::opened).transpose()?);
            let report = dopesheet::check::check_on(&opened, model.as_deref(), &arguments::names(names)?)?;
            let (name, format) = (&opened.name, opened.format().info().id);
            Ok(dopesheet::json::check_to_json(name, Some(format), &report.findings).to_string())
        })
    }

    /// The motions as they are stored.
    fn clips(&self, py: Python<'_>) -> PyResult<Vec<Clip>> {
        let scene = detached(py, || Ok(dopesheet::info::stored(&self.opened()?.document)?))?;
        Ok(scene.clips.into_iter().map(Clip::new).collect())
    }

    /// The document as a file in the format it was read from.
    fn write<'py>(&self, py: Python<'py>, file_name: Option<String>) -> PyResult<Written<'py>> {
        let options = WriteOptions { file_name };
        let output = detached(py, || {
            let opened = self.opened()?;
            Ok(opened.format().write(&opened.document, &options)?)
        })?;
        Ok(written(py, &output))
    }

    /// Names of the files referred to by the bytes of a file in the document's format.
    fn wants(&self, data: &[u8]) -> Vec<String> {
        self.file.source().format().wants(data)
    }

    /// The file after an operation, given as the operation's word, its options as JSON, further input files, and the position
    /// of the clip to change (`None`: all clips).
    fn edit(
        &self,
        py: Python<'_>,
        operation: &str,
        options: &str,
        further_files: Vec<(Py<Self>, Option<usize>)>,
        clip: Option<usize>,
    ) -> PyResult<Self> {
        let motions: Vec<_> =
            further_files.iter().map(|(document, clip)| (&document.get().file, *clip)).collect();
        let clips = clip.map_or(ClipChoice::All, ClipChoice::Position);
        let file = detached(py, || self.file.after(operation, options, &motions, &clips))?;
        Ok(Self { file })
    }

    /// Two files made by merging this file with further files: the motion of a model, and the motion of cameras and lights.
    fn merge_apart(
        &self,
        py: Python<'_>,
        further_files: Vec<(Py<Self>, Option<usize>)>,
        clip: Option<usize>,
    ) -> PyResult<Vec<Self>> {
        let motions: Vec<_> =
            further_files.iter().map(|(document, clip)| (&document.get().file, *clip)).collect();
        let clips = clip.map_or(ClipChoice::All, ClipChoice::Position);
        let files = detached(py, || self.file.merged_apart(&motions, &clips))?;
        Ok(files.into_iter().map(|file| Self { file }).collect())
    }

    /// The parts of a clip (`None`: the file's only clip), a file for each part; `options` are the operation's options as JSON.
    fn split(&self, py: Python<'_>, options: &str, clip: Option<usize>) -> PyResult<Vec<Self>> {
        let clips = clip.map_or(ClipChoice::All, ClipChoice::Position);
        let files = detached(py, || self.file.split(options, &clips))?;
        Ok(files.into_iter().map(|file| Self { file }).collect())
    }

    /// Findings from reading the file, and everything kept, approximated and dropped by operations, as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(dopesheet::json::report_to_json(&self.opened()?.report).to_string()))
    }

    /// Values at some times.
    fn sample<'py>(&self, py: Python<'py>, arguments: arguments::Sample) -> PyResult<Samples<'py>> {
        let [model, onto] = arguments.others(py)?;
        let mut options = arguments.options(py, self.file.limits())?;
        let sampled = detached(py, || {
            (options.model, options.onto) = (model.as_deref(), onto.as_deref());
            dopesheet::sample(&*self.opened()?, &options)
        })?;
        samples(py, sampled)
    }

    /// The stands of the human figure of a clip: bone, joint, start and end in seconds.
    #[pyo3(signature = (arguments, vocabulary))]
    fn contacts(
        &self,
        py: Python<'_>,
        arguments: arguments::Sample,
        vocabulary: Option<&str>,
    ) -> PyResult<Vec<(&'static str, String, f64, f64)>> {
        let [model, onto] = arguments.others(py)?;
        let mut options = arguments.options(py, self.file.limits())?;
        let stands = detached(py, || {
            (options.model, options.onto) = (model.as_deref(), onto.as_deref());
            let only = arguments::vocabularies(vocabulary)?.motion;
            dopesheet::contacts(&*self.opened()?, &options, only)
        })?;
        Ok(stands
            .into_iter()
            .map(|stand| (stand.bone.word(), stand.joint, stand.start.0, stand.end.0))
            .collect())
    }

    /// The table of a single clip.
    fn table(
        &self,
        py: Python<'_>,
        arguments: arguments::Sample,
        layout: &str,
        dtype: &str,
    ) -> PyResult<crate::table::Table> {
        let [model, onto] = arguments.others(py)?;
        let options = TableOptions {
            layout: crate::table::layout(py, layout)?,
            precision: crate::table::precision(py, dtype)?,
            ..TableOptions::of(arguments.options(py, self.file.limits())?)
        };
        let batch = detached(py, || {
            let (model, onto) = (model.as_deref(), onto.as_deref());
            let sample = SampleOptions { model, onto, ..options.sample };
            let options = TableOptions { sample, ..options };
            let opened = self.opened()?;
            match &dopesheet::table::tables(&opened, &opened.name, &options)?[..] {
                [table] => table.to_batch(),
                tables => Err(Error::Usage(format!("the file has {} clips; choose one", tables.len()))),
            }
        })?;
        Ok(crate::table::Table::new(batch))
    }

    /// Poses at some times.
    fn poses<'py>(
        &self,
        py: Python<'py>,
        arguments: arguments::Sample,
    ) -> PyResult<crate::poses::Arrays<'py>> {
        let [model, onto] = arguments.others(py)?;
        let mut options = arguments.options(py, self.file.limits())?;
        let poses = detached(py, || {
            (options.model, options.onto) = (model.as_deref(), onto.as_deref());
            dopesheet::poses(&*self.opened()?, &options)
        })?;
        crate::poses::Arrays::new(py, poses)
    }
}

/// Times, and for each target its name, number, kind and channels.
type Samples<'py> = (Bound<'py, PyArray1<f64>>, Vec<SampledTrack<'py>>);
type SampledTrack<'py> = (String, usize, &'static str, Vec<(String, Bound<'py, PyAny>)>);

fn samples(py: Python<'_>, sampled: Sampled) -> PyResult<Samples<'_>> {
    let times = sampled.times_s.len();
    let track = |track: dopesheet::sample::SampledTrack| {
        let channels = track.channels.into_iter().map(|channel| {
            let array = match channel.is_scalar {
                true => channel.values.into_pyarray(py).into_any(),
                false => shaped(py, channel.values, [times, channel.width])?.into_any(),
            };
            Ok((channel.name, array))
        });
        Ok((track.target, track.index, track.kind.word(), channels.collect::<PyResult<_>>()?))
    };
    let tracks = sampled.tracks.into_iter().map(track).collect::<PyResult<_>>()?;
    Ok((sampled.times_s.into_pyarray(py), tracks))
}

/// Converts files to a single file: the bytes, the files beside the main file, a report as JSON, and the format's id.
#[pyfunction]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    inputs: Vec<Py<Document>>,
    arguments: arguments::Convert,
    output: &str,
) -> PyResult<(Written<'py>, String, &'static str)> {
    let inputs: Vec<&Document> = inputs.iter().map(Py::get).collect();
    let files = arguments.others(py)?;
    let limits = inputs.first().map(|first| first.file.limits()).unwrap_or_default();
    let options = arguments.options(py, files.each_ref().map(Option::as_deref), limits)?;
    let conversion = detached(py, || {
        let inputs = inputs.into_iter().map(Document::opened).collect::<Result<Vec<_>, _>>()?;
        dopesheet::convert(&inputs, &options)
    })?;
    let report = conversion.report.to_json(output).to_string();
    Ok((written(py, &conversion.output), report, conversion.report.to))
}

/// JSON of how far apart two files are.
#[pyfunction]
pub(crate) fn diff(
    py: Python<'_>,
    a: &Document,
    b: &Document,
    arguments: arguments::Diff,
) -> PyResult<String> {
    let model = opened(py, arguments.model.as_ref())?;
    let options = DiffOptions { limits: a.file.limits(), ..arguments.options(py, model.as_deref())? };
    detached(py, || Ok(dopesheet::diff(&*a.opened()?, &*b.opened()?, &options)?.to_json().to_string()))
}

/// JSON of each format.
#[pyfunction]
pub(crate) fn formats() -> Vec<String> {
    registry::formats()
        .iter()
        .map(|format| dopesheet::json::format_to_json(format.info()).to_string())
        .collect()
}

/// Writes a main file and the files beside the main file, all completely or not at all.
#[pyfunction]
pub(crate) fn save(
    py: Python<'_>,
    path: PathBuf,
    data: PyBackedBytes,
    resources: Vec<(String, PyBackedBytes)>,
    overwrite: bool,
) -> PyResult<()> {
    detached(py, || {
        let resources = resources.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect();
        let output = dopesheet::core::format::Output { main: data.to_vec(), resources };
        dopesheet::save::output(&path, &output, overwrite)
    })
}
