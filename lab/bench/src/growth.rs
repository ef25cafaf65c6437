//! One dance repeated: the cost of a conversion as its input grows.

use crate::measure::date;
use crate::process::{dopesheet, watch};
use crate::size::DANCES;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::vmd::Document;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Numbers of repetitions: 6 and 7 lie on both sides of 128 seconds, from where times in single precision are coarser; 12 is a song of
/// four minutes.
const TIMES: [usize; 6] = [1, 6, 7, 10, 12, 64];

/// Tolerances with the words that ask for them, and the most that the longest may cost as a multiple of the shortest. The usual one is not
/// asked for: times in single precision cost more than it late in a long motion, which is refused then.
const TOLERANCES: [(&str, &[&str], f64); 2] = [("0.1mm", &[], 70.0), ("1mm", &["--tolerance", "1mm"], 45.0)];

/// Most memory that is wanted: so many sizes of what is read, and so many MB beside.
const MEMORY: [f64; 2] = [8.0, 24.0];

/// A motion so many times one after the other, each a frame after the one before.
fn repeated(dance: &Document, times: usize) -> Document {
    let frames = dance.bones.iter().map(|key| key.frame).max().unwrap_or_default() + 1;
    let mut out = dance.clone();
    for n in 1..times as u32 {
        let later = |frame: u32| frame + n * frames;
        out.bones.extend(dance.bones.iter().cloned().map(|mut key| {
            key.frame = later(key.frame);
            key
        }));
        out.morphs.extend(dance.morphs.iter().cloned().map(|mut key| {
            key.frame = later(key.frame);
            key
        }));
    }
    out
}

/// Writes the dance so many times repeated.
fn write(dance: &Path, times: usize, folder: &Path) -> PathBuf {
    let bytes = std::fs::read(dance).unwrap_or_else(|e| panic!("{}: {e}", dance.display()));
    let read = Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
    let document = repeated(&read.unwrap_or_else(|e| panic!("{}: {e}", dance.display())), times);
    let made = Vmd::write(&document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{e}")).main;
    let path = folder.join(format!("dance-{times}.vmd"));
    std::fs::write(&path, made).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// The section of the page; empty, with a message, without the corpus or where the command was not built.
pub(crate) fn section(folder: &Path) -> String {
    let (Some(binary), Some(corpus)) = (dopesheet(), dopesheet_testkit::corpus("mmd")) else {
        return String::new();
    };
    let [(motion, model), ..] = DANCES;
    let mut out = format!(
        "\n## Growth\n\n`dopesheet convert` to GLB of {motion} on {model}, so many times one after the other: whole processes on one core \
         (`RAYON_NUM_THREADS=1`), processor time as a multiple of the dance alone, on {}.\n\n\
         | tolerance | repeated | processor time | most memory | wanted |\n| --- | --- | --- | --- | --- |\n",
        date()
    );
    let files = TIMES.map(|times| (times, write(&corpus.join(motion), times, folder)));
    for (tolerance, words, most) in TOLERANCES {
        let mut alone_s = None;
        for (times, file) in &files {
            let mut command = Command::new(&binary);
            command.args(["convert", "--partial", "--force", "--quiet"]).args(words).arg(file);
            command.arg("-m").arg(corpus.join(model)).arg("-o").arg(folder.join("converted.glb"));
            command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::null()).stderr(Stdio::null());
            let took = watch(&mut command);
            let factor = took.busy_seconds / *alone_s.get_or_insert(took.busy_seconds);
            let input_mb = file.metadata().map_or(0, |about| about.len()) as f64 / 1e6;
            let memory = MEMORY[0] * input_mb + MEMORY[1];
            let wanted = match times {
                10 => format!("≤ 11×, ≤ {memory:.0} MB"),
                64 => format!("≤ {most}×, ≤ {memory:.0} MB"),
                _ => format!("≤ {memory:.0} MB"),
            };
            let _ =
                writeln!(out, "| {tolerance} | {times} | {factor:.1}× | {:.0} MB | {wanted} |", took.peak_mb);
        }
    }
    out
}
