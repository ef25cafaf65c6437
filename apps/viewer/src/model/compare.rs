//! Two files compared: the difference as a whole, over time, and joint by joint.

use crate::files::document::Document;
use crate::files::inputs::Inputs;
use crate::model::curves::Trace;
use dopesheet::core::order::ascend;
use dopesheet::core::words;
use dopesheet::motion::compare::{TrackDifference, Unmatched};
use dopesheet::{DiffOptions, Error, Seconds, diff::Comparer, diff::Diff};
use serde_json::{Value, json};

/// Number of intervals between the even times at which differences are measured, besides the time of the largest difference.
const MOMENTS: u32 = 120;
/// Most targets in a list.
const LISTED: usize = 100;

/// The difference of two files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) is_within: bool,
    /// The verdict in a sentence.
    pub(crate) verdict: String,
    /// The compared targets, the largest share of a limit first; at most [`LISTED`].
    pub(crate) lines: Vec<Line>,
    /// Names of targets in the first file alone, and in the second alone.
    pub(crate) lone: [Vec<String>; 2],
    /// The largest displacement of any joint over time: seconds, and millimetres.
    pub(crate) over_time: Vec<[f64; 2]>,
    /// Distance from joints at which the displacement is measured, in metres.
    pub(crate) shell_m: f64,
    /// The tolerance, in metres.
    pub(crate) limit_m: f64,
}

/// The largest difference of a target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) target: String,
    /// The channel and the size of its difference, with the unit.
    pub(crate) what: String,
    /// Time of the difference, in seconds.
    pub(crate) time: f64,
}

impl Measured {
    /// Compares the motions of two files, on a model if there is one.
    pub(crate) fn new(a: &Document, b: &Document, model: Option<&Document>) -> Result<Self, Error> {
        let comparison = comparison(a, b, model)?;
        let diff = comparison.diff();
        let result = &diff.comparison;
        let line = |track: &TrackDifference| {
            let largest = track.channels.iter().max_by(|a, b| a.share().total_cmp(&b.share()))?;
            let what = format!("{} {}", largest.channel, largest.unit.in_words(largest.value));
            Some(Line { target: track.target.clone(), what, time: largest.time.0 })
        };
        let names = |lone: &[Unmatched]| lone.iter().take(LISTED).map(|lone| lone.target.clone()).collect();
        Ok(Self {
            is_within: result.is_within,
            verdict: verdict(&diff),
            lines: result.tracks.iter().take(LISTED).filter_map(line).collect(),
            lone: [names(&result.only_in_a), names(&result.only_in_b)],
            over_time: over_time(&comparison, &diff),
            shell_m: result.shell_m,
            limit_m: diff.tolerance.length_m,
        })
    }
}

