//! The changes, the list of parts, and the checksums.

use super::artifacts::Artifacts;
use crate::lab::hex;
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use std::fs;

/// The tool that lists what a program is made of.
const TOOL: &str = "cargo-cyclonedx";
const CHECKSUMS: &str = "SHA256SUMS";

/// Writes the notes and the list, and then the checksums of all that is there.
pub(super) fn make(to: &Artifacts<'_>) -> Outcome<Tally> {
    let changelog = fs::read_to_string(to.repo.root.join("CHANGELOG.md"))?;
    let notes = section(&changelog, &to.version).ok_or("CHANGELOG.md has no section for this version")?;
    fs::write(to.folder.join("NOTES.md"), notes)?;
    let mut tally = Tally::one(true);
    tally += Tally::one(list_of_parts(to)?);
    checksums(to)?;
    Ok(tally)
}

/// The section of a version; that of what is not released while there is none.
fn section(changelog: &str, version: &str) -> Option<String> {
    let of = |name: &str| {
        let start = changelog.find(&format!("\n## {name}"))? + 1;
        let rest = &changelog[start..];
        let end = rest[1..].find("\n## ").map_or(rest.len(), |at| at + 1);
        Some(format!("{}\n", rest[..end].trim_end()))
    };
    of(&format!("[{version}]")).or_else(|| of(version)).or_else(|| of("Unreleased"))
}

/// A list of all that the command is made of, in the form of CycloneDX.
fn list_of_parts(to: &Artifacts<'_>) -> Outcome<bool> {
    let has = || repo::has("cargo", &["cyclonedx", "--version"]);
    if !has() && !repo::run(TOOL, &mut to.repo.command("cargo", &["install", "--quiet", "--locked", TOOL]))? {
        return Ok(false);
    }
    let name = "dopesheet.cdx";
    let list = ["cyclonedx", "--format", "json", "--features", "table", "--override-filename", name];
    let manifest = to.repo.root.join("apps/cli/Cargo.toml");
    if !repo::run("parts", to.repo.command("cargo", &list).arg("--manifest-path").arg(&manifest))? {
        return Ok(false);
    }
    let mut written = None;
    // It writes a list beside the manifest of each member of the workspace.
    for package in &to.repo.packages {
        let file = to.repo.root.join(to.repo.folder_of(package)).join(format!("{name}.json"));
        if !file.is_file() {
            continue;
        }
        if package["name"] == "dopesheet-cli" {
            // It names our crates by their folders here.
            let text = fs::read_to_string(&file)?.replace(&*to.repo.root.to_string_lossy(), "/dopesheet");
            let list = to.folder.join("dopesheet.cdx.json");
            fs::write(&list, text)?;
            written = Some(list);
        }
        fs::remove_file(file)?;
    }
    // What is packed has been looked into by whoever packed it.
    let telltales = to.telltales(&to.folder)?;
    telltales.iter().for_each(|line| println!("FAILED: {line}"));
    Ok(written.is_some_and(|list| list.is_file()) && telltales.is_empty())
}

fn checksums(to: &Artifacts<'_>) -> Outcome<()> {
    let mut names: Vec<_> = fs::read_dir(&to.folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name != CHECKSUMS)
        .collect();
    names.sort();
    let mut lines = String::new();
    for name in names {
        lines.push_str(&format!("{}  {name}\n", hex(&fs::read(to.folder.join(&name))?)));
    }
    print!("\n{lines}");
    fs::write(to.folder.join(CHECKSUMS), lines)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn the_notes_are_the_section_of_the_version() {
        let log = "# Changelog\n\n## Unreleased\n\n* new\n\n## [0.2.0] - 2026\n\n* two\n\n## [0.1.0] - 2025\n\n* one\n";
        assert_eq!(section(log, "0.2.0").unwrap(), "## [0.2.0] - 2026\n\n* two\n");
        assert_eq!(section(log, "0.1.0").unwrap(), "## [0.1.0] - 2025\n\n* one\n");
        assert_eq!(section(log, "0.3.0").unwrap(), "## Unreleased\n\n* new\n");
        assert_eq!(section("# Changelog\n", "0.1.0"), None);
    }
}
