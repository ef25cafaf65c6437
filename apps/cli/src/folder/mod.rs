//! Many files into a folder: nothing half-written, nothing done twice, and a manifest with the fate of each.

mod journal;
mod record;

use crate::args::{BatchArgs, ManifestArgs};
use crate::outcome::Outcome;
use crate::{batch, console, files};
use dopesheet::core::words::counted;
use dopesheet::{Error, core::format::Pieces, save};
pub(crate) use journal::journal_of;
use journal::{Journal, Start};
#[cfg(feature = "table")]
pub(crate) use journal::{earlier, next_line};
use record::digest_of;
#[cfg(feature = "table")]
pub(crate) use record::fault;
use record::{Inputs, Presence, Read, Status, Subject};
pub(crate) use record::{Record, digest};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Most failures named at the end of a run; the manifest has all of them.
const MOST_NAMED: usize = 20;

/// One or several inputs of an output.
pub(crate) struct Job {
    pub(crate) inputs: Sources,
    pub(crate) output: PathBuf,
}

/// The inputs of an output.
pub(crate) enum Sources {
    /// A single file: without it there is no output.
    One(files::Input),
    /// Files that fail independently.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "only tables are made of many"))]
    Many(Vec<files::Input>),
}

impl Job {
    /// The output below the folder, with slashes.
    fn name(&self, folder: &Path) -> String {
        below(&self.output, folder)
    }

    pub(crate) fn inputs(&self) -> &[files::Input] {
        match &self.inputs {
            Sources::One(input) => std::slice::from_ref(input),
            Sources::Many(inputs) => inputs,
        }
    }

    /// Its name in messages.
    fn called(&self) -> String {
        match &self.inputs {
            Sources::One(input) => input.name(),
            Sources::Many(_) => self.output.display().to_string(),
        }
    }
}

/// A path below a folder, with slashes.
fn below(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// The entry of a manifest about an output.
pub(crate) trait Report: Send {
    /// Members of its record.
    fn members(&self) -> serde_json::Value;

    /// The inputs that failed although others of the job succeeded.
    fn failures(&self) -> Vec<Failure> {
        Vec::new()
    }
}

/// An input that failed among others.
pub(crate) struct Failure {
    pub(crate) input: String,
    pub(crate) message: String,
}

/// The result of a job: files on the disk that do not have their names yet, and the lines to print about
/// them.
pub(crate) struct JobOutput<R> {
    /// The files, the main file first.
    pub(crate) files: Vec<MadeFile>,
    pub(crate) report: R,
}

/// A file on its way.
pub(crate) struct MadeFile {
    /// Its name below the folder, with slashes.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) file: save::Unfinished,
}

impl<R> JobOutput<R> {
    /// An output made in memory.
    pub(crate) fn of(
        job: &Job,
        folder: &Path,
        output: &Pieces,
        report: R,
        force: bool,
    ) -> Result<Self, Error> {
        let mut unnamed = save::unnamed(&job.output, &output.main, &output.resources, force)?;
        unnamed.rotate_right(1);
        let main = job.name(folder);
        let beside = |name: &str| match main.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        let resources =
            output.resources.iter().map(|(name, bytes)| (beside(name), std::slice::from_ref(bytes)));
        let named = std::iter::once((main.clone(), &output.main[..])).chain(resources);
        let file = |((name, pieces), file): ((String, &[Vec<u8>]), _)| MadeFile {
            name,
            bytes: pieces.iter().map(|piece| piece.len() as u64).sum(),
            sha256: digest_of(pieces),
            file,
        };
        Ok(Self { files: named.zip(unnamed).map(file).collect(), report })
    }
}

/// Parts shared by all files of a run.
pub(crate) struct Run<'a> {
    pub(crate) folder: &'a Path,
    /// Inputs that are refused without any attempt, and have no output: they come first.
    pub(crate) refused: &'a [files::Input],
    /// A digest of the whole request.
    pub(crate) request: String,
    pub(crate) force: bool,
    pub(crate) lenient: bool,
    /// True if even a single job gets a manifest.
    pub(crate) always_lists: bool,
    pub(crate) manifest: &'a ManifestArgs,
    pub(crate) batch: &'a BatchArgs,
}

/// The result of a job.
enum Became<R> {
    /// The output was written.
    Written(R),
    /// The output was written by an earlier run, except for these inputs.
    Kept(Vec<Failure>),
    Failed(Error),
    /// Nothing else can be written either.
    Stopped(Error),
}

