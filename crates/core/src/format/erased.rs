//! The object-safe twin of [`Format`], so that a registry is a plain static slice.

use super::{
    Assumable, Assumptions, Attach, Capabilities, Confidence, Edit, Format, FormatInfo, FromScene, Hint,
    KeyStorage, Output, ReadOptions, ResourceName, Source, Summary, ToScene, WriteOptions,
};
use crate::diag::{ConvertError, ConvertErrorKind, Fault, ReadError, Report, Subject, WriteError};
use crate::model::{NodeIndex, Scene};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;

/// A document of some format.
pub struct AnyDocument {
    format: &'static dyn AnyFormat,
    document: Box<dyn AnyClone>,
}

/// What every document can do, whatever its type.
trait AnyClone: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn AnyClone>;
}

impl<T: Any + Clone + Send + Sync> AnyClone for T {
    fn clone_box(&self) -> Box<dyn AnyClone> {
        Box::new(self.clone())
    }
}

impl Clone for AnyDocument {
    fn clone(&self) -> Self {
        Self { format: self.format, document: (*self.document).clone_box() }
    }
}

impl AnyDocument {
    /// The format that read or made it.
    #[must_use]
    pub fn format(&self) -> &'static dyn AnyFormat {
        self.format
    }

    /// The document, if it is of format `F`.
    #[must_use]
    pub fn downcast_ref<F: Format>(&self) -> Option<&F::Document> {
        (&*self.document as &dyn Any).downcast_ref()
    }
}

impl fmt::Debug for dyn AnyFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.info().id).finish()
    }
}

impl fmt::Debug for AnyDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyDocument").field("format", &self.format.info().id).finish_non_exhaustive()
    }
}

