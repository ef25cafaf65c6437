//! The JSON forms of all results of the facade, shared by the command line and the bindings.

use super::diff::Diff;
use super::info::{ClipInfo, HumanoidInfo, Info};
use crate::convert::ConversionReport;
use crate::error::Error;
use crate::error::unbound::Unbound;
use crate::models::binding::{Binding, Chain};
use crate::playing::sample::{Axes, Sampled, SampledChannel, SampledTrack, Space};
use crate::registry;
use dopesheet_core::diag::{Fault, Finding, Loss, MaxError, Measure, Place, Report, Slide, Subject, Verdict};
use dopesheet_core::format::{Clips, FormatInfo};
use dopesheet_core::model::{Hierarchy, HumanBone, Marker};
use dopesheet_core::units::Seconds;
use dopesheet_motion::compare::{ChannelDifference, LargestDifference, TrackDifference, Unmatched};
use serde_json::{Map, Value, json};

/// The version of all JSON documents; raised when a member changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

const fn hierarchy(hierarchy: Hierarchy) -> &'static str {
    match hierarchy {
        Hierarchy::Known => "known",
        Hierarchy::Unknown => "unknown",
    }
}

impl Info {
    /// The facts about a file as a JSON object, by docs/schemas/info.json.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let counts = |pairs: &[(&'static str, usize)]| {
            pairs.iter().map(|(name, n)| ((*name).to_owned(), json!(n))).collect::<Map<_, _>>()
        };
        let facts: Map<_, _> = self.summary.facts.iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect();
        let mut all = json!({
            "schema_version": SCHEMA_VERSION,
            "file": self.file,
            "format": self.format,
            "format_name": self.format_name,
            "version": self.summary.version,
            "variant": self.summary.variant,
            "facts": facts,
            "hierarchy": hierarchy(self.hierarchy),
            "nodes": self.nodes,
            "parts": counts(&self.parts),
            "clips": self.clips.iter().map(ClipInfo::to_json).collect::<Vec<_>>(),
            "findings": { "error": self.findings[0], "warning": self.findings[1], "info": self.findings[2] },
            "humanoid": self.humanoid.as_ref().map(HumanoidInfo::to_json),
            "binding": self.binding.as_ref().map(Binding::to_json),
            "unknown": self.unknown,
        });
        if let Some(onto) = &self.onto {
            let pairs = self.humanoid.as_ref().map(|motion| onto.pairs(motion)).unwrap_or_default();
            let bone =
                |(bone, from, to): (HumanBone, _, _)| json!({ "bone": bone.word(), "from": from, "to": to });
            all["onto"] = json!({
                "file": onto.file,
                "names_of": onto.humanoid.vocabulary,
                "certainty": onto.humanoid.certainty,
                "bones": pairs.into_iter().map(bone).collect::<Vec<_>>(),
            });
        }
        all
    }
}

impl HumanoidInfo {
    fn to_json(&self) -> Value {
        let words = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>();
        let bones: Map<_, _> =
            self.bones.iter().map(|(bone, name)| (bone.word().to_owned(), json!(name))).collect();
        let mut object = json!({
            "kind": if self.is_hands() { "hands" } else { "figure" },
            "bones": bones,
            "of": HumanBone::ALL.len(),
            "missing_required": words(&self.required),
            "missing_optional": words(&self.optional),
            "names_of": self.vocabulary,
            "certainty": self.certainty,
            "doubts": self.doubts,
        });
        if !self.by_shape.is_empty() {
            let likely = self.by_shape.iter();
            let likely = likely.map(|(bone, node, certainty)| {
                json!({ "bone": bone.word(), "node": node, "certainty": certainty })
            });
            object["by_shape"] = likely.collect();
        }
        object
    }
}

