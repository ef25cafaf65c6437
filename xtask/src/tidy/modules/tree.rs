//! The modules of a crate, and which of them defines what another one names.

use super::code::{Code, Import, Mention};
use crate::tidy::texts::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Most hand-overs from one `use` to the next that are followed.
const MOST_HANDED_ON: u8 = 4;

/// The modules of a crate by their paths from its root, which is the empty one.
#[derive(Default)]
pub(super) struct Tree {
    modules: BTreeMap<Vec<String>, Module>,
}

struct Module {
    /// The file, relative to the root of the repository.
    file: String,
    code: Code,
}

/// A module that names an item of another one.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) from: Vec<String>,
    /// The module that defines the item.
    pub(super) to: Vec<String>,
    pub(super) is_function: bool,
    /// File, line, and the path as it is written.
    pub(super) place: String,
}

/// Something that a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Module(Vec<String>),
    /// An item of that module, and whether it is a function.
    Item(Vec<String>, bool),
}

/// The meaning of a name that stands for a module and an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Item,
    Module,
}

impl Tree {
    /// The crate whose sources lie in a folder: `crates/core/src/`.
    pub(super) fn load(folder: &str, texts: &[Text]) -> Self {
        let mut tree = Self::default();
        for text in texts.iter().filter(|text| text.path.ends_with(".rs")) {
            if let Some(inside) = text.path.strip_prefix(folder) {
                tree.add(module_path(inside), &text.path, Code::parse(&text.text));
            }
        }
        tree
    }

    fn add(&mut self, path: Vec<String>, file: &str, mut code: Code) {
        for (name, inner) in std::mem::take(&mut code.inner) {
            self.add([&path[..], &[name]].concat(), file, inner);
        }
        self.modules.insert(path, Module { file: file.to_owned(), code });
    }

    /// Everything that a module names of another one. What it only hands on (`pub use`) is not its own.
    pub(super) fn references(&self) -> Vec<Reference> {
        self.modules.iter().flat_map(|(path, module)| self.references_of(path, module)).collect()
    }

    fn references_of(&self, from: &[String], module: &Module) -> Vec<Reference> {
        let imported = module.code.imports.iter().flat_map(|import| self.imported(from, module, import));
        let named = module.code.paths.iter().filter_map(|mention| {
            let target = self.resolve(from, &mention.path, Want::Item, 0)?;
            Some((target, mention.clone()))
        });
        let reference = |(target, mention): (Place, Mention)| {
            let (to, is_function) = match target {
                Place::Module(to) => (to, false),
                Place::Item(to, is_function) => (to, is_function),
            };
            Reference {
                from: from.to_vec(),
                to,
                is_function,
                place: format!("{}:{} {}", module.file, mention.line, mention.path.join("::")),
            }
        };
        imported.chain(named).map(reference).filter(|reference| reference.to != from).collect()
    }

    /// The places that an import leads to, as far as the module's own code needs them.
    fn imported(&self, here: &[String], module: &Module, import: &Import) -> Vec<(Place, Mention)> {
        let path = &import.from.path;
        if import.name == "*" {
            let Some(Place::Module(of)) = self.resolve(here, path, Want::Module, 0) else {
                return Vec::new();
            };
            return self.starred(&of, module, path);
        }
        let item = self.resolve(here, path, Want::Item, 0).filter(|target| matches!(target, Place::Item(..)));
        // What is used of a module is named by paths. Where a function has the same name, it is used if its name stands alone.
        let is_module = matches!(self.resolve(here, path, Want::Module, 0), Some(Place::Module(_)));
        let is_used = match (import.is_public, is_module) {
            (_, true) => module.code.words.contains_key(&import.name),
            (true, false) => module.code.uses(&import.name).is_some(),
            (false, false) => true,
        };
        item.filter(|_| is_used).map(|item| (item, import.from.clone())).into_iter().collect()
    }

