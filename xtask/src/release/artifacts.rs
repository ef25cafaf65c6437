//! The folder of the artifacts, what may not stand in any of them, and how large they may be.

use super::glibc::Zig;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The profile of what is handed out, in Cargo.toml.
pub(super) const PROFILE: &str = "dist";

/// Name of the file with the licences of the crates of others, as those of our own start.
pub(super) const THIRD_PARTY: &str = "LICENSE-THIRD-PARTY";

/// The folder that all artifacts are put into.
pub(super) struct Artifacts<'a> {
    pub(super) repo: &'a Repo,
    pub(super) folder: PathBuf,
    pub(super) version: String,
}

impl<'a> Artifacts<'a> {
    pub(super) fn new(repo: &'a Repo) -> Outcome<Self> {
        let folder = repo.target.join("artifacts");
        fs::create_dir_all(&folder)?;
        Ok(Self { repo, folder, version: repo.version()? })
    }

    /// The triple of this machine.
    pub(super) fn host(&self) -> Outcome<String> {
        let output = self.repo.command("rustc", &["--version", "--verbose"]).output()?;
        let text = String::from_utf8(output.stdout)?;
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Ok(host.ok_or("rustc names no host")?.to_owned())
    }

    /// Takes everything away that an earlier release left.
    pub(super) fn emptied(repo: &'a Repo) -> Outcome<Tally> {
        fs::remove_dir_all(Self::new(repo)?.folder)?;
        Ok(Tally::one(true))
    }

    /// A folder below target/ that is empty.
    pub(super) fn empty(&self, name: &str) -> Outcome<PathBuf> {
        let folder = self.repo.target.join("release-check").join(name);
        if folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Copies a file to the artifacts.
    pub(super) fn take(&self, file: &Path) -> Outcome<PathBuf> {
        let to = self.folder.join(file.file_name().ok_or("a file without a name")?);
        fs::copy(file, &to)?;
        Ok(to)
    }

    /// A build of what is handed out, which names no folder of this machine in what it makes.
    pub(super) fn build(&self, zig: Option<&Zig>, arguments: &[&str]) -> Outcome<Command> {
        let mut command = match zig {
            Some(zig) => zig.build(self.repo, &self.host()?),
            None => self.repo.command("cargo", &["build"]),
        };
        self.hide_folders(command.args(["--profile", PROFILE, "--locked"]).args(arguments));
        Ok(command)
    }

    /// The folder of what [`Self::build`] builds.
    pub(super) fn programs(&self) -> Outcome<PathBuf> {
        let folder = if self.uses_glibc()? { self.host()? } else { String::new() };
        Ok(self.repo.target.join(folder).join(PROFILE))
    }

    /// What links programs of this machine, if they use glibc, of which an old one has to do.
    pub(super) fn zig(&self) -> Outcome<Option<Zig>> {
        self.uses_glibc()?.then(|| Zig::get(self.repo)).transpose()
    }

    fn uses_glibc(&self) -> Outcome<bool> {
        Ok(self.host()?.ends_with("-linux-gnu"))
    }

    /// Makes the compiler write other names for the folders of this machine.
    pub(super) fn hide_folders(&self, command: &mut Command) {
        let value = command.get_envs().find(|(name, _)| *name == "RUSTFLAGS").and_then(|(_, flags)| flags);
        let value = value.map(|flags| flags.to_string_lossy().into_owned()).unwrap_or_default();
        let mut flags: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
        let folders = self.private_folders();
        flags.extend(
            folders.iter().map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display())),
        );
        // Each flag is one word, whatever is in it; they replace those of RUSTFLAGS.
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    }

    /// Folders that say whose machine this is, and the names that stand for them; an inner one comes behind those around it.
    fn private_folders(&self) -> Vec<(PathBuf, &'static str)> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from);
        let home = variable("HOME").or_else(|| variable("USERPROFILE"));
        let inside = |name| home.as_ref().map(|home| home.join(name));
        let cargo = variable("CARGO_HOME").or_else(|| inside(".cargo"));
        let rustup = variable("RUSTUP_HOME").or_else(|| inside(".rustup"));
        let mut folders = Vec::new();
        folders.extend(home.clone().map(|home| (home, "/home")));
        folders.extend(cargo.map(|cargo| (cargo, "/cargo")));
        folders.extend(rustup.map(|rustup| (rustup, "/rustup")));
        folders.push((self.repo.root.clone(), "/dopesheet"));
        folders.push((self.repo.target.clone(), "/target"));
        folders
    }

    /// The files in a folder that name a folder of this machine.
    pub(super) fn telltales(&self, folder: &Path) -> Outcome<Vec<String>> {
        let folders = self.private_folders();
        let mut lines = Vec::new();
        for file in files_below(folder)? {
            let bytes = fs::read(&file)?;
            for (private, _) in &folders {
                let name = private.to_string_lossy();
                // `/` and `/root` alone are no sign of anything.
                if name.matches('/').count() > 1 && contains(&bytes, name.as_bytes()) {
                    lines.push(format!("{} names {name}", file.display()));
                }
            }
        }
        Ok(lines)
    }

    /// Unpacks an archive into an empty folder and reports what names folders of this machine. `None` if it cannot be unpacked.
    pub(super) fn unpack(&self, archive: &Path, name: &str) -> Outcome<Option<PathBuf>> {
        let folder = self.empty(name)?;
        let is_zip = archive.extension().is_some_and(|extension| extension == "whl");
        let mut command = match is_zip {
            true => self.repo.command("python3", &["-m", "zipfile", "-e"]),
            false => self.repo.command("tar", &["-xf"]),
        };
        command.arg(archive);
        if is_zip {
            command.arg(&folder);
        } else {
            command.arg("-C").arg(&folder);
        }
        if !repo::run("unpack", &mut command)? {
            return Ok(None);
        }
        let telltales = self.telltales(&folder)?;
        telltales.iter().for_each(|line| println!("FAILED: {line}"));
        Ok(telltales.is_empty().then_some(folder))
    }

    /// As [`Self::unpack`]; whether nothing was wrong, and the licences of the crates of others are in it.
    pub(super) fn is_clean(&self, archive: &Path, name: &str) -> Outcome<bool> {
        let Some(folder) = self.unpack(archive, name)? else { return Ok(false) };
        let has_licences = files_below(&folder)?.iter().any(|file| file.ends_with(THIRD_PARTY));
        if !has_licences {
            println!("FAILED: expected {} in {}, found none", THIRD_PARTY, archive.display());
        }
        Ok(has_licences)
    }

    /// Packs a folder, which stands alone in `around`, as NAME.tar.xz: a third smaller than with gzip.
    pub(super) fn pack(&self, around: &Path, name: &str) -> Outcome<PathBuf> {
        let archive = self.folder.join(format!("{name}.tar.xz"));
        let mut command = self.repo.command("tar", &["-cJf"]);
        // The same files make the same archive.
        command.arg(&archive);
        // Words of GNU's program, which other systems do not have.
        if cfg!(target_os = "linux") {
            command.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"]);
        }
        if !repo::run("pack", command.arg("-C").arg(around).arg(name))? {
            return Err(format!("{} could not be packed", archive.display()).into());
        }
        Ok(archive)
    }
}

