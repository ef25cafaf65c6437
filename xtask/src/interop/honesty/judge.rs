//! Reports beside measurements.

use super::jobs::{Job, Pair};
use super::lines::is_silent_on_turns;
use crate::tally::Tally;
use serde_json::Value;
use std::collections::BTreeMap;

/// Share by which what was measured may be more than what is said: both look at some times only.
const CLOSER_LOOK: f64 = 0.01;

/// Largest error that need not be said at all: metres and radians, and weights and scales, whose limit is ten times that of a millimetre.
const UNSAID: [(&str, f64); 3] = [("m", 2e-6), ("rad", 2e-6), ("1", 2e-5)];

/// Share by which calculations with numbers of 64 bits are off.
const ARITHMETIC: f64 = 1e-9;

/// Words that lines of one kind of channel begin with, and the quantity that is measured of it.
const WORDS: [(&str, &str); 5] = [
    ("translation", "translation"),
    ("rotation", "rotation"),
    ("scale", "scale"),
    ("weight", "weight"),
    ("weights", "weight"),
];

/// Results of all conversions, or of all edits.
#[derive(Default)]
pub(super) struct Table {
    rows: BTreeMap<Pair, Row>,
    /// Jobs that were refused.
    pub(super) refused: usize,
    unsuitable: BTreeMap<String, usize>,
    faults: Vec<String>,
}

/// Results of one pair.
#[derive(Default)]
struct Row {
    jobs: usize,
    quantities: usize,
    false_reports: usize,
    /// The largest share of what may be measured, by quantity.
    most: BTreeMap<String, f64>,
}

impl Table {
    /// Jobs that were measured.
    pub(super) fn jobs(&self) -> usize {
        self.rows.values().map(|row| row.jobs).sum()
    }

    /// Those of a pair.
    pub(super) fn of(&self, pair: Pair) -> usize {
        self.rows.get(&pair).map_or(0, |row| row.jobs)
    }

    /// Takes note of what was measured of a job.
    pub(super) fn take(&mut self, job: &Job, report: &Value, answer: &Value) {
        if let Some(why) = answer["unsuitable"].as_str() {
            *self.unsuitable.entry(why.to_owned()).or_default() += 1;
            return;
        }
        if answer["compared"] == 0 {
            *self.unsuitable.entry("nothing in common".to_owned()).or_default() += 1;
            return;
        }
        let row = self.rows.entry(job.pair).or_default();
        row.jobs += 1;
        let mut faults = Vec::new();
        for measured in answer["measured"].as_array().into_iter().flatten() {
            let (share, fault) = judged(report, measured, job.tolerance_m());
            row.quantities += 1;
            let largest =
                row.most.entry(measured["quantity"].as_str().unwrap_or_default().to_owned()).or_default();
            *largest = largest.max(share);
            faults.extend(fault);
        }
        let untold = answer["left_out"].as_array().into_iter().flatten().map(text);
        let untold = untold.filter(|property| !tells_of(report, property));
        faults.extend(untold.map(|property| format!("{property} is left out, which is not said")));
        let job = job.to_string();
        row.false_reports += usize::from(!faults.is_empty());
        self.faults.extend(faults.iter().map(|fault| format!("{job}: {fault}")));
    }

    /// Prints a line for each pair, and each report that is false.
    pub(super) fn print(&self, what: &str) {
        println!(
            "\n── honesty of {what}: what was measured, as a share of what reports allow; above 1 a report is false"
        );
        println!("{:<11} {:<22} {:>5} {:>6} {:>6}  largest share", "from", "to", "files", "values", "false");
        for ((from, to), row) in &self.rows {
            let shares: Vec<String> =
                row.most.iter().map(|(quantity, share)| format!("{quantity} {share:.3}")).collect();
            let (files, values, wrong) = (row.jobs, row.quantities, row.false_reports);
            println!("{from:<11} {to:<22} {files:>5} {values:>6} {wrong:>6}  {}", shares.join(", "));
        }
        println!("{} {what} were refused", self.refused);
        for (why, count) in &self.unsuitable {
            println!("{count} could not be measured: {why}");
        }
        self.faults.iter().for_each(|fault| println!("FALSE: {fault}"));
    }

