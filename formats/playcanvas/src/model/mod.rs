//! PlayCanvas model JSON: the hierarchy, skins and meshes for playing animations.

mod check;
mod codes;
mod columns;
mod document;
mod meshes;
mod read;
mod to_scene;
mod write;

pub use document::{
    Attribute, Document, Mesh, MeshInstance, Model, Morph, MorphTarget, Node, Skin, VertexBuffer,
};

use crate::head::{Head, look};
use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Capabilities, Confidence, Format, FormatInfo, Hint, Output, ReadOptions, Role, Source, Summary, ToScene,
    WriteOptions,
};
use dopesheet_core::model::Scene;

/// PlayCanvas model JSON.
#[derive(Clone, Copy, Debug)]
pub struct PlayCanvasModel;

impl Format for PlayCanvasModel {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: "playcanvas-model",
        name: "PlayCanvas model (JSON)",
        extensions: &["json"],
        magics: &[],
        role: Role::Model,
        specifications: &[
            "https://github.com/playcanvas/engine/blob/main/src/framework/parsers/json-model.js",
        ],
        variants: &[],
        capabilities: Capabilities::READ_ONLY,
        checks: codes::ALL,
    };

    fn probe(head: &[u8], _hint: &Hint) -> Confidence {
        match look(head) {
            Head::Model => Confidence::Certain,
            // A skeleton alone; only who asks for a model means this.
            Head::EmptyModel => Confidence::ByName,
            Head::Animation | Head::Relative | Head::Gltf | Head::Unknown | Head::NotJson => Confidence::No,
        }
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        read::read(source, options, report)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        Ok(Output::new(write::text(document).as_bytes().to_vec()))
    }

    fn check(document: &Document, report: &mut Report) {
        check::check(document, report);
    }

    fn summary(document: &Document) -> Summary {
        let model = document.model();
        Summary {
            version: model.version.map(|version| version.to_string()),
            variant: None,
            facts: vec![
                ("nodes", model.nodes.len().to_string()),
                ("skins", model.skins.len().to_string()),
                ("meshes", model.meshes.len().to_string()),
                ("morphs", model.morphs.len().to_string()),
            ],
        }
    }

    fn to_scene(document: &Document, _options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        to_scene::to_scene(document.model(), report)
    }
}
