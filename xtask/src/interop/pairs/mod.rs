//! Motions of others on figures of others, from the folders that two variables name: what the command says of each, and what clients/judge.mjs
//! says, which shares no code with it.

mod table;

use crate::answers::{Random, ask};
use crate::client_packages;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Row, Table};

/// Variables that name the folders of motions and of figures.
const FOLDERS: [&str; 2] = ["DOPESHEET_CLIPS", "DOPESHEET_AVATARS"];

const HOW_TO_GET_IT: &str = "name a folder of motions (BVH, FBX, GLB, VRMA, VMD, npz) in DOPESHEET_CLIPS and one of figures (VRM, GLB, PMX) \
                             in DOPESHEET_AVATARS";

/// Number of pairs that are drawn.
const PAIRS: usize = 400;

/// Programs that run at the same time.
const AT_ONCE: usize = 2;

/// Extensions of motions that three.js reads itself.
const READ_BY_JUDGE: [&str; 6] = ["bvh", "fbx", "glb", "gltf", "vrm", "vrma"];

/// Models whose motions are files of their own.
const MODELS: [&str; 2] = ["pmd", "pmx"];

/// Draws pairs by a seed, converts them, has them judged, and compares.
pub(crate) fn run(repo: &Repo, seed: u64) -> Outcome<Tally> {
    let folders = FOLDERS.map(std::env::var_os);
    let [Some(motions), Some(figures)] = folders else {
        return Ok(Tally::missing(1, "a folder of motions or of figures", HOW_TO_GET_IT));
    };
    if let Some(missing) = client_packages::install(repo)?.missing(1) {
        return Ok(missing);
    }
    let Some(dopesheet) = repo::named_or_built(repo)? else { return Ok(Tally::one(false)) };
    let folder = repo.target.join("pairs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let (motions, figures) = (files(motions.as_ref())?, files(figures.as_ref())?);
    let pairs = drawn(&motions, &figures, seed);
    println!(
        "── pairs: {} of {} motions on {} figures, drawn by seed {seed}; --seed {seed} draws the same",
        pairs.len(),
        motions.len(),
        figures.len()
    );
    let attempt = Attempt { dopesheet: &dopesheet, folder: &folder };
    for motion in motions.iter().filter(|motion| !has_extension(motion, &READ_BY_JUDGE)) {
        attempt.make_readable(motion)?;
    }
    let mut rows = attempt.all(&pairs)?;
    let mut written: Vec<&mut Row> = rows.iter_mut().filter(|row| row.job.is_some()).collect();
    let jobs: Vec<Value> = written.iter().filter_map(|row| row.job.clone()).collect();
    let answers = ask(&mut repo.command("node", &["clients/judge.mjs"]), &jobs)?;
    for (row, answer) in written.iter_mut().zip(answers) {
        row.judged = answer;
    }
    let lines: String = rows.iter().map(|row| format!("{}\n", row.line())).collect();
    std::fs::write(folder.join("pairs.jsonl"), lines)?;
    let table = Table::of(&rows);
    table.print();
    Ok(table.tally())
}

/// The files in a folder, sorted.
fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Outcome<Vec<_>>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

/// As many pairs as are tried, or all, in an order that a seed decides.
fn drawn<'a>(motions: &'a [PathBuf], figures: &'a [PathBuf], seed: u64) -> Vec<[&'a Path; 2]> {
    let pairs = motions.iter().flat_map(|motion| figures.iter().map(move |figure| [motion, figure]));
    let mut random = Random::seeded(seed);
    let mut pairs: Vec<(f64, [&Path; 2])> =
        pairs.map(|pair| (random.next(), pair.map(PathBuf::as_path))).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs.into_iter().map(|(_, pair)| pair).take(PAIRS).collect()
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| extensions.contains(&extension.as_str()))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The command, and the folder for what it writes.
struct Attempt<'a> {
    dopesheet: &'a Path,
    folder: &'a Path,
}

impl Attempt<'_> {
    fn all(&self, pairs: &[[&Path; 2]]) -> Outcome<Vec<Row>> {
        let row = |pair: &[&Path; 2]| self.row(*pair).map_err(|error| error.to_string());
        let shares = std::thread::scope(|scope| {
            let threads: Vec<_> = pairs
                .chunks(pairs.len().div_ceil(AT_ONCE).max(1))
                .map(|share| scope.spawn(move || share.iter().map(row).collect::<Result<Vec<_>, _>>()))
                .collect();
            let shares = threads.into_iter().map(|thread| thread.join().map_err(|_| "a panic".to_owned())?);
            shares.collect::<Result<Vec<_>, _>>()
        })?;
        Ok(shares.into_iter().flatten().collect())
    }

    /// A pair, converted, with the job of the judge.
    fn row(&self, [motion, figure]: [&Path; 2]) -> Outcome<Row> {
        let pair = format!("{} on {}", name(motion), name(figure));
        let output = |extension: &str| self.folder.join(format!("{pair}.{extension}"));
        let (result, report) = (output("glb"), output("json"));
        let is_model = has_extension(figure, &MODELS);
        let written = if is_model { output("vmd") } else { result.clone() };
        let mut convert = self.convert(motion, &written);
        convert.arg("--onto").arg(figure).arg("--report").arg(&report);
        if !is_model {
            convert.arg("--motion-only");
        }
        if let Some(refusal) = refusal(&mut convert)? {
            return Ok(Row { pair, refusal: Some(refusal), ..Row::default() });
        }
        let report = serde_json::from_slice(&std::fs::read(report)?)?;
        if is_model {
            refusal(self.convert(&written, &result).arg("-m").arg(figure))?;
        }
        let mut info = Command::new(self.dopesheet);
        info.arg("info").arg(motion).arg("--onto").arg(figure).arg("--json");
        let info: Value = serde_json::from_slice(&info.output()?.stdout)?;
        let job = json!({ "glb": result, "motion": self.readable(motion), "bones": info["onto"]["bones"] });
        Ok(Row { pair, report, job: Some(job), ..Row::default() })
    }

    fn convert(&self, input: &Path, output: &Path) -> Command {
        let mut command = Command::new(self.dopesheet);
        command.arg("convert").arg(input).arg("-o").arg(output).args(["--quiet", "--force"]);
        command
    }

    /// The motion in a file that three.js reads.
    fn readable(&self, motion: &Path) -> PathBuf {
        match has_extension(motion, &READ_BY_JUDGE) {
            true => motion.to_owned(),
            false => self.folder.join(format!("{}.glb", name(motion))),
        }
    }

    /// Makes that file. A motion of MikuMikuDance is that of the standard model, on its own frames.
    fn make_readable(&self, motion: &Path) -> Outcome<()> {
        let mut convert = self.convert(motion, &self.readable(motion));
        if has_extension(motion, &["vmd"]) {
            convert.args(["-m", "standard", "--partial", "--bake", "30"]);
        }
        refusal(&mut convert).map(|_| ())
    }
}

/// Message of a command that fails.
fn refusal(command: &mut Command) -> Outcome<Option<String>> {
    let output = command.output()?;
    Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}
