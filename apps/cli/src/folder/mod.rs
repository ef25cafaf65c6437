//! Many files into a folder: nothing half-written, nothing done twice, and a manifest of what became of each.

mod journal;
mod record;

use crate::args::{BatchArgs, ManifestArgs};
use crate::{Outcome, batch, console, files};
use dopesheet::{ConversionReport, Error, Output, save};
pub(crate) use journal::journal_of;
use journal::{Journal, Start};
pub(crate) use record::digest;
use record::{Presence, Read, Record, Status, Subject};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many failures are named at the end of a run; the manifest has all of them.
const MOST_NAMED: usize = 20;

/// One input that becomes one output.
pub(crate) struct Job {
    pub(crate) input: files::Input,
    pub(crate) output: PathBuf,
}

impl Job {
    /// The output below the folder, with slashes.
    fn name(&self, folder: &Path) -> String {
        let below = self.output.strip_prefix(folder).unwrap_or(&self.output);
        let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }
}

/// What all files of a run have in common.
pub(crate) struct Run<'a> {
    pub(crate) folder: &'a Path,
    /// A digest of everything that is asked for.
    pub(crate) request: String,
    pub(crate) force: bool,
    pub(crate) lenient: bool,
    pub(crate) manifest: &'a ManifestArgs,
    pub(crate) batch: &'a BatchArgs,
}

/// What became of one file.
enum Became {
    /// It was written.
    Written(ConversionReport),
    /// It had been written before.
    Kept,
    Failed(Error),
    /// Nothing else can be written either.
    Stopped(Error),
}

/// Converts every input to its output.
pub(crate) fn run(
    run: &Run<'_>,
    jobs: &[Job],
    convert: impl Fn(&Job) -> Result<(Output, ConversionReport), Error> + Sync,
    mut show: impl FnMut(&Job, &ConversionReport) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let start = Instant::now();
    let journal = (jobs.len() > 1 || run.manifest.is_wanted()).then(|| run.open_journal(jobs)).transpose()?;
    let (mut kept, mut failures) = (0, Failures::default());
    let work = |job: &Job| run.work(job, journal.as_ref(), &convert);
    let ended = batch::run_counting(jobs, run.batch, work, |job, became| match became {
        Became::Written(report) => show(job, &report).map(|()| Outcome::Done),
        Became::Kept => {
            kept += 1;
            Ok(Outcome::Done)
        }
        Became::Failed(error) => {
            console::complain_of(&job.input.name(), &error);
            failures.add(job.input.name());
            Ok(crate::outcome_of(&error))
        }
        Became::Stopped(error) => Err(error),
    });
    let (outcome, counts) = match ended {
        Ok(ended) => ended,
        Err(error) => return Err(stopped(error, journal.is_some())),
    };
    let manifest = journal.as_ref().map(|journal| journal.manifest().display().to_string());
    let is_whole = counts.done + counts.failed == jobs.len();
    if let (Some(journal), true) = (journal, is_whole) {
        journal.finish(run.folder)?;
    }
    if jobs.len() > 1 && !run.batch.quiet {
        failures.name_again(counts.done);
        let seconds = start.elapsed().as_secs_f64();
        let rate = (counts.done - kept + counts.failed) as f64 / seconds.max(1e-3);
        let kept = if kept > 0 { format!(" ({kept} by an earlier run)") } else { String::new() };
        console::say(&format!(
            "{} done{kept}, {} failed, in {seconds:.1} s, {rate:.0} files a second",
            counts.done, counts.failed
        ));
        match manifest {
            Some(manifest) if is_whole => console::say(&format!("{manifest} lists them")),
            Some(_) => console::say("the rest was not tried; --resume goes on with it"),
            None => {}
        }
    }
    Ok(outcome)
}

/// The reports of all files, which are written as they come and appear when all are there.
pub(crate) struct Reports {
    file: save::Unfinished,
    path: PathBuf,
}

impl Reports {
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, Error> {
        save::refuse_existing(path, force)?;
        Ok(Self { file: save::Unfinished::beside(path)?, path: path.to_owned() })
    }

    pub(crate) fn add(&mut self, report: &serde_json::Value) -> Result<(), Error> {
        writeln!(self.file, "{report}").map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    pub(crate) fn finish(self, force: bool) -> Result<(), Error> {
        self.file.sync().map_err(|source| Error::Io { path: self.path, source })?;
        self.file.finish(force)
    }
}

/// Failures are said when they happen, which may be a hundred thousand lines before the end.
#[derive(Default)]
struct Failures {
    names: Vec<String>,
    count: usize,
}

impl Failures {
    fn add(&mut self, name: String) {
        self.count += 1;
        if self.names.len() < MOST_NAMED {
            self.names.push(name);
        }
    }

