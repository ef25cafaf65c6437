//! A motion as a scene, on its model if it has one.

use crate::error::Error;
use crate::open::Opened;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{NameMap, ToScene};
use dopesheet_core::model::Scene;
use dopesheet_motion::bind;
use dopesheet_motion::bind::skip_first_node;

/// The scene of a motion; with a model, the model's with the motion's clips on its nodes.
pub(crate) fn scene(
    motion: &Opened,
    model: Option<&Opened>,
    names: &NameMap,
    options: &ToScene,
    report: &mut Report,
) -> Result<Scene, Error> {
    let format = motion.format();
    // Which node is the first is a matter of the motion alone, so it goes before anything is bound.
    let as_read = ToScene { skip_first: false, ..options.clone() };
    let mut scene = match model {
        Some(model) => format.to_scene_on(&motion.document, &model.document, &as_read, report)?,
        None => format.to_scene(&motion.document, &as_read, report)?,
    };
    if options.skip_first {
        skip_first_node(&mut scene);
    }
    let Some(model) = model else { return Ok(scene) };
    let of_model = ToScene { as_stored: options.as_stored, ..ToScene::default() };
    let model = model.format().to_scene(&model.document, &of_model, report)?;
    Ok(bind(scene, model, names, report))
}
