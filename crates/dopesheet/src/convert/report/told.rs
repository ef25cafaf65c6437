//! The report of a conversion in lines: the full report, or a few lines for a person to read.

use crate::convert::ConversionReport;
use dopesheet_core::diag::{Code, ErrorUnit, Fault, Finding, Loss, MaxError, Place, Severity};
use dopesheet_core::order::by_key;
use dopesheet_core::order::by_number;
use dopesheet_core::words::{agreeing, counted};
use std::borrow::Cow;
use std::fmt;

/// Most lines of a short report, not counting lines about findings.
const MOST_LINES: usize = 5;

/// Most entries of a list in a short report.
const MOST_NAMES: usize = 8;

/// Most kept items listed in a short report.
const MOST_KEPT: usize = 4;

/// Kind of a line of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A finding about a fault of the file.
    Error,
    /// A finding that deserves a look.
    Warning,
    /// The inputs and the output.
    Result,
    /// Everything else.
    Plain,
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportLine {
    /// Its kind.
    pub kind: LineKind,
    /// Code of the finding that the line reports.
    pub code: Option<Code>,
    /// Its text, without a line break at the end.
    pub text: String,
}

impl ReportLine {
    fn plain(text: impl fmt::Display) -> Self {
        Self { kind: LineKind::Plain, code: None, text: format!("  {text}") }
    }
}

/// The largest error of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestError<'a> {
    /// Name of the approximated item, with the approximation.
    pub what: &'a str,
    /// Size in `unit`: measured, or an upper bound.
    pub value: f64,
    /// Unit of `value`.
    pub unit: ErrorUnit,
    /// Target and time of a measured error.
    pub measured: Option<&'a MaxError>,
    /// Upper bound beside a measured error, in `unit`.
    pub bound: Option<f64>,
}

impl<'a> LargestError<'a> {
    fn of(loss: &'a Loss) -> Option<Self> {
        match loss {
            Loss::Approximated { what, max_error, bound } => {
                let (value, unit) = (max_error.value, max_error.unit);
                Some(Self { what, value, unit, measured: Some(max_error), bound: *bound })
            }
            Loss::Bounded { what, bound, unit } => {
                Some(Self { what, value: *bound, unit: *unit, measured: None, bound: None })
            }
            _ => None,
        }
    }

    /// Size, file, target and time.
    #[must_use]
    pub fn of_file(&self, file: &str) -> String {
        let size = self.unit.in_words(self.value);
        match self.measured {
            Some(error) => format!("{size} ({file}: {error})"),
            None => format!("at most {size}, by its bound ({file})"),
        }
    }

    /// Size, bound, target, time and name.
    fn in_full(&self) -> String {
        let size = self.unit.in_words(self.value);
        let never = self.bound.map(|bound| format!(", never more than {}", self.unit.in_words(bound)));
        match self.measured {
            Some(error) => format!("{size}{} ({error}; {})", never.unwrap_or_default(), self.what),
            None => format!("at most {size}, by its bound ({})", self.what),
        }
    }
}

/// Size, target and time. A plain number is preceded by its property.
impl fmt::Display for LargestError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.unit.in_words(self.value);
        match (self.measured, self.unit) {
            (Some(error), ErrorUnit::One) => {
                let (property, _) = self.what.split_once([':', ',']).unwrap_or((self.what, ""));
                write!(f, "{property} {size} ({error})")
            }
            (Some(error), _) => write!(f, "{size} ({error})"),
            (None, _) => write!(f, "at most {size}, by its bound"),
        }
    }
}

/// Words of a loss, if it is of a certain kind.
type WordsOf = fn(&Loss) -> Option<&str>;

/// Words about a conversion that only its caller knows.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    /// Name of the inputs.
    pub inputs: &'a str,
    /// Name of the output.
    pub output: &'a str,
    /// Way to the full report, as in `and 48 more: --verbose`.
    pub way_to_more: &'a str,
}

