//! Tools that the tests of all rooms share: finding fixtures and the corpus, and the laws that every format
//! must keep.
//!
//! Not published. Walkers assert how many files they saw, because a test that finds nothing must not pass.
#![allow(clippy::print_stderr, reason = "tests say loudly what they skipped")]

pub mod curves;
mod fixtures;
mod messages;
mod records;
mod verdicts;

pub use fixtures::{Fixture, assert_every_code_has_a_fixture, assert_fixtures_on_disk, codes_of, fixtures};
pub use messages::{codes_and_meanings, messages_about, summaries};
pub use records::{Records, sha256};
pub use verdicts::{assert_members_known, verdicts_on};

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Path of the corpus: `DOPESHEET_CORPUS`, else a folder beside the checkout. It may not exist.
#[must_use]
pub fn corpus_root() -> PathBuf {
    std::env::var_os("DOPESHEET_CORPUS").map_or_else(|| workspace().join("../shared/corpus"), PathBuf::from)
}

/// A folder of the shared corpus (`mmd`, `playcanvas` …), from `DOPESHEET_CORPUS` or beside the checkout.
///
/// `None`, with a message, where there is no corpus.
///
/// # Panics
/// Where there is none although `CI=true`: there the corpus is part of the test.
#[must_use]
pub fn corpus(family: &str) -> Option<PathBuf> {
    there(corpus_root().join(family), "DOPESHEET_CORPUS")
}

/// The folder of small files that once took too much time or memory, or came out wrong: `DOPESHEET_REPRODUCERS`, else one beside
/// the checkout. `None`, with a message, where there is none.
///
/// # Panics
/// As [`corpus`].
#[must_use]
pub fn reproducers() -> Option<PathBuf> {
    let named = std::env::var_os("DOPESHEET_REPRODUCERS").map(PathBuf::from);
    there(named.unwrap_or_else(|| workspace().join("../shared/honesty/repro")), "DOPESHEET_REPRODUCERS")
}

/// A folder of other people's files, which `variable` names, if it is there.
fn there(folder: PathBuf, variable: &str) -> Option<PathBuf> {
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs the folder {}", folder.display());
    note_skip(&format!("no folder {} (set {variable})", folder.display()));
    None
}

/// Number of random cases that a property test tries: `usual` of them, or as many times more as `DOPESHEET_CASES` says, which
/// `cargo xtask test --deep` sets.
#[must_use]
pub fn cases(usual: u32) -> u32 {
    let times = std::env::var("DOPESHEET_CASES").ok().and_then(|times| times.parse().ok());
    usual.saturating_mul(times.unwrap_or(1))
}

/// Seeds of files that a test makes: three that are others every day, or as many as `DOPESHEET_CASES` says. A test that failed is
/// repeated with the seed that it printed, in `DOPESHEET_SEED`.
#[must_use]
pub fn seeds() -> std::ops::Range<u64> {
    let named = std::env::var("DOPESHEET_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let of_day = now.as_secs() / 86_400 * SEEDS_OF_A_DAY;
    match named {
        Some(seed) => seed..seed.saturating_add(1),
        None => of_day..of_day + u64::from(cases(1)).clamp(3, SEEDS_OF_A_DAY),
    }
}

/// Distance of the seeds of a day from those of the next.
const SEEDS_OF_A_DAY: u64 = 20;

/// Says that the running test leaves something out. In a file named by `DOPESHEET_SKIPS`, `cargo xtask test` learns
/// which tests did so, for the test harness counts them as passed.
pub fn note_skip(reason: &str) {
    eprintln!("SKIPPED: {reason}");
    let Some(list) = std::env::var_os("DOPESHEET_SKIPS") else { return };
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    let line = format!("{package} {}: {reason}\n", thread.name().unwrap_or("doctest"));
    let file = std::fs::OpenOptions::new().append(true).create(true).open(list);
    // One write of a whole line, so that tests running side by side do not mix theirs.
    if let Err(error) = file.and_then(|mut f| f.write_all(line.as_bytes())) {
        eprintln!("the skip could not be noted: {error}");
    }
}

/// The files of a folder with one of the given extensions, sorted by name.
///
/// # Panics
/// If the folder cannot be read or holds fewer than `at_least` such files.
#[must_use]
pub fn files(folder: &Path, extensions: &[&str], at_least: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let matches =
        |p: &PathBuf| p.extension().is_some_and(|e| extensions.iter().any(|x| e.eq_ignore_ascii_case(x)));
    let mut found: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).filter(matches).collect();
    found.sort();
    assert!(
        found.len() >= at_least,
        "{}: expected {at_least} files, found {}",
        folder.display(),
        found.len()
    );
    found
}

