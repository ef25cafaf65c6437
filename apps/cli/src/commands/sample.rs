//! `dopesheet sample`

use crate::args::{CsvLayoutArg, SampleArgs};
use crate::outcome::Outcome;
use crate::{console, export, files, unbound};
use dopesheet::sample::sample_each;
use dopesheet::{ClipChoice, Error, Opened, SampleOptions, save};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Runs `sample`: writes the values of a clip at given times.
pub(crate) fn run(args: &SampleArgs) -> Result<Outcome, Error> {
    let form = Form::of(args)?;
    let times = args.when.spec()?;
    let times =
        times.ok_or_else(|| Error::Usage("no sample times; pass --times, --fps or --range".into()))?;
    let opened = files::open_one(&args.file, &args.read)?;
    let (model, figure) = (args.model.open()?, args.figure.open()?);
    let options = args.frame.of(SampleOptions {
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
        model: model.as_ref(),
        onto: figure.as_ref(),
        names: args.model.names()?,
        refuses_lost: true,
        limits: args.frames.limits(&args.read),
        ..SampleOptions::at(times)
    });
    write(args, form, &opened, &options).map_err(|error| unbound::explained(error, &args.model))?;
    unbound::say(&opened, model.as_ref().filter(|_| figure.is_none()), &options.names)?;
    Ok(Outcome::Done)
}

/// Writes the values to the output that the arguments name.
fn write(args: &SampleArgs, form: Form, opened: &Opened, options: &SampleOptions<'_>) -> Result<(), Error> {
    match (file(args), form.bytes(opened, options)?) {
        (Some(path), Some(bytes)) => save::bytes_to(path, &bytes, args.force),
        (None, Some(bytes)) => console::data(&bytes),
        (Some(path), None) => {
            let file = BufWriter::new(save::Unfinished::beside(path)?);
            let file = form.write(opened, options, file)?.into_inner();
            let file = file.map_err(|e| Error::Io { path: path.to_owned(), source: e.into_error() })?;
            file.sync().map_err(|source| Error::Io { path: path.to_owned(), source })?;
            file.finish(args.force)
        }
        (None, None) => form.write(opened, options, console::Data::default())?.finish(),
    }
}

/// The file to write; `None` is standard output.
fn file(args: &SampleArgs) -> Option<&Path> {
    args.output.as_deref().filter(|path| path.as_os_str() != "-")
}

/// Format of the output.
#[derive(Clone, Copy)]
enum Form {
    Csv,
    /// CSV with a row for each time.
    Wide,
    Json,
    Npz,
    #[cfg(feature = "table")]
    Table(dopesheet::table::TableForm),
}

impl Form {
    fn of(args: &SampleArgs) -> Result<Self, Error> {
        match (Self::named(args)?, args.layout) {
            (Self::Csv, Some(CsvLayoutArg::Wide)) => Ok(Self::Wide),
            (Self::Csv, _) => Ok(Self::Csv),
            (form, None) => Ok(form),
            (_, Some(_)) => Err(Error::Usage("--layout is of CSV; name an output that ends in .csv".into())),
        }
    }

    /// The format by the output's name and `--json`.
    fn named(args: &SampleArgs) -> Result<Self, Error> {
        let Some(path) = file(args) else { return Ok(if args.json { Self::Json } else { Self::Csv }) };
        save::refuse_existing(path, args.force)?;
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        match (extension.as_str(), args.json) {
            ("json", _) => Ok(Self::Json),
            ("csv", false) => Ok(Self::Csv),
            ("npz", false) => Ok(Self::Npz),
            #[cfg(feature = "table")]
            ("parquet", false) => Ok(Self::Table(dopesheet::table::TableForm::Parquet)),
            #[cfg(feature = "table")]
            ("arrow", false) => Ok(Self::Table(dopesheet::table::TableForm::Arrow)),
            #[cfg(not(feature = "table"))]
            ("parquet" | "arrow", false) => Err(super::table::missing()),
            (_, true) => Err(Error::Usage(format!(
                "with --json the name of the output must end in .json: {}",
                path.display()
            ))),
            _ => Err(Error::Usage(format!(
                "the name of the output must end in .csv, .json, .npz, .parquet or .arrow: {}",
                path.display()
            ))),
        }
    }

    /// The file's bytes; `None` for a text, which is written track by track.
    fn bytes(self, opened: &Opened, options: &SampleOptions<'_>) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Csv | Self::Json => Ok(None),
            Self::Wide => export::csv::wide(&dopesheet::sample(opened, options)?).map(Some),
            Self::Npz => dopesheet::sample(opened, options)?.to_npz().map(Some),
            #[cfg(feature = "table")]
            Self::Table(form) => super::table::of_one(opened, options.clone(), form).map(Some),
        }
    }

    /// Writes a text during sampling.
    fn write<W: Write>(self, opened: &Opened, options: &SampleOptions<'_>, out: W) -> Result<W, Error> {
        match self {
            Self::Json => export::json::write(opened, options, out),
            _ => {
                let mut table = export::csv::Table::new(out)?;
                let head = sample_each(opened, options, &mut |head, track| table.add(&head.times_s, &track))?;
                table.add_markers(&head.markers)?;
                table.finish()
            }
        }
    }
}
