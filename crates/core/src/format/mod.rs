//! The interface of a format, and its description.

mod assume;
mod capabilities;
mod codes;
pub mod container;
mod distinct;
mod erased;
mod forward;
mod held;
mod info;
mod most_frames;
mod options;
#[cfg(feature = "pictures")]
pub mod pictures;
mod safe_name;
mod sightings;
mod source;
mod storage;
mod variant;

pub use assume::{Assumable, Assumptions, NotAnAssumption};
pub use capabilities::{Capabilities, Clips, Compositions, KeyLayout, LawSet, NameRule, Parts};
pub use container::{Container, ContainerError, ContainerLimits, Containers, Listing, Storage};
pub use distinct::DistinctNames;
pub use erased::{AnyDocument, AnyFormat, RestFrom, ToScene};
pub use held::Held;
pub use info::{Check, FormatInfo, Magic, Role, Summary, Variant};
pub use most_frames::{MostFrames, within};
pub use options::{Attach, Edit, FromScene, NameMap, ReadOptions, WriteOptions};
pub use sightings::{Sightings, SightingsByCode};
pub use source::{Confidence, Hint, Limits, Output, Pieces, ResourceName, Source, joined};
pub use storage::{KeyCost, KeyStorage, Rounding, TimeRounding};
pub use variant::{UnknownVariant, VariantWords};

use crate::diag::{ConvertError, ConvertErrorKind, Fault, Place, ReadError, Report, Subject, WriteError};
use crate::model::{NodeIndex, Scene};
use crate::words::counted;
use std::borrow::Cow;

