//! VRM: a glTF model of a human figure with its bones, faces, springs and terms, as a GLB with the extension `VRMC_vrm` or `VRM`.

mod codes;
mod driven;
mod terms;

pub use driven::driven_nodes;
pub use terms::Terms;

use crate::gltf::{self, Document, both_containers};
use crate::{Glb, container};
use dopesheet_core::diag::{
    ConvertError, ConvertErrorKind, Fault, Place, ReadError, Report, Subject, WriteError,
};
use dopesheet_core::format::{
    Attach, Capabilities, Confidence, Edit, Format, FormatInfo, FromScene, Hint, KeyStorage, Output,
    ReadOptions, ResourceName, Role, Source, Summary, ToScene, WriteOptions,
};
use dopesheet_core::model::Scene;

/// Avatars of VRM 0.x and 1.0.
///
/// A file counts as an avatar by its extension `.vrm`, or, without a name, by the glTF extension: a `.glb`
/// that is an avatar as well stays a GLB.
#[derive(Clone, Copy, Debug)]
pub struct Vrm;

/// The glTF extensions of avatars, the newer first.
const EXTENSIONS: [&str; 2] = ["VRMC_vrm", "VRM"];

/// True if a document is an avatar.
#[must_use]
pub fn is_avatar(document: &Document) -> bool {
    EXTENSIONS.iter().any(|name| gltf::root_extension(document, name).is_some())
}

/// Refuses a document other than an avatar.
fn check_avatar(document: &Document) -> Result<(), Fault> {
    if is_avatar(document) {
        return Ok(());
    }
    let expected = "an avatar, with the extension VRMC_vrm or VRM";
    Err(Fault::new(
        codes::EXTENSION_MISSING.code,
        Place::File,
        expected,
        "a GLB without either, which .glb is for",
    ))
}

impl Format for Vrm {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: "vrm",
        name: "VRM avatar",
        extensions: &["vrm"],
        magics: &[],
        role: Role::Scene,
        specifications: &[
            "https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm-1.0",
            "https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_node_constraint-1.0",
            "https://github.com/vrm-c/vrm-specification/tree/master/specification/0.0",
        ],
        variants: &[],
        capabilities: Capabilities { writes: false, ..gltf::CAPABILITIES },
        checks: codes::CHECKS,
    };

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        let named = hint.is_one_of(Self::INFO.extensions);
        let has = |name: &&str| {
            let word = format!("\"{name}\"");
            head.windows(word.len()).any(|part| part == word.as_bytes())
        };
        match head.starts_with(container::MAGIC) {
            true if named || hint.extension.is_none() && EXTENSIONS.iter().any(has) => Confidence::Certain,
            _ if named => Confidence::ByName,
            _ => Confidence::No,
        }
    }

    fn wants(main: &[u8]) -> Vec<ResourceName> {
        Glb::wants(main)
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        let read_error = |fault| ReadError::new(Self::INFO.id, fault);
        let document = Glb::read(source, options, report).map_err(|error| read_error(*error.fault))?;
        check_avatar(&document).map_err(read_error)?;
        Ok(document)
    }

    fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
        check_avatar(document).map_err(|fault| WriteError::new(Self::INFO.id, fault))?;
        Glb::write(document, options)
    }

    fn check(document: &Document, report: &mut Report) {
        Glb::check(document, report);
        if !document.parts.animations.is_empty() {
            let expected = "motions in files of their own (VRMA), from which players take them";
            let actual = "animations in the avatar";
            report.info(document.fault("/animations", codes::CLIPS.code, expected, actual));
        }
    }

    fn summary(document: &Document) -> Summary {
        let mut summary = gltf::summary(document);
        if let Some(terms) = Terms::of(document) {
            summary.version = Some(format!("VRM {}", terms.version));
            summary.facts.splice(0..0, terms.facts);
        }
        summary
    }

    fn from_scene(_: &Scene, _: &FromScene, _: &mut Report) -> Result<Document, ConvertError> {
        let what = "an avatar is not made of a scene: it is a model with faces, springs and terms";
        Err(ConvertError::new(Self::INFO.id, ConvertErrorKind::Unsupported(what.into())))
    }

    fn update(
        document: &mut Document,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<(), ConvertError> {
        let mut updated = document.clone();
        gltf::update(Self::INFO.id, &mut updated, scene, options, report)?;
        check_avatar(&updated).map_err(|_| {
            let what = "the avatar has no place for this change, which needs the file written anew; convert it to .glb first";
            ConvertError::new(Self::INFO.id, ConvertErrorKind::Unsupported(what.into()))
        })?;
        *document = updated;
        Ok(())
    }

    both_containers!(of documents);
}
