//! FBX on the corpus of ufbx: all of it is read or refused, with the parts that ufbx counts and within limits of memory; its GLBs are
//! legal; and Blender's importers and Autodesk's SDK have joints and objects where we have them.

use super::blender::{self, TIMES, TOLERANCE_M, answer};
use super::checkout::Checkout;
use crate::answers::{ask, json_lines};
use crate::client_packages;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The corpus, at the commit that is compared with.
const CORPUS: Checkout = Checkout {
    folder: "ufbx",
    source: "https://github.com/ufbx/ufbx",
    commit: "fcc5d6ba444cfd3eb80677dba5e37e493941abe5",
    paths: &["data"],
    variable: "DOPESHEET_UFBX",
};

/// Least clips that have to agree, and least of them at all times: the counts at the commit of [`CORPUS`]. Fewer is a fault. Takes without a
/// single curve have no tracks, and are not compared.
const AGREE: usize = 137;
const AT_ALL_TIMES: usize = 53;

/// Least files that have to be read, of 683, and most whose GLB may have warnings.
const READ: usize = 673;
const WARNED: usize = 19;

/// Longer clips are files that try the limits of clocks; of others so many frames are sampled.
const LONGEST_S: f64 = 1000.0;
const MOST_FRAMES: usize = 300;

/// Files, by how their names start, whose curves have their keys at so different times that Blender's straight lines between them
/// show at all of them: they are compared with straight lines, too.
const CURVED: [&str; 1] = ["maya_extrapolate_cube"];

/// Files, by how their names start, in which only colours of materials move: Blender has nothing to compare, and its importer ends with a
/// fault of memory.
const PAINTED: [&str; 1] = ["maya_anim_diffuse_curve"];

/// Flags of a key in the format by which a cubic or a straight line follows.
const CUBIC: i64 = 0x8;
const LINEAR: i64 = 0x4;

/// Counts the parts of each file, converts and validates it, and compares clip by clip.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let Some(corpus) = CORPUS.get(repo)? else {
        return Ok(Tally::missing(3, "the corpus of ufbx", &CORPUS.how_to_get_it()));
    };
    if !repo::run("command", &mut repo::command_build(repo))? {
        return Ok(Tally::one(false));
    }
    let data = corpus.join("data");
    let mut tally = Tally::one(counts(repo, &data)?);
    tally += legal(repo, &data)?;
    tally += beside_blender(repo, &data)?;
    tally += super::sdk::run(repo, &data, files)?;
    Ok(tally)
}

/// True if the reader's test of the whole corpus passes.
fn counts(repo: &Repo, files: &Path) -> Outcome<bool> {
    let mut tests = repo.command("cargo", &["test", "--package", "dopesheet-fbx", "--test", "all"]);
    tests.args(["--", "--ignored", "--nocapture", "corpus::"]).env("DOPESHEET_FBX_FILES", files);
    repo::run("corpus", &mut tests)
}

/// The Khronos validator on the GLB of every file that is read: no errors, and in few files a warning: 18 have normal maps on meshes without
/// tangents, one pictures with a colour profile of their own.
fn legal(repo: &Repo, data: &Path) -> Outcome<Tally> {
    if let Some(missing) = client_packages::install(repo)?.missing(1) {
        return Ok(missing);
    }
    let folder = repo.target.join("ufbx/glb");
    let mut convert = Command::new(repo.dopesheet());
    convert.args(["convert", "--force", "--to", "glb", "--output"]).arg(&folder).args(files(data));
    // Some files are refused, which is a failure of the whole run.
    let _ = convert.output()?;
    let written: Vec<PathBuf> = with_extension(&folder, "glb");
    let mut validate = repo.command("node", &["clients/validate.mjs", "--codes"]);
    let answers = json_lines(validate.args(&written), &[])?;
    let illegal: Vec<&Value> = answers.iter().filter(|answer| answer["errors"] != 0).collect();
    let warned = answers.iter().filter(|answer| answer["warnings"] != 0).count();
    println!("{} GLBs: {} with errors, {warned} with warnings", answers.len(), illegal.len());
    illegal.iter().for_each(|answer| println!("FAILED: {answer}"));
    let is_whole = answers.len() == written.len() && written.len() >= READ;
    Ok(Tally::one(is_whole && illegal.is_empty() && warned <= WARNED))
}

