//! Exports of the file that is shown: in other formats, and as pictures.

use crate::choices::Change;
use crate::document::Document;
use crate::inputs::Inputs;
use dopesheet::core::format::Output;
use dopesheet::draw::{Drawing, Stage, Theme, View, raster};
use dopesheet::edit::Editable;
use dopesheet::{
    ClipChoice, ConvertOptions, Error, NameMap, PlotOptions, RenderOptions, Report, convert,
    convert::settings, core::format::AnyFormat, plot, registry, render, render::RenderForm,
    render::picture_to_png,
};

/// The formats that files can be written in, and that of a figure that takes the motion, if it takes clips.
pub(crate) fn targets(figure: Option<&Document>) -> impl Iterator<Item = &'static dyn AnyFormat> {
    let figure_format = figure.map(|figure| figure.opened.format().info().id);
    let is_target = move |format: &&dyn AnyFormat| {
        let info = format.info();
        info.capabilities.writes || (info.capabilities.attaches && figure_format == Some(info.id))
    };
    registry::formats().iter().copied().filter(is_target)
}

/// The name of what is made of a document.
pub(crate) fn name(document: &Document, extension: &str) -> String {
    format!("{}.{extension}", document.opened.stem())
}

/// A document in another format and variant, as `dopesheet convert` writes it with the same settings (words, and what each is given) and the
/// same map of names. If there is a figure, it takes the motion.
pub(crate) fn converted(
    inputs: &Inputs,
    (format, variant): (&str, Option<&str>),
    file_name: &str,
    asked: &[(String, String)],
    names: &[(String, String)],
) -> Result<(Output, Report), Error> {
    let mut options = ConvertOptions::to(registry::wanted(format)?);
    options.variant = variant.map(str::to_owned);
    options.file_name = Some(file_name.to_owned());
    let document = &inputs.document;
    options.model = inputs.model.as_ref().filter(|_| document.wants_model()).map(|model| &model.opened);
    options.onto = inputs.figure.as_ref().map(|figure| &figure.opened);
    options.names = NameMap::new(names.iter().cloned());
    for (id, value) in asked {
        let setting = settings().iter().find(|setting| setting.id == id);
        let setting = setting.ok_or_else(|| Error::Usage(format!("unknown setting \"{id}\"")))?;
        setting.set(&mut options, value)?;
    }
    let conversion = convert(&[&document.opened], &options)?;
    Ok((conversion.output, conversion.report.report))
}

/// A document in its own format after operations, as `dopesheet edit` writes it.
pub(crate) fn edited(document: &Document, changes: &[Change]) -> Result<(Output, Report), Error> {
    let mut file = Editable::new(document.opened.clone());
    for (word, options) in changes {
        file = file.after((word, options), &[], &ClipChoice::All)?;
    }
    let opened = file.opened()?;
    let mut options = ConvertOptions::to(opened.format());
    options.file_name = Some(document.name().to_owned());
    let conversion = convert(&[&*opened], &options)?;
    Ok((conversion.output, conversion.report.report))
}

/// The dope sheet of a clip as SVG.
pub(crate) fn sheet(document: &Document, clip: usize) -> Result<Output, Error> {
    let options = PlotOptions { clip: choice(clip), ..PlotOptions::default() };
    Ok(Output::new(plot(&document.opened, &options)?.into_bytes()))
}

/// A clip as a loop, seen as a whole.
pub(crate) fn animated(
    document: &Document,
    model: Option<&Document>,
    clip: usize,
    form: RenderForm,
    background: [u8; 4],
) -> Result<Output, Error> {
    let options = RenderOptions {
        form,
        clip: choice(clip),
        model: model.filter(|_| document.wants_model()).map(|model| &model.opened),
        background,
        ..RenderOptions::default()
    };
    Ok(Output::new(render(&document.opened, &options)?.bytes))
}

/// The view as PNG.
pub(crate) fn picture(
    stage: &Stage,
    drawings: &[&Drawing],
    view: &View,
    size: [u32; 2],
    theme: &Theme,
) -> Result<Output, Error> {
    let picture = raster::raster(drawings, stage.textures(), view, size, theme.background);
    Ok(Output::new(picture_to_png(&picture, theme.background)?))
}

fn choice(clip: usize) -> ClipChoice {
    if clip == 0 { ClipChoice::First } else { ClipChoice::Position(clip) }
}
