//! What a conversion tells.

use super::ConvertOptions;
use crate::open::Opened;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{AnyDocument, ToScene};
use dopesheet_core::model::{Hierarchy, Scene};

/// What a conversion tells.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversionReport {
    /// What the caller calls the inputs.
    pub inputs: Vec<String>,
    /// Ids of the inputs' formats, each once.
    pub from: Vec<&'static str>,
    /// Id of the format that was written.
    pub to: &'static str,
    /// Whether parents of nodes are known.
    pub hierarchy: Hierarchy,
    /// Names of the clips that were written; empty for those without one.
    pub clips: Vec<String>,
    /// Findings and losses.
    pub report: Report,
}

impl ConversionReport {
    pub(super) fn new(
        inputs: &[&Opened],
        document: &AnyDocument,
        options: &ConvertOptions<'_>,
        scene: Option<&Scene>,
        report: Report,
    ) -> Self {
        let own;
        let scene = match scene {
            Some(scene) => Some(scene),
            None => {
                let format = document.format();
                own = format.to_scene(document, &ToScene::default(), &mut Report::default()).ok();
                own.as_ref()
            }
        };
        let mut from: Vec<_> = inputs.iter().map(|i| i.format().info().id).collect();
        from.dedup();
        Self {
            inputs: inputs.iter().map(|i| i.name.clone()).collect(),
            from,
            to: options.to.info().id,
            hierarchy: scene.map_or(Hierarchy::Unknown, |s| s.hierarchy),
            clips: scene.map_or_else(Vec::new, |s| {
                s.clips.iter().map(|c| c.name.clone().unwrap_or_default()).collect()
            }),
            report,
        }
    }
}
