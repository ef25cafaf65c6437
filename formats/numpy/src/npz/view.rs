//! Arrays under the names stated by the caller.

use super::document::Document;
use std::borrow::Cow;

/// The word for assumptions about names of arrays.
pub(super) const ARRAYS: &str = "arrays";

/// A document with its arrays under the names stated by the caller.
pub(super) fn of(document: &Document) -> Cow<'_, Document> {
    let Some(pairs) = document.assumed.get(ARRAYS).and_then(name_pairs) else {
        return Cow::Borrowed(document);
    };
    let has = |name: &str| document.array(name).is_some();
    // A name that the file has is never given to another array.
    let pairs: Vec<_> = pairs.into_iter().filter(|(ours, theirs)| !has(ours) && has(theirs)).collect();
    if pairs.is_empty() {
        return Cow::Borrowed(document);
    }
    let name = |theirs: String| {
        let ours = pairs.iter().find(|pair| pair.1 == theirs).map(|pair| pair.0.to_owned());
        ours.unwrap_or(theirs)
    };
    let arrays = document.arrays().map(|(theirs, array)| (name(theirs), array.clone()));
    Cow::Owned(Document { assumed: document.assumed.clone(), ..Document::of_arrays(arrays) })
}

/// The names of `positions:kp3d+fps:rate`: ours, and the file's.
pub(super) fn name_pairs(text: &str) -> Option<Vec<(&str, &str)>> {
    let pair =
        |part| str::split_once(part, ':').filter(|(ours, theirs)| !ours.is_empty() && !theirs.is_empty());
    text.split('+').map(pair).collect()
}