    /// One test for each job; too few are failures, too.
    pub(super) fn tally(&self, wanted: usize) -> Tally {
        let failed: usize = self.rows.values().map(|row| row.false_reports).sum();
        let passed = self.jobs() - failed;
        Tally { passed, failed: failed + wanted.saturating_sub(self.jobs()), skipped: 0 }
    }
}

/// Measurement as a share of what a report allows, and the fault if it is more.
fn judged(report: &Value, measured: &Value, tolerance_m: f64) -> (f64, Option<String>) {
    let (quantity, unit) = (text(&measured["quantity"]), text(&measured["unit"]));
    let value = measured["value"].as_f64().unwrap_or(f64::INFINITY);
    let lines: Vec<(&Value, f64)> = report["approximated"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|line| Some((line, factor(line, quantity, unit)?)))
        .collect();
    let is_named = lines.iter().any(|(line, _)| {
        let what = text(&line["what"]);
        what.contains(quantity) || what.starts_with("each joint by itself")
    });
    let is_turn = ["rotation", "scale"].contains(&quantity);
    if !is_named && (is_told_by_points(report, quantity) || (is_turn && is_silent_on_turns(report))) {
        return (0.0, None);
    }
    let errors = lines.iter().filter_map(|(line, factor)| Some(angle_of(line, unit, stated(line)? * factor)));
    let stated = errors.fold(0.0, f64::max);
    let unsaid = UNSAID.iter().find(|(listed, _)| *listed == unit).map_or(0.0, |(_, least)| *least);
    let allowed = stated * (1.0 + CLOSER_LOOK) + unsaid;
    // Each line bounds what it is about; where several are, none bounds them all.
    let bound = match &lines[..] {
        [(line, factor)] => {
            let bound = line["bound"].as_f64();
            bound.map(|bound| angle_of(line, unit, bound * factor) * (1.0 + ARITHMETIC))
        }
        _ => None,
    };
    let is_beyond = bound.is_some_and(|bound| value > bound.max(unsaid));
    let (target, time) = (text(&measured["target"]), measured["time_s"].as_f64().unwrap_or_default());
    let fault = (value > allowed || is_beyond).then(|| {
        let bound = bound.map_or(String::new(), |bound| format!(", bound {bound:.3e}"));
        format!(
            "{quantity} of {target} at {time:.6} s is {value:.3e} {unit} off, said is {stated:.3e}{bound}"
        )
    });
    // A bound stands alone where it proves the tolerance.
    let unproved = lines.iter().filter(|(line, _)| unit == "m" && line["max_error"].is_null());
    let unproved = unproved.filter_map(|(line, _)| line["bound"].as_f64()).find(|bound| *bound > tolerance_m);
    let unproved =
        unproved.map(|bound| format!("{bound:.3e} m, a bound alone, is more than {tolerance_m:.0e} m"));
    (value / allowed, fault.or(unproved))
}

/// Error of a line in the unit of a quantity: points a metre away move along the chord of the angle that a joint turns by.
fn angle_of(line: &Value, unit: &str, error: f64) -> f64 {
    match unit == "rad" && text(&line["what"]).starts_with("each joint by itself") {
        true => 2.0 * (0.5 * error).min(1.0).asin(),
        false => error,
    }
}

/// Error that a line states: what was measured, else the bound.
fn stated(line: &Value) -> Option<f64> {
    line["max_error"]["value"].as_f64().or_else(|| line["bound"].as_f64())
}

