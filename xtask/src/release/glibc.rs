//! Programs for Linux that run with an old library of C: zig links them, which has the symbols of every version of glibc.

use crate::repo::{Outcome, Repo};
use crate::venv::Environment;
use crate::wheel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest glibc that Rust's own library runs with, which systems have had since 2013; and its tag in the names of wheels.
pub(super) const OLDEST: (u32, u32) = (2, 17);
pub(super) const TAG: &str = "manylinux2014";
/// The word by which every symbol names the version of glibc that it came with.
const VERSION: &[u8] = b"GLIBC_";

/// zig, and cargo's way to it.
pub(super) struct Zig {
    environment: Environment,
    program: PathBuf,
}

impl Zig {
    /// Those of PyPI, in an environment below the target folder.
    pub(super) fn get(repo: &Repo) -> Outcome<Self> {
        let python = wheel::interpreter().ok_or(wheel::HOW_TO_GET_PYTHON)?;
        let list = repo.root.join("xtask/src/release/requirements.txt");
        let environment =
            Environment::with(repo, "release-zig", python, &list)?.ok_or("zig could not be had from PyPI")?;
        let folder = "import os, ziglang; print(os.path.dirname(ziglang.__file__))";
        let output = environment.python(repo, &["-c", folder]).output()?;
        let program = Path::new(String::from_utf8(output.stdout)?.trim()).join("zig");
        Ok(Self { environment, program })
    }

    /// Tells a program that links by zig where that is.
    pub(super) fn tell(&self, command: &mut Command) {
        command.env("CARGO_ZIGBUILD_ZIG_PATH", &self.program);
    }

    /// The command that builds for a machine with [`OLDEST`].
    pub(super) fn build(&self, repo: &Repo, host: &str) -> Command {
        let program = self.environment.program("cargo-zigbuild");
        let mut command = repo.command(&program.to_string_lossy(), &["zigbuild", "--target"]);
        command.arg(format!("{}.{}.{}", host, OLDEST.0, OLDEST.1));
        self.tell(&mut command);
        command
    }
}

/// Whether no program or library in a folder asks for a newer glibc than [`OLDEST`]; true on systems without it.
pub(super) fn is_old_enough(folder: &Path, files: &[&str]) -> Outcome<bool> {
    let mut all_old = true;
    for file in files.iter().map(|file| folder.join(file)) {
        let newest = newest(&fs::read(&file)?);
        println!(
            "{}: asks for glibc {}",
            file.display(),
            newest.map_or("none".into(), |(a, b)| format!("{a}.{b}"))
        );
        all_old &= newest.is_none_or(|version| version <= OLDEST);
    }
    Ok(all_old)
}

/// The newest version of glibc that is named in a program.
fn newest(program: &[u8]) -> Option<(u32, u32)> {
    let starts = program.windows(VERSION.len()).enumerate().filter(|(_, bytes)| *bytes == VERSION);
    let versions = starts.filter_map(|(at, _)| {
        let text = &program[at + VERSION.len()..];
        let length = text.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let mut numbers = std::str::from_utf8(&text[..length]).ok()?.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::newest;

    #[test]
    fn the_newest_version_in_a_program_is_found_by_number() {
        let program = b"\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_PRIVATE\0GLIBC_2.9\0";
        assert_eq!(newest(program), Some((2, 17)));
        assert_eq!(newest(b"\x7fELF without any"), None);
    }
}