/// [`Format`] with documents of unknown type. Implemented for every format; see there for the meaning and the errors
/// of each method.
///
/// Handing a document to a format that did not make it is an `Unsupported` error, never a panic.
#[expect(
    clippy::wrong_self_convention,
    reason = "the names are those of `Format`, whose methods take no self"
)]
pub trait AnyFormat: Send + Sync {
    /// [`Format::INFO`].
    fn info(&self) -> &'static FormatInfo;
    /// [`Format::probe`].
    fn probe(&self, head: &[u8], hint: &Hint) -> Confidence;
    /// [`Format::wants`].
    fn wants(&self, main: &[u8]) -> Vec<ResourceName>;
    /// [`Format::assumable`].
    fn assumable(&self) -> &'static [Assumable];
    /// [`Format::read`].
    fn read(
        &'static self,
        source: &Source<'_>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<AnyDocument, ReadError>;
    /// Whether a document is of this format, or of a sibling that has the same documents (as `gltf` and `glb` have).
    fn takes(&self, document: &AnyDocument) -> bool;
    /// [`Format::write`].
    fn write(&self, document: &AnyDocument, options: &WriteOptions) -> Result<Output, WriteError>;
    /// [`Format::into_output`].
    fn into_output(&self, document: AnyDocument, options: &WriteOptions) -> Result<Output, WriteError>;
    /// [`Format::check`].
    fn check(&self, document: &AnyDocument, report: &mut Report);
    /// [`Format::subject`].
    fn subject(&self, document: &AnyDocument, fault: &Fault) -> Option<Subject>;
    /// [`Format::summary`].
    fn summary(&self, document: &AnyDocument) -> Summary;
    /// [`Format::to_scene`].
    fn to_scene(
        &self,
        document: &AnyDocument,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError>;
    /// [`Format::to_scene_on`] if both documents are of this format, else [`Format::to_scene`].
    fn to_scene_on(
        &self,
        document: &AnyDocument,
        model: &AnyDocument,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError>;
    /// [`Format::from_scene`].
    fn from_scene(
        &'static self,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<AnyDocument, ConvertError>;
    /// [`Format::compose`].
    fn compose(
        &self,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Option<Vec<Vec<u8>>>, ConvertError>;
    /// [`Format::capabilities`].
    fn capabilities(&self, scene: &Scene, variant: Option<&str>) -> Capabilities;
    /// [`Format::edits_variants`].
    fn edits_variants(&self) -> bool;
    /// [`Format::storage`].
    fn storage(&self, variant: Option<&str>) -> KeyStorage;
    /// [`Format::in_world`].
    fn in_world(&self, scene: &Scene) -> Vec<NodeIndex>;
    /// [`Format::node_names`].
    fn node_names(&self, scene: &Scene) -> Vec<String>;
    /// [`Format::stored_name`].
    fn stored_name<'a>(&self, name: &'a str) -> Cow<'a, str>;
    /// [`Format::assume`].
    fn assume(&self, document: &mut AnyDocument, facts: &Assumptions) -> Result<(), ConvertError>;
    /// [`Format::edit`].
    fn edit(&self, document: &mut AnyDocument, edit: &Edit, report: &mut Report) -> Result<(), ConvertError>;
    /// [`Format::attach`].
    fn attach(
        &self,
        document: &mut AnyDocument,
        scene: &Scene,
        options: &Attach,
        report: &mut Report,
    ) -> Result<Vec<String>, ConvertError>;
}

impl<F: Format> AnyFormat for F {
    fn info(&self) -> &'static FormatInfo {
        const { &F::INFO }
    }

    fn probe(&self, head: &[u8], hint: &Hint) -> Confidence {
        F::probe(head, hint)
    }

    fn wants(&self, main: &[u8]) -> Vec<ResourceName> {
        F::wants(main)
    }

    fn assumable(&self) -> &'static [Assumable] {
        F::assumable()
    }

    fn read(
        &'static self,
        source: &Source<'_>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<AnyDocument, ReadError> {
        Ok(AnyDocument { format: self, document: Box::new(F::read(source, options, report)?) })
    }

    fn takes(&self, document: &AnyDocument) -> bool {
        document.downcast_ref::<F>().is_some()
    }

    fn write(&self, document: &AnyDocument, options: &WriteOptions) -> Result<Output, WriteError> {
        match document.downcast_ref::<F>() {
            Some(document) => F::write(document, options),
            None => Err(WriteError::new(F::INFO.id, foreign_fault(document))),
        }
    }

    fn into_output(&self, document: AnyDocument, options: &WriteOptions) -> Result<Output, WriteError> {
        let foreign = foreign_fault(&document);
        match (document.document as Box<dyn Any>).downcast::<F::Document>() {
            Ok(document) => F::into_output(*document, options),
            Err(_) => Err(WriteError::new(F::INFO.id, foreign)),
        }
    }

    fn check(&self, document: &AnyDocument, report: &mut Report) {
        match document.downcast_ref::<F>() {
            Some(document) => F::check(document, report),
            None => report.error(foreign_fault(document)),
        }
    }

    fn subject(&self, document: &AnyDocument, fault: &Fault) -> Option<Subject> {
        document.downcast_ref::<F>().and_then(|document| F::subject(document, fault))
    }

    fn summary(&self, document: &AnyDocument) -> Summary {
        document.downcast_ref::<F>().map(F::summary).unwrap_or_default()
    }

    fn to_scene(
        &self,
        document: &AnyDocument,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError> {
        let own = document.downcast_ref::<F>().ok_or_else(|| foreign::<F>(document))?;
        F::to_scene(own, options, report)
    }

    fn to_scene_on(
        &self,
        document: &AnyDocument,
        model: &AnyDocument,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<Scene, ConvertError> {
        let own = document.downcast_ref::<F>().ok_or_else(|| foreign::<F>(document))?;
        match model.downcast_ref::<F>() {
            Some(model) => F::to_scene_on(own, model, options, report),
            None => F::to_scene(own, options, report),
        }
    }

    fn from_scene(
        &'static self,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<AnyDocument, ConvertError> {
        Ok(AnyDocument { format: self, document: Box::new(F::from_scene(scene, options, report)?) })
    }

    fn compose(
        &self,
        scene: &Scene,
        options: &FromScene,
        report: &mut Report,
    ) -> Result<Option<Vec<Vec<u8>>>, ConvertError> {
        F::compose(scene, options, report)
    }

    fn capabilities(&self, scene: &Scene, variant: Option<&str>) -> Capabilities {
        F::capabilities(scene, variant)
    }

    fn edits_variants(&self) -> bool {
        F::edits_variants()
    }

    fn storage(&self, variant: Option<&str>) -> KeyStorage {
        F::storage(variant)
    }

    fn in_world(&self, scene: &Scene) -> Vec<NodeIndex> {
        F::in_world(scene)
    }

    fn node_names(&self, scene: &Scene) -> Vec<String> {
        F::node_names(scene)
    }

    fn stored_name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        F::stored_name(name)
    }

    fn assume(&self, document: &mut AnyDocument, facts: &Assumptions) -> Result<(), ConvertError> {
        F::assume(own_mut::<F>(document)?, facts)
    }

    fn edit(&self, document: &mut AnyDocument, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
        F::edit(own_mut::<F>(document)?, edit, report)
    }

    fn attach(
        &self,
        document: &mut AnyDocument,
        scene: &Scene,
        options: &Attach,
        report: &mut Report,
    ) -> Result<Vec<String>, ConvertError> {
        F::attach(own_mut::<F>(document)?, scene, options, report)
    }
}

fn own_mut<F: Format>(document: &mut AnyDocument) -> Result<&mut F::Document, ConvertError> {
    let error = foreign::<F>(document);
    (&mut *document.document as &mut dyn Any).downcast_mut().ok_or(error)
}

fn foreign<F: Format>(document: &AnyDocument) -> ConvertError {
    let what = format!("expected a {} document, found one of {}", F::INFO.id, document.format.info().id);
    ConvertError::new(F::INFO.id, ConvertErrorKind::Unsupported(what))
}

fn foreign_fault(document: &AnyDocument) -> Fault {
    let place = crate::diag::Place::File;
    Fault::new("foreign-document", place, "a document of this format", document.format.info().id)
}
