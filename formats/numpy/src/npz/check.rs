//! All faults and remarkable facts of a document.

use super::array::{Array, Dtype};
use super::codes;
use super::document::{Archive, Content, Document, File, Stream};
use super::layout::{Finding, interpret};
use super::write;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Check, SightingsByCode};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;
use std::collections::HashSet;

pub(super) fn check(document: &Document, report: &mut Report) {
    let places = MemberOffsets::of(document);
    let mut sightings = SightingsByCode::default();
    if let File::Npz(archive) = &document.file {
        members(archive, &places, &mut sightings);
    }
    for (at, (name, array)) in arrays(document) {
        array_itself(array, &name, places.start(at), &mut sightings);
        if array.dtype == Dtype::Object {
            sightings.add(codes::OBJECT_ARRAY, || {
                let actual = format!("a pickle of {}", counted(array.data.len(), "byte"));
                Fault::new("", places.start(at), "elements that are not Python objects", actual).at_path(name)
            });
        }
    }
    if let File::Pickle(pickled) = &document.file
        && pickled.trailing > 0
    {
        let actual = counted(pickled.trailing, "byte");
        sightings.add(codes::TRAILING_BYTES, || {
            Fault::new("", Place::File, "the end of the file after the pickle", actual)
        });
    }
    sightings.report(report);
    for finding in interpret(document).findings {
        let fault = fault(document, &places, &finding);
        report.push(finding.check.severity, fault);
    }
}

/// A finding as a fault with its place.
fn fault(document: &Document, places: &MemberOffsets, finding: &Finding) -> Fault {
    let stored = arrays(document).filter(|(_, (name, _))| *name == finding.array).last();
    let position = match stored {
        Some((at, (_, array))) => places.element(document, at, array, finding.element),
        None => Place::File,
    };
    Fault::new(finding.check.code, position, finding.expected.clone(), finding.found.clone())
        .at_path(finding.path.clone())
}

/// All arrays with the positions of their members.
fn arrays(document: &Document) -> impl Iterator<Item = (usize, (String, &Array))> {
    let (single, members) = match &document.file {
        File::Npy(array) => (Some(array), &[][..]),
        File::Npz(archive) => (None, &archive.members[..]),
        File::Pickle(_) => (None, &[][..]),
    };
    let members = members.iter().enumerate();
    let named = members.filter_map(|(at, member)| Some((at, (member.key(), member.array()?))));
    single.into_iter().map(|array| (0, (String::new(), array))).chain(named)
}

/// Offsets of the members in the file.
struct MemberOffsets(Vec<u64>);

impl MemberOffsets {
    fn of(document: &Document) -> Self {
        Self(match &document.file {
            File::Npy(_) => vec![0],
            File::Npz(archive) => write::starts(archive),
            File::Pickle(_) => Vec::new(),
        })
    }

    fn start(&self, member: usize) -> Place {
        self.0.get(member).map_or(Place::File, |start| Place::Byte(ByteOffset(*start)))
    }

    /// Place of an element; of a compressed array, the place of its stream.
    fn element(&self, document: &Document, member: usize, array: &Array, element: Option<usize>) -> Place {
        let is_compressed = match &document.file {
            File::Npz(archive) => {
                archive.members.get(member).is_some_and(|stored| stored.stream != Stream::Stored)
            }
            File::Npy(_) | File::Pickle(_) => false,
        };
        let (Some(start), Some(element), false) = (self.0.get(member), element, is_compressed) else {
            return self.start(member);
        };
        let header =
            write::npy(array).map_or(0, |bytes| bytes.len() - array.data.len() - array.trailing.len());
        let size = array.dtype.element_bytes().unwrap_or(0);
        let at = array.place_of(element).saturating_mul(size).saturating_add(header);
        Place::Byte(ByteOffset(start.saturating_add(at as u64)))
    }
}

fn members(archive: &Archive, places: &MemberOffsets, sightings: &mut SightingsByCode) {
    let mut seen = HashSet::new();
    for (at, member) in archive.members.iter().enumerate() {
        let name = String::from_utf8_lossy(&member.name).into_owned();
        let mut say = |check: Check, expected: &'static str, actual: String| {
            sightings.add(check, || Fault::new("", places.start(at), expected, actual).at_path(name.clone()));
        };
        if matches!(member.content, Content::Other(_)) {
            say(codes::NOT_AN_ARRAY, "arrays (.npy)", format!("\"{}\"", name.escape_debug()));
        }
        if !member.gap.is_empty() {
            say(codes::GAP, "no bytes between the members", counted(member.gap.len(), "byte"));
        }
        if !seen.insert(&member.name) {
            say(codes::DUPLICATE_NAME, "different names", format!("\"{}\"", name.escape_debug()));
        }
    }
    if !archive.before_directory.is_empty() {
        let actual = counted(archive.before_directory.len(), "byte");
        sightings.add(codes::GAP, || {
            Fault::new("", Place::File, "the directory directly after the last member", actual)
        });
    }
    if !archive.end.trailing.is_empty() {
        let actual = counted(archive.end.trailing.len(), "byte");
        sightings.add(codes::TRAILING_BYTES, || {
            Fault::new("", Place::File, "the end of the file after the archive", actual)
        });
    }
}

fn array_itself(array: &Array, name: &str, place: Place, sightings: &mut SightingsByCode) {
    let mut say = |check: Check, expected: &'static str, actual: String| {
        sightings.add(check, || Fault::new("", place.clone(), expected, actual).at_path(name));
    };
    if !array.trailing.is_empty() {
        say(
            codes::TRAILING_BYTES,
            "the end of the array after its elements",
            counted(array.trailing.len(), "byte"),
        );
    }
    if array.fortran_order && array.shape.len() > 1 {
        say(
            codes::FORTRAN_ORDER,
            "arrays whose last index runs fastest",
            "an array whose first index does".into(),
        );
    }
    if array.dtype.is_big_endian() {
        say(codes::BIG_ENDIAN, "numbers with their lowest byte first", array.dtype.to_string());
    }
}
