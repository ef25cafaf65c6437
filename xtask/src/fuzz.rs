//! `cargo xtask fuzz`: libFuzzer on the targets in fuzz/, from the fixtures of all rooms.

use crate::nightly;
use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A target of the fuzzer; see fuzz/src.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Target {
    /// Reading, checking and playing
    Read,
    /// A document that was read is written back byte for byte, unless it is read only
    Roundtrip,
    /// Conversion to one of the formats that are written
    Convert,
    /// Operations, and recipes of them before a file
    Edit,
    /// Comparison of a file with itself, and with what other formats make of it
    Compare,
}

impl Target {
    pub(crate) const ALL: [Self; 5] = [Self::Read, Self::Roundtrip, Self::Convert, Self::Edit, Self::Compare];

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Roundtrip => "roundtrip",
            Self::Convert => "convert",
            Self::Edit => "edit",
            Self::Compare => "compare",
        }
    }

    /// Longest input in bytes; of longer seeds the rest is left out. What is converted, edited or compared takes time for each of its keys.
    const fn longest(self) -> usize {
        match self {
            Self::Read | Self::Roundtrip => 4096,
            Self::Convert | Self::Edit | Self::Compare => 1024,
        }
    }
}

/// The program that builds and starts the fuzzer. It takes a minute to build, so only CI and `cargo xtask fuzz` fetch it.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";
/// Where everything of the fuzzer goes, below cargo's own folder.
const FOLDER: &str = "fuzz";
/// Sanitizer that watches the size of each allocation, leaks, and what is not safe Rust: the reader of FBX in C, and a few other
/// dependencies. It takes twice the time.
const ASAN: &str = "address";
const PLAIN: &str = "none";
/// Compiler and flags that have C watched by that sanitizer, and its branches seen by the fuzzer.
const WATCHED_C: [(&str, &str); 2] = [("CC", "clang"), ("CFLAGS", "-fsanitize=address,fuzzer-no-link")];
const HOW_TO_GET_CLANG: &str = "Debian has it as `clang`, Homebrew in `llvm`";
/// The room whose reader is written in C.
const ROOM_IN_C: &str = "fbx";
/// Longest of its inputs in bytes, for most of a run and for the last part of it: most fixtures are shorter, text may be cut anywhere.
const LENGTHS_IN_C: [usize; 2] = [1024, 6144];
/// Executions of each of [`Run::IN_C`] in the deep tests.
const MANY: u64 = 1_000_000;
/// Longest input in bytes for most of a long run: an input takes time in proportion to its length, and few faults need more.
const SMALL: usize = 512;
/// Of so many parts of a long run only the last has inputs as long as a target takes.
const PARTS: u64 = 4;
/// Limits of the fuzzer for one input: seconds, MiB in all, MiB at once.
const LIMITS: [&str; 3] = ["-timeout=25", "-rss_limit_mb=2048", "-malloc_limit_mb=512"];
/// In the short run of CI all targets together take about so long, and start with the same random number.
const CI_SECONDS: u64 = 60;

/// Extent of a long run, from the command line.
#[derive(clap::Args)]
pub(crate) struct LongRun {
    /// Only this target; by default all, one after the other
    #[arg(value_enum)]
    target: Option<Target>,
    /// Minutes altogether
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Executions of each target, in place of minutes
    #[arg(long)]
    executions: Option<u64>,
    /// Only the formats of this folder, and its files to start from, as `fbx`; by default all, and samples
    #[arg(long)]
    room: Option<String>,
    /// With the sanitizer of addresses, in C as well, which takes twice the time and needs clang
    #[arg(long)]
    asan: bool,
}

/// Fuzzes some targets for so long in all. Whether nothing was found.
pub(crate) fn long_run(repo: &Repo, of: &LongRun) -> Outcome<bool> {
    if !nightly::is_there(repo, true)? || !has_cargo_fuzz(repo, true)? {
        return Err("the fuzzer could not be installed; see above".into());
    }
    if of.asan && !has_clang() {
        return Err(format!("clang is missing: {HOW_TO_GET_CLANG}").into());
    }
    let targets = of.target.map_or_else(|| Target::ALL.to_vec(), |target| vec![target]);
    let run = Run {
        extent: match of.executions {
            Some(executions) => Extent::Executions(executions),
            None => Extent::Seconds(of.minutes.saturating_mul(60) / targets.len().max(1) as u64),
        },
        sanitizer: if of.asan { ASAN } else { PLAIN },
        workers: processors(),
        is_long: true,
        room: of.room.clone(),
    };
    let tally = run.build_and_fuzz(repo, &targets)?;
    println!("\n{tally}");
    Ok(tally.failed == 0)
}

