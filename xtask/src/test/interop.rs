//! The programs in clients/ on what we write: every sample and every sound file of the corpus becomes a GLB, which
//! has to be legal and has to look in three.js and Babylon.js as our own sampler says. Edited it has to be legal still.

use crate::answers::{Random, json_lines, judge};
use crate::client_packages::Clients;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Random times per clip, besides its start and its end.
const TIMES_PER_CLIP: usize = 100;

/// The players that clips are compared with: three.js and Babylon.js.
const PLAYERS: [&str; 2] = ["three", "babylon"];

/// The folders of sound files in the corpus.
const CORPUS: [&str; 8] = ["mmd/vmd", "mmd/vpd", "mmd/pmx", "mmd/pmd", "mrtk", "more", "playcanvas", "gltf"];

/// Motions of the corpus and the models that they are played on, besides those of samples/ on the puppet.
const DANCES: [(&str, &str); 4] = [
    ("mmd/vmd/walk.vmd", "mmd/pmx/miku_animasa.pmx"),
    ("mmd/vmd/mmd_tools_test.vmd", "mmd/pmx/yw_test_model.pmx"),
    ("mmd/vmd/kishimen.vmd", "mmd/pmd/Miku_Hatsune_metal.pmd"),
    ("mmd/vmd/run.vmd", "standard"),
];

/// It converts, it is legal, each player agrees, it can be edited, and is legal then.
const TESTS_PER_FILE: usize = 4 + PLAYERS.len();

/// Operations after which a GLB has to be legal; there is no clip for which one of them makes no sense.
const OPERATIONS: [&str; 3] = ["shift 0.25", "retime --speed 0.5", "reverse"];

/// A file that is converted.
struct Job {
    input: PathBuf,
    output: PathBuf,
    /// The file whose nodes get the clip, if any.
    into: Option<PathBuf>,
    /// The model that it is played on, if any.
    model: Option<PathBuf>,
    /// Further options of the conversion.
    options: &'static [&'static str],
}

/// Converts, validates and compares with the command that `build` makes.
pub(crate) fn run(repo: &Repo, clients: &Clients, build: &mut Command) -> Outcome<Tally> {
    let folder = repo.target.join("interop");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let jobs = jobs(repo, &folder)?;
    if let Some(missing) = clients.missing(TESTS_PER_FILE * jobs.len()) {
        return Ok(missing);
    }
    if !repo::run("command", build)? {
        return Ok(Tally { failed: TESTS_PER_FILE * jobs.len(), ..Tally::default() });
    }
    let dopesheet = repo.dopesheet();
    let (written, mut tally) = convert_all(&dopesheet, &jobs)?;
    tally += validate_all(repo, &written)?;
    tally += compare_all(repo, &dopesheet, &written)?;
    let (edited, edits) = edit_all(&dopesheet, &written, &folder)?;
    tally += edits;
    tally += validate_all(repo, &edited)?;
    tally += absent_corpus(repo);
    Ok(tally)
}

/// One test for each folder of the corpus that is not there; how many files it would have nobody can tell.
fn absent_corpus(repo: &Repo) -> Tally {
    let root = repo.corpus();
    let absent: Vec<PathBuf> = CORPUS.iter().map(|f| root.join(f)).filter(|f| !f.is_dir()).collect();
    let Some(first) = absent.first() else { return Tally::default() };
    let how = "set DOPESHEET_CORPUS to the folder of third-party test files";
    Tally::missing(absent.len(), &format!("the corpus ({})", first.display()), how)
}

