//! `dopesheet diff`

use crate::args::DiffArgs;
use crate::outcome::Outcome;
use crate::{console, files, unbound};
use dopesheet::core::diag::ErrorUnit;
use dopesheet::core::model::Hierarchy;
use dopesheet::core::words::{agreeing, angle, counted, length, time};
use dopesheet::diff::{Diff, Tolerances, diff_onto};
use dopesheet::motion::Tolerance;
use dopesheet::motion::compare::{ChannelDifference, TrackDifference, Unmatched};
use dopesheet::{ClipChoice, DiffOptions, Error, Opened};
use std::fmt::Write;

/// Most rows of the table for targets within their limits.
const ROWS: usize = 12;

/// Runs `diff`: compares two motions, and fails beyond the limits.
pub(crate) fn run(args: &DiffArgs) -> Result<Outcome, Error> {
    let (a, b) = (open(&args.a, args)?, open(&args.b, args)?);
    let model = args.model.open()?;
    let limits = Limits::parse(&args.tolerance, args.onto)?;
    let clip = args.clip.as_deref();
    let both_clips = clip.filter(|_| args.onto).and_then(|clip| clip.split_once(','));
    let options = DiffOptions {
        tolerance: limits.points,
        model: model.as_ref(),
        names: args.model.names()?,
        refuses_lost: true,
        clip: both_clips.map(|(clip, _)| clip).or(clip).map_or(ClipChoice::First, ClipChoice::parse),
        result_clip: both_clips.map(|(_, clip)| ClipChoice::parse(clip)),
        limits: args.frames.limits(&args.read),
    };
    let explained = |error| unbound::explained(error, &args.model);
    if args.onto {
        let diff = diff_onto(&a, &b, &options, limits.onto).map_err(explained)?;
        let (position, name) = &diff.result_clip;
        let name = name.as_ref().map_or_else(|| "(no name)".to_owned(), |name| format!("\"{name}\""));
        let numbers = if diff.is_within() { String::new() } else { format!("; {}", diff.verdict.numbers()) };
        let text = || vec![format!("{}, clip #{position} {name}: {}{numbers}", diff.b, diff.verdict)];
        console::lines(&if args.json { vec![diff.to_json().to_string()] } else { text() })?;
        return Ok(if diff.is_within() { Outcome::Done } else { Outcome::Failed });
    }
    let diff = dopesheet::diff(&a, &b, &options).map_err(explained)?;
    for (file, model) in [&a, &b].into_iter().zip(model.iter().cycle()) {
        unbound::goes_onto(file, model, &options.names);
    }
    console::lines(&if args.json { vec![diff.to_json().to_string()] } else { text(&diff) })?;
    Ok(if diff.comparison.is_within { Outcome::Done } else { Outcome::Failed })
}

/// Largest differences that count as equality.
struct Limits {
    points: Tolerance,
    onto: Tolerances,
}

/// Ending of an angle.
const DEGREES: &str = "deg";

impl Limits {
    fn parse(texts: &[String], onto: bool) -> Result<Self, Error> {
        let mut limits = Self { points: Tolerance::DEFAULT, onto: Tolerances::default() };
        for text in texts {
            match text.strip_suffix(DEGREES).filter(|_| onto) {
                Some(angle) => {
                    let angle: Option<f64> =
                        angle.parse().ok().filter(|radians: &f64| *radians > 0.0 && radians.is_finite());
                    let usage = || Error::Usage(format!("expected an angle such as 1deg, found \"{text}\""));
                    limits.onto.angle_rad = Some(angle.ok_or_else(usage)?.to_radians());
                }
                None => {
                    limits.points = text.parse().map_err(|error| Error::Usage(format!("{error}")))?;
                    limits.onto.length_m = Some(limits.points.length_m);
                }
            }
        }
        Ok(limits)
    }
}

