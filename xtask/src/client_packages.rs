//! The packages of npm that the programs in clients/ need.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;

pub(crate) const HOW_TO_GET_NODE: &str =
    "get node 20 or newer with npm from https://nodejs.org or your system's packages";
const HOW_TO_GET_PACKAGES: &str = "run `npm ci` in clients/ with a connection to the npm registry";

/// State of the programs in clients/.
pub(crate) enum Clients {
    /// They can be run.
    Ready,
    /// They cannot be run.
    Missing {
        /// The missing program or package.
        what: &'static str,
        /// The way to get it.
        how_to_get_it: &'static str,
    },
}

impl Clients {
    /// `count` tests that could not be run, if so.
    pub(crate) fn missing(&self, count: usize) -> Option<Tally> {
        match self {
            Self::Ready => None,
            Self::Missing { what, how_to_get_it } => Some(Tally::missing(count, what, how_to_get_it)),
        }
    }
}

/// Installs what the lock file names, unless it is there already.
pub(crate) fn install(repo: &Repo) -> Outcome<Clients> {
    if !repo::has("node", &["--version"]) || !repo::has("npm", &["--version"]) {
        return Ok(Clients::Missing { what: "node", how_to_get_it: HOW_TO_GET_NODE });
    }
    let folder = repo.root.join("clients");
    let lock = std::fs::read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(Clients::Ready);
    }
    if !repo::run("client packages", repo.command("npm", &["ci"]).current_dir(&folder))? {
        return Ok(Clients::Missing { what: "a package of clients/", how_to_get_it: HOW_TO_GET_PACKAGES });
    }
    std::fs::write(stamp, lock)?;
    Ok(Clients::Ready)
}