/// The samples, and the sound files of the corpus as far as there is one.
fn jobs(repo: &Repo, folder: &Path) -> Outcome<Vec<Job>> {
    let corpus = repo.corpus();
    let mut inputs = motions(&repo.root.join("samples"))?;
    for family in CORPUS {
        inputs.extend(motions(&corpus.join(family))?);
    }
    let output = |input: &Path| {
        let family = input.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        folder.join(format!("{family}-{name}.glb"))
    };
    let mut jobs: Vec<Job> = inputs
        .iter()
        .map(|i| Job { input: i.clone(), output: output(i), into: None, model: None, options: &[] })
        .collect();
    jobs.extend(dances(repo, folder)?);
    jobs.push(Job {
        input: repo.root.join("samples/bow.vmd"),
        output: folder.join("bow-english-unlit.glb"),
        into: None,
        model: Some("standard".into()),
        options: &["--names", "english", "--unlit"],
    });
    let (clip, character) = (repo.root.join("samples/wave.json"), repo.root.join("samples/character.glb"));
    if character.is_file() {
        jobs.push(Job {
            output: folder.join("samples-wave-into-character.glb"),
            input: clip,
            into: Some(character),
            model: None,
            options: &[],
        });
    }
    Ok(jobs)
}

/// Motions on models with a rig.
fn dances(repo: &Repo, folder: &Path) -> Outcome<Vec<Job>> {
    let (samples, corpus) = (motions(&repo.root.join("samples"))?, repo.corpus());
    let is_vmd = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "vmd");
    let on_puppet = samples.iter().filter(is_vmd).map(|motion| (motion.clone(), PathBuf::from("standard")));
    let model = |name: &str| if name == "standard" { PathBuf::from(name) } else { corpus.join(name) };
    let of_corpus = DANCES.iter().map(|(motion, name)| (corpus.join(motion), model(name)));
    let jobs = on_puppet.chain(of_corpus).filter(|(motion, _)| motion.is_file()).map(|(input, model)| {
        let [motion, figure] =
            [&input, &model].map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        let output = folder.join(format!("{motion}-on-{figure}.glb"));
        // A dance with bones that a model lacks is one all the same.
        Job { input, output, into: None, model: Some(model), options: &["--partial"] }
    });
    Ok(jobs.collect())
}

