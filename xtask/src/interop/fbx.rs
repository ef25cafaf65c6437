//! Blender's importers of FBX on the corpus of ufbx: where they have joints and objects, and where we have them.

use super::blender::{self, TIMES, TOLERANCE_M, answer};
use crate::answers::json_lines;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The corpus, and the commit that is compared with.
const CORPUS: &str = "https://github.com/ufbx/ufbx";
const COMMIT: &str = "fcc5d6ba444cfd3eb80677dba5e37e493941abe5";

/// Names a folder with that corpus's FBX files, or a git directory to take it from, where the network does not let it through.
const FOLDER: &str = "DOPESHEET_UFBX";

/// How many clips have to agree, and how many of them at all times: what was found at [`COMMIT`]. Fewer is a fault.
const AGREE: usize = 125;
const AT_ALL_TIMES: usize = 55;

/// Longer clips are files that try the limits of clocks; of others so many frames are sampled.
const LONGEST_S: f64 = 1000.0;
const MOST_FRAMES: usize = 300;

/// Takes that differ, by how names of files start, with what is known of it.
struct Difference {
    files: &'static [&'static str],
    /// What Blender does otherwise, where that was tried and accounts for all of it.
    why: Result<&'static str, &'static str>,
}

/// `Ok` is what was tried and found so; `Err` is what is seen, of which nobody knows the reason.
const DIFFERENCES: [Difference; 7] = [
    Difference {
        files: &[
            "maya_anim_pivot_rotate",
            "maya_child_pivots",
            "maya_equal_pivot_scale",
            "maya_null_pivots",
            "maya_pivot_offset",
            "maya_slime",
            "maya_split_pivot",
            "maya_zero_scale_pivot",
        ],
        why: Ok(
            "origins are moved to rotation pivots; the meshes that hang there have their vertices where we have them",
        ),
    },
    Difference {
        files: &["maya_anim_no_inherit_scale", "motionbuilder_sausage_rrss"],
        why: Ok(
            "every node takes over its parent's scale; ufbx, told to ignore inheritance, has the same places",
        ),
    },
    Difference {
        files: &["max2009_blob_5800", "max7_skin_5000", "synthetic_legacy_nonzero_material"],
        why: Ok("the file states no axes; with Z up, places are the same"),
    },
    Difference {
        files: &["maya_anim_linear", "maya_extrapolate_cube"],
        why: Ok("its curves are straight lines between keys where the file has steps and cubics"),
    },
    Difference {
        files: &[
            "maya_anim_interpolation",
            "maya_interpolation_modes",
            "maya_late_stepped_tangents",
            "maya_stepped_tangent_sign",
        ],
        why: Err(
            "off at a few keys of steps; at some of them it has the earlier of two values, at others neither",
        ),
    },
    Difference {
        files: &["maya_scale_no_inherit"],
        why: Err(
            "joints under parents whose scale they do not take over are where no way of inheritance puts them",
        ),
    },
    Difference {
        files: &["maya_human_ik"],
        why: Err("effectors of elbows and knees are 0.1 m away in the add-on; all joints agree"),
    },
];

/// Compares clip by clip.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let Some(python) = blender::environment(repo)? else {
        return Ok(Tally::missing(1, "Blender", blender::HOW_TO_GET_IT));
    };
    let Some(corpus) = corpus(repo)? else {
        let how = format!("name a folder or a git directory with {FOLDER}, or connect to {CORPUS}");
        return Ok(Tally::missing(1, "the corpus of ufbx", &how));
    };
    let mut build = repo::command_build(repo);
    if !repo::run("command", build.args(["--features", "dopesheet-cli/fbx"]))? {
        return Ok(Tally::one(false));
    }
    let jobs = jobs(repo, &corpus)?;
    let mut lines = Vec::new();
    for job in &jobs {
        serde_json::to_writer(&mut lines, job)?;
        lines.push(b'\n');
    }
    println!("\n── interop: {} takes of one layer to Blender, at up to {TIMES} times each", jobs.len());
    let answers = json_lines(&mut python.python(repo, &["clients/blender/fbx.py"]), &lines)?;
    Ok(judge(&answers, jobs.len()))
}

