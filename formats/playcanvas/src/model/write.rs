//! [`Document`](super::Document) to text: as it was read.

use super::document::Document;

pub(super) fn text(document: &Document) -> &str {
    &document.source
}
