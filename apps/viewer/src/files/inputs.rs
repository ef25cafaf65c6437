//! The documents that work is done with.

use crate::files::document::Document;
use std::sync::Arc;

/// The documents that work is done with.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The shown document.
    pub(crate) document: Arc<Document>,
    /// The model under the motions.
    pub(crate) model: Option<Arc<Document>>,
    /// The document to compare with.
    pub(crate) other: Option<Arc<Document>>,
    /// The figure that takes the motion.
    pub(crate) figure: Option<Arc<Document>>,
}

impl Inputs {
    /// All documents, each at a fixed position.
    #[cfg(target_arch = "wasm32")]
    pub(crate) const fn all(&self) -> [Option<&Arc<Document>>; 4] {
        [Some(&self.document), self.model.as_ref(), self.other.as_ref(), self.figure.as_ref()]
    }

    /// True for the same documents.
    pub(crate) fn are(&self, other: &Self) -> bool {
        let same = |a: &Option<Arc<Document>>, b: &Option<Arc<Document>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        Arc::ptr_eq(&self.document, &other.document)
            && same(&self.model, &other.model)
            && same(&self.other, &other.other)
            && same(&self.figure, &other.figure)
    }
}
