//! Dependencies point one way; the picture is in docs/design.md.

use super::texts::{Faults, Text};
use crate::repo::Repo;
use serde_json::Value;

/// A crate of ours.
#[derive(Default)]
pub(super) struct Member {
    name: String,
    /// `crates/core`
    folder: String,
    dependencies: Vec<Dependency>,
}

/// One dependency of a crate.
struct Dependency {
    /// Its folder if it is ours; else `None`.
    folder: Option<String>,
    name: String,
    only_tests: bool,
    optional: bool,
}

/// The crates of the workspace.
pub(super) fn members(repo: &Repo) -> Vec<Member> {
    let folder_by_name = |name: &str| {
        let package = repo.packages.iter().find(|p| p["name"] == name)?;
        Some(repo.folder_of(package))
    };
    let dependency = |d: &Value| {
        let name = d["name"].as_str().unwrap_or_default().to_owned();
        Dependency {
            folder: d["path"].is_string().then(|| folder_by_name(&name)).flatten(),
            only_tests: d["kind"] == "dev",
            optional: d["optional"] == true,
            name,
        }
    };
    let member = |p: &Value| Member {
        name: p["name"].as_str().unwrap_or_default().to_owned(),
        folder: repo.folder_of(p),
        dependencies: p["dependencies"].as_array().into_iter().flatten().map(dependency).collect(),
    };
    repo.packages.iter().map(member).collect()
}

/// The crates that those of a folder may use: folders of ours, and of others only a math crate where that is said.
struct Rule {
    who: &'static str,
    ours: &'static [&'static str],
    others: Others,
}

/// The crates of other people that may be used.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    Any,
    Only(&'static [&'static str]),
}

const RULES: &[Rule] = &[
    Rule { who: "crates/core", ours: &[], others: Others::Any },
    Rule { who: "crates/curve", ours: &[], others: Others::Only(&["glam", "libm"]) },
    Rule { who: "crates/rig", ours: &["crates/core", "crates/curve"], others: Others::Any },
    Rule { who: "crates/motion", ours: &["crates/core", "crates/curve", "crates/rig"], others: Others::Any },
    Rule {
        who: "crates/human",
        ours: &["crates/core", "crates/curve", "crates/motion"],
        others: Others::Any,
    },
    Rule {
        who: "crates/edit",
        ours: &["crates/core", "crates/curve", "crates/human", "crates/motion"],
        others: Others::Any,
    },
    Rule { who: "crates/draw", ours: &["crates/core", "crates/human", "crates/motion"], others: Others::Any },
    Rule { who: "formats/*", ours: &["crates/core", "crates/curve"], others: Others::Any },
    Rule {
        who: "crates/dopesheet",
        ours: &[
            "crates/core",
            "crates/curve",
            "crates/rig",
            "crates/human",
            "crates/motion",
            "crates/edit",
            "crates/draw",
            "formats/*",
        ],
        others: Others::Any,
    },
    Rule { who: "apps/*", ours: &["crates/dopesheet"], others: Others::Any },
    Rule { who: "bindings/*", ours: &["crates/dopesheet"], others: Others::Any },
    Rule { who: "fuzz", ours: &["crates/dopesheet"], others: Others::Any },
    Rule { who: "crates/testkit", ours: &["crates/core"], others: Others::Any },
    // It has to run, and say what is wrong, also when our libraries do not compile.
    Rule { who: "xtask", ours: &[], others: Others::Any },
    Rule { who: "xtask/generate", ours: &["crates/dopesheet", "formats/numpy"], others: Others::Any },
    Rule { who: "xtask/web", ours: &[], others: Others::Any },
];

const TESTKIT: &str = "crates/testkit";
/// The wheel for tests is built of what they are built of, by a feature that no other wheel has.
const WHEEL: &str = "bindings/python";
/// Tests of formats may play what they made.
const PLAYER: &str = "crates/motion";
/// Tests of rigs solve what formats read.
const SOLVER: &str = "crates/rig";
const FACADE: &str = "crates/dopesheet";

/// Every dependency is allowed by [`RULES`]; the test kit is used only by tests, and formats stand behind features.
pub(super) fn check(members: &[Member]) -> Faults {
    members.iter().flat_map(check_member).collect()
}

fn check_member(member: &Member) -> Faults {
    let Some(rule) = RULES.iter().find(|r| matches(r.who, &member.folder)) else {
        return vec![format!("{}: no rule says what {} may use", member.folder, member.name)];
    };
    member.dependencies.iter().filter_map(|d| fault(member, rule, d)).collect()
}

fn fault(member: &Member, rule: &Rule, dependency: &Dependency) -> Option<String> {
    let (who, what) = (&member.folder, &dependency.name);
    match (&dependency.folder, rule.others) {
        (None, Others::Only(names)) if !names.contains(&what.as_str()) && !dependency.only_tests => {
            Some(format!("{who}: uses {what}; of other people's crates it may use only {names:?}"))
        }
        (None, _) => None,
        (Some(folder), _) if folder == TESTKIT && dependency.only_tests => None,
        (Some(folder), _) if folder == TESTKIT && dependency.optional && who == WHEEL => None,
        (Some(folder), _) if folder == PLAYER && dependency.only_tests && who.starts_with("formats/") => None,
        (Some(folder), _) if folder.starts_with("formats/") && dependency.only_tests && who == SOLVER => None,
        (Some(folder), _) if !rule.ours.iter().any(|p| matches(p, folder)) => {
            Some(format!("{who}: uses {what}; of our crates it may use {:?}", rule.ours))
        }
        (Some(folder), _) if who == FACADE && folder.starts_with("formats/") && !dependency.optional => {
            Some(format!("{who}: uses {what} always; a format stands behind a feature"))
        }
        _ => None,
    }
}

