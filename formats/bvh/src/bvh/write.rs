//! A motion as a new text.

use super::codes;
use super::document::{Channel, Joint, JointKind, Motion};
use super::read::words;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::Check;
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::io::Write as _;

/// The whole file, with tabs and line feeds.
pub(super) fn anew(motion: &Motion) -> Result<Vec<u8>, Fault> {
    check_shape(motion)?;
    let mut out = Text::default();
    out.line(0, words::HIERARCHY);
    let mut open = Vec::new();
    for (index, joint) in motion.joints.iter().enumerate() {
        out.close(&mut open, joint.parent);
        out.joint(open.len(), joint);
        open.push(index);
    }
    out.close(&mut open, None);
    out.line(0, words::MOTION);
    out.line(0, &format!("{} {}", words::FRAMES, motion.announced_frames));
    out.line(0, &format!("{} {}", words::FRAME_TIME, motion.frame_time_s));
    let width = motion.width();
    if width > 0 {
        motion.values.chunks_exact(width).for_each(|row| out.row(row, "\n"));
    }
    Ok(out.bytes)
}

/// A fault of the content to be written.
fn fault(check: Check, path: String, expected: &'static str, found: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(check.code, Place::Text { line: 1, column: 1, pointer: path }, expected, found)
}

/// Refuses content that the text could not state.
pub(super) fn check_shape(motion: &Motion) -> Result<(), Fault> {
    let width = motion.width();
    let count = motion.values.len();
    if !count.is_multiple_of(width.max(1)) || (width == 0 && count > 0) {
        let expected = "as many numbers in each frame as there are channels";
        let actual = format!("{} and {}", counted(count, "number"), counted(width, "channel"));
        return Err(fault(codes::SHAPE, "frames".into(), expected, actual));
    }
    let mut open: Vec<usize> = Vec::new();
    for (index, joint) in motion.joints.iter().enumerate() {
        let path = || format!("joints[{index}]");
        while open.last().is_some_and(|last| Some(*last) != joint.parent) {
            open.pop();
        }
        let parent = joint.parent.and_then(|parent| motion.joints.get(parent));
        let hangs = open.last().copied() == joint.parent
            && joint.parent.is_some() == (joint.kind != JointKind::Root)
            && parent.is_none_or(|parent| parent.kind != JointKind::EndSite);
        if !hangs {
            let expected = "roots without a parent, and all other joints after their parents, depth first";
            let parent =
                joint.parent.map_or("no parent".to_owned(), |parent| format!("the parent joints[{parent}]"));
            let actual = format!("{} with {parent}", kind_word(joint.kind));
            return Err(fault(codes::SHAPE, path(), expected, actual));
        }
        if let Some(channel) = joint.channels.iter().find(|channel| !is_word(channel)) {
            let actual = format!("{channel:?}");
            return Err(fault(codes::SHAPE, path(), "channels of one word each, with axes 0 to 2", actual));
        }
        if !is_name(&joint.name) {
            let actual = format!("\"{}\"", joint.name.escape_debug());
            let expected = "a name on one line, without braces, and without blanks at its ends";
            return Err(fault(codes::NAME_LINE, format!("{}.name", path()), expected, actual));
        }
        open.push(index);
    }
    Ok(())
}

/// The word or words in front of a joint.
fn kind_word(kind: JointKind) -> Cow<'static, str> {
    match kind {
        JointKind::Root => words::ROOT.into(),
        JointKind::Joint => words::JOINT.into(),
        JointKind::EndSite => format!("{} {}", words::END, words::SITE).into(),
    }
}

fn is_word(channel: &Channel) -> bool {
    let word = channel.word();
    let is_plain = |c: char| !c.is_ascii_whitespace() && !matches!(c, '\u{b}' | '{' | '}');
    !word.is_empty() && word.chars().all(is_plain) && Channel::from_word(word) == *channel
}

/// True if a name is read back unchanged.
pub(super) fn is_name(name: &str) -> bool {
    let is_blank = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    !name.contains(['\n', '\r', '{']) && name.trim_matches(is_blank) == name
}

/// Decimals written by most programs, and their factor.
const PLACES: usize = 6;
const DECIMALS: f64 = 1e6;

/// A number with six decimals if it has no more, else in the shortest spelling that reads back as the same
/// number.
pub(super) fn push_number(text: &mut Vec<u8>, value: f64) {
    let scaled = (value * DECIMALS).round();
    // Up to here all six decimals of a number are its own.
    let fits = scaled.abs() < 1e15 && (scaled / DECIMALS).to_bits() == value.to_bits();
    if !fits {
        let written = write!(text, "{value}");
        debug_assert!(written.is_ok(), "writing into memory does not fail");
        return;
    }
    if value.is_sign_negative() {
        text.push(b'-');
    }
    // The last digit first; sixteen digits and a point are the most.
    let (mut rest, mut digits, mut start) = (scaled.abs() as u64, [b'0'; 17], 17);
    for decimal in 0.. {
        if decimal == PLACES {
            start -= 1;
            digits[start] = b'.';
        }
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if decimal >= PLACES && rest == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

/// A text in the making.
#[derive(Default)]
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
}

impl Text {
    fn line(&mut self, depth: usize, text: &str) {
        self.bytes.extend(std::iter::repeat_n(b'\t', depth));
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    /// Closes the joints that are not the parent of the next.
    fn close(&mut self, open: &mut Vec<usize>, parent: Option<usize>) {
        while open.last().is_some_and(|last| Some(*last) != parent) {
            open.pop();
            self.line(open.len(), "}");
        }
    }

    fn joint(&mut self, depth: usize, joint: &Joint) {
        let word = kind_word(joint.kind);
        self.line(depth, format!("{word} {}", joint.name).trim_end());
        self.line(depth, "{");
        let mut offset = words::OFFSET.as_bytes().to_vec();
        for number in joint.offset {
            offset.push(b' ');
            push_number(&mut offset, number);
        }
        self.line(depth + 1, &String::from_utf8_lossy(&offset));
        if joint.kind != JointKind::EndSite || !joint.channels.is_empty() {
            let list: Vec<&str> = joint.channels.iter().map(Channel::word).collect();
            let line = format!("{} {} {}", words::CHANNELS, list.len(), list.join(" "));
            self.line(depth + 1, line.trim_end());
        }
    }

    /// One frame.
    pub(super) fn row(&mut self, row: &[f64], line_end: &str) {
        for (index, number) in row.iter().enumerate() {
            if index > 0 {
                self.bytes.push(b' ');
            }
            push_number(&mut self.bytes, *number);
        }
        self.bytes.extend_from_slice(line_end.as_bytes());
    }
}
