//! VRMA: the motion of a human figure, for any avatar in VRM 1.0, as a GLB with the extension `VRMC_vrm_animation`.

mod check;
mod codes;
mod document;
mod from_scene;
mod read;
mod rest;
mod to_scene;
mod update;
mod write;

pub use document::{Document, Extension, LookAt};

use crate::Glb;
use dopesheet_core::diag::{Fault, ReadError, Report, Subject, WriteError};
use dopesheet_core::format::{
    Capabilities, Confidence, Format, FormatInfo, Hint, KeyStorage, LawSet, Output, Parts, ReadOptions, Role,
    Source, Summary, TimeRounding, WriteOptions,
};
use dopesheet_core::forward;
use dopesheet_core::model::Basis;

/// Motion for VRM 1.0 avatars.
#[derive(Clone, Copy, Debug)]
pub struct Vrma;

impl Format for Vrma {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: "vrma",
        name: "VRM animation (VRMA)",
        extensions: &["vrma"],
        magics: &[],
        role: Role::Motion,
        specifications: &[
            "https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm_animation-1.0",
            "https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm-1.0",
        ],
        variants: &[],
        capabilities: Capabilities {
            basis: Some(Basis::GLTF),
            parts: Parts {
                hierarchy: true,
                translation: true,
                rotation: true,
                morph_tracks: true,
                markers: true,
                data: true,
                ..Parts::NONE
            },
            vector_laws: LawSet::LINEAR,
            rotation_laws: LawSet::LINEAR,
            humanoid: true,
            ..Capabilities::ONE_CLIP
        },
        checks: codes::CHECKS,
    };

    forward! { Glb::wants, check::check, to_scene::to_scene, update::update, from_scene::from_scene }

    fn storage(variant: Option<&str>) -> KeyStorage {
        let _ = variant;
        KeyStorage { times: TimeRounding::Single, unit_rotations: true, ..KeyStorage::default() }
    }

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        let named = hint.is_one_of(Self::INFO.extensions);
        let says_so = || head.windows(read::EXTENSION.len()).any(|part| part == read::EXTENSION.as_bytes());
        match Glb::probe(head, &Hint::default()) {
            Confidence::Certain if named || says_so() => Confidence::Certain,
            _ if named => Confidence::ByName,
            _ => Confidence::No,
        }
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        let read_error = |fault| ReadError::new(Self::INFO.id, fault);
        let glb = Glb::read(source, options, report).map_err(|error| read_error(*error.fault))?;
        let document = read::document(glb).map_err(|fault| read_error(*fault))?;
        read::note_version(&document, report);
        Ok(document)
    }

    fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
        write::write(document, options)
    }

    fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
        // Expressions are nodes that move, and faces once they are a scene.
        Some(Subject { channel: None, ..Glb::subject(&document.glb, fault)? })
    }

    fn summary(document: &Document) -> Summary {
        let mut summary = Glb::summary(&document.glb);
        let Some(extension) = &document.extension else { return summary };
        summary.version.clone_from(&extension.spec_version);
        let facts = [
            ("bones", extension.bones.len().to_string()),
            ("expressions", extension.expressions().count().to_string()),
            ("gaze", if extension.look_at.is_some() { "yes" } else { "no" }.to_owned()),
        ];
        summary.facts.splice(0..0, facts);
        summary
    }
}
