//! A run over a folder that is killed and goes on.

use crate::repo::{self, Outcome, Repo};

/// Number of files that are converted, and number of times that the run is killed.
const FILES: &str = "10000";
const KILLS: &str = "20";

/// Converts ten thousand files, kills the run at twenty random moments, goes on each time, and compares with a run that
/// nobody disturbed. Whether they are equal byte for byte.
pub(crate) fn run(repo: &Repo, seed: u64) -> Outcome<bool> {
    let test =
        ["test", "--release", "--package", "dopesheet-cli", "--test", "all", "--", "--nocapture", "killed"];
    let mut command = repo.command("cargo", &test);
    command
        .env("DOPESHEET_FILES", FILES)
        .env("DOPESHEET_KILLS", KILLS)
        .env("DOPESHEET_SEED", seed.to_string());
    let (mut ran, mut killed) = (0, 0);
    let success = repo::run_reading("kills", &mut command, |line| {
        ran += usize::from(line.starts_with("test result: ok. 1 passed"));
        killed += usize::from(line.starts_with("kill "));
    })?;
    Ok(success && ran == 1 && killed.to_string() == KILLS)
}