#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a window is handed it as it is"))]
impl Measured {
    pub(crate) fn to_json(&self) -> Value {
        let lines: Vec<Value> =
            self.lines.iter().map(|line| json!([line.target, line.what, line.time])).collect();
        json!({
            "is_within": self.is_within, "verdict": self.verdict, "lines": lines, "lone": self.lone,
            "over_time": self.over_time, "shell_m": self.shell_m, "limit_m": self.limit_m,
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let line = |line: &Value| {
            Some(Line { target: text(&line[0])?, what: text(&line[1])?, time: line[2].as_f64()? })
        };
        let names = |side: usize| value["lone"][side].as_array()?.iter().map(text).collect::<Option<_>>();
        let point = |point: &Value| Some([point[0].as_f64()?, point[1].as_f64().unwrap_or(f64::INFINITY)]);
        Some(Self {
            is_within: value["is_within"].as_bool()?,
            verdict: text(&value["verdict"])?,
            lines: value["lines"].as_array()?.iter().map(line).collect::<Option<_>>()?,
            lone: [names(0)?, names(1)?],
            over_time: value["over_time"].as_array()?.iter().map(point).collect::<Option<_>>()?,
            shell_m: value["shell_m"].as_f64()?,
            limit_m: value["limit_m"].as_f64()?,
        })
    }
}

fn comparison(a: &Document, b: &Document, model: Option<&Document>) -> Result<Comparer, Error> {
    let options = DiffOptions { model: model.map(|model| &model.opened), ..DiffOptions::default() };
    Comparer::new(&a.opened, &b.opened, &options)
}

/// Two files compared, as a whole and at the shown time.
pub(crate) struct Compared {
    pub(crate) inputs: Inputs,
    pub(crate) measured: Measured,
    /// [`Measured::over_time`] as a curve.
    pub(crate) trace: Trace,
    comparison: Comparer,
    now: Option<(f64, Vec<(String, f64)>)>,
}

impl Compared {
    /// Two files and their measured difference.
    pub(crate) fn new(inputs: &Inputs, measured: Measured) -> Result<Self, Error> {
        let Inputs { document, model, other, .. } = inputs;
        let other = other.as_ref().unwrap_or(document);
        let comparison = comparison(document, other, model.as_deref())?;
        let trace = Trace { name: "mm".to_owned(), points: measured.over_time.clone(), ..Trace::default() };
        Ok(Self { inputs: inputs.clone(), measured, trace, comparison, now: None })
    }

    /// Differences of joints at a time, by their names, in metres.
    pub(crate) fn at(&mut self, time: f64) -> &[(String, f64)] {
        if self.now.as_ref().is_none_or(|(of, _)| *of != time) {
            let joints = self.comparison.joints_at(Seconds(time), self.measured.shell_m);
            self.now = Some((time, joints.into_iter().map(|(name, off)| (name.to_owned(), off)).collect()));
        }
        self.now.as_ref().map_or(&[], |(_, joints)| joints)
    }
}

fn over_time(comparison: &Comparer, diff: &Diff) -> Vec<[f64; 2]> {
    let end = comparison.end().0;
    let even = (0..=MOMENTS).map(|i| end * f64::from(i) / f64::from(MOMENTS));
    let peak = diff.comparison.largest.iter().map(|peak| peak.difference.time.0);
    let mut times: Vec<f64> = even.chain(peak).filter(|time| time.is_finite()).collect();
    ascend(&mut times);
    let largest = |time: &f64| {
        let joints = comparison.joints_at(Seconds(*time), diff.comparison.shell_m);
        [*time, joints.into_iter().map(|(_, off)| off * 1e3).fold(0.0, f64::max)]
    };
    times.iter().map(largest).collect()
}

fn verdict(diff: &Diff) -> String {
    let result = &diff.comparison;
    match (result.is_within, &result.largest) {
        (true, None) => "They are the same.".to_owned(),
        (true, Some(_)) => format!("They agree within {}.", words::length(diff.tolerance.length_m)),
        (false, Some(largest)) => format!(
            "They differ: {} by {} at {:.2} s.",
            largest.target,
            largest.difference.unit.in_words(largest.difference.value),
            largest.difference.time.0
        ),
        (false, None) => "They move different things.".to_owned(),
    }
}

/// The colour of a difference: green for none, yellow at the limit, red from ten times the limit on.
pub(crate) fn color(difference: f64, limit: f64) -> [u8; 4] {
    const STOPS: [[f64; 3]; 3] = [[70.0, 190.0, 100.0], [240.0, 190.0, 50.0], [235.0, 60.0, 60.0]];
    let share = if limit > 0.0 { difference / limit } else { 0.0 };
    let position = if share <= 1.0 { share } else { 1.0 + share.log10() };
    let position = if position.is_finite() { position.clamp(0.0, 2.0) } else { 2.0 };
    let (from, part) = if position < 1.0 { (0, position) } else { (1, position - 1.0) };
    let mix = |i: usize| (STOPS[from][i] + (STOPS[from + 1][i] - STOPS[from][i]) * part) as u8;
    [mix(0), mix(1), mix(2), 255]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::files::inbox::Delivery;
    use std::path::Path;
    use std::sync::Arc;

    fn files(names: &[&str]) -> Files {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in names {
            delivery.add((*name).to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut files = Files::default();
        files.open(delivery);
        files
    }

    #[test]
    fn a_file_agrees_with_itself_at_all_times() {
        let files = files(&["jump.bvh", "jump.bvh"]);
        let [document, other] = [0, 1].map(|index| Arc::clone(&files.documents[index]));
        let measured = Measured::new(&document, &other, None).unwrap();
        assert!(measured.is_within && measured.over_time.iter().all(|point| point[1] == 0.0));
        let inputs = Inputs { document, model: None, other: Some(other), figure: None };
        assert!(!Compared::new(&inputs, measured).unwrap().at(0.3).is_empty());
    }

    #[test]
    fn the_curve_reaches_what_diff_says_and_nothing_above() {
        let files = files(&["walk.vmd", "bow.vmd"]);
        let [a, b] = [&files.documents[0], &files.documents[1]];
        let diff = comparison(a, b, None).unwrap().diff();
        let differences = diff.comparison.tracks.iter().flat_map(|track| &track.channels);
        let differences = differences.filter(|d| d.channel == "model-space").map(|d| d.value);
        let largest = differences.fold(0.0, f64::max);
        let measured = Measured::new(a, b, None).unwrap();
        let reached = measured.over_time.iter().map(|point| point[1]).fold(0.0, f64::max);
        assert!(reached > 0.0 && reached <= largest * 1.000_001e3, "{reached} {largest}");
    }

    #[test]
    fn colours_say_on_which_side_of_the_limit_a_joint_is() {
        assert_eq!(color(0.0, 1e-4), [70, 190, 100, 255]);
        assert_eq!(color(1e-4, 1e-4), [240, 190, 50, 255]);
        assert_eq!(color(f64::INFINITY, 1e-4), [235, 60, 60, 255]);
    }
}
