//! [`Document`](super::Document) to text: the text as read.

use super::document::Document;

pub(super) fn text(document: &Document) -> &str {
    &document.source
}
