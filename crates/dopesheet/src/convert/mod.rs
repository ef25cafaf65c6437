//! From one format to another, with a report of what was kept, approximated and dropped.

#[cfg(all(feature = "editing", feature = "gltf"))]
mod avatar;
mod bones;
mod checks;
#[cfg(feature = "editing")]
mod described;
mod doubtful;
mod figure;
mod frames;
mod into;
mod lengths;
mod merge;
#[cfg(feature = "editing")]
mod meshes;
mod once;
#[cfg(feature = "editing")]
mod onto;
mod options;
mod report;
mod rewritten;
mod scene;
mod settings;
#[cfg(feature = "editing")]
mod spoken;
mod stature;
mod told;
#[cfg(feature = "editing")]
mod witness;

pub use checks::{CONVERSION_CHECKS, ForbiddenLosses, TOLERANCE_EXCEEDED};
#[cfg(feature = "editing")]
pub(crate) use frames::check_written;
pub use options::{ClipChoice, ConvertOptions, metres, most_frames, rate};
pub use report::ConversionReport;
pub(crate) use scene::hierarchy_unknown;
#[cfg(feature = "editing")]
pub(crate) use scene::{bring_within, drop_start};
pub use settings::{Setting, SettingKind, settings};
pub use told::{LargestError, LineKind, ReportLine, Telling};

use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Loss, Report};
use dopesheet_core::format::{
    AnyDocument, Attach, Edit, FormatInfo, FromScene, Output, Pieces, VariantWords, WriteOptions,
};
use dopesheet_core::model::Hierarchy;
use report::Origin;
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
/// One input, the same format and no option that changes anything: the document is written as it was read. Otherwise
/// the inputs become scenes, are brought within what the target can hold, and are written as one file with a clip
/// each.
///
/// # Errors
/// If an input holds nothing that the target can hold, the target is read only or holds one clip and gets several, a
/// name cannot be encoded, or the options contradict each other.
pub fn convert(inputs: &[impl Borrow<Opened>], options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    let inputs = inputs.iter().map(|input| Cow::Borrowed(input.borrow())).collect();
    let made = convert_held(inputs, options.model.map(Cow::Borrowed), options)?;
    Ok(Conversion { output: made.output.into(), report: made.report })
}

/// As [`convert`] with files that are needed no more, and a result that is only to be written: inputs are let go of once they
/// are a scene, and the file comes in pieces. Of a format that is [composed](dopesheet_core::format::Format::compose) nothing
/// large is in memory twice. A `model` here counts instead of that of the options.
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

fn convert_held(
    inputs: Vec<Cow<'_, Opened>>,
    model: Option<Cow<'_, Opened>>,
    options: &ConvertOptions<'_>,
) -> Result<Conversion<Pieces>, Error> {
    #[cfg(feature = "editing")]
    let options = &onto::options(options)?;
    let model = model.or_else(|| options.model.map(Cow::Borrowed));
    #[cfg(feature = "editing")]
    let otherwise = spoken::otherwise(&inputs, model.as_deref(), options);
    #[cfg(feature = "editing")]
    if let (Some(fault), Some(figure)) = (otherwise, &model) {
        let options = &onto::options(&ConvertOptions { model: None, onto: Some(figure), ..options.clone() })?;
        let mut made = converted(inputs, None, options)?;
        made.report.report.info(fault);
        return Ok(made);
    }
    converted(inputs, model, options)
}

/// A conversion with what is to be said of avatars.
fn converted(
    inputs: Vec<Cow<'_, Opened>>,
    model: Option<Cow<'_, Opened>>,
    options: &ConvertOptions<'_>,
) -> Result<Conversion<Pieces>, Error> {
    #[cfg(all(feature = "editing", feature = "gltf"))]
    let said = avatar::remarks(&inputs, model.as_deref(), options)?;
    let made = convert_onto(inputs, model, options);
    #[cfg(all(feature = "editing", feature = "gltf"))]
    let made = made.map(|mut made| {
        made.report.report.extend(said);
        made
    });
    made
}

fn convert_onto(
    mut inputs: Vec<Cow<'_, Opened>>,
    model: Option<Cow<'_, Opened>>,
    options: &ConvertOptions<'_>,
) -> Result<Conversion<Pieces>, Error> {
    let Some(first) = inputs.first() else {
        return Err(Error::Usage("expected at least one file to convert".into()));
    };
    check_variant(options)?;
    check_unlit(options)?;
    check_show_bones(options)?;
    check_model_name(options)?;
    let origin = Origin::of(&inputs);
    if let Some(target) = &options.into {
        return attach(inputs, model, target, options, origin);
    }
    if inputs.len() == 1 && model.is_none() && !options.goes_onto_a_figure() && options.stays_in_format(first)
    {
        return rewrite(inputs.swap_remove(0), options, origin);
    }
    let mut report = Report::default();
    let (scene, scene::Names { file_stems, model: of_model }) =
        scene::prepare(inputs, model, options, &mut report)?;
    let from_scene = FromScene {
        variant: options.variant.clone(),
        replace_unencodable: options.replace_unencodable,
        keep_constant: options.keep_constant,
        most_frames: options.limits.max_frames,
        shell_m: options.tolerance.unwrap_or_default().shell_m(scene.hierarchy == Hierarchy::Known),
        rounded: true,
        model_name: options.model_name.clone().or(of_model),
        file_stems,
        #[cfg(all(feature = "editing", feature = "research"))]
        figure: onto::lengths(options)?,
        #[cfg(not(all(feature = "editing", feature = "research")))]
        figure: None,
    };
    let to = options.to;
    let before = report.losses.len();
    let composed = if options.sort { None } else { to.compose(&scene, &from_scene, &mut report)? };
    if let Some(main) = composed {
        forget_bounds_of_more(&mut report, before);
        let report = ConversionReport::new(origin, to, &scene, report);
        return Ok(Conversion { output: Pieces { main, resources: Vec::new() }, report });
    }
    let mut document = to.from_scene(&scene, &from_scene, &mut report)?;
    forget_bounds_of_more(&mut report, before);
    if options.sort {
        to.edit(&mut document, &Edit { sort: true, ..Edit::default() }, &mut report)?;
    }
    let report = ConversionReport::new(origin, to, &scene, report);
    // Large ones are there once already, as the document.
    drop(scene);
    finish(&document, options, report)
}

