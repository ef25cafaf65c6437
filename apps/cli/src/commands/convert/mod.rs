//! `dopesheet convert`

mod edited;
mod packing;
mod parts;
pub(super) mod plan;
pub(super) mod request;
mod told;

use crate::args::ConvertArgs;
use crate::outcome::Outcome;
use crate::{console, files, folder};
use dopesheet::{
    Conversion, ConvertOptions, Error, Opened, ReadOptions, convert::ConversionReport,
    convert::convert_owned, core::format::AnyFormat, core::format::Hint, core::format::Pieces, registry,
    save,
};
use edited::{apart, beside, called, edited_files, names};
use plan::{Plan, plan, say_plan};
use std::path::{Path, PathBuf};
use told::{Totals, show};

/// Runs `convert`, or the conversion at the end of `edit`.
pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome, Error> {
    args.run.report.iter().for_each(|report| save::reserve("--report", report));
    let (format, variant) = target(args)?;
    if let Some((edits, cuts)) = args.edits.as_ref().and_then(|edits| Some((edits, edits.split.as_ref()?))) {
        let to = format.map(|format| (format, ConvertOptions { variant, ..ConvertOptions::to(format) }));
        return parts::run(args, edits, cuts, to.as_ref().map(|(format, options)| (*format, options)));
    }
    let Some(format) = format else { return edited(args) };
    if packing::is_wanted(args, format) {
        let mut options =
            ConvertOptions { variant, names: args.model.names()?, ..ConvertOptions::to(format) };
        args.settings.set(&mut options)?;
        return packing::run(args, format, &options);
    }
    let plan = plan(args, Some(format))?;
    let open = |path: &PathBuf| dopesheet::open(path, None, &ReadOptions::default());
    let model = args.model.open()?;
    let into = args.into.as_ref().map(open).transpose()?;
    let onto = args.onto.as_deref().map(dopesheet::puppet::open_figure).transpose()?;
    let mut options = ConvertOptions {
        variant,
        into: into.as_ref(),
        onto: onto.as_ref(),
        motion_only: args.motion_only,
        replace: args.replace,
        names: args.model.names()?,
        ..ConvertOptions::to(format)
    };
    args.settings.set(&mut options)?;
    if args.run.dry_run {
        return say_plan(&plan, args, Some(format));
    }
    match plan {
        Plan::File(inputs, output) => to_file(&inputs, model, &output, args, Some(&options)),
        Plan::Folder { jobs, refused, folder } => {
            let options = ConvertOptions { model: model.as_ref(), ..options };
            to_folder(&jobs, &refused, &folder, args, Some(&options))
        }
    }
}

/// Edits files that keep their formats.
fn edited(args: &ConvertArgs) -> Result<Outcome, Error> {
    let plan = plan(args, None)?;
    if args.run.dry_run {
        return say_plan(&plan, args, None);
    }
    match plan {
        Plan::File(inputs, output) => to_file(&inputs, None, &output, args, None),
        Plan::Folder { jobs, refused, folder } => to_folder(&jobs, &refused, &folder, args, None),
    }
}

/// The format to write: by `-t`, else by the output's name. `None` if each edited input keeps its format.
fn target(args: &ConvertArgs) -> Result<(Option<&'static dyn AnyFormat>, Option<String>), Error> {
    if args.edits.is_some() && args.target.to.is_none() {
        return Ok((None, None));
    }
    let Some(word) = &args.target.to else {
        if args.target.output == "-" {
            return Err(Error::Usage(
                "standard output has no extension to tell the format; pass -t FORMAT".into(),
            ));
        }
        return Ok((Some(registry::by_file_name(&args.target.output)?), None));
    };
    let (id, variant) = registry::split_variant(word);
    let format = registry::wanted_for_writing(id)?;
    refuse_other_extension(&args.target.output, format)?;
    Ok((Some(format), variant.map(str::to_owned)))
}