/// The files of a folder that hold a motion or a model; none if there is no such folder. GLB is left out: it would
/// stay what it is.
fn motions(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let named = |name: &str| path.file_name().is_some_and(|n| n == name);
        let is_motion = path.extension().is_some_and(|e| {
            ["vmd", "vpd", "pmx", "pmd", "bin", "ubi", "json", "gltf"].iter().any(|x| e == *x)
        });
        if is_motion && path.is_file() && !named("manifest.json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The files that were written; one test for each input.
fn convert_all(dopesheet: &Path, jobs: &[Job]) -> Outcome<(Vec<PathBuf>, Tally)> {
    println!("\n── interop: {} files to GLB", jobs.len());
    let (mut written, mut tally) = (Vec::new(), Tally::default());
    for job in jobs {
        let mut command = Command::new(dopesheet);
        command.args(["convert", "--quiet", "--force", "-o"]).arg(&job.output).arg(&job.input);
        if let Some(target) = &job.into {
            command.arg("--into").arg(target);
        }
        if let Some(model) = &job.model {
            command.arg("--model").arg(model);
        }
        command.args(job.options);
        let output = command.output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let refused = output.status.code() == Some(1) && !job.output.exists() && is_refusal(&stderr);
        tally += Tally::one(output.status.success() || refused);
        if output.status.success() {
            written.push(job.output.clone());
        } else if !refused {
            println!("FAILED: convert {}\n{stderr}", job.input.display());
        }
    }
    Ok((written, tally))
}

/// The files that were edited; one test for each.
fn edit_all(dopesheet: &Path, written: &[PathBuf], folder: &Path) -> Outcome<(Vec<PathBuf>, Tally)> {
    let (mut edited, mut tally) = (Vec::new(), Tally::default());
    for glb in written {
        let output = folder.join(format!("edited-{}", glb.file_name().unwrap_or_default().to_string_lossy()));
        let mut command = Command::new(dopesheet);
        command.args(["edit", "--quiet", "--force", "-o"]).arg(&output).arg(glb);
        command.args(OPERATIONS.iter().flat_map(|operation| ["-e", operation]));
        let answer = command.output()?;
        tally += Tally::one(answer.status.success());
        if answer.status.success() {
            edited.push(output);
        } else {
            println!("FAILED: edit {}\n{}", glb.display(), String::from_utf8_lossy(&answer.stderr));
        }
    }
    Ok((edited, tally))
}

/// True if a sound file holds no motion and no model, and the command says so: sounds, or a clip that only names the
/// file it plays.
fn is_refusal(said: &str) -> bool {
    said.contains("nothing to convert") || said.contains("cannot be converted")
}

/// One test for each file: no errors and no warnings.
fn validate_all(repo: &Repo, written: &[PathBuf]) -> Outcome<Tally> {
    println!("── interop: {} files to the Khronos validator", written.len());
    let mut command = repo.command("node", &["clients/validate.mjs"]);
    command.args(written);
    let is_clean = |answer: &Value| answer["errors"] == 0 && answer["warnings"] == 0;
    let answers = json_lines(&mut command, &[])?;
    Ok(judge("validate", &answers, written.len(), is_clean))
}

/// One test for each clip and player: it and we agree on it at random times.
fn compare_all(repo: &Repo, dopesheet: &Path, written: &[PathBuf]) -> Outcome<Tally> {
    let (mut jobs, mut count, mut tally) = (Vec::new(), 0, Tally::default());
    for glb in written {
        for (clip, times) in times_of_clips(dopesheet, glb)? {
            match sample(dopesheet, glb, clip, &times)? {
                Some(sample) => {
                    serde_json::to_writer(&mut jobs, &json!({ "glb": glb, "clip": clip, "sample": sample }))?;
                    jobs.push(b'\n');
                    count += 1;
                }
                None => tally.failed += 1,
            }
        }
    }
    for player in PLAYERS {
        println!("── interop: {count} clips to {player} at {} times each", TIMES_PER_CLIP + 2);
        if count > 0 {
            let mut command = repo.command("node", &["clients/compare.mjs", player]);
            let answers = json_lines(&mut command, &jobs)?;
            tally += judge(player, &answers, count, |answer| answer["agrees"] == true);
        }
    }
    Ok(tally)
}

/// The clips of a file by position, each with times to look at.
fn times_of_clips(dopesheet: &Path, glb: &Path) -> Outcome<Vec<(usize, String)>> {
    let info = json_lines(Command::new(dopesheet).args(["info", "--json"]).arg(glb), &[])?;
    let info = info.first().unwrap_or(&Value::Null);
    // Clips in which nothing moves that glTF knows are no animations; they come last.
    let animations = info["facts"]["animations"].as_str().and_then(|n| n.parse().ok());
    let animations = animations.ok_or_else(|| format!("info does not count animations: {info}"))?;
    let clips = info["clips"].as_array().map_or(&[][..], Vec::as_slice);
    let mut random = Random::new();
    let times = |clip: &Value| {
        let duration = clip["duration_s"].as_f64().unwrap_or(0.0);
        let random = (0..TIMES_PER_CLIP).map(|_| (random.next() * duration).to_string());
        let all: Vec<String> = ["0".to_owned(), duration.to_string()].into_iter().chain(random).collect();
        all.join(",")
    };
    Ok(clips.iter().take(animations).map(times).enumerate().collect())
}

/// The samples of our own sampler of a clip; `None`, with a message, if there are none.
fn sample(dopesheet: &Path, glb: &Path, clip: usize, times: &str) -> Outcome<Option<Value>> {
    let mut command = Command::new(dopesheet);
    command.args(["sample", "--axes", "gltf", "--json", "--clip", &format!("#{clip}"), "--times", times]);
    let document = json_lines(command.arg(glb), &[])?.into_iter().next();
    if document.is_none() {
        println!("FAILED: sample clip {clip} of {}", glb.display());
    }
    Ok(document)
}
