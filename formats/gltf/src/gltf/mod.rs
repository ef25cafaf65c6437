//! glTF 2.0 as JSON text, and everything shared by both containers.

mod binary;
mod capabilities;
mod check;
mod containers;
mod document;
mod edited;
mod from_scene;
mod json;
mod matrix;
mod picture;
mod read;
mod rotation;
mod subject;
mod summary;
mod to_scene;
mod update;
mod write;

pub(crate) use crate::checks::GLB_CHECKS;
pub(crate) use capabilities::{CAPABILITIES, SPECIFICATIONS};
pub(crate) use check::check;
pub(crate) use containers::both_containers;
pub use document::{BufferData, Container as DocumentContainer, Document};
pub(crate) use edited::extension::{root_extension, with_root_extension};
pub(crate) use edited::repack::as_binary;
pub(crate) use from_scene::{VARIANTS, compose, from_scene, names, storage};
pub use json::parts;
pub(crate) use read::{Wrapper, read, wants};
pub(crate) use subject::subject;
pub(crate) use summary::summary;
pub(crate) use to_scene::to_scene;
pub(crate) use update::attach::attach;
pub(crate) use update::edit::edit;
pub(crate) use update::update;
pub(crate) use write::resources;

use crate::checks::{GLTF_CHECKS, code};
use dopesheet_core::diag::{Code, ConvertError, Fault, ReadError, Report, Subject, WriteError};
use dopesheet_core::format::{
    Attach, Confidence, Edit, Format, FormatInfo, FromScene, Hint, KeyStorage, Output, ReadOptions,
    ResourceName, Role, Source, Summary, ToScene, WriteOptions, check_length,
};
use dopesheet_core::model::Scene;

/// The code for files that exceed a limit.
pub(crate) const LIMIT: Code = code::LIMIT;

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
        variants: VARIANTS,
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

    fn read(source: &Source<'_>, options: &ReadOptions, _report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, LIMIT, source, &options.limits)?;
        read(source.main, Wrapper::Text, source, options)
            .map_err(|fault| ReadError::new(Self::INFO.id, *fault))
    }

    fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
        match document.container {
            DocumentContainer::Text => Ok(write::write_text(document, options)),
            DocumentContainer::Binary(_) => edited::repack::as_text(document)
                .map(|text| write::write_text(&text, options))
                .map_err(|fault| WriteError::new(Self::INFO.id, *fault)),
        }
    }

    fn check(document: &Document, report: &mut Report) {
        check(document, report);
    }

    both_containers!();
}