impl Binding {
    fn to_json(&self) -> Value {
        let another = self.made_for_another.as_ref();
        let completed = self.completed.iter().map(|(name, full)| json!({ "name": name, "full": full }));
        let unbound = self.unbound.iter().map(|Unbound { kind, name, nearest }| {
            json!({ "target": name, "kind": kind.word(), "nearest": nearest })
        });
        let chains = self
            .chains
            .iter()
            .map(|Chain { goal, is_switched }| json!({ "goal": goal, "is_switched": is_switched }));
        json!({
            "model": self.model,
            "made_for": another.map(|(made_for, _)| made_for),
            "model_name": another.map(|(_, name)| name),
            "bound": self.moved,
            "completed": completed.collect::<Vec<_>>(),
            "unbound": unbound.collect::<Vec<_>>(),
            "ik": chains.collect::<Vec<_>>(),
        })
    }
}

impl ClipInfo {
    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "stored_name": self.stored_name,
            "duration_s": self.duration_s,
            "rate_fps": self.rate_fps,
            "tracks": self.tracks,
            "keys": self.keys,
            "markers": self.markers,
        })
    }
}

/// The findings of a file as a JSON object; `format` is `None` if the file's format is unknown.
#[must_use]
pub fn check_to_json(file: &str, format: Option<&str>, findings: &[Finding]) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "file": file,
        "format": format,
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let fault = &finding.fault;
    let mut out = Map::new();
    out.insert("code".into(), json!(fault.code));
    out.insert("severity".into(), json!(finding.severity.word()));
    add_place(fault, &mut out);
    out.insert("path".into(), json!(if fault.path.is_empty() { "file" } else { &fault.path }));
    out.insert("expected".into(), json!(fault.expected));
    out.insert("found".into(), json!(fault.found));
    out.insert("message".into(), json!(fault.to_string()));
    if let Some(Subject { clip, target, channel, time }) = &finding.subject {
        out.insert("clip".into(), json!(clip));
        let rest = [
            ("target", target.as_ref().map(|target| json!(target))),
            ("channel", channel.as_ref().map(|channel| json!(channel))),
            ("time_s", time.map(|time| json!(time.0))),
        ];
        out.extend(rest.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    Value::Object(out)
}

fn add_place(fault: &Fault, out: &mut Map<String, Value>) {
    match &fault.place {
        Place::File => {}
        Place::Byte(offset) => {
            out.insert("offset".into(), json!(offset.0));
        }
        Place::Text { line, column, pointer } => {
            out.insert("line".into(), json!(line));
            out.insert("column".into(), json!(column));
            out.insert("pointer".into(), json!(pointer));
        }
    }
}

impl Error {
    /// A JSON object with the fields of a finding without its severity, and the id of the format concerned,
    /// if any.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let fault = self.finding().fault;
        let mut out = Map::new();
        out.insert("code".into(), json!(fault.code));
        out.insert("message".into(), json!(self.to_string()));
        let format = match self {
            Self::Read(error) => Some(error.format),
            Self::Write(error) => Some(error.format),
            Self::Convert(error) => Some(error.format),
            Self::NotBuilt(format) => Some(format.id),
            Self::Io { .. }
            | Self::UnknownFormat { .. }
            | Self::Lost(_)
            | Self::Forbidden { .. }
            | Self::Usage(_) => None,
            Self::Refused(_) | Self::Option(_) => None,
        };
        out.insert("format".into(), json!(format));
        add_place(&fault, &mut out);
        out.insert("path".into(), json!(fault.path));
        out.insert("expected".into(), json!(fault.expected));
        out.insert("found".into(), json!(fault.found));
        Value::Object(out)
    }
}

impl Sampled {
    /// The sampled values as a JSON object, by docs/schemas/sample.json.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "schema_version": SCHEMA_VERSION,
            "file": self.file,
            "format": self.format,
            "axes": match self.axes { Axes::Native => "native", Axes::Gltf => "gltf" },
            "space": match self.space { Space::Local => "local", Space::Model => "model" },
            "times_s": self.times_s,
            "markers": self.markers.iter().map(marker).collect::<Vec<_>>(),
            "tracks": self.tracks.iter().map(SampledTrack::to_json).collect::<Vec<_>>(),
        })
    }
}

fn marker(marker: &Marker) -> Value {
    json!({ "time_s": marker.time.0, "name": marker.name })
}

