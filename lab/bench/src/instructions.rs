//! Instructions of whole runs of the command, beside those that the page holds: a run that takes a twentieth more than those fails
//! the bench, so that no conversion grows dear unseen. Other programs on the machine do not change them.

use crate::measure::date;
use crate::process::dopesheet;
use crate::size::DANCES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Most instructions beside those of the page.
const MOST: f64 = 1.05;

/// The heading of the section.
const HEADING: &str = "## Instructions";

/// A run of the command that is counted.
struct Run {
    /// Its description, which names its row in the page.
    what: String,
    words: Vec<String>,
}

/// The section of the page; empty, with a message, where valgrind or the command is missing.
pub(crate) fn section(folder: &Path) -> String {
    let Some(binary) = dopesheet() else { return String::new() };
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("SKIPPED: instructions are not counted; there is no valgrind");
        return String::new();
    }
    let mut out = format!(
        "\n{HEADING}\n\nWhole processes on one thread (`RAYON_NUM_THREADS=1`), counted by `valgrind --tool=callgrind` on {}. `cargo xtask bench` \
         fails where one takes over {MOST} times what stands here.\n\n| command | instructions |\n| --- | --- |\n",
        date()
    );
    for run in runs(folder) {
        let _ = writeln!(out, "| {} | {} |", run.what, run.count(&binary));
    }
    out
}

/// The runs that take over [`MOST`] times the instructions in a page than before, as lines.
pub(crate) fn dearer(before: &str, page: &str) -> Vec<String> {
    let (before, now) = (rows(before), rows(page));
    let line = |(what, count): &(String, u64)| {
        let (_, old) = before.iter().find(|(row, _)| row == what)?;
        (*count as f64 > MOST * *old as f64)
            .then(|| format!("{what}: {count} instructions, {old} in docs/benchmarks.md"))
    };
    now.iter().filter_map(line).collect()
}

/// The commands of a page's section and their instructions.
fn rows(page: &str) -> Vec<(String, u64)> {
    let Some((_, section)) = page.split_once(HEADING) else { return Vec::new() };
    let section = section.split("\n## ").next().unwrap_or_default();
    let row = |line: &str| {
        let (what, count) = line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | ")?;
        Some((what.to_owned(), count.parse().ok()?))
    };
    section.lines().filter_map(row).collect()
}

/// One run for each road through the code that is easily made dear.
fn runs(folder: &Path) -> Vec<Run> {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let sample = |name: &str| text(dopesheet_testkit::workspace().join("samples").join(name));
    let run = |what: &str, words: &[&str], out: &str| {
        let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        if !out.is_empty() {
            words.extend([
                "-o".to_owned(),
                text(folder.join(out)),
                "--force".to_owned(),
                "--quiet".to_owned(),
            ]);
        }
        Run { what: what.to_owned(), words }
    };
    let [bow, hands, jump, character] = ["bow.vmd", "hands.bin", "jump.bvh", "character.glb"].map(sample);
    let mut runs = vec![
        run("`convert bow.vmd -o x.glb`", &["convert", &bow], "x.glb"),
        run("`convert hands.bin -o x.glb`", &["convert", &hands], "x.glb"),
        run("`convert jump.bvh -o x.glb`", &["convert", &jump], "x.glb"),
        run("`convert jump.bvh -o x.npz`", &["convert", &jump], "x.npz"),
        run(
            "`convert jump.bvh --onto character.glb -o x.glb`",
            &["convert", &jump, "--onto", &character],
            "x.glb",
        ),
        run("`info bow.vmd`", &["info", &bow], ""),
        run("`edit bow.vmd -e mirror -o x.vmd`", &["edit", &bow, "-e", "mirror"], "x.vmd"),
        run("`edit bow.vmd -e 'trim 30f:90f' -o x.vmd`", &["edit", &bow, "-e", "trim 30f:90f"], "x.vmd"),
    ];
    if let Some(corpus) = dopesheet_testkit::corpus("mmd") {
        let [(dance, model), ..] = DANCES;
        let (dance, model) = (text(corpus.join(dance)), text(corpus.join(model)));
        runs.push(run(
            "kishimen.vmd on miku_animasa.pmx",
            &["convert", "--partial", &dance, "-m", &model],
            "x.glb",
        ));
    }
    runs
}

impl Run {
    fn count(&self, binary: &Path) -> u64 {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(binary).args(&self.words);
        let ran =
            command.env("RAYON_NUM_THREADS", "1").output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let printed = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{command:?}: {printed}");
        let counted = printed.lines().find_map(|line| line.split_once("Collected : "));
        let counted = counted.and_then(|(_, number)| number.trim().parse().ok());
        counted.unwrap_or_else(|| panic!("{command:?}: {printed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{HEADING, dearer};

    #[test]
    fn a_run_that_takes_a_tenth_more_instructions_is_named() {
        let page = |convert: u64, edit: u64| {
            format!(
                "# Benchmarks\n\n{HEADING}\n\n| convert | {convert} |\n| edit | {edit} |\n\n## Size\n\n| convert | 9 |\n"
            )
        };
        assert_eq!(
            dearer(&page(100, 100), &page(104, 110)),
            ["edit: 110 instructions, 100 in docs/benchmarks.md"]
        );
        assert_eq!(dearer("", &page(100, 100)), [""; 0]);
    }
}
