//! PlayCanvas clips attached to existing glTF files, against the channel lists of the corpus.
#![cfg(all(feature = "playcanvas", feature = "gltf"))]

use dopesheet::{ConvertOptions, Loss, Opened, ReadOptions, convert, open, read, registry};
use dopesheet_testkit::{corpus, json, rotation_angle};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

type Channels = BTreeSet<(u64, String)>;

fn pairs(list: &Value) -> Channels {
    let pair = |p: &Value| (p[0].as_u64().unwrap(), p[1].as_str().unwrap().to_owned());
    list.as_array().unwrap().iter().map(pair).collect()
}

/// The JSON of a case's output, attached with or without constant channels.
fn attached(corpus: &Path, case: &Value, keep_constant: bool) -> (Value, Vec<Loss>, Vec<String>) {
    let open = |path: &Path| open(path, None, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let target = open(&corpus.join("attach").join(case["target"].as_str().unwrap()));
    let clips: Vec<Opened> =
        case["clips"].as_array().unwrap().iter().map(|c| open(&corpus.join(c.as_str().unwrap()))).collect();
    let options = ConvertOptions {
        into: Some(&target),
        keep_constant,
        skip_first: case["options"]["skipFirst"].as_bool().unwrap(),
        ..ConvertOptions::to(registry::by_id("gltf").unwrap())
    };
    let conversion = convert(&clips, &options).unwrap_or_else(|e| panic!("{}: {e}", case["id"]));
    let text = String::from_utf8(conversion.output.main).unwrap();
    let report = conversion.report.report;
    let findings = report.findings.iter().map(|f| f.fault.to_string()).collect();
    (serde_json::from_str(&text).unwrap(), report.losses, findings)
}

fn channels(animation: &Value) -> Channels {
    let target = |c: &Value| {
        let target = &c["target"];
        (target["node"].as_u64().unwrap(), target["path"].as_str().unwrap().to_owned())
    };
    animation["channels"].as_array().unwrap().iter().map(target).collect()
}

fn added<'a>(output: &'a Value, name: &str) -> &'a Value {
    let found = output["animations"].as_array().unwrap().iter().rfind(|a| a["name"] == name);
    found.unwrap_or_else(|| panic!("no animation {name}"))
}

#[test]
fn every_case_adds_exactly_the_expected_channels() {
    let Some(corpus) = corpus("playcanvas") else { return };
    let cases = json(&corpus.join("attach/attach.json"));
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 6, "only {} cases", cases.len());
    for case in cases {
        let (all, ..) = attached(&corpus, case, true);
        let (minimal, losses, findings) = attached(&corpus, case, false);
        for expected in case["expect"].as_array().unwrap() {
            let name = expected["animationName"].as_str().unwrap();
            assert_eq!(channels(added(&all, name)), pairs(&expected["all"]), "{}: {name}", case["id"]);
            let (got, want) = (channels(added(&minimal, name)), pairs(&expected["minimal"]));
            let either = pairs(&expected["either"]);
            let differ: Vec<_> = got.symmetric_difference(&want).filter(|c| !either.contains(c)).collect();
            assert!(differ.is_empty(), "{}: {name}: {differ:?}", case["id"]);
            for missing in expected["unmatched"].as_array().unwrap() {
                let named = |text: &String| text.contains(missing.as_str().unwrap());
                let told = findings.iter().any(named)
                    || losses
                        .iter()
                        .any(|l| matches!(l, Loss::Dropped { what, why } if named(what) || named(why)));
                assert!(told, "{}: {missing} is not listed: {findings:?}", case["id"]);
            }
        }
    }
}

#[test]
fn matrices_of_animated_nodes_are_taken_apart() {
    let Some(corpus) = corpus("playcanvas") else { return };
    let cases = json(&corpus.join("attach/attach.json"));
    let mut seen = 0;
    for case in cases["cases"].as_array().unwrap() {
        let Some(nodes) = case["matrixNodes"].as_array() else { continue };
        let (output, ..) = attached(&corpus, case, false);
        for expected in nodes {
            let node = &output["nodes"][expected["node"].as_u64().unwrap() as usize];
            assert!(node.get("matrix").is_none(), "{node}");
            let numbers =
                |v: &Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
            for name in ["translation", "scale"] {
                for (got, want) in numbers(&node[name]).iter().zip(numbers(&expected[name])) {
                    assert!((got - want).abs() < 1e-5, "{name}: {node}");
                }
            }
            let quaternion = |v: &Value| -> [f64; 4] { numbers(v).try_into().unwrap() };
            assert!(rotation_angle(quaternion(&node["rotation"]), quaternion(&expected["rotation"])) < 1e-5);
            seen += 1;
        }
    }
    assert!(seen >= 1);
}

#[test]
fn what_was_there_stays() {
    let Some(corpus) = corpus("playcanvas") else { return };
    let cases = json(&corpus.join("attach/attach.json"));
    for case in cases["cases"].as_array().unwrap() {
        let before = json(&corpus.join("attach").join(case["target"].as_str().unwrap()));
        let (after, ..) = attached(&corpus, case, false);
        let taken_apart: BTreeSet<usize> = case["matrixNodes"]
            .as_array()
            .map(|l| l.iter().map(|m| m["node"].as_u64().unwrap() as usize).collect())
            .unwrap_or_default();
        for (key, value) in before.as_object().unwrap() {
            match (value, &after[key]) {
                (Value::Array(old), Value::Array(new)) => {
                    let kept = old
                        .iter()
                        .zip(new)
                        .enumerate()
                        .all(|(i, (a, b))| a == b || (key == "nodes" && taken_apart.contains(&i)));
                    assert!(kept && new.len() >= old.len(), "{}: {key}", case["id"]);
                }
                (old, new) => assert_eq!(old, new, "{}: {key}", case["id"]),
            }
        }
    }
}

#[test]
fn every_member_of_the_cases_is_read() {
    let Some(corpus) = corpus("playcanvas") else { return };
    let manifest = json(&corpus.join("attach/attach.json"));
    let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let known = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
    assert!(keys(&manifest).is_subset(&known(&["about", "naming", "targets", "cases"])));
    for case in manifest["cases"].as_array().unwrap() {
        assert!(
            keys(case).is_subset(&known(&["id", "target", "clips", "options", "expect", "matrixNodes"])),
            "{case}"
        );
        for expected in case["expect"].as_array().unwrap() {
            let known = known(&["clip", "animationName", "all", "minimal", "either", "unmatched"]);
            assert!(keys(expected).is_subset(&known), "{expected}");
        }
    }
    for target in keys(&manifest["targets"]) {
        let bytes = dopesheet_testkit::bytes(&corpus.join("attach").join(&target));
        assert!(read(&target, &bytes, &ReadOptions::default(), &mut |_| None).is_ok(), "{target}");
    }
}