/// The bytes of a file.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The JSON in a file.
///
/// # Panics
/// If it cannot be read or is not JSON.
#[must_use]
pub fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&bytes(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads bytes that must be accepted.
///
/// # Panics
/// If they are not.
#[must_use]
pub fn read<F: Format>(bytes: &[u8]) -> F::Document {
    read_reporting::<F>(bytes).0
}

/// Reads bytes that must be accepted, with what reading and checking report.
///
/// # Panics
/// If they are not accepted.
#[must_use]
pub fn read_reporting<F: Format>(bytes: &[u8]) -> (F::Document, Report) {
    let mut report = Report::default();
    let document = F::read(&Source::new(bytes), &ReadOptions::default(), &mut report)
        .unwrap_or_else(|e| panic!("expected a sound file: {e}"));
    F::check(&document, &mut report);
    (document, report)
}

/// The law of identity: what was read is written back byte for byte.
///
/// # Panics
/// If it is not.
pub fn assert_identity<F: Format>(bytes: &[u8], name: &str) {
    let document = read::<F>(bytes);
    let output = F::write(&document, &WriteOptions::default());
    let written = output.unwrap_or_else(|e| panic!("{name}: {e}")).main;
    if let Some(at) = written.iter().zip(bytes).position(|(a, b)| a != b) {
        panic!("{name}: byte {at:#x} was {:#04x} and became {:#04x}", bytes[at], written[at]);
    }
    assert_eq!(written.len(), bytes.len(), "{name}: length");
}

/// A document is written as the bytes that it was read from, or refused if it is read only.
fn assert_kept<F: Format>(document: &F::Document, bytes: &[u8], name: impl FnOnce() -> String) {
    let written = F::write(document, &WriteOptions::default()).map(|output| output.main);
    match F::read_only(document) {
        Some(fault) => assert_eq!(written.map_err(|error| *error.fault), Err(fault), "{}", name()),
        None => assert_eq!(written.as_deref(), Ok(bytes), "{}", name()),
    }
}

/// Reads every prefix of a file: each is an error or one of the `legal` lengths, and never a panic.
///
/// # Panics
/// If a prefix is accepted that should not be, or refused that should be accepted.
pub fn assert_every_prefix<F: Format>(bytes: &[u8], legal: &[usize]) {
    for length in 0..bytes.len() {
        let result = F::read(&Source::new(&bytes[..length]), &ReadOptions::default(), &mut Report::default());
        match result {
            Ok(document) => {
                assert!(legal.contains(&length), "a prefix of {length} bytes was accepted");
                assert_kept::<F>(&document, &bytes[..length], || format!("prefix of {length} bytes"));
            }
            Err(error) => {
                assert!(!legal.contains(&length), "a legal prefix of {length} bytes was refused: {error}")
            }
        }
    }
}

/// Reads a file with each byte changed in turn to a few other values: an error, or a document that is written back
/// as it was read, or refused if it is read only; never a panic. Documents are checked and turned into scenes on the way.
///
/// # Panics
/// If a changed file is accepted but not written back.
pub fn assert_every_flip<F: Format>(bytes: &[u8]) {
    let mut changed = bytes.to_vec();
    for at in 0..bytes.len() {
        for value in [bytes[at] ^ 1, bytes[at] ^ 0x80, 0, 0xff, 0x7f] {
            changed[at] = value;
            let mut report = Report::default();
            if let Ok(document) = F::read(&Source::new(&changed), &ReadOptions::default(), &mut report) {
                F::check(&document, &mut report);
                assert_kept::<F>(&document, &changed, || format!("byte {at:#x} as {value:#04x}"));
                let _ = F::to_scene(&document, &Default::default(), &mut report);
            }
        }
        changed[at] = bytes[at];
    }
}

/// True if two numbers agree within `tolerance · max(1, |expected|)`.
#[must_use]
pub fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// The angle in radians between two rotations, whatever the sign and length of their quaternions.
#[must_use]
pub fn rotation_angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let unit = |q: [f64; 4]| {
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.map(|x| x / norm)
    };
    let (a, b) = (unit(a), unit(b));
    let sign = if a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let chord = a.iter().zip(b).map(|(x, y)| (x - sign * y).powi(2)).sum::<f64>().sqrt();
    4.0 * (chord / 2.0).min(1.0).asin()
}