impl ConversionReport {
    /// The lines for a person to read. At most five tell the inputs and the output, the largest measured
    /// error, the difference between frames, the losses with the most important first, and the kept items;
    /// then follows a line for each code of a warning. Lists end after eight names.
    #[must_use]
    pub fn brief(&self, telling: &Telling<'_>) -> Vec<ReportLine> {
        let mut facts = Vec::new();
        facts.extend(self.verdict(telling.way_to_more));
        facts.extend(self.largest_error());
        facts.extend(self.between_frames());
        let room = (MOST_LINES - 1).saturating_sub(facts.len()).max(1);
        facts.extend(self.lost(room, telling.way_to_more));
        let kept: [(_, WordsOf); 2] = [
            ("kept", |loss| if let Loss::Kept { what } = loss { Some(what) } else { None }),
            ("kept as data", |loss| if let Loss::KeptAsData { what } = loss { Some(what) } else { None }),
        ];
        let kept = kept.into_iter().filter_map(|(word, of)| self.kept(word, of, telling.way_to_more));
        facts.extend(kept.take(MOST_LINES.saturating_sub(facts.len() + 1)));
        let facts = facts.into_iter().map(ReportLine::plain);
        // Warnings are long, and what stands last is read first.
        std::iter::once(self.head(telling, true)).chain(facts).chain(self.warnings(telling)).collect()
    }

    /// The full report, in lines: findings worse than remarks first.
    #[must_use]
    pub fn full(&self, telling: &Telling<'_>) -> Vec<ReportLine> {
        let (remarks, worse): (Vec<_>, Vec<_>) =
            self.report.findings.iter().partition(|finding| finding.severity == Severity::Info);
        let mut lines: Vec<_> =
            worse.into_iter().map(|f| finding_line(f, telling.inputs, &message(&f.fault))).collect();
        lines.push(self.head(telling, false));
        lines.extend(self.report.verdicts.iter().map(|verdict| {
            let clip = self.clips.get(verdict.clip).filter(|name| !name.is_empty() && self.clips.len() > 1);
            let of_clip = clip.map(|clip| format!("{clip}: ")).unwrap_or_default();
            ReportLine::plain(format!("{of_clip}{verdict}; {}", verdict.numbers()))
        }));
        lines.extend(
            remarks
                .into_iter()
                .map(|f| format!("info: {} [{}]", message(&f.fault), f.fault.code))
                .map(ReportLine::plain),
        );
        lines.extend(self.report.losses.iter().map(|loss| ReportLine::plain(loss.to_string())));
        lines
    }

    /// A line for each code among the findings worse than remarks, with the first finding of the code and the
    /// number of further findings.
    fn warnings(&self, telling: &Telling<'_>) -> Vec<ReportLine> {
        let mut firsts: Vec<(&Finding, usize)> = Vec::new();
        for finding in self.report.findings.iter().filter(|f| f.severity > Severity::Info) {
            match firsts.iter_mut().find(|(first, _)| first.fault.code == finding.fault.code) {
                Some((_, count)) => *count += 1,
                None => firsts.push((finding, 1)),
            }
        }
        by_number(&mut firsts, |(first, _)| -f64::from(first.severity as u8));
        let line = |(first, count): (&Finding, usize)| {
            let more = match count - 1 {
                0 => String::new(),
                more => format!(" (and {more} more: {})", telling.way_to_more),
            };
            let message = message(&first.fault);
            let text = shortened(&message, telling.way_to_more);
            finding_line(first, telling.inputs, &format!("{text}{more}"))
        };
        firsts.into_iter().map(line).collect()
    }