/// The short run: one test per target.
pub(crate) fn short_run(repo: &Repo) -> Outcome<Tally> {
    let each = CI_SECONDS / Target::ALL.len() as u64;
    let run = Run { extent: Extent::Seconds(each), sanitizer: PLAIN, workers: 1, is_long: false, room: None };
    run.if_it_can_be(repo, &Target::ALL)
}

/// Many executions on files whose reader is written in C, which is watched; one test per target.
pub(crate) fn run_in_c(repo: &Repo) -> Outcome<Tally> {
    if !has_clang() {
        return Ok(Tally::missing(Run::IN_C.len(), "clang", HOW_TO_GET_CLANG));
    }
    let run = Run {
        extent: Extent::Executions(MANY),
        sanitizer: ASAN,
        workers: processors(),
        is_long: true,
        room: Some(ROOM_IN_C.to_owned()),
    };
    run.if_it_can_be(repo, &Run::IN_C)
}

fn has_clang() -> bool {
    repo::has("clang", &["--version"])
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn has_cargo_fuzz(repo: &Repo, install: bool) -> Outcome<bool> {
    let has = || repo::has("cargo", &["fuzz", "--version"]);
    if !has() && install {
        repo::run("cargo-fuzz", &mut repo.command("cargo", &["install", "--quiet", "--locked", CARGO_FUZZ]))?;
    }
    Ok(has())
}

/// Extent of what is done with a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Seconds(u64),
    Executions(u64),
}

/// A run of the fuzzer.
struct Run {
    /// Extent for each target.
    extent: Extent,
    sanitizer: &'static str,
    /// Number of programs at the same time, which share what they find.
    workers: usize,
    /// True unless it starts with the same random number each time and has inputs of all lengths from the start.
    is_long: bool,
    /// The folder in `formats` whose files it starts from, whose words it takes, and whose formats alone it reads; `None` for all.
    room: Option<String>,
}

impl Run {
    /// Targets of [`run_in_c`].
    const IN_C: [Target; 2] = [Target::Read, Target::Convert];

    /// Runs, if what is needed is there, which CI fetches by itself.
    fn if_it_can_be(&self, repo: &Repo, targets: &[Target]) -> Outcome<Tally> {
        if let Some(missing) = nightly::missing(repo, targets.len())? {
            return Ok(missing);
        }
        if !has_cargo_fuzz(repo, tally::in_ci())? {
            let how = format!("get it with `cargo install --locked {CARGO_FUZZ}`, or by `cargo xtask fuzz`");
            return Ok(Tally::missing(targets.len(), "cargo-fuzz", &how));
        }
        self.build_and_fuzz(repo, targets)
    }

    fn build_and_fuzz(&self, repo: &Repo, targets: &[Target]) -> Outcome<Tally> {
        if !repo::run("fuzz targets", &mut build(repo, self.sanitizer))? {
            return Ok(Tally { failed: targets.len(), ..Tally::default() });
        }
        let mut tally = Tally::default();
        for target in targets {
            tally += Tally::one(self.fuzz(repo, *target)?);
        }
        Ok(tally)
    }

    /// Longest input in bytes, and extent, of each part.
    fn parts(&self, target: Target) -> Vec<(usize, Extent)> {
        let is_in_c = self.room.as_deref() == Some(ROOM_IN_C);
        let [small, longest] = if is_in_c { LENGTHS_IN_C } else { [SMALL, target.longest()] };
        let (all, extent): (u64, fn(u64) -> Extent) = match self.extent {
            Extent::Seconds(seconds) => (seconds, Extent::Seconds),
            Extent::Executions(executions) => (executions, Extent::Executions),
        };
        let last = all / PARTS;
        match self.is_long && last > 0 {
            true => vec![(small, extent(all - last)), (longest, extent(last))],
            false => vec![(longest, extent(all))],
        }
    }

    /// Whether all workers ran to the end of each part and found nothing.
    fn fuzz(&self, repo: &Repo, target: Target) -> Outcome<bool> {
        println!("\n── fuzz {}", target.name());
        let (mut executions, mut held) = (0, true);
        for part in self.parts(target) {
            let commands = (0..self.workers).map(|worker| self.command(repo, target, part, worker));
            let commands = commands.collect::<Outcome<Vec<Command>>>()?;
            let ran: Vec<_> = std::thread::scope(|scope| {
                let running: Vec<_> = commands
                    .into_iter()
                    .map(|mut command| scope.spawn(move || watch(&mut command)))
                    .collect();
                running.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
            });
            for one in ran {
                let (executed, is_sound) = one.map_err(|_| "a worker panicked")??;
                executions += executed;
                held &= is_sound && executed > 0;
            }
        }
        let word = if held { "nothing found" } else { "FAILED" };
        println!("── fuzz {}: {executions} executions, {word}", target.name());
        Ok(held)
    }

