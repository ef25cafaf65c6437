//! The assignment of inputs to outputs, before any work.

use crate::args::ConvertArgs;
use crate::outcome::Outcome;
use crate::{console, files, folder};
use dopesheet::{Error, core::format::AnyFormat, core::format::Clips, registry};
use std::path::{Path, PathBuf};

/// The outputs to write.
pub(super) enum Plan {
    /// All inputs become a single file; `-` is standard output.
    File(Vec<files::Input>, PathBuf),
    /// Each input becomes a file, except refused inputs.
    Folder { jobs: Vec<folder::Job>, refused: Vec<files::Input>, folder: PathBuf },
}

/// Finds the inputs, and an output for each or for all.
pub(super) fn plan(args: &ConvertArgs, format: Option<&'static dyn AnyFormat>) -> Result<Plan, Error> {
    let inputs = files::expand(&args.inputs)?;
    let output = PathBuf::from(&args.target.output);
    let names_folder = args.target.output.ends_with(['/', '\\']) || output.is_dir();
    // Inputs that are edited one by one have no one file.
    let are_edited = inputs.len() > 1 && args.edits.as_ref().is_some_and(|edits| !edits.takes_all);
    let may_be_folder = output.extension().is_none() && args.target.output != "-";
    let is_folder = names_folder || (may_be_folder && (args.target.to.is_some() || are_edited));
    refuse_report(args, &inputs, [output.as_path()])?;
    if !is_folder {
        if are_edited {
            refuse_several_in_one(args, inputs.len(), format)?;
        }
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
    refuse_report(args, &inputs, outputs.iter().chain(&beside).map(PathBuf::as_path))?;
    let jobs = files::without_outputs(inputs, outputs, &beside).into_iter();
    let jobs = jobs.map(|(input, output)| folder::Job { inputs: folder::Sources::One(input), output });
    Ok(Plan::Folder { jobs: jobs.collect(), refused, folder: output })
}

/// Refuses several edited files for a format that holds one clip per file.
fn refuse_several_in_one(
    args: &ConvertArgs,
    inputs: usize,
    format: Option<&'static dyn AnyFormat>,
) -> Result<(), Error> {
    let output = &args.target.output;
    let format = format.or_else(|| registry::by_file_name(output).ok()).map(AnyFormat::info);
    match format.filter(|format| format.capabilities.clips == Clips::One) {
        Some(format) => Err(Error::Usage(format!(
            "{inputs} files cannot become {output}, because {} holds one clip; -o {}/ writes each of them, -e concat or -e merge makes \
             one of all",
            format.name,
            Path::new(output).with_extension("").display()
        ))),
        None => Ok(()),
    }
}

/// Refuses a report in place of an input, an output, or another file that the run reads.
fn refuse_report<'a>(
    args: &'a ConvertArgs,
    inputs: &'a [files::Input],
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Error> {
    let Some(report) = &args.run.report else { return Ok(()) };
    let models = [&args.model.model, &args.model.map, &args.into, &args.onto].into_iter().flatten();
    let inputs = inputs.iter().map(|input| &input.path).chain(models);
    let outputs = outputs.into_iter().map(|path| ("an output", path));
    files::refuse_one_name("--report", report, inputs.map(|path| ("an input", path.as_path())).chain(outputs))
}

/// Prints the planned outputs.
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

/// Prints the planned output of some inputs.
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
