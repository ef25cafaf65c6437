//! GLB: glTF 2.0 JSON and its first buffer in one binary file.

pub use crate::container::{Chunk, Container};

use crate::container;
use crate::gltf::{self, Document, GLB_CHECKS, Wrapper, both_containers};
use dopesheet_core::diag::{ConvertError, Fault, ReadError, Report, Subject, WriteError};
use dopesheet_core::format::{
    Attach, Confidence, Edit, Format, FormatInfo, FromScene, Hint, KeyStorage, Magic, Output, ReadOptions,
    ResourceName, Role, Source, Summary, ToScene, WriteOptions, check_length,
};
use dopesheet_core::model::Scene;

/// glTF 2.0 in its binary container.
#[derive(Clone, Copy, Debug)]
pub struct Glb;

impl Format for Glb {
    type Document = Document;

    const INFO: FormatInfo = FormatInfo {
        id: container::FORMAT_ID,
        name: "glTF 2.0, binary (GLB)",
        extensions: &["glb"],
        magics: &[Magic { offset: 0, bytes: container::MAGIC }],
        role: Role::Scene,
        specifications: gltf::SPECIFICATIONS,
        variants: gltf::VARIANTS,
        capabilities: gltf::CAPABILITIES,
        checks: GLB_CHECKS,
    };

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        match head.starts_with(container::MAGIC) {
            true => Confidence::Certain,
            false if hint.is_one_of(Self::INFO.extensions) => Confidence::ByName,
            false => Confidence::No,
        }
    }

    fn wants(main: &[u8]) -> Vec<ResourceName> {
        container::json(main).map(gltf::wants).unwrap_or_default()
    }

    fn read(source: &Source<'_>, options: &ReadOptions, _report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, gltf::LIMIT, source, &options.limits)?;
        let split = container::split(source.main).map_err(|fault| ReadError::new(Self::INFO.id, *fault))?;
        gltf::read(split.json, Wrapper::Binary(split.container), source, options)
            .map_err(|fault| ReadError::new(Self::INFO.id, *fault))
    }

    fn write(document: &Document, _: &WriteOptions) -> Result<Output, WriteError> {
        match &document.container {
            gltf::DocumentContainer::Binary(chunks) => {
                let main = container::join(&document.json, chunks);
                Ok(Output { main, resources: gltf::resources(document) })
            }
            gltf::DocumentContainer::Text => {
                let packed =
                    gltf::as_binary(document).map_err(|fault| WriteError::new(Self::INFO.id, *fault))?;
                Self::write(&packed, &WriteOptions::default())
            }
        }
    }

    fn check(document: &Document, report: &mut Report) {
        if let gltf::DocumentContainer::Binary(chunks) = &document.container {
            chunks.check(&document.json, report);
        }
        gltf::check(document, report);
    }

    fn compose(
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Option<Vec<Vec<u8>>>, ConvertError> {
        gltf::compose(Self::INFO.id, scene, options, report).map(Some)
    }

    both_containers!();
}