/// Refuses an output whose name belongs to another format than `-t`. An extension without a format is
/// allowed.
fn refuse_other_extension(output: &str, format: &dyn AnyFormat) -> Result<(), Error> {
    let extension = Hint::from_file_name(output).extension.filter(|_| !Path::new(output).is_dir());
    let Some(extension) = extension.filter(|candidate| !format.info().extensions.contains(&&**candidate))
    else {
        return Ok(());
    };
    let Some(other) = registry::by_extension(&extension) else { return Ok(()) };
    let (id, other) = (format.info().id, other.info().id);
    let right = format.info().extensions.first().copied().unwrap_or(id);
    Err(Error::Usage(format!(
        "-o {output} names a file of {other}, and -t says {id}; end its name in .{right}, or leave out -t"
    )))
}

fn to_file(
    inputs: &[files::Input],
    model: Option<Opened>,
    output: &Path,
    args: &ConvertArgs,
    options: Option<&ConvertOptions<'_>>,
) -> Result<Outcome, Error> {
    let is_piped = output.as_os_str() == "-";
    let (forbidden, report_to) = (args.forbidden()?, args.run.report.as_deref());
    let run = || {
        // That an input is missing is told before anything that its output is.
        let mut missing = inputs.iter().filter(|input| !input.is_standard_input() && !input.path.exists());
        missing.try_for_each(|input| input.open(&args.run.read).map(drop))?;
        if !is_piped {
            save::refuse_existing(output, args.run.force)?;
        }
        // Keys are chosen by threads that keep the memory that they are done with. What is written is made by one of them, to
        // use it again.
        let conversions = rayon::scope(|_| convert(inputs, model, output, args, options))?;
        report_to.map_or(Ok(()), save::refuse_read)?;
        let refused = conversions.iter().try_for_each(|(_, conversion)| forbidden.check(&conversion.report));
        match (&conversions[..], is_piped) {
            _ if refused.is_err() => {}
            ([(_, conversion)], true) => {
                conversion.output.main.iter().try_for_each(|piece| console::data(piece))?
            }
            (_, true) => {
                let text = "--split writes two files; -o has to name one, and - is none";
                return Err(Error::Usage(text.into()));
            }
            (conversions, false) => parts::write_all(conversions, args.run.force)?,
        }
        Ok((
            conversions.into_iter().map(|(path, conversion)| (path, conversion.report)).collect::<Vec<_>>(),
            refused,
        ))
    };
    let name = names(inputs).join(" + ");
    let (report, outcome) = match run() {
        Ok((reports, Ok(()))) => {
            reports.iter().try_for_each(|(path, report)| show(&called(inputs), path, report, args))?;
            (lines(&reports), Outcome::Done)
        }
        // What was refused has a report all the same.
        Ok((reports, Err(error))) => {
            console::complain_of(&name, &error);
            (lines(&reports), Outcome::of(&error))
        }
        Err(error) => {
            console::complain_of(&name, &error);
            // The report's own name is taken.
            if let (Error::Io { path, .. }, Some(report)) = (&error, report_to)
                && save::identity(path) == save::identity(report)
            {
                return Ok(Outcome::of(&error));
            }
            (String::new(), Outcome::of(&error))
        }
    };
    if let Some(path) = report_to {
        save::bytes_to(path, report.as_bytes(), args.run.force)?;
    }
    Ok(outcome)
}

/// Reports in JSON, a line each.
fn lines(reports: &[(PathBuf, ConversionReport)]) -> String {
    let line = |(path, report): &(PathBuf, ConversionReport)| report.to_json(&path.to_string_lossy());
    reports.iter().map(|report| format!("{}\n", line(report))).collect()
}

