//! The archives of the corpus' manifest, good and bad.

use dopesheet_core::diag::{Place, Report, Severity};
use dopesheet_core::format::container::{Storage, WalkedEntry};
use dopesheet_core::format::{Containers, Format, ReadOptions, Source, WriteOptions};
use dopesheet_more::M4b;
use dopesheet_testkit::{assert_identity, bytes, corpus, json, read_reporting, sha256};
use serde_json::Value;

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn archives_hold_the_entries_of_the_manifest() {
    let Some(folder) = corpus("more") else { return };
    let manifest = json(&folder.join("manifest.json"));
    let (mut archives, mut entries) = (0, 0);
    for expected in list(&manifest["files"]).iter().filter(|e| e["kind"] == "archive") {
        let name = text(&expected["file"]);
        let archive = bytes(&folder.join(name));
        assert_identity::<M4b>(&archive, name);
        let (_, report) = read_reporting::<M4b>(&archive);
        assert!(report.worst().is_none_or(|worst| worst == Severity::Info), "{name}: {report:?}");
        let mut found = Vec::new();
        let containers = Containers::new(&[&M4b]);
        let storage = archive.as_slice();
        let mut visit = |walked: &WalkedEntry<'_>| {
            let bytes = storage.bytes(walked.range.clone())?;
            found.push((walked.path(), walked.range.start, sha256(&bytes), walked.is_archive));
            Ok(())
        };
        containers.walk(&storage, &mut visit).unwrap();
        let wanted: Vec<_> = list(&expected["entries"])
            .iter()
            .map(|e| {
                let is_archive = e["nested"].as_bool().unwrap_or_default();
                (
                    text(&e["path"]).to_owned(),
                    e["abs_pos"].as_u64().unwrap(),
                    text(&e["sha256"]).to_owned(),
                    is_archive,
                )
            })
            .collect();
        assert_eq!(found, wanted, "{name}");
        for (path, start, hashed, _) in &wanted {
            for path in [path.clone(), path.to_ascii_uppercase()] {
                let place = containers.locate(&storage, &path).unwrap();
                assert_eq!(
                    (place.start, sha256(&storage.bytes(place).unwrap())),
                    (*start, hashed.clone()),
                    "{path}"
                );
            }
        }
        (archives, entries) = (archives + 1, entries + wanted.len());
    }
    assert_eq!((archives, entries), (4, 14));
}

#[test]
fn every_bad_archive_meets_its_code() {
    let Some(folder) = corpus("more") else { return };
    let manifest = json(&folder.join("manifest.json"));
    let mut seen = 0;
    for entry in list(&manifest["bad"]).iter().filter(|e| text(&e["file"]).ends_with(".m4b")) {
        let (file, code) = (text(&entry["file"]), text(&entry["code"]));
        let bytes = bytes(&folder.join(file));
        let mut report = Report::default();
        let result = M4b::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        match (text(&entry["stage"]), result) {
            ("read", Err(error)) => {
                assert_eq!(error.fault.code, code, "{file}: {error}");
                assert!(error.fault.place != Place::File, "{file}: {error}");
            }
            ("extract", Ok(document)) => {
                M4b::check(&document, &mut report);
                let refused = report.findings.iter().filter(|f| f.fault.code == code).count();
                assert_eq!(refused, 4, "{file}: {report:?}");
                let safe = safe_paths(&bytes);
                assert_eq!(safe, ["ok.ubi"], "{file}");
            }
            ("list-recursive", Ok(document)) => {
                let written = M4b::write(&document, &WriteOptions::default()).unwrap().main;
                assert_eq!(written, bytes, "{file}");
                let walked = Containers::new(&[&M4b]).walk(&bytes.as_slice(), &mut |_| Ok(()));
                let error = walked.unwrap_err().to_string();
                assert_eq!(
                    error,
                    "m4b: file: expected archives at most 8 levels inside each other, found one more (an archive may hold itself)"
                );
            }
            (stage, result) => panic!("{file}: {stage} gave {result:?}"),
        }
        seen += 1;
    }
    assert_eq!(seen, 8);
}

fn safe_paths(bytes: &[u8]) -> Vec<String> {
    let mut safe = Vec::new();
    let mut visit = |walked: &WalkedEntry<'_>| {
        safe.extend(walked.listing.safe_components(walked.entry).ok().map(|c| c.join("/")));
        Ok(())
    };
    Containers::new(&[&M4b]).walk(&bytes, &mut visit).unwrap();
    safe
}
