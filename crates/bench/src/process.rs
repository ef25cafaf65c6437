//! Whole runs of the command.

use crate::measure::{Row, alone};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Our command, beside this program; `None`, with a message, where it was not built.
pub(crate) fn dopesheet() -> Option<PathBuf> {
    let binary = std::env::current_exe().unwrap_or_default().with_file_name("dopesheet");
    if !binary.exists() {
        println!("skipped: no `dopesheet` beside this program (cargo build --release)");
        return None;
    }
    Some(binary)
}

/// `dopesheet info` from start to end.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let Some(binary) = dopesheet() else { return Vec::new() };
    let seconds = alone(|| {
        let status =
            Command::new(&binary).arg("info").arg(path).stdout(Stdio::null()).stderr(Stdio::null()).status();
        f64::from(status.is_ok_and(|s| s.success()))
    });
    let bytes = std::fs::metadata(path).map_or(0, |m| m.len()) / 1000;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    vec![Row {
        what: "`dopesheet info`, whole process".into(),
        data: format!("{name} ({bytes} kB)"),
        bytes: 0,
        ours_s: seconds,
        peer: None,
        wanted: "< 10 ms for 400 kB".into(),
    }]
}
