//! From one format to another, with a report of everything kept, approximated and dropped.

#[cfg(feature = "gltf")]
mod avatar;
mod bones;
mod checks;
mod figure;
mod frames;
mod into;
mod lengths;
mod merge;
mod options;
mod report;
mod routes;
mod scene;
mod stature;

pub use checks::{CONVERSION_CHECKS, ForbiddenLosses, TOLERANCE_EXCEEDED};
pub(crate) use frames::check_written;
pub use options::settings::{Setting, SettingKind, settings};
pub use options::{ConvertOptions, metres, most_frames, rate};
pub use report::ConversionReport;
pub use report::told::{LargestError, LineKind, ReportLine, Telling};
pub(crate) use scene::hierarchy_unknown;
pub(crate) use scene::{bring_within, drop_start, put_onto_figure};

use crate::error::Error;
use crate::files::read::Opened;
use crate::models::vocabularies::other_vocabulary;
use dopesheet_core::diag::Fault;
use dopesheet_core::format::{Output, Pieces, VariantWords};
use std::borrow::{Borrow, Cow};

/// Result of a conversion: the file as a whole, or in pieces.
#[derive(Debug)]
pub struct Conversion<File = Output> {
    /// The file.
    pub output: File,
    /// Everything kept, approximated and dropped on the way.
    pub report: ConversionReport,
}

/// Converts one or more files to one file.
///
/// If there is one input, the format stays the same and no option changes anything, the document is written
/// as it was read. Otherwise the inputs become scenes, are brought within the target's capabilities, and are
/// written as one file with a clip each.
///
/// # Errors
/// If an input holds nothing that the target can hold, the target is read only or holds one clip and gets
/// several, a name cannot be encoded, or the options contradict each other.
pub fn convert(inputs: &[impl Borrow<Opened>], options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    let inputs = inputs.iter().map(|input| Cow::Borrowed(input.borrow())).collect();
    let conversion = convert_held(inputs, options.model.map(Cow::Borrowed), options)?;
    Ok(Conversion { output: conversion.output.into(), report: conversion.report })
}

/// As [`convert`], but consumes its inputs: each is dropped once its scene is built, and the file is returned
/// in pieces. With a [composed](dopesheet_core::format::Format::compose) format, nothing large is in memory
/// twice. A `model` here replaces the model of the options.
///
/// # Errors
/// As [`convert`].
pub fn convert_owned(
    inputs: Vec<Opened>,
    model: Option<Opened>,
    options: &ConvertOptions<'_>,
) -> Result<Conversion<Pieces>, Error> {
    let model = model.map(Cow::Owned).or_else(|| options.model.map(Cow::Borrowed));
    convert_held(inputs.into_iter().map(Cow::Owned).collect(), model, options)
}

/// A conversion with its files.
struct Request<'a> {
    inputs: Vec<Cow<'a, Opened>>,
    /// The model that the motions play on.
    model: Option<Cow<'a, Opened>>,
    options: &'a ConvertOptions<'a>,
}

fn convert_held(
    inputs: Vec<Cow<'_, Opened>>,
    model: Option<Cow<'_, Opened>>,
    options: &ConvertOptions<'_>,
) -> Result<Conversion<Pieces>, Error> {
    let (asked, options) = (options, &figure::onto::options(options)?);
    let model = model.or_else(|| options.model.map(Cow::Borrowed));
    let request = Request { inputs, model, options };
    if let Some(why) = request.other_vocabulary() {
        return request.onto_its_model(why);
    }
    request.carried_out().map(|conversion| figure::onto::with_way_to_small(conversion, asked))
}

impl Request<'_> {
    /// The finding that the motions are put onto their model as onto any other figure; `None` if names join
    /// them.
    fn other_vocabulary(&self) -> Option<Fault> {
        let (motion, model, options) = (self.inputs.first()?, self.model.as_deref()?, self.options);
        match options.joins_by_name() {
            true => None,
            false => other_vocabulary(motion, model, &options.names, options.vocabularies),
        }
    }

    /// Puts the motions onto their model as onto any other figure: a model given with `-m` counts as if it
    /// had been given with `--onto`.
    fn onto_its_model(self, why: Fault) -> Result<Conversion<Pieces>, Error> {
        let Self { inputs, model, options } = self;
        let options = &figure::onto::options(&ConvertOptions {
            model: None,
            onto: model.as_deref(),
            ..options.clone()
        })?;
        let mut conversion = Request { inputs, model: None, options }.carried_out()?;
        conversion.report.report.info(why);
        Ok(conversion)
    }

    /// The file by the shortest route: clips are attached to another file, a document is rewritten within its format, or a scene of all
    /// inputs is composed to bytes or goes through a document.
    fn carried_out(self) -> Result<Conversion<Pieces>, Error> {
        #[cfg(feature = "gltf")]
        let remarks = avatar::remarks(&self)?;
        let Some(first) = self.inputs.first() else {
            return Err(Error::Usage("expected at least one file to convert".into()));
        };
        check_target(self.options)?;
        let conversion = match self.options.into {
            Some(target) => routes::attach(self, target),
            None if self.is_of_one_format(first) => routes::rewrite(self),
            None => routes::compose(self),
        };
        #[cfg(feature = "gltf")]
        let conversion = conversion.map(|mut conversion| {
            conversion.report.report.extend(remarks);
            conversion
        });
        conversion
    }

    /// True if the document of the only input can be written unchanged or after an edit.
    fn is_of_one_format(&self, first: &Opened) -> bool {
        let is_alone = self.inputs.len() == 1 && self.model.is_none();
        is_alone && !self.options.goes_onto_a_figure() && self.options.stays_in_format(first)
    }
}

/// Refuses options that the target cannot honour.
fn check_target(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let info = options.to.info();
    let (id, parts) = (info.id, &info.capabilities.parts);
    if let Some(variant) = &options.variant {
        VariantWords::parse(info.variants, options.to.variant_words(), variant)
            .map_err(|error| Error::Usage(format!("after {id}@: {error}")))?;
    }
    let lacks = if options.unlit && !parts.meshes {
        format!("expected a target with materials for --unlit, found {id}")
    } else if options.show_bones && !parts.meshes {
        format!("{id} holds no meshes, so bones cannot be shown in it")
    } else if options.model_name.is_some() && !parts.model_name {
        format!("{id} does not say which model a motion is for")
    } else {
        return Ok(());
    };
    Err(Error::Usage(lacks))
}