    /// Names them once more, unless there was nothing between.
    fn name_again(&self, done: usize) {
        if self.count == 0 || done == 0 {
            return;
        }
        let more = match self.count - self.names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        console::say(&format!("failed: {}{more}", self.names.join(", ")));
    }
}

/// What is said when nothing else could be written.
fn stopped(error: Error, has_journal: bool) -> Error {
    match error {
        Error::Io { path, source } if has_journal => {
            let text = format!("{source}; nothing is half-written, and --resume goes on when that is mended");
            Error::Io { path, source: io::Error::new(source.kind(), text) }
        }
        error => error,
    }
}

impl Run<'_> {
    fn open_journal(&self, jobs: &[Job]) -> Result<Journal, Error> {
        let start = match (self.manifest.resume, self.force) {
            (true, _) => Start::Resume,
            (false, true) => Start::Anew,
            (false, false) => Start::Fresh,
        };
        let manifest = self.manifest.path(self.folder);
        let journal = Journal::open(&manifest, start)?;
        if start != Start::Fresh {
            let folders = jobs.iter().map(|job| job.output.as_path()).chain([manifest.as_path()]);
            for folder in folders.filter_map(Path::parent).collect::<BTreeSet<_>>() {
                save::sweep(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
            }
        }
        Ok(journal)
    }

    fn work(
        &self,
        job: &Job,
        journal: Option<&Journal>,
        convert: &impl Fn(&Job) -> Result<(Output, ConversionReport), Error>,
    ) -> Became {
        let Some(journal) = journal else {
            let written = self
                .refuse_existing(job)
                .and_then(|()| convert(job))
                .and_then(|(output, report)| save::output(&job.output, &output, self.force).map(|()| report));
            return written.map_or_else(Became::Failed, Became::Written);
        };
        let (input, output) = (job.input.name(), job.name(self.folder));
        let read = job.input.bytes(self.lenient).map(|bytes| Read::of(&bytes));
        let subject =
            Subject { input: &input, read: read.as_ref().ok(), output: &output, request: &self.request };
        match self.journaled(job, &subject, journal, convert) {
            Ok(report) => report.map_or(Became::Kept, Became::Written),
            Err(Unable::Journal(error)) => Became::Stopped(error),
            Err(Unable::File(error)) => self.give_up(&subject, journal, error),
        }
    }

    /// The report of a conversion, or nothing if it had been done.
    fn journaled(
        &self,
        job: &Job,
        subject: &Subject<'_>,
        journal: &Journal,
        convert: &impl Fn(&Job) -> Result<(Output, ConversionReport), Error>,
    ) -> Result<Option<ConversionReport>, Unable> {
        let known =
            if self.manifest.resume { journal.known(subject.output).map_err(Unable::Journal)? } else { None };
        let force = match self.before(known.as_ref(), subject) {
            Before::Done => return Ok(None),
            Before::Named => {
                journal.settle(subject.output).map_err(Unable::Journal)?;
                return Ok(None);
            }
            Before::Ours => true,
            Before::Nothing => self.force,
        };
        save::refuse_existing(&job.output, force)?;
        let (output, report) = convert(job)?;
        journal.note(&subject.begun(&output, &report)).map_err(Unable::Journal)?;
        save::output(&job.output, &output, force)?;
        journal.settle(subject.output).map_err(Unable::Journal)?;
        Ok(Some(report))
    }

    fn refuse_existing(&self, job: &Job) -> Result<(), Error> {
        save::refuse_existing(&job.output, self.force)
    }

    /// What an earlier run left of an output.
    fn before(&self, known: Option<&Record>, subject: &Subject<'_>) -> Before {
        let Some(known) = known.filter(|known| known.fits(subject)) else { return Before::Nothing };
        match known.status() {
            Some(Status::Done) => match known.files_in(self.folder, false) {
                (Presence::All, true) => Before::Done,
                _ => Before::Nothing,
            },
            // A file under its name is whole. If it is what was about to be named, it was named by that run.
            Some(Status::Begun) => match known.files_in(self.folder, true) {
                (Presence::All, true) => Before::Named,
                (Presence::Some, true) => Before::Ours,
                _ => Before::Nothing,
            },
            Some(Status::Failed) | None => Before::Nothing,
        }
    }

    /// Notes that a file failed. A disk that is full or read-only is no fault of the file, and everything after it would
    /// fail as well.
    fn give_up(&self, subject: &Subject<'_>, journal: &Journal, error: Error) -> Became {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        if let Error::Io { source, .. } = &error
            && matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
        {
            return Became::Stopped(error);
        }
        let record = subject.failed(&error);
        // That a file is there already takes nothing from what is known of it.
        let is_done = |known: &Record| known.status() == Some(Status::Done);
        let is_known =
            || journal.known(subject.output).is_ok_and(|known| known.as_ref().is_some_and(is_done));
        if record.found_existing() && is_known() {
            return Became::Failed(error);
        }
        match journal.note(&record) {
            Ok(()) => Became::Failed(error),
            Err(error) => Became::Stopped(error),
        }
    }
}

/// What an earlier run left of an output.
enum Before {
    /// Nothing that could be used.
    Nothing,
    /// All of it.
    Done,
    /// All of it, which was not noted any more.
    Named,
    /// Some of its files, which may be written over.
    Ours,
}

/// Why a file was not written.
enum Unable {
    /// Because of itself.
    File(Error),
    /// Because of the journal.
    Journal(Error),
}

impl From<Error> for Unable {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}
