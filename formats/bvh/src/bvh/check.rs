//! Checks of a document; one function per code not noticed during reading.

use super::codes;
use super::document::{Channel, Document, Motion};
use super::rate::{How, rate};
use super::read::{numbers_of, parse};
use super::scan::locate;
use super::spans::Spans;
use super::splice::text;
use super::winding::{WITHIN, first_wounds};
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, Sightings};
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
    parsed.quirks.report(report);
    let checked = CheckedMotion { text: &text, motion: &parsed.motion, spans: &parsed.spans };
    for check in [
        name_empty,
        name_blank,
        name_encoding,
        duplicate_name,
        channel_twice,
        nonfinite_offset,
        frame_count,
        frame_time,
        nonfinite,
        angle_winds,
    ] {
        check(&checked, report);
    }
}

/// The text under check, its motion, and the spans of its parts.
struct CheckedMotion<'a> {
    text: &'a [u8],
    motion: &'a Motion,
    spans: &'a Spans,
}

impl CheckedMotion<'_> {
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

    /// Every name for which `describe` yields a text; end sites need no name.
    fn each_name(
        &self,
        report: &mut Report,
        check: Check,
        expected: &'static str,
        mut describe: impl FnMut(usize, &str) -> Option<String>,
    ) {
        let mut sightings = Sightings::of(check);
        for (index, (joint, spans)) in self.motion.joints.iter().zip(&self.spans.joints).enumerate() {
            let is_nameless_end = joint.kind == super::JointKind::EndSite && joint.name.is_empty();
            if let Some(actual) = describe(index, &joint.name).filter(|_| !is_nameless_end) {
                sightings
                    .add(|| self.fault(spans.name.start, format!("joints[{index}].name"), expected, actual));
            }
        }
        sightings.report(report);
    }
}

fn name_empty(checked: &CheckedMotion<'_>, report: &mut Report) {
    let actual = |_, name: &str| name.is_empty().then(|| "none".to_owned());
    checked.each_name(report, codes::NAME_EMPTY, "a name", actual);
}

fn name_blank(checked: &CheckedMotion<'_>, report: &mut Report) {
    let actual = |_, name: &str| name.contains([' ', '\t']).then(|| format!("{name:?}"));
    checked.each_name(report, codes::NAME_BLANK, "a name without blanks", actual);
}

fn name_encoding(checked: &CheckedMotion<'_>, report: &mut Report) {
    let actual = |index: usize, name: &str| {
        let bytes = &checked.text[checked.spans.joints[index].name.clone()];
        std::str::from_utf8(bytes).is_err().then(|| format!("the bytes {bytes:02X?}, read as {name:?}"))
    };
    checked.each_name(report, codes::NAME_ENCODING, "text in UTF-8", actual);
}

fn duplicate_name(checked: &CheckedMotion<'_>, report: &mut Report) {
    let mut seen = BTreeMap::new();
    checked.each_name(report, codes::DUPLICATE_NAME, "a different name for each joint", |index, name| {
        let first = *seen.entry(name.to_owned()).or_insert(index);
        (first != index && !name.is_empty()).then(|| format!("{name:?}, as joints[{first}]"))
    });
}

fn channel_twice(checked: &CheckedMotion<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::CHANNEL_TWICE);
    for (index, (joint, spans)) in checked.motion.joints.iter().zip(&checked.spans.joints).enumerate() {
        let twice = |(at, channel): &(usize, &Channel)| {
            !matches!(channel, Channel::Other(_)) && joint.channels[..*at].contains(channel)
        };
        if let Some((_, channel)) = joint.channels.iter().enumerate().find(twice) {
            let path = format!("joints[{index}] {}", joint.name);
            let actual = format!("{} again", channel.word());
            let at = spans.channels.unwrap_or(spans.word);
            sightings.add(|| checked.fault(at, path, "each channel once", actual));
        }
    }
    sightings.report(report);
}

fn frame_count(checked: &CheckedMotion<'_>, report: &mut Report) {
    let there = checked.motion.frame_count();
    if usize::try_from(checked.motion.announced_frames) != Ok(there) && checked.motion.width() > 0 {
        let at = checked.spans.announced_frames.start;
        let actual = checked.motion.announced_frames.to_string();
        let fault = checked.fault(at, "frame count", format!("{there}, the actual number of frames"), actual);
        checked.push(report, codes::FRAME_COUNT, fault);
    }
}

fn frame_time(checked: &CheckedMotion<'_>, report: &mut Report) {
    let at = checked.spans.frame_time.start;
    let time = checked.motion.frame_time_s;
    let rate = rate(time);
    let (check, expected) = match rate.how {
        How::Exact => return,
        How::WithinDigits => (codes::FRAME_RATE, format!("all digits of the frame time of {}", rate.rate)),
        How::Assumed => (codes::FRAME_TIME, "a time above 0".to_owned()),
    };
    checked.push(report, check, checked.fault(at, "frame time", expected, time.to_string()));
}

fn nonfinite_offset(checked: &CheckedMotion<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NONFINITE);
    for (index, (joint, spans)) in checked.motion.joints.iter().zip(&checked.spans.joints).enumerate() {
        for (number, span) in joint.offset.iter().zip(spans.offset.iter().flatten()) {
            if !number.is_finite() {
                let path = format!("joints[{index}].offset");
                sightings.add(|| checked.fault(span.start, path, "finite numbers", number.to_string()));
            }
        }
    }
    sightings.report(report);
}

fn nonfinite(checked: &CheckedMotion<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NONFINITE);
    let width = checked.motion.width().max(1);
    let odd = checked.motion.values.iter().enumerate().filter(|(_, number)| !number.is_finite());
    for (at, number) in odd {
        let (frame, column) = (at / width, at % width);
        sightings.add(|| {
            let row = &checked.spans.rows[frame];
            let start = numbers_of(checked.text, row).get(column).map_or(row.start, |span| span.start);
            checked.fault(start, format!("frames[{frame}]"), "finite numbers", number.to_string())
        });
    }
    sightings.report(report);
}

fn angle_winds(checked: &CheckedMotion<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::ANGLE_WINDS);
    for (index, wound) in first_wounds(checked.motion) {
        sightings.add(|| {
            let row = &checked.spans.rows[wound.frame];
            let start = numbers_of(checked.text, row).get(wound.column).map_or(row.start, |span| span.start);
            let name = checked.motion.joints.get(index).map_or("", |joint| &joint.name);
            let path = format!("joints[{index}] {name}, frames[{}]", wound.frame);
            checked.fault(start, path, WITHIN, format!("{}°", wound.degrees))
        });
    }
    sightings.report(report);
}