fn open(name: &str, args: &DiffArgs) -> Result<Opened, Error> {
    match &files::expand(&[name.to_owned()])?[..] {
        [input] => input.open(&args.read),
        all => Err(Error::Usage(format!("{} files match {name}; name one", all.len()))),
    }
}

/// The lines about a comparison.
fn text(diff: &Diff) -> Vec<String> {
    let comparison = &diff.comparison;
    let mut out: Vec<String> = verdict(diff).into();
    if let Some(largest) = &comparison.largest {
        let d = &largest.difference;
        let mut line = format!("worst: {}, {}", largest.target, value(d));
        if let Some(limit) = d.limit {
            let _ = write!(line, " (at most {})", d.unit.in_words(limit));
        }
        line.push_str(&at(d));
        if let Some(rad) = largest.rotation_rad.filter(|_| d.unit == ErrorUnit::Metre) {
            let _ = write!(line, ", turned by {}", angle(rad));
        }
        out.push(line);
    }
    for (side, list) in [(&diff.a, &comparison.only_in_a), (&diff.b, &comparison.only_in_b)] {
        if !list.is_empty() {
            out.push(format!("moves only in {side}: {}", lone(list)));
        }
    }
    table(&mut out, &comparison.tracks);
    out
}

fn verdict(diff: &Diff) -> [String; 2] {
    let comparison = &diff.comparison;
    let is = if comparison.is_within { "within" } else { "NOT within" };
    let hierarchy = match comparison.hierarchy {
        Hierarchy::Known => "model space",
        Hierarchy::Unknown => "each joint by itself, because the hierarchy is unknown",
    };
    let verdict = format!(
        "{} and {} are {is} {} of each other for points up to {} around each joint",
        diff.a,
        diff.b,
        length(diff.tolerance.length_m),
        length(comparison.shell_m),
    );
    let how = format!(
        "({hierarchy}; {} at {} from 0 to {})",
        counted(comparison.tracks.len(), "target"),
        counted(comparison.samples, "time"),
        time(comparison.end),
    );
    [verdict, how]
}

fn lone(list: &[Unmatched]) -> String {
    list.iter().map(|l| l.target.as_str()).collect::<Vec<_>>().join(", ")
}

/// Differences below this, in metres, radians or 1, are listed only if they are the largest of a target.
const UNTOLD: f64 = 1e-7;

/// The differences over their limits, and some of the rest; the largest share of a limit first.
fn table(out: &mut Vec<String>, tracks: &[TrackDifference]) {
    let differs = |t: &&TrackDifference| t.channels.iter().any(|d| d.value > 0.0);
    let over = tracks.iter().filter(|t| t.share() > 1.0).count();
    let differing: Vec<&TrackDifference> = tracks.iter().filter(differs).collect();
    for track in differing.iter().take(over.max(ROWS)) {
        let mark = if track.share() > 1.0 { '!' } else { ' ' };
        let largest = track.channels.iter().map(|d| d.value).fold(0.0, f64::max);
        // Beside what differs, what single precision makes of equal numbers says nothing.
        let listed =
            track.channels.iter().filter(|d| d.value > 0.0 && (d.value >= UNTOLD || d.value == largest));
        let values: Vec<String> = listed.map(|d| value(d) + &at(d)).collect();
        out.push(format!("{mark} {}: {}", track.target, values.join(", ")));
    }
    let left = differing.len().saturating_sub(over.max(ROWS));
    if left > 0 {
        out.push(format!("  and {left} more that {} less", agreeing(left, "differs", "differ")));
    }
    if differing.len() < tracks.len() {
        out.push(format!("  {} without any difference", tracks.len() - differing.len()));
    }
}

fn at(difference: &ChannelDifference) -> String {
    format!(" at {}", time(difference.time))
}

fn value(difference: &ChannelDifference) -> String {
    let channel = match &difference.component {
        Some(component) => format!("{} {component}", difference.channel),
        None => difference.channel.replace('-', " "),
    };
    format!("{channel} {}", difference.unit.in_words(difference.value))
}
