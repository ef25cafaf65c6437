//! `dopesheet sample`

use crate::args::SampleArgs;
use crate::outcome::Outcome;
use crate::{console, export, files, unbound};
use dopesheet::{ClipChoice, Error, Opened, SampleOptions, save};
use std::path::Path;

pub(crate) fn run(args: &SampleArgs) -> Result<Outcome, Error> {
    let form = Form::of(args)?;
    let times = args.when.spec()?;
    let times =
        times.ok_or_else(|| Error::Usage("no sample times; pass --times, --fps or --range".into()))?;
    let input = files::expand(std::slice::from_ref(&args.file))?;
    let [input] = &input[..] else {
        return Err(Error::Usage(format!("{} files match; name one", input.len())));
    };
    let opened = input.open(&args.read)?;
    let model = args.model.open()?;
    let options = args.frame.of(SampleOptions {
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
        model: model.as_ref(),
        names: args.model.names()?,
        ..SampleOptions::at(times)
    });
    unbound::say(&opened, model.as_ref(), &options.names)?;
    let bytes = form.bytes(&opened, options)?;
    match file(args) {
        Some(path) => save::bytes_to(path, &bytes, args.force)?,
        None => console::data(&bytes)?,
    }
    Ok(Outcome::Done)
}

/// The file to write; `None` is standard output.
fn file(args: &SampleArgs) -> Option<&Path> {
    args.output.as_deref().filter(|path| path.as_os_str() != "-")
}

/// Format of the output.
#[derive(Clone, Copy)]
enum Form {
    Csv,
    Json,
    Npz,
    #[cfg(feature = "table")]
    Table(dopesheet::table::TableForm),
}

impl Form {
    fn of(args: &SampleArgs) -> Result<Self, Error> {
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

    fn bytes(self, opened: &Opened, options: SampleOptions<'_>) -> Result<Vec<u8>, Error> {
        let sampled = || dopesheet::sample(opened, &options);
        match self {
            Self::Csv => export::csv::bytes(&sampled()?),
            Self::Json => Ok(format!("{}\n", sampled()?.to_json()).into_bytes()),
            Self::Npz => sampled()?.to_npz(),
            #[cfg(feature = "table")]
            Self::Table(form) => super::table::of_one(opened, options, form),
        }
    }
}
