//! Records of a file that the library does not read.

use crate::fbx::info::BINARY;
use dopesheet_core::bytes::text;

/// Most bytes of an object's name.
const MOST_BYTES: usize = 256;

/// Up to three values of each record with a word.
pub(super) fn each_record(bytes: &[u8], word: &str, use_values: &mut dyn FnMut(&[String])) {
    if bytes.starts_with(BINARY) {
        let mark = [&[word.len() as u8], word.as_bytes()].concat();
        let starts = bytes.windows(mark.len()).enumerate().filter(|(_, window)| *window == mark);
        let behind = starts.filter_map(|(at, _)| bytes.get(at + mark.len()..));
        behind.for_each(|rest| use_values(&values(rest, binary_value)));
    } else {
        let lines = bytes.split(|byte| text::is_line_end(*byte)).map(<[u8]>::trim_ascii_start);
        let of_word = lines.filter_map(|line| line.strip_prefix(word.as_bytes())?.strip_prefix(b":"));
        of_word.for_each(|rest| use_values(&values(rest, text_value)));
    }
}

/// Class and name of the last object with a complete first line, as `Model "Hips"`.
pub(super) fn last_object(bytes: &[u8]) -> Option<String> {
    let named = |(class, name): (&str, &str)| format!("{class} {name:?}").replace(" \"\"", "");
    let of_class = |value: String| value.split_once("::").map(named);
    if bytes.starts_with(BINARY) {
        let middle = bytes.windows(2).rposition(|window| window == b"\0\x01")?;
        let record = bytes.get(..middle + MOST_BYTES).unwrap_or(bytes);
        let mut starts = (0..middle).rev().take(MOST_BYTES);
        return starts.find_map(|start| of_class(binary_value(record.get(start..)?)?.0));
    }
    let mut lines = bytes.rsplit(|byte| text::is_line_end(*byte)).skip(1).map(<[u8]>::trim_ascii);
    lines.find_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':').filter(|_| line.ends_with(b"{"))?;
        values(line.get(colon + 1..)?, text_value).into_iter().find_map(of_class)
    })
}

/// Reader of a value and of the bytes behind it.
type ValueReader = fn(&[u8]) -> Option<(String, &[u8])>;

fn values(mut rest: &[u8], value: ValueReader) -> Vec<String> {
    let mut values = Vec::new();
    while let Some((next, behind)) = value(rest).filter(|_| values.len() < 3) {
        values.push(next);
        rest = behind;
    }
    values
}

/// A number or a text of a binary file, and the bytes behind it. Names of objects stand before their classes there.
fn binary_value(bytes: &[u8]) -> Option<(String, &[u8])> {
    let (kind, rest) = bytes.split_first()?;
    match kind {
        b'L' => {
            rest.split_first_chunk().map(|(number, rest)| (i64::from_le_bytes(*number).to_string(), rest))
        }
        b'S' => {
            let (length, rest) = rest.split_first_chunk()?;
            let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            let text = String::from_utf8_lossy(text);
            let whole = text.split_once("\0\x01").map(|(name, class)| format!("{class}::{name}"));
            Some((whole.unwrap_or_else(|| text.into_owned()), rest))
        }
        _ => None,
    }
}

/// A number or a text of a text file, and the bytes behind it.
fn text_value(bytes: &[u8]) -> Option<(String, &[u8])> {
    let trimmed = bytes.trim_ascii_start();
    let rest = trimmed.strip_prefix(b",").unwrap_or(trimmed).trim_ascii_start();
    let (value, behind) = match rest.strip_prefix(b"\"") {
        Some(rest) => {
            let (text, behind) = rest.split_at_checked(rest.iter().position(|byte| *byte == b'"')?)?;
            (text, behind.get(1..)?)
        }
        None => {
            let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
            rest.split_at_checked(rest.iter().position(|byte| !is_number(byte)).unwrap_or(rest.len()))?
        }
    };
    (behind.len() < rest.len()).then(|| (String::from_utf8_lossy(value).into_owned(), behind))
}
