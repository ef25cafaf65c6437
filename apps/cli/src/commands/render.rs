//! `dopesheet render`

use crate::args::{DirectionArg, RenderArgs};
use crate::outcome::Outcome;
use crate::{console, files, unbound};
use dopesheet::draw::Direction;
use dopesheet::{
    ClipChoice, Error, RenderOptions, json::SCHEMA_VERSION, render::RenderForm, render::Rendered, save,
};
use serde_json::{Value, json};

/// Runs `render`: draws pictures of a clip.
pub(crate) fn run(args: &RenderArgs) -> Result<Outcome, Error> {
    let file = files::output(&args.output, args.json)?;
    file.map_or(Ok(()), |path| save::refuse_existing(path, args.force))?;
    let defaults = RenderOptions::default();
    let mut options = RenderOptions {
        form: form(args)?,
        times: args.when.spec()?,
        columns: args.columns,
        size: args.size.as_deref().map(size).transpose()?.unwrap_or(defaults.size),
        direction: direction(args.view),
        follows: args.follow,
        background: args
            .background
            .as_deref()
            .map_or(Ok(defaults.background), dopesheet::render::background)?,
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
        limits: args.frames.limits(&args.read),
        ..defaults
    };
    let opened = files::open_one(&args.file, &args.read)?;
    let (model, figure) = (args.model.open()?, args.figure.open()?);
    (options.model, options.onto) = (model.as_ref(), figure.as_ref());
    options.names = args.model.names()?;
    options.refuses_lost = true;
    let rendered = dopesheet::render(&opened, &options).map_err(|e| unbound::explained(e, &args.model))?;
    for finding in &rendered.report.findings {
        console::say(&finding.to_string());
    }
    files::put(file, &rendered.bytes, args.force)?;
    if args.json {
        console::line(&summary(&opened.name, args, &rendered).to_string())?;
    }
    Ok(Outcome::Done)
}

fn summary(file: &str, args: &RenderArgs, rendered: &Rendered) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "file": file,
        "output": args.output.to_string_lossy(),
        "width_px": rendered.size_px[0],
        "height_px": rendered.size_px[1],
        "times_s": rendered.times_s,
    })
}

/// Form of the picture, by the file's extension; a sheet on standard output.
fn form(args: &RenderArgs) -> Result<RenderForm, Error> {
    if args.output.as_os_str() == "-" {
        return Ok(RenderForm::Sheet);
    }
    let extension = args.output.extension().map(|e| e.to_string_lossy()).unwrap_or_default();
    RenderForm::from_extension(&extension).ok_or_else(|| {
        let path = args.output.display();
        Error::Usage(format!("the name of the picture must end in .png, .gif or .apng: {path}"))
    })
}

/// Reads `320x240`.
fn size(text: &str) -> Result<[u32; 2], Error> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed.ok_or_else(|| Error::Usage(format!("invalid size \"{text}\"; give pixels as 320x240")))
}

const fn direction(arg: DirectionArg) -> Direction {
    match arg {
        DirectionArg::ThreeQuarter => Direction::ThreeQuarter,
        DirectionArg::Front => Direction::Front,
        DirectionArg::Side => Direction::Side,
        DirectionArg::Top => Direction::Top,
    }
}
