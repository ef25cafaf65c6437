//! Contents of an archive, until somebody says which of them are to be opened.

use crate::document::Document;

/// Contents of an archive, until somebody says which of them are to be opened.
#[derive(Debug)]
pub(crate) struct Offer {
    /// Its name.
    pub(crate) archive: String,
    pub(crate) entries: Vec<Entry>,
}

/// A file of an archive that is not open yet.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its path in the archive.
    pub(crate) path: String,
    /// True if it is to be opened.
    pub(crate) is_chosen: bool,
    document: Document,
}

impl Offer {
    /// The documents that are to be opened.
    pub(crate) fn chosen(self) -> Vec<Document> {
        self.entries.into_iter().filter(|entry| entry.is_chosen).map(|entry| entry.document).collect()
    }

    /// True if anything is to be opened.
    pub(crate) fn has_choice(&self) -> bool {
        self.entries.iter().any(|entry| entry.is_chosen)
    }
}

/// Sets aside what came in archives that hold several files: of one alone there is nothing to choose. The rest is to be opened.
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