    /// The inputs and the output; with `counts`, also the size of the result and the number of remarks.
    fn head(&self, telling: &Telling<'_>, counts: bool) -> ReportLine {
        let (from, to) = (self.from.join(", "), self.to);
        let mut text = format!("{} -> {} ({from} to {to})", telling.inputs, telling.output);
        if counts {
            let sizes = [(self.clips.len(), "clip"), (self.tracks, "track"), (self.keys, "key")];
            let sizes: Vec<_> =
                sizes.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| counted(*n, noun)).collect();
            if !sizes.is_empty() {
                text = format!("{text}: {}", sizes.join(", "));
            }
            let remarks = self.report.findings.iter().filter(|f| f.severity == Severity::Info).count();
            if remarks > 0 {
                text = format!("{text}; {}: {}", counted(remarks, "remark"), telling.way_to_more);
            }
        }
        ReportLine { kind: LineKind::Result, code: None, text }
    }

    /// The largest error of each unit, measured or by its bound, lengths first.
    pub fn largest_errors(&self) -> impl Iterator<Item = LargestError<'_>> {
        let of = |unit| {
            let errors = self.report.losses.iter().filter_map(LargestError::of);
            errors.filter(|error| error.unit == unit).max_by(|a, b| a.value.total_cmp(&b.value))
        };
        [ErrorUnit::Metre, ErrorUnit::Radian, ErrorUnit::One].into_iter().filter_map(of)
    }

    /// The verdict on the first clip that was put onto another figure.
    fn verdict(&self, way_to_more: &str) -> Option<String> {
        match self.report.verdicts.as_slice() {
            [] => None,
            [verdict] => Some(verdict.to_string()),
            [verdict, rest @ ..] => {
                let clips = agreeing(rest.len(), "clip", "clips");
                Some(format!("{verdict}; {} more {clips}: {way_to_more}", rest.len()))
            }
        }
    }

    fn largest_error(&self) -> Option<String> {
        let mut errors = self.largest_errors();
        let mut text = format!("largest error: {}", errors.next()?.in_full());
        for error in errors {
            text = format!("{text}; {error}");
        }
        Some(text)
    }

    /// The largest difference between the frames at which the motion is known; lengths go before other units.
    fn between_frames(&self) -> Option<String> {
        let differences = self.report.losses.iter().filter_map(|loss| match loss {
            Loss::Unsampled { what, max_error } => Some((what, max_error)),
            _ => None,
        });
        let rank = |error: &MaxError| (error.unit == ErrorUnit::Metre, error.value);
        let (what, largest) = differences.max_by(|a, b| {
            let (a, b) = (rank(a.1), rank(b.1));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })?;
        Some(format!(
            "between frames, where it is not sampled, the motion may differ by up to {} ({largest}; {what}); at the rate of the \
             source's frames nothing of that is seen",
            largest.size()
        ))
    }

    /// The losses, in at most `room` lines: a line for each reason, the reason of the most important loss
    /// first.
    fn lost(&self, room: usize, way_to_more: &str) -> Vec<String> {
        let mut all: Vec<(&str, &str)> = Vec::new();
        for loss in &self.report.losses {
            if let Loss::Dropped { what, why } = loss {
                all.push((what, why));
            }
        }
        by_key(&mut all, |(what, _)| (Matter::of(what), std::cmp::Reverse(first_number(what))));
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for (what, why) in &all {
            match reasons.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, list)) => list.push(what),
                None => reasons.push((why, vec![what])),
            }
        }
        let unsaid: usize = reasons.iter().skip(room).map(|(_, list)| list.len()).sum();
        let line = |(why, list): &(&str, Vec<&str>)| {
            let items: Vec<_> = list.iter().map(|what| shortened(what, way_to_more)).collect();
            format!("lost: {}: {why}", ended(&items, MOST_NAMES, way_to_more))
        };
        let mut lines: Vec<String> = reasons.iter().take(room).map(line).collect();
        if let Some(last) = lines.last_mut().filter(|_| unsaid > 0) {
            let noun = agreeing(unsaid, "thing", "things");
            *last = format!("{last}; and {unsaid} more {noun}: {way_to_more}");
        }
        lines
    }

    fn kept(&self, word: &str, of: fn(&Loss) -> Option<&str>, way_to_more: &str) -> Option<String> {
        let kept = self.report.losses.iter().filter_map(of).map(|what| shortened(what, way_to_more));
        let kept: Vec<_> = kept.collect();
        let more = kept.len().saturating_sub(MOST_KEPT);
        let list = kept.iter().take(MOST_KEPT).map(AsRef::as_ref).collect::<Vec<&str>>().join("; ");
        match (kept.is_empty(), more) {
            (true, _) => None,
            (false, 0) => Some(format!("{word}: {list}")),
            (false, _) => Some(format!("{word}: {list}; and {more} more: {way_to_more}")),
        }
    }
}

/// A finding about a file that was converted nevertheless.
fn finding_line(finding: &Finding, name: &str, message: &str) -> ReportLine {
    let kind = if finding.severity == Severity::Error { LineKind::Error } else { LineKind::Warning };
    let text = format!("{}: {name}: {message} [{}]", finding.severity.word(), finding.fault.code);
    ReportLine { kind, code: Some(finding.fault.code), text }
}