fn beside_blender(repo: &Repo, data: &Path) -> Outcome<Tally> {
    let Some(python) = blender::environment(repo)? else {
        return Ok(Tally::missing(1, "Blender", blender::HOW_TO_GET_IT));
    };
    let jobs = jobs(repo, data)?;
    println!("\n── interop: {} takes of one layer to Blender, at up to {TIMES} times each", jobs.len());
    let answers = ask(&mut python.python(repo, &["lab/blender/fbx.py"]), &jobs)?;
    Ok(judge(&answers, jobs.len()))
}

/// The FBX files of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    with_extension(folder, "fbx")
}

fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let has_it =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(extension));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(has_it).collect();
    files.sort();
    files
}

/// A job for every clip that moves and whose take has one layer, as Blender's side takes it.
fn jobs(repo: &Repo, corpus: &Path) -> Outcome<Vec<Value>> {
    let mut jobs = Vec::new();
    for file in files(corpus) {
        // Some files of the corpus are there to be refused.
        let Ok(info) = answer(repo, &["info", "--json"], std::slice::from_ref(&file)) else { continue };
        let list = |name: &str| -> Vec<f64> {
            let words = info["facts"][name].as_str().unwrap_or_default().split(", ");
            words.filter_map(|word| word.split(' ').next()?.parse().ok()).collect()
        };
        let (starts, layers) = (list("takes begin at"), list("layers"));
        let clips = info["clips"].as_array().into_iter().flatten().enumerate();
        for (index, clip) in clips.filter(|(index, _)| layers.get(*index).is_none_or(|count| *count == 1.0)) {
            let start = starts.get(index).copied().unwrap_or(0.0);
            jobs.extend(job(repo, &file, (index, clip), start)?);
        }
    }
    Ok(jobs)
}

fn job(repo: &Repo, file: &Path, (index, clip): (usize, &Value), start: f64) -> Outcome<Option<Value>> {
    let duration = clip["duration_s"].as_f64().unwrap_or(0.0);
    let rate = clip["rate_fps"].as_f64().unwrap_or(0.0);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if PAINTED.iter().any(|start| name.starts_with(start)) {
        return Ok(None);
    }
    if clip["tracks"] == 0 || duration <= 0.0 || duration > LONGEST_S || rate <= 0.0 {
        return Ok(None);
    }
    // Whole frames on the clock of the file.
    let first = (start * rate - 1e-3).ceil() as i64;
    let last = ((start + duration) * rate + 1e-3).floor() as i64;
    let frames: Vec<i64> = (first..=last).take(MOST_FRAMES).collect();
    let times: Vec<String> = frames.iter().map(|frame| (*frame as f64 / rate - start).to_string()).collect();
    let (clip_word, times) = (format!("#{index}"), format!("--times={}", times.join(",")));
    let asked = ["sample", "--json", "--space", "model", "--axes", "gltf", "--clip", &clip_word, &times];
    let sample = answer(repo, &asked, &[file.to_owned()])?;
    let straight = match straightened(repo, file)? {
        Some(copy) => answer(repo, &asked, &[copy])?,
        None => Value::Null,
    };
    Ok(Some(json!({
        "file": file,
        "clip": clip["stored_name"].as_str().or(clip["name"].as_str()),
        "frames": frames,
        "times": TIMES,
        "tolerance_m": TOLERANCE_M,
        "sample": sample,
        "straight": straight,
    })))
}

/// A copy of a file of [`CURVED`] in which all curves go straight from key to key, by its twin that is text.
fn straightened(repo: &Repo, file: &Path) -> Outcome<Option<PathBuf>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if !CURVED.iter().any(|start| name.starts_with(start)) {
        return Ok(None);
    }
    let twin = name.replace("_binary", "_ascii");
    let text = std::fs::read_to_string(file.with_file_name(&twin))?;
    let copy = repo.target.join("blender/files").join(twin);
    std::fs::create_dir_all(copy.parent().unwrap_or(&repo.target))?;
    std::fs::write(&copy, straight(&text))?;
    Ok(Some(copy))
}

