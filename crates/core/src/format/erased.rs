//! The object-safe twin of [`Format`], for a registry as a plain static slice, and the options that name its
//! documents.

use super::Held;
use super::{
    Assumable, Assumptions, Attach, Capabilities, Confidence, Edit, Format, FormatInfo, FromScene, Hint,
    KeyStorage, Output, ReadOptions, ResourceName, Source, Summary, Variant, WriteOptions,
};
use crate::diag::{ConvertError, ConvertErrorKind, Fault, ReadError, Report, Subject, WriteError};
use crate::model::{NodeIndex, Scene};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;

/// Rest pose of a motion whose file states none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestFrom {
    /// Translations and scales of the first keys, without any rotation: rotations stay as they are in the file.
    #[default]
    Places,
    /// The whole pose of the first keys.
    First,
}

impl RestFrom {
    /// Words of all.
    pub const WORDS: [(&'static str, Self); 2] = [("places", Self::Places), ("first", Self::First)];
}

/// Options of turning a document into a scene.
#[derive(Clone, Debug, Default)]
pub struct ToScene<'a> {
    /// Interpret the values as they are stored, without documented repairs.
    pub as_stored: bool,
    /// Run angles from frame to frame as written, in formats that state poses on frames alone, and curves as stored between the frames of
    /// recordings. Otherwise joints take the shortest rotation, and all else runs straight.
    pub literal_angles: bool,
    /// Note the position of each key in the document ([`Curve::sources`](crate::model::Curve::sources)), in
    /// formats that [update](super::Format::update) documents key by key.
    pub keep_sources: bool,
    /// Only the numbers and times of keys matter, so that a format need not evaluate what it makes keys of.
    pub counts_alone: bool,
    /// Name for clips without a name: the file's name without extension.
    pub fallback_name: Option<String>,
    /// Pose that counts as the rest pose of a motion without a rest pose and without a model, for readers of the
    /// scene ([`RestPose::Unknown`](crate::model::RestPose::Unknown)).
    pub rest: RestFrom,
    /// Model that a motion plays on, for formats whose motions use names of the same format's models.
    pub model: Option<&'a AnyDocument>,
}

impl ToScene<'_> {
    /// As documents are read to be [updated](super::Format::update): nothing mended, and keys know their places.
    #[must_use]
    pub fn to_update() -> Self {
        Self { as_stored: true, keep_sources: true, ..Self::default() }
    }
}

/// A document of some format.
pub struct AnyDocument {
    format: &'static dyn AnyFormat,
    document: Box<dyn AnyClone>,
}

/// The operations of every document, whatever its type.
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
    /// A document of a format.
    #[must_use]
    pub fn new<F: Format>(format: &'static F, document: F::Document) -> Self {
        Self { format, document: Box::new(document) }
    }

    /// The format that read or made the document.
    #[must_use]
    pub fn format(&self) -> &'static dyn AnyFormat {
        self.format
    }

    /// The document, if it is of format `F`.
    #[must_use]
    pub fn downcast_ref<F: Format>(&self) -> Option<&F::Document> {
        self.get()
    }

    /// The document, if it is of type `D`.
    #[must_use]
    pub fn get<D: Any>(&self) -> Option<&D> {
        (&*self.document as &dyn Any).downcast_ref()
    }

    /// The document for changes, if it is of type `D`. Changes are written and converted.
    #[must_use]
    pub fn get_mut<D: Any>(&mut self) -> Option<&mut D> {
        (&mut *self.document as &mut dyn Any).downcast_mut()
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

/// Declares [`AnyFormat`] and implements the trait for every [`Format`]: `plain` methods, which take no
/// document, and `changing` methods, which change a document, are forwarded unchanged; the others are written
/// out.
macro_rules! any_format {
    (
        plain { $(fn $plain:ident $(<$l:lifetime>)? ($($name:ident: $kind:ty),*) -> $out:ty;)* }
        changing { $(fn $change:ident($($also:ident: $of:ty),*) -> $changed:ty;)* }
        trait { $($declared:tt)* }
        impl { $($written:tt)* }
    ) => {
        /// [`Format`] with documents of unknown type. Implemented for every format, with the meanings and
        /// errors documented there.
        ///
        /// Handing a document to a format that did not make it is an `Unsupported` error, never a panic.
        #[expect(
            clippy::wrong_self_convention,
            reason = "the names are those of `Format`, whose methods take no self"
        )]
        pub trait AnyFormat: Send + Sync {
            $(
                #[doc = concat!("[`Format::", stringify!($plain), "`].")]
                fn $plain $(<$l>)? (&self, $($name: $kind),*) -> $out;
            )*
            $(
                #[doc = concat!("[`Format::", stringify!($change), "`].")]
                fn $change(&self, document: &mut AnyDocument, $($also: $of),*) -> Result<$changed, ConvertError>;
            )*
            $($declared)*
        }

        impl<F: Format> AnyFormat for F {
            $(
                fn $plain $(<$l>)? (&self, $($name: $kind),*) -> $out {
                    F::$plain($($name),*)
                }
            )*
            $(
                fn $change(&self, document: &mut AnyDocument, $($also: $of),*) -> Result<$changed, ConvertError> {
                    F::$change(own_mut::<F>(document)?, $($also),*)
                }
            )*
            $($written)*
        }
    };
}

