//! The modules of the Python package import each other without circles.
//!
//! Relative imports count, inside functions too, but not those for a type checker alone (`if TYPE_CHECKING:`).

use super::super::texts::{Faults, Text};
use super::graph::Graph;
use std::collections::BTreeSet;

/// The folder of the modules.
const PACKAGE: &str = "bindings/python/python/dopesheet/";
/// The module of the package itself.
const PACKAGE_ITSELF: &str = "__init__";

/// The circles among the modules whose files lie in [`PACKAGE`].
pub(super) fn circles(texts: &[Text]) -> Faults {
    let modules: Vec<(&str, &Text)> = texts.iter().filter_map(|text| Some((module(text)?, text))).collect();
    let names: BTreeSet<&str> = modules.iter().map(|(name, _)| *name).collect();
    let mut graph = Graph::default();
    for (name, text) in &modules {
        for (line, imported) in imports(&text.text) {
            // Any other name is defined by the package itself.
            let imported = names.get(imported).copied().unwrap_or(PACKAGE_ITSELF);
            graph.add((*name).to_owned(), imported.to_owned(), &format!("{}:{line}", text.path));
        }
    }
    graph.circles().into_iter().map(|circle| format!("{PACKAGE}: {circle}")).collect()
}

/// The name of the module in a file of the package.
fn module(text: &Text) -> Option<&str> {
    let (name, extension) = text.path.strip_prefix(PACKAGE)?.split_once('.')?;
    matches!(extension, "py" | "pyi").then_some(name)
}

/// The names that are imported from the package at run time, with their lines.
fn imports(text: &str) -> Vec<(usize, &str)> {
    let mut imports = Vec::new();
    let mut types_only = None;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let statement = line.trim_start();
        let indent = line.len() - statement.len();
        types_only = types_only.filter(|outside| indent > *outside);
        if statement.starts_with("if TYPE_CHECKING:") {
            types_only = Some(indent);
        }
        if types_only.is_none() {
            imports.extend(imported(statement).into_iter().map(|name| (number, name)));
        }
    }
    imports
}

/// The modules of a relative import; for `from . import a, b as c`, which has to be on one line, `a` and `b`.
fn imported(statement: &str) -> Vec<&str> {
    let parts = statement.strip_prefix("from .").and_then(|from| from.split_once("import "));
    match parts.map(|(module, names)| (module.trim(), names)) {
        Some(("", names)) => names.split(", ").filter_map(|name| name.split(' ').next()).collect(),
        Some((module, _)) => vec![module],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::texts::text;
    use super::*;

    fn found(files: &[(&str, &str)]) -> Faults {
        let texts: Vec<Text> =
            files.iter().map(|(name, code)| text(&format!("{PACKAGE}{name}"), code)).collect();
        circles(&texts)
    }

    #[test]
    fn an_import_inside_a_function_closes_a_circle() {
        let faults = found(&[
            ("__init__.py", "from .a import A\nfrom .b import B\n"),
            ("_native.pyi", ""),
            ("a.py", "from . import _native, b as c\n"),
            ("b.py", "class B:\n    def f(self):\n\n        from .a import A\n"),
        ]);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert!(fault.contains("a → b") && fault.contains("b.py:4"), "{fault}");
        assert!(!fault.contains("__init__"), "{fault}");
    }

    #[test]
    fn imports_for_types_alone_close_no_circle() {
        let b = "if TYPE_CHECKING:\n    from x import y\n\n    from .a import A\nfrom .c import C\n";
        assert_eq!(found(&[("a.py", "from .b import B\n"), ("b.py", b), ("c.py", "")]), Faults::new());
        assert_eq!(found(&[("a.py", ""), ("b.py", b), ("c.py", "from .b import B\n")]).len(), 1);
    }

    #[test]
    fn a_name_of_the_package_itself_closes_a_circle() {
        assert_eq!(found(&[("__init__.py", "from .a import A\n"), ("a.py", "from . import A\n")]).len(), 1);
    }
}
