//! Report of a conversion.

pub(super) mod repetitions;
pub(super) mod rewritten;
pub(super) mod told;

use crate::convert::report::repetitions::once;
use crate::files::read::Opened;
use crate::models::bound::stored;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{AnyDocument, AnyFormat};
use dopesheet_core::model::{Basis, Clip, Hierarchy, Scene};
use std::borrow::Cow;

/// Report of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversionReport {
    /// The caller's names of the inputs.
    pub inputs: Vec<String>,
    /// Ids of the inputs' formats, each once.
    pub from: Vec<&'static str>,
    /// Id of the output format.
    pub to: &'static str,
    /// Origin of the parents of nodes.
    pub hierarchy: Hierarchy,
    /// Names of the written clips; empty for clips without a name.
    pub clips: Vec<String>,
    /// Number of targets moved by the clips, all together.
    pub tracks: usize,
    /// Number of keys of all channels together.
    pub keys: usize,
    /// Findings and losses, each once.
    pub report: Report,
}

/// Facts about the inputs.
pub(in crate::convert) struct Origin {
    names: Vec<String>,
    formats: Vec<&'static str>,
}

impl Origin {
    pub(in crate::convert) fn of(inputs: &[Cow<'_, Opened>]) -> Self {
        let mut formats: Vec<_> = inputs.iter().map(|input| input.format().info().id).collect();
        formats.dedup();
        Self { names: inputs.iter().map(|input| input.name.clone()).collect(), formats }
    }
}

impl ConversionReport {
    /// Report of a scene that was written.
    pub(in crate::convert) fn new(origin: Origin, to: &dyn AnyFormat, scene: &Scene, report: Report) -> Self {
        Self {
            inputs: origin.names,
            from: origin.formats,
            to: to.info().id,
            hierarchy: scene.hierarchy,
            clips: scene.clips.iter().map(|clip| clip.name.clone().unwrap_or_default()).collect(),
            tracks: scene.clips.iter().map(|clip| clip.tracks.len()).sum(),
            keys: scene.clips.iter().map(Clip::key_count).sum(),
            report: once(report),
        }
    }

    /// Report of a document that was written without becoming a scene.
    pub(in crate::convert) fn of_document(
        origin: Origin,
        to: &dyn AnyFormat,
        document: &AnyDocument,
        report: Report,
    ) -> Self {
        let scene = stored(document);
        // Nothing is known of what no scene can be made of.
        let nothing = || Scene { hierarchy: Hierarchy::Unknown, ..Scene::new(Basis::GLTF) };
        Self::new(origin, to, &scene.unwrap_or_else(|_| nothing()), report)
    }
}
