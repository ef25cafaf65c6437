//! Contents of an archive, until the user has chosen the files to open.

use crate::files::document::Document;

/// Contents of an archive, until the user has chosen the files to open.
#[derive(Debug)]
pub(crate) struct Offer {
    /// Name of the archive.
    pub(crate) archive: String,
    pub(crate) entries: Vec<Entry>,
}

/// A file of an archive, not open yet.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Path of the file in the archive.
    pub(crate) path: String,
    /// True to open the file.
    pub(crate) is_chosen: bool,
    document: Document,
}

impl Offer {
    /// The chosen documents.
    pub(crate) fn chosen(self) -> Vec<Document> {
        self.entries.into_iter().filter(|entry| entry.is_chosen).map(|entry| entry.document).collect()
    }

    /// True if anything is to be opened.
    pub(crate) fn has_choice(&self) -> bool {
        self.entries.iter().any(|entry| entry.is_chosen)
    }
}

/// Sets aside documents of archives with several files, for the user's choice. The other documents, also of archives with one
/// file, are opened at once.
pub(crate) fn set_aside(documents: Vec<Document>) -> (Vec<Document>, Vec<Offer>) {
    let (mut rest, mut offers) = (Vec::new(), Vec::<Offer>::new());
    for document in documents {
        let Some((archive, path)) = document.entry.clone() else {
            rest.push(document);
            continue;
        };
        let entry = Entry { path, is_chosen: false, document };
        match offers.iter_mut().find(|offer| offer.archive == archive) {
            Some(offer) => offer.entries.push(entry),
            None => offers.push(Offer { archive, entries: vec![entry] }),
        }
    }
    let (alone, offers): (Vec<Offer>, Vec<Offer>) =
        offers.into_iter().partition(|offer| offer.entries.len() == 1);
    rest.extend(alone.into_iter().flat_map(|offer| offer.entries).map(|entry| entry.document));
    (rest, offers)
}
