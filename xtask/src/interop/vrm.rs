//! The VRM add-on for Blender on avatars and motions that we write: where its joints are, and where our sampler has them.

use super::blender::{self, TOLERANCE_M, answer, convert};
use super::checkout::Checkout;
use crate::answers::{ask, judge};
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Version 4.5.0, with avatars that its own tests and others wrote.
const ADD_ON: Checkout = Checkout {
    folder: "blender/vrm-add-on",
    source: "https://github.com/saturday06/VRM-Addon-for-Blender",
    commit: "35c84e1401bc3a770eadc4a58da16049ae9bc6fe",
    paths: &["src/io_scene_vrm", "tests/resources"],
    variable: "DOPESHEET_VRM_ADD_ON",
};

/// Avatars of VRM 1.0 that dances are brought onto; `add-on:` names a file of its repository.
const AVATARS: [&str; 4] = [
    "samples/avatar.vrm",
    "add-on:unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
    "add-on:unity/VrmaRecorder/debug_robot.vrm",
    "add-on:vrm/5.2/out/basic_armature_vrm1.vrm",
];
/// One of VRM 0.x.
const OLD_AVATAR: &str = "add-on:vrm/5.2/out/basic_armature.vrm";

const DANCES: [&str; 2] = ["samples/bow.vmd", "samples/walk.vmd"];

/// Frames of the dances that are compared, at the rate of a new scene in Blender.
const FRAMES: std::ops::Range<u32> = 0..60;
const RATE_FPS: f64 = 24.0;

/// Brings dances onto avatars, and has them played by the add-on.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    let count = DANCES.len() * (2 * AVATARS.len() + 1);
    let Some(blender) = blender::environment(repo)? else {
        return Ok(Tally::missing(count, "Blender", blender::HOW_TO_GET_IT));
    };
    let Some(add_on) = ADD_ON.get(repo)? else {
        return Ok(Tally::missing(count, "the VRM add-on for Blender", &ADD_ON.how_to_get_it()));
    };
    if !repo::run("command", &mut repo::command_build(repo))? {
        return Ok(Tally::one(false));
    }
    let jobs = jobs(repo, &add_on)?;
    println!("\n── interop: {count} avatars in motion to Blender's VRM add-on");
    let package = add_on.join("src").to_string_lossy().into_owned();
    let answers = ask(&mut blender.python(repo, &["lab/blender/vrm.py", &package]), &jobs)?;
    answers.iter().for_each(|answer| println!("{answer}"));
    Ok(judge("vrm", &answers, count, |answer| answer["agrees"] == true))
}

/// Each dance on each avatar: in the avatar's own file, and as a VRMA that is made of that, but not on the one of VRM 0.x,
/// which takes none in Blender.
fn jobs(repo: &Repo, add_on: &Path) -> Outcome<Vec<Value>> {
    let folder = repo.target.join("blender/files");
    std::fs::create_dir_all(&folder)?;
    let mut jobs = Vec::new();
    for dance in DANCES {
        for name in AVATARS.into_iter().chain([OLD_AVATAR]) {
            let avatar = match name.strip_prefix("add-on:") {
                Some(name) => add_on.join("tests/resources").join(name),
                None => repo.root.join(name),
            };
            let moving = folder.join(format!("avatar-{}.vrm", jobs.len()));
            convert(repo, &[repo.root.join(dance), "--onto".into(), avatar.clone()], &moving)?;
            let sample = sample(repo, &moving)?;
            let plays = name != OLD_AVATAR;
            let job = |file: &Path, animation: Option<&Path>| json!({"file": file, "animation": animation, "plays": plays, "tolerance_m": TOLERANCE_M, "sample": sample});
            jobs.push(job(&moving, None));
            if plays {
                let motion = moving.with_extension("vrma");
                convert(repo, std::slice::from_ref(&moving), &motion)?;
                jobs.push(job(&avatar, Some(&motion)));
            }
        }
    }
    Ok(jobs)
}

/// Our joints on [`FRAMES`] of Blender's scene, in metres, in glTF's axes.
fn sample(repo: &Repo, file: &PathBuf) -> Outcome<Value> {
    let times: Vec<String> = FRAMES.map(|frame| (f64::from(frame) / RATE_FPS).to_string()).collect();
    let times = times.join(",");
    let asked = ["sample", "--json", "--space", "model", "--axes", "gltf", "--times", &times];
    answer(repo, &asked, std::slice::from_ref(file))
}