/// Says how large a file is, and whether that is no more than it may be.
pub(super) fn is_small(file: &Path, most_bytes: u64) -> Outcome<bool> {
    let bytes = fs::metadata(file)?.len();
    let name = file.file_name().map(OsString::from).unwrap_or_default();
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!("{}: {:.2} MB of {:.2} MB", name.display(), megabytes(bytes), megabytes(most_bytes));
    Ok(bytes <= most_bytes)
}

/// All files in a folder and in those inside it.
pub(super) fn files_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => folders.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// True if some bytes stand in others.
fn contains(bytes: &[u8], word: &[u8]) -> bool {
    let Some(first) = word.first() else { return true };
    let starts = bytes.iter().enumerate().filter(|(_, byte)| *byte == first);
    starts.into_iter().any(|(at, _)| bytes[at..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_this_machine_is_found_in_a_file() {
        assert!(contains(b"\0\x01/of/mine/src/lib.rs\0", b"/of/mine"));
        assert!(!contains(b"/of/min", b"/of/mine"));
        let repo = Repo::find().unwrap();
        let artifacts = Artifacts::new(&repo).unwrap();
        let folder = artifacts.empty("telltales").unwrap();
        fs::write(folder.join("clean"), "/dopesheet/crates/core/src/lib.rs").unwrap();
        assert!(artifacts.telltales(&folder).unwrap().is_empty());
        fs::write(folder.join("told"), repo.target.join("debug").to_string_lossy().as_bytes()).unwrap();
        assert!(!artifacts.telltales(&folder).unwrap().is_empty());
    }
}
