//! The recipes in docs/recipes: several workers of Ray and of Spark, one of which is killed.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel;
use std::fs;

const HOW_TO_GET_THEM: &str = "get CPython 3.11 or newer with venv, a connection to the package index of pip, and Java 17 or newer for Spark";

/// Number of files that are converted, one of them damaged.
const FILES: usize = 600;

/// Runs a recipe undisturbed and disturbed, and compares. `name` is ray or spark.
pub(crate) fn run(repo: &Repo, name: &str) -> Outcome<Tally> {
    let scripts = repo.root.join("clients/scaling");
    let has_java = name != "spark" || repo::has("java", &["-version"]);
    let environment = wheel::interpreter()
        .filter(|_| has_java)
        .map(|python| Environment::with(repo, "scaling/python", python, &scripts.join("requirements.txt")))
        .transpose()?;
    let Some(environment) = environment.flatten() else {
        return Ok(Tally::missing(1, name, HOW_TO_GET_THEM));
    };
    let Some(built) = wheel::wheel_for_others(repo)? else { return Ok(Tally::one(false)) };
    let mut install = environment.pip(repo, &["--force-reinstall", "--no-deps"]);
    if !repo::run("wheel", install.arg(built))? {
        return Ok(Tally::one(false));
    }
    let folder = repo.target.join("scaling").join(name);
    let _ = fs::remove_dir_all(&folder);
    let walk = fs::read(repo.root.join("samples/walk.vmd"))?;
    for index in 0..FILES {
        let below = folder.join(format!("in/{}", index % 7));
        fs::create_dir_all(&below)?;
        let mut bytes = walk.clone();
        // The model's name starts at byte 30: no two files, and so no two outputs, are equal.
        bytes.get_mut(30..34).ok_or("walk.vmd is short")?.copy_from_slice(format!("{index:04}").as_bytes());
        fs::write(below.join(format!("{index}.vmd")), bytes)?;
    }
    fs::write(folder.join("in/0/cut.vmd"), walk.get(..1000).ok_or("walk.vmd is short")?)?;
    let mut command = environment.python(repo, &[]);
    command.arg(scripts.join("kill_one.py")).arg(name).arg(folder.join("in")).arg(&folder);
    let held = repo::run(name, &mut command)?;
    if held {
        fs::remove_dir_all(&folder)?;
    }
    Ok(Tally::one(held))
}
