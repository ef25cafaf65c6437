//! The modules of a crate use each other without circles.
//!
//! Looked at are the children of each module, each with everything inside it, and the module's own file. One uses another one
//! if its code names an item that is defined there: by `use`, or by a path. `mod` and `pub use` alone use nothing, and a name
//! that was handed on by `pub use` counts for the module that defines it. Types and constants of a module's file are there for what
//! is inside the module; only its functions count. Comments and what is under `#[cfg(test)]` do not count, and methods are not
//! seen, because only the compiler knows whose they are.

mod code;
mod graph;
mod python;
mod tree;

use super::texts::{Faults, Text};
use graph::Graph;
use tree::{Reference, Tree};

/// Neither a crate nor the Python package has modules that use each other in a circle.
pub(super) fn check(folders: &[String], texts: &[Text]) -> Faults {
    let mut faults = python::circles(texts);
    for folder in folders {
        faults.extend(circles(folder, texts));
    }
    faults
}

fn circles(folder: &str, texts: &[Text]) -> Faults {
    let references = Tree::load(&format!("{folder}/src/"), texts).references();
    let mut levels: Vec<Vec<String>> = references.iter().map(level).collect();
    levels.sort();
    levels.dedup();
    let level_faults = |level: Vec<String>| {
        let at = if level.is_empty() { "the root".to_owned() } else { level.join("::") };
        let circles = graph_of(&references, &level).circles();
        circles.into_iter().map(move |circle| format!("{folder}: in {at}: {circle}")).collect::<Vec<_>>()
    };
    levels.into_iter().flat_map(level_faults).collect()
}

/// The children of a module, and the module's own file as one of them.
fn graph_of(references: &[Reference], level: &[String]) -> Graph {
    let mut graph = Graph::default();
    for reference in references.iter().filter(|r| self::level(r) == level && !is_surrounding(r)) {
        let node =
            |path: &[String]| path.get(level.len()).cloned().unwrap_or_else(|| "its own file".to_owned());
        graph.add(node(&reference.from), node(&reference.to), &reference.place);
    }
    graph
}

/// True for the use of a type or a constant of a file around the one that uses it.
fn is_surrounding(reference: &Reference) -> bool {
    !reference.is_function && reference.from.starts_with(&reference.to)
}

/// The innermost module that both ends of a reference are in.
fn level(reference: &Reference) -> Vec<String> {
    let both = reference.from.iter().zip(&reference.to);
    both.take_while(|(from, to)| from == to).map(|(from, _)| from.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    fn found(files: &[(&str, &str)]) -> Faults {
        let texts: Vec<Text> =
            files.iter().map(|(path, code)| text(&format!("crates/x/src/{path}"), code)).collect();
        circles("crates/x", &texts)
    }

    #[test]
    fn siblings_that_use_each_other_are_a_circle() {
        let faults = found(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B;\nfn f() { super::c::g() }"),
            ("c.rs", "use crate::a::A; pub fn g() {}"),
        ]);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        for part in ["a → b (crates/x/src/a.rs:1 crate::b::B)", "b.rs:2 super::c::g", "c → a"] {
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn one_way_is_no_circle() {
        assert_eq!(
            found(&[("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;")]),
            Faults::new()
        );
    }

    #[test]
    fn folders_that_use_each_other_by_different_files_are_a_circle() {
        let faults = found(&[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod x; mod y;"),
            ("a/x.rs", "use crate::b::z::Z;"),
            ("a/y.rs", "pub struct Y;"),
            ("b/mod.rs", "pub mod z; mod w;"),
            ("b/z.rs", "pub struct Z;"),
            ("b/w.rs", "fn f(_: crate::a::y::Y) {}"),
        ]);
        assert_eq!(faults.len(), 1, "{faults:?}");
    }

    #[test]
    fn what_a_parent_hands_on_belongs_to_the_child_that_defines_it() {
        let children = [("a/x.rs", "pub struct X;"), ("a/y.rs", "use super::X; pub struct Y(X);")];
        let handed_on = ("a/mod.rs", "mod x; mod y; pub use x::X; pub use y::Y;");
        assert_eq!(found(&[("lib.rs", "mod a;"), handed_on, children[0], children[1]]), Faults::new());
    }

    #[test]
    fn a_file_and_its_child_that_call_each_other_are_a_circle() {
        let child = ("a/y.rs", "use super::{X, f}; pub fn y(_: X) { f() }");
        let faults = found(&[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod y; pub struct X; pub fn f() { y::y(X) }"),
            child,
        ]);
        assert!(faults.len() == 1 && faults[0].contains("in a: its own file → y"), "{faults:?}");
        let one_way = ("a/mod.rs", "mod y; pub struct X; fn f() { y::y(X) }");
        assert_eq!(
            found(&[("lib.rs", "mod a;"), one_way, ("a/y.rs", "use super::X; pub fn y(_: X) {}")]),
            Faults::new()
        );
    }

    #[test]
    fn a_module_and_a_function_of_one_name_are_told_apart() {
        let root = ("lib.rs", "mod data; mod b; fn data() { b::f() }");
        let data = ("data.rs", "pub fn g() {}");
        assert_eq!(
            found(&[root, data, ("b.rs", "use crate::data; pub fn f() { data::g() }")]),
            Faults::new()
        );
        assert_eq!(found(&[root, data, ("b.rs", "use crate::data; pub fn f() { data() }")]).len(), 1);
    }

    #[test]
    fn names_are_followed_through_stars_and_modules() {
        let faults = found(&[
            ("lib.rs", "mod a; mod b; mod c; pub use c::*; pub use a::*;"),
            ("a.rs", "use crate::*; pub fn f() -> C { C }"),
            ("b.rs", "use crate::a as first; pub fn g() { first::f(); }"),
            ("c.rs", "pub struct C; fn h() { crate::b::g() }"),
        ]);
        assert!(
            faults.len() == 1 && faults[0].contains("a → c") && faults[0].contains("b → a"),
            "{faults:?}"
        );
    }
}
