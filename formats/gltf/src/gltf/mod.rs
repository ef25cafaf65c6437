//! glTF 2.0 as JSON text, and all that both containers share.

mod accessor;
mod attach;
mod check;
mod checks;
mod document;
mod from_scene;
mod matrix;
mod parse;
pub mod parts;
mod place;
mod read;
mod resolve;
mod to_scene;
mod uri;
mod write;

pub(crate) use attach::attach;
pub(crate) use check::check;
pub(crate) use checks::{GLB_CHECKS, glb_code};
pub use document::{BufferData, Container as DocumentContainer, Document};
pub(crate) use from_scene::from_scene;
pub(crate) use read::{Wrapper, read, wants};
pub(crate) use to_scene::to_scene;
pub(crate) use write::resources;

use checks::{GLTF_CHECKS, code};
use dopesheet_core::diag::{Code, ConvertError, Fault, Place, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Attach, Capabilities, Clips, Confidence, Format, FormatInfo, FromScene, Hint, KeyLayout, LawSet,
    NameRule, Output, Parts, ReadOptions, ResourceName, Role, Source, Summary, ToScene, WriteOptions,
    check_length,
};
use dopesheet_core::model::{Basis, PoseRelation, Scene};

/// Where the format is described.
pub(crate) const SPECIFICATIONS: &[&str] = &[
    "https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html",
    "https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_animation_pointer",
    "https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_lights_punctual",
];

/// The code for files that ask for too much.
pub(crate) const LIMIT: Code = code::LIMIT;

const LAWS: LawSet =
    LawSet { step: true, linear: true, hermite: true, bezier_timing: false, mixed: false };

/// What both containers can hold.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    writes: true,
    attaches: true,
    clips: Clips::Many,
    basis: Some(Basis::GLTF),
    relation: PoseRelation::Absolute,
    parts: Parts {
        hierarchy: true,
        translation: true,
        rotation: true,
        scale: true,
        morph_tracks: false,
        weight_vectors: true,
        cameras: true,
        orbits: false,
        lights: true,
        markers: true,
        custom_tracks: true,
        meshes: true,
    },
    vector_laws: LAWS,
    rotation_laws: LAWS,
    grid: None,
    negative_times: false,
    layout: KeyLayout::PerChannel,
    names: NameRule::Any,
};

/// glTF 2.0 as JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Gltf;

impl Format for Gltf {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: "gltf",
        name: "glTF 2.0",
        extensions: &["gltf"],
        magics: &[],
        role: Role::Scene,
        specifications: SPECIFICATIONS,
        variants: &[],
        capabilities: CAPABILITIES,
        checks: GLTF_CHECKS,
    };

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        let named = hint.is_one_of(Self::INFO.extensions);
        let has = |word: &str| head.windows(word.len()).any(|window| window == word.as_bytes());
        let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start();
        match text.first() {
            Some(b'{') if has("\"asset\"") && has("\"version\"") => Confidence::Certain,
            Some(b'{') if has("\"bufferViews\"") && has("\"accessors\"") => Confidence::Certain,
            Some(b'{') if named => Confidence::Plausible,
            _ if named => Confidence::ByName,
            _ => Confidence::No,
        }
    }

    fn wants(main: &[u8]) -> Vec<ResourceName> {
        wants(main)
    }

    fn read(
        source: &Source<'_>,
        options: &ReadOptions,
        _report: &mut Report,
    ) -> Result<Document, ReadError> {
        check_length(&Self::INFO, LIMIT, source, &options.limits)?;
        read(source.main, Wrapper::Text, source, options)
            .map_err(|fault| ReadError::new(Self::INFO.id, *fault))
    }

    fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
        match document.container {
            DocumentContainer::Text => Ok(write::write_text(document, options)),
            DocumentContainer::Binary(_) => {
                Err(WriteError::new(Self::INFO.id, wrong_container("a .gltf", "a GLB")))
            }
        }
    }

    fn check(document: &Document, report: &mut Report) {
        check(document, report);
    }

    fn summary(document: &Document) -> Summary {
        summary(document)
    }

    fn to_scene(
        document: &Document,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError> {
        to_scene(Self::INFO.id, document, options, report)
    }

    fn from_scene(
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Document, ConvertError> {
        from_scene(Self::INFO.id, scene, options, report)
    }

    fn attach(
        document: &mut Document,
        scene: &Scene,
        options: &Attach,
        report: &mut Report,
    ) -> Result<(), ConvertError> {
        attach(Self::INFO.id, document, scene, options, report)
    }
}

/// The fault of a document that belongs to the other container.
pub(crate) fn wrong_container(expected: &'static str, found: &'static str) -> Fault {
    Fault::new("foreign-document", Place::File, expected, found)
}

/// What both containers say of a document.
pub(crate) fn summary(document: &Document) -> Summary {
    let parts = &document.parts;
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    facts.extend(parts.asset.generator.clone().map(|generator| ("generator", generator)));
    for (name, count) in [
        ("nodes", parts.nodes.len()),
        ("meshes", parts.meshes.len()),
        ("skins", parts.skins.len()),
        ("cameras", parts.cameras.len()),
        ("lights", parts.lights.len()),
        ("animations", parts.animations.len()),
        ("accessors", parts.accessors.len()),
    ] {
        facts.push((name, count.to_string()));
    }
    for (name, extensions) in
        [("extensions used", &parts.extensions_used), ("extensions required", &parts.extensions_required)]
    {
        if !extensions.is_empty() {
            facts.push((name, extensions.join(", ")));
        }
    }
    Summary { version: Some(parts.asset.version.clone()), variant: None, facts }
}
