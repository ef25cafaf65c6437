//! `split`: several outputs from each input.

use super::edited::{called, edited_files, names};
use super::plan::{Plan, plan, say_one};

use crate::args::{ConvertArgs, Edits};
use crate::outcome::Outcome;
use crate::{console, files, folder};
use dopesheet::core::format::{AnyFormat, Pieces};
use dopesheet::edit::{Draft, EditOptions, Operation, Split};
use dopesheet::{ClipChoice, Conversion, ConvertOptions, Error, Opened, convert::convert_owned, save};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the parts of each input: `OUT-1`, `OUT-2` and so on, all parts of an input or none.
pub(super) fn run(
    args: &ConvertArgs,
    edits: &Edits,
    cuts: &Split,
    to: Option<(&'static dyn AnyFormat, &ConvertOptions<'_>)>,
) -> Result<Outcome, Error> {
    check(args)?;
    let mut outcome = Outcome::Done;
    let jobs = match plan(args, to.map(|(format, _)| format))? {
        Plan::File(inputs, output) => vec![(inputs, output)],
        Plan::Folder { jobs, refused, .. } => {
            for (input, error) in refused.iter().filter_map(|input| Some((input, input.refusal()?))) {
                console::complain_of(&input.name(), &error);
                outcome = Outcome::Failed;
            }
            jobs.into_iter().map(|job| (of(job.inputs), job.output)).collect()
        }
    };
    let is_batch = jobs.len() > 1;
    for (inputs, output) in jobs {
        let done = parts(&inputs, &output, args, edits, cuts).and_then(|parts| match args.run.dry_run {
            true => parts.iter().try_for_each(|(output, _)| {
                let to = to.map_or("its own format", |(format, _)| format.info().id);
                say_one(&inputs, output, to, args.run.json)
            }),
            false => write(&inputs, parts, args, to.map(|(_, options)| options)),
        });
        if let Err(error) = done {
            console::complain_of(&names(&inputs).join(" + "), &error);
            outcome = outcome.max(if is_batch { Outcome::Failed } else { Outcome::of(&error) });
        }
    }
    Ok(outcome)
}

/// Refuses options of runs with a single output for each input.
fn check(args: &ConvertArgs) -> Result<(), Error> {
    let refused = match &args.run {
        _ if args.target.output == "-" => "standard output holds one file; name a file or a folder",
        run if run.manifest.is_wanted() => "--resume and --manifest know one output for each input",
        run if run.report.is_some() => "--report is of one output; --json prints a report for each part",
        _ => return Ok(()),
    };
    Err(Error::Usage(format!("split: {refused}")))
}

fn of(sources: folder::Sources) -> Vec<files::Input> {
    match sources {
        folder::Sources::One(input) => vec![input],
        folder::Sources::Many(inputs) => inputs,
    }
}

/// The edited input of each part, and the name of its output.
fn parts(
    inputs: &[files::Input],
    output: &Path,
    args: &ConvertArgs,
    edits: &Edits,
    cuts: &Split,
) -> Result<Vec<(PathBuf, Opened)>, Error> {
    let opened = inputs.iter().map(|input| input.open(&args.run.read)).collect::<Result<Vec<_>, _>>()?;
    let (edited, _) = edited_files(opened, edits)?;
    let [edited] = edited.as_slice() else {
        let text =
            "split: several inputs need an output folder (-o parts/), or to be made one first (concat)";
        return Err(Error::Usage(text.into()));
    };
    let draft = Draft::new(Arc::new(edited.clone()))?;
    let all = EditOptions { clips: ClipChoice::All, ..edits.options.clone() };
    let trims = draft.parts(cuts, &all.clips)?;
    let digits = trims.len().to_string().len();
    let part = |(at, trim)| {
        let output = numbered(output, at + 1, digits);
        if !args.run.dry_run {
            save::refuse_existing(&output, args.run.force)?;
        }
        let mut part = draft.clone();
        part.apply(&Operation::Trim(trim), &all)?;
        Ok((output, part.finish()?))
    };
    trims.into_iter().enumerate().map(part).collect()
}

/// A file name with a number behind its stem: `dance-2.vmd`, and `dance-02.vmd` of ten and more.
fn numbered(output: &Path, number: usize, digits: usize) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let extension =
        output.extension().map_or_else(String::new, |extension| format!(".{}", extension.to_string_lossy()));
    output.with_file_name(format!("{stem}-{number:0digits$}{extension}"))
}

/// Converts all parts before any of them is written.
fn write(
    inputs: &[files::Input],
    parts: Vec<(PathBuf, Opened)>,
    args: &ConvertArgs,
    options: Option<&ConvertOptions<'_>>,
) -> Result<(), Error> {
    let forbidden = args.forbidden()?;
    let make = |(output, opened): (PathBuf, Opened)| -> Result<(PathBuf, Conversion<Pieces>), Error> {
        let options_in_format = match options {
            Some(options) => options.clone(),
            None => ConvertOptions::to(opened.format_for(&output.to_string_lossy())?),
        };
        let file_name = output.file_name().map(|name| name.to_string_lossy().into_owned());
        let options = ConvertOptions { file_name, ..options_in_format };
        let conversion = rayon::scope(|_| convert_owned(vec![opened], None, &options))?;
        forbidden.check(&conversion.report)?;
        Ok((output, conversion))
    };
    let conversions = parts.into_iter().map(make).collect::<Result<Vec<_>, _>>()?;
    write_all(&conversions, args.run.force)?;
    for (output, conversion) in conversions {
        super::show(&called(inputs), &output, &conversion.report, args)?;
    }
    Ok(())
}

/// Writes files. All of them are on the disk before any gets its name: a disk that fills up half-way leaves
/// none.
pub(super) fn write_all(conversions: &[(PathBuf, Conversion<Pieces>)], force: bool) -> Result<(), Error> {
    let unnamed = conversions
        .iter()
        .map(|(path, Conversion { output, .. })| save::unnamed(path, &output.main, &output.resources, force));
    let unnamed = unnamed.collect::<Result<Vec<_>, _>>()?;
    unnamed.into_iter().flatten().try_for_each(|file| file.finish(force))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_behind_the_stem() {
        let name = |output: &str, number, digits| numbered(Path::new(output), number, digits);
        assert_eq!(name("a/dance.vmd", 2, 1), Path::new("a/dance-2.vmd"));
        assert_eq!(name("dance", 2, 2), Path::new("dance-02"));
    }
}