/// A file format: bytes ⇄ document ⇄ scene.
///
/// The law of identity: `write(read(bytes)) == bytes` for every accepted file, rebuilt from the document's
/// fields, unless the document is [read only](Format::read_only). Reading is structural truth only and never
/// repairs; [`Format::to_scene`] interprets, repairs and reports the repairs.
pub trait Format: Send + Sync + 'static {
    /// The file's contents unchanged: public, plain data.
    type Document: Clone + Send + Sync + std::fmt::Debug + 'static;

    /// Description of the format.
    const INFO: FormatInfo;

    /// Confidence that `head` (the first few KiB, or all) is a file of this format. Looks at the bytes first.
    fn probe(head: &[u8], hint: &Hint) -> Confidence;

    /// Other files that the main file needs; the caller fetches them (disk, archive, browser).
    fn wants(main: &[u8]) -> Vec<ResourceName> {
        let _ = main;
        Vec::new()
    }

    /// Facts that files of the format may leave open and [`Format::assume`] states.
    fn assumable() -> &'static [Assumable] {
        &[]
    }

    /// Bytes to document.
    ///
    /// # Errors
    /// The first structural fault; with [`ReadOptions::lenient`], intact parts are kept and the rest is
    /// reported.
    fn read(
        source: &Source<'_>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Self::Document, ReadError>;

    /// Document to bytes: the inverse of [`Format::read`].
    ///
    /// # Errors
    /// If the document holds values that the format cannot express, or is [read only](Format::read_only).
    fn write(document: &Self::Document, options: &WriteOptions) -> Result<Output, WriteError>;

    /// Refusal to write or edit a document that holds less than its file; `None` for all documents from which
    /// [`Format::write`] rebuilds their file.
    fn read_only(document: &Self::Document) -> Option<Fault> {
        let _ = document;
        None
    }

    /// All faults and oddities of a document.
    fn check(document: &Self::Document, report: &mut Report);

    /// The target and time at the place of a fault of a document; `None` for files without motion, and for
    /// faults of reading that have no position in the document.
    fn subject(document: &Self::Document, fault: &Fault) -> Option<Subject> {
        let _ = (document, fault);
        None
    }

    /// Version and variant of a document, and contents that a scene does not hold.
    fn summary(document: &Self::Document) -> Summary;

    /// Document to scene: interprets laws and names, repairs, and reports the repairs.
    ///
    /// # Errors
    /// If the document makes no sense as a scene.
    fn to_scene(
        document: &Self::Document,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError>;

    /// Scene to document. The caller has brought the scene within [`FormatInfo::capabilities`].
    ///
    /// # Errors
    /// If the format is read only, or holds nothing of the scene.
    fn from_scene(
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Self::Document, ConvertError> {
        let _ = (scene, options, report);
        Err(unsupported(&Self::INFO, "is read only; it cannot be written from another format"))
    }

    /// Scene to the bytes of a file without resources, in pieces: the result of [`Format::write`] for the
    /// document of [`Format::from_scene`], but without the document, which would hold everything once more.
    /// `None` for formats that cannot.
    ///
    /// # Errors
    /// As [`Format::from_scene`].
    fn compose(
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Option<Vec<Vec<u8>>>, ConvertError> {
        let _ = (scene, options, report);
        Ok(None)
    }

    /// The features of a scene that a variant can hold: [`FormatInfo::capabilities`], or less.
    fn capabilities(scene: &Scene, variant: Option<&str>) -> Capabilities {
        let _ = (scene, variant);
        Self::INFO.capabilities
    }

    /// True if [`Format::edit`] converts a document of another variant to this variant. If variants hold
    /// different things, a document becomes a scene on the way instead.
    fn edits_variants(variant: &str) -> bool {
        let _ = variant;
        true
    }

    /// True if a variant gives bones the lengths of another figure ([`FromScene::figure`]).
    fn takes_figure(variant: Option<&str>) -> bool {
        let _ = variant;
        false
    }

    /// Words that may follow a variant after `@`, or stand there alone, with commas between; see
    /// [`VariantWords`].
    fn variant_words() -> &'static [Variant] {
        &[]
    }

    /// Storage of the values of keys in a variant.
    fn storage(variant: Option<&str>) -> KeyStorage {
        let _ = variant;
        KeyStorage::default()
    }

    /// The nodes whose poses a file of this format holds in world space, each by itself, although their
    /// parents in the scene move or do not rest at the origin. Conversion puts them into the world before the
    /// call of [`Format::from_scene`].
    fn in_world(scene: &Scene) -> Vec<NodeIndex> {
        let _ = scene;
        Vec::new()
    }

    /// Removes tracks for which a file of this format has no room, whatever its [`Capabilities`] say, and
    /// reports them. Conversion calls this after [`Format::in_world`] and before keys are chosen, so that
    /// exactly the written tracks are counted as kept.
    fn leave_out(scene: &mut Scene, report: &mut Report) {
        let _ = (scene, report);
    }

    /// The names that [`Format::from_scene`] gives to the nodes of a scene, in the scene's order.
    fn node_names(scene: &Scene) -> Vec<String> {
        scene.nodes.iter().map(|node| Self::stored_name(&node.name).into_owned()).collect()
    }

    /// Spelling of a name in a file of this format: cut, or with other characters, if the format has no room
    /// for the whole name.
    fn stored_name(name: &str) -> Cow<'_, str> {
        Cow::Borrowed(name)
    }

    /// Notes facts in a document that the file leaves open. They do not change the written bytes.
    ///
    /// # Errors
    /// If a fact is missing from [`Format::assumable`], or its value makes no sense.
    fn assume(document: &mut Self::Document, facts: &Assumptions) -> Result<(), ConvertError> {
        let _ = document;
        match facts.is_empty() {
            true => Ok(()),
            false => Err(unsupported(&Self::INFO, "leaves nothing open that could be assumed")),
        }
    }

    /// Changes a document without leaving the format.
    ///
    /// # Errors
    /// If the format does not know the edit.
    fn edit(document: &mut Self::Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
        let _ = (document, edit, report);
        Err(unsupported(&Self::INFO, "knows no such edit"))
    }

    /// For each clip of a scene passed to [`Format::update`], and each of its tracks: the precision with
    /// which the document takes all keys of the track, although a new file of the format may not. `before` is
    /// the scene made from the document. Clips and tracks that are left out are limited by
    /// [`FormatInfo::capabilities`] alone.
    #[must_use]
    fn held(_document: &Self::Document, _before: &Scene, _scene: &Scene) -> Vec<Vec<Held>> {
        Vec::new()
    }

    /// Updates a document to a scene that was made from it with [`ToScene::keep_sources`] and has changed
    /// since: differences are written back, and everything else stays to the byte. Keys are paired with the
    /// document's keys by [`Curve::sources`](crate::model::Curve::sources), never by name or value. The
    /// caller has brought the scene within [`FormatInfo::capabilities`], and the scene plays as
    /// [`ToScene::as_stored`] says.
    ///
    /// A format without its own update writes the document anew and reports [`WRITTEN_ANEW`].
    ///
    /// # Errors
    /// As [`Format::from_scene`].
    fn update(
        document: &mut Self::Document,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<(), ConvertError> {
        *document = Self::from_scene(scene, options, report)?;
        warn_written_anew(report);
        Ok(())
    }

    /// Adds the clips of a scene to a document, matching nodes by name. Yields the names of the added clips,
    /// in order; empty for clips without a name.
    ///
    /// # Errors
    /// If the format does not attach, or no name matches.
    fn attach(
        document: &mut Self::Document,
        scene: &Scene,
        options: &Attach,
        report: &mut Report,
    ) -> Result<Vec<String>, ConvertError> {
        let _ = (document, scene, options, report);
        Err(unsupported(&Self::INFO, "cannot take clips from other files"))
    }
}

/// Code of the finding about a document of which an edit keeps only the scene.
pub const WRITTEN_ANEW: &str = "written-anew";

/// Reports that an edit wrote a document anew ([`WRITTEN_ANEW`]).
pub fn warn_written_anew(report: &mut Report) {
    let expected = "only what changed to be written";
    let found = "a file that is written anew, without what it holds besides the motion";
    report.warn(Fault::new(WRITTEN_ANEW, Place::File, expected, found));
}

fn unsupported(info: &FormatInfo, what: &str) -> ConvertError {
    ConvertError::new(info.id, ConvertErrorKind::Unsupported(format!("{} {what}", info.name)))
}

/// Refuses a file that is longer than the caller allows.
///
/// # Errors
/// A fault with the format's own `code`.
pub fn check_length(
    info: &FormatInfo,
    code: crate::diag::Code,
    source: &Source<'_>,
    limits: &Limits,
) -> Result<(), ReadError> {
    if source.main.len() as u64 <= limits.max_bytes {
        return Ok(());
    }
    let expected = format!("at most {} (the limit in force)", counted(limits.max_bytes, "byte"));
    let fault = Fault::new(code, Place::File, expected, counted(source.main.len(), "byte"));
    Err(ReadError::new(info.id, fault))
}
