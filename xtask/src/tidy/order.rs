//! Inside core, modules build on each other in one direction.

use super::texts::{Faults, Text};

/// A module may use those that stand before it, and itself.
const ORDER: [&str; 8] = ["order", "units", "times", "words", "diag", "bytes", "model", "format"];
const FOLDER: &str = "crates/core/src/";

/// No module of core uses one that stands behind it. Tests may use what they like.
pub(super) fn check(texts: &[Text]) -> Faults {
    texts.iter().filter(|t| t.path.ends_with(".rs")).flat_map(check_file).collect()
}

fn check_file(file: &Text) -> Faults {
    let Some(inner) = file.path.strip_prefix(FOLDER) else { return Faults::new() };
    let module = inner.split(['/', '.']).next().unwrap_or_default();
    let Some(rank) = rank(module) else {
        return match module {
            "lib" => Faults::new(),
            _ => vec![format!("{}: {module} has no place in the order {ORDER:?}", file.path)],
        };
    };
    let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|(n, line)| used(line).map(move |word| (n, word)))
        .filter(|(_, word)| self::rank(word).is_some_and(|other| other > rank))
        .map(|(n, word)| format!("{}:{}: {module} uses {word}, which builds on it", file.path, n + 1))
        .collect()
}

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|m| *m == module)
}

/// The modules that a line names by their path from the root of the crate.
fn used(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("crate::").skip(1);
    after.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    #[test]
    fn a_module_must_not_use_one_that_builds_on_it() {
        let good =
            text("crates/core/src/bytes/cursor.rs", "use crate::diag::Fault;\nuse crate::units::ByteOffset;");
        assert!(check(&[good]).is_empty());
        let bad = text("crates/core/src/diag.rs", "//! See crate::format.\n\nfn f() { crate::model::g() }");
        assert_eq!(check(&[bad]), ["crates/core/src/diag.rs:3: diag uses model, which builds on it"]);
    }

    #[test]
    fn tests_may_use_anything() {
        let file = text("crates/core/src/units.rs", "#[cfg(test)]\nmod tests { use crate::format::Format; }");
        assert!(check(&[file]).is_empty());
    }

    #[test]
    fn a_new_module_needs_a_place() {
        assert_eq!(check(&[text("crates/core/src/extra.rs", "")]).len(), 1);
        assert!(check(&[text("crates/core/src/lib.rs", "pub mod extra;")]).is_empty());
    }
}
