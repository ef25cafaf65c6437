//! Dopesheet beside its peers: `cargo xtask bench`, or `cargo run --release -p dopesheet-bench`.
//!
//! What is compared runs alternately in one process, so that whatever else the machine does hits both alike; the
//! median counts. The table goes to standard output as Markdown and, with `--write`, into `docs/benchmarks.md`.
#![allow(clippy::print_stdout, reason = "the table is this program's output")]

mod gltf;
mod measure;
mod playcanvas;
mod process;
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
}

fn data() -> Data {
    let sample = |name: &str| dopesheet_testkit::workspace().join("samples").join(name);
    let vmd = dopesheet_testkit::corpus("mmd").map_or_else(|| sample("walk.vmd"), |c| c.join("vmd/run.vmd"));
    let playcanvas = dopesheet_testkit::corpus("playcanvas").map_or_else(
        || vec![sample("wave.json")],
        |c| ["playbot-idle.json", "playbot-die.json"].map(|n| c.join(n)).to_vec(),
    );
    Data { vmd, playcanvas }
}

fn main() {
    let data = data();
    let mut rows: Vec<Row> = vmd::rows(&data.vmd);
    for path in &data.playcanvas {
        rows.extend(playcanvas::rows(path));
    }
    rows.extend(gltf::rows(&data.vmd));
    rows.extend(process::rows(&data.vmd));
    let table = measure::table(&rows);
    println!("{table}");
    if std::env::args().any(|a| a == "--write") {
        let path = dopesheet_testkit::workspace().join("docs/benchmarks.md");
        std::fs::write(&path, table).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}
