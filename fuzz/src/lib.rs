//! Properties that have to hold for any bytes whatever: five targets for a fuzzer, which are plain functions here.
//!
//! An input is a file and nothing else, so that a crash can be looked at with the command line as it is. Every format
//! of the registry is shown every input, strictly and leniently; those that do not claim it refuse it soon.

mod convert;
mod diff;
mod edit;
mod read;
mod roundtrip;
mod scene;

pub use convert::{convert, convert_in_all_ways};
pub use diff::diff;
pub use edit::{edit, edit_in_all_ways};
pub use read::read;
pub use roundtrip::roundtrip;

use dopesheet::{
    Error, Opened, ReadOptions, core::format::AnyFormat, core::format::Limits, core::format::Output, registry,
};
use std::sync::LazyLock;

/// The formats that inputs are read as: those whose ids the environment variable names, separated by commas; all without it.
static FORMATS: LazyLock<Vec<&'static dyn AnyFormat>> = LazyLock::new(|| {
    let ids = std::env::var("DOPESHEET_FUZZ_FORMATS").ok();
    let is_named = |id: &str| ids.as_ref().is_none_or(|ids| ids.split(',').any(|named| named == id));
    registry::formats().iter().copied().filter(|format| is_named(format.info().id)).collect()
});

/// Most elements that an input may announce without storing them: few, because the fuzzer watches memory.
const MAX_VIRTUAL_ELEMENTS: u64 = 1 << 12;

/// Mode of reading: strictly or leniently.
fn options(lenient: bool) -> ReadOptions {
    ReadOptions {
        limits: Limits {
            max_virtual_elements: MAX_VIRTUAL_ELEMENTS,
            max_unpacked_bytes: 8 * MAX_VIRTUAL_ELEMENTS,
            ..Limits::default()
        },
        lenient,
    }
}

/// Reads an input as one format. Any other file that it names is the input once more.
fn open(format: &'static dyn AnyFormat, data: &[u8], lenient: bool) -> Result<Opened, Error> {
    dopesheet::open::read_as(format, "input", data, &options(lenient), &mut |_| Some(data.to_vec()))
}

/// Every way to read an input that succeeds, with whether it was a lenient one. What a lenient reader makes of a sound file is left
/// out, for it is the same: [`roundtrip`] holds every format to that which is written back.
fn readings(data: &[u8]) -> impl Iterator<Item = (Opened, bool)> {
    FORMATS.iter().flat_map(move |&format| {
        let strictly = open(format, data, false).ok();
        let is_known = strictly.as_ref().is_some_and(is_written_back);
        let leniently = if is_known { None } else { open(format, data, true).ok() };
        strictly.map(|opened| (opened, false)).into_iter().chain(leniently.map(|opened| (opened, true)))
    })
}

/// True of a file that can be written back.
fn is_written_back(opened: &Opened) -> bool {
    opened.format().read_only(&opened.document).is_none()
}

/// Reads what was written; that has to be possible.
fn read_again(format: &'static dyn AnyFormat, output: &Output, lenient: bool) -> Opened {
    let mut fetch = |wanted: &str| {
        let resource = output.resources.iter().find(|(name, _)| name == wanted);
        resource.map(|(_, bytes)| bytes.clone())
    };
    let opened = dopesheet::open::read_as(format, "output", &output.main, &options(lenient), &mut fetch);
    opened.unwrap_or_else(|error| panic!("what was written is not read again: {error}"))
}
