//! Dopesheet beside its peers: `cargo xtask bench`, or `cargo run --release -p dopesheet-bench`.
//!
//! What is compared runs alternately in one process, so that whatever else the machine does hits both alike; the
//! median counts. The tables go to standard output as Markdown and, with `--write`, into `docs/benchmarks.md`.
//!
//! With `opening` it serves the bench of the Python package. With `data` it only writes the large motions of
//! [`data`](mod@data); with a word of [`SECTIONS`] it measures nothing but these. It fails where a run takes more instructions than
//! the page allows.
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
mod instructions;
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

/// Maker of a section of the page.
type Section = fn() -> String;

/// The sections of the page, each with the word that asks for it alone.
const SECTIONS: [(&str, Section); 9] = [
    ("tables", tables),
    ("sampler", || sampler::section(&data::write(&large()))),
    ("fitting", || fitting::section(&data::write(&large()))),
    ("conversions", || conversions::section(&data::write(&large()))),
    ("growth", || growth::section(&large())),
    ("instructions", || instructions::section(&large())),
    ("size", || size::section(&packed())),
    ("dances", || size::section(&[])),
    ("folder", || folder::section(&large())),
];

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
    std::fs::create_dir_all(large()).unwrap_or_else(|e| panic!("{}: {e}", large().display()));
    let is_one = SECTIONS.iter().any(|(word, _)| asked(word));
    let page_path = dopesheet_testkit::workspace().join("docs/benchmarks.md");
    let before =
        std::fs::read_to_string(&page_path).unwrap_or_else(|e| panic!("{}: {e}", page_path.display()));
    let mut page = before.clone();
    // The sizes of dances are in those of all.
    for (word, section) in
        SECTIONS.iter().filter(|(word, _)| if is_one { asked(word) } else { *word != "dances" })
    {
        let made = section();
        let made = if made.is_empty() {
            made
        } else {
            format!("{}\n\n{}\n", made.trim_end(), measure::where_and_when())
        };
        println!("{made}");
        if *word != "dances" {
            page = with_section(&page, &made);
        }
    }
    if asked("--write") {
        std::fs::write(&page_path, &page).unwrap_or_else(|e| panic!("{}: {e}", page_path.display()));
        return;
    }
    let dear = instructions::dearer(&before, &page);
    dear.iter().for_each(|line| println!("FAILED: {line}"));
    std::process::exit(i32::from(!dear.is_empty()));
}

/// A page in which the section that starts with the same heading is another one; at its end where it has none. A section that is
/// empty, as it could not be measured, leaves the page as it is.
fn with_section(page: &str, section: &str) -> String {
    let Some(heading) = section.lines().find(|line| line.starts_with('#')) else { return page.to_owned() };
    let (before, behind) = page.split_once(heading).unwrap_or((page, ""));
    let next = behind.find("\n## ").map_or("", |at| &behind[at + 1..]);
    let end = if next.is_empty() { "" } else { "\n" };
    format!("{}\n{}\n{end}{next}", before.trim_end(), section.trim_end()).trim_start().to_owned()
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

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn a_section_made_anew_takes_the_place_of_the_one_with_its_heading() {
        let page = "# Page\n\nhead\n\n## A\n\nold\n\n## B\n\nb\n";
        assert_eq!(with_section(page, "\n## A\n\nnew\n"), page.replace("old", "new"));
        assert_eq!(with_section(page, "\n## C\n\nc\n"), format!("{page}\n## C\n\nc\n"));
        assert_eq!(with_section(page, "# Page\n\nhere\n"), page.replace("head", "here"));
        assert_eq!(with_section(page, ""), page);
    }
}
