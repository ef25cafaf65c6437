//! Whole conversions to GLB: how long they take, and how much memory.

use crate::measure::median;
use crate::process::{dopesheet, watch};
use crate::size::DANCES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Number of runs of each.
const RUNS: usize = 9;

/// Seconds that Blender took on another machine to import, sample and export [`DANCES`].
const BLENDER_S: [f64; 3] = [5.9, 1.3, 11.0];

/// Least factor by which we are to be faster.
const FASTER: f64 = 20.0;

/// The most memory that is wanted, in sizes of what is read.
const SIZES: f64 = 6.0;

/// A conversion that is measured.
struct Conversion {
    /// Files that are read, the motion first; then its model.
    inputs: Vec<PathBuf>,
    /// Further words of the command.
    words: &'static [&'static str],
    /// Its description.
    about: &'static str,
    /// On one core, or on all.
    is_alone: bool,
    wanted: String,
}

/// The section of the page for what [`data::write`](crate::data::write) has written, and for dances of the corpus; empty, with a
/// message, where the command was not built.
pub(crate) fn section(large: &[PathBuf]) -> String {
    let Some(binary) = dopesheet() else { return String::new() };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut out = format!(
        "\n## Conversions\n\n`dopesheet convert` to GLB, whole processes: reading, fitting, measuring the result in model space, \
         writing. Medians of {RUNS}, on one core (`RAYON_NUM_THREADS=1`) or all. Of dances with their models a twentieth is wanted of what \
         Blender took on another machine to import, sample and export the same.\n\n\
         | data | cores | time | most memory | wanted |\n| --- | --- | --- | --- | --- |\n"
    );
    for conversion in made(large).into_iter().chain(dances()) {
        conversion.row(&binary, cores, &mut out);
    }
    out
}

/// Of the large motions.
fn made(large: &[PathBuf]) -> Vec<Conversion> {
    let conversion = |names: &[&str], words, about, wanted: &str| {
        let named = |name: &&str| large.iter().find(|path| path.ends_with(name)).cloned();
        let inputs = names.iter().map(named).collect::<Option<Vec<_>>>()?;
        Some(Conversion { inputs, words, about, is_alone: true, wanted: wanted.to_owned() })
    };
    let all = [
        conversion(&["dense.glb"], &["--lossy"], "", "–"),
        conversion(&["sparse.vmd"], &["--tolerance", "0.1mm@3cm"], "", "≤ 0.3 s"),
        conversion(&["sparse.vmd"], &[], "1 m around each joint, as the hierarchy is unknown", "–"),
        conversion(&["sparse.vmd", "sparse-model.glb"], &[], "their hierarchy", "–"),
        conversion(&["sparse.vmd", "figure.pmx"], &[], "with four chains of IK", "≤ 1.5 s")
            .map(Conversion::within_sizes),
    ];
    all.into_iter().flatten().collect()
}

/// Of the corpus.
fn dances() -> Vec<Conversion> {
    let Some(corpus) = dopesheet_testkit::corpus("mmd") else { return Vec::new() };
    let dance = |((motion, model), blender_s): ((&str, &str), f64)| Conversion {
        inputs: vec![corpus.join(motion), corpus.join(model)],
        words: &[],
        about: "",
        is_alone: false,
        wanted: format!("≤ {:.0} ms", blender_s / FASTER * 1e3),
    };
    DANCES.into_iter().zip(BLENDER_S).map(dance).collect()
}

impl Conversion {
    /// The same, of which it is also wanted how much memory it takes.
    fn within_sizes(self) -> Self {
        let size = |path: &PathBuf| path.metadata().map_or(0, |about| about.len());
        let most_mb = SIZES * self.inputs.iter().map(size).sum::<u64>() as f64 / 1e6;
        Self { wanted: format!("{}, ≤ {most_mb:.0} MB", self.wanted), ..self }
    }

    fn row(&self, binary: &Path, cores: usize, out: &mut String) {
        let runs: Vec<_> = (0..RUNS).map(|_| watch(&mut self.command(binary))).collect();
        let peak_mb = runs.iter().map(|took| took.peak_mb).fold(0.0, f64::max);
        let time_ms = 1e3 * median(runs.into_iter().map(|took| took.seconds).collect());
        let cores = if self.is_alone { 1 } else { cores };
        let (data, wanted) = (self.data(), &self.wanted);
        let _ = writeln!(out, "| {data} | {cores} | {time_ms:.0} ms | {peak_mb:.0} MB | {wanted} |");
    }

    fn command(&self, binary: &Path) -> Command {
        let made = dopesheet_testkit::workspace().join("target/bench-data/converted.glb");
        let mut command = Command::new(binary);
        // A dance with bones that a model lacks is one all the same.
        command.args(["convert", "--partial"]);
        let mut inputs = self.inputs.iter();
        command.args(inputs.next());
        for model in inputs {
            command.arg("-m").arg(model);
        }
        command.args(self.words).arg("-o").arg(made).args(["--force", "--quiet"]);
        if self.is_alone {
            command.env("RAYON_NUM_THREADS", "1");
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The conversion in words.
    fn data(&self) -> String {
        let names: Vec<_> = self
            .inputs
            .iter()
            .filter_map(|path| path.file_name())
            .map(|name| name.to_string_lossy())
            .collect();
        let mut out = names.join(" on ");
        if !self.words.is_empty() {
            let _ = write!(out, ", `{}`", self.words.join(" "));
        }
        if !self.about.is_empty() {
            let _ = write!(out, "; {}", self.about);
        }
        out
    }
}
