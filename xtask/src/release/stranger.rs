//! A stranger's machine: an environment in which nothing of this checkout can be found, and how long the first result takes there.

use crate::repo::{self, Outcome};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The motion that a stranger opens first, in samples/.
pub(super) const SAMPLE: &str = "bow.vmd";

/// Folders of the programs that every system has.
const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

/// Takes from a program everything that its environment could tell it of this machine.
pub(super) fn as_stranger(command: &mut Command, folder: &Path) {
    command.current_dir(folder).env_clear().env("PATH", SYSTEM).env("HOME", folder);
    // Where packages come from is the machine's business, not the package's.
    let kept = [
        "PIP_INDEX_URL",
        "PIP_CERT",
        "PIP_FIND_LINKS",
        "NODE_EXTRA_CA_CERTS",
        "SSL_CERT_FILE",
        "LANG",
        "CHROMIUM",
    ];
    for name in kept {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

/// Times from an artifact to its first result.
pub(super) struct Stopwatch {
    start: Instant,
    installed: Option<Duration>,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self { start: Instant::now(), installed: None }
    }

    pub(super) fn installed(&mut self) {
        self.installed = Some(self.start.elapsed());
    }

    /// Prints both times.
    pub(super) fn first_result(&self, what: &str) {
        let all = self.start.elapsed().as_secs_f64();
        let installed = self.installed.map_or(0.0, |time| time.as_secs_f64());
        println!("{what}: installed after {installed:.1} s, first result after {all:.1} s");
    }
}

/// Runs a program as a stranger would. Whether it succeeded.
pub(super) fn run(what: &str, command: &mut Command, folder: &Path) -> Outcome<bool> {
    as_stranger(command, folder);
    repo::run(what, command)
}