/// Factor from the error that a line of a report states to the one of a quantity that follows from it; none if the line is not about that.
fn factor(line: &Value, quantity: &str, unit: &str) -> Option<f64> {
    // A bound that stands alone has its unit beside it.
    let unit_of_line = line["max_error"]["unit"].as_str().or_else(|| line["unit"].as_str());
    let (what, line_unit) = (text(&line["what"]), unit_of_line.unwrap_or_default());
    if line["between_frames"] == true {
        return None;
    }
    if what.starts_with("model space") {
        return (quantity == "model").then_some(1.0);
    }
    if what.starts_with("each joint by itself") {
        return ["alone", "translation", "rotation"].contains(&quantity).then_some(1.0);
    }
    if let Some((word, _)) = what.split_once(':') {
        let is_about = WORDS.iter().any(|(listed, about)| *listed == word && *about == quantity);
        return (is_about && line_unit == unit).then_some(1.0);
    }
    match (line_unit, quantity) {
        // Four components of a quaternion, and an angle is twice as long as the way that it takes there.
        ("1", "rotation") => what.contains("rotation").then_some(4.0),
        _ => (line_unit == unit).then_some(1.0),
    }
}

/// True of a property whose error a line in model space includes, so that it is the points that are judged: that line says what was done,
/// to this property or to curves of any.
fn is_told_by_points(report: &Value, quantity: &str) -> bool {
    let properties = ["translation", "rotation", "scale"];
    let mut lines = report["approximated"].as_array().into_iter().flatten().map(|line| text(&line["what"]));
    properties.contains(&quantity)
        && lines.any(|what| {
            let mut parts = what.split("; ");
            parts.next().is_some_and(|first| first.starts_with("model space"))
                && parts.any(|part| {
                    part.starts_with(quantity) || properties.iter().all(|other| !part.starts_with(other))
                })
        })
}