/// Leaves out bounds of what was measured before a format approximated more, which they do not hold. Those that nothing was measured
/// beside are said to be of what came before.
fn forget_bounds_of_more(report: &mut Report, before: usize) {
    let (measured, of_format) = report.losses.split_at_mut(before);
    if of_format.iter().any(|loss| matches!(loss, Loss::Approximated { .. })) {
        for loss in measured {
            match loss {
                Loss::Approximated { bound, .. } => *bound = None,
                Loss::Bounded { what, .. } => what.push_str(", before the format's own rounding"),
                _ => {}
            }
        }
    }
}

fn check_variant(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let Some(variant) = &options.variant else { return Ok(()) };
    let info = options.to.info();
    match VariantWords::parse(info.variants, options.to.variant_words(), variant) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::Usage(format!("after {}@: {error}", info.id))),
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

fn check_show_bones(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let info = options.to.info();
    if options.show_bones && !info.capabilities.parts.meshes {
        return Err(Error::Usage(format!("{} holds no meshes, so bones cannot be shown in it", info.id)));
    }
    Ok(())
}

fn check_model_name(options: &ConvertOptions<'_>) -> Result<(), Error> {
    let info = options.to.info();
    if options.model_name.is_some() && !info.capabilities.parts.model_name {
        return Err(Error::Usage(format!("{} does not say which model a motion is for", info.id)));
    }
    Ok(())
}

/// Within a format everything happens on the document, so that nothing else changes.
fn rewrite(
    input: Cow<'_, Opened>,
    options: &ConvertOptions<'_>,
    origin: Origin,
) -> Result<Conversion<Pieces>, Error> {
    let (mut document, mut report) = match input {
        Cow::Borrowed(input) => (Cow::Borrowed(&input.document), input.report.clone()),
        Cow::Owned(input) => (Cow::Owned(input.document), input.report),
    };
    let edit =
        Edit { variant: options.variant.clone(), sort: options.sort, model_name: options.model_name.clone() };
    if edit.is_empty() {
        // Losses are of operations that changed it.
        if report.losses.is_empty() {
            report.kept("everything: the document is written as it was read");
        }
    } else {
        let before = edit.variant.as_ref().and_then(|_| rewritten::carried(&document));
        options.to.edit(document.to_mut(), &edit, &mut report)?;
        let after = before.as_ref().and_then(|_| rewritten::carried(&document));
        if let (Some(before), Some(after)) = (before, after) {
            rewritten::report(&before, &after, &options.tolerance.unwrap_or_default(), &mut report);
        }
    }
    let report = ConversionReport::of_document(origin, options.to, &document, report);
    finish(&document, options, report)
}

fn attach(
    inputs: Vec<Cow<'_, Opened>>,
    model: Option<Cow<'_, Opened>>,
    target: &Opened,
    options: &ConvertOptions<'_>,
    origin: Origin,
) -> Result<Conversion<Pieces>, Error> {
    let info = target.format().info();
    if !info.capabilities.attaches {
        let what = format!("{} files cannot take clips from other files{}", info.id, way_out(info, target));
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    }
    let mut report = target.report.clone();
    let (scene, scene::Names { file_stems, .. }) = scene::prepare(inputs, model, options, &mut report)?;
    let attach = Attach {
        names: options.names_into().into_owned(),
        replace: options.replace,
        keep_constant: options.keep_constant,
        file_stems,
    };
    let mut document = target.document.clone();
    let added = target.format().attach(&mut document, &scene, &attach, &mut report)?;
    let report =
        ConversionReport { clips: added, ..ConversionReport::new(origin, options.to, &scene, report) };
    drop(scene);
    finish(&document, options, report)
}

/// The way out where a file of figures takes no clips by name.
fn way_out(info: &FormatInfo, target: &Opened) -> String {
    let is_figure = info.capabilities.humanoid || info.capabilities.parts.hierarchy;
    if is_figure {
        format!("; --onto {} puts the motion of a human figure onto its own", target.name)
    } else {
        String::new()
    }
}

fn finish(
    document: &AnyDocument,
    options: &ConvertOptions<'_>,
    report: ConversionReport,
) -> Result<Conversion<Pieces>, Error> {
    let write = WriteOptions { file_name: options.file_name.clone() };
    let output = options.to.write(document, &write)?;
    Ok(Conversion { output: output.into(), report })
}
