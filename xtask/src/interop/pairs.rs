//! Motions of others on avatars of others, from the folders that two variables name: 200 pairs, which the tests of `dopesheet` judge.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;

/// Variables that name the folders.
const FOLDERS: [&str; 2] = ["DOPESHEET_CLIPS", "DOPESHEET_AVATARS"];

const HOW_TO_GET_IT: &str = "name a folder of motions (BVH, FBX, GLB, VRMA, VMD, npz) in DOPESHEET_CLIPS and one of figures (VRM, GLB, PMX) \
                             in DOPESHEET_AVATARS";

/// Converts and judges them.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    if let Some(folder) = FOLDERS.into_iter().find(|name| std::env::var_os(name).is_none()) {
        return Ok(Tally::missing(1, folder, HOW_TO_GET_IT));
    }
    let package = ["test", "--package", "dopesheet", "--features", "research", "--test", "all"];
    let mut command = repo.command("cargo", &package);
    let tests = command.args(["--", "--ignored", "--nocapture", "wild_pairs::"]);
    Ok(Tally::one(repo::run("pairs", tests)?))
}
