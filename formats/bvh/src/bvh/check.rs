//! Checks of what is not noticed during reading.

use super::codes;
use super::document::{Channel, Document, JointKind, Motion};
use super::rate::{How, rate};
use super::read::scan::locate;
use super::read::{numbers_of, parse};
use super::spans::Spans;
use super::splice::text;
use super::winding::{WITHIN, first_wounds};
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, SightingsByCode};
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
    let (motion, spans) = (&parsed.motion, &parsed.spans);
    let mut look = CheckedMotion { text: &text, motion, spans, seen: SightingsByCode::default() };
    look.names();
    look.joints();
    // Offsets and frames that are not finite are two findings with one code.
    std::mem::take(&mut look.seen).report(report);
    look.frames();
    look.seen.report(report);
}

/// The text under check, its motion, the spans of its parts, and its findings so far.
struct CheckedMotion<'a> {
    text: &'a [u8],
    motion: &'a Motion,
    spans: &'a Spans,
    seen: SightingsByCode,
}

impl CheckedMotion<'_> {
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

    /// Every name for which `describe` yields a text; end sites need no name.
    fn each_name(
        &mut self,
        check: Check,
        expected: &'static str,
        mut describe: impl FnMut(usize, &str) -> Option<String>,
    ) {
        for (index, (joint, spans)) in self.motion.joints.iter().zip(&self.spans.joints).enumerate() {
            let is_nameless_end = joint.kind == JointKind::EndSite && joint.name.is_empty();
            if let Some(actual) = describe(index, &joint.name).filter(|_| !is_nameless_end) {
                let path = format!("joints[{index}].name");
                self.say(check, spans.name.start, &path, || (expected, actual));
            }
        }
    }

    fn names(&mut self) {
        self.each_name(codes::NAME_EMPTY, "a name", |_, name| name.is_empty().then(|| "none".to_owned()));
        self.each_name(codes::NAME_BLANK, "a name without blanks", |_, name| {
            name.contains([' ', '\t']).then(|| format!("{name:?}"))
        });
        let (text, spans) = (self.text, self.spans);
        self.each_name(codes::NAME_ENCODING, "text in UTF-8", |index, name| {
            let bytes = &text[spans.joints[index].name.clone()];
            std::str::from_utf8(bytes).is_err().then(|| format!("the bytes {bytes:02X?}, read as {name:?}"))
        });
        let mut seen = BTreeMap::new();
        self.each_name(codes::DUPLICATE_NAME, "a different name for each joint", |index, name| {
            let first = *seen.entry(name.to_owned()).or_insert(index);
            (first != index && !name.is_empty()).then(|| format!("{name:?}, as joints[{first}]"))
        });
    }

    fn joints(&mut self) {
        let joints = self.motion.joints.iter().zip(&self.spans.joints).enumerate();
        for (index, (joint, spans)) in joints.clone() {
            let twice = |(at, channel): &(usize, &Channel)| {
                !matches!(channel, Channel::Other(_)) && joint.channels[..*at].contains(channel)
            };
            if let Some((_, channel)) = joint.channels.iter().enumerate().find(twice) {
                let path = format!("joints[{index}] {}", joint.name);
                let at = spans.channels.unwrap_or(spans.word);
                let actual = || format!("{} again", channel.word());
                self.say(codes::CHANNEL_TWICE, at, &path, || ("each channel once", actual()));
            }
        }
        for (index, (joint, spans)) in joints {
            let numbers = joint.offset.iter().zip(spans.offset.iter().flatten());
            for (number, span) in numbers.filter(|(number, _)| !number.is_finite()) {
                let path = format!("joints[{index}].offset");
                self.say(codes::NONFINITE, span.start, &path, || ("finite numbers", number.to_string()));
            }
        }
    }

    fn frames(&mut self) {
        let (text, motion, spans) = (self.text, self.motion, self.spans);
        let there = motion.frame_count();
        if usize::try_from(motion.announced_frames) != Ok(there) && motion.width() > 0 {
            let expected = || format!("{there}, the actual number of frames");
            let what = || (expected(), motion.announced_frames.to_string());
            self.say(codes::FRAME_COUNT, spans.announced_frames.start, "frame count", what);
        }
        let rate = rate(motion.frame_time_s);
        let odd_time = match rate.how {
            How::Exact => None,
            How::WithinDigits => {
                Some((codes::FRAME_RATE, format!("all digits of the frame time of {}", rate.rate)))
            }
            How::Assumed => Some((codes::FRAME_TIME, "a time above 0".to_owned())),
        };
        if let Some((check, expected)) = odd_time {
            let what = || (expected, motion.frame_time_s.to_string());
            self.say(check, spans.frame_time.start, "frame time", what);
        }
        let start = |frame: usize, column: usize| {
            let row = &spans.rows[frame];
            numbers_of(text, row).get(column).map_or(row.start, |span| span.start)
        };
        let width = motion.width().max(1);
        let odd = motion.values.iter().enumerate().filter(|(_, number)| !number.is_finite());
        for (at, number) in odd {
            let frame = at / width;
            self.seen.add(codes::NONFINITE, || {
                let place = locate(text, start(frame, at % width), format!("frames[{frame}]"));
                Fault::new("", place, "finite numbers", number.to_string())
            });
        }
        for (index, wound) in first_wounds(motion) {
            self.seen.add(codes::ANGLE_WINDS, || {
                let name = motion.joints.get(index).map_or("", |joint| &joint.name);
                let path = format!("joints[{index}] {name}, frames[{}]", wound.frame);
                let place = locate(text, start(wound.frame, wound.column), path);
                Fault::new("", place, WITHIN, format!("{}°", wound.degrees))
            });
        }
    }
}
