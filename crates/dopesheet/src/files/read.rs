//! Detection of the format of some bytes, and reading.

use crate::error::Error;
use crate::registry;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{AnyDocument, AnyFormat, Assumptions, Confidence, Hint, ReadOptions, Source};

/// Bytes of a file passed to the probes.
const PROBE_BYTES: usize = 64 << 10;

/// A file that has been read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The caller's name of the file; used in messages and for clips without a name.
    pub name: String,
    /// The document.
    pub document: AnyDocument,
    /// Findings of reading (with [`ReadOptions::lenient`], the faults that were passed over).
    pub report: Report,
}

impl Opened {
    /// The format of the document.
    #[must_use]
    pub fn format(&self) -> &'static dyn AnyFormat {
        self.document.format()
    }

    /// The document, if it is of type `D`: every field of the file, by the format's own types.
    ///
    /// ```
    /// use dopesheet::formats::mmd::vmd;
    ///
    /// let mut bow = dopesheet::open("../../samples/bow.vmd".as_ref(), None, &dopesheet::ReadOptions::default())?;
    /// let document: &mut vmd::Document = bow.document_mut().expect("bow.vmd is a VMD");
    /// document.bones.retain(|key| key.frame <= 30);
    /// let shorter = bow.document.format().write(&bow.document, &dopesheet::WriteOptions::default())?;
    /// assert!(shorter.main.len() < std::fs::metadata("../../samples/bow.vmd").unwrap().len() as usize);
    /// # Ok::<(), dopesheet::Error>(())
    /// ```
    #[must_use]
    pub fn document_mut<D: std::any::Any>(&mut self) -> Option<&mut D> {
        self.document.get_mut()
    }

    /// Fills in facts that the file leaves open; see [`Assumptions`].
    ///
    /// # Errors
    /// If files of the format leave no such fact open, or a value makes no sense.
    pub fn assume(&mut self, facts: &Assumptions) -> Result<(), Error> {
        let format = self.document.format();
        Ok(format.assume(&mut self.document, facts)?)
    }

    /// The file's name without folders and extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        file_stem(&self.name)
    }
}

/// A file name without folders and without its last extension.
#[must_use]
pub fn file_stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}

/// The format of some bytes: by content first, by extension second.
///
/// # Errors
/// [`Error::UnknownFormat`] if neither identifies a format, [`Error::NotBuilt`] if this build lacks the
/// format.
pub fn detect(name: &str, bytes: &[u8]) -> Result<&'static dyn AnyFormat, Error> {
    let hint = Hint::from_file_name(name);
    let head = bytes.get(..PROBE_BYTES).unwrap_or(bytes);
    // Before others with the same extension take it for a damaged file of theirs.
    if let Some(format) = registry::lacking(head) {
        return Err(Error::NotBuilt(format));
    }
    let mut best: Option<(Confidence, &'static dyn AnyFormat)> = None;
    for &format in registry::formats() {
        let confidence = format.probe(head, &hint);
        if confidence > best.map_or(Confidence::No, |(best, _)| best) {
            best = Some((confidence, format));
        }
    }
    let by_name = || hint.extension.as_deref().and_then(registry::by_extension);
    best.map(|(_, format)| format).or_else(by_name).ok_or_else(|| match registry::lacking_by_name(&hint) {
        Some(format) => Error::NotBuilt(format),
        None => Error::UnknownFormat { head: head.get(..16).unwrap_or(head).to_vec() },
    })
}

/// Reads bytes in the format that [`detect`] finds. `fetch` yields the other files that the main file names.
///
/// # Errors
/// If the format is unknown or the file is damaged.
pub fn read(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    fetch: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Opened, Error> {
    read_as(detect(name, bytes)?, name, bytes, options, fetch)
}

/// Reads bytes of a known format.
///
/// # Errors
/// If the file is damaged.
pub fn read_as(
    format: &'static dyn AnyFormat,
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    fetch: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Opened, Error> {
    let mut source = Source::new(bytes);
    for wanted in format.wants(bytes) {
        if let Some(resource) = fetch(&wanted) {
            source.resources.insert(wanted, resource);
        }
    }
    let mut report = Report::default();
    let document = format.read(&source, options, &mut report)?;
    Ok(Opened { name: name.to_owned(), document, report })
}
