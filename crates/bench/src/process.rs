//! Whole runs of the command.

use crate::measure::{Row, alone};
use std::path::Path;
use std::process::{Command, Stdio};

/// `dopesheet info` from start to end.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let here = std::env::current_exe().unwrap_or_default();
    let binary = here.with_file_name("dopesheet");
    if !binary.exists() {
        println!("skipped: no `dopesheet` beside this program (cargo build --release)");
        return Vec::new();
    }
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
