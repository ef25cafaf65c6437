//! `dopesheet extract`

use super::list::open;
use crate::args::ExtractArgs;
use crate::console;
use crate::outcome::Outcome;
use dopesheet::core::words::counted;
use dopesheet::{Error, archive::ArchiveEntry, json::SCHEMA_VERSION, save};
use std::path::Path;

/// Runs `extract`: writes entries of an archive below a folder.
pub(crate) fn run(args: &ExtractArgs) -> Result<Outcome, Error> {
    let pattern = args.glob.as_deref().map(glob::Pattern::new).transpose();
    let pattern = pattern.map_err(|e| Error::Usage(format!("invalid glob pattern: {e}")))?;
    let archive = open(&args.archive, args.lenient)?;
    let entries = archive.entries(false)?;
    let wanted = |e: &&ArchiveEntry| pattern.as_ref().is_none_or(|p| p.matches(&e.path));
    let (mut outcome, mut taken) = (Outcome::Done, 0usize);
    for entry in entries.iter().filter(wanted) {
        // Each entry is refused by itself; the others are not held back by it.
        let done = match &entry.names {
            Ok(names) => {
                archive.bytes(entry).and_then(|bytes| save::below(&args.output, names, &bytes, args.force))
            }
            Err(why) => Err(Error::Usage(format!("not extracted: {why}"))),
        };
        match done {
            Ok(path) => {
                taken += 1;
                if args.json {
                    console::line(&json(entry, &path))?;
                }
            }
            Err(error) => {
                console::complain(&format!("{}: {error}", entry.path.escape_debug()));
                outcome = Outcome::Failed;
            }
        }
    }
    if taken == 0 && outcome == Outcome::Done && pattern.is_some() {
        return Err(Error::Usage(format!("none of {} matches", counted(entries.len(), "entry"))));
    }
    console::say(&format!("{} extracted to {}", counted(taken, "file"), args.output.display()));
    Ok(outcome)
}

fn json(entry: &ArchiveEntry, path: &Path) -> String {
    let document = serde_json::json!({
        "schema_version": SCHEMA_VERSION,
        "path": entry.path,
        "bytes": entry.place.end - entry.place.start,
        "output": path.to_string_lossy(),
    });
    document.to_string()
}
