//! Operations on files.

use crate::{read_again, readings, scene};
use dopesheet::core::diag::{Report, Severity};
use dopesheet::core::format::{Limits, MostFrames, ToScene, WriteOptions};
use dopesheet::edit::{EditOptions, Operation, described};
use dopesheet::{Error, Opened};
use std::collections::HashSet;
use std::sync::Arc;

/// Most frames that one operation makes, which is what its time goes with: more are refused, as `--max-frames` refuses them.
const MOST_FRAMES: u64 = 128;

/// Operations by their words, and their options in JSON.
pub(crate) const OPERATIONS: [(&str, &str); 34] = [
    ("trim", r#"{"range":[0.25,0.75]}"#),
    ("trim", r#"{"range":["3f","17f"],"keep-time":true,"snap":true}"#),
    ("delete", r#"{"range":[0.25,0.5],"snap":true}"#),
    ("repeat", r#"{"times":3}"#),
    ("repeat", r#"{"times":18446744073709551615}"#),
    ("concat", "{}"),
    ("concat", r#"{"blend":0.5,"snap":true}"#),
    ("merge", "{}"),
    ("shift", r#"{"by":-0.5,"snap":true}"#),
    ("shift", r#"{"by":1e300}"#),
    ("retime", r#"{"speed":0.37}"#),
    ("retime", r#"{"duration":2.5}"#),
    ("retime", r#"{"fps":24}"#),
    ("retime", r#"{"curve":[[0,0],[0.5,1],[1,1.25]]}"#),
    ("reverse", "{}"),
    ("mirror", "{}"),
    ("loop", "{}"),
    ("keys move", r#"{"range":[0,1],"by":0.25,"snap":true}"#),
    ("keys insert", r#"{"at":0.3,"snap":true}"#),
    ("keys delete", r#"{"range":[0.1,0.6]}"#),
    ("keys copy", r#"{"range":[0,0.5],"to":1,"snap":true}"#),
    ("keys scale", r#"{"range":[0,1],"factor":1.5,"snap":true}"#),
    ("keys law", r#"{"range":[0,1],"law":"0.3,0,0.7,1"}"#),
    ("markers add", r#"{"at":0.5,"name":"m","snap":true}"#),
    ("resample", r#"{"fps":30}"#),
    ("reduce", r#"{"tolerance":"1cm"}"#),
    ("reduce", r#"{"editable":true}"#),
    ("move", r#"{"by":["1m",0,"-5cm"],"turn":30,"scale":2}"#),
    ("smooth", "{}"),
    ("smooth", r#"{"one-euro":true}"#),
    ("rename", r#"{"from":"mmd","to":"unity"}"#),
    ("select", r#"{"names":["*a*"]}"#),
    ("drop", r#"{"property":["rotation"]}"#),
    ("set", r#"{"name":"other","model-name":"m","loop":true}"#),
];

/// Applies an operation to what is read: what comes out is written, read again, and has no error that the file lacked. The input decides
/// which one it is, unless it starts with lines of a recipe: `- trim {"range":[0,1]}`, of a word and its options. The file follows.
pub fn edit(data: &[u8]) {
    let (recipe, data) = recipe(data);
    if !recipe.is_empty() {
        return readings(data).for_each(|(opened, _)| apply(opened, &recipe));
    }
    // Any change of the input changes the operation, so that the fuzzer soon has tried all of them.
    let choice = data.iter().fold(0, |sum: usize, byte| sum.wrapping_add(usize::from(*byte)));
    let chosen = choice.checked_rem(OPERATIONS.len()).and_then(|at| OPERATIONS.get(at));
    for (opened, _) in readings(data) {
        if let Some(chosen) = chosen {
            apply(opened, &[*chosen]);
        }
    }
}

/// As [`edit`], each operation on its own and all of them one after the other.
pub fn edit_in_all_ways(data: &[u8]) {
    for (opened, _) in readings(data) {
        OPERATIONS.iter().for_each(|operation| apply(opened.clone(), &[*operation]));
    }
}

/// The words and options of operations at the start of an input, and the rest of it.
fn recipe(mut data: &[u8]) -> (Vec<(&str, &str)>, &[u8]) {
    let mut lines = Vec::new();
    while let Some(rest) = data.strip_prefix(b"- ") {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        let Ok(line) = std::str::from_utf8(line) else { break };
        let (word, options) = line.split_at(line.find('{').unwrap_or(line.len()));
        lines.push((word.trim(), if options.is_empty() { "{}" } else { options }));
        data = after.get(1..).unwrap_or_default();
    }
    (lines, data)
}

fn apply(opened: Opened, recipe: &[(&str, &str)]) {
    let Ok(scene) = dopesheet::edit::scene(&opened) else { return };
    let scene = Arc::new(scene);
    let operation = |(word, options): &(&str, &str)| described(word, options, vec![Arc::clone(&scene)]);
    let Ok(operations) = recipe.iter().map(operation).collect::<Result<Vec<Operation>, Error>>() else {
        return;
    };
    let max_frames = MostFrames::new(MOST_FRAMES).unwrap_or_default();
    let options =
        EditOptions { limits: Limits { max_frames, ..Limits::default() }, ..EditOptions::default() };
    let before = errors(&opened);
    let Ok(edited) = dopesheet::edit(opened, &operations, options) else { return };
    let format = edited.format();
    let Ok(output) = format.write(&edited.document, &WriteOptions::default()) else { return };
    let again = read_again(format, &output, true);
    let new: Vec<&str> = errors(&again).difference(&before).copied().collect();
    assert!(new.is_empty(), "{}: {recipe:?} wrote {new:?}", format.info().id);
    let as_stored = ToScene { as_stored: true, ..ToScene::default() };
    let stored = format.to_scene(&again.document, &as_stored, &mut Report::default());
    scene::assert_shape(&stored.unwrap_or_else(|error| panic!("{recipe:?} made no scene: {error}")));
}

/// Codes of what is wrong with a file.
fn errors(opened: &Opened) -> HashSet<&'static str> {
    let findings = dopesheet::check(opened).findings.into_iter();
    findings.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.fault.code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_tried_and_its_options_are_known() {
        for operation in dopesheet::edit::OPERATIONS {
            let tried = OPERATIONS.iter().any(|(word, _)| *word == operation.word);
            let needs_a_marker = ["markers move", "markers remove"].contains(&operation.word);
            assert!(tried || needs_a_marker, "{}", operation.word);
        }
        for (word, options) in OPERATIONS {
            let parsed = described(word, options, Vec::new());
            assert!(parsed.is_ok() || options.contains("e300"), "{word} {options}: {:?}", parsed.err());
        }
    }

    #[test]
    fn lines_of_a_recipe_stand_before_the_file() {
        let (lines, rest) = recipe(b"- trim {\"range\":[0,1]}\n- reverse\nVocaloid");
        assert_eq!(
            (lines, rest),
            (vec![("trim", r#"{"range":[0,1]}"#), ("reverse", "{}")], &b"Vocaloid"[..])
        );
    }
}
