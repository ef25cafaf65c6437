//! An animation as a picture: its dope sheet, and the curves of some channels below the sheet.

mod axis;
mod canvas;
mod curves;
mod law;
mod picture;
mod rows;
mod sheet;

use crate::choice::clip_choice::ClipChoice;
use crate::error::Error;
use crate::files::read::Opened;
use crate::playing::on_model::OnModel;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Limits, NameMap, ToScene};
use picture::picture;
use rows::rows;

/// Options of a plot.
#[derive(Clone, Default)]
pub struct PlotOptions<'a> {
    /// The motion to draw, by position or name.
    pub clip: ClipChoice,
    /// The model that the motion plays on.
    pub model: Option<&'a Opened>,
    /// The figure that the motion is put onto. Without it, the model is that figure if the bones of motion and
    /// model have names of different vocabularies.
    pub onto: Option<&'a Opened>,
    /// Names of the motion → names of the model.
    pub names: NameMap,
    /// True to refuse a motion of which fewer than half of the moving tracks reach the model ([`Error::Lost`]).
    pub refuses_lost: bool,
    /// Filter of targets, and of channels as `target/channel`; `None` draws all rows, and the curves of the
    /// channels with the most motion.
    pub select: Option<&'a dyn Fn(&str) -> bool>,
}

impl std::fmt::Debug for PlotOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlotOptions").field("clip", &self.clip).finish_non_exhaustive()
    }
}

/// Draws a clip of a file as an SVG picture, with keys and values as stored.
///
/// The upper part is the dope sheet: a row for each channel, diamonds for its keys, bars for its motion.
/// Curves follow below: laws that are cubic in time are drawn exactly, with their handles; rotations as
/// rotation vectors in degrees about x, y and z. A line names the parts left out to keep the picture
/// readable.
///
/// # Errors
/// If the document cannot be interpreted, the clip does not exist, or the selection contains no motion.
pub fn plot(opened: &Opened, options: &PlotOptions<'_>) -> Result<String, Error> {
    let read = ToScene { as_stored: true, ..ToScene::default() };
    let clip = options.refuses_lost.then_some(&options.clip);
    let (model, onto, limits) = (options.model, options.onto, &Limits::default());
    let on_model = OnModel { motion: opened, model, onto, names: &options.names, clip, limits };
    let mut scene = on_model.scene(&read, &mut Report::default())?;
    let clip = options.clip.take(&mut scene)?.unwrap_or_default();
    let all = rows(&clip, options);
    if all.is_empty() {
        let what = if options.select.is_some() { "a target or target/channel that is there" } else { "keys" };
        return Err(Error::Usage(format!("expected {what}, found none in {}", opened.name)));
    }
    Ok(picture(&opened.name, &clip, &all, options.select.is_some()))
}
