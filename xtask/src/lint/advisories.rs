//! Advisories of RustSec about the crates in Cargo.lock, where the database can be had.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use semver::{Version, VersionReq};
use std::path::{Path, PathBuf};

/// The database of advisories.
const DATABASE: &str = "https://github.com/rustsec/advisory-db";

/// Names a folder that has the database, or a git directory to take it from, where the network does not let it through.
const FOLDER: &str = "DOPESHEET_ADVISORIES";

/// Least crates that the whole database is about. It had more in 2024.
const LEAST_CRATES: usize = 400;

/// Looks up every crate. Without the database nothing is tried, which is said and is no failure: not even CI need have a network.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    let Some(crates) = database(repo)? else {
        eprintln!(
            "\nSKIPPED: advisories about dependencies: the database is not there; connect to {DATABASE}, or name a folder or a git \
             directory with {FOLDER}"
        );
        return Ok(Tally { skipped: 1, ..Tally::default() });
    };
    let used = packages(&std::fs::read_to_string(repo.root.join("Cargo.lock"))?);
    let (mut looked_at, mut failed) = (0, 0);
    for (name, version) in &used {
        for advisory in advisories(&crates.join(name))? {
            looked_at += 1;
            if advisory.is_about(version) {
                failed += usize::from(advisory.informational.is_none());
                println!("{}: {name} {version}: {}", advisory.severity(), advisory.id);
            }
        }
    }
    println!("\n── advisories: {} crates, {looked_at} advisories about them", used.len());
    Ok(Tally::one(failed == 0 && !used.is_empty()))
}

/// The folder of the database with a folder for each crate, as new as it can be had.
fn database(repo: &Repo) -> Outcome<Option<PathBuf>> {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    if let Some(crates) = named.as_ref().map(|folder| folder.join("crates")).filter(|crates| is_whole(crates))
    {
        return Ok(Some(crates));
    }
    let checkout = repo.target.join("advisory-db");
    let crates = checkout.join("crates");
    let place = checkout.to_string_lossy();
    let source = named.map_or_else(|| DATABASE.to_owned(), |folder| folder.to_string_lossy().into_owned());
    let arguments = match crates.is_dir() {
        true => vec!["-C", &*place, "pull", "--quiet", "--ff-only"],
        false => vec!["clone", "--quiet", "--depth", "1", &source, &place],
    };
    // A network that answers nothing is none.
    let patience = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30"];
    let mut git = repo.command("git", &[&patience[..], &arguments].concat());
    let is_new = repo::run("advisories", git.env("GIT_TERMINAL_PROMPT", "0"))?;
    if !is_new && crates.is_dir() {
        println!("the advisories are those of an earlier run");
    }
    Ok(Some(crates).filter(|crates| is_whole(crates)))
}

fn is_whole(crates: &Path) -> bool {
    std::fs::read_dir(crates).is_ok_and(|entries| entries.count() >= LEAST_CRATES)
}

/// Names and versions of the crates of a registry in a Cargo.lock.
fn packages(lock: &str) -> Vec<(String, Version)> {
    let field = |block: &str, name: &str| {
        let start = format!("{name} = \"");
        block
            .lines()
            .find_map(|line| Some(line.strip_prefix(start.as_str())?.trim_end_matches('"').to_owned()))
    };
    let of_registry =
        |block: &&str| field(block, "source").is_some_and(|source| source.starts_with("registry+"));
    lock.split("[[package]]")
        .filter(of_registry)
        .filter_map(|block| Some((field(block, "name")?, field(block, "version")?.parse().ok()?)))
        .collect()
}

/// An advisory about a crate.
#[derive(Debug, PartialEq, Eq)]
struct Advisory {
    id: String,
    is_withdrawn: bool,
    /// The kind of one that tells of no vulnerability, such as `unmaintained`.
    informational: Option<String>,
    /// Versions that it is not about.
    sound: Vec<VersionReq>,
}

