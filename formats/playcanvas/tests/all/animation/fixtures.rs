//! The files of `src/animation/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_core::diag::Report;
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_testkit::{Fixture, assert_identity, read_reporting};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/animation/fixtures")
}

/// A version 4 file with these nodes.
pub(crate) fn v4(nodes: &str) -> Vec<u8> {
    format!(r#"{{"animation":{{"version":4,"name":"clip","duration":1,"nodes":[{nodes}]}}}}"#).into_bytes()
}

/// A version 4 file with one node that has these keys.
fn keys(keys: &str) -> Vec<u8> {
    v4(&format!(r#"{{"name":"arm","defaults":{{"s":[1,1,1]}},"keys":[{keys}]}}"#))
}

const STILL: &str = r#"{"t":0,"p":[0,0,0],"r":[0,0,0]}"#;

/// Two nodes, of which one is hoisted in part and one as a whole, with an escape and numbers of all forms.
pub(crate) fn hoisted() -> Vec<u8> {
    let nodes = concat!(
        r#"{"name":"left \"arm\"","defaults":{"s":[1,1,1]},"keys":["#,
        r#"{"t":0,"p":[-0,1.5,2e-3],"r":[-90,10.675,0]},{"t":0.5,"p":[1,2,3],"r":[-80,12,0]}]},"#,
        r#"{"name":"腕","defaults":{"p":[0,1,0],"r":[0,90,0],"s":[1,1,1]},"keys":[{"t":0},{"t":1}]}"#
    );
    v4(nodes)
}

/// Version 3 with white space, an order of members of its own and members that nobody knows.
pub(crate) fn long() -> Vec<u8> {
    br#"
{
  "generator": { "name": "hand", "list": [1, [2]] },
  "animation": {
    "nodes": [
      { "keys": [
          { "scale": [1, 1, 1], "rot": [0, 45, 0], "time": 0, "pos": [0, 0, 0], "note": "first" },
          { "time": 1, "pos": [4, 0, 0], "rot": [0, 90, 0], "scale": [2, 2, 2] }
        ],
        "name": "arm" }
    ],
    "duration": 1,
    "name": "wave",
    "version": 3
  }
}
"#
    .to_vec()
}

/// Comments of both kinds, also beside brackets and in a name that only looks like one.
pub(crate) fn commented() -> Vec<u8> {
    br#"// a door
{ "animation": { // the root
    "version": 4, "name": "door // shut", "duration": 1, /* seconds
    */
    "nodes": [
      { "name": "arm", "defaults": { "s": [1, 1, 1] /* for all */ },
        "keys": [
          { "t": 0, "p": [0, 0, 0], "r": [0, 0, 0] }, // shut
          { "t": 0.5, "p": [0, 0, 0], "r": [0, /* Y */ 45, 0] // half
          },
          { "t": 1, "p": [0, 0, 0], "r": [0, 90, 0] } // open
        ] } // the only one
    ] } }
"#
    .to_vec()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let mut marked = b"\xef\xbb\xbf\r\n\t ".to_vec();
    marked.extend(keys(STILL));
    vec![
        ("hoisted", hoisted()),
        ("long-names", long()),
        ("byte-order-mark", marked),
        ("no-nodes", v4("")),
        (
            "version-as-4.0",
            keys(STILL).iter().map(|b| *b as char).collect::<String>().replace("4,", "4.0,").into(),
        ),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("pc-json", keys(STILL)[..80].to_vec()),
        ("pc-json-trailing-comma", keys(&format!("{STILL},"))),
        ("pc-json-utf8", b"{\"animation\":{\"name\":\"\xff\"}}".to_vec()),
        ("pc-json-depth", text(&format!(r#"{{"x":{}{}}}"#, "[".repeat(200), "]".repeat(200)))),
        ("pc-json-number", keys(r#"{"t":1e999}"#)),
        ("pc-root", text(r#"[{"animation":{}}]"#)),
        ("pc-animation", text(r#"{"animations":[]}"#)),
        ("pc-animation-model", text(r#"{"model":{"version":3}}"#)),
        ("pc-animation-anim-clip", text(r#"{"name":"x","inputs":[[0]],"outputs":[[0]],"curves":[]}"#)),
        ("pc-animation-state-graph", text(r#"{"layers":[],"parameters":{}}"#)),
        ("pc-animation-number", text(r#"{"animation":4}"#)),
        ("pc-version", text(r#"{"animation":{"version":5,"nodes":[]}}"#)),
        ("pc-version-text", text(r#"{"animation":{"version":"4.0","nodes":[]}}"#)),
        ("pc-nodes", text(r#"{"animation":{"version":4,"duration":1}}"#)),
        ("pc-nodes-object", text(r#"{"animation":{"version":4,"duration":1,"nodes":{}}}"#)),
        ("pc-node", v4("7")),
        ("pc-node-name", v4(r#"{"name":["arm"],"keys":[]}"#)),
        ("pc-keys", v4(r#"{"keys":{"0":{}},"name":"arm"}"#)),
        ("pc-key", keys(&format!("{STILL},null"))),
        ("pc-component", keys(r#"{"t":0,"p":[1,2],"r":[0,0,0]}"#)),
        ("pc-component-element", keys(r#"{"t":0,"p":[1,"2",3],"r":[0,0,0]}"#)),
        ("pc-component-default", v4(r#"{"name":"arm","defaults":{"p":true},"keys":[]}"#)),
        (
            "pc-component-quat",
            text(
                r#"{"animation":{"duration":0,"nodes":[{"name":"arm","keys":[{"time":0,"quat":[0,0,1]}]}]}}"#,
            ),
        ),
        ("pc-time", keys(r#"{"p":[0,0,0],"r":[0,0,0]}"#)),
        ("pc-time-text", keys(r#"{"t":"0","p":[0,0,0],"r":[0,0,0]}"#)),
        ("pc-duration", text(r#"{"animation":{"version":4,"duration":-1,"nodes":[]}}"#)),
        ("pc-duration-text", text(r#"{"animation":{"version":4,"duration":"1","nodes":[]}}"#)),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let key = |t: &str| format!(r#"{{"t":{t},"p":[0,0,0],"r":[0,0,0]}}"#);
    let node = |name: &str| format!(r#"{{"name":"{name}","defaults":{{"s":[1,1,1]}},"keys":[{STILL}]}}"#);
    vec![
        ("pc-comments", commented()),
        (
            "pc-w-version-absent",
            text(
                r#"{"animation":{"duration":0,"nodes":[{"name":"arm","keys":[{"time":0,"pos":[0,0,0],"quat":[0,0,0,1],"scale":[1,1,1]}]}]}}"#,
            ),
        ),
        ("pc-w-version-string", text(r#"{"animation":{"version":"4","duration":1,"nodes":[]}}"#)),
        (
            "pc-w-default-singular",
            v4(r#"{"name":"arm","default":{"s":[1,1,1]},"keys":[{"t":0,"p":[0,0,0],"r":[0,0,0]}]}"#),
        ),
        (
            "pc-w-defaults-conflict",
            v4(
                r#"{"name":"arm","defaults":{"p":[9,9,9],"r":0,"s":null},"keys":[{"t":0,"p":[1,1,1],"r":[0,0,0],"s":[1,1,1]}]}"#,
            ),
        ),
        ("pc-w-component-missing", keys(r#"{"t":0,"p":[0,0,0],"r":[0,0,0]},{"t":1,"p":[1,0,0]}"#)),
        ("pc-w-no-keys", v4(r#"{"name":"arm","defaults":{"p":[1,2,3]},"keys":null}"#)),
        ("pc-w-duration-absent", text(r#"{"animation":{"version":4,"duration":null,"nodes":[]}}"#)),
        ("pc-w-key-after-duration", keys(&[key("0"), key("1.5"), key("2")].join(","))),
        ("pc-w-key-before-zero", keys(&[key("-0.5"), key("1")].join(","))),
        ("pc-w-equal-times", keys(&[key("0"), key("0.5"), key("0.5")].join(","))),
        ("pc-w-unsorted", keys(&[key("0"), key("1"), key("0.5")].join(","))),
        ("pc-w-duplicate-name", v4(&[node("arm"), node("leg"), node("arm")].join(","))),
        ("pc-w-name-empty", v4(&node(""))),
        ("pc-w-extra-elements", keys(r#"{"t":0,"p":[0,0,0,9],"r":[0,0,0]}"#)),
    ]
}

fn fixtures() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// All fixtures by folder and file name.
pub(crate) fn all() -> BTreeMap<String, Vec<u8>> {
    let named = |(kind, name, bytes): Fixture| (format!("{kind}/{name}.json"), bytes);
    fixtures().into_iter().map(named).collect()
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "json", &fixtures());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<PlayCanvas>(&fixtures(), "", &[], &[]);
}

#[test]
fn sound_files_have_no_findings() {
    for (name, bytes) in all().iter().filter(|(name, _)| name.starts_with("valid")) {
        assert_eq!(read_reporting::<PlayCanvas>(bytes).1, Report::default(), "{name}");
    }
}

#[test]
fn every_accepted_fixture_is_written_as_it_was() {
    for (name, bytes) in all().iter().filter(|(name, _)| !name.starts_with("invalid")) {
        assert_identity::<PlayCanvas>(bytes, name);
    }
}