    /// The program of a target, for one of the workers of a part.
    fn command(
        &self,
        repo: &Repo,
        target: Target,
        (longest, extent): (usize, Extent),
        worker: usize,
    ) -> Outcome<Command> {
        let corpus =
            folder(repo).join("corpus").join(self.room.as_deref().unwrap_or("all")).join(target.name());
        let crashes = folder(repo).join("found").join(target.name());
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(&crashes)?;
        let mut command = Command::new(programs(repo)?.join(target.name()));
        command.current_dir(&repo.root).args(LIMITS).arg("-print_final_stats=1");
        // Weighing inputs by how rare what they reach is takes as long as running most of them.
        command.arg("-entropic=0");
        // There is a program for each core already.
        command.env("RAYON_NUM_THREADS", "1");
        if !self.is_long {
            command.arg(format!("-seed={}", worker + 1));
        }
        command.arg(match extent {
            Extent::Seconds(seconds) => format!("-max_total_time={}", seconds.max(1)),
            Extent::Executions(executions) => format!("-runs={}", executions.div_ceil(self.workers as u64)),
        });
        command.arg(format!("-max_len={longest}"));
        command.arg(format!("-dict={}", dictionary(repo, self.room.as_deref())?.display()));
        if let Some(room) = &self.room {
            // The fuzzer sees what inputs are compared with, and would soon make files of other formats.
            command.env("DOPESHEET_FUZZ_FORMATS", formats(repo, room)?.join(","));
        }
        // libFuzzer appends a word and a hash.
        command.arg(format!("-artifact_prefix={}/", crashes.display()));
        command.arg(corpus).args(seeds(repo, self.room.as_deref())?);
        Ok(command)
    }
}

fn build(repo: &Repo, sanitizer: &str) -> Command {
    let mut command = nightly::cargo(repo, &["fuzz", "build", "--fuzz-dir", "fuzz"]);
    command.args(["--features", "libfuzzer", "--sanitizer", sanitizer, "--target-dir"]).arg(folder(repo));
    // Told of both sides of every comparison, the fuzzer takes a third longer to read and twice as long to convert. The words that
    // formats compare with stand in their dictionaries.
    command.arg("--no-trace-compares");
    if sanitizer == ASAN {
        command.envs(WATCHED_C);
    }
    // Link time optimization costs more here than it brings.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    command
}

/// Where cargo-fuzz puts what it builds.
fn programs(repo: &Repo) -> Outcome<PathBuf> {
    let output = repo.command("rustc", &["--print", "host-tuple"]).output()?;
    Ok(folder(repo).join(String::from_utf8(output.stdout)?.trim()).join("release"))
}

fn folder(repo: &Repo) -> PathBuf {
    repo.target.join(FOLDER)
}

/// Folders of files to start from: fixtures, inputs that were found once, and samples; or only what one room has of these.
fn seeds(repo: &Repo, room: Option<&str>) -> Outcome<Vec<PathBuf>> {
    let files = repo.files()?;
    let rooms = room.map_or_else(|| "formats/".to_owned(), |room| format!("formats/{room}/"));
    let rooms = files.iter().filter(|file| file.starts_with(&rooms));
    let folder = |file: &String| {
        let end = ["/fixtures/", "/fuzz/seeds/"].iter().find_map(|mark| Some(file.find(mark)? + mark.len()));
        Some(repo.root.join(file.get(..end?)?))
    };
    let mut folders: Vec<PathBuf> = room.is_none().then(|| repo.root.join("samples")).into_iter().collect();
    folders.extend(rooms.filter_map(folder));
    folders.dedup();
    match folders.is_empty() {
        true => Err(format!("formats/{} has no files to start from", room.unwrap_or_default()).into()),
        false => Ok(folders),
    }
}

/// Dictionaries in the folders of all formats, or in one; each is named by the id of its format.
fn dictionaries(repo: &Repo, room: Option<&str>) -> Outcome<Vec<PathBuf>> {
    let start = room.map_or_else(|| "formats/".to_owned(), |room| format!("formats/{room}/"));
    let files = repo.files()?;
    let files = files.iter().filter(|file| file.starts_with(&start) && file.ends_with(".dict"));
    Ok(files.map(|file| repo.root.join(file)).collect())
}

/// Ids of the formats in a folder that have a dictionary.
fn formats(repo: &Repo, room: &str) -> Outcome<Vec<String>> {
    let stems = dictionaries(repo, Some(room))?.into_iter();
    Ok(stems.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect())
}

