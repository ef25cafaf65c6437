//! The scene of a file, for display.

use crate::convert::hierarchy_unknown;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound;
use crate::models::bound::{Model, wants_rig};
use crate::models::muscles::note_muscles;
use crate::models::puppet::assume_standard_model;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{NameMap, ToScene};
use dopesheet_core::model::{Hierarchy, Scene};

/// The scene of a motion on its model, after documented repairs, in the source's axes and with the model's
/// rig.
///
/// Without a given model, a motion that means something only on a model of MikuMikuDance plays on the
/// built-in puppet, and the report says so.
///
/// # Errors
/// If a document cannot be interpreted.
pub fn show(
    opened: &Opened,
    model: Option<&Opened>,
    names: &NameMap,
    report: &mut Report,
) -> Result<Scene, Error> {
    let assumed = match model {
        None if wants_rig(&opened.format().info().capabilities) => assume_standard_model(report).ok(),
        _ => None,
    };
    let mut model = model.or(assumed.as_ref()).map(|model| Model::read(model, false)).transpose()?;
    let scene = bound::scene(opened, model.as_mut(), names, &ToScene::default(), report)?;
    if scene.hierarchy == Hierarchy::Unknown && scene.nodes.len() > 1 {
        report.warn(hierarchy_unknown(&scene));
    }
    note_muscles(&scene.clips, report);
    Ok(scene)
}
