//! Conversions and edits that are measured.

use super::inputs::Inputs;
use super::lines::{POINTS, is_silent_on_turns, says};
use super::{FORMATS, TIMES};
use crate::repo::Outcome;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options that a file is converted with, each in turn.
const OPTIONS: [&[&str]; 6] = [
    &[],
    &["--tolerance", "1cm"],
    &["--cubic"],
    &["--lossy", "--tolerance", "1mm"],
    &["--bake", "30"],
    &["--bake", "60"],
];

/// Variants of targets that are written in turn, besides those that one gets unasked.
const VARIANTS: [(&str, &[&str]); 7] = [
    ("vmd", &["vmd", "vmd@old"]),
    ("glb", &["glb", "glb@rot16"]),
    ("more", &["more", "more@0x0e,be", "more@0x10"]),
    ("mrtk2", &["mrtk2", "mrtk2@1.0", "mrtk2@1.1"]),
    ("playcanvas", &["playcanvas", "playcanvas@4-vendor", "playcanvas@3"]),
    ("bvh", &["bvh"]),
    ("npz", &["npz"]),
];

/// An edit: its operations, and what they make of times, as clients/honesty/measure.py takes it.
pub(super) struct Edit {
    operations: &'static [&'static str],
    pieces: fn() -> Value,
}

/// Edits, each in turn on files of every format. Their times are on frames of whole rates.
const EDITS: [Edit; 14] = [
    Edit { operations: &["trim 0:1"], pieces: || json!([piece(0.0, Some(1.0), 1.0, json!(0.0))]) },
    Edit { operations: &["trim 1:2"], pieces: || json!([piece(0.0, Some(1.0), 1.0, json!(1.0))]) },
    Edit { operations: &["delete 1:2"], pieces: cut },
    Edit { operations: &["shift 1s"], pieces: || json!([piece(1.0, None, 1.0, json!(-1.0))]) },
    Edit { operations: &["shift 1s", "shift -1s"], pieces: whole },
    Edit { operations: &["retime --speed 0.5"], pieces: || json!([piece(0.0, None, 0.5, json!(0.0))]) },
    Edit { operations: &["retime --speed 0.8"], pieces: || json!([piece(0.0, None, 0.8, json!(0.0))]) },
    Edit { operations: &["reverse"], pieces: || json!([piece(0.0, None, -1.0, json!("end"))]) },
    Edit { operations: &["mirror", "mirror"], pieces: whole },
    Edit { operations: &["reduce --tolerance 1mm"], pieces: whole },
    Edit { operations: &["resample 30"], pieces: whole },
    Edit { operations: &["repeat 2"], pieces: || json!([piece(0.0, None, 1.0, json!("again"))]) },
    Edit { operations: &["keys insert 1s"], pieces: whole },
    Edit {
        operations: &["trim 0:1", "retime --speed 0.5"],
        pieces: || json!([piece(0.0, Some(2.0), 0.5, json!(0.0))]),
    },
];

fn piece(start: f64, end: Option<f64>, speed: f64, offset: Value) -> Value {
    json!({ "start": start, "end": end, "speed": speed, "offset": offset })
}

fn whole() -> Value {
    json!([piece(0.0, None, 1.0, json!(0.0))])
}

/// A second is left out; the frame before it may keep its pose.
fn cut() -> Value {
    let mut before = piece(0.0, Some(1.0), 1.0, json!(0.0));
    before["cut"] = json!(true);
    json!([before, piece(1.0, None, 1.0, json!(1.0))])
}

/// Formats of a conversion, or the format and the operations of an edit.
pub(super) type Pair = (&'static str, &'static str);

