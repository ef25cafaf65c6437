//! Laws of edits: every operation on a file of every writable format keeps the property that defines it, or is refused by name.
#![cfg(all(
    feature = "bvh",
    feature = "mmd",
    feature = "more",
    feature = "mrtk2",
    feature = "playcanvas",
    feature = "gltf",
    feature = "unity",
    feature = "numpy",
    feature = "research"
))]

mod files;
mod motions;
mod operations;
mod play;
mod properties;
mod refusals;
mod seeded;

pub(crate) use play::{Off, Pair, Targets, told};
pub(crate) use properties::within;

use dopesheet::core::model::Outside;
use dopesheet::edit::{Operation, described};
use dopesheet::{ClipChoice, ConvertOptions, Opened, Report, convert};
use dopesheet_testkit::seeds;
use files::{Source, source_of};
use operations::{CASES, Case};
use properties::{Span, Trial, curves};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Files of all writable formats.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(files::sources);

/// Fate of a cell of the matrix.
enum Fate {
    /// The operation kept its property.
    Held,
    /// It was refused with a message of this kind.
    Refused(&'static str),
    /// Expected property, and the difference that was found.
    Broken(String),
}

/// A file and an operation on it.
struct Cell<'a> {
    source: &'a Source,
    case: &'static Case,
    fate: Fate,
}

impl Cell<'_> {
    fn name(&self) -> String {
        format!("{} of {} ({})", self.case.name, self.source.name, self.source.format())
    }
}

/// All cells, tried.
static CELLS: LazyLock<Vec<Cell<'static>>> = LazyLock::new(|| tried(&SOURCES, (0, 1)));

/// Every so many of the operations on some files, from the first on.
fn tried(sources: &[Source], (first, step): (usize, usize)) -> Vec<Cell<'_>> {
    let all = sources.iter().flat_map(|source| CASES.iter().map(move |case| (source, case)));
    let pairs: Vec<(&Source, &'static Case)> = all.skip(first).step_by(step).collect();
    pairs.into_par_iter().map(|(source, case)| Cell { source, case, fate: fate(source, case) }).collect()
}

/// Asserts that no cell is broken, and yields the number of those that hold.
fn assert_held(cells: &[Cell<'_>]) -> usize {
    let broken = cells.iter().filter_map(|cell| match &cell.fate {
        Fate::Broken(difference) => Some(format!("{}: {difference}", cell.name())),
        Fate::Held | Fate::Refused(_) => None,
    });
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "{} of {} cells:\n{}", broken.len(), cells.len(), broken.join("\n"));
    cells.iter().filter(|cell| matches!(cell.fate, Fate::Held)).count()
}

fn fate(source: &Source, case: &Case) -> Fate {
    let span = Span::of(source);
    let mut file = source.file.clone();
    let mut report = Report::default();
    for (word, options, others) in (case.steps)(source, &span) {
        let operation = described(word, &options.to_string(), others)
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        match applied(source, &file, &operation) {
            Ok((edited, told)) => {
                file = edited;
                report.losses.extend(told.losses);
                report.findings.extend(told.findings);
            }
            Err(fate) => return fate,
        }
    }
    // A warning says that what such a file holds besides its motion is not in the new one.
    if report.findings.iter().any(|finding| finding.fault.code == "written-anew") {
        return Fate::Refused("written anew");
    }
    let scene = &dopesheet::edit::scene(&file).unwrap();
    let trial = Trial { source, span, file: &file, scene, report: &report, frames: None };
    match trial.check_findings().and_then(|()| (case.property)(&trial)) {
        Ok(()) => Fate::Held,
        Err(difference) => Fate::Broken(difference),
    }
}

/// The file that an operation makes, written and read again.
fn applied(source: &Source, file: &Opened, operation: &Operation) -> Result<(Opened, Report), Fate> {
    let edited = dopesheet::edit(file.clone(), std::slice::from_ref(operation), &ClipChoice::Position(0));
    let edited = edited.map_err(|error| {
        let message = error.to_string();
        // What differs from file to file is left out.
        let kind = refusals::KINDS.iter().find(|kind| message.contains(**kind));
        kind.map_or_else(|| Fate::Broken(message.clone()), |kind| Fate::Refused(kind))
    })?;
    let read = source_of(&source.name, &edited).map_err(Fate::Broken)?;
    Ok((read.file, edited.report))
}

#[test]
#[ignore = "costly"]
fn operations_keep_the_property_that_defines_them_or_are_refused_in_every_format() {
    let held = assert_held(&CELLS);
    println!("{held} of {} cells hold, all others are refused", CELLS.len());
}

#[test]
#[ignore = "costly"]
fn operations_keep_their_property_on_motions_of_the_day_everywhere() {
    for seed in seeds() {
        println!("seed {seed}");
        let sources = seeded::sources(seed);
        let curves = || sources.iter().flat_map(|source| &source.scene.clips).flat_map(curves);
        let repeats = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
        assert!(curves().any(|curve| repeats(&curve.before) || repeats(&curve.after)));
        assert!(curves().any(|curve| curve.times.span().is_some_and(|(first, _)| first.0 < 0.0)));
        let cells = tried(&sources, (seed as usize % 3, 3));
        assert!(2 * assert_held(&cells) > cells.len());
    }
}

#[test]
fn reports_count_the_tracks_and_keys_of_the_file_in_every_format() {
    for source in SOURCES.iter() {
        let options = ConvertOptions::to(source.file.format());
        let report = convert(std::slice::from_ref(&source.file), &options).unwrap().report;
        let clips = dopesheet::info(&source.file).unwrap().clips;
        let counts = (clips.iter().map(|clip| clip.tracks).sum(), clips.iter().map(|clip| clip.keys).sum());
        assert_eq!((report.tracks, report.keys), counts, "{} ({})", source.name, source.format());
    }
}

#[test]
fn refusals_of_operations_are_named_and_counted() {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for cell in CELLS.iter() {
        if let Fate::Refused(kind) = &cell.fate {
            *counts.entry((cell.case.name, kind)).or_default() += 1;
        }
    }
    let counts: Vec<_> =
        counts.into_iter().map(|((operation, kind), count)| (operation, kind, count)).collect();
    let lines = |counts: &[(&str, &str, usize)]| -> String {
        counts.iter().map(|count| format!("    {count:?},\n")).collect()
    };
    assert!(counts == refusals::COUNTS, "found\n{}expected\n{}", lines(&counts), lines(refusals::COUNTS));
}

#[test]
fn every_operation_meets_every_writable_format() {
    let words: BTreeSet<&str> = dopesheet::edit::OPERATIONS.iter().map(|known| known.word).collect();
    let tried: BTreeSet<&str> = CASES.iter().map(|case| case.word).collect();
    assert_eq!(words, tried);
    let formats: BTreeSet<&str> = files::writable().map(|format| format.info().id).collect();
    let with_files: BTreeSet<&str> = SOURCES.iter().map(Source::format).collect();
    assert_eq!(formats, with_files);
}
