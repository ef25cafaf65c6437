//! Rules for every text in the repository.

use super::texts::{Faults, Text};

const CODE: [&str; 3] = ["rs", "mjs", "py"];
/// Longest file of code, in lines. Tables of constants get their own file, and that may be longer.
const MAX_LINES: usize = 600;
/// Longest `mod.rs` of a room, in lines: it introduces the room and opens its doors.
const MAX_LINES_OF_ROOM: usize = 150;
/// The first words of a file that is such a table.
const TABLE: &str = "//! Table:";

fn code(texts: &[Text]) -> impl Iterator<Item = &Text> {
    let is_code = |t: &&Text| t.path.rsplit_once('.').is_some_and(|(_, e)| CODE.contains(&e));
    texts.iter().filter(is_code)
}

/// No file is longer than a person wants to scroll through.
pub(super) fn lengths(texts: &[Text]) -> Faults {
    let is_room = |t: &Text| t.path.ends_with("/mod.rs") && t.text.contains("impl Format for ");
    let limit = |t: &Text| if is_room(t) { MAX_LINES_OF_ROOM } else { MAX_LINES };
    code(texts)
        .filter(|t| !t.text.starts_with(TABLE))
        .filter(|t| t.text.lines().count() > limit(t))
        .map(|t| format!("{}: expected at most {} lines, found {}", t.path, limit(t), t.text.lines().count()))
        .collect()
}

/// An exception from a lint says why it is one.
pub(super) fn reasons(texts: &[Text]) -> Faults {
    let mut faults = Faults::new();
    for file in texts.iter().filter(|t| t.path.ends_with(".rs")) {
        for (at, _) in file.text.match_indices("#[").chain(file.text.match_indices("#![")) {
            let attribute = file.text[at..].split_once(")]").map_or("", |(attribute, _)| attribute);
            let word = attribute.trim_start_matches(['#', '!', '[']);
            let is_exception = word.starts_with("allow(") || word.starts_with("expect(");
            if is_exception && !attribute.contains("reason = ") {
                faults.push(format!("{}:{}: expected a reason", file.path, line_of(&file.text, at)));
            }
        }
    }
    faults
}

/// Marks of unfinished work. Put together here, so that this file has none.
fn marks() -> [String; 4] {
    [["TO", "DO"], ["FIX", "ME"], ["to", "do!("], ["unimple", "mented!("]].map(|halves| halves.concat())
}

/// No code has a mark that something is left for later.
pub(super) fn unfinished(texts: &[Text]) -> Faults {
    let marks = marks();
    code(texts)
        .flat_map(|t| marks.iter().flat_map(move |m| find_words(t, m)))
        .map(|location| format!("{location}: expected finished work"))
        .collect()
}

/// Folders in which people and machines keep checkouts and temporary files.
const MACHINE_FOLDERS: [&str; 4] = ["work", "root", "home", "tmp"];

/// No text names a place on one particular machine.
pub(super) fn machine_paths(texts: &[Text]) -> Faults {
    let paths = MACHINE_FOLDERS.map(|folder| format!("/{folder}/"));
    texts
        .iter()
        .flat_map(|t| paths.iter().flat_map(move |path| find_words(t, path)))
        .map(|location| format!("{location}: expected no path of one machine"))
        .collect()
}

/// Functions of the standard library whose last digit differs from machine to machine.
const OF_THE_MACHINE: [&str; 17] = [
    "sin", "cos", "sin_cos", "tan", "asin", "acos", "atan", "atan2", "exp", "exp2", "ln", "log2", "log10",
    "powf", "hypot", "cbrt", "tanh",
];

