//! The scene of a file, for display.

use crate::convert::hierarchy_unknown;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound::wants_rig;
use crate::models::muscles::note_muscles;
use crate::models::puppet::assume_standard_model;
use crate::playing::on_model::OnModel;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Limits, NameMap, ToScene};
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
    let limits = &Limits::default();
    shown(&OnModel { motion: opened, model, onto: None, names, clip: None, limits }, report)
}

/// As [`show`], with the clip that is refused if the model loses most of it.
pub(super) fn shown(on_model: &OnModel<'_>, report: &mut Report) -> Result<Scene, Error> {
    let assumed = match on_model.model {
        None if on_model.onto.is_none() && wants_rig(&on_model.motion.format().info().capabilities) => {
            assume_standard_model(report).ok()
        }
        _ => None,
    };
    let scene = match &assumed {
        Some(puppet) => OnModel { model: Some(puppet), clip: None, ..*on_model },
        None => *on_model,
    }
    .scene(&ToScene::default(), report)?;
    if scene.hierarchy == Hierarchy::Unknown && scene.nodes.len() > 1 {
        report.warn(hierarchy_unknown(&scene));
    }
    note_muscles(&scene.clips, report);
    Ok(scene)
}
