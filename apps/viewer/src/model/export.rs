//! Exports of the shown file: in other formats, and as pictures.

use crate::files::choices::{Change, Names, map};
use crate::files::document::Document;
use crate::files::inputs::Inputs;
use dopesheet::core::format::Output;
use dopesheet::draw::View;
use dopesheet::edit::Editable;
use dopesheet::{
    ClipChoice, ConvertOptions, Error, PlotOptions, RenderOptions, Report, TimeSpec, convert,
    convert::settings, core::format::AnyFormat, plot, registry, render, render::RenderForm, times::TimeValue,
};
use glam::Vec3;

/// Time between the pictures of a loop, in seconds: a time that GIF can state exactly.
const STEP_S: f64 = 0.04;

/// The contents of a loop, and the eye that sees them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shot {
    pub(crate) clip: usize,
    /// The first and the last time, in seconds.
    pub(crate) range: [f64; 2],
    pub(crate) size_px: [u32; 2],
    pub(crate) background: [u8; 4],
    /// Position of the eye at the first time and of its target, in metres, and half the field of view as its tangent.
    pub(crate) eye: [f32; 7],
    /// Position of the scene's camera in use instead.
    pub(crate) camera: Option<usize>,
    /// True if the eye goes along with the figure.
    pub(crate) follows: bool,
}

/// The formats with a writer, and the format of the figure that takes the motion if clips can be attached to its files.
pub(crate) fn targets(figure: Option<&Document>) -> impl Iterator<Item = &'static dyn AnyFormat> {
    let figure_format = figure.map(|figure| figure.opened.format().info().id);
    let is_target = move |format: &&dyn AnyFormat| {
        let info = format.info();
        info.capabilities.writes || (info.capabilities.attaches && figure_format == Some(info.id))
    };
    registry::formats().iter().copied().filter(is_target)
}

/// The name of a file made of a document: the document's stem with an extension.
pub(crate) fn name(document: &Document, extension: &str) -> String {
    format!("{}.{extension}", document.opened.stem())
}

/// The name of what a figure makes of a document's motion, if there is a figure.
pub(crate) fn name_on(document: &Document, figure: Option<&Document>, extension: &str) -> String {
    match figure {
        Some(figure) => format!("{} on {}.{extension}", document.opened.stem(), figure.opened.stem()),
        None => name(document, extension),
    }
}

/// A document in another format and variant, as written by `dopesheet convert` with the same settings (words with their values) and the same
/// map of names. If there is a figure, the figure takes the motion.
pub(crate) fn converted(
    inputs: &Inputs,
    format: &str,
    variant: Option<&str>,
    file_name: &str,
    asked: &[(String, String)],
    names: &Names,
) -> Result<(Output, Report), Error> {
    let mut options = ConvertOptions::to(registry::wanted(format)?);
    options.variant = variant.map(str::to_owned);
    options.file_name = Some(file_name.to_owned());
    let document = &inputs.document;
    options.model = inputs.model.as_ref().filter(|_| document.wants_model()).map(|model| &model.opened);
    options.onto = inputs.figure.as_ref().map(|figure| &figure.opened);
    options.names = map(names);
    for (id, value) in asked {
        let setting = settings().iter().find(|setting| setting.id == id);
        let setting = setting.ok_or_else(|| Error::Usage(format!("unknown setting \"{id}\"")))?;
        setting.set(&mut options, value)?;
    }
    let conversion = convert(&[&document.opened], &options)?;
    Ok((conversion.output, conversion.report.report))
}

/// A document in its own format after operations, as written by `dopesheet edit`.
pub(crate) fn edited(document: &Document, changes: &[Change]) -> Result<(Output, Report), Error> {
    let mut file = Editable::new(document.opened.clone());
    for (word, options) in changes {
        file = file.after(word, options, &[], &ClipChoice::All)?;
    }
    let opened = file.opened()?;
    let mut options = ConvertOptions::to(opened.format());
    options.file_name = Some(document.name().to_owned());
    let conversion = convert(&[&*opened], &options)?;
    Ok((conversion.output, conversion.report.report))
}

/// The dope sheet of a clip as SVG.
pub(crate) fn sheet(document: &Document, clip: usize) -> Result<Output, Error> {
    let options = PlotOptions { clip: choice(document, clip), ..PlotOptions::default() };
    Ok(Output::new(plot(&document.opened, &options)?.into_bytes()))
}

/// A clip as a looping animated picture.
pub(crate) fn animated(inputs: &Inputs, form: RenderForm, shot: &Shot) -> Result<Output, Error> {
    let Inputs { document, model, .. } = inputs;
    let [start, end] = shot.range.map(TimeValue::Seconds);
    let [x, y, z, to_x, to_y, to_z, tan_half] = shot.eye;
    let options = RenderOptions {
        form,
        times: Some(TimeSpec::Steps { start, end, step: TimeValue::Seconds(STEP_S) }),
        size: shot.size_px,
        view: Some(View::new(Vec3::new(x, y, z), Vec3::new(to_x, to_y, to_z), Vec3::Y, tan_half)),
        camera: shot.camera,
        follows: shot.follows,
        background: shot.background,
        clip: choice(document, shot.clip),
        model: model.as_ref().filter(|_| document.wants_model()).map(|model| &model.opened),
        ..RenderOptions::default()
    };
    Ok(Output::new(render(&document.opened, &options)?.bytes))
}

fn choice(document: &Document, clip: usize) -> ClipChoice {
    let has_clip = document.info().as_ref().is_ok_and(|info| clip < info.clips.len());
    if has_clip { ClipChoice::Position(clip) } else { ClipChoice::First }
}
