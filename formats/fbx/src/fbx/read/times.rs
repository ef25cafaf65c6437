//! Times of keys.

use super::remarks::Remarks;
use crate::fbx::codes;
use crate::fbx::info::BINARY;
use dopesheet_core::bytes::text;
use dopesheet_core::diag::{Fault, Place};
use ufbx::AnimCurve;

const EXPECTED: &str = "a time on the clock of the file";

/// Refuses words like `NaN` among the times of a text file, which the library reads as 0.
pub(super) fn check_text(bytes: &[u8]) -> Result<(), Fault> {
    if bytes.starts_with(BINARY) {
        return Ok(());
    }
    let (mut curve, mut is_list) = ("", false);
    let mut at = 0;
    for line in bytes.split(|byte| text::is_line_end(*byte)) {
        let start = at;
        at += line.len() + 1;
        let words = line.trim_ascii_start();
        if let Some(values) = words.strip_prefix(b"AnimationCurve:") {
            let id = values.split(|byte| *byte == b',').next().unwrap_or_default();
            curve = std::str::from_utf8(id.trim_ascii()).unwrap_or_default();
        }
        is_list = words.starts_with(b"KeyTime:") || is_list && !ends_list(words);
        if is_list && let Some(word) = odd_word(line) {
            let line_and_column = text::locate(bytes, start + word.start, String::new());
            let found = line.get(word).map(String::from_utf8_lossy).unwrap_or_default().into_owned();
            let fault = Fault::new(codes::KEY_TIME.code, line_and_column, EXPECTED, found);
            return Err(fault.at_path(format!("AnimationCurve {curve} KeyTime")));
        }
    }
    Ok(())
}

/// True of a line behind a list: one with a word of its own other than the `a` of the list's numbers.
fn ends_list(line: &[u8]) -> bool {
    let is_list = line.is_empty() || line.starts_with(b"a:");
    !is_list && (line.contains(&b':') || line.contains(&b'}'))
}

/// The first word behind the last colon of a line that is no number.
fn odd_word(line: &[u8]) -> Option<text::Span> {
    let is_separator = |byte: u8| byte.is_ascii_whitespace() || b",*{}".contains(&byte);
    let mut at = line.iter().rposition(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    for word in line.get(at..)?.split(|byte| is_separator(*byte)) {
        // The word of the list itself, where the file ends behind it.
        if word != b"a" && word.iter().any(|byte| !byte.is_ascii_digit() && !b"+-.eE".contains(byte)) {
            return Some(at..at + word.len());
        }
        at += word.len() + 1;
    }
    None
}

/// True of a time between the ends of a file's clock. Times beyond, infinite ones and NaN end up at the ends or outside.
pub(super) fn is_on_clock(file: &ufbx::Scene, time_s: f64) -> bool {
    time_s.abs() < i64::MAX as f64 / file.metadata.ktime_second.max(1) as f64
}

/// Refuses keys without a time on the clock of the file, and remarks on keys out of order.
pub(super) fn check(
    file: &ufbx::Scene,
    curve: &AnimCurve,
    path: &dyn Fn() -> String,
    remarks: &mut Remarks,
) -> Result<(), Fault> {
    let keys = curve.keyframes.iter().as_slice();
    if let Some((at, key)) = keys.iter().enumerate().find(|(_, key)| !is_on_clock(file, key.time)) {
        let fault = Fault::new(codes::KEY_TIME.code, Place::File, EXPECTED, format!("{} s", key.time));
        return Err(fault.at_path(format!("{} key {}", path(), at + 1)));
    }
    if let Some(pair) = keys.windows(2).find(|pair| pair[1].time < pair[0].time) {
        let text = format!("{} s behind {} s", pair[1].time, pair[0].time);
        remarks.push(codes::KEY_ORDER, "keys in the order of their times", path(), text);
    }
    Ok(())
}
