//! Nodes among their own ancestors. The library refuses files with such nodes without a name.

use super::limits::NODE_DEPTH;
use crate::fbx::info::BINARY;
use dopesheet_core::bytes::text;
use std::collections::{HashMap, HashSet};

/// Class of nodes in the names of a file's objects.
const NODE: &str = "Model::";

/// Largest number of names in a message.
const MOST_NAMES: usize = 8;

/// Names of the nodes along a cycle, each a child of the next one, the first one also at the end; `None` if the records do not show a cycle.
pub(super) fn names(bytes: &[u8]) -> Option<Vec<String>> {
    let mut names: HashMap<String, String> = HashMap::new();
    each_record(bytes, "Model", &mut |values| {
        let name = values.iter().take(2).find_map(|value| value.strip_prefix(NODE));
        if let Some((id, name)) = values.first().zip(name) {
            names.insert(id.clone(), name.to_owned());
        }
    });
    let mut links: Vec<(String, String)> = Vec::new();
    for word in ["C", "Connect"] {
        each_record(bytes, word, &mut |values| {
            if let [kind, child, parent] = values
                && kind == "OO"
                && names.contains_key(child)
                && names.contains_key(parent)
            {
                links.push((child.clone(), parent.clone()));
            }
        });
    }
    // What is below the root and no cycle goes, a level at a time.
    for _ in 0..NODE_DEPTH {
        let children: HashSet<String> = links.iter().map(|(child, _)| child.clone()).collect();
        links.retain(|(_, parent)| children.contains(parent));
    }
    let mut path: Vec<&String> = vec![links.first().map(|(child, _)| child)?];
    let parents: HashMap<&String, &String> = links.iter().map(|(child, parent)| (child, parent)).collect();
    while let Some(parent) = path.last().and_then(|child| parents.get(child)) {
        let start = path.iter().position(|node| node == parent);
        path.push(parent);
        if let Some(start) = start {
            let cycle = path.get(start..)?.iter().filter_map(|id| names.get(*id).cloned());
            return Some(cycle.take(MOST_NAMES).collect());
        }
    }
    None
}

/// Up to three values of each record with a word.
fn each_record(bytes: &[u8], word: &str, use_values: &mut dyn FnMut(&[String])) {
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
