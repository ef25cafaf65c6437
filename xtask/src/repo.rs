//! The checkout: where it is, which files are in it, and running programs there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The result of a task, or the reason it could not be done.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The profile in which tasks build: that of the tests, so that nothing is built twice.
pub(crate) const PROFILE: &str = "dev";

/// The profile of modules and pages in the tests of every change.
pub(crate) const QUICK_WASM: &str = "wasm-quick";
/// Tells tests that what they try was built in it, so that its size says nothing.
pub(crate) const QUICK: (&str, &str) = ("DOPESHEET_QUICK_BUILD", "1");

/// The command.
pub(crate) const COMMAND: &str = "dopesheet";
/// A small test, see [`build`].
const A_TEST: &str = "seeds";

/// The checkout this program was built from.
pub(crate) struct Repo {
    /// Its root.
    pub(crate) root: PathBuf,
    /// Where cargo puts what it builds.
    pub(crate) target: PathBuf,
    /// The members of the workspace, as `cargo metadata` lists them.
    pub(crate) packages: Vec<serde_json::Value>,
    /// True if tests that were skipped are named, and not only counted.
    pub(crate) names_skipped: bool,
}

impl Repo {
    /// The checkout around this crate.
    pub(crate) fn find() -> Outcome<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.parent().ok_or("xtask stands outside of a workspace")?.to_owned();
        let output = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(&root)
            .stderr(Stdio::inherit())
            .output()?;
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let target = metadata["target_directory"].as_str().ok_or("cargo metadata names no target folder")?;
        let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
        Ok(Self { root, target: target.into(), packages, names_skipped: false })
    }

    /// The files that are, or may become, part of the repository; relative, with forward slashes, sorted.
    pub(crate) fn files(&self) -> Outcome<Vec<String>> {
        let output = Command::new("git")
            // Also in a checkout that belongs to somebody else, as in many containers.
            .args(["-c", "safe.directory=*"])
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(&self.root)
            .output()?;
        let mut files: Vec<String> = String::from_utf8(output.stdout)?
            .split_terminator('\0')
            .filter(|file| self.root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        if files.is_empty() { Err("git lists no files".into()) } else { Ok(files) }
    }

    /// The version of the workspace, which all that is published has.
    pub(crate) fn version(&self) -> Outcome<String> {
        let command = self.packages.iter().find(|package| package["name"] == "dopesheet-cli");
        let version = command.and_then(|package| package["version"].as_str());
        Ok(version.ok_or("the workspace has no dopesheet-cli")?.to_owned())
    }

    /// Where programs of [`PROFILE`] are.
    pub(crate) fn programs(&self) -> PathBuf {
        self.target.join("debug")
    }

    /// The command, once it is built.
    pub(crate) fn dopesheet(&self) -> PathBuf {
        self.program(COMMAND)
    }

    /// A program of [`PROFILE`], once it is built.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The files of other people, which are not part of the repository; see `dopesheet-testkit`. They may be absent.
    pub(crate) fn corpus(&self) -> PathBuf {
        std::env::var_os("DOPESHEET_CORPUS").map_or_else(|| self.root.join("../shared/corpus"), PathBuf::from)
    }

    /// A program that will run in the root.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        // npm is a script, which Windows runs only by its full name.
        let program = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// A folder of a package, relative to the root, with forward slashes: `crates/core`.
    pub(crate) fn folder_of(&self, package: &serde_json::Value) -> String {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().and_then(|f| f.strip_prefix(&self.root).ok()).unwrap_or(manifest);
        folder.to_string_lossy().replace('\\', "/")
    }
}

/// The oldest Rust that a member of the workspace promises to build with.
pub(crate) fn oldest_rust(package: &serde_json::Value) -> Option<&str> {
    package["rust_version"].as_str()
}

/// Runs a program whose output goes to the terminal, and says what it is and how long it took. Whether it succeeded.
pub(crate) fn run(what: &str, command: &mut Command) -> Outcome<bool> {
    announce(what, command);
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    conclude(what, status.success(), start);
    Ok(status.success())
}

/// The command that builds programs of the workspace into [`Repo::programs`], of the very parts that its tests are built of.
///
/// Cargo gives a crate the features that all selected packages ask of it together, those of their tests only where a test is selected.
/// Any other selection would build many crates, our own among them, once more.
pub(crate) fn build(repo: &Repo, programs: &[&str]) -> Command {
    let mut command =
        repo.command("cargo", &["build", "--workspace", "--profile", PROFILE, "--test", A_TEST]);
    command.args(all_features());
    programs.iter().for_each(|program| {
        command.args(["--bin", program]);
    });
    command
}

/// Arguments for cargo that turn on the feature of the command that nobody gets without asking.
pub(crate) fn all_features() -> [&'static str; 2] {
    ["--features", "dopesheet-cli/table"]
}

/// The command that builds the program `dopesheet`.
pub(crate) fn command_build(repo: &Repo) -> Command {
    build(repo, &[COMMAND])
}

/// The program `dopesheet`: the one that DOPESHEET names, or else built now; none if that fails.
pub(crate) fn named_or_built(repo: &Repo) -> Outcome<Option<PathBuf>> {
    let named = std::env::var_os("DOPESHEET").map(PathBuf::from);
    if named.is_none() && !run("command", &mut command_build(repo))? {
        return Ok(None);
    }
    Ok(Some(named.unwrap_or_else(|| repo.dopesheet())))
}

/// As [`run`], and shows each line of standard output to `line` on its way to the terminal.
pub(crate) fn run_reading(what: &str, command: &mut Command, mut line: impl FnMut(&str)) -> Outcome<bool> {
    announce(what, command);
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    for text in BufReader::new(child.stdout.take().ok_or("no standard output")?).lines() {
        let text = text?;
        println!("{text}");
        line(&text);
    }
    let success = child.wait()?.success();
    conclude(what, success, start);
    Ok(success)
}

/// True if a program can be started at all.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    let program = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}

/// True if a target's standard library is there; if `install` says so, after it was fetched.
pub(crate) fn has_target(repo: &Repo, target: &str, install: bool) -> Outcome<bool> {
    let output = repo.command("rustc", &["--print", "target-libdir", "--target", target]).output()?;
    let folder = String::from_utf8(output.stdout)?;
    let installed = || Path::new(folder.trim()).is_dir();
    if !installed() && install && has("rustup", &["--version"]) {
        run(target, &mut repo.command("rustup", &["target", "add", target]))?;
    }
    Ok(installed())
}

fn announce(what: &str, command: &Command) {
    let arguments: Vec<_> = command.get_args().map(std::ffi::OsStr::to_string_lossy).collect();
    let text = format!("{} {}", command.get_program().display(), arguments.join(" "));
    let shown: String = text.chars().take(160).collect();
    println!("\n── {what}: {shown}{}", if shown.len() < text.len() { " …" } else { "" });
}

fn conclude(what: &str, success: bool, start: Instant) {
    let word = if success { "done" } else { "FAILED" };
    println!("── {what}: {word} in {:.1} s", start.elapsed().as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_is_where_the_tests_look_for_it() {
        assert_eq!(Repo::find().unwrap().corpus(), dopesheet_testkit::corpus_root());
    }
}