/// What is done with a file.
#[derive(Clone, Copy)]
enum Work {
    /// The target with its variant, and options.
    Convert(&'static str, &'static [&'static str]),
    Edit(&'static Edit),
}

/// A conversion or an edit.
pub(super) struct Job {
    pub(super) id: usize,
    pub(super) pair: Pair,
    pub(super) input: PathBuf,
    work: Work,
    output: PathBuf,
}

impl Job {
    /// The report; none if there was nothing to convert, the tolerance could not be kept, or the operation was refused.
    pub(super) fn report(&self, dopesheet: &Path, folder: &Path) -> Outcome<Option<Value>> {
        let report_path = folder.join("report.json");
        let mut command = Command::new(dopesheet);
        match self.work {
            Work::Convert(target, options) => {
                command.arg("convert").arg(&self.input).args(["-t", target, "--partial"]).args(options);
            }
            Work::Edit(edit) => {
                let operations = edit.operations.iter().flat_map(|operation| ["-e", operation]);
                command.arg("edit").arg(&self.input).args(operations);
            }
        }
        command.arg("-o").arg(&self.output).args(["--quiet", "--force", "--report"]).arg(&report_path);
        let output = command.output()?;
        match (output.status.code(), self.work) {
            (Some(0), _) => Ok(Some(serde_json::from_slice(&std::fs::read(report_path)?)?)),
            // An operation that makes no sense on a file is wrong usage.
            (Some(1), _) | (Some(2), Work::Edit(_)) => Ok(None),
            _ => Err(format!("{self}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    /// Largest error in metres that was asked for, or that counts unasked.
    pub(super) fn tolerance_m(&self) -> f64 {
        let words: Vec<&str> = match self.work {
            Work::Convert(_, options) => options.to_vec(),
            Work::Edit(edit) => edit.operations.iter().flat_map(|operation| operation.split(' ')).collect(),
        };
        let asked = words.iter().skip_while(|word| **word != "--tolerance").nth(1);
        match asked {
            Some(&"1cm") => 1e-2,
            Some(&"1mm") => 1e-3,
            _ => 1e-4,
        }
    }

    /// The line that asks for it to be measured.
    pub(super) fn line(&self, report: &Value) -> Value {
        let asked = ["model", "alone"].into_iter().zip(POINTS);
        let mut points: Vec<&str> =
            asked.filter(|(_, start)| says(report, start)).map(|(name, _)| name).collect();
        if is_silent_on_turns(report) {
            points.push(if report["hierarchy"] == "known" { "model" } else { "alone" });
        }
        let (output_format, pieces) = match self.work {
            Work::Convert(..) => (self.pair.1, Value::Null),
            Work::Edit(edit) => (self.pair.0, (edit.pieces)()),
        };
        json!({
            "id": self.id,
            "source": self.input,
            "source_format": self.pair.0,
            "output": self.output,
            "output_format": output_format,
            "times": TIMES,
            "seed": self.id,
            "points": points,
            "pieces": pieces,
            "moved_s": moved_s(report),
            "lost_s": lost_s(report),
        })
    }
}

/// Seconds that keys were moved by at most, as a finding says it in milliseconds.
fn moved_s(report: &Value) -> f64 {
    let findings = report["findings"].as_array().into_iter().flatten();
    let moved = findings.filter(|finding| finding["code"] == "time-moved");
    let moved_ms = moved.filter_map(|finding| {
        let (before, _) = finding["found"].as_str()?.split_once(" ms")?;
        before.rsplit(' ').next()?.parse::<f64>().ok()
    });
    moved_ms.fold(0.0, f64::max) / 1000.0
}

/// Seconds at the end of a clip that are said to be lost because they lie behind the last frame.
fn lost_s(report: &Value) -> f64 {
    let dropped = report["dropped"].as_array().into_iter().flatten();
    let lost_s = dropped.filter_map(|line| {
        line["what"].as_str()?.strip_prefix("the last ")?.strip_suffix(" s")?.parse::<f64>().ok()
    });
    lost_s.fold(0.0, f64::max)
}

impl std::fmt::Display for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.input.file_name().unwrap_or_default().to_string_lossy())?;
        match self.work {
            Work::Convert(target, options) => {
                write!(f, " -t {target}")?;
                options.iter().try_for_each(|option| write!(f, " {option}"))
            }
            Work::Edit(edit) => {
                edit.operations.iter().try_for_each(|operation| write!(f, " -e '{operation}'"))
            }
        }
    }
}

/// Jobs that may be tried, for each pair.
pub(super) struct Queue {
    pairs: Vec<(Pair, VecDeque<Job>)>,
}

impl Queue {
    /// Conversions of all pairs of formats.
    pub(super) fn of_conversions(inputs: &Inputs, folder: &Path) -> Self {
        let mut id = 0;
        let mut pairs = Vec::new();
        for (from, _) in FORMATS {
            let files = inputs.of(from);
            for (to, extension) in FORMATS {
                let variants = VARIANTS.iter().find(|(format, _)| *format == to).map_or(&[][..], |(_, v)| *v);
                let mut jobs = VecDeque::new();
                for pass in 0..OPTIONS.len() * variants.len() {
                    for (index, input) in files.iter().enumerate() {
                        let at = index + pass;
                        let work = Work::Convert(variants[at % variants.len()], OPTIONS[at % OPTIONS.len()]);
                        let output = folder.join(format!("{id}.{extension}"));
                        jobs.push_back(Job { id, pair: (from, to), input: input.clone(), work, output });
                        id += 1;
                    }
                }
                pairs.push(((from, to), jobs));
            }
        }
        Self { pairs }
    }

    /// Edits of files of all formats by all of [`EDITS`].
    pub(super) fn of_edits(inputs: &Inputs, folder: &Path) -> Self {
        let mut id = 0;
        let mut pairs = Vec::new();
        for (format, extension) in FORMATS {
            let sources = inputs.of(format);
            for (at, edit) in EDITS.iter().enumerate() {
                let pair = (format, edit.operations[0]);
                // Not all of them begin with the same file.
                let files = sources.iter().cycle().skip(at).take(sources.len());
                let jobs = files.map(|input| {
                    id += 1;
                    let output = folder.join(format!("edit-{id}.{extension}"));
                    Job { id, pair, input: input.clone(), work: Work::Edit(edit), output }
                });
                pairs.push((pair, jobs.collect()));
            }
        }
        Self { pairs }
    }

    /// Number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// At most `most` jobs: of each pair as many as it wants.
    pub(super) fn next(&mut self, most: usize, wanted: impl Fn(Pair) -> usize) -> Vec<Job> {
        let mut round = Vec::new();
        for (pair, jobs) in &mut self.pairs {
            let count = wanted(*pair).min(jobs.len()).min(most - round.len());
            round.extend(jobs.drain(..count));
        }
        round
    }

    /// True if there are no more.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.iter().all(|(_, jobs)| jobs.is_empty())
    }
}
