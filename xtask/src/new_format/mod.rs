//! `cargo xtask new-format`: an empty room whose tests fail until it is furnished.

mod names;

use crate::repo::{self, Outcome, Repo};
use names::Names;

/// Names of the templates in the new room, and their texts.
const ROOM: [(&str, &str); 12] = [
    ("README.md", include_str!("template/README.md.in")),
    ("LAYOUT.md", include_str!("template/LAYOUT.md.in")),
    ("mod.rs", include_str!("template/mod.rs.in")),
    ("info.rs", include_str!("template/info.rs.in")),
    ("codes.rs", include_str!("template/codes.rs.in")),
    ("document.rs", include_str!("template/document.rs.in")),
    ("read.rs", include_str!("template/read.rs.in")),
    ("write.rs", include_str!("template/write.rs.in")),
    ("check.rs", include_str!("template/check.rs.in")),
    ("to_scene.rs", include_str!("template/to_scene.rs.in")),
    ("from_scene.rs", include_str!("template/from_scene.rs.in")),
    ("fixtures/README.md", include_str!("template/fixtures/README.md.in")),
];
const TESTS: [(&str, &str); 5] = [
    ("mod.rs", include_str!("template/tests/mod.rs.in")),
    ("golden.rs", include_str!("template/tests/golden.rs.in")),
    ("roundtrip.rs", include_str!("template/tests/roundtrip.rs.in")),
    ("check.rs", include_str!("template/tests/check.rs.in")),
    ("convert.rs", include_str!("template/tests/convert.rs.in")),
];
/// For a family that does not exist yet.
const FAMILY: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("template/Cargo.toml.in")),
    ("src/lib.rs", include_str!("template/lib.rs.in")),
    ("tests/all/main.rs", "//! The tests of this crate, in one program: it is linked once.\n\n"),
];

/// Makes the room of a format in the crate of a family, by default its own, and says what is left to do by hand.
pub(crate) fn run(repo: &Repo, format: &str, family: Option<&str>) -> Outcome<bool> {
    let names = Names::new(format, family)?;
    let folder = format!("formats/{}", names.family);
    let room = format!("{folder}/src/{}", names.module());
    if repo.root.join(&room).exists() {
        return Err(format!("{room} exists").into());
    }
    let is_new_family = !repo.root.join(&folder).exists();
    let mut files: Vec<(String, &str)> = Vec::new();
    if is_new_family {
        files.extend(FAMILY.map(|(name, text)| (format!("{folder}/{name}"), text)));
    }
    files.extend(ROOM.map(|(name, text)| (format!("{room}/{name}"), text)));
    files.extend(TESTS.map(|(name, text)| (format!("{folder}/tests/all/{}/{name}", names.module()), text)));
    for (path, text) in files {
        let path = repo.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&repo.root))?;
        std::fs::write(path, names.fill(text))?;
    }
    declare(repo, &format!("{folder}/src/lib.rs"), &format!("\npub mod {};\n", names.module()))?;
    declare(repo, &format!("{folder}/tests/all/main.rs"), &format!("mod {};\n", names.module()))?;
    // Names decide the order of imports and where lines break.
    let package = format!("dopesheet-{}", names.family);
    repo::run("formatting", &mut repo.command("cargo", &["fmt", "--package", &package]))?;
    println!("{room} is there. Its tests fail until it does something:\n");
    println!("  cargo test --package {package} {}::\n", names.module());
    println!("When they pass, register it:\n\n{}", registration(&names, is_new_family));
    Ok(true)
}

/// Adds a line that declares a module to a file.
fn declare(repo: &Repo, file: &str, line: &str) -> Outcome<()> {
    let path = repo.root.join(file);
    let text = std::fs::read_to_string(&path)?;
    Ok(std::fs::write(path, text + line)?)
}

/// The lines that make a format known to everything else.
fn registration(names: &Names, is_new_family: bool) -> String {
    let (family, module) = (&names.family, names.module());
    let mut text = format!(
        "  crates/dopesheet/src/registry.rs\n    #[cfg(feature = \"{family}\")]\n    &dopesheet_{}::{module}::{},\n",
        family.replace('-', "_"),
        names.type_name()
    );
    if is_new_family {
        text += &format!(
            "  Cargo.toml, [workspace.dependencies]\n    dopesheet-{family} = {{ path = \"formats/{family}\", version = \"0.1.0\" }}\n\
             \x20 crates/dopesheet/Cargo.toml, [features]\n    {family} = [\"dep:dopesheet-{family}\"]   (and in without-c)\n\
             \x20 crates/dopesheet/Cargo.toml, [dependencies]\n    dopesheet-{family} = {{ workspace = true, optional = true }}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_template_has_a_name_that_is_not_filled_in() {
        let names = Names::new("foo", None).unwrap();
        for (name, text) in ROOM.iter().chain(&TESTS).chain(&FAMILY) {
            assert!(!names.fill(text).contains("__"), "{name}");
        }
    }
}