    /// The items of a module that are used by their names alone after `use module::*`.
    fn starred(&self, of: &[String], module: &Module, path: &[String]) -> Vec<(Place, Mention)> {
        let heads = module.code.paths.iter().map(|mention| &mention.path[0]);
        let names: BTreeSet<&String> = module.code.words.keys().chain(heads).collect();
        let item = |name: &String| {
            let target =
                self.step(of, name, Want::Item, 0).filter(|target| matches!(target, Place::Item(..)))?;
            let line = module.code.uses(name)?;
            Some((target, Mention { path: [path, std::slice::from_ref(name)].concat(), line }))
        };
        names.into_iter().filter(|name| self.has(of, name, 0)).filter_map(item).collect()
    }

    /// The place that a path leads to that is written in a module; none if that is outside of the crate.
    fn resolve(&self, here: &[String], path: &[String], want: Want, handed_on: u8) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        let wanted = |behind: usize| if behind == 0 { want } else { Want::Module };
        let mut target = match first.as_str() {
            "crate" => Place::Module(Vec::new()),
            "self" => Place::Module(here.to_vec()),
            "super" => Place::Module(here.split_last()?.1.to_vec()),
            name if self.has(here, name, handed_on) => {
                self.step(here, name, wanted(rest.len()), handed_on)?
            }
            _ => return None,
        };
        for (index, name) in rest.iter().enumerate() {
            target = match target {
                Place::Module(at) if name == "super" => Place::Module(at.split_last()?.1.to_vec()),
                Place::Module(at) => self.step(&at, name, wanted(rest.len() - index - 1), handed_on)?,
                Place::Item(..) => break,
            };
        }
        Some(target)
    }

    /// The place that a name in a module stands for; none if that is outside of the crate.
    fn step(&self, at: &[String], name: &str, want: Want, handed_on: u8) -> Option<Place> {
        if handed_on > MOST_HANDED_ON {
            return None;
        }
        let module = &self.modules.get(at)?.code;
        let child = [at, &[name.to_owned()]].concat();
        let has_child = self.modules.contains_key(&child);
        if has_child && want == Want::Module {
            return Some(Place::Module(child));
        }
        if let Some(is_function) = module.items.get(name) {
            return Some(Place::Item(at.to_vec(), *is_function));
        }
        if let Some(import) = module.imports.iter().find(|import| import.name == name && is_elsewhere(import))
        {
            return self.resolve(at, &import.from.path, want, handed_on + 1);
        }
        if has_child {
            return Some(Place::Module(child));
        }
        match self.stars(at, handed_on).find(|of| self.has(of, name, handed_on + 1)) {
            Some(of) => self.step(&of, name, want, handed_on + 1),
            None => Some(Place::Item(at.to_vec(), false)),
        }
    }

    /// The modules of which another one brings in everything.
    fn stars(&self, at: &[String], handed_on: u8) -> impl Iterator<Item = Vec<String>> {
        let imports = self.modules.get(at).into_iter().flat_map(|module| &module.code.imports);
        imports.filter(|import| import.name == "*").filter_map(move |import| {
            match self.resolve(at, &import.from.path, Want::Module, handed_on + 1)? {
                Place::Module(of) => Some(of),
                Place::Item(..) => None,
            }
        })
    }

    /// True if a module has something of that name.
    fn has(&self, at: &[String], name: &str, handed_on: u8) -> bool {
        let Some(module) = self.modules.get(at).filter(|_| handed_on <= MOST_HANDED_ON) else { return false };
        module.code.items.contains_key(name)
            || module.code.imports.iter().any(|import| import.name == name)
            || self.modules.contains_key(&[at, &[name.to_owned()]].concat())
            || self.stars(at, handed_on).any(|of| self.has(&of, name, handed_on + 1))
    }
}

/// False for `use name;`, which leads back to itself.
fn is_elsewhere(import: &Import) -> bool {
    import.from.path.len() > 1 || import.from.path.first() != Some(&import.name)
}

/// The module of a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module_path(file: &str) -> Vec<String> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let is_root = matches!(path, "lib" | "main");
    if is_root { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}
