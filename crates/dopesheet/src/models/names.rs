//! Files that map names of one file to names of another.

pub use super::english::Language;

use crate::error::Error;
use crate::files::disk;
use dopesheet_core::format::NameMap;
use std::collections::BTreeMap;
use std::path::Path;

/// Length in bytes of the longest map: a hundred thousand names.
const LONGEST: u64 = 16 << 20;

/// Reads a map: lines `theirs = ours`; `#` starts a comment; names may stand in double quotes, and must if
/// they start or end with a blank or hold `=` or `#`. Alternatively a JSON object of texts by name,
/// recognised by its brace.
///
/// A share of an expression that several morphs make up stands behind its name: `mouthSmileLeft = happy *
/// 0.5`.
///
/// # Errors
/// If the file cannot be read, starts with a brace but is not an object of texts, or has a line that is
/// neither a pair nor a comment.
pub fn read_names(path: &Path) -> Result<NameMap, Error> {
    let text = disk::text(path, LONGEST)?;
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let pairs: Result<BTreeMap<String, String>, _> =
            serde_json::from_str(text.trim_start_matches('\u{feff}'));
        let wrong = |error| {
            Error::Usage(format!(
                "{}: expected a JSON object of names, each with another name as text: {error}",
                path.display()
            ))
        };
        return pairs.map(NameMap::new).map_err(wrong);
    }
    parse(&text).map_err(|(line, text)| {
        Error::Usage(format!("{}: line {line}: expected `theirs = ours`, found `{text}`", path.display()))
    })
}

fn parse(text: &str) -> Result<NameMap, (usize, String)> {
    let mut pairs = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        match parse_line(line) {
            Some(pair) => pairs.extend(pair),
            None => return Err((index + 1, line.trim().to_owned())),
        }
    }
    Ok(NameMap::new(pairs))
}

/// A pair, `Some(None)` for a blank line or a comment, `None` for a malformed line.
fn parse_line(line: &str) -> Option<Option<(String, String)>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Some(None);
    }
    let (theirs, rest) = name(line, '=')?;
    let (ours, rest) = name(rest.strip_prefix('=')?.trim_start(), '#')?;
    (rest.is_empty() || rest.starts_with('#')).then_some(Some((theirs, ours)))
}

/// A name up to `end`, and the rest of the line.
fn name(text: &str, end: char) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (name, rest) = quoted.split_once('"')?;
        return Some((name.to_owned(), rest.trim_start()));
    }
    let (name, rest) = text.split_at(text.find(end).unwrap_or(text.len()));
    (!name.trim().is_empty()).then(|| (name.trim().to_owned(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_what_one_would_write_by_hand() {
        let map =
            parse("# arms\n左腕 = leftUpperArm\n\n\" a = b \"=\"#1\" # odd\nPB L Hand = hand_l # left\n")
                .unwrap();
        assert_eq!(map.get("左腕"), "leftUpperArm");
        assert_eq!(map.get(" a = b "), "#1");
        assert_eq!(map.get("PB L Hand"), "hand_l");
        assert_eq!(map.get("other"), "other");
    }

    #[test]
    fn a_map_may_be_a_json_object() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            let path = folder.path().join("map.json");
            std::fs::write(&path, text).unwrap();
            read_names(&path)
        };
        let map = read("\u{feff} {\"mouthSmileLeft\": \"happy * 0.5\", \"左腕\": \"leftUpperArm\"}").unwrap();
        assert_eq!((map.get("mouthSmileLeft"), map.get("左腕")), ("happy * 0.5", "leftUpperArm"));
        for wrong in ["{\"a\": 1}", "{\"a\"", "{}}"] {
            assert!(
                read(wrong).unwrap_err().to_string().contains("expected a JSON object of names"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_line_without_two_names_is_named() {
        assert_eq!(parse("a = b\nnonsense\n"), Err((2, "nonsense".into())));
        assert_eq!(parse(" = b"), Err((1, "= b".into())));
        assert_eq!(parse("a ="), Err((1, "a =".into())));
    }
}
