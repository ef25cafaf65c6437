//! `dopesheet table`

mod chunk;
mod plan;
mod request;

use crate::args::{LayoutArg, PrecisionArg, TableArgs};
use crate::outcome::Outcome;
use crate::{console, folder};
use chunk::{Chunk, Making};
use dopesheet::core::model::TargetKind;
use dopesheet::table::{self, Precision, TableForm, TableLayout, TableOptions, TableWriter};
use dopesheet::{ClipChoice, Error, Opened, SampleOptions, TimeSpec};
use plan::plan;
use std::path::Path;

/// Runs `table`: writes the values of many files as a dataset.
pub(crate) fn run(args: &TableArgs) -> Result<Outcome, Error> {
    let form = form(&args.to)?;
    let jobs = plan(args, form)?;
    if args.dry_run {
        for job in &jobs {
            super::convert::plan::say_one(job.inputs(), &job.output, form.id(), args.json)?;
        }
        return Ok(Outcome::Done);
    }
    let model = args.model.open()?;
    let making = Making {
        args,
        form,
        folder: &args.output,
        model: model.as_ref(),
        names: args.model.names()?,
        kinds: kinds(&args.only)?,
        at_once: at_once(args, jobs.len()),
    };
    making.options()?;
    let request = request::request(args, &jobs)?;
    request::prepare(args, &request)?;
    let run = folder::Run {
        folder: &args.output,
        // They are among those of a chunk of which nothing comes.
        refused: &[],
        request,
        force: args.force,
        lenient: args.read.lenient,
        always_lists: true,
        manifest: &args.manifest,
        batch: &args.batch,
    };
    let show = |job: &folder::Job, chunk: &Chunk| show(job, chunk, args);
    folder::run(&run, &jobs, |job, _| making.make(job), show).map(folder::Ended::say)
}

/// Number of a chunk's inputs that are read in parallel: as many in all as there are cores, however few
/// chunks there are.
fn at_once(args: &TableArgs, chunks: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if args.batch.jobs == 0 { cores() } else { args.batch.jobs };
    (jobs / chunks.max(1)).max(1)
}

fn form(id: &str) -> Result<TableForm, Error> {
    TableForm::ALL.into_iter().find(|form| form.id() == id).ok_or_else(|| {
        let ids: Vec<_> = TableForm::ALL.iter().map(|form| form.id()).collect();
        Error::Usage(format!("cannot write tables as \"{id}\"; choose {}", ids.join(" or ")))
    })
}

/// The kinds with these words.
fn kinds(words: &[String]) -> Result<Vec<TargetKind>, Error> {
    use TargetKind::{Camera, Custom, Hand, Joint, Light, Morph};
    const ALL: [TargetKind; 6] = [Joint, Morph, Camera, Light, Hand, Custom];
    let kind = |word: &String| {
        ALL.into_iter().find(|kind| kind.word() == word).ok_or_else(|| {
            let words: Vec<_> = ALL.iter().map(|kind| kind.word()).collect();
            Error::Usage(format!("--only: unknown kind \"{word}\"; choose from {}", words.join(", ")))
        })
    };
    words.iter().map(kind).collect()
}

impl<'a> Making<'a> {
    /// Options for each file.
    fn options(&self) -> Result<TableOptions<'a>, Error> {
        let args = self.args;
        let times = args
            .fps
            .map(dopesheet::convert::rate)
            .transpose()?
            .map_or(TimeSpec::Grid, |rate| TimeSpec::Rate(rate.fps()));
        let sample = args.frame.of(SampleOptions {
            clip: args.clip.as_deref().map_or(ClipChoice::All, ClipChoice::parse),
            model: self.model,
            names: self.names.clone(),
            limits: args.frames.limits(&args.read),
            ..SampleOptions::at(times)
        });
        Ok(TableOptions {
            layout: match args.layout {
                LayoutArg::Wide => TableLayout::Wide,
                LayoutArg::Long => TableLayout::Long,
            },
            precision: match args.precision {
                PrecisionArg::Single => Precision::Single,
                PrecisionArg::Double => Precision::Double,
            },
            kinds: self.kinds.clone(),
            ..TableOptions::of(sample)
        })
    }
}

fn show(job: &folder::Job, chunk: &Chunk, args: &TableArgs) -> Result<(), Error> {
    if args.json {
        console::line(&chunk.to_json(job).to_string())?;
    }
    if !args.batch.quiet {
        console::say(&format!("{}: {}", job.output.display(), chunk.summary()));
    }
    Ok(())
}

/// The bytes of a file with the values of a single clip, for `sample`.
pub(crate) fn of_one(opened: &Opened, sample: SampleOptions<'_>, form: TableForm) -> Result<Vec<u8>, Error> {
    let options = TableOptions { precision: Precision::Double, ..TableOptions::of(sample) };
    let name = Path::new(&opened.name)
        .file_name()
        .map_or_else(|| opened.name.clone(), |n| n.to_string_lossy().into());
    let tables = table::tables(opened, &name, &options)?;
    let [one] = &tables[..] else {
        return Err(Error::Usage(format!("the file has {} clips; choose one with --clip", tables.len())));
    };
    let mut writer = TableWriter::new(form, Vec::new(), Path::new("standard output"), one.schema())?;
    one.batches().try_for_each(|batch| writer.write(&batch?))?;
    let sources = serde_json::json!([table::source(opened, &tables, None)]);
    writer.finish(&[(chunk::SOURCES, sources.to_string())])
}