fn to_folder(
    jobs: &[folder::Job],
    refused: &[files::Input],
    folder: &Path,
    args: &ConvertArgs,
    options: Option<&ConvertOptions<'_>>,
) -> Result<Outcome, Error> {
    let run = folder::Run {
        folder,
        refused,
        request: request::request(args)?,
        force: args.run.force,
        lenient: args.run.read.lenient,
        always_lists: false,
        manifest: &args.run.manifest,
        batch: &args.run.batch,
    };
    let forbidden = args.forbidden()?;
    let make = |job: &folder::Job, force: bool| {
        let mut conversions = convert(job.inputs(), None, &job.output, args, options)?;
        let (Some((_, conversion)), true) = (conversions.pop(), conversions.is_empty()) else {
            return Err(Error::Usage(
                "--split writes two files, and needs an output file to name them after".into(),
            ));
        };
        forbidden.check(&conversion.report)?;
        folder::JobOutput::of(job, folder, &conversion.output, conversion.report, force)
    };
    let mut reports =
        args.run.report.as_deref().map(|path| folder::Reports::create(path, args.run.force)).transpose()?;
    let mut totals = Totals::default();
    let ended = folder::run(&run, jobs, make, |job, report: &ConversionReport| {
        if let Some(reports) = &mut reports {
            reports.add(&report.to_json(&job.output.to_string_lossy()))?;
        }
        let inputs = called(job.inputs());
        match jobs.len() {
            1 => show(&inputs, &job.output, report, args),
            _ => totals.show(&inputs, &job.output, report, args),
        }
    })?;
    if let Some(reports) = reports {
        reports.finish(args.run.force)?;
    }
    totals.say();
    Ok(ended.say())
}

/// Files to write with their paths: one, or two if cameras and lights go to a separate file.
fn convert(
    inputs: &[files::Input],
    model: Option<Opened>,
    output: &Path,
    args: &ConvertArgs,
    options: Option<&ConvertOptions<'_>>,
) -> Result<Vec<(PathBuf, Conversion<Pieces>)>, Error> {
    let opened = inputs.iter().map(|input| input.open(&args.run.read));
    let opened = opened.collect::<Result<Vec<Opened>, _>>()?;
    let (opened, camera) = match &args.edits {
        Some(edits) => edited_files(opened, edits)?,
        None => (opened, None),
    };
    let options = match (options, opened.first()) {
        (Some(options), _) => options.clone(),
        (None, Some(first)) => ConvertOptions::to(first.format_for(&output.to_string_lossy())?),
        (None, None) => return Err(Error::Usage("expected a file, found none".into())),
    };
    let asked = args.edits.as_ref().and_then(|edits| edits.options.tolerance);
    let goes_on = opened.iter().any(|opened| opened.format().info().id != options.to.info().id);
    let tolerance = asked.filter(|_| goes_on).or(options.tolerance);
    let options = ConvertOptions { show_known_bones: shows_bones(args, options.to, &opened), ..options };
    let converted = |opened: Vec<Opened>, model: Option<Opened>, path: PathBuf| {
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let options = ConvertOptions { file_name, tolerance, ..options.clone() };
        convert_owned(opened, model, &options).map(|conversion| (path, conversion))
    };
    let whole = converted(opened, model, output.to_owned())?;
    if args.split {
        return apart(whole.0, whole.1, &options);
    }
    let mut all = vec![whole];
    if let Some(camera) = camera {
        all.push(converted(vec![camera], None, beside(output, "-camera"))?);
    }
    Ok(all)
}

/// True if a new GLB gets a mesh of the bones without a request: for a motion without any mesh, of which
/// viewers would show nothing.
fn shows_bones(args: &ConvertArgs, to: &dyn AnyFormat, opened: &[Opened]) -> bool {
    let is_other = args.no_show_bones || args.edits.is_some();
    let has_model = args.into.is_some() || args.onto.is_some() || args.model.model.is_some();
    let is_motion = |opened: &Opened| ["bvh", "fbx", "npz"].contains(&opened.format().info().id);
    to.info().id == "glb" && !is_other && !has_model && opened.iter().all(is_motion)
}
