//! Whole runs of the command.

use crate::measure::{Row, alone};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Our command, beside this program; `None`, with a message, where it was not built.
pub(crate) fn dopesheet() -> Option<PathBuf> {
    let binary = std::env::current_exe().unwrap_or_default().with_file_name("dopesheet");
    if !binary.exists() {
        println!("skipped: no `dopesheet` beside this program (cargo build --release)");
        return None;
    }
    Some(binary)
}

/// The resources that a run took.
pub(crate) struct Took {
    pub(crate) seconds: f64,
    /// The most memory that was in use, in MB; 0 where that cannot be asked.
    pub(crate) peak_mb: f64,
    /// Time for which all cores together were busy; 0 where that cannot be asked. Less than the time times the cores where the
    /// machine had other work.
    pub(crate) busy_seconds: f64,
}

/// Intervals at which the memory of a command is read: every hundredth of its time so far, within these.
const LOOKS: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(10)];

/// Runs a command to its end, and looks what it takes meanwhile: what memory it takes behind the last look is not seen.
pub(crate) fn watch(command: &mut Command) -> Took {
    let started = Instant::now();
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (mut peak_mb, mut busy_seconds) = (0.0_f64, 0.0_f64);
    loop {
        peak_mb = peak_mb.max(peak(child.id()).unwrap_or(0.0));
        busy_seconds = busy_seconds.max(busy(child.id()).unwrap_or(0.0));
        match child.try_wait() {
            Ok(None) => std::thread::sleep((started.elapsed() / 100).clamp(LOOKS[0], LOOKS[1])),
            Ok(Some(status)) if status.success() => break,
            other => panic!("{command:?}: {other:?}"),
        }
    }
    Took { seconds: started.elapsed().as_secs_f64(), peak_mb, busy_seconds }
}

/// Time for which a process has kept cores busy, where the system tells: in hundredths of a second, as Linux counts everywhere.
fn busy(process: u32) -> Option<f64> {
    let about = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = about.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).take(2).map_while(|field| field.parse::<f64>().ok());
    Some((ticks.next()? + ticks.next()?) / 100.0)
}

/// The most memory that a process has used, in MB, where the system tells.
fn peak(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1000.0)
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