impl SampledTrack {
    /// Its object among the tracks of a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let channels: Map<_, _> = self.channels.iter().map(|c| (c.name.clone(), rows(c))).collect();
        json!({
            "target": self.target,
            "index": self.index,
            "kind": self.kind.word(),
            "channels": channels,
        })
    }
}

fn rows(channel: &SampledChannel) -> Value {
    if channel.is_scalar {
        return json!(channel.values);
    }
    channel.values.chunks_exact(channel.width.max(1)).map(|row| json!(row)).collect()
}

impl ConversionReport {
    /// The report as a JSON object, by docs/schemas/convert-report.json. `output` is the caller's name of the
    /// output file.
    #[must_use]
    pub fn to_json(&self, output: &str) -> Value {
        let LossLists { kept, kept_as_data, approximated, dropped } = LossLists::of(&self.report);
        let one_or_all = |list: &[String]| match list {
            [one] => json!(one),
            all => json!(all),
        };
        let mut object = json!({
            "schema_version": SCHEMA_VERSION,
            "input": one_or_all(&self.inputs),
            "output": output,
            "from": self.from.join(","),
            "to": self.to,
            "hierarchy": hierarchy(self.hierarchy),
            "clips": self.clips,
            "kept": kept,
            "kept_as_data": kept_as_data,
            "approximated": approximated,
            "dropped": dropped,
            "findings": self.report.findings.iter().map(finding).collect::<Vec<_>>(),
        });
        if !self.report.slides.is_empty() {
            object["slides"] = self.report.slides.iter().map(slide).collect();
        }
        if !self.report.verdicts.is_empty() {
            object["verdicts"] = self.report.verdicts.iter().map(verdict).collect();
        }
        object
    }
}

impl super::diff::OntoDiff {
    /// The verdict as a JSON object, by docs/schemas/diff-onto.json.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let super::diff::Tolerances { angle_rad, length_m } = self.tolerances;
        json!({
            "schema_version": SCHEMA_VERSION,
            "a": self.a,
            "b": self.b,
            "result_clip": { "position": self.result_clip.0, "name": self.result_clip.1 },
            "tolerance": { "angle_rad": angle_rad, "length_m": length_m },
            "within_tolerance": self.is_within(),
            "verdict": verdict(&self.verdict),
        })
    }
}

fn verdict(verdict: &Verdict) -> Value {
    let measure = |measure: &Measure| {
        let info = measure.kind.info();
        json!({
            "measure": info.id,
            "unit": info.unit,
            "value": measure.value,
            "source": measure.source,
            "bone": measure.bone,
            "time_s": measure.time.0,
            "good": info.good,
            "bad": info.bad,
        })
    };
    json!({
        "clip": verdict.clip,
        "judgement": verdict.judgement().word(),
        "text": verdict.to_string(),
        "measures": verdict.measures.iter().map(measure).collect::<Vec<_>>(),
    })
}

fn slide(slide: &Slide) -> Value {
    let [Seconds(start), Seconds(end)] = slide.stand;
    json!({
        "clip": slide.clip,
        "bone": slide.bone,
        "start_s": start,
        "end_s": end,
        "before_m": slide.before_m,
        "after_m": slide.after_m,
    })
}

