//! Checks of a document.

use super::codes;
use super::document::{Document, Pose};
use super::read::{Span, locate, parse};
use super::spans::Spans;
use super::splice::text;
use crate::rotation::REMARKABLE;
use crate::text::decode;
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, SightingsByCode};
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
    let (pose, spans) = (&parsed.pose, &parsed.spans);
    let mut look = CheckedPose { text: &text, pose, spans, seen: SightingsByCode::default() };
    look.file();
    look.names();
    look.nonfinite();
    look.rotations();
    look.seen.report(report);
}

/// The text under check, its pose, the spans of its parts, and its findings so far.
struct CheckedPose<'a> {
    text: &'a [u8],
    pose: &'a Pose,
    spans: &'a Spans,
    seen: SightingsByCode,
}

/// A bone or morph: its place in the text and in its list.
struct Named<'a> {
    path: String,
    position: usize,
    name: &'a str,
    /// The number behind the word Bone or Morph.
    index: &'a Span,
    span: &'a Span,
}

impl<'a> CheckedPose<'a> {
    fn say<E, F>(&mut self, check: Check, at: usize, path: &str, what: impl FnOnce() -> (E, F))
    where
        E: Into<Cow<'static, str>>,
        F: Into<Cow<'static, str>>,
    {
        self.seen.add(check, || {
            let (expected, found) = what();
            Fault::new("", locate(self.text, at, path.to_owned()), expected, found)
        });
    }

    fn named(&self) -> Vec<Named<'a>> {
        let (pose, spans) = (self.pose, self.spans);
        let bones = pose.bones.iter().zip(&spans.bones).enumerate();
        let bones = bones.map(|(at, (bone, block))| ("bones", at, &bone.name, &block.index, &block.name));
        let morphs = pose.morphs.iter().zip(&spans.morphs).enumerate();
        let morphs =
            morphs.map(|(at, (morph, block))| ("morphs", at, &morph.name, &block.index, &block.name));
        let all = bones.chain(morphs).map(|(list, position, name, index, span)| Named {
            path: format!("{list}[{position}]"),
            position,
            name,
            index,
            span,
        });
        all.collect()
    }

    /// Counts and numbers of bones and morphs, and the text behind them.
    fn file(&mut self) {
        let (pose, spans) = (self.pose, self.spans);
        let (announced, there) = (pose.announced_bones, pose.bones.len());
        if usize::try_from(announced) != Ok(there) {
            let what = || (format!("{there}, as many as there are"), announced.to_string());
            self.say(codes::COUNT_MISMATCH, spans.announced_bones.start, "bone count", what);
        }
        let Span { start, end } = spans.trailing;
        if start < end {
            let expected = "another bone or morph, or the end of the file";
            self.say(codes::TRAILING_TEXT, start, "", || (expected, counted(end - start, "further byte")));
        }
        if let Some(first) = spans.morphs.first() {
            let what = || ("bones only", format!("morphs, {} in all", pose.morphs.len()));
            self.say(codes::MORPHS, first.whole.start, "morphs", what);
        }
        for Named { path, position, index, .. } in self.named() {
            let digits = String::from_utf8_lossy(&self.text[index.clone()]);
            if digits.parse() != Ok(position) {
                let actual = || if digits.is_empty() { "none" } else { &digits }.to_owned();
                let what = || (format!("number {position}"), actual());
                self.say(codes::INDEX_ORDER, index.start, &path, what);
            }
        }
    }

    fn names(&mut self) {
        let mut named = self.named();
        named.iter_mut().for_each(|named| named.path.push_str(".name"));
        for Named { path, span, .. } in named.iter().filter(|named| named.span.is_empty()) {
            self.say(codes::NAME_EMPTY, span.start, path, || ("a name", "none"));
        }
        for Named { path, span, .. } in &named {
            let bytes = &self.text[(*span).clone()];
            let decoded = decode(bytes);
            if decoded.has_unknown_bytes {
                let what = || ("text in CP932", format!("{bytes:02X?}, read as {:?}", decoded.text));
                self.say(codes::NAME_ENCODING, span.start, path, what);
            }
        }
        for Named { path, span, .. } in &named {
            let decoded = decode(&self.text[(*span).clone()]);
            if decoded.is_cut {
                let what = || ("whole characters", format!("{:?} and half a character", decoded.text));
                self.say(codes::NAME_CUT, span.start, path, what);
            }
        }
        let mut seen = BTreeMap::new();
        for Named { path, name, span, .. } in &named {
            let list = path.split('[').next();
            let first = *seen.entry((list, name)).or_insert(path);
            if first != path {
                let first = first.trim_end_matches(".name");
                let what = || ("every name once", format!("{name:?}, as {first}"));
                self.say(codes::DUPLICATE_NAME, span.start, path, what);
            }
        }
    }

    fn nonfinite(&mut self) {
        let (pose, spans) = (self.pose, self.spans);
        let mut look = |path: String, number: f32, span: &Span| {
            if !number.is_finite() {
                let what = || ("finite numbers", number.to_string());
                self.say(codes::NONFINITE, span.start, &path, what);
            }
        };
        for (index, (bone, block)) in pose.bones.iter().zip(&spans.bones).enumerate() {
            let parts = [("translation", 0, &bone.translation[..]), ("rotation", 3, &bone.rotation[..])];
            for (part, first, numbers) in parts {
                for (number, span) in numbers.iter().zip(&block.numbers[first..]) {
                    look(format!("bones[{index}].{part}"), *number, span);
                }
            }
        }
        for (index, (morph, block)) in pose.morphs.iter().zip(&spans.morphs).enumerate() {
            look(format!("morphs[{index}].weight"), morph.weight, &block.numbers[0]);
        }
    }

    fn rotations(&mut self) {
        self.each_rotation(codes::ZERO_QUATERNION, |rotation| {
            (*rotation == [0.0; 4]).then(|| "0, 0, 0, 0".to_owned())
        });
        self.each_rotation(codes::QUATERNION_NORM, |rotation| {
            let length = rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            let is_remarkable = length.is_finite() && length > 0.0 && (length - 1.0).abs() > REMARKABLE;
            is_remarkable.then(|| format!("length {length:.6}"))
        });
    }

    /// Every rotation for which `describe` yields a text.
    fn each_rotation(&mut self, check: Check, describe: impl Fn(&[f32; 4]) -> Option<String>) {
        for (index, (bone, block)) in self.pose.bones.iter().zip(&self.spans.bones).enumerate() {
            if let Some(actual) = describe(&bone.rotation) {
                let what = || ("a quaternion of length 1", format!("{actual} ({})", bone.name));
                self.say(check, block.numbers[3].start, &format!("bones[{index}].rotation"), what);
            }
        }
    }
}