/// Text of a file with straight lines for its cubics.
fn straight(text: &str) -> String {
    let mut is_flags = false;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        match line.split_once("a: ").filter(|_| is_flags) {
            Some((indent, flags)) => {
                let flags: Vec<String> = flags.split(',').map(straight_flag).collect();
                out.extend([indent, "a: ", &flags.join(",")]);
            }
            None => out.push_str(line),
        }
        out.push('\n');
        is_flags = line.trim_start().starts_with("KeyAttrFlags:");
    }
    out
}

fn straight_flag(word: &str) -> String {
    match word.trim().parse::<i64>() {
        Ok(flag) if flag & CUBIC != 0 => (flag & !CUBIC | LINEAR).to_string(),
        _ => word.to_owned(),
    }
}

/// Counts clips that agree, names those that do so without ways of Blender that were taken back, and fails for all others.
fn judge(answers: &[Value], expected: usize) -> Tally {
    let compared: Vec<&Value> = answers.iter().filter(|answer| answer["compared"] == true).collect();
    let (near, far): (Vec<&Value>, Vec<&Value>) =
        compared.iter().partition(|answer| answer["agrees"] == true);
    let full = near.iter().filter(|answer| answer["times"].as_u64() >= Some(TIMES as u64)).count();
    let mut failed = expected - answers.len().min(expected);
    let mut explained = 0;
    for answer in &far {
        let name = Path::new(answer["file"].as_str().unwrap_or_default()).file_name().unwrap_or_default();
        let without = &answer["without"];
        let ways: Vec<&str> =
            without["ways"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if ways.is_empty() {
            failed += 1;
            println!("FAILED: {answer}");
        } else {
            explained += 1;
            let (name, ways, clip) = (name.to_string_lossy(), ways.join(", "), &answer["clip"]);
            println!("differs: {name} {clip}: {ways}; without, all agrees at {} times", without["times"]);
        }
    }
    println!(
        "{} takes agree within {} mm, {full} of them at {TIMES} times; {explained} do without what Blender does otherwise; {} \
         could not be compared",
        near.len(),
        TOLERANCE_M * 1e3,
        answers.len() - compared.len()
    );
    failed += usize::from(near.len() < AGREE) + usize::from(full < AT_ALL_TIMES);
    Tally { passed: near.len() + explained, failed, skipped: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(file: &str, agrees: bool) -> Value {
        json!({ "file": file, "clip": "x", "compared": true, "agrees": agrees, "times": TIMES, "without": null })
    }

    #[test]
    fn too_few_that_agree_and_differences_that_no_way_accounts_for_are_failures() {
        let many: Vec<Value> = (0..AGREE).map(|at| answer(&format!("{at}.fbx"), true)).collect();
        assert_eq!(judge(&many, AGREE), Tally { passed: AGREE, failed: 0, skipped: 0 });
        assert_eq!(judge(&many[1..], AGREE - 1).failed, 1, "one too few");
        let mut differs = answer("walk.fbx", false);
        assert_eq!(judge(&[many.clone(), vec![differs.clone()]].concat(), AGREE + 1).failed, 1);
        differs["without"] = json!({ "ways": ["origin at pivot"], "times": 3 });
        let explained = judge(&[many.clone(), vec![differs]].concat(), AGREE + 1);
        assert_eq!(explained, Tally { passed: AGREE + 1, failed: 0, skipped: 0 });
        assert_eq!(judge(&many, AGREE + 2).failed, 2, "two were not answered");
    }

    #[test]
    fn cubics_become_straight_lines_and_steps_stay() {
        let text = "\tKeyTime: *3 {\n\t\ta: 8,9,10\n\tKeyAttrFlags: *3 {\n\t\ta: 1032,258,24840\n\t}\n";
        let expected = text.replace("1032,258,24840", "1028,258,24836");
        assert_eq!(straight(text), expected);
    }
}
