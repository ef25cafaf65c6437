//! The tests of a crate are one program, because each one is linked anew; and each of their files is a part of it. What features change
//! is tested by a second one, of some of these files.

use super::texts::{Faults, Text};

/// The file with which a crate's test program begins; its modules lie beside.
const MAIN: &str = "/tests/all/main.rs";
/// The file with which a program of what features change begins.
const OF_FEATURES: &str = "/tests/features/main.rs";
/// The one test of another name, which tasks build where they need any test at all.
const OTHER: &str = "fuzz/tests/seeds.rs";

/// Every file of tests is a module of its crate's program.
pub(super) fn check(texts: &[Text]) -> Faults {
    let is_test = |file: &&Text| file.path.ends_with(".rs") && file.path.contains("/tests/");
    let is_main = |path: &str| path == OTHER || path.ends_with(MAIN) || path.ends_with(OF_FEATURES);
    let tests = texts.iter().filter(is_test).filter(|file| !is_main(&file.path));
    tests.filter_map(|file| fault(&file.path, texts)).collect()
}

fn fault(path: &str, texts: &[Text]) -> Option<String> {
    let module = path.strip_suffix(".rs").unwrap_or(path);
    let module = module.strip_suffix("/mod").unwrap_or(module);
    let (folder, name) = module.rsplit_once('/')?;
    let parents = [format!("{folder}/main.rs"), format!("{folder}/mod.rs"), format!("{folder}.rs")];
    let declared = format!("mod {name};");
    let is_declared = texts
        .iter()
        .filter(|file| parents.contains(&file.path))
        .any(|file| file.text.lines().any(|line| line.trim().trim_start_matches("pub(crate) ") == declared));
    let is_inside = path.split_once("/tests/").is_some_and(|(_, within)| within.starts_with("all/"));
    (!is_inside || !is_declared).then(|| format!("{path}: expected a module of tests/all/main.rs"))
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    #[test]
    fn a_file_that_nothing_declares_would_never_run() {
        let main = text("formats/a/tests/all/main.rs", "mod foo;\nmod bar;\n");
        let modules = [
            ("formats/a/tests/all/foo/mod.rs", "mod golden;"),
            ("formats/a/tests/all/foo/golden.rs", ""),
            ("formats/a/tests/all/bar.rs", ""),
        ];
        let mut texts: Vec<Text> = modules.map(|(path, words)| text(path, words)).into_iter().collect();
        texts.push(main);
        assert_eq!(check(&texts), Faults::new());
        texts.push(text("formats/a/tests/features/main.rs", "#[path = \"../all/bar.rs\"]\nmod bar;\n"));
        assert_eq!(check(&texts), Faults::new());
        texts.push(text("formats/a/tests/all/foo/lost.rs", ""));
        texts.push(text("formats/a/tests/lonely.rs", ""));
        assert_eq!(check(&texts).len(), 2);
    }
}
