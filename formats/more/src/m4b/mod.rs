//! m4b: archives (BigFile) of Myst IV: Revelation.
//!
//! An index of folders and files stands in front of their bytes. Everything is little-endian, whatever the files hold.
//!
//! [`M4b`] is a [`Format`] whose documents are whole archives, and a [`Container`] that reads no more than the index.
//!
//! ```
//! use dopesheet_core::format::{Containers, Storage};
//! use dopesheet_more::{M4b, m4b::Document};
//!
//! let archive = Document::pack([("anims/door.ubi", &b"..."[..])])?.to_bytes()?;
//! let place = Containers::new(&[&M4b]).locate(&archive.as_slice(), "Anims/Door.ubi")?;
//! assert_eq!(archive.as_slice().bytes(place)?.as_ref(), b"...");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod layout;
mod list;
mod read;
mod to_scene;
mod write;

pub use document::{Directory, Document, File};

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::container::{ContainerError, ContainerLimits, Listing, Storage};
use dopesheet_core::format::{
    Capabilities, Confidence, Container, Format, FormatInfo, Hint, Magic, Output, ReadOptions, Role, Source,
    Summary, ToScene, WriteOptions, check_length,
};
use dopesheet_core::model::Scene;

pub(crate) const ID: &str = "m4b";

/// The format m4b.
#[derive(Clone, Copy, Debug, Default)]
pub struct M4b;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "BigFile archive of Myst IV (m4b)",
    extensions: &["m4b"],
    magics: &[Magic { offset: 0, bytes: layout::SIGNATURE }],
    role: Role::Archive,
    specifications: &[
        "https://github.com/TomahnaProject/tomahna-project-wiki/blob/main/docs/myst4/file-reference/bigfile.md",
    ],
    variants: &[],
    capabilities: Capabilities::READ_ONLY,
    checks: codes::ALL,
};

fn probe(head: &[u8], hint: &Hint) -> Confidence {
    match head.starts_with(layout::SIGNATURE) {
        true => Confidence::Certain,
        false if hint.is_one_of(INFO.extensions) => Confidence::ByName,
        false => Confidence::No,
    }
}

impl Format for M4b {
    type Document = Document;

    const INFO: FormatInfo = INFO;

    fn probe(head: &[u8], hint: &Hint) -> Confidence {
        probe(head, hint)
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source.main, &ContainerLimits::default(), options.lenient, report)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        document.to_bytes().map(Output::new)
    }

    fn check(document: &Document, report: &mut Report) {
        check::check(document, report);
    }

    fn summary(document: &Document) -> Summary {
        let (folders, files) = document.root.count();
        Summary {
            version: Some(layout::VERSION.to_string()),
            variant: None,
            facts: vec![
                ("folders", folders.to_string()),
                ("files", files.to_string()),
                ("bytes of data", document.data.len().to_string()),
            ],
        }
    }

    fn to_scene(document: &Document, _: &ToScene, _: &mut Report) -> Result<Scene, ConvertError> {
        to_scene::to_scene(document)
    }
}

impl Container for M4b {
    fn info(&self) -> &'static FormatInfo {
        const { &INFO }
    }

    fn probe(&self, head: &[u8], hint: &Hint) -> Confidence {
        probe(head, hint)
    }

    fn list(
        &self,
        storage: &dyn Storage,
        limits: &ContainerLimits,
        lenient: bool,
        report: &mut Report,
    ) -> Result<Listing, ContainerError> {
        list::list(storage, limits, lenient, report)
    }

    fn pack(&self, files: &[(&str, &[u8])]) -> Option<Result<Vec<u8>, WriteError>> {
        Some(Document::pack(files.iter().copied()).and_then(|document| document.to_bytes()))
    }
}
