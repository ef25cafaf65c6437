//! Checks of a document; one function per code.

use super::codes;
use super::document::{Bone, Document, Pose};
use super::read::parse;
use super::scan::{Span, locate};
use super::spans::Spans;
use super::splice::text;
use crate::rotation::REMARKABLE;
use crate::text::{Decoded, decode};
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, Sightings};
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Checks the text to be written for the document, because other programs see that text.
pub(super) fn check(document: &Document, report: &mut Report) {
    let text = match text(document) {
        Ok(text) => text,
        Err(fault) => return report.error(fault),
    };
    // What a lenient reader left out was reported when it was left out.
    let Ok(parsed) = parse(&text, document.0.is_damaged(), &mut Report::default()) else { return };
    let checked = CheckedPose { text: &text, pose: &parsed.pose, spans: &parsed.spans };
    for check in [
        count_mismatch,
        trailing_text,
        morphs,
        index_order,
        name_empty,
        name_encoding,
        name_cut,
        duplicate_name,
        nonfinite,
        zero_quaternion,
        quaternion_norm,
    ] {
        check(&checked, report);
    }
}

/// The text under check, its pose, and the spans of its parts.
struct CheckedPose<'a> {
    text: &'a [u8],
    pose: &'a Pose,
    spans: &'a Spans,
}

/// A name with its list and place.
struct Named<'a> {
    list: &'static str,
    index: usize,
    name: &'a str,
    span: &'a Span,
}

impl CheckedPose<'_> {
    fn fault(
        &self,
        at: usize,
        pointer: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        Fault::new("", locate(self.text, at, pointer.into()), expected, found)
    }

    fn push(&self, report: &mut Report, check: Check, fault: Fault) {
        report.push(check.severity, Fault { code: check.code, ..fault });
    }

    fn names(&self) -> impl Iterator<Item = Named<'_>> {
        let bones = self.pose.bones.iter().zip(&self.spans.bones).enumerate();
        let bones = bones.map(|(index, (bone, block))| Named {
            list: "bones",
            index,
            name: &bone.name,
            span: &block.name,
        });
        let morphs = self.pose.morphs.iter().zip(&self.spans.morphs).enumerate();
        bones.chain(morphs.map(|(index, (morph, block))| Named {
            list: "morphs",
            index,
            name: &morph.name,
            span: &block.name,
        }))
    }

    fn each_name(
        &self,
        report: &mut Report,
        check: Check,
        expected: &'static str,
        mut describe: impl FnMut(&Named<'_>) -> Option<String>,
    ) {
        let mut sightings = Sightings::of(check);
        for named in self.names() {
            if let Some(actual) = describe(&named) {
                let path = format!("{}[{}].name", named.list, named.index);
                sightings.add(|| self.fault(named.span.start, path, expected, actual));
            }
        }
        sightings.report(report);
    }

    fn decoded(&self, span: &Span) -> Decoded {
        decode(&self.text[span.clone()])
    }

    /// Every rotation for which `describe` yields a text.
    fn each_rotation(
        &self,
        report: &mut Report,
        check: Check,
        expected: &'static str,
        describe: impl Fn(&Bone) -> Option<String>,
    ) {
        let mut sightings = Sightings::of(check);
        for (index, (bone, block)) in self.pose.bones.iter().zip(&self.spans.bones).enumerate() {
            if let Some(actual) = describe(bone) {
                let (path, at) = (format!("bones[{index}].rotation"), block.numbers[3].start);
                sightings.add(|| self.fault(at, path, expected, format!("{actual} ({})", bone.name)));
            }
        }
        sightings.report(report);
    }
}

fn count_mismatch(checked: &CheckedPose<'_>, report: &mut Report) {
    let (announced, there) = (checked.pose.announced_bones, checked.pose.bones.len());
    if usize::try_from(announced) != Ok(there) {
        let at = checked.spans.announced_bones.start;
        let fault =
            checked.fault(at, "bone count", format!("{there}, as many as there are"), announced.to_string());
        checked.push(report, codes::COUNT_MISMATCH, fault);
    }
}

fn trailing_text(checked: &CheckedPose<'_>, report: &mut Report) {
    let Span { start, end } = checked.spans.trailing;
    if start < end {
        let actual = counted(end - start, "further byte");
        let fault = checked.fault(start, "", "another bone or morph, or the end of the file", actual);
        checked.push(report, codes::TRAILING_TEXT, fault);
    }
}

