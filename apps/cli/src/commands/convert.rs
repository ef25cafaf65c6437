//! `dopesheet convert`

use crate::args::{ConvertArgs, IkArg};
use crate::{Outcome, batch, console, files, outcome_of};
use dopesheet::motion::rigged::Behaviour;
use dopesheet::{
    AnyFormat, ClipChoice, Conversion, ConvertOptions, Error, Loss, Opened, RangeSpec, ReadOptions, registry,
    save,
};
use std::path::{Path, PathBuf};

/// Some inputs that become one output.
struct Job {
    inputs: Vec<files::Input>,
    /// `-` is standard output.
    output: PathBuf,
}

impl Job {
    fn is_piped(&self) -> bool {
        self.output.as_os_str() == "-"
    }

    fn input_names(&self) -> String {
        self.inputs.iter().map(files::Input::name).collect::<Vec<_>>().join(" + ")
    }
}

pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome, Error> {
    let (format, variant) = target(args)?;
    let jobs = jobs(args, format)?;
    if args.json && jobs.iter().any(Job::is_piped) {
        return Err(Error::Usage(
            "expected the report or the file on standard output, not both (--json and -o -)".into(),
        ));
    }
    let open = |path: &PathBuf| dopesheet::open(path, None, &ReadOptions::default());
    let model = args.model.open()?;
    let into = args.into.as_ref().map(open).transpose()?;
    let options = ConvertOptions {
        variant,
        model: model.as_ref(),
        into: into.as_ref(),
        replace: args.replace,
        skip_first: args.skip_first,
        clip: args.clip.as_deref().map(ClipChoice::parse),
        names: args.model.names()?,
        language: args.names.into(),
        unlit: args.unlit,
        bake: args.bake.map(dopesheet::rate).transpose()?,
        tolerance: args.tolerance,
        lossy: args.lossy,
        ik: match args.ik {
            IkArg::Mmd => Behaviour::Mmd,
            IkArg::Babylon => Behaviour::Babylon,
        },
        raw: args.raw,
        cubic: args.cubic,
        range: args.range.as_deref().map(RangeSpec::parse).transpose()?,
        shift: args.shift,
        sort: args.sort,
        metres_per_unit: args.scale.map(dopesheet::metres).transpose()?,
        keep_constant: args.keep_constant,
        replace_unencodable: args.replace_unencodable,
        ..ConvertOptions::to(format)
    };
    if args.dry_run {
        return plan(&jobs, args, format);
    }
    let mut reports = Vec::new();
    let work = |job: &Job| convert(job, args, &options);
    let outcome = batch::run(&jobs, &args.batch, work, |job, result| match result {
        Ok(conversion) => {
            let report = conversion.report.to_json(&job.output.to_string_lossy()).to_string();
            show(job, &conversion, args, jobs.len() == 1, &report)?;
            reports.push(report);
            Ok(Outcome::Done)
        }
        Err(error) => {
            console::complain_of(&job.input_names(), &error);
            Ok(outcome_of(&error))
        }
    })?;
    if let Some(path) = &args.report {
        save::bytes_to(path, format!("{}\n", reports.join("\n")).as_bytes(), args.force)?;
    }
    Ok(outcome)
}

/// The format to write: what `-t` says, else what the output's name says.
fn target(args: &ConvertArgs) -> Result<(&'static dyn AnyFormat, Option<String>), Error> {
    let Some(word) = &args.to else {
        if args.output == "-" {
            return Err(Error::Usage("expected a format with -t for standard output".into()));
        }
        return Ok((registry::by_file_name(&args.output)?, None));
    };
    let (id, variant) = registry::split_variant(word);
    Ok((registry::wanted(id)?, variant.map(str::to_owned)))
}

fn jobs(args: &ConvertArgs, format: &'static dyn AnyFormat) -> Result<Vec<Job>, Error> {
    let inputs = files::expand(&args.inputs)?;
    let output = PathBuf::from(&args.output);
    let names_folder = args.output.ends_with(['/', '\\']) || output.is_dir();
    let is_folder = names_folder || (args.to.is_some() && output.extension().is_none() && args.output != "-");
    if !is_folder {
        return Ok(vec![Job { inputs, output }]);
    }
    if args.to.is_none() || args.into.is_some() {
        let text =
            format!("expected an output file, found the folder {} (a folder needs -t FORMAT)", args.output);
        return Err(Error::Usage(text));
    }
    let inputs = files::open_archives(inputs, args.read.lenient)?;
    let extension = format.info().extensions.first().copied().unwrap_or(format.info().id);
    let outputs = files::outputs_below(&output, &inputs, extension)?;
    Ok(inputs.into_iter().zip(outputs).map(|(input, output)| Job { inputs: vec![input], output }).collect())
}

fn plan(jobs: &[Job], args: &ConvertArgs, format: &'static dyn AnyFormat) -> Result<Outcome, Error> {
    for job in jobs {
        let (inputs, output) = (job.input_names(), job.output.to_string_lossy());
        let to = format.info().id;
        if args.json {
            let plan = serde_json::json!({
                "schema_version": dopesheet::SCHEMA_VERSION,
                "dry_run": true,
                "inputs": job.inputs.iter().map(files::Input::name).collect::<Vec<_>>(),
                "output": output,
                "to": to,
                "overwrites": job.output.exists(),
            });
            console::line(&plan.to_string())?;
        } else {
            let exists = if job.output.exists() { ", which exists" } else { "" };
            console::line(&format!("{inputs} -> {output} ({to}){exists}"))?;
        }
    }
    Ok(Outcome::Done)
}

fn convert(job: &Job, args: &ConvertArgs, options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    if !job.is_piped() {
        save::refuse_existing(&job.output, args.force)?;
    }
    let opened = job.inputs.iter().map(|input| input.open(&args.read)).collect::<Result<Vec<Opened>, _>>()?;
    let file_name = job.output.file_name().map(|n| n.to_string_lossy().into_owned());
    let options = ConvertOptions { file_name, ..options.clone() };
    let conversion = dopesheet::convert(&opened, &options)?;
    if job.is_piped() {
        console::data(&conversion.output.main)?;
    } else {
        save::output(&job.output, &conversion.output, args.force)?;
    }
    Ok(conversion)
}

fn show(
    job: &Job,
    conversion: &Conversion,
    args: &ConvertArgs,
    in_full: bool,
    report: &str,
) -> Result<(), Error> {
    if args.json {
        console::line(report)?;
    }
    if args.batch.quiet {
        return Ok(());
    }
    let (from, to) = (conversion.report.from.join(", "), conversion.report.to);
    console::say(&format!("{} -> {} ({from} to {to})", job.input_names(), display(&job.output)));
    for finding in
        conversion.report.report.findings.iter().filter(|f| in_full || f.severity > dopesheet::Severity::Info)
    {
        console::say(&format!("  {}: {}", finding.severity.word(), finding.fault));
    }
    for loss in &conversion.report.report.losses {
        match loss {
            Loss::Kept { what } if in_full => console::say(&format!("  kept: {what}")),
            Loss::Kept { .. } => {}
            Loss::Approximated { what, max_error: e } => console::say(&format!(
                "  approximated: {what}; at most {:.3e} {} off ({} at {:.3} s)",
                e.value,
                e.unit.symbol(),
                e.target,
                e.time.0
            )),
            Loss::Dropped { what, why } => console::say(&format!("  dropped: {what}: {why}")),
        }
    }
    Ok(())
}

fn display(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard output".into() } else { path.display().to_string() }
}
