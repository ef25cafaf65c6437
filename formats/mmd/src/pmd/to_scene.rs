//! Document to scene, by way of the PMX model.

use super::document::Document;
use super::info::ID;
use super::read::read;
use crate::pmx::Pmx;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{Format, ResourceName, ToScene};
use dopesheet_core::model::Scene;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn to_scene(
    document: &Document,
    options: &ToScene,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let lifted = document.lift(report);
    Pmx::to_scene(&lifted, options, report).map_err(|error| ConvertError::new(ID, error.kind))
}

/// The pictures of a file needed by its scene; none for an unreadable file.
pub(super) fn wants(main: &[u8]) -> Vec<ResourceName> {
    let ignored = &mut Report::default();
    read(main, true, ignored).map(|document| document.lift(ignored).wanted_pictures()).unwrap_or_default()
}

/// The loaded files needed by the scene.
pub(super) fn pictures(
    document: &Document,
    loaded: &BTreeMap<ResourceName, Vec<u8>>,
) -> BTreeMap<ResourceName, Arc<[u8]>> {
    if loaded.is_empty() {
        return BTreeMap::new();
    }
    let mut lifted = document.lift(&mut Report::default());
    lifted.keep_pictures(loaded);
    lifted.pictures
}
