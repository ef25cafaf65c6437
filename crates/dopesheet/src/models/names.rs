//! Files that map names of one file to names of another.

pub use super::english::Language;

use crate::error::Error;
use crate::files::disk;
use dopesheet_core::format::NameMap;
use serde_json::Value;
use std::path::Path;

/// Length in bytes of the longest map: a hundred thousand names.
const LONGEST: u64 = 16 << 20;

/// Words of the parts of a map that hold for the motion or for the figure that takes it alone.
const SIDES: [&str; 2] = ["motion", "figure"];

/// Reads a map: lines `theirs = ours`; `#` starts a comment; names may stand in double quotes, and must if
/// they start or end with a blank or hold `=` or `#`. Alternatively a JSON object of texts by name,
/// recognised by its brace.
///
/// A line `[motion]` or `[figure]` starts pairs that hold for the motion or for the figure that takes it alone, for nodes with the same name
/// in both; in JSON such pairs are an object under that word.
///
/// A share of an expression that several morphs make up stands behind its name: `mouthSmileLeft = happy *
/// 0.5`.
///
/// # Errors
/// If the file cannot be read, starts with a brace but is not an object of texts, or has a line that is
/// neither a pair nor a comment.
pub fn read_names(path: &Path) -> Result<NameMap, Error> {
    let text = disk::text(path, LONGEST)?;
    let wrong = |what: String| Err(Error::Usage(format!("{}: {what}", path.display())));
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let value = serde_json::from_str(text.trim_start_matches('\u{feff}'));
        let expected = "expected a JSON object of names, each with another name as text";
        return match value.map(|value| of_json(&value)) {
            Ok(Some(names)) => Ok(names),
            Ok(None) => wrong(expected.to_owned()),
            Err(error) => wrong(format!("{expected}: {error}")),
        };
    }
    parse(&text)
        .or_else(|(line, found)| wrong(format!("line {line}: expected `theirs = ours`, found `{found}`")))
}

/// A map from a JSON object of texts by name, with the pairs of a side alone as an object under its word; `None` from anything else.
pub(crate) fn of_json(value: &Value) -> Option<NameMap> {
    let mut sides = Sides::default();
    for (name, other) in value.as_object()? {
        match (SIDES.iter().position(|side| side == name), other) {
            (_, Value::String(other)) => sides.both.push((name.clone(), other.clone())),
            (Some(side), Value::Object(pairs)) => {
                let pairs =
                    pairs.iter().map(|(name, other)| Some((name.clone(), other.as_str()?.to_owned())));
                sides.alone.get_mut(side)?.get_or_insert_default().extend(pairs.collect::<Option<Vec<_>>>()?);
            }
            _ => return None,
        }
    }
    Some(sides.map())
}

/// Names and their other names.
type Pairs = Vec<(String, String)>;

/// The pairs of both sides, and those of the motion and of the figure alone.
#[derive(Default)]
struct Sides {
    both: Pairs,
    alone: [Option<Pairs>; 2],
}

impl Sides {
    /// The map with all pairs; those of a side alone go before.
    fn map(self) -> NameMap {
        let with =
            |pairs: &Option<Pairs>| NameMap::new(self.both.iter().chain(pairs.iter().flatten()).cloned());
        match self.alone.each_ref().map(with) {
            [both, _] if self.alone.iter().all(Option::is_none) => both,
            [motion, figure] => motion.with_figure(figure),
        }
    }
}

fn parse(text: &str) -> Result<NameMap, (usize, String)> {
    let (mut sides, mut side) = (Sides::default(), None);
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let heading = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let Some(heading) = heading.and_then(|word| SIDES.iter().position(|side| *side == word)) {
            side = Some(heading);
            continue;
        }
        let pair = parse_line(line).ok_or_else(|| (index + 1, line.trim().to_owned()))?;
        match side.and_then(|side| sides.alone.get_mut(side)) {
            Some(alone) => alone.get_or_insert_default().extend(pair),
            None => sides.both.extend(pair),
        }
    }
    Ok(sides.map())
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
    fn nodes_with_the_same_name_in_both_files_are_mapped_apart() {
        let lines = "hips = hips\n[motion]\nArm = leftUpperArm\n[figure]\nArm = rightUpperArm\n";
        let json =
            r#"{"motion": {"Arm": "leftUpperArm"}, "hips": "hips", "figure": {"Arm": "rightUpperArm"}}"#;
        for map in [parse(lines).unwrap(), of_json(&serde_json::from_str(json).unwrap()).unwrap()] {
            assert_eq!((map.get("Arm"), map.get("hips")), ("leftUpperArm", "hips"));
            assert_eq!((map.of_figure().get("Arm"), map.pairs().count()), ("rightUpperArm", 2));
        }
        assert_eq!(of_json(&serde_json::json!({"face": {"a": "b"}})), None);
        let of_names = of_json(&serde_json::json!({"motion": "a"})).unwrap();
        assert_eq!((of_names.get("motion"), of_names.of_figure()), ("a", of_names.clone()));
    }

    #[test]
    fn a_line_without_two_names_is_named() {
        assert_eq!(parse("a = b\nnonsense\n"), Err((2, "nonsense".into())));
        assert_eq!(parse(" = b"), Err((1, "= b".into())));
        assert_eq!(parse("a ="), Err((1, "a =".into())));
    }
}
