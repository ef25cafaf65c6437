//! FBX by Autodesk's SDK, which FBX2glTF brings along: joints of its GLBs beside ours, measured by a reader of clients/honesty.

use crate::answers::ask;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package of npm with the program, which is for Linux on x86-64 here. It is installed below the target folder.
const PACKAGE: &str = "fbx2gltf@0.9.7";
const PROGRAM: &str = "node_modules/fbx2gltf/bin/Linux/FBX2glTF";

/// Names a folder of files as people have them.
const FOLDER: &str = "DOPESHEET_FBX";

const HOW_TO_GET_IT: &str = "get Linux on x86-64, node with npm, CPython 3.11 or newer with venv, and connections to the registries of both";
const HOW_TO_GET_FILES: &str = "name a folder of FBX files in it";

/// Frames per second at which the program samples.
const RATES: [u32; 3] = [24, 30, 60];

/// Time for a file, in seconds; some are made to take long.
const MOST_S: &str = "60";

/// Longest clip that is compared, in seconds; longer ones are files that try the limits of clocks.
const LONGEST_S: f64 = 1000.0;

/// Largest distance of a joint in parts of the figure's height.
const TOLERANCE: f64 = 1e-4;

/// Largest size of our animations by that of the program's at the rate of the file, in the median and of each.
const MEDIAN_SHARE: f64 = 0.9;
const LARGEST_SHARE: f64 = 1.15;

/// Least takes of ufbx's corpus that have to agree: the count at its pinned commit.
const AGREE: usize = 92;

/// Causes of differences that other measures show: the program starts a take at a whole frame of the file and of its rate, ends it with the
/// file, or plays all of the file; it samples a step on its other side.
const MEASURED: [(&str, &str); 2] = [
    (
        "shifted",
        "FBX2glTF starts the take elsewhere: at a whole frame, at the start of the file, or to end with a frame",
    ),
    ("stepped", "FBX2glTF has the other side of a step"),
];

/// Further causes, by how the names of files or takes start.
const CAUSES: [(&str, &[&str]); 5] = [
    // It calls this inheritance unsupported.
    (
        "FBX2glTF does not inherit scales as the file says, and says it",
        &[
            "maya_anim_no_inherit_scale",
            "maya_game_sausage",
            "maya_mixed_inherit_mode",
            "maya_scale_no_inherit_step",
            "maya_slime",
        ],
    ),
    // At rest the same lights are in the same place.
    (
        "FBX2glTF puts lights of version 5.8 at the origin",
        &["max2009_blob_5800", "synthetic_legacy_nonzero_material_5800"],
    ),
    // It plays the twin of version 7.5 as we play both.
    ("FBX2glTF plays a file of version 6.1 unlike its twin", &["max_transformed_skin_6100"]),
    // A key before a step to the next value counts for a tick of 2·10⁻¹¹ s, at which FBX2glTF samples.
    (
        "a GLB holds no value for a single tick of the file's clock",
        &[
            "maya_anim_interpolation",
            "maya_interpolation_modes",
            "maya_late_stepped_tangents",
            "maya_stepped_tangent_sign",
        ],
    ),
    // Unreal's last key is a step; the SDK has the slope of the last segment there.
    ("ours: ufbx ends an automatic slope flat at a last key that is a step", &["Unreal Take"]),
];

/// Converts, measures and counts the files of the corpus and of the folder that is named.
pub(super) fn run(repo: &Repo, corpus: &Path, files: fn(&Path) -> Vec<PathBuf>) -> Outcome<Tally> {
    let Some((program, python)) = programs(repo)? else {
        return Ok(Tally::missing(2, "FBX2glTF", HOW_TO_GET_IT));
    };
    let mut tally = compare(repo, (&program, &python), &files(corpus), AGREE)?;
    tally += match std::env::var_os(FOLDER) {
        Some(folder) => {
            let files = files(folder.as_ref());
            let mut tally = compare(repo, (&program, &python), &files, 1)?;
            tally += Tally::one(sizes(repo, &program, &files)?);
            tally
        }
        None => Tally::missing(1, FOLDER, HOW_TO_GET_FILES),
    };
    Ok(tally)
}

/// The program and the reader, installed unless they are there already.
fn programs(repo: &Repo) -> Outcome<Option<(PathBuf, Environment)>> {
    let folder = repo.target.join("fbx2gltf");
    let program = folder.join(PROGRAM);
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(None);
    }
    if !program.exists() {
        std::fs::create_dir_all(&folder)?;
        let mut install = repo.command("npm", &["install", "--no-save", "--prefix"]);
        if !repo::has("npm", &["--version"]) || !repo::run("FBX2glTF", install.arg(&folder).arg(PACKAGE))? {
            return Ok(None);
        }
    }
    // The package leaves out the permission to run it.
    repo::run("chmod", repo.command("chmod", &["+x"]).arg(&program))?;
    let list = repo.root.join("clients/honesty/requirements.txt");
    let python = wheel::interpreter().map(|python| Environment::with(repo, "honesty/python", python, &list));
    Ok(python.transpose()?.flatten().map(|python| (program, python)))
}

