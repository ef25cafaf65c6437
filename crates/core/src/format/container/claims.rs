//! Entries of an archive that are never extracted, because they conflict with earlier entries.

use super::{Entry, Listing};
use crate::diag::Code;
use crate::words::counted;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The word for an entry whose bytes overlap another entry's.
pub const ENTRY_OVERLAP: Code = "entry-overlap";
/// The word for an entry with another entry's path.
pub const DUPLICATE_ENTRY_NAME: Code = "duplicate-entry-name";
/// The word for an entry whose path differs from another entry's by case alone.
pub const NAME_CASE: Code = "name-case";
/// The word for an entry with a name that must not be written.
pub const UNSAFE_NAME: Code = "unsafe-name";

/// The reason why an entry is listed and never taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Stable word for this kind of reason.
    pub code: Code,
    /// The reason, as a phrase.
    pub why: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.why, self.code)
    }
}

/// Bytes and paths of the entries of an archive so far.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// Start and end of the claimed stretches of bytes, which never overlap.
    bytes: BTreeMap<u64, u64>,
    /// Paths in lower case, and each in the spelling of its first entry.
    paths: HashMap<String, String>,
}

impl Claims {
    /// Claims the bytes and the path of an entry; the reason if the entry may not be extracted.
    pub(super) fn claim(&mut self, listing: &Listing, entry: &Entry) -> Option<Refused> {
        let overlaps = self.overlaps(entry);
        let path = listing.path(entry);
        let twin = self.paths.get(&path.to_lowercase());
        let refused = match (listing.safe_components(entry), twin) {
            (Err(refused), _) => Some(Refused { code: UNSAFE_NAME, why: refused.to_string() }),
            (Ok(_), Some(twin)) if *twin == path => Some(Refused {
                code: DUPLICATE_ENTRY_NAME,
                why: "an entry before it has the same name".into(),
            }),
            (Ok(_), Some(twin)) => {
                let twin = twin.escape_debug();
                let why = format!("its name is that of \"{twin}\" on systems to which case means nothing");
                Some(Refused { code: NAME_CASE, why })
            }
            (Ok(_), None) if overlaps > 0 => {
                let why = format!("{} of it belong to entries before it", counted(overlaps, "byte"));
                Some(Refused { code: ENTRY_OVERLAP, why })
            }
            (Ok(_), None) => None,
        };
        if overlaps == 0 && entry.range.start < entry.range.end {
            self.bytes.insert(entry.range.start, entry.range.end);
        }
        self.paths.entry(path.to_lowercase()).or_insert(path);
        refused
    }

    /// True if no entry before has any of the bytes of `entry`.
    pub(super) fn are_free(&self, entry: &Entry) -> bool {
        self.overlaps(entry) == 0
    }

    /// Number of bytes that an entry shares with the nearest claimed stretch; 0 only if it shares none with
    /// any.
    fn overlaps(&self, entry: &Entry) -> u64 {
        let (start, end) = (entry.range.start, entry.range.end);
        // Those that are taken do not overlap, so that of all that start before the end the last one reaches farthest.
        let last = self.bytes.range(..end).next_back();
        last.map_or(0, |(from, to)| end.min(*to).saturating_sub(start.max(*from)))
    }
}