fn morphs(checked: &CheckedPose<'_>, report: &mut Report) {
    if let Some(first) = checked.spans.morphs.first() {
        let actual = format!("morphs, {} in all", checked.pose.morphs.len());
        let fault = checked.fault(first.whole.start, "morphs", "bones only", actual);
        checked.push(report, codes::MORPHS, fault);
    }
}

fn index_order(checked: &CheckedPose<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::INDEX_ORDER);
    let bones =
        checked.spans.bones.iter().map(|block| &block.index).enumerate().map(|(n, span)| ("bones", n, span));
    let morphs = checked.spans.morphs.iter().map(|block| &block.index).enumerate();
    for (list, position, span) in bones.chain(morphs.map(|(n, span)| ("morphs", n, span))) {
        let digits = String::from_utf8_lossy(&checked.text[span.clone()]);
        if digits.parse() != Ok(position) {
            let path = format!("{list}[{position}]");
            let actual = if digits.is_empty() { "none" } else { &digits }.to_owned();
            sightings.add(|| checked.fault(span.start, path, format!("number {position}"), actual));
        }
    }
    sightings.report(report);
}

fn name_empty(checked: &CheckedPose<'_>, report: &mut Report) {
    let actual = |named: &Named<'_>| named.span.is_empty().then(|| "none".to_owned());
    checked.each_name(report, codes::NAME_EMPTY, "a name", actual);
}

fn name_encoding(checked: &CheckedPose<'_>, report: &mut Report) {
    checked.each_name(report, codes::NAME_ENCODING, "text in CP932", |named| {
        let bytes = &checked.text[named.span.clone()];
        let decoded = checked.decoded(named.span);
        decoded.has_unknown_bytes.then(|| format!("{bytes:02X?}, read as {:?}", decoded.text))
    });
}

fn name_cut(checked: &CheckedPose<'_>, report: &mut Report) {
    checked.each_name(report, codes::NAME_CUT, "whole characters", |named| {
        let decoded = checked.decoded(named.span);
        decoded.is_cut.then(|| format!("{:?} and half a character", decoded.text))
    });
}

fn duplicate_name(checked: &CheckedPose<'_>, report: &mut Report) {
    let mut seen = BTreeMap::new();
    checked.each_name(report, codes::DUPLICATE_NAME, "every name once", |named| {
        let first = *seen.entry((named.list, named.name.to_owned())).or_insert(named.index);
        (first != named.index).then(|| format!("{:?}, as {}[{first}]", named.name, named.list))
    });
}

fn nonfinite(checked: &CheckedPose<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NONFINITE);
    let mut look = |path: String, number: f32, span: &Span| {
        if !number.is_finite() {
            sightings.add(|| checked.fault(span.start, path, "finite numbers", number.to_string()));
        }
    };
    for (index, (bone, block)) in checked.pose.bones.iter().zip(&checked.spans.bones).enumerate() {
        let parts = [("translation", 0, &bone.translation[..]), ("rotation", 3, &bone.rotation[..])];
        for (part, first, numbers) in parts {
            for (number, span) in numbers.iter().zip(&block.numbers[first..]) {
                look(format!("bones[{index}].{part}"), *number, span);
            }
        }
    }
    for (index, (morph, block)) in checked.pose.morphs.iter().zip(&checked.spans.morphs).enumerate() {
        look(format!("morphs[{index}].weight"), morph.weight, &block.numbers[0]);
    }
    sightings.report(report);
}

fn length(rotation: &[f32; 4]) -> f64 {
    rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

fn zero_quaternion(checked: &CheckedPose<'_>, report: &mut Report) {
    let actual = |bone: &Bone| (bone.rotation == [0.0; 4]).then(|| "0, 0, 0, 0".to_owned());
    checked.each_rotation(report, codes::ZERO_QUATERNION, "a quaternion of length 1", actual);
}

fn quaternion_norm(checked: &CheckedPose<'_>, report: &mut Report) {
    let length_error = |bone: &Bone| {
        let length = length(&bone.rotation);
        let is_remarkable = length.is_finite() && length > 0.0 && (length - 1.0).abs() > REMARKABLE;
        is_remarkable.then(|| format!("length {length:.6}"))
    };
    checked.each_rotation(report, codes::QUATERNION_NORM, "a quaternion of length 1", length_error);
}
