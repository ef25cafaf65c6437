//! The files of `src/iwer/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_core::diag::Report;
use dopesheet_core::model::HAND_JOINTS;
use dopesheet_testkit::{Fixture, assert_identity, read_reporting};
use dopesheet_webxr::Iwer;
use std::collections::BTreeMap;
use std::path::Path;

/// The number for the head: a place and no turn.
pub(crate) const HEAD: &str = "0,1.6,0,0,0,0,1";
/// A ray.
const RAY: &str = "0.2,1.3,-0.4,0,0,0,1";

/// WebXR's joints.
pub(crate) fn joints() -> Vec<&'static str> {
    HAND_JOINTS.into_iter().filter_map(|joint| joint.webxr).collect()
}

/// A controller with a grip, two buttons and two axes.
pub(crate) fn controller(index: u32) -> String {
    format!(
        "[{index},{{\"handedness\":\"left\",\"targetRayMode\":\"tracked-pointer\",\"profiles\":[\"meta-quest-touch-plus\",\"generic-trigger\"],\
         \"hasGrip\":true,\"hasHand\":false,\"hasGamepad\":true,\"mapping\":\"xr-standard\",\"numButtons\":2,\"numAxes\":2}}]"
    )
}

/// A hand with one button, whose joints have these names.
pub(crate) fn hand_of(index: u32, joints: &[&str]) -> String {
    let joints = format!("{joints:?}").replace(' ', "");
    format!(
        "[{index},{{\"handedness\":\"right\",\"targetRayMode\":\"tracked-pointer\",\"profiles\":[\"generic-hand\"],\"hasGrip\":false,\
         \"hasHand\":true,\"hasGamepad\":true,\"jointSequence\":{joints},\"mapping\":\"xr-standard\",\"numButtons\":1,\"numAxes\":0}}]"
    )
}

/// The rows of a hand's joints, one behind the other: straight fingers that turn by `half` (half an angle in radians).
fn rows(joints: usize, half: f64) -> String {
    let short = |number: f64| (number * 1000.0).round() / 1000.0 + 0.0;
    let row = |n: usize| {
        let (finger, along) = ((n as f64 / 5.0).floor(), (n % 5) as f64);
        let place = [0.02 * finger - 0.04, 0.01, -0.025 * along].map(short);
        format!(
            "{},{},{},{},0,0,{},0.008",
            place[0],
            place[1],
            place[2],
            short(half.sin()),
            short(half.cos())
        )
    };
    (0..joints).map(row).collect::<Vec<_>>().join(",")
}

/// A controller's input: a button is pressed or not.
pub(crate) fn pressed(index: u32, x: f64, pressed: bool) -> String {
    let (state, value) = (u8::from(pressed), if pressed { "0.75" } else { "0" });
    format!("[{index},{x},1.2,-0.3,0,0,0,1,[{x},1.19,-0.28,0,0.6,0,0.8],[[{state},1,{value}],null,0.5,null]]")
}

/// A hand's input.
pub(crate) fn shown(index: u32, half: f64, pinches: bool) -> String {
    let state = u8::from(pinches);
    format!("[{index},{RAY},[{}],[[{state},{state},{state}]]]", rows(25, half))
}

pub(crate) fn file(schema: &[String], frames: &[String]) -> Vec<u8> {
    format!("{{\"schema\":[{}],\"frames\":[{}]}}", schema.join(","), frames.join(",")).into_bytes()
}

/// A frame.
pub(crate) fn frame(time: f64, inputs: &[String]) -> String {
    let inputs: String = inputs.iter().map(|input| format!(",{input}")).collect();
    format!("[{time},{HEAD}{inputs}]")
}

/// A controller and a hand that comes later; times are uneven.
pub(crate) fn both() -> Vec<u8> {
    let frames = [
        frame(1234.5, &[pressed(0, 0.1, false)]),
        frame(1248.4, &[pressed(0, 0.12, false), shown(1, 0.1, false)]),
        frame(1262.9, &[pressed(0, 0.15, true), shown(1, 0.25, true)]),
        frame(1290.0, &[pressed(0, 0.2, true), shown(1, 0.4, true)]),
        frame(1301.1, &[pressed(0, 0.2, false)]),
    ];
    file(&[controller(0), hand_of(1, &joints())], &frames)
}

