//! The ways from inputs to a file.

use super::report::rewritten;
use super::{Conversion, ConvertOptions, Request, scene};
#[cfg(feature = "research")]
use crate::convert::figure::onto;
use crate::convert::report::told::AS_READ;
use crate::convert::report::{ConversionReport, Origin};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Loss, Report};
use dopesheet_core::format::{AnyDocument, Attach, Edit, FormatInfo, FromScene, Pieces, WriteOptions};
use dopesheet_core::model::{Hierarchy, Scene};
use std::borrow::Cow;

/// Within a format all changes are made on the document, so everything else stays as it is.
pub(super) fn rewrite(mut request: Request<'_>) -> Result<Conversion<Pieces>, Error> {
    let (options, origin) = (request.options, Origin::of(&request.inputs));
    let (mut document, mut report) = match request.inputs.swap_remove(0) {
        Cow::Borrowed(input) => (Cow::Borrowed(&input.document), input.report.clone()),
        Cow::Owned(input) => (Cow::Owned(input.document), input.report),
    };
    let edit =
        Edit { variant: options.variant.clone(), sort: options.sort, model_name: options.model_name.clone() };
    if edit.is_empty() {
        // Losses are of operations that changed it.
        if report.losses.is_empty() {
            report.kept(AS_READ);
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
    written(&document, options, report)
}

/// Adds the clips of a scene of all inputs to another file.
pub(super) fn attach(request: Request<'_>, target: &Opened) -> Result<Conversion<Pieces>, Error> {
    let info = target.format().info();
    if !info.capabilities.attaches {
        let what = format!("{} files cannot take clips from other files{}", info.id, way_out(info, target));
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    }
    let (options, origin) = (request.options, Origin::of(&request.inputs));
    let mut report = target.report.clone();
    let (scene, scene::Names { file_stems, .. }) = scene::prepare(request, &mut report)?;
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
    written(&document, options, report)
}

/// The advice if a file of figures takes no clips by name.
fn way_out(info: &FormatInfo, target: &Opened) -> String {
    let is_figure = info.capabilities.humanoid || info.capabilities.parts.hierarchy;
    if is_figure {
        format!("; --onto {} puts the motion of a human figure onto its own", target.name)
    } else {
        String::new()
    }
}

/// Writes a scene of all inputs piece by piece; [through a document](through_document) where the format cannot.
pub(super) fn compose(request: Request<'_>) -> Result<Conversion<Pieces>, Error> {
    let (options, origin) = (request.options, Origin::of(&request.inputs));
    let mut report = Report::default();
    let (scene, scene::Names { file_stems, model: of_model }) = scene::prepare(request, &mut report)?;
    let from_scene = FromScene {
        variant: options.variant.clone(),
        replace_unencodable: options.replace_unencodable,
        keep_constant: options.keep_constant,
        most_frames: options.limits.max_frames,
        shell_m: options.tolerance.unwrap_or_default().shell_m(scene.hierarchy == Hierarchy::Known),
        rounded: true,
        model_name: options.model_name.clone().or(of_model),
        file_stems,
        #[cfg(feature = "research")]
        figure: onto::lengths(options)?,
        #[cfg(not(feature = "research"))]
        figure: None,
    };
    let before = report.losses.len();
    let composed = if options.sort { None } else { options.to.compose(&scene, &from_scene, &mut report)? };
    let Some(main) = composed else { return through_document(scene, &from_scene, options, origin, report) };
    forget_bounds_of_more(&mut report, before);
    let report = ConversionReport::new(origin, options.to, &scene, report);
    Ok(Conversion { output: Pieces { main, resources: Vec::new() }, report })
}

fn through_document(
    scene: Scene,
    from_scene: &FromScene,
    options: &ConvertOptions<'_>,
    origin: Origin,
    mut report: Report,
) -> Result<Conversion<Pieces>, Error> {
    let before = report.losses.len();
    let mut document = options.to.from_scene(&scene, from_scene, &mut report)?;
    forget_bounds_of_more(&mut report, before);
    if options.sort {
        options.to.edit(&mut document, &Edit { sort: true, ..Edit::default() }, &mut report)?;
    }
    let report = ConversionReport::new(origin, options.to, &scene, report);
    // Large ones are there once already, as the document.
    drop(scene);
    written(&document, options, report)
}

/// Removes bounds on measurements made before a format approximated more, because such bounds no longer hold.
/// Bounds without a measured error beside them are marked as bounds before the format's own rounding.
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

fn written(
    document: &AnyDocument,
    options: &ConvertOptions<'_>,
    report: ConversionReport,
) -> Result<Conversion<Pieces>, Error> {
    let write = WriteOptions { file_name: options.file_name.clone() };
    let output = options.to.write(document, &write)?;
    Ok(Conversion { output: output.into(), report })
}
