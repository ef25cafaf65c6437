//! Dopesheet beside its peers: `cargo xtask bench`, or `cargo run --release -p dopesheet-bench`.
//!
//! What is compared runs alternately in one process, so that whatever else the machine does hits both alike; the
//! median counts. The tables go to standard output as Markdown and, with `--write`, into `docs/benchmarks.md`.
//!
//! With `opening` it serves the bench of the Python package. With `data` it only writes the large motions of
//! [`data`](mod@data); with `sampler`, `size`, `fitting`, `conversions`, `rig` or `folder` it measures nothing but these,
//! and with `dances` the sizes of dances alone.
#![allow(clippy::print_stdout, reason = "the table is this program's output")]

mod archive;
mod bvh;
mod conversions;
mod data;
mod figure;
mod fitting;
mod folder;
mod gltf;
mod growth;
mod measure;
mod opening;
mod order;
mod peers;
mod playcanvas;
mod process;
mod recordings;
mod rig;
mod sampler;
mod size;
mod skeleton;
mod splines;
mod sums;
mod vmd;

use measure::Row;
use std::path::PathBuf;

/// The files that are measured: real ones from the corpus where it is, else our own samples.
pub(crate) struct Data {
    /// Large VMD.
    pub(crate) vmd: PathBuf,
    /// Large PlayCanvas animations.
    pub(crate) playcanvas: Vec<PathBuf>,
    /// Large MRTK2 recording.
    pub(crate) recording: PathBuf,
}

fn data() -> Data {
    let sample = |name: &str| dopesheet_testkit::workspace().join("samples").join(name);
    let vmd = dopesheet_testkit::corpus("mmd").map_or_else(|| sample("walk.vmd"), |c| c.join("vmd/run.vmd"));
    let playcanvas = dopesheet_testkit::corpus("playcanvas").map_or_else(
        || vec![sample("wave.json")],
        |c| ["playbot-idle.json", "playbot-die.json"].map(|n| c.join(n)).to_vec(),
    );
    let recording = dopesheet_testkit::corpus("mrtk")
        .map_or_else(|| sample("hands.bin"), |c| c.join("v11_twohands_20s_undamaged.bin"));
    Data { vmd, playcanvas, recording }
}

/// Where the large motions are written.
fn large() -> PathBuf {
    dopesheet_testkit::workspace().join("target/bench-data")
}

/// Animations whose size is measured.
fn packed() -> Vec<PathBuf> {
    let corpus = dopesheet_testkit::corpus("bench")
        .map_or_else(Vec::new, |c| dopesheet_testkit::files(&c, &["glb"], 3));
    data::write(&large()).into_iter().filter(|path| path.ends_with("dense.glb")).chain(corpus).collect()
}

fn main() {
    let asked = |word: &str| std::env::args().any(|argument| argument == word);
    if asked("data") {
        data::write(&large()).iter().for_each(|path| println!("{}", path.display()));
        return;
    }
    if asked("opening") {
        let path = std::env::args_os().nth(2).map(PathBuf::from).unwrap_or_else(|| data().vmd);
        return opening::serve(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    if asked("size") {
        println!("{}", size::section(&packed()));
        return;
    }
    if asked("rig") {
        println!("{}", measure::table(&rig::rows()));
        return;
    }
    if asked("dances") {
        println!("{}", size::section(&[]));
        return;
    }
    if asked("fitting") {
        println!("{}", fitting::section(&data::write(&large())));
        return;
    }
    if asked("conversions") {
        println!("{}", conversions::section(&data::write(&large())));
        return;
    }
    if asked("growth") {
        println!("{}", growth::section(&large()));
        return;
    }
    if asked("folder") {
        println!("{}", folder::section(&large()));
        return;
    }
    let many = folder::section(&large());
    let large = data::write(&large());
    let sampler = sampler::section(&large);
    if asked("sampler") {
        println!("{sampler}");
        return;
    }
    let page = tables()
        + &sampler
        + &fitting::section(&large)
        + &conversions::section(&large)
        + &growth::section(&self::large())
        + &size::section(&packed())
        + &many;
    println!("{page}");
    if asked("--write") {
        let path = dopesheet_testkit::workspace().join("docs/benchmarks.md");
        std::fs::write(&path, page).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// Everything that is one of ours beside one of theirs.
fn tables() -> String {
    let data = data();
    let mut rows: Vec<Row> = vmd::rows(&data.vmd);
    for path in &data.playcanvas {
        rows.extend(playcanvas::rows(path));
    }
    rows.extend(rig::rows());
    rows.extend(recordings::rows(&data.recording));
    rows.extend(archive::rows());
    rows.extend(bvh::rows());
    rows.extend(gltf::rows(&data.vmd));
    rows.extend(process::rows(&data.vmd));
    measure::table(&rows)
}
