//! `dopesheet info`

use crate::args::InfoArgs;
use crate::{Outcome, batch, console, files, outcome_of};
use dopesheet::{ClipInfo, Error, Info};
use std::fmt::Write;

pub(crate) fn run(args: &InfoArgs) -> Result<Outcome, Error> {
    let inputs = files::expand(&args.files)?;
    let work = |input: &files::Input| input.open(&args.read).and_then(|opened| dopesheet::info(&opened));
    batch::run(&inputs, &args.batch, work, |input, result| match result {
        Ok(info) => {
            console::line(&if args.json { info.to_json().to_string() } else { text(&info) })?;
            Ok(Outcome::Done)
        }
        Err(error) => {
            console::complain(&format!("{}: {error}", input.name()));
            Ok(outcome_of(&error))
        }
    })
}

fn text(info: &Info) -> String {
    let mut out = format!("{}\n  {} ({})", info.file, info.format_name, info.format);
    for part in [&info.summary.version, &info.summary.variant].into_iter().flatten() {
        let _ = write!(out, ", {part}");
    }
    for (name, value) in &info.summary.facts {
        let _ = write!(out, "\n  {name}: {value}");
    }
    let mut parts = vec![format!("nodes: {}", info.nodes)];
    parts.extend(info.parts.iter().map(|(name, n)| format!("{name}: {n}")));
    let _ = write!(out, "\n  {}", parts.join(", "));
    for (index, clip) in info.clips.iter().enumerate() {
        let _ = write!(out, "\n  clip #{index} {}", clip_text(clip));
    }
    let [errors, warnings, infos] = info.findings;
    let _ = write!(out, "\n  findings: {errors} errors, {warnings} warnings, {infos} infos");
    if errors + warnings > 0 {
        out.push_str(" (see `dopesheet check`)");
    }
    out
}

fn clip_text(clip: &ClipInfo) -> String {
    let name = clip.name.as_ref().map_or_else(|| "(no name)".to_owned(), |n| format!("\"{n}\""));
    let mut out = format!("{name}: {:.3} s, {} tracks, {} keys", clip.duration_s, clip.tracks, clip.keys);
    if let Some(rate) = clip.rate_fps {
        let _ = write!(out, ", {rate} fps");
    }
    if clip.markers > 0 {
        let _ = write!(out, ", {} markers", clip.markers);
    }
    out
}
