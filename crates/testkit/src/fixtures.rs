//! The fixtures of a room: small files, each about one thing, which its tests build and which lie beside its code.

use crate::{bytes, files};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use std::collections::BTreeMap;
use std::path::Path;

/// A small file: its folder (`valid`, `invalid` or `quirk`), its name without extension, and its bytes.
pub type Fixture = (&'static str, &'static str, Vec<u8>);

/// Files with their names, as a room lists those of one folder.
type Named = Vec<(&'static str, Vec<u8>)>;

/// All fixtures of a room.
#[must_use]
pub fn fixtures(valid: Named, invalid: Named, quirk: Named) -> Vec<Fixture> {
    let folders = [("valid", valid), ("invalid", invalid), ("quirk", quirk)];
    let each = folders
        .into_iter()
        .flat_map(|(kind, files)| files.into_iter().map(move |(name, bytes)| (kind, name, bytes)));
    each.collect()
}

/// The files below `folder` are those built by the tests, no more and no fewer. With `UPDATE_FIXTURES` set they are
/// written first.
///
/// # Panics
/// If they differ, if two have one name, or if one of the three folders has none.
pub fn assert_fixtures_on_disk(folder: &Path, extension: &str, fixtures: &[Fixture]) {
    let mut expected = BTreeMap::new();
    for (kind, name, bytes) in fixtures {
        let path = folder.join(kind).join(format!("{name}.{extension}"));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            let written =
                std::fs::create_dir_all(folder.join(kind)).and_then(|()| std::fs::write(&path, bytes));
            written.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
        assert!(expected.insert(path, bytes).is_none(), "{kind}/{name} is built twice");
    }
    let found: Vec<_> = ["valid", "invalid", "quirk"]
        .iter()
        .flat_map(|kind| files(&folder.join(kind), &[extension], 1))
        .collect();
    let (there, built) = (found.iter().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert_eq!(there.len(), built.len(), "files on disk and files built: {there:?}, {built:?}");
    for path in found {
        let built = expected.get(&path).unwrap_or_else(|| panic!("{}: no test builds it", path.display()));
        assert!(bytes(&path) == **built, "{}: differs; run with UPDATE_FIXTURES=1", path.display());
    }
}

/// Codes that reading and checking report about a file: that of the error that stops reading, or those of all
/// findings.
#[must_use]
pub fn codes_of<F: Format>(bytes: &[u8]) -> Vec<&'static str> {
    let mut report = Report::default();
    match F::read(&Source::new(bytes), &ReadOptions::default(), &mut report) {
        Err(error) => vec![error.fault.code],
        Ok(document) => {
            F::check(&document, &mut report);
            report.findings.iter().map(|finding| finding.fault.code).collect()
        }
    }
}

/// Every code of a format has a fixture that is named after it (`prefix` and name begin with the code) and shows it and
/// nothing else.
///
/// Codes of `elsewhere` need more than reading and checking one file. Those of `beside` may accompany any other.
///
/// # Panics
/// If a code has no such fixture, or a fixture shows something else.
pub fn assert_every_code_has_a_fixture<F: Format>(
    fixtures: &[Fixture],
    prefix: &str,
    elsewhere: &[&str],
    beside: &[&str],
) {
    let codes = || F::INFO.checks.iter().map(|check| check.code);
    let about = |name: &str| {
        let name = format!("{prefix}{name}");
        codes().filter(|code| name.starts_with(code)).max_by_key(|code| code.len())
    };
    for code in codes().filter(|code| !elsewhere.contains(code)) {
        let shown = fixtures.iter().filter(|(kind, name, _)| *kind != "valid" && about(name) == Some(code));
        let mut seen = 0;
        for (kind, name, bytes) in shown {
            let mut found = codes_of::<F>(bytes);
            found.retain(|other| *other == code || !beside.contains(other));
            assert_eq!(found, [code], "{kind}/{name} shows its fault and nothing else");
            seen += 1;
        }
        assert!(seen > 0, "no fixture shows {code}");
    }
}
