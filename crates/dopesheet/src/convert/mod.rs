//! From one format to another, with a report of what was kept, approximated and dropped.

mod figure;
mod merge;
mod options;
mod report;
mod scene;
mod settings;

pub use options::{ClipChoice, ConvertOptions, metres, rate};
pub use report::ConversionReport;
pub(crate) use scene::hierarchy_unknown;
pub use settings::{Setting, SettingKind, settings};

use crate::error::Error;
use crate::open::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{AnyDocument, Attach, Edit, FromScene, Output, WriteOptions};
use dopesheet_core::model::Scene;
use std::borrow::{Borrow, Cow};

/// What a conversion made.
#[derive(Debug)]
pub struct Conversion {
    /// The file.
    pub output: Output,
    /// What was kept, approximated and dropped on the way.
    pub report: ConversionReport,
}

/// Converts one or more files to one file.
///
/// One input, the same format and no option that changes anything: the document is written as it was read. Otherwise
/// the inputs become scenes, are brought within what the target can hold, and are written as one file with a clip
/// each.
///
/// # Errors
/// If an input holds nothing that the target can hold, the target is read only or holds one clip and gets several, a
/// name cannot be encoded, or the options contradict each other.
pub fn convert(inputs: &[impl Borrow<Opened>], options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    let inputs: Vec<&Opened> = inputs.iter().map(Borrow::borrow).collect();
    let Some(first) = inputs.first() else {
        return Err(Error::Usage("expected at least one file to convert".into()));
    };
    check_variant(options)?;
    check_unlit(options)?;
    if let Some(target) = &options.into {
        return attach(&inputs, target, options);
    }
    if inputs.len() == 1 && options.stays_in_format(first) {
        return rewrite(first, options);
    }
    let mut report = Report::default();
    let (scene, file_stems) = scene::prepare(&inputs, options, &mut report)?;
    let from_scene = FromScene {
        variant: options.variant.clone(),
        replace_unencodable: options.replace_unencodable,
        keep_constant: options.keep_constant,
        file_stems,
    };
    let mut document = options.to.from_scene(&scene, &from_scene, &mut report)?;
    if options.sort {
        let edit = Edit { sort: true, ..Edit::default() };
        options.to.edit(&mut document, &edit, &mut report)?;
    }
    finish(&inputs, Cow::Owned(document), options, Some(scene), report)
}

fn check_variant(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let info = options.to.info();
    match &options.variant {
        Some(variant) if !info.variants.iter().any(|v| v.name == variant) => {
            let known: Vec<_> = info.variants.iter().map(|v| v.name).collect();
            let known = if known.is_empty() {
                "no variant".to_owned()
            } else {
                format!("one of {}", known.join(", "))
            };
            Err(Error::Usage(format!("expected {known} after {}@, found \"{variant}\"", info.id)))
        }
        _ => Ok(()),
    }
}

fn check_unlit(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let info = options.to.info();
    if options.unlit && !info.capabilities.parts.meshes {
        let text = format!("expected a target with materials for --unlit, found {}", info.id);
        return Err(Error::Usage(text));
    }
    Ok(())
}

/// Within a format everything happens on the document, so that nothing else changes.
fn rewrite(input: &Opened, options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    let mut report = input.report.clone();
    let edit = Edit { variant: options.variant.clone(), sort: options.sort };
    if edit.is_empty() {
        report.kept("everything: the document is written as it was read");
        return finish(&[input], Cow::Borrowed(&input.document), options, None, report);
    }
    let mut document = input.document.clone();
    options.to.edit(&mut document, &edit, &mut report)?;
    finish(&[input], Cow::Owned(document), options, None, report)
}

fn attach(inputs: &[&Opened], target: &Opened, options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    let info = target.format().info();
    if !info.capabilities.attaches {
        let what = format!("{} files cannot take clips from other files", info.id);
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    }
    let mut report = target.report.clone();
    let (scene, file_stems) = scene::prepare(inputs, options, &mut report)?;
    let attach = Attach {
        names: options.names.clone(),
        replace: options.replace,
        keep_constant: options.keep_constant,
        file_stems,
    };
    let mut document = target.document.clone();
    target.format().attach(&mut document, &scene, &attach, &mut report)?;
    finish(inputs, Cow::Owned(document), options, Some(scene), report)
}

fn finish(
    inputs: &[&Opened],
    document: Cow<'_, AnyDocument>,
    options: &ConvertOptions<'_>,
    scene: Option<Scene>,
    report: Report,
) -> Result<Conversion, Error> {
    let report = ConversionReport::new(inputs, &document, options, scene.as_ref(), report);
    // Large ones are there once already, as the document.
    drop(scene);
    let write = WriteOptions { file_name: options.file_name.clone() };
    let output = match document {
        Cow::Borrowed(document) => options.to.write(document, &write)?,
        Cow::Owned(document) => options.to.into_output(document, &write)?,
    };
    Ok(Conversion { output, report })
}
