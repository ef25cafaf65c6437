//! Many small files into a folder: how far more cores make it faster, beside what the disk itself takes, and how much memory.

use crate::process::dopesheet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many files; a tenth of them shows whether memory grows with their number.
const FILES: usize = 10_000;

/// What a run took.
struct Took {
    seconds: f64,
    /// The most memory that was in use, in MB; 0 where that cannot be asked.
    peak_mb: f64,
}

/// The section of the page; empty, with a message, where the command was not built.
pub(crate) fn section(folder: &Path) -> String {
    let Some(binary) = dopesheet() else { return String::new() };
    let folder = folder.join("folder");
    let bytes = inputs(&folder.join("in"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let run = |pattern: &str, jobs: usize| convert(&binary, &folder, pattern, jobs);
    let (one, all) = (run("in/*/*.vmd", 1), run("in/*/*.vmd", cores));
    let output = folder.join("out/00/000.glb").metadata().map_or(0, |about| about.len());
    let tenth = run("in/00/*.vmd", cores);
    let disk = disk(&folder.join("disk"), usize::try_from(output).unwrap_or(0), cores);
    let rate = |took: &Took, files: usize| files as f64 / took.seconds;
    let linear = 100.0 * one.seconds / (cores as f64 * all.seconds);
    let mut out = format!(
        "\n## Many files\n\n`dopesheet convert 'in/*/*.vmd' -t glb -o out/`: {FILES} copies of walk.vmd ({bytes} bytes) \
         with names of their own, each to a GLB of {output} bytes that is on the disk before it gets its name. The disk's own limit: \
         {cores} threads write as many files of that size, synchronise each and rename it.\n\n\
         | cores | files | files a second | share of linear | most memory | the disk itself |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    );
    for (cores, files, took, linear, disk) in [
        (1, FILES, &one, "–".to_owned(), "–".to_owned()),
        (cores, FILES, &all, format!("{linear:.0} % (wanted: ≥ 80 %)"), format!("{disk:.0} files a second")),
        (cores, FILES / 10, &tenth, "–".to_owned(), "–".to_owned()),
    ] {
        let (rate, peak) = (rate(took, files), took.peak_mb);
        let _ = writeln!(out, "| {cores} | {files} | {rate:.0} | {linear} | {peak:.0} MB | {disk} |");
    }
    let _ = std::fs::remove_dir_all(&folder);
    out
}

/// Copies of a motion whose models have other names. How large each is.
fn inputs(folder: &Path) -> usize {
    let fail = |error: std::io::Error| -> ! { panic!("{}: {error}", folder.display()) };
    let walk = dopesheet_testkit::bytes(&dopesheet_testkit::workspace().join("samples/walk.vmd"));
    for index in 0..FILES {
        let mut bytes = walk.clone();
        // The model's name starts at byte 30.
        bytes[30..34].copy_from_slice(format!("{index:04}").as_bytes());
        let path = folder.join(format!("{:02}/{:03}.vmd", index / 1000, index % 1000));
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).unwrap_or_else(|e| fail(e));
        std::fs::write(path, bytes).unwrap_or_else(|e| fail(e));
    }
    walk.len()
}

fn convert(binary: &Path, folder: &Path, pattern: &str, jobs: usize) -> Took {
    let _ = std::fs::remove_dir_all(folder.join("out"));
    let mut command = Command::new(binary);
    command.args(["convert", pattern, "-t", "glb", "-o", "out/", "--quiet", "-j", &jobs.to_string()]);
    let started = Instant::now();
    let child = command.current_dir(folder).stderr(Stdio::null()).spawn();
    let mut child = child.unwrap_or_else(|e| panic!("{}: {e}", binary.display()));
    let mut peak_mb = 0.0_f64;
    loop {
        peak_mb = peak_mb.max(peak(child.id()).unwrap_or(0.0));
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Ok(Some(status)) if status.success() => break,
            other => panic!("convert: {other:?}"),
        }
    }
    Took { seconds: started.elapsed().as_secs_f64(), peak_mb }
}

/// The most memory that a process has used, in MB, where the system tells.
fn peak(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1000.0)
}

/// How many files a second the disk takes.
fn disk(folder: &Path, size: usize, threads: usize) -> f64 {
    let (next, content) = (AtomicUsize::new(0), vec![7; size]);
    let write = |index: usize| {
        let path: PathBuf = folder.join(format!("{:02}/{:03}.glb", index / 1000, index % 1000));
        dopesheet::save::bytes_to(&path, &content, true).unwrap_or_else(|error| panic!("{error}"));
    };
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    match next.fetch_add(1, Ordering::Relaxed) {
                        index if index < FILES => write(index),
                        _ => return,
                    }
                }
            });
        }
    });
    FILES as f64 / started.elapsed().as_secs_f64()
}