/// The dictionaries of all rooms, or of one, in one file, for libFuzzer takes only one.
fn dictionary(repo: &Repo, room: Option<&str>) -> Outcome<PathBuf> {
    let mut words = String::new();
    for file in dictionaries(repo, room)? {
        words.push_str(&std::fs::read_to_string(file)?);
    }
    let path = folder(repo).join(format!("{}.dict", room.unwrap_or("all")));
    std::fs::create_dir_all(folder(repo))?;
    std::fs::write(&path, words)?;
    Ok(path)
}

/// Runs the fuzzer, shows what it says but for its progress. Yields the executions, and whether nothing was found.
fn watch(command: &mut Command) -> std::io::Result<(u64, bool)> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let mut executions = 0;
    let stderr = child.stderr.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    for line in BufReader::new(stderr).split(b'\n') {
        // What it shows of an input may be anything.
        let line = String::from_utf8_lossy(&line?).into_owned();
        executions = executions_in(&line).unwrap_or(executions);
        if !is_progress(&line) {
            eprintln!("{line}");
        }
    }
    Ok((executions, child.wait()?.success()))
}

/// The count in a line of libFuzzer's closing statistics.
fn executions_in(line: &str) -> Option<u64> {
    line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()
}

/// True for a line that only says that the fuzzer has got somewhere new: `#123 NEW cov: …`.
fn is_progress(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|number| number.starts_with('#'))
        && words.next().is_some_and(|word| ["NEW", "REDUCE", "RELOAD"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_counted() {
        assert_eq!(executions_in("stat::number_of_executed_units: 4711"), Some(4711));
        assert_eq!(executions_in("stat::average_exec_per_sec:     12"), None);
    }

    #[test]
    fn most_of_a_long_run_has_small_inputs_and_all_of_a_short_one_has_long_ones() {
        let seconds = Extent::Seconds;
        let parts = |is_long, target, length| {
            Run { extent: seconds(length), sanitizer: PLAIN, workers: 1, is_long, room: None }.parts(target)
        };
        assert_eq!(parts(true, Target::Read, 400), [(512, seconds(300)), (4096, seconds(100))]);
        assert_eq!(parts(true, Target::Convert, 3), [(1024, seconds(3))]);
        assert_eq!(parts(false, Target::Read, 20), [(4096, seconds(20))]);
    }

    #[test]
    fn files_of_the_room_in_c_are_tried_whole() {
        let repo = Repo::find().unwrap();
        let seeds = seeds(&repo, Some(ROOM_IN_C)).unwrap();
        let files = seeds.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let lengths: Vec<u64> = files
            .flat_map(|entry| {
                let entry = entry.unwrap();
                let inner = std::fs::read_dir(entry.path()).into_iter().flatten();
                inner.map(|file| file.unwrap().metadata().unwrap().len())
            })
            .collect();
        let longer = lengths.iter().filter(|length| **length > LENGTHS_IN_C[1] as u64).count();
        assert!(lengths.len() > 20 && longer <= 1, "{longer} of {}", lengths.len());
    }

    #[test]
    fn progress_is_not_shown_but_pulses_and_crashes_are() {
        assert!(is_progress("#23\tNEW    cov: 95 ft: 96 corp: 2/2b lim: 4"));
        assert!(!is_progress("#4096\tpulse  cov: 95 ft: 96 corp: 2/2b"));
        assert!(!is_progress("thread '<unnamed>' panicked at src/lib.rs:1:1:"));
    }

    #[test]
    fn the_fuzzer_starts_from_fixtures_and_words_of_all_rooms() {
        let repo = Repo::find().unwrap();
        let seeds = seeds(&repo, None).unwrap();
        assert!(seeds.len() > 8, "{seeds:?}");
        assert!(seeds.iter().all(|folder| folder.is_dir()), "{seeds:?}");
        let words = std::fs::read_to_string(dictionary(&repo, None).unwrap()).unwrap();
        assert!(words.contains("Vocaloid Motion Data") && words.contains("glTF"));
    }

    #[test]
    fn every_dictionary_is_named_by_the_id_of_a_format() {
        let repo = Repo::find().unwrap();
        let listed = std::fs::read_to_string(repo.root.join("docs/formats.md")).unwrap();
        let dictionaries = dictionaries(&repo, None).unwrap();
        assert!(dictionaries.len() > 12, "{dictionaries:?}");
        for file in dictionaries {
            let id = file.file_stem().unwrap().to_str().unwrap();
            assert!(listed.contains(&format!("`{id}`")), "{id}");
        }
        assert_eq!(formats(&repo, ROOM_IN_C).unwrap(), ["fbx"]);
    }

    #[test]
    fn every_target_is_a_program_of_the_fuzz_crate() {
        let manifest = std::fs::read_to_string(Repo::find().unwrap().root.join("fuzz/Cargo.toml")).unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), Target::ALL.len());
        for target in Target::ALL {
            assert!(manifest.contains(&format!("name = \"{}\"", target.name())), "{target:?}");
        }
    }
}