/// True if a folder is the one named, or in the one named before `*`.
fn matches(pattern: &str, folder: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == folder, |start| folder.starts_with(start))
}

/// Every crate takes the lints of the workspace.
pub(super) fn takes_lints(texts: &[Text]) -> Faults {
    let is_crate = |t: &&Text| t.path.ends_with("/Cargo.toml") && t.text.contains("[package]");
    let takes = |t: &Text| t.text.contains("[lints]\nworkspace = true\n");
    let without = texts.iter().filter(is_crate).filter(|t| !takes(t));
    let mut faults: Faults =
        without.map(|t| format!("{}: expected [lints] workspace = true", t.path)).collect();
    // Those of the laboratory, which is a workspace of its own, are the same.
    let lints =
        |path: &str| texts.iter().find(|t| t.path == path).map(|t| tables(&t.text, "workspace.lints."));
    if lints("Cargo.toml") != lints("lab/Cargo.toml") {
        faults.push("lab/Cargo.toml: expected the lints of Cargo.toml".into());
    }
    faults
}

/// The tables of a manifest whose names start so, with all that is in them but comments.
fn tables<'a>(manifest: &'a str, start: &str) -> Vec<&'a str> {
    let mut is_in = false;
    let lines = manifest.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut inside = |line: &&str| {
        if let Some(name) = line.strip_prefix('[') {
            is_in = name.starts_with(start);
        }
        is_in
    };
    lines.filter(|line| inside(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    fn uses(folder: &str, dependencies: Vec<Dependency>) -> Faults {
        check(&[Member { name: folder.replace('/', "-"), folder: folder.to_owned(), dependencies }])
    }

    fn ours(folder: &str) -> Dependency {
        let name = folder.replace('/', "-");
        Dependency { folder: Some(folder.to_owned()), name, only_tests: false, optional: false }
    }

    #[test]
    fn a_format_must_not_use_another_format_or_the_facade() {
        assert!(uses("formats/mmd", vec![ours("crates/core"), ours("crates/curve")]).is_empty());
        assert_eq!(uses("formats/mmd", vec![ours("formats/gltf"), ours("crates/dopesheet")]).len(), 2);
        let only_tests = Dependency { only_tests: true, ..ours("formats/gltf") };
        assert_eq!(uses("formats/mmd", vec![only_tests]).len(), 1, "not even in tests");
    }

    #[test]
    fn applications_use_the_facade_and_nothing_behind_it() {
        assert!(uses("apps/cli", vec![ours("crates/dopesheet")]).is_empty());
        assert_eq!(uses("apps/cli", vec![ours("crates/core")]).len(), 1);
    }

    #[test]
    fn the_laws_use_nothing_but_mathematics() {
        let other = |name: &str, only_tests| Dependency {
            folder: None,
            name: name.to_owned(),
            only_tests,
            optional: false,
        };
        assert!(uses("crates/curve", vec![other("glam", false), other("proptest", true)]).is_empty());
        assert_eq!(uses("crates/curve", vec![other("serde_json", false)]).len(), 1);
        assert_eq!(uses("crates/curve", vec![ours("crates/core")]).len(), 1);
    }

    #[test]
    fn the_test_kit_is_for_tests() {
        assert_eq!(uses("crates/motion", vec![ours("crates/testkit")]).len(), 1);
        let only_tests = Dependency { only_tests: true, ..ours("crates/testkit") };
        assert!(uses("crates/motion", vec![only_tests]).is_empty());
        let optional = || vec![Dependency { optional: true, ..ours("crates/testkit") }];
        assert!(uses("bindings/python", optional()).is_empty());
        assert_eq!(uses("bindings/python", vec![ours("crates/testkit")]).len(), 1);
        assert_eq!(uses("crates/motion", optional()).len(), 1);
    }

    #[test]
    fn formats_are_played_only_by_their_tests() {
        assert_eq!(uses("formats/mmd", vec![ours("crates/motion")]).len(), 1);
        let only_tests = Dependency { only_tests: true, ..ours("crates/motion") };
        assert!(uses("formats/mmd", vec![only_tests]).is_empty());
    }

    #[test]
    fn rigs_of_formats_are_solved_only_by_tests() {
        assert_eq!(uses("crates/rig", vec![ours("formats/mmd")]).len(), 1);
        let only_tests = Dependency { only_tests: true, ..ours("formats/mmd") };
        assert!(uses("crates/rig", vec![only_tests]).is_empty());
    }

    #[test]
    fn formats_stand_behind_features_of_the_facade() {
        assert_eq!(uses("crates/dopesheet", vec![ours("formats/mmd")]).len(), 1);
        assert!(
            uses("crates/dopesheet", vec![Dependency { optional: true, ..ours("formats/mmd") }]).is_empty()
        );
    }

    #[test]
    fn a_crate_in_a_new_place_needs_a_rule() {
        assert_eq!(uses("plugins/foo", Vec::new()).len(), 1);
    }

    #[test]
    fn lints_are_taken_from_the_workspace() {
        let package = "[package]\nname = \"x\"\n";
        assert_eq!(takes_lints(&[text("crates/x/Cargo.toml", package)]).len(), 1);
        let good = format!("{package}\n[lints]\nworkspace = true\n");
        assert!(takes_lints(&[text("crates/x/Cargo.toml", &good)]).is_empty());
        let workspace =
            |level: &str| format!("[workspace.lints.clippy]\nall = \"{level}\"\n\n[profile.dev]\n");
        let lab = |level: &str| {
            takes_lints(&[
                text("Cargo.toml", &workspace("warn")),
                text("lab/Cargo.toml", &format!("{}opt-level = 1\n", workspace(level))),
            ])
        };
        assert_eq!((lab("warn").len(), lab("allow").len()), (0, 1));
    }
}