/// A fault in words, without the mention that the fault is about the file as a whole.
fn message(fault: &Fault) -> String {
    match (&fault.place, fault.path.is_empty()) {
        (Place::File, true) => format!("expected {}, found {}", fault.expected, fault.found),
        _ => fault.to_string(),
    }
}

/// Importance of a lost item, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Matter {
    Motion,
    /// Pictures and materials, the first to be noticed.
    Surfaces,
    Other,
    Physics,
    /// Shades of a style, and remarks.
    Remarks,
}

impl Matter {
    fn of(what: &str) -> Self {
        const REMARKS: [&str; 6] = ["toon ", "sphere ", "comment", "spelling", "display", "scale of nodes"];
        const PHYSICS: [&str; 2] = ["soft bod", "rigid bod"];
        const SURFACES: [&str; 3] = ["picture", "texture", "material"];
        const MOTION: [&str; 11] = [
            "motion",
            "key",
            "track",
            "clip",
            "curve",
            "channel",
            "weights",
            "the rig",
            "chain",
            "marker",
            "the last ",
        ];
        let has = |words: &[&str]| words.iter().any(|word| what.contains(word));
        let kinds = [
            (&REMARKS[..], Self::Remarks),
            (&PHYSICS, Self::Physics),
            (&SURFACES, Self::Surfaces),
            (&MOTION, Self::Motion),
        ];
        kinds.into_iter().find(|(words, _)| has(words)).map_or(Self::Other, |(_, matter)| matter)
    }
}

/// The first number in a text; 1 if there is no number.
fn first_number(text: &str) -> u64 {
    let from = text.chars().skip_while(|c| !c.is_ascii_digit());
    let digits: String = from.take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
    digits.parse().unwrap_or(1)
}

/// Names on a line, of which at most `listed` are listed.
fn ended(names: &[impl AsRef<str>], listed: usize, way_to_more: &str) -> String {
    let list = names.iter().take(listed).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(listed) {
        0 => list,
        more => format!("{list} and {more} more: {way_to_more}"),
    }
}

/// A text in which every list ends after eight entries. A list is a text with commas between colons,
/// semicolons and brackets.
fn shortened<'a>(text: &'a str, way_to_more: &str) -> Cow<'a, str> {
    if text.matches(", ").nth(MOST_NAMES - 1).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end =
            ["; ", ": ", " (", "), "].iter().filter_map(|mark| Some(rest.find(mark)? + mark.len())).min();
        let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let (list, mark) = part.split_at(part.trim_end_matches(['(', ')', ',', ';', ':', ' ']).len());
        let names: Vec<&str> = list.split(", ").collect();
        if names.len() > MOST_NAMES {
            out.extend([&ended(&names, MOST_NAMES, way_to_more), mark]);
        } else {
            out += part;
        }
        rest = behind;
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_after_eight_names() {
        let names: Vec<String> = (1..=51).map(|n| format!("bone{n}")).collect();
        let text = format!("51 bones, 18 of which move: {}", names.join(", "));
        let first = names[..8].join(", ");
        assert_eq!(
            shortened(&text, "--verbose"),
            format!("51 bones, 18 of which move: {first} and 43 more: --verbose")
        );
        let text = format!("the motion of 51 nodes ({}), folded into others", names.join(", "));
        assert_eq!(
            shortened(&text, "--verbose"),
            format!("the motion of 51 nodes ({first} and 43 more: --verbose), folded into others")
        );
        let eight = format!("tracks of {first}");
        assert_eq!(shortened(&eight, "--verbose"), eight);
    }

    #[test]
    fn motion_matters_more_than_pictures_those_more_than_bodies_and_many_more_than_few() {
        let mut all = [
            "4 toon pictures",
            "170 rigid bodies",
            "2 markers",
            "a pedestal",
            "the picture eyes.png",
            "1,200 keys of 3 morph targets",
        ];
        all.sort_by_key(|what| (Matter::of(what), std::cmp::Reverse(first_number(what))));
        let sorted = [
            "1,200 keys of 3 morph targets",
            "2 markers",
            "the picture eyes.png",
            "a pedestal",
            "170 rigid bodies",
            "4 toon pictures",
        ];
        assert_eq!(all, sorted);
    }
}
