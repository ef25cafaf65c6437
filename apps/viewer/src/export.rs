//! What is shown as files: in other formats, and as pictures.

use crate::document::Document;
use dopesheet::core::format::Output;
use dopesheet::draw::{Drawing, Stage, Theme, View, raster};
use dopesheet::{
    AnyFormat, ClipChoice, ConversionReport, ConvertOptions, Error, PlotOptions, RenderForm, RenderOptions,
    convert, picture_to_png, plot, registry, render,
};

/// The formats that files can be written in.
pub(crate) fn targets() -> impl Iterator<Item = &'static dyn AnyFormat> {
    registry::formats().iter().copied().filter(|format| format.info().capabilities.writes)
}

/// The name of what is made of a document.
pub(crate) fn name(document: &Document, extension: &str) -> String {
    format!("{}.{extension}", document.opened.stem())
}

/// A document in another format, as `dopesheet convert` writes it without further options.
pub(crate) fn converted(
    document: &Document,
    model: Option<&Document>,
    format: &'static dyn AnyFormat,
    file_name: &str,
) -> Result<(Output, ConversionReport), Error> {
    let mut options = ConvertOptions::to(format);
    options.file_name = Some(file_name.to_owned());
    options.model = model.filter(|_| document.wants_model()).map(|model| &model.opened);
    let conversion = convert(&[&document.opened], &options)?;
    Ok((conversion.output, conversion.report))
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
    theme: &Theme,
) -> Result<Output, Error> {
    let options = RenderOptions {
        form,
        clip: choice(clip),
        model: model.filter(|_| document.wants_model()).map(|model| &model.opened),
        background: theme.background,
        ..RenderOptions::default()
    };
    Ok(Output::new(render(&document.opened, &options)?.bytes))
}

/// What is seen, as PNG.
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
