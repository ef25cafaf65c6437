//! The index as a listing.

use super::document::Directory;
use super::read;
use dopesheet_core::diag::Report;
use dopesheet_core::format::container::{
    ContainerError, ContainerLimits, Entry, Folder, FolderIndex, Listing, Storage,
};

pub(super) fn list(
    storage: &dyn Storage,
    limits: &ContainerLimits,
    lenient: bool,
    report: &mut Report,
) -> Result<Listing, ContainerError> {
    let root = read::index(storage, limits, lenient, report)?;
    let mut listing = Listing::default();
    add(&mut listing, &root, None);
    Ok(listing)
}

fn add(listing: &mut Listing, directory: &Directory, parent: Option<FolderIndex>) {
    let folder = FolderIndex(listing.folders.len());
    listing.folders.push(Folder { name: directory.name.text().into_owned(), parent });
    for inner in &directory.directories {
        add(listing, inner, Some(folder));
    }
    for file in &directory.files {
        let start = u64::from(file.position);
        let range = start..start + u64::from(file.size);
        listing.entries.push(Entry { name: file.name.text().into_owned(), folder, range });
    }
}
