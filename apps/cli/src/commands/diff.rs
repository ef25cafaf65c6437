//! `dopesheet diff`

use crate::args::DiffArgs;
use crate::{Outcome, console, files};
use dopesheet::core::diag::ErrorUnit;
use dopesheet::core::model::Hierarchy;
use dopesheet::motion::apart::{Difference, Lone, TrackApart};
use dopesheet::{ClipChoice, Diff, DiffOptions, Error, Opened};
use std::fmt::Write;

/// Rows of the table of what is within its limits.
const ROWS: usize = 12;

pub(crate) fn run(args: &DiffArgs) -> Result<Outcome, Error> {
    let (a, b) = (open(&args.a, args)?, open(&args.b, args)?);
    let model = args.model.open()?;
    let options = DiffOptions {
        tolerance: args.tolerance,
        model: model.as_ref(),
        names: args.model.names()?,
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
    };
    let diff = dopesheet::diff(&a, &b, &options)?;
    console::line(&if args.json { diff.to_json().to_string() } else { text(&diff) })?;
    Ok(if diff.apart.is_within { Outcome::Done } else { Outcome::Failed })
}

fn open(name: &str, args: &DiffArgs) -> Result<Opened, Error> {
    match &files::expand(&[name.to_owned()])?[..] {
        [input] => input.open(&args.read),
        all => Err(Error::Usage(format!("expected two files to compare, found {} for {name}", all.len()))),
    }
}

fn text(diff: &Diff) -> String {
    let apart = &diff.apart;
    let mut out = format!("{}\n", verdict(diff));
    if let Some(worst) = &apart.worst {
        let d = &worst.difference;
        let _ = write!(out, "worst: {}, {}", worst.target, value(d));
        if let Some(limit) = d.limit {
            let _ = write!(out, " (at most {})", number(limit, d.unit));
        }
        let _ = write!(out, " at {:.3} s", d.time.0);
        if let Some(rad) = worst.rotation_rad.filter(|_| d.unit == ErrorUnit::Metre) {
            let _ = write!(out, ", turned by {}", number(rad, ErrorUnit::Radian));
        }
        out.push('\n');
    }
    for (side, list) in [(&diff.a, &apart.only_in_a), (&diff.b, &apart.only_in_b)] {
        if !list.is_empty() {
            let _ = writeln!(out, "moves only in {side}: {}", lone(list));
        }
    }
    table(&mut out, &apart.tracks);
    out.pop();
    out
}

fn verdict(diff: &Diff) -> String {
    let apart = &diff.apart;
    let is = if apart.is_within { "within" } else { "NOT within" };
    let hierarchy = match apart.hierarchy {
        Hierarchy::Known => "model space",
        Hierarchy::Unknown => "each joint alone, because who hangs on whom is unknown",
    };
    format!(
        "{} and {} are {is} {} of each other for points up to {} around each joint\n({hierarchy}; {} targets at {} times \
         from 0 to {:.3} s)",
        diff.a,
        diff.b,
        number(diff.tolerance.length_m, ErrorUnit::Metre),
        number(apart.shell_m, ErrorUnit::Metre),
        apart.tracks.len(),
        apart.moments,
        apart.end.0,
    )
}

fn lone(list: &[Lone]) -> String {
    list.iter().map(|l| l.target.as_str()).collect::<Vec<_>>().join(", ")
}

/// What is over its limit, and some of the rest; the largest share of a limit first.
fn table(out: &mut String, tracks: &[TrackApart]) {
    let differs = |t: &&TrackApart| t.channels.iter().any(|d| d.value > 0.0);
    let over = tracks.iter().filter(|t| t.share() > 1.0).count();
    let differing: Vec<&TrackApart> = tracks.iter().filter(differs).collect();
    for track in differing.iter().take(over.max(ROWS)) {
        let mark = if track.share() > 1.0 { '!' } else { ' ' };
        let values: Vec<String> =
            track.channels.iter().filter(|d| d.value > 0.0).map(|d| value(d) + &at(d)).collect();
        let _ = writeln!(out, "{mark} {}: {}", track.target, values.join(", "));
    }
    let left = differing.len().saturating_sub(over.max(ROWS));
    if left > 0 {
        let _ = writeln!(out, "  and {left} more that differ less");
    }
    if differing.len() < tracks.len() {
        let _ = writeln!(out, "  {} with no difference at all", tracks.len() - differing.len());
    }
}

fn at(difference: &Difference) -> String {
    format!(" at {:.3} s", difference.time.0)
}

fn value(difference: &Difference) -> String {
    let channel = match &difference.component {
        Some(component) => format!("{} {component}", difference.channel),
        None => difference.channel.replace('-', " "),
    };
    format!("{channel} {}", number(difference.value, difference.unit))
}

/// Three digits in a unit that people think in.
fn number(value: f64, unit: ErrorUnit) -> String {
    match unit {
        ErrorUnit::Metre if value < 1e-5 => format!("{} um", digits(value * 1e6)),
        ErrorUnit::Metre if value < 1.0 => format!("{} mm", digits(value * 1e3)),
        ErrorUnit::Metre => format!("{} m", digits(value)),
        ErrorUnit::Radian => format!("{}°", digits(value.to_degrees())),
        ErrorUnit::One => digits(value),
    }
}

fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let size = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&size) {
        return format!("{value:.2e}");
    }
    let places = (2.0 - size).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_in_a_handy_unit() {
        for (value, unit, text) in [
            (1e-4, ErrorUnit::Metre, "0.1 mm"),
            (0.03, ErrorUnit::Metre, "30 mm"),
            (4.5678e-6, ErrorUnit::Metre, "4.57 um"),
            (12.3456, ErrorUnit::Metre, "12.3 m"),
            (std::f64::consts::PI, ErrorUnit::Radian, "180°"),
            (1e-9, ErrorUnit::One, "1.00e-9"),
            (0.0, ErrorUnit::One, "0"),
        ] {
            assert_eq!(number(value, unit), text);
        }
    }
}