/// True of a report with a line about what was left out of a property.
fn tells_of(report: &Value, property: &str) -> bool {
    let mut lines = report["dropped"].as_array().into_iter().flatten().map(|line| text(&line["what"]));
    lines.any(|line| line.split(' ').any(|word| word == property))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(lines: &[(&str, &str, f64, Option<f64>)]) -> Value {
        let lines = lines.iter().map(|(what, unit, value, bound)| {
            let mut line = json!({ "what": what, "max_error": { "unit": unit, "value": value } });
            if let Some(bound) = bound {
                line["bound"] = json!(bound);
            }
            line
        });
        json!({ "approximated": lines.collect::<Vec<_>>() })
    }

    fn measured(quantity: &str, unit: &str, value: f64) -> Value {
        json!({ "quantity": quantity, "unit": unit, "value": value, "target": "head", "time_s": 1.0 })
    }

    #[test]
    fn a_report_that_says_half_is_found() {
        let report = report(&[("rotation: 1 channel, 2 keys became 9", "rad", 1e-3, None)]);
        assert_eq!(judged(&report, &measured("rotation", "rad", 1e-3), 1e-4).1, None);
        assert_eq!(judged(&report, &measured("rotation", "rad", 1.0109e-3), 1e-4).1, None);
        assert!(judged(&report, &measured("rotation", "rad", 1.013e-3), 1e-4).1.is_some());
        assert!(
            judged(&report, &measured("rotation", "rad", 2e-3), 1e-4)
                .1
                .is_some_and(|fault| fault.contains("head"))
        );
    }

    #[test]
    fn what_is_kept_may_be_off_by_a_micrometre() {
        let kept =
            report(&[("rotation: 1 channel", "rad", 1.0, None), ("model space, up to", "m", 1.0, None)]);
        assert_eq!(judged(&kept, &measured("translation", "m", 1.9e-6), 1e-4).1, None);
        assert!(
            judged(&kept, &measured("translation", "m", 2.1e-6), 1e-4).1.is_some(),
            "other lines are not about it"
        );
    }

    #[test]
    fn a_joint_by_itself_turns_no_farther_than_points_at_a_metre_move() {
        let report = report(&[("each joint by itself, up to 1 m from any joint", "m", 2e-5, None)]);
        assert_eq!(judged(&report, &measured("rotation", "rad", 2e-5), 1e-4).1, None);
        assert!(judged(&report, &measured("rotation", "rad", 2.3e-5), 1e-4).1.is_some());
        assert!(judged(&report, &measured("scale", "1", 4e-5), 1e-4).1.is_some());
    }

    #[test]
    fn a_joint_by_itself_may_turn_farther_than_points_at_a_metre_move_by_the_arc_over_their_chord() {
        let report = report(&[("each joint by itself, up to 1 m from any joint", "m", 1.4668, None)]);
        assert_eq!(judged(&report, &measured("rotation", "rad", 1.647), 1e-4).1, None);
        assert!(judged(&report, &measured("rotation", "rad", 1.7), 1e-4).1.is_some());
    }

    #[test]
    fn components_of_rotations_tell_their_angle() {
        let report = report(&[(
            "9 rotation keys with tangents, as straight lines for each component",
            "1",
            1e-4,
            None,
        )]);
        assert_eq!(judged(&report, &measured("rotation", "rad", 4e-4), 1e-4).1, None);
        assert!(judged(&report, &measured("rotation", "rad", 4.2e-4), 1e-4).1.is_some());
    }

    #[test]
    fn nothing_may_be_beyond_the_bound() {
        let report = report(&[("model space, up to 3 cm from any joint", "m", 1e-3, Some(1.001e-3))]);
        assert_eq!(judged(&report, &measured("model", "m", 1.001e-3), 1e-4).1, None);
        assert!(judged(&report, &measured("model", "m", 1.005e-3), 1e-4).1.is_some());
    }

    #[test]
    fn turns_that_no_line_is_about_are_judged_by_points() {
        let silent = json!({ "approximated": [] });
        assert_eq!(judged(&silent, &measured("rotation", "rad", 4e-6), 1e-4).1, None);
        assert!(judged(&silent, &measured("model", "m", 2.1e-6), 1e-4).1.is_some());
        assert!(judged(&silent, &measured("alone", "m", 2.1e-6), 1e-4).1.is_some());
        let report = report(&[("rotation: 1 channel, 2 keys became 9", "rad", 1e-6, None)]);
        assert!(judged(&report, &measured("rotation", "rad", 4e-6), 1e-4).1.is_some());
    }

    #[test]
    fn differences_between_frames_excuse_no_key() {
        let mut report = report(&[("each joint by itself, between frames", "m", 1.0, None)]);
        report["approximated"][0]["between_frames"] = json!(true);
        assert!(judged(&report, &measured("alone", "m", 0.5), 1e-4).1.is_some());
    }

    #[test]
    fn points_tell_of_properties_that_their_line_names() {
        let line = "model space, up to 3 cm from any joint, measured at 9 times";
        let fault_of = |done: &str, quantity: &str| {
            let report = report(&[(&format!("{line}{done}"), "m", 1e-3, None)]);
            judged(&report, &measured(quantity, "m", 0.5), 1e-4).1
        };
        assert_eq!(fault_of("; 3 curves sampled at 30 fps", "translation"), None);
        assert_eq!(fault_of("; rotation, by the precision of what is stored", "rotation"), None);
        assert!(fault_of("; rotation, by the precision of what is stored", "translation").is_some());
        assert!(fault_of("; 3 curves sampled at 30 fps", "weight").is_some());
        assert!(fault_of("; 3 curves sampled at 30 fps", "model").is_some(), "points are judged");
        assert!(fault_of("", "translation").is_some());
        let sampled = "3 curves sampled at 30 fps";
        let both = report(&[(sampled, "1", 1.0, None), (&format!("{line}; {sampled}"), "m", 1e-3, None)]);
        assert_eq!(judged(&both, &measured("scale", "1", 1.7), 1e-4).1, None, "the other line is of weights");
        assert!(judged(&both, &measured("weight", "1", 1.7), 1e-4).1.is_some());
    }

    #[test]
    fn what_is_left_out_has_a_line_of_its_own() {
        let dropped = |lines: &[&str]| {
            let lines: Vec<Value> = lines.iter().map(|what| json!({ "what": what, "why": "" })).collect();
            json!({ "dropped": lines })
        };
        assert!(!tells_of(&dropped(&[]), "scale"));
        assert!(!tells_of(&dropped(&["9 translation keys of 2 joint targets"]), "scale"));
        assert!(tells_of(&dropped(&["1 marker", "26 scale keys of 1 joint target"]), "scale"));
    }

    #[test]
    fn too_few_conversions_are_a_failure() {
        assert_eq!(Table::default().tally(3), Tally { passed: 0, failed: 3, skipped: 0 });
    }
}
