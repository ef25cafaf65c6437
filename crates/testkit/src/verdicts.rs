//! Malformed files of the corpus, and what becomes of them by the manifest beside them.

use crate::{assert_identity, bytes, json, sha256};
use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_core::model::Scene;
use serde_json::Value;
use std::path::Path;

/// Reads all files with an extension that `manifest.json` in a folder has a verdict on (`accept`, `reject`, or `either`
/// where programs differ), and yields what is said of them.
///
/// A file that is accepted is written back byte for byte, has no errors if the manifest requires it to be
/// accepted, and becomes a scene, which is passed to `look` with the file's name.
///
/// # Panics
/// If a verdict is not met, if a file is another one than the manifest's, or if there are not `count` files.
#[must_use]
pub fn verdicts_on<F: Format>(
    folder: &Path,
    extension: &str,
    count: usize,
    mut look: impl FnMut(&str, &Scene),
) -> String {
    let manifest = json(&folder.join("manifest.json"));
    let files = manifest["files"].as_object().expect("a list of files");
    let files = files.iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|e| e == extension));
    let (mut text, mut seen) = (String::new(), 0);
    for (name, entry) in files {
        let file = bytes(&folder.join(name));
        assert_eq!(entry["sha256"], sha256(&file), "{name} is another file");
        let verdict = entry["verdict"].as_str().unwrap_or_else(|| panic!("{name} has a verdict"));
        let said = read_by_verdict::<F>(name, &file, verdict, &mut look);
        text += &format!("{name} ({verdict})\n    {said}\n");
        seen += 1;
    }
    assert_eq!(seen, count, "files of {} in {}", extension, folder.display());
    text
}

fn read_by_verdict<F: Format>(
    name: &str,
    file: &[u8],
    verdict: &str,
    look: &mut impl FnMut(&str, &Scene),
) -> String {
    let mut report = Report::default();
    let document = match F::read(&Source::new(file), &ReadOptions::default(), &mut report) {
        Err(error) => {
            assert_ne!(verdict, "accept", "{name}: {error}");
            return error.to_string();
        }
        Ok(document) => document,
    };
    assert_ne!(verdict, "reject", "{name} was accepted");
    assert_identity::<F>(file, name);
    F::check(&document, &mut report);
    let is_sound = report.worst() != Some(Severity::Error);
    assert!(verdict == "either" || is_sound, "{name}: {report:?}");
    let scene = F::to_scene(&document, &ToScene::default(), &mut Report::default());
    look(name, &scene.unwrap_or_else(|error| panic!("{name}: {error}")));
    report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n    ")
}

/// A JSON object has no members but those named, so that none of a manifest is left unread.
///
/// # Panics
/// If it has one.
pub fn assert_members_known(words: &[&str], object: &Value) {
    for key in object.as_object().into_iter().flatten().map(|(key, _)| key) {
        assert!(words.contains(&key.as_str()), "nobody reads {key}");
    }
}
