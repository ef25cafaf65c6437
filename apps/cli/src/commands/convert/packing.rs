//! Files as an archive: nothing in them is converted.

use super::plan::say_one;
use crate::args::ConvertArgs;
use crate::outcome::Outcome;
use crate::{console, files};
use dopesheet::core::words::counted;
use dopesheet::{ConvertOptions, Error, core::format::AnyFormat, save};
use std::path::{Component, Path};

/// True if the output is to be an archive of the inputs. The conversion of a single archive to an archive is
/// an ordinary conversion.
pub(super) fn is_wanted(args: &ConvertArgs, format: &'static dyn AnyFormat) -> bool {
    let output = Path::new(&args.target.output);
    let is_archive = |name: &String| {
        dopesheet::core::format::Hint::from_file_name(name)
            .extension
            .is_some_and(|extension| format.info().extensions.contains(&&*extension))
    };
    let is_rewritten = matches!(&args.inputs[..], [one] if is_archive(one) && !Path::new(one).is_dir());
    dopesheet::archive::packs(format)
        && !is_rewritten
        && !output.is_dir()
        && !args.target.output.ends_with(['/', '\\'])
}

pub(super) fn run(
    args: &ConvertArgs,
    format: &'static dyn AnyFormat,
    options: &ConvertOptions<'_>,
) -> Result<Outcome, Error> {
    let asks = args.model.model.is_some()
        || args.run.report.is_some()
        || args.run.manifest.is_wanted()
        || args.run.json;
    if asks || args.run.fail_on_loss.is_some() || !options.is_plain() {
        let text = "files are packed as they are, so options that ask for another motion or a report have no meaning";
        return Err(Error::Usage(text.into()));
    }
    let output = Path::new(&args.target.output);
    let inputs = inputs(args, output)?;
    if args.run.dry_run {
        say_one(&inputs, output, format.info().id, args.run.json)?;
        return Ok(Outcome::Done);
    }
    let is_piped = args.target.output == "-";
    if !is_piped {
        save::refuse_existing(output, args.run.force)?;
    }
    let mut packed = Vec::with_capacity(inputs.len());
    for input in &inputs {
        packed.push((path_in_archive(input)?, input.bytes(args.run.read.lenient)?));
    }
    let bytes = dopesheet::archive::pack(format, &args.target.output, &packed)?;
    if is_piped {
        console::data(&bytes)?;
    } else {
        save::bytes_to(output, &bytes, args.run.force)?;
        console::say(&format!("{} packed into {}", counted(packed.len(), "file"), output.display()));
    }
    Ok(Outcome::Done)
}

/// The files to pack; files of a folder by their paths below it.
fn inputs(args: &ConvertArgs, output: &Path) -> Result<Vec<files::Input>, Error> {
    let mut all = Vec::new();
    for input in files::expand(&args.inputs)? {
        if !input.path.is_dir() {
            all.push(input);
            continue;
        }
        let pattern = input.path.to_str().map(|path| Path::new(&glob::Pattern::escape(path)).join("**"));
        let pattern = pattern.and_then(|pattern| pattern.to_str().map(str::to_owned));
        let pattern =
            pattern.ok_or_else(|| Error::Usage(format!("{}: a name that is not UTF-8", input.name())))?;
        all.extend(files::expand(&[pattern])?);
    }
    // What an earlier run made of the folder is not packed again.
    let written = save::identity(output);
    all.retain(|input| !input.by_pattern || save::identity(&input.path) != written);
    Ok(all)
}

fn path_in_archive(input: &files::Input) -> Result<String, Error> {
    if let Some(refusal) = input.refusal() {
        return Err(refusal);
    }
    let names = input.below.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let names = names.collect::<Option<Vec<&str>>>().filter(|names| !names.is_empty());
    names.map(|names| names.join("/")).ok_or_else(|| {
        Error::Usage(format!("{} has no name in an archive; name a file or a folder", input.name()))
    })
}