/// Counts of files by their result.
#[derive(Default)]
struct Counts {
    done: usize,
    kept: usize,
    failed: usize,
}

/// Makes the output of every job. `make` may overwrite files if its second argument is true.
pub(crate) fn run<R: Report>(
    run: &Run<'_>,
    jobs: &[Job],
    make: impl Fn(&Job, bool) -> Result<JobOutput<R>, Error> + Sync,
    mut show: impl FnMut(&Job, &R) -> Result<(), Error>,
) -> Result<Ended, Error> {
    let start = Instant::now();
    let is_list = jobs.len() > 1 || run.always_lists || !run.refused.is_empty();
    let journal = (is_list || run.manifest.is_wanted()).then(|| run.open_journal(jobs)).transpose()?;
    let (mut files, mut failures) = (Counts::default(), Failures::default());
    run.refuse(journal.as_ref(), &mut failures).map_err(|error| stopped(error, journal.is_some()))?;
    files.failed += run.refused.len();
    let refused = if run.refused.is_empty() { Outcome::Done } else { Outcome::Failed };
    let all = jobs.len();
    let jobs = if run.batch.fail_fast && refused != Outcome::Done { &[] } else { jobs };
    let work = |job: &Job| run.work(job, journal.as_ref(), &make);
    let size = |job: &Job| job.inputs().len();
    let ended = batch::run_sized(jobs, size, run.batch, work, |job, became| {
        let failed = match became {
            Became::Written(report) => {
                show(job, &report)?;
                report.failures()
            }
            Became::Kept(failed) => {
                files.kept += job.inputs().len() - failed.len();
                failed
            }
            Became::Failed(error) => {
                console::complain_of(&job.called(), &error);
                job.inputs().iter().for_each(|input| failures.add(input.name()));
                files.failed += job.inputs().len();
                return Ok(Outcome::of(&error));
            }
            Became::Stopped(error) => return Err(error),
        };
        files.done += job.inputs().len() - failed.len();
        files.failed += failed.len();
        let outcome = if failed.is_empty() { Outcome::Done } else { Outcome::Failed };
        for Failure { input, message } in failed {
            console::complain_named(&input, &message);
            failures.add(input);
        }
        Ok(outcome)
    });
    let (outcome, counts) = match ended {
        Ok(ended) => ended,
        Err(error) => return Err(stopped(error, journal.is_some())),
    };
    let manifest = journal.as_ref().map(|journal| journal.manifest().display().to_string());
    let is_whole = counts.done + counts.failed == all;
    if let (Some(journal), true) = (journal, is_whole) {
        journal.finish(run.folder)?;
    }
    let mut summary = Vec::new();
    if is_list && !run.batch.quiet {
        summary.extend(failures.again(files.done));
        summary.push(files.words(start.elapsed().as_secs_f64()));
        summary.extend(manifest.map(|manifest| match is_whole {
            true => format!("the results are in {manifest}"),
            false => "the rest was not tried; --resume continues".to_owned(),
        }));
    }
    Ok(Ended { outcome: outcome.max(refused), summary })
}

/// The end of a run.
#[must_use]
pub(crate) struct Ended {
    outcome: Outcome,
    /// The lines still to be printed.
    summary: Vec<String>,
}

impl Ended {
    /// Says how many there were of each kind.
    pub(crate) fn say(self) -> Outcome {
        self.summary.iter().for_each(|line| console::say(line));
        self.outcome
    }
}

impl Counts {
    fn words(&self, seconds: f64) -> String {
        let Self { done, kept, failed } = self;
        let rate = ((done - kept + failed) as f64 / seconds.max(1e-3)).round() as usize;
        let rate = counted(rate, "file");
        let kept = if *kept > 0 { format!(" ({kept} by an earlier run)") } else { String::new() };
        format!("{done} done{kept}, {failed} failed, in {seconds:.1} s, {rate} per second")
    }
}

/// The reports of all files, which are written as they come and appear when they are complete.
pub(crate) struct Reports {
    file: save::Unfinished,
    path: PathBuf,
}

impl Reports {
    /// Starts the file of reports.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, Error> {
        save::refuse_existing(path, force)?;
        Ok(Self { file: save::Unfinished::beside(path)?, path: path.to_owned() })
    }

    pub(crate) fn add(&mut self, report: &serde_json::Value) -> Result<(), Error> {
        writeln!(self.file, "{report}").map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    /// Gives the file of reports its name.
    pub(crate) fn finish(self, force: bool) -> Result<(), Error> {
        save::refuse_read(&self.path)?;
        self.file.sync().map_err(|source| Error::Io { path: self.path, source })?;
        self.file.finish(force)
    }
}