impl Advisory {
    /// Reads the fields at the start of an advisory, which are TOML between lines of three backquotes.
    fn parse(text: &str) -> Option<Self> {
        let fields = text.split("```").nth(1)?.trim_start_matches("toml");
        let text_of = |name: &str| {
            let line =
                fields.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='));
            line.map(|value| value.trim().trim_matches('"').to_owned())
        };
        let list_of = |name: &str| -> Option<Vec<VersionReq>> {
            let at = fields.find(&format!("\n{name} = ["))?;
            let (list, _) = fields[at..].split_once('[')?.1.split_once(']')?;
            list.split('"').skip(1).step_by(2).map(|range| VersionReq::parse(range).ok()).collect()
        };
        let sound = ["patched", "unaffected"].into_iter().filter_map(list_of).flatten().collect();
        Some(Self {
            id: text_of("id")?,
            is_withdrawn: text_of("withdrawn").is_some(),
            informational: text_of("informational"),
            sound,
        })
    }

    fn is_about(&self, version: &Version) -> bool {
        !self.is_withdrawn && !self.sound.iter().any(|range| range.matches(version))
    }

    fn severity(&self) -> &str {
        self.informational.as_deref().unwrap_or("FAILED")
    }
}

/// The advisories in a crate's folder; none if there is no such folder.
fn advisories(folder: &Path) -> Outcome<Vec<Advisory>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "md")) {
        let text = std::fs::read_to_string(&path)?;
        let advisory = Advisory::parse(&text);
        found.push(advisory.ok_or_else(|| format!("{}: expected an advisory, found none", path.display()))?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2024-0001\"\npackage = \"a\"\ndate = \"2024-01-01\"\n\n\
                        [versions]\npatched = [\n  \">= 1.2.3\",\n  \"^0.9.7\",\n]\nunaffected = [\"< 0.5.0\"]\n```\n\n# It crashes\n";

    fn is_about(text: &str, version: &str) -> bool {
        Advisory::parse(text).unwrap().is_about(&version.parse().unwrap())
    }

    #[test]
    fn an_advisory_is_about_what_is_neither_mended_nor_older() {
        assert_eq!(Advisory::parse(TEXT).unwrap().id, "RUSTSEC-2024-0001");
        assert!(is_about(TEXT, "1.2.2") && is_about(TEXT, "0.9.6") && is_about(TEXT, "0.5.0"));
        assert!(!is_about(TEXT, "1.2.3") && !is_about(TEXT, "0.9.7") && !is_about(TEXT, "0.4.9"));
        assert!(is_about(&TEXT.replace("\">= 1.2.3\",\n  \"^0.9.7\",\n", ""), "2.0.0"), "nothing is mended");
    }

    #[test]
    fn what_was_withdrawn_is_about_nothing_and_what_only_informs_is_no_failure() {
        let withdrawn = TEXT.replace("date =", "withdrawn = \"2024-02-02\"\ndate =");
        assert!(!is_about(&withdrawn, "1.0.0"));
        let unmaintained = TEXT.replace("date =", "informational = \"unmaintained\"\ndate =");
        assert_eq!(Advisory::parse(&unmaintained).unwrap().severity(), "unmaintained");
        assert_eq!(Advisory::parse(TEXT).unwrap().severity(), "FAILED");
        assert_eq!(Advisory::parse("# no fields"), None);
    }

    #[test]
    fn crates_of_a_registry_are_found_in_our_own_lock() {
        let repo = Repo::find().unwrap();
        let used = packages(&std::fs::read_to_string(repo.root.join("Cargo.lock")).unwrap());
        assert!(used.len() > 100, "{}", used.len());
        assert!(used.iter().all(|(name, _)| name != "xtask" && !name.starts_with("dopesheet")));
        assert!(used.iter().any(|(name, _)| name == "serde_json"));
    }
}
