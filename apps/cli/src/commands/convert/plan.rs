//! Which inputs become which outputs, before any of it happens.

use crate::args::ConvertArgs;
use crate::outcome::Outcome;
use crate::{console, files, folder};
use dopesheet::{Error, core::format::AnyFormat};
use std::path::{Path, PathBuf};

/// The outputs to write.
pub(super) enum Plan {
    /// All inputs become one file; `-` is standard output.
    File(Vec<files::Input>, PathBuf),
    /// Each becomes a file of its own, but for those that are refused.
    Folder { jobs: Vec<folder::Job>, refused: Vec<files::Input>, folder: PathBuf },
}

/// Finds the inputs, and an output for each or for all.
pub(super) fn plan(args: &ConvertArgs, format: Option<&'static dyn AnyFormat>) -> Result<Plan, Error> {
    let inputs = files::expand(&args.inputs)?;
    let output = PathBuf::from(&args.target.output);
    let names_folder = args.target.output.ends_with(['/', '\\']) || output.is_dir();
    let is_folder = names_folder
        || (args.target.to.is_some() && output.extension().is_none() && args.target.output != "-");
    if !is_folder {
        if args.run.manifest.is_wanted() {
            let text = format!(
                "--resume and --manifest need an output folder, but {} is a file",
                args.target.output
            );
            return Err(Error::Usage(text));
        }
        if args.run.json && args.target.output == "-" {
            return Err(Error::Usage("--json and -o - both write to standard output; choose one".into()));
        }
        return Ok(Plan::File(inputs, output));
    }
    if args.edits.as_ref().is_some_and(|edits| edits.takes_all) {
        let text = format!(
            "{} is a folder; an operation that takes all inputs needs an output file",
            args.target.output
        );
        return Err(Error::Usage(text));
    }
    if (args.target.to.is_none() && args.edits.is_none()) || args.into.is_some() {
        let way_out = match &args.into {
            Some(_) => "--into needs an output file",
            None => "pass -t FORMAT to write into it",
        };
        let text = format!("{} is a folder; {way_out}", args.target.output);
        return Err(Error::Usage(text));
    }
    let inputs = files::open_archives(inputs, args.run.read.lenient).into_iter();
    let (refused, inputs): (Vec<_>, Vec<_>) = inputs.partition(|input| input.refused.is_some());
    let extension =
        format.map(|format| format.info().extensions.first().copied().unwrap_or(format.info().id));
    let outputs = files::outputs_below(&output, &inputs, extension)?;
    let manifest = args.run.manifest.path(&output);
    let beside = [folder::journal_of(&manifest), manifest];
    let jobs = files::without_outputs(inputs, outputs, &beside).into_iter();
    let jobs = jobs.map(|(input, output)| folder::Job { inputs: folder::Sources::One(input), output });
    Ok(Plan::Folder { jobs: jobs.collect(), refused, folder: output })
}

/// Says what would be written.
pub(super) fn say_plan(
    plan: &Plan,
    args: &ConvertArgs,
    format: Option<&'static dyn AnyFormat>,
) -> Result<Outcome, Error> {
    let to = format.map_or("its own format", |format| format.info().id);
    let one = |inputs: &[files::Input], output: &Path| say_one(inputs, output, to, args.run.json);
    match plan {
        Plan::File(inputs, output) => one(inputs, output)?,
        Plan::Folder { jobs, refused, .. } => {
            for (input, error) in refused.iter().filter_map(|input| Some((input, input.refusal()?))) {
                console::complain_of(&input.name(), &error);
            }
            jobs.iter().try_for_each(|job| one(job.inputs(), &job.output))?;
            if !refused.is_empty() {
                return Ok(Outcome::Failed);
            }
        }
    }
    Ok(Outcome::Done)
}

/// Says what would be written of some inputs.
pub(in crate::commands) fn say_one(
    inputs: &[files::Input],
    output: &Path,
    to: &str,
    as_json: bool,
) -> Result<(), Error> {
    let (inputs, exists) = (inputs.iter().map(files::Input::name).collect::<Vec<_>>(), output.exists());
    if as_json {
        let plan = serde_json::json!({
            "schema_version": dopesheet::json::SCHEMA_VERSION,
            "dry_run": true,
            "inputs": inputs,
            "output": output.to_string_lossy(),
            "to": to,
            "overwrites": exists,
        });
        return console::line(&plan.to_string());
    }
    let exists = if exists { ", which exists" } else { "" };
    console::line(&format!("{} -> {} ({to}){exists}", inputs.join(" + "), output.display()))
}
