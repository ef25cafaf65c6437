//! Checks of a document; one function per code not noticed during reading.

use super::codes;
use super::document::{Channel, Document, Motion};
use super::rate::{How, rate};
use super::read::{numbers_of, parse};
use super::scan::place;
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
    let sheet = Sheet { text: &text, motion: &parsed.motion, spans: &parsed.spans };
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
        check(&sheet, report);
    }
}

struct Sheet<'a> {
    text: &'a [u8],
    motion: &'a Motion,
    spans: &'a Spans,
}

impl Sheet<'_> {
    fn fault(
        &self,
        at: usize,
        pointer: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        Fault::new("", place(self.text, at, pointer.into()), expected, found)
    }

    fn push(&self, report: &mut Report, check: Check, fault: Fault) {
        report.push(check.severity, Fault { code: check.code, ..fault });
    }

    /// Every name for which `found` yields a text; end sites need no name.
    fn each_name(
        &self,
        report: &mut Report,
        check: Check,
        expected: &'static str,
        mut found: impl FnMut(usize, &str) -> Option<String>,
    ) {
        let mut sightings = Sightings::of(check);
        for (index, (joint, spans)) in self.motion.joints.iter().zip(&self.spans.joints).enumerate() {
            let is_nameless_end = joint.kind == super::JointKind::EndSite && joint.name.is_empty();
            if let Some(actual) = found(index, &joint.name).filter(|_| !is_nameless_end) {
                sightings
                    .add(|| self.fault(spans.name.start, format!("joints[{index}].name"), expected, actual));
            }
        }
        sightings.report(report);
    }
}

fn name_empty(sheet: &Sheet<'_>, report: &mut Report) {
    let actual = |_, name: &str| name.is_empty().then(|| "none".to_owned());
    sheet.each_name(report, codes::NAME_EMPTY, "a name", actual);
}

fn name_blank(sheet: &Sheet<'_>, report: &mut Report) {
    let actual = |_, name: &str| name.contains([' ', '\t']).then(|| format!("{name:?}"));
    sheet.each_name(report, codes::NAME_BLANK, "a name without blanks", actual);
}

fn name_encoding(sheet: &Sheet<'_>, report: &mut Report) {
    let actual = |index: usize, name: &str| {
        let bytes = &sheet.text[sheet.spans.joints[index].name.clone()];
        std::str::from_utf8(bytes).is_err().then(|| format!("the bytes {bytes:02X?}, read as {name:?}"))
    };
    sheet.each_name(report, codes::NAME_ENCODING, "text in UTF-8", actual);
}

fn duplicate_name(sheet: &Sheet<'_>, report: &mut Report) {
    let mut seen = BTreeMap::new();
    sheet.each_name(report, codes::DUPLICATE_NAME, "a different name for each joint", |index, name| {
        let first = *seen.entry(name.to_owned()).or_insert(index);
        (first != index && !name.is_empty()).then(|| format!("{name:?}, as joints[{first}]"))
    });
}

fn channel_twice(sheet: &Sheet<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::CHANNEL_TWICE);
    for (index, (joint, spans)) in sheet.motion.joints.iter().zip(&sheet.spans.joints).enumerate() {
        let twice = |(at, channel): &(usize, &Channel)| {
            !matches!(channel, Channel::Other(_)) && joint.channels[..*at].contains(channel)
        };
        if let Some((_, channel)) = joint.channels.iter().enumerate().find(twice) {
            let path = format!("joints[{index}] {}", joint.name);
            let actual = format!("{} again", channel.word());
            let at = spans.channels.unwrap_or(spans.word);
            sightings.add(|| sheet.fault(at, path, "each channel once", actual));
        }
    }
    sightings.report(report);
}

fn frame_count(sheet: &Sheet<'_>, report: &mut Report) {
    let there = sheet.motion.frame_count();
    if usize::try_from(sheet.motion.announced_frames) != Ok(there) && sheet.motion.width() > 0 {
        let at = sheet.spans.announced_frames.start;
        let actual = sheet.motion.announced_frames.to_string();
        let fault = sheet.fault(at, "frame count", format!("{there}, the actual number of frames"), actual);
        sheet.push(report, codes::FRAME_COUNT, fault);
    }
}

fn frame_time(sheet: &Sheet<'_>, report: &mut Report) {
    let at = sheet.spans.frame_time.start;
    let time = sheet.motion.frame_time_s;
    let rate = rate(time);
    let (check, expected) = match rate.how {
        How::Exact => return,
        How::WithinDigits => (codes::FRAME_RATE, format!("all digits of the frame time of {}", rate.rate)),
        How::Assumed => (codes::FRAME_TIME, "a time above 0".to_owned()),
    };
    sheet.push(report, check, sheet.fault(at, "frame time", expected, time.to_string()));
}

fn nonfinite_offset(sheet: &Sheet<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NONFINITE);
    for (index, (joint, spans)) in sheet.motion.joints.iter().zip(&sheet.spans.joints).enumerate() {
        for (number, span) in joint.offset.iter().zip(spans.offset.iter().flatten()) {
            if !number.is_finite() {
                let path = format!("joints[{index}].offset");
                sightings.add(|| sheet.fault(span.start, path, "finite numbers", number.to_string()));
            }
        }
    }
    sightings.report(report);
}

fn nonfinite(sheet: &Sheet<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NONFINITE);
    let width = sheet.motion.width().max(1);
    let odd = sheet.motion.values.iter().enumerate().filter(|(_, number)| !number.is_finite());
    for (at, number) in odd {
        let (frame, column) = (at / width, at % width);
        sightings.add(|| {
            let row = &sheet.spans.rows[frame];
            let start = numbers_of(sheet.text, row).get(column).map_or(row.start, |span| span.start);
            sheet.fault(start, format!("frames[{frame}]"), "finite numbers", number.to_string())
        });
    }
    sightings.report(report);
}

fn angle_winds(sheet: &Sheet<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::ANGLE_WINDS);
    for (index, wound) in first_wounds(sheet.motion) {
        sightings.add(|| {
            let row = &sheet.spans.rows[wound.frame];
            let start = numbers_of(sheet.text, row).get(wound.column).map_or(row.start, |span| span.start);
            let name = sheet.motion.joints.get(index).map_or("", |joint| &joint.name);
            let path = format!("joints[{index}] {name}, frames[{}]", wound.frame);
            sheet.fault(start, path, WITHIN, format!("{}°", wound.degrees))
        });
    }
    sightings.report(report);
}