/// No library calculates with the maths of the machine, so that every machine writes the same bytes.
pub(super) fn maths(texts: &[Text]) -> Faults {
    let is_library = |t: &&Text| {
        let is_in = ["crates/", "formats/"].iter().any(|folder| t.path.starts_with(folder));
        is_in && t.path.ends_with(".rs") && t.path.contains("/src/") && !t.path.contains("testkit")
    };
    let mut faults = Faults::new();
    for file in texts.iter().filter(is_library).filter(|t| !t.path.contains("tests")) {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, text) in code.lines().enumerate().filter(|(_, text)| !text.trim_start().starts_with("//"))
        {
            let calls =
                |name: &&&str| text.contains(&format!(".{name}(")) || text.contains(&format!("f64::{name}"));
            if let Some(name) = OF_THE_MACHINE.iter().find(calls) {
                faults.push(format!("{}:{}: expected a function of libm, found {name}", file.path, line + 1));
            }
        }
    }
    faults
}

/// Where a word stands that no letter, digit or dot comes before.
fn find_words<'a>(file: &'a Text, word: &'a str) -> impl Iterator<Item = String> {
    let starts =
        |at: &usize| !file.text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_');
    let places = file.text.match_indices(word).map(|(at, _)| at).filter(starts);
    places.map(|at| format!("{}:{}", file.path, line_of(&file.text, at)))
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    #[test]
    fn long_files_are_named() {
        assert!(lengths(&[text("a/b.rs", &"\n".repeat(600)), text("a.md", &"\n".repeat(999))]).is_empty());
        assert_eq!(
            lengths(&[text("a/b.rs", &"\n".repeat(601))]),
            ["a/b.rs: expected at most 600 lines, found 601"]
        );
        let room = format!("impl Format for Foo {{}}{}", "\n".repeat(151));
        assert_eq!(lengths(&[text("formats/a/src/foo/mod.rs", &room)]).len(), 1);
        assert!(lengths(&[text("formats/a/src/foo/read/mod.rs", &"\n".repeat(151))]).is_empty());
        assert!(lengths(&[text("a/b.rs", &format!("//! Table: curves.{}", "\n".repeat(999)))]).is_empty());
    }

    #[test]
    fn exceptions_need_a_reason() {
        let good = "#[expect(clippy::x, reason = \"because\")]\n#[derive(Debug)]\n#![deny(clippy::y)]\n";
        assert!(reasons(&[text("a.rs", good)]).is_empty());
        let bad = ["#", "[allow(clippy::x)]"].concat();
        assert_eq!(reasons(&[text("a.rs", &format!("\n{bad}\nfn f() {{}}"))]), ["a.rs:2: expected a reason"]);
        let inner = ["#", "![allow(clippy::x)]"].concat();
        assert_eq!(reasons(&[text("a.rs", &inner)]).len(), 1);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_as_words() {
        for mark in marks() {
            assert_eq!(unfinished(&[text("a.rs", &format!("// {mark}"))]).len(), 1, "{mark}");
        }
        assert!(unfinished(&[text("a.rs", "mastodon!(x)"), text("a.md", &marks()[0])]).is_empty());
    }

    #[test]
    fn maths_of_the_machine_are_found_in_libraries_outside_of_tests() {
        let bad = "fn f(x: f64) -> f64 {\n    x.sin_cos().0\n}\n";
        let fault = "crates/a/src/b.rs:2: expected a function of libm, found sin_cos";
        assert_eq!(maths(&[text("crates/a/src/b.rs", bad)]), [fault]);
        let fine =
            format!("/// `x.sin()`\nfn f(x: f64) -> f64 {{ libm::sin(x) }}\n#[cfg(test)]\nmod t {{ {bad} }}");
        assert!(maths(&[text("crates/a/src/b.rs", &fine), text("apps/a/src/b.rs", bad)]).is_empty());
    }

    #[test]
    fn paths_of_a_machine_are_found_but_not_parts_of_longer_ones() {
        for folder in MACHINE_FOLDERS {
            let bad = format!("see /{folder}/x.txt");
            assert_eq!(machine_paths(&[text("a.md", &bad)]), ["a.md:1: expected no path of one machine"]);
            assert!(machine_paths(&[text("a.md", &format!("see docs/{folder}/x.txt"))]).is_empty());
        }
    }
}