/// Report of operations on a motion as a JSON object, with the members `kept`, `kept_as_data`, `approximated`, `dropped`
/// and `findings` of a conversion's.
#[must_use]
pub fn report_to_json(report: &Report) -> Value {
    let LossLists { kept, kept_as_data, approximated, dropped } = LossLists::of(report);
    json!({
        "schema_version": SCHEMA_VERSION,
        "kept": kept,
        "kept_as_data": kept_as_data,
        "approximated": approximated,
        "dropped": dropped,
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

/// Lists of a report, by fate.
#[derive(Default)]
struct LossLists {
    kept: Vec<Value>,
    kept_as_data: Vec<Value>,
    approximated: Vec<Value>,
    dropped: Vec<Value>,
}

impl LossLists {
    fn of(report: &Report) -> Self {
        let mut lists = Self::default();
        for loss in &report.losses {
            match loss {
                Loss::Kept { what } => lists.kept.push(json!(what)),
                Loss::KeptAsData { what } => lists.kept_as_data.push(json!(what)),
                Loss::Approximated { what, max_error, bound } => {
                    let mut line = json!({ "what": what, "max_error": error(max_error) });
                    if let Some(bound) = bound {
                        line["bound"] = json!(bound);
                    }
                    lists.approximated.push(line);
                }
                Loss::Bounded { what, bound, unit } => {
                    lists.approximated.push(json!({ "what": what, "bound": bound, "unit": unit.symbol() }));
                }
                Loss::Unsampled { what, max_error } => {
                    let max_error = error(max_error);
                    let line = json!({ "what": what, "max_error": max_error, "between_frames": true });
                    lists.approximated.push(line);
                }
                Loss::Dropped { what, why } => lists.dropped.push(json!({ "what": what, "why": why })),
            }
        }
        lists
    }
}

fn error(error: &MaxError) -> Value {
    json!({ "value": error.value, "unit": error.unit.symbol(), "target": error.target, "time_s": error.time.0 })
}

impl Diff {
    /// The differences as a JSON object, by docs/schemas/diff.json.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let comparison = &self.comparison;
        json!({
            "schema_version": SCHEMA_VERSION,
            "a": self.a,
            "b": self.b,
            "hierarchy": hierarchy(comparison.hierarchy),
            "tolerance": { "length_m": self.tolerance.length_m, "shell_m": comparison.shell_m },
            "end_s": comparison.end.0,
            "times": comparison.samples,
            "within_tolerance": comparison.is_within,
            "worst": comparison.largest.as_ref().map(largest),
            "tracks": comparison.tracks.iter().map(track_difference).collect::<Vec<_>>(),
            "only_in_a": comparison.only_in_a.iter().map(unmatched).collect::<Vec<_>>(),
            "only_in_b": comparison.only_in_b.iter().map(unmatched).collect::<Vec<_>>(),
        })
    }
}

fn largest(largest: &LargestDifference) -> Value {
    json!({
        "target": largest.target,
        "kind": largest.kind.word(),
        "time_s": largest.difference.time.0,
        "model_space_m": largest.model_space_m,
        "rotation_rad": largest.rotation_rad,
        "difference": difference(&largest.difference),
    })
}

fn track_difference(track: &TrackDifference) -> Value {
    json!({
        "target": track.target,
        "index": track.index,
        "kind": track.kind.word(),
        "channels": track.channels.iter().map(difference).collect::<Vec<_>>(),
    })
}

/// Numbers that are not finite become null.
fn difference(difference: &ChannelDifference) -> Value {
    let mut out = Map::new();
    out.insert("channel".into(), json!(difference.channel));
    if let Some(component) = &difference.component {
        out.insert("component".into(), json!(component));
    }
    out.insert("value".into(), json!(difference.value));
    out.insert("unit".into(), json!(difference.unit.symbol()));
    out.insert("time_s".into(), json!(difference.time.0));
    out.insert("limit".into(), json!(difference.limit));
    Value::Object(out)
}

fn unmatched(unmatched: &Unmatched) -> Value {
    json!({ "target": unmatched.target, "index": unmatched.index, "kind": unmatched.kind.word() })
}

/// Description of a format as a JSON object.
#[must_use]
pub fn format_to_json(info: &FormatInfo) -> Value {
    let can = &info.capabilities;
    json!({
        "schema_version": SCHEMA_VERSION,
        "id": info.id,
        "name": info.name,
        "extensions": info.extensions,
        "reads": true,
        "writes": can.writes,
        "attaches": can.attaches,
        "clips": match can.clips { Clips::One => "one", Clips::Many => "many" },
        "variants": info.variants.iter().map(|v| json!({ "name": v.name, "about": v.about })).collect::<Vec<_>>(),
        "variant_words": registry::by_id(info.id).map_or(&[][..], |format| format.variant_words()).iter()
            .map(|v| json!({ "name": v.name, "about": v.about })).collect::<Vec<_>>(),
        "specifications": info.specifications,
    })
}
