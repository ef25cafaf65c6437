//! An animation as rendered pictures: side by side, or in sequence.

mod apng;
mod encoding;
mod gif;
mod options;
mod pictures;
mod sheet;

pub use options::{RenderForm, RenderOptions, background};
pub use sheet::picture_to_png;

use super::show::shown;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::muscles::refuse_muscles_alone;
use crate::playing::on_model::OnModel;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_draw::Stage;
use pictures::Pictures;

/// A file of pictures.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The file.
    pub bytes: Vec<u8>,
    /// Pixels across and down; of the whole sheet if pictures stand side by side.
    pub size_px: [u32; 2],
    /// When each picture is, in seconds.
    pub times_s: Vec<f64>,
    /// Everything assumed, repaired and left out.
    pub report: Report,
}

/// Draws a clip of a file. All pictures have the same camera, placed to keep all of the movement in view.
///
/// Meshes are drawn deformed and textured, or else skeletons, hands, cameras, lights and rays; always the
/// ground with a grid of 1, 2 or 5 times a power of ten metres, and a bar with the picture's position in the
/// clip. A file without clips is drawn once, at rest. A motion of MikuMikuDance without a model plays on the
/// built-in puppet.
///
/// # Errors
/// If the document cannot be interpreted, the clip does not exist or moves nothing but muscles of a human
/// figure, the times make no sense for the clip or for a loop, or there are more or larger pictures than
/// [`RenderOptions`] allows.
pub fn render(opened: &Opened, options: &RenderOptions<'_>) -> Result<Rendered, Error> {
    options.check_size()?;
    let mut report = Report::default();
    let clip = options.refuses_lost.then_some(&options.clip);
    let (model, onto, limits) = (options.model, options.onto, &options.limits);
    let on_model = OnModel { motion: opened, model, onto, names: &options.names, clip, limits };
    let mut scene = shown(&on_model, &mut report)?;
    let clip = options.clip.take(&mut scene)?.unwrap_or_default();
    refuse_muscles_alone(std::slice::from_ref(&clip))?;
    let times = options.times(&clip)?;
    let stage = Stage::new(scene.into(), clip.into());
    let pictures = Pictures::new(&stage, &times, options);
    let (bytes, size_px) = match options.form {
        RenderForm::Sheet => sheet::png(&pictures, options)?,
        RenderForm::Gif => (gif::gif(&pictures)?, options.size),
        RenderForm::Apng => (apng::apng(&pictures)?, options.size),
    };
    if !pictures.are_complete() {
        let expected = "a scene whose triangles cover each picture a few hundred times at most";
        let fault =
            Fault::new("picture-incomplete", Place::File, expected, "more, so that the rest is left out");
        report.warn(fault);
    }
    let times_s = times.iter().map(|time| time.0).collect();
    Ok(Rendered { bytes, size_px, times_s, report })
}