any_format! {
    plain {
        fn probe(head: &[u8], hint: &Hint) -> Confidence;
        fn wants(main: &[u8]) -> Vec<ResourceName>;
        fn assumable() -> &'static [Assumable];
        fn compose(scene: &Scene, options: &FromScene, report: &mut Report) -> Result<Option<Vec<Vec<u8>>>, ConvertError>;
        fn capabilities(scene: &Scene, variant: Option<&str>) -> Capabilities;
        fn edits_variants(variant: &str) -> bool;
        fn variant_words() -> &'static [Variant];
        fn storage(variant: Option<&str>) -> KeyStorage;
        fn in_world(scene: &Scene) -> Vec<NodeIndex>;
        fn leave_out(scene: &mut Scene, report: &mut Report) -> ();
        fn node_names(scene: &Scene) -> Vec<String>;
        fn stored_name<'a>(name: &'a str) -> Cow<'a, str>;
    }
    changing {
        fn assume(facts: &Assumptions) -> ();
        fn edit(edit: &Edit, report: &mut Report) -> ();
        fn attach(scene: &Scene, options: &Attach, report: &mut Report) -> Vec<String>;
    }
    trait {
        /// [`Format::INFO`].
        fn info(&self) -> &'static FormatInfo;
        /// True for a document of this format, or of a sibling with the same documents (such as `gltf` and
        /// `glb`).
        fn takes(&self, document: &AnyDocument) -> bool;
        /// [`Format::read`].
        fn read(
            &'static self,
            source: &Source<'_>,
            options: &ReadOptions,
            report: &mut Report,
        ) -> Result<AnyDocument, ReadError>;
        /// [`Format::write`].
        fn write(&self, document: &AnyDocument, options: &WriteOptions) -> Result<Output, WriteError>;
        /// [`Format::read_only`].
        fn read_only(&self, document: &AnyDocument) -> Option<Fault>;
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
            options: &ToScene<'_>,
            report: &mut Report,
        ) -> Result<Scene, ConvertError>;
        /// [`Format::from_scene`].
        fn from_scene(
            &'static self,
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<AnyDocument, ConvertError>;
        /// [`Format::takes_figure`].
        fn takes_figure(&self, variant: Option<&str>) -> bool;
        /// [`Format::held`].
        fn held(&self, document: &AnyDocument, before: &Scene, scene: &Scene) -> Vec<Vec<Held>>;
        /// [`Format::update`].
        fn update(
            &self,
            document: &mut AnyDocument,
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<(), ConvertError>;
    }
    impl {
        fn info(&self) -> &'static FormatInfo {
            const { &F::INFO }
        }

        fn takes(&self, document: &AnyDocument) -> bool {
            document.downcast_ref::<F>().is_some()
        }

        fn read(
            &'static self,
            source: &Source<'_>,
            options: &ReadOptions,
            report: &mut Report,
        ) -> Result<AnyDocument, ReadError> {
            F::read(source, options, report).map(|document| AnyDocument::new(self, document))
        }

        fn write(&self, document: &AnyDocument, options: &WriteOptions) -> Result<Output, WriteError> {
            match document.downcast_ref::<F>() {
                Some(document) => F::write(document, options),
                None => Err(WriteError::new(F::INFO.id, foreign_fault(document))),
            }
        }

        fn read_only(&self, document: &AnyDocument) -> Option<Fault> {
            document.downcast_ref::<F>().and_then(F::read_only)
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
            options: &ToScene<'_>,
            report: &mut Report,
        ) -> Result<Scene, ConvertError> {
            let own_document = document.downcast_ref::<F>().ok_or_else(|| foreign::<F>(document))?;
            F::to_scene(own_document, options, report)
        }

        fn from_scene(
            &'static self,
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<AnyDocument, ConvertError> {
            F::from_scene(scene, options, report).map(|document| AnyDocument::new(self, document))
        }

        fn takes_figure(&self, variant: Option<&str>) -> bool {
            F::takes_figure(variant)
        }

        fn held(&self, document: &AnyDocument, before: &Scene, scene: &Scene) -> Vec<Vec<Held>> {
            document.downcast_ref::<F>().map_or_else(Vec::new, |document| F::held(document, before, scene))
        }

        fn update(
            &self,
            document: &mut AnyDocument,
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<(), ConvertError> {
            F::update(own_mut::<F>(document)?, scene, options, report)
        }
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