/// White space, members that nobody knows, another order, and numbers spelled oddly.
pub(crate) fn spelled() -> Vec<u8> {
    let text = "\u{feff}{\n  \"frames\": [\n    [0.0, 0, 1.60, 0, 0, 0, 0, 1e0],\n    [16.7, -0, 1.61, 0, 0, 0, 0, 1]\n  ],\n  \
                \"recorder\": {\"name\": \"ours\", \"version\": [1, 2]},\n  \"schema\": []\n}\n";
    text.as_bytes().to_vec()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("both", both()),
        ("spelled", spelled()),
        ("one-frame", file(&[], &[frame(0.0, &[])])),
        ("schema-without-frames-of-it", file(&[controller(7)], &[frame(0.0, &[]), frame(10.0, &[])])),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let one = |inputs: &[&str]| {
        let inputs: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
        file(&[controller(0), hand_of(1, &["wrist"])], &[frame(0.0, &inputs)])
    };
    let schema = |entry: &str| file(&[entry.to_owned()], &[frame(0.0, &[])]);
    let changed = |from: &str, to: &str| schema(&hand_of(1, &["wrist"]).replace(from, to));
    vec![
        ("iwer-json", both()[..300].to_vec()),
        ("iwer-json-utf8", b"{\"schema\":[],\"frames\":[\xff]}".to_vec()),
        ("iwer-json-depth", text(&format!("{{\"x\":{}{}}}", "[".repeat(200), "]".repeat(200)))),
        ("iwer-json-number", text("{\"schema\":[],\"frames\":[[1e999,0,0,0,0,0,0,1]]}")),
        ("iwer-json-trailing", text("{\"schema\":[],\"frames\":[]}}")),
        ("iwer-root", text("[{\"schema\":[],\"frames\":[]}]")),
        ("iwer-root-lists", text("{\"schema\":[]}")),
        ("iwer-root-kind", text("{\"schema\":[],\"frames\":{\"0\":[]}}")),
        ("iwer-schema", schema("[0]")),
        ("iwer-schema-entry", schema("{\"0\":0}")),
        ("iwer-schema-index", schema("[-1,{}]")),
        ("iwer-schema-kind", schema("[0,[]]")),
        ("iwer-schema-member", changed("\"hasGrip\":false,", "")),
        ("iwer-schema-joints", changed("\"jointSequence\":[\"wrist\"],", "")),
        ("iwer-schema-joint", changed("[\"wrist\"]", "[0]")),
        ("iwer-schema-buttons", changed("\"numButtons\":1", "\"numButtons\":1.5")),
        ("iwer-schema-truth", changed("\"hasHand\":true", "\"hasHand\":1")),
        ("iwer-frame", file(&[], &["[0,0,1.6,0,0,0,0]".to_owned()])),
        ("iwer-frame-kind", file(&[], &["7".to_owned()])),
        ("iwer-frame-number", file(&[], &["[0,0,1.6,0,null,0,0,1]".to_owned()])),
        ("iwer-frame-time", file(&[], &["[1e16,0,1.6,0,0,0,0,1]".to_owned()])),
        ("iwer-input", one(&["[0,0,0,0,0,0,0]"])),
        ("iwer-input-kind", one(&["0"])),
        ("iwer-input-index", one(&["[\"0\",0,0,0,0,0,0,1]"])),
        ("iwer-input-number", one(&["[0,0,0,0,0,0,\"0\",1]"])),
        ("iwer-input-grip", one(&["[0,0,0,0,0,0,0,1,[0,0,0]]"])),
        ("iwer-input-gamepad", one(&["[0,0,0,0,0,0,0,1,[0,0,0,0,0,0,1]]"])),
        ("iwer-input-buttons", one(&["[0,0,0,0,0,0,0,1,[0,0,0,0,0,0,1],[[0,0,0],null,0]]"])),
        ("iwer-input-button", one(&["[0,0,0,0,0,0,0,1,[0,0,0,0,0,0,1],[[0,0],null,0,0]]"])),
        ("iwer-input-hand", one(&["[1,0,0,0,0,0,0,1,[0,0,0,0,0,0,1],[[0,0,0]]]"])),
        ("iwer-source", one(&["[2,0,0,0,0,0,0,1]"])),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let wrist = |turn: &str| format!("[1,{RAY},[0,0,0,{turn},0.02],[[0,0,0]]]");
    let mut odd = joints();
    odd[3] = "palm";
    let still = |time: f64| frame(time, &[]);
    let turned = "[10,0,1.6,0,0,0,0,0]".to_owned();
    let inputs = [pressed(0, 0.1, false), pressed(0, 0.2, false)];
    let short = hand_of(1, &["wrist"]);
    vec![
        ("iwer-empty", file(&[], &[])),
        ("iwer-index-twice", file(&[controller(0), controller(0)], &[frame(0.0, &inputs[..1])])),
        ("iwer-input-twice", file(&[controller(0)], &[frame(0.0, &inputs)])),
        ("iwer-joints", file(&[short], &[frame(0.0, &[wrist("0,0,0,1")])])),
        ("iwer-joints-names", file(&[hand_of(1, &odd)], &[frame(0.0, &[shown(1, 0.2, false)])])),
        ("iwer-rotation", file(&[], &[still(0.0), turned])),
        ("iwer-time", file(&[], &[still(0.0), still(20.0), still(20.0), still(10.0)])),
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

/// Codes that reading and checking a file cannot show: the caller's limit, and what writing assumes.
const ELSEWHERE: [&str; 4] =
    ["iwer-file-too-long", "iwer-joint-missing", "iwer-radius-assumed", "iwer-ray-assumed"];

#[test]
fn the_files_on_disk_are_those_built_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/iwer/fixtures");
    dopesheet_testkit::assert_fixtures_on_disk(&folder, "json", &fixtures());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<Iwer>(&fixtures(), "", &ELSEWHERE, &[]);
}

#[test]
fn sound_files_have_no_findings() {
    for (name, bytes) in all().iter().filter(|(name, _)| name.starts_with("valid")) {
        assert_eq!(read_reporting::<Iwer>(bytes).1, Report::default(), "{name}");
    }
}

#[test]
fn every_accepted_fixture_is_written_as_it_was() {
    for (name, bytes) in all().iter().filter(|(name, _)| !name.starts_with("invalid")) {
        assert_identity::<Iwer>(bytes, name);
    }
}
