//! PlayCanvas animation JSON: per node a list of keys with translation, Euler angles and scale.

mod check;
mod codes;
mod context;
mod document;
mod edit;
mod euler;
mod from_scene;
mod keys;
mod read;
mod spans;
mod splice;
mod subject;
mod to_scene;
mod turns;
mod update;
mod write;

pub use document::{Animation, Component, Components, Document, Key, KeyNames, Node, Rotation, Version};

use crate::head::{Head, look};
use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Capabilities, Confidence, Format, FormatInfo, FromScene, Hint, KeyLayout, LawSet, Output, Parts,
    ReadOptions, Role, Source, Summary, ToScene, Variant, WriteOptions,
};
use dopesheet_core::forward;
use dopesheet_core::model::{Basis, Scene};

/// PlayCanvas animation JSON.
#[derive(Clone, Copy, Debug)]
pub struct PlayCanvas;

impl Format for PlayCanvas {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: "playcanvas",
        name: "PlayCanvas animation (JSON)",
        extensions: &["json"],
        magics: &[],
        role: Role::Motion,
        specifications: &[
            "https://github.com/playcanvas/engine/blob/main/src/framework/parsers/json-animation.js",
        ],
        variants: &[
            Variant { name: "4", about: "version 4, numbers exact" },
            Variant { name: "3", about: "version 3 (2012 to 2013): long names, nothing hoisted" },
            Variant { name: "seed", about: "the older shape: no version, no name, an empty `default`" },
            Variant { name: "4-vendor", about: "version 4, six significant digits as the vendor writes" },
        ],
        capabilities: Capabilities {
            basis: Some(Basis::GLTF),
            parts: Parts { translation: true, rotation: true, scale: true, ..Parts::NONE },
            vector_laws: LawSet::LINEAR,
            rotation_laws: LawSet::LINEAR,
            layout: KeyLayout::PerTarget,
            ..Capabilities::ONE_CLIP
        },
        checks: codes::ALL,
    };

    forward! {
        check::check, subject::subject, from_scene::from_scene, from_scene::storage, edit::edit
    }

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        match look(head) {
            Head::Animation => Confidence::Certain,
            // Not ours, but nobody else can say better what is wrong with them.
            Head::Relative | Head::EmptyModel => Confidence::Plausible,
            Head::Unknown if hint.is_one_of(Self::INFO.extensions) => Confidence::ByName,
            Head::Unknown | Head::Model | Head::Gltf | Head::NotJson => Confidence::No,
        }
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        read::read(source, options, report)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        let fail = |fault| WriteError::new(Self::INFO.id, fault);
        splice::text(document).map(|text| Output::new(text.into_owned().into_bytes())).map_err(fail)
    }

    fn summary(document: &Document) -> Summary {
        document.summary()
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document.animation(), options, report))
    }

    fn update(
        document: &mut Document,
        scene: &Scene,
        _: &FromScene,
        report: &mut Report,
    ) -> Result<(), ConvertError> {
        update::update(document, scene, report)
    }
}
