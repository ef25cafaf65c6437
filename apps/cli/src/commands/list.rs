//! `dopesheet list`

use crate::args::ListArgs;
use crate::console;
use crate::outcome::Outcome;
use dopesheet::{Archive, Error, archive::ArchiveEntry, json::SCHEMA_VERSION};
use std::path::Path;

/// Runs `list`: prints the entries of an archive.
pub(crate) fn run(args: &ListArgs) -> Result<Outcome, Error> {
    for entry in open(&args.archive, args.lenient)?.entries(args.recursive)? {
        console::line(&if args.json { json(&args.archive, &entry) } else { text(&entry) })?;
    }
    Ok(Outcome::Done)
}

/// Opens an archive; anything else is wrong usage.
pub(crate) fn open(path: &Path, lenient: bool) -> Result<Archive, Error> {
    let not_one = || Error::Usage(format!("not an archive: {}", path.display()));
    Archive::open(path, lenient)?.ok_or_else(not_one)
}

fn text(entry: &ArchiveEntry) -> String {
    let kind = if entry.is_archive { "  (archive)" } else { "" };
    let refused =
        entry.names.as_ref().err().map(|why| format!("  (never extracted: {why})")).unwrap_or_default();
    format!("{:>12}  {}{kind}{refused}", entry.place.end - entry.place.start, entry.path.escape_debug())
}

fn json(archive: &Path, entry: &ArchiveEntry) -> String {
    let document = serde_json::json!({
        "schema_version": SCHEMA_VERSION,
        "archive": archive.to_string_lossy(),
        "path": entry.path,
        "offset": entry.place.start,
        "bytes": entry.place.end - entry.place.start,
        "is_archive": entry.is_archive,
        "refused": entry.names.as_ref().err().map(|refused| &refused.why),
        "refused_code": entry.names.as_ref().err().map(|refused| refused.code),
    });
    document.to_string()
}