/// Failures for the end of a run: each is also printed when it occurs, which may be a hundred thousand lines
/// before the end.
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

    /// A line that names the failures once more, unless nothing was printed in between.
    fn again(&self, done: usize) -> Option<String> {
        if self.count == 0 || done == 0 {
            return None;
        }
        let more = match self.count - self.names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("failed: {}{more}", self.names.join(", ")))
    }
}

/// The message once nothing else can be written.
fn stopped(error: Error, has_journal: bool) -> Error {
    match error {
        Error::Io { path, source } if has_journal => {
            let text = format!("{source}; no file is incomplete, and --resume continues once this is fixed");
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
        let option =
            if self.manifest.manifest.is_some() { "--manifest" } else { "the default of --manifest" };
        let inputs = jobs.iter().flat_map(Job::inputs).map(|input| ("an input", input.path.as_path()));
        let outputs = jobs.iter().map(|job| ("an output", job.output.as_path()));
        for list in [&manifest, &journal_of(&manifest)] {
            files::refuse_one_name(option, list, inputs.clone().chain(outputs.clone()))?;
            save::reserve(option, list);
        }
        let journal = Journal::open(&manifest, start, self.manifest.manifest.is_some())?;
        if start != Start::Fresh {
            let folders = jobs.iter().map(|job| job.output.as_path()).chain([manifest.as_path()]);
            for folder in folders.filter_map(Path::parent).collect::<BTreeSet<_>>() {
                save::sweep(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
            }
        }
        Ok(journal)
    }

    /// Reports and records the inputs that are refused without any attempt.
    fn refuse(&self, journal: Option<&Journal>, failures: &mut Failures) -> Result<(), Error> {
        for input in self.refused {
            let Some(error) = input.refusal() else { continue };
            console::complain_of(&input.name(), &error);
            failures.add(input.name());
            if let Some(journal) = journal {
                journal.note(&Record::refused(&input.name(), &self.request, &error))?;
            }
        }
        Ok(())
    }

    fn work<R: Report>(
        &self,
        job: &Job,
        journal: Option<&Journal>,
        make: &impl Fn(&Job, bool) -> Result<JobOutput<R>, Error>,
    ) -> Became<R> {
        let Some(journal) = journal else {
            let written = self
                .refuse_links(job)
                .and_then(|()| save::refuse_existing(&job.output, self.force))
                .and_then(|()| make(job, self.force))
                .and_then(|result| name_all(result.files, self.force).map(|()| result.report));
            return written.map_or_else(Became::Failed, Became::Written);
        };
        let reads = self.reads(job);
        let inputs = match (&job.inputs, &reads[..]) {
            (Sources::One(_), [(name, read)]) => Inputs::One(name, read.as_ref()),
            _ => Inputs::Many(&reads),
        };
        let output = job.name(self.folder);
        let subject = Subject { inputs, output: &output, request: &self.request };
        match self.journaled(job, &subject, journal, make) {
            Ok(became) => became,
            Err(Unable::Journal(error)) => Became::Stopped(error),
            Err(Unable::File(error)) => self.give_up(&subject, journal, error),
        }
    }

    fn journaled<R: Report>(
        &self,
        job: &Job,
        subject: &Subject<'_>,
        journal: &Journal,
        make: &impl Fn(&Job, bool) -> Result<JobOutput<R>, Error>,
    ) -> Result<Became<R>, Unable> {
        let earlier =
            if self.manifest.resume { journal.known(subject.output).map_err(Unable::Journal)? } else { None };
        let failures = || earlier.as_ref().map(Record::failures).unwrap_or_default();
        let force = match self.before(earlier.as_ref(), subject)? {
            Before::Done => return Ok(Became::Kept(failures())),
            Before::Named => {
                journal.settle(subject.output).map_err(Unable::Journal)?;
                return Ok(Became::Kept(failures()));
            }
            Before::Ours => true,
            Before::Nothing => self.force,
        };
        self.refuse_links(job)?;
        save::refuse_existing(&job.output, force)?;
        let result = make(job, force)?;
        self.check_unchanged(job, subject)?;
        journal.note(&subject.begun(&result.files, &result.report)).map_err(Unable::Journal)?;
        name_all(result.files, force)?;
        journal.settle(subject.output).map_err(Unable::Journal)?;
        Ok(Became::Written(result.report))
    }

    /// Refuses an output that a link below the folder would lead elsewhere. A link in the output's place is
    /// never written through.
    fn refuse_links(&self, job: &Job) -> Result<(), Error> {
        save::refuse_links(self.folder, job.output.parent().unwrap_or(self.folder))
    }

    /// Refuses an output whose input has changed meanwhile, because its record would describe other bytes
    /// than the output was made of.
    fn check_unchanged(&self, job: &Job, subject: &Subject<'_>) -> Result<(), Error> {
        let now = self.reads(job);
        let is_same = |(at, now): (usize, &Option<Read>)| match &subject.inputs {
            Inputs::One(_, read) => *read == now.as_ref(),
            Inputs::Many(reads) => reads.get(at).is_some_and(|(_, read)| read == now),
        };
        let mut changed = now.iter().enumerate().filter(|(at, (_, now))| !is_same((*at, now)));
        let Some((_, (changed, _))) = changed.next() else { return Ok(()) };
        let text = "expected a file that stays as it is while it is read, found one that changed";
        Err(Error::Io { path: changed.into(), source: io::Error::new(io::ErrorKind::InvalidData, text) })
    }

    /// The inputs of a job by name, with digests of their bytes; `None` for unreadable inputs.
    fn reads(&self, job: &Job) -> Vec<(String, Option<Read>)> {
        let read = |input: &files::Input| input.bytes(self.lenient).map(|bytes| Read::of(&bytes)).ok();
        job.inputs().iter().map(|input| (input.name(), read(input))).collect()
    }

    /// State of an output left by an earlier run.
    fn before(&self, record: Option<&Record>, subject: &Subject<'_>) -> Result<Before, Error> {
        let Some(record) = record else { return Ok(Before::Nothing) };
        if !record.fits(subject) {
            if matches!(subject.inputs, Inputs::Many(_)) && record.is_asked_for(subject.request) {
                // One of many inputs is another one now: what was made of them goes, whole, before it is made anew.
                remove_files(record, self.folder)?;
            }
            return Ok(Before::Nothing);
        }
        Ok(match record.status() {
            Some(Status::Done) => match record.files_in(self.folder, false) {
                (Presence::All, true) => Before::Done,
                _ => Before::Nothing,
            },
            // A file under its name is whole. If it is what was about to be named, it was named by that run.
            Some(Status::Begun) => match record.files_in(self.folder, true) {
                (Presence::All, true) => Before::Named,
                (Presence::Some, true) => Before::Ours,
                _ => Before::Nothing,
            },
            Some(Status::Failed) | None => Before::Nothing,
        })
    }

    /// Records the failure of a file. A full or read-only disk is no fault of the file, and everything after
    /// it would fail as well, so the run stops.
    fn give_up<R>(&self, subject: &Subject<'_>, journal: &Journal, error: Error) -> Became<R> {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        if let Error::Io { source, .. } = &error
            && matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
        {
            return Became::Stopped(error);
        }
        let record = subject.failed(&error);
        // That a file is there already takes nothing from what is known of it.
        let is_done = |record: &Record| record.status() == Some(Status::Done);
        let is_known =
            || journal.known(subject.output).is_ok_and(|record| record.as_ref().is_some_and(is_done));
        if record.found_existing() && is_known() {
            return Became::Failed(error);
        }
        match journal.note(&record) {
            Ok(()) => Became::Failed(error),
            Err(error) => Became::Stopped(error),
        }
    }
}

/// Gives files their names, the main file last.
fn name_all(files: Vec<MadeFile>, force: bool) -> Result<(), Error> {
    files.into_iter().rev().try_for_each(|file| file.file.finish(force))
}

/// Removes the files of a record that are still as recorded.
pub(crate) fn remove_files(record: &Record, folder: &Path) -> Result<(), Error> {
    if !matches!(record.files_in(folder, true), (_, true)) {
        return Ok(());
    }
    for path in record.files().map(|file| folder.join(file)).filter(|path| path.exists()) {
        std::fs::remove_file(&path).map_err(|source| Error::Io { path, source })?;
    }
    Ok(())
}

/// State of an output left by an earlier run.
enum Before {
    /// Nothing usable.
    Nothing,
    /// The complete output.
    Done,
    /// The complete output, without a note of its completion.
    Named,
    /// Some of its files, which may be overwritten.
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
