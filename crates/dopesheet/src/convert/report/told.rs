//! The report of a conversion in lines: the full report, or a few lines for a person to read.

use crate::convert::ConversionReport;
use dopesheet_core::diag::{
    Code, ErrorUnit, Fault, Finding, Loss, MaxError, POINTS, Place, Severity, Verdict,
};
use dopesheet_core::order::by_key;
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::fmt;

/// Words about a document that nothing changed.
pub(in crate::convert) const AS_READ: &str = "everything: the document is written as it was read";

/// Most entries of a list in a short report.
const MOST_NAMES: usize = 8;

/// Most channels listed in a short report that no player shows.
const MOST_DATA: usize = 3;

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
}

impl<'a> LargestError<'a> {
    fn of(loss: &'a Loss) -> Option<Self> {
        match loss {
            Loss::Approximated { what, max_error, .. } => {
                let (value, unit) = (max_error.value, max_error.unit);
                Some(Self { what, value, unit, measured: Some(max_error) })
            }
            Loss::Bounded { what, bound, unit } => {
                Some(Self { what, value: *bound, unit: *unit, measured: None })
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

    /// Size, target and time; a plain number after its property, if that is known.
    fn in_brief(&self) -> String {
        let size = self.unit.in_words(self.value);
        let property = self.what.split_once(':').map(|(property, _)| property);
        match (self.measured, property.filter(|_| self.unit == ErrorUnit::One)) {
            (Some(error), Some(property)) => format!("{property} {size} ({error})"),
            (Some(error), None) => format!("{size} ({error})"),
            (None, _) => format!("at most {size}, proved"),
        }
    }
}

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
    /// The lines for a person to read. At most three tell what became what, how true it is, and what is lost; then
    /// follows a line for each code of a warning. Lists of names end early.
    #[must_use]
    pub fn brief(&self, telling: &Telling<'_>) -> Vec<ReportLine> {
        let facts =
            [self.truth(), self.lost(telling.way_to_more)].into_iter().flatten().map(ReportLine::plain);
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

    /// A line about the fidelity of the result: the verdict on a retargeted motion, the largest error of the motion, and the joint that
    /// may differ between frames. `None` of a result without motion.
    fn truth(&self) -> Option<String> {
        let is_as_read = |loss: &Loss| matches!(loss, Loss::Kept { what } if what == AS_READ);
        if self.report.losses.iter().any(is_as_read) {
            return Some(AS_READ.to_owned());
        }
        let between = self.between_frames();
        let error = match self.largest_error() {
            None if self.clips.is_empty() => None,
            None if between.is_some() => Some("exact on every frame".to_owned()),
            None => Some("exact".to_owned()),
            error => error,
        };
        let parts: Vec<String> = [self.verdict(), error, between].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// The worst verdict among those on clips that were put onto another figure.
    fn verdict(&self) -> Option<String> {
        let verdicts = &self.report.verdicts;
        let share = |verdict: &&Verdict| {
            verdict.worst().map_or(0.0, |measure| measure.size() / measure.kind.info().good)
        };
        let worst_verdict = verdicts.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
        if verdicts.iter().all(|verdict| verdict.to_string() == worst_verdict.to_string()) {
            let of_all =
                if verdicts.len() > 1 { format!("all {} clips ", verdicts.len()) } else { String::new() };
            return Some(format!("{of_all}{worst_verdict}"));
        }
        let clip = self.clips.get(worst_verdict.clip).map_or("", String::as_str);
        Some(format!("worst of {} clips ({clip}): {worst_verdict}", verdicts.len()))
    }

    /// The largest error of the motion: of points around joints where a hierarchy says where they are, else of angles and places.
    fn largest_error(&self) -> Option<String> {
        let [_, alone] = POINTS;
        let errors = self.report.losses.iter().filter_map(LargestError::of);
        let (by_themselves, of_channels): (Vec<_>, Vec<_>) =
            errors.partition(|error| error.what.starts_with(alone));
        let is_alone = !by_themselves.is_empty();
        let errors = if of_channels.is_empty() { by_themselves } else { of_channels };
        let largest = |errors: &[LargestError<'_>], unit| {
            let errors = errors.iter().filter(|error| error.unit == unit);
            errors.max_by(|a, b| a.value.total_cmp(&b.value)).map(LargestError::in_brief)
        };
        let joints = largest(&errors, ErrorUnit::Metre);
        let angles = largest(&errors, ErrorUnit::Radian).filter(|_| is_alone || joints.is_none());
        let parts = [joints, angles, largest(&errors, ErrorUnit::One)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("largest error {}", parts.join(", ")))
    }

    /// The joint that may move otherwise between the frames at which the motion is known; lengths go before other units.
    fn between_frames(&self) -> Option<String> {
        let differences = self.report.losses.iter().filter_map(|loss| match loss {
            Loss::Unsampled { max_error, .. } => Some(max_error),
            _ => None,
        });
        let rank = |error: &MaxError| (error.unit == ErrorUnit::Metre, error.value);
        let largest = differences.max_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })?;
        Some(format!("between two frames {} may take another way", largest.target))
    }

    /// A line of losses, each kind with its count and the most important first, and of channels kept as data alone.
    fn lost(&self, way_to_more: &str) -> Option<String> {
        let dropped = self.report.losses.iter().filter_map(|loss| match loss {
            Loss::Dropped { what, .. } => Some(what.as_str()),
            _ => None,
        });
        let mut dropped: Vec<&str> = dropped.collect();
        by_key(&mut dropped, |what| (Matter::of(what), std::cmp::Reverse(first_number(what))));
        let mut kinds: Vec<String> = dropped.into_iter().map(kind).collect();
        kinds.dedup();
        let data = self.report.losses.iter().filter_map(|loss| match loss {
            Loss::KeptAsData { what } => Some(what.split_once(':').map_or(what.as_str(), |(name, _)| name)),
            _ => None,
        });
        let data: Vec<&str> = data.collect();
        let mut parts = Vec::new();
        if !kinds.is_empty() {
            parts.push(format!("lost (why: {way_to_more}): {}", kinds.join(", ")));
        }
        if !data.is_empty() {
            parts
                .push(format!("kept as data that no player shows: {}", ended(&data, MOST_DATA, way_to_more)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// A lost item without its list of names: "tracks of 109 nodes", "weights of smile and 72 more".
fn kind(what: &str) -> String {
    let end = [" (", ": "].iter().filter_map(|mark| what.find(mark)).min();
    let words = end.and_then(|end| what.get(..end)).unwrap_or(what);
    let mut names = words.split(", ");
    let first = names.next().unwrap_or_default();
    match names.count() {
        0 | 1 => words.to_owned(),
        more => format!("{first} and {more} more"),
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
