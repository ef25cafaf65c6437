//! `dopesheet plot`

use crate::args::PlotArgs;
use crate::outcome::Outcome;
use crate::{console, files, unbound};
use dopesheet::{ClipChoice, Error, PlotOptions, json::SCHEMA_VERSION, save};
use std::path::Path;

/// Runs `plot`: draws the dope sheet and the curves of a clip.
pub(crate) fn run(args: &PlotArgs) -> Result<Outcome, Error> {
    let file = file(args)?;
    let pattern = args.select.as_deref().map(glob::Pattern::new).transpose();
    let pattern = pattern.map_err(|e| Error::Usage(format!("invalid glob pattern: {e}")))?;
    let opened = files::open_one(&args.file, &args.read)?;
    let (model, figure) = (args.model.open()?, args.figure.open()?);
    let matches = pattern.as_ref().map(|pattern| move |name: &str| pattern.matches(name));
    let options = PlotOptions {
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
        model: model.as_ref(),
        onto: figure.as_ref(),
        names: args.model.names()?,
        refuses_lost: true,
        select: matches.as_ref().map(|select| select as &dyn Fn(&str) -> bool),
    };
    let picture = dopesheet::plot(&opened, &options).map_err(|e| unbound::explained(e, &args.model))?;
    unbound::say(&opened, model.as_ref().filter(|_| figure.is_none()), &options.names)?;
    files::put(file, picture.as_bytes(), args.force)?;
    if args.json {
        let output = args.output.to_string_lossy();
        let summary =
            serde_json::json!({ "schema_version": SCHEMA_VERSION, "file": opened.name, "output": output });
        console::line(&summary.to_string())?;
    }
    Ok(Outcome::Done)
}

/// The file to write; `None` is standard output.
fn file(args: &PlotArgs) -> Result<Option<&Path>, Error> {
    let Some(path) = files::output(&args.output, args.json)? else { return Ok(None) };
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg")) {
        let text = format!("the name of the picture must end in .svg: {}", path.display());
        return Err(Error::Usage(text));
    }
    save::refuse_existing(path, args.force)?;
    Ok(Some(path))
}