/// The folder with the files.
fn corpus(repo: &Repo) -> Outcome<Option<PathBuf>> {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    if let Some(folder) = named.as_ref().filter(|folder| !files(folder).is_empty()) {
        return Ok(Some(folder.clone()));
    }
    let checkout = repo.target.join("ufbx");
    let data = checkout.join("data");
    if files(&data).is_empty() {
        let source = named.map_or_else(|| CORPUS.to_owned(), |folder| folder.to_string_lossy().into_owned());
        let folder = checkout.to_string_lossy();
        let clone = ["clone", "--quiet", "--no-checkout", &source, &folder];
        let data = ["-C", &folder, "checkout", "--quiet", COMMIT, "--", "data"];
        if !(repo::run("corpus", &mut repo.command("git", &clone))?
            && repo::run("corpus", &mut repo.command("git", &data))?)
        {
            return Ok(None);
        }
    }
    Ok(Some(data))
}

/// The FBX files of a folder, sorted; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_fbx = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "fbx");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_fbx).collect();
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
        for (index, clip) in clips.filter(|(index, _)| layers.get(*index) == Some(&1.0)) {
            let start = starts.get(index).copied().unwrap_or(0.0);
            jobs.extend(job(repo, &file, (index, clip), start)?);
        }
    }
    Ok(jobs)
}

fn job(repo: &Repo, file: &Path, (index, clip): (usize, &Value), start: f64) -> Outcome<Option<Value>> {
    let duration = clip["duration_s"].as_f64().unwrap_or(0.0);
    let rate = clip["rate_fps"].as_f64().unwrap_or(0.0);
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
    Ok(Some(json!({
        "file": file,
        "clip": clip["name"],
        "frames": frames,
        "times": TIMES,
        "tolerance_m": TOLERANCE_M,
        "sample": sample,
    })))
}

/// Counts clips that agree, names those that differ as [`DIFFERENCES`] says, and fails for all others. What differs without a
/// known reason counts as not tried, so that nobody takes it for settled.
fn judge(answers: &[Value], expected: usize) -> Tally {
    let compared: Vec<&Value> = answers.iter().filter(|answer| answer["compared"] == true).collect();
    let (near, far): (Vec<&Value>, Vec<&Value>) =
        compared.iter().partition(|answer| answer["agrees"] == true);
    let full = near.iter().filter(|answer| answer["times"].as_u64() >= Some(TIMES as u64)).count();
    let mut failed = expected - answers.len().min(expected);
    let (mut explained, mut open) = (0, 0);
    for answer in &far {
        let file = answer["file"].as_str().unwrap_or_default();
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let known = DIFFERENCES.iter().find(|own| own.files.iter().any(|start| name.starts_with(start)));
        match known.map(|own| own.why) {
            Some(Ok(why)) => {
                explained += 1;
                println!("differs: {name} {}: {why}", answer["clip"]);
            }
            Some(Err(seen)) => {
                open += 1;
                println!("OPEN: {name} {}: {seen}", answer["clip"]);
            }
            None => {
                failed += 1;
                println!("FAILED: {answer}");
            }
        }
    }
    println!(
        "{} takes agree within {} mm, {full} of them at {TIMES} times; {explained} differ for a reason that was tried, {open} \
         for none that is known; {} could not be compared",
        near.len(),
        TOLERANCE_M * 1e3,
        answers.len() - compared.len()
    );
    failed += usize::from(near.len() < AGREE) + usize::from(full < AT_ALL_TIMES);
    Tally { passed: near.len(), failed, skipped: open }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(file: &str, agrees: bool) -> Value {
        json!({ "file": file, "clip": "x", "compared": true, "agrees": agrees, "times": TIMES })
    }

    #[test]
    fn too_few_that_agree_and_differences_of_no_known_kind_are_failures() {
        let many: Vec<Value> = (0..AGREE).map(|at| answer(&format!("{at}.fbx"), true)).collect();
        assert_eq!(judge(&many, AGREE), Tally { passed: AGREE, failed: 0, skipped: 0 });
        assert_eq!(judge(&many[1..], AGREE - 1).failed, 1, "one too few");
        let known = [many.clone(), vec![answer("maya_slime_7500.fbx", false)]].concat();
        assert_eq!(judge(&known, AGREE + 1).failed, 0);
        let open = [many.clone(), vec![answer("maya_human_ik_7400.fbx", false)]].concat();
        assert_eq!(judge(&open, AGREE + 1), Tally { passed: AGREE, failed: 0, skipped: 1 });
        let unknown = [many.clone(), vec![answer("walk.fbx", false)]].concat();
        assert_eq!(judge(&unknown, AGREE + 1).failed, 1);
        assert_eq!(judge(&many, AGREE + 2).failed, 2, "two were not answered");
    }
}
