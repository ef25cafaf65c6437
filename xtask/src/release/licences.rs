//! The licences of the crates of others that an artifact holds, whose texts have to go with it.

use super::artifacts::{Artifacts, THIRD_PARTY as NAME};
use crate::lint;
use crate::repo::{self, Outcome};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The tool that finds the texts.
const TOOL: &str = "cargo-about";
const HEAD: &str = "\
Dopesheet is under the licences MIT and Apache-2.0, see LICENSE-MIT and LICENSE-APACHE. What is handed out here also holds
crates of others, which stay under their own. Where a crate comes without a text, that of its licence stands here.
";
/// Texts that the tool takes for none.
const UNKNOWN_TEXTS: [(&str, &str, &str); 1] =
    [("epaint_default_fonts", "MIT AND Bitstream-Vera", "fonts/Hack-Regular.txt")];

/// A crate of ours that is in an artifact, by its folder, and the features with which it is built.
pub(super) type Own = (&'static str, &'static [&'static str]);

/// Crates under one text: its licence, and their names and versions.
type Texts = BTreeMap<String, (String, BTreeSet<String>)>;

/// Writes [`NAME`] into a folder: the texts for all crates that ours are built of for a target. Whether they were found.
pub(super) fn gather(to: &Artifacts<'_>, own: &[Own], target: &str, folder: &Path) -> Outcome<bool> {
    let has = || repo::has("cargo", &["about", "--version"]);
    let install = ["install", "--quiet", "--locked", "--features", "cli", TOOL];
    if !has() && !repo::run(TOOL, &mut to.repo.command("cargo", &install))? {
        return Ok(false);
    }
    let work = to.empty("licences")?;
    let (settings, list) = (work.join("about.toml"), work.join("list.json"));
    let accepted = lint::accepted_licences();
    // What builds and tests our crates is in no artifact.
    let ignored = "ignore-build-dependencies = true\nignore-dev-dependencies = true\n";
    fs::write(&settings, format!("accepted = {accepted:?}\n{ignored}"))?;
    let mut texts = Texts::new();
    for (crate_folder, features) in own {
        let find = ["about", "generate", "--offline", "--fail", "--format", "json", "--target", target];
        let mut find = to.repo.command("cargo", &find);
        find.arg("--features").arg(features.join(" ")).arg("--config").arg(&settings);
        find.arg("--output-file").arg(&list).current_dir(to.repo.root.join(crate_folder));
        if !repo::run("licences", &mut find)? {
            return Ok(false);
        }
        add(&serde_json::from_slice(&fs::read(&list)?)?, &mut texts)?;
    }
    fs::write(folder.join(NAME), written(&texts))?;
    Ok(!texts.is_empty())
}

/// Adds what the tool found.
fn add(found: &Value, texts: &mut Texts) -> Outcome<()> {
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let title = |package: &Value| format!("{} {}", word(&package["name"]), word(&package["version"]));
    let mut put = |text: &str, licence: &str, title: String| {
        if !title.starts_with("dopesheet") {
            let text = text.trim_end().to_owned();
            texts.entry(text).or_insert_with(|| (licence.to_owned(), BTreeSet::new())).1.insert(title);
        }
    };
    for licence in items(&found["licenses"]) {
        let (text, id) = (word(&licence["text"]), word(&licence["id"]));
        items(&licence["used_by"]).iter().for_each(|user| put(&text, &id, title(&user["crate"])));
    }
    for package in items(&found["crates"]).iter().map(|of| &of["package"]) {
        for (_, licence, file) in UNKNOWN_TEXTS.iter().filter(|(name, ..)| package["name"] == *name) {
            let manifest = word(&package["manifest_path"]);
            put(&fs::read_to_string(Path::new(&manifest).with_file_name(file))?, licence, title(package));
        }
    }
    Ok(())
}

fn written(texts: &Texts) -> String {
    let mut sections: Vec<String> = texts
        .iter()
        .map(|(text, (licence, crates))| {
            let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
            format!("\n────────\n{licence}: {}\n\n{text}\n", crates.join(", "))
        })
        .collect();
    sections.sort();
    format!("{HEAD}{}", sections.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_stands_once_with_all_crates_under_it() {
        let used = |names: &[&str]| -> Value {
            names.iter().map(|name| json!({"crate": {"name": name, "version": "1.0.0"}})).collect()
        };
        let first = json!({"licenses": [
            {"id": "Zlib", "text": "z\n", "used_by": used(&["two"])},
            {"id": "MIT", "text": "m\n", "used_by": used(&["one", "dopesheet-core"])},
            {"id": "MIT", "text": "ours\n", "used_by": used(&["dopesheet"])},
        ]});
        let mut texts = Texts::new();
        add(&first, &mut texts).unwrap();
        let other = json!({"licenses": [{"id": "MIT", "text": "m\n", "used_by": used(&["three", "one"])}]});
        add(&other, &mut texts).unwrap();
        let expected = "\n────────\nMIT: one 1.0.0, three 1.0.0\n\nm\n\n────────\nZlib: two 1.0.0\n\nz\n";
        assert_eq!(written(&texts), format!("{HEAD}{expected}"));
    }
}
