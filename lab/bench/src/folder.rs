//! Many small files into a folder: how far more cores make it faster, beside what the disk itself takes, and how much memory.

use crate::process::{Took, dopesheet, watch};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Number of files; a tenth of them shows whether memory grows with their number.
const FILES: usize = 10_000;

/// Runs over the files: arguments of the command, and the same in words.
struct Verb {
    arguments: &'static [&'static str],
    shown: &'static str,
    about: &'static str,
}

const VERBS: [Verb; 4] = [
    Verb {
        arguments: &["convert", "-t", "glb"],
        shown: "dopesheet convert 'in/*/*.vmd' -t glb -o out/",
        about: "each to a GLB that is on the disk before it gets its name",
    },
    Verb {
        arguments: &["table"],
        shown: "dopesheet table 'in/*/*.vmd' -o out/",
        about: "all to one dataset of Parquet, in a build with the feature `table`",
    },
    Verb {
        arguments: &["convert", "-t", "vmd"],
        shown: "dopesheet convert 'in/*/*.vmd' -t vmd -o out/",
        about: "each read and written again",
    },
    Verb {
        arguments: &["edit", "-e", "trim 10f:90f", "-e", "mirror", "-e", "retime --speed 0.5"],
        shown: "dopesheet edit 'in/*/*.vmd' -e 'trim 10f:90f' -e mirror -e 'retime --speed 0.5' -o out/",
        about: "three operations on each",
    },
];

/// Upper bound of the core seconds of editing, as a multiple of those of reading and writing alone.
const EDITING: f64 = 2.0;

/// The section of the page; empty, with a message, where the command was not built.
pub(crate) fn section(folder: &Path) -> String {
    let Some(binary) = dopesheet() else { return String::new() };
    let folder = folder.join("folder");
    let bytes = inputs(&folder.join("in"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut out = format!(
        "\n## Many files\n\n{FILES} copies of walk.vmd ({bytes} bytes) with names of their own. The disk's own limit: {cores} threads \
         write as many files as large as the GLB, synchronise each and rename it. Core seconds are those of the processor, \
         whatever else the machine did.\n\n\
         | command | cores | files | files a second | core seconds for 1,000 | share of linear | most memory | the disk itself |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    let (mut disk_limit, mut busy_of_all) = (None, Vec::new());
    for verb in &VERBS {
        if !has(&binary, &folder, verb) {
            let _ = writeln!(out, "| `{}` | – | – | not in this build | – | – | – | – |", verb.shown);
            continue;
        }
        let run = |pattern: &str, jobs: usize| run(&binary, &folder, verb, pattern, jobs);
        let (one, all) = (run("in/*/*.vmd", 1), run("in/*/*.vmd", cores));
        let limit = *disk_limit.get_or_insert_with(|| {
            let output = folder.join("out/00/000.glb").metadata().map_or(0, |about| about.len());
            disk(&folder.join("disk"), usize::try_from(output).unwrap_or(0), cores)
        });
        busy_of_all.push(all.busy_seconds);
        let tenth = run("in/00/*.vmd", cores);
        let linear = 100.0 * one.seconds / (cores as f64 * all.seconds);
        for (cores, files, took, linear, disk) in [
            (1, FILES, &one, "–".to_owned(), "–".to_owned()),
            (
                cores,
                FILES,
                &all,
                format!("{linear:.0} % (wanted: ≥ 80 %)"),
                format!("{limit:.0} files a second"),
            ),
            (cores, FILES / 10, &tenth, "–".to_owned(), "–".to_owned()),
        ] {
            let (rate, peak) = (files as f64 / took.seconds, took.peak_mb);
            let busy = 1000.0 * took.busy_seconds / files as f64;
            let what = format!("`{}`: {}", verb.shown, verb.about);
            let _ = writeln!(
                out,
                "| {what} | {cores} | {files} | {rate:.0} | {busy:.2} s | {linear} | {peak:.0} MB | {disk} |"
            );
        }
    }
    if let [.., written, edited] = busy_of_all[..] {
        let ratio = edited / written;
        let _ = writeln!(
            out,
            "\nThe three operations take {ratio:.2} times the core seconds of reading and writing (wanted: ≤ {EDITING})."
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
    out
}

/// True if the command was built with a verb.
fn has(binary: &Path, folder: &Path, verb: &Verb) -> bool {
    let mut command = Command::new(binary);
    command.args(verb.arguments).args(["in/00/000.vmd", "--dry-run", "-o", "out/"]).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
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

fn run(binary: &Path, folder: &Path, verb: &Verb, pattern: &str, jobs: usize) -> Took {
    let _ = std::fs::remove_dir_all(folder.join("out"));
    let mut command = Command::new(binary);
    command.args(verb.arguments).args([pattern, "-o", "out/", "--quiet", "-j", &jobs.to_string()]);
    watch(command.current_dir(folder).stderr(Stdio::null()))
}

/// Files per second that the disk takes.
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