fn compare(
    repo: &Repo,
    (program, python): (&Path, &Environment),
    files: &[PathBuf],
    least: usize,
) -> Outcome<Tally> {
    let glbs = repo.target.join("fbx2gltf/glb");
    std::fs::create_dir_all(&glbs)?;
    let mut jobs = Vec::new();
    for (index, file) in files.iter().enumerate() {
        jobs.extend(job(repo, program, file, &glbs.join(index.to_string()))?);
    }
    println!("\n── interop: {} moving files of {} to Autodesk's SDK", jobs.len(), files.len());
    let answers = ask(&mut python.python(repo, &["-B", "clients/honesty/fbx.py"]), &jobs)?;
    Ok(judge(&answers, least))
}

/// Our GLB of a file that moves, with the program's at all rates.
fn job(repo: &Repo, program: &Path, file: &Path, stem: &Path) -> Outcome<Option<Value>> {
    let info = Command::new(repo.dopesheet()).args(["info", "--json"]).arg(file).output()?;
    // Some files are there to be refused.
    let Ok(info) = serde_json::from_slice::<Value>(&info.stdout) else { return Ok(None) };
    let clips = info["clips"].as_array().map_or(&[][..], Vec::as_slice);
    let length = |clip: &Value| if clip["tracks"] == 0 { None } else { clip["duration_s"].as_f64() };
    let longest = clips.iter().filter_map(length).fold(0.0, f64::max);
    if longest <= 0.0 || longest > LONGEST_S {
        return Ok(None);
    }
    let ours = stem.with_extension("glb");
    let _ = std::fs::remove_file(&ours);
    Command::new(repo.dopesheet())
        .args(["convert", "--force", "--between-frames", "stored", "--clip", "#all"])
        .arg(file)
        .arg("-o")
        .arg(&ours)
        .output()?;
    let mut theirs = serde_json::Map::new();
    for rate in RATES {
        let theirs_at = stem.with_extension(format!("{rate}.glb"));
        let _ = std::fs::remove_file(&theirs_at);
        let mut convert = Command::new("timeout");
        convert.arg(MOST_S).arg(program).args(["--binary", "--anim-framerate", &format!("bake{rate}")]);
        convert.arg("--input").arg(file).arg("--output").arg(&theirs_at).output()?;
        if theirs_at.exists() {
            theirs.insert(rate.to_string(), json!(theirs_at));
        }
    }
    let starts = info["facts"]["takes begin at"].as_str().unwrap_or_default().split(", ");
    let starts: Vec<f64> = starts.filter_map(|words| words.split(' ').next()?.parse().ok()).collect();
    let named =
        |clip: &Value| Some((clip["name"].as_str()?.to_owned(), clip["stored_name"].as_str()?.into()));
    let stored: serde_json::Map<String, Value> = clips.iter().filter_map(named).collect();
    let frames_per_s = clips.first().map(|clip| clip["rate_fps"].clone());
    Ok(Some(json!({
        "file": file,
        "ours": ours,
        "theirs": theirs,
        "starts": starts,
        "stored": stored,
        "frames_per_s": frames_per_s,
    })))
}

/// True if the animations of our GLBs are as small as they have to be beside those of the program at the rate of the file.
fn sizes(repo: &Repo, program: &Path, files: &[PathBuf]) -> Outcome<bool> {
    let folder = repo.target.join("fbx2gltf/sizes");
    std::fs::create_dir_all(&folder)?;
    let mut shares = Vec::new();
    for file in files {
        let info = Command::new(repo.dopesheet()).args(["info", "--json"]).arg(file).output()?;
        let info: Value = serde_json::from_slice(&info.stdout).unwrap_or_default();
        let Some(frames_per_s) = info["clips"][0]["rate_fps"].as_f64() else { continue };
        let distance = |rate: &u32| (f64::from(*rate) - frames_per_s).abs();
        let rate = RATES.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(RATES[1]);
        let [ours, theirs] = ["ours.glb", "theirs.glb"].map(|name| folder.join(name));
        [&ours, &theirs].iter().for_each(|written| drop(std::fs::remove_file(written)));
        Command::new(repo.dopesheet())
            .args(["convert", "--force"])
            .arg(file)
            .arg("-o")
            .arg(&ours)
            .output()?;
        let mut convert = Command::new("timeout");
        convert.arg(MOST_S).arg(program).args(["--binary", "--anim-framerate", &format!("bake{rate}")]);
        convert.arg("--input").arg(file).arg("--output").arg(&theirs).output()?;
        if let Some((ours, theirs)) = animation_bytes(&ours).zip(animation_bytes(&theirs)) {
            shares.push((ours as f64 / theirs as f64, file));
        }
    }
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((largest, median)) = shares.last().zip(shares.get(shares.len() / 2)) else { return Ok(false) };
    let (share, file) = (largest.0, largest.1.display());
    println!(
        "{} animations take {:.2} of the bytes of FBX2glTF's in the median, and at most {share:.2} ({file})",
        shares.len(),
        median.0
    );
    Ok(median.0 <= MEDIAN_SHARE && share <= LARGEST_SHARE)
}

/// Bytes of all accessors of a GLB's animations; `None` without animations.
fn animation_bytes(glb: &Path) -> Option<u64> {
    let bytes = std::fs::read(glb).ok()?;
    let length = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?);
    let json: Value = serde_json::from_slice(bytes.get(20..)?.get(..length as usize)?).ok()?;
    let samplers = json["animations"]
        .as_array()?
        .iter()
        .flat_map(|own| own["samplers"].as_array().into_iter().flatten());
    let accessors: BTreeSet<u64> = samplers
        .flat_map(|sampler| [sampler["input"].as_u64(), sampler["output"].as_u64()])
        .flatten()
        .collect();
    let size = |index: &u64| {
        let accessor = &json["accessors"][*index as usize];
        let width = match accessor["type"].as_str()? {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let number = if accessor["componentType"] == 5126 { 4 } else { 2 };
        Some(accessor["count"].as_u64()? * width * number)
    };
    Some(accessors.iter().filter_map(size).sum()).filter(|sum| *sum > 0)
}

/// Cause of a difference; `None` of one that nobody has explained.
fn cause(answer: &Value) -> Option<&'static str> {
    let is_near =
        |(measure, _): &&(&str, &str)| answer[*measure].as_f64().is_some_and(|apart| apart <= TOLERANCE);
    if let Some((_, cause)) = MEASURED.iter().find(is_near) {
        return Some(cause);
    }
    let name = Path::new(answer["file"].as_str()?).file_name()?.to_string_lossy();
    let take = answer["take"].as_str().unwrap_or_default();
    let has_name = |(_, starts): &&(&str, &[&str])| {
        starts.iter().any(|start| name.starts_with(start) || take.starts_with(start))
    };
    CAUSES.iter().find(has_name).map(|(cause, _)| *cause)
}

/// Counts takes that agree and those that differ, by cause, and fails for differences without one.
fn judge(answers: &[Value], least: usize) -> Tally {
    let (compared, others): (Vec<&Value>, Vec<&Value>) =
        answers.iter().partition(|answer| answer["apart"].is_f64());
    let agrees = |answer: &&Value| answer["apart"].as_f64().is_some_and(|apart| apart <= TOLERANCE);
    let (near, far): (Vec<&Value>, Vec<&Value>) = compared.into_iter().partition(agrees);
    let mut causes = std::collections::BTreeMap::<&str, usize>::new();
    let mut failed = usize::from(near.len() < least);
    for answer in &far {
        match cause(answer) {
            Some(cause) => *causes.entry(cause).or_default() += 1,
            None => {
                failed += 1;
                println!("FAILED: {answer}");
            }
        }
    }
    println!("{} takes agree within {TOLERANCE} of the height, at least {least} have to", near.len());
    causes.iter().for_each(|(cause, count)| println!("{count} differ: {cause}"));
    println!("{} could not be compared", others.len());
    Tally { passed: near.len() + far.len() - failed.min(far.len()), failed, skipped: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_without_a_cause_and_fewer_takes_that_agree_are_failures() {
        let answer = |apart: f64, shifted: f64| json!({ "file": "walk.fbx", "take": "Walk", "apart": apart, "shifted": shifted });
        let [near, late, far] = [answer(1e-5, 1.0), answer(0.1, 1e-5), answer(0.1, 0.1)];
        let all = [near, late, far, json!({ "file": "x.fbx", "why": "no joints of one name" })];
        assert_eq!(judge(&all[..2], 1), Tally { passed: 2, failed: 0, skipped: 0 });
        assert_eq!(judge(&all, 1), Tally { passed: 2, failed: 1, skipped: 0 });
        assert_eq!(judge(&all[..2], 2).failed, 1, "one too few");
    }
}
