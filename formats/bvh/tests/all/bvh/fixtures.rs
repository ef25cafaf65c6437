//! The files of `src/bvh/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_bvh::Bvh;
use dopesheet_core::format::Format;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bvh/fixtures")
}

/// A root that moves and turns, and a joint with an end, as most programs write them.
pub(crate) const JOINTS: &str = "HIERARCHY
ROOT Hips
{
\tOFFSET 0.000000 90.000000 0.000000
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Chest
\t{
\t\tOFFSET 0.000000 10.500000 -1.250000
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.000000 25.000000 0.000000
\t\t}
\t}
}
";

pub(crate) const HEAD: &str = "MOTION\nFrames: 2\nFrame Time: 0.04\n";
pub(crate) const ROW_1: &str =
    "1.000000 90.000000 -3.000000 10.000000 20.000000 30.000000 0.000000 0.000000 0.000000";
pub(crate) const ROW_2: &str =
    "2.000000 91.500000 -3.500000 -10.000000 5.000000 0.500000 45.000000 -30.000000 15.000000";

/// Two joints and two frames.
pub(crate) fn plain() -> String {
    format!("{JOINTS}{HEAD}{ROW_1}\n{ROW_2}\n")
}

/// [`plain`] with one part put in the place of another, which is there once.
pub(crate) fn with(old: &str, new: &str) -> Vec<u8> {
    let text = plain();
    assert_eq!(text.matches(old).count(), 1, "{old:?}");
    text.replace(old, new).into_bytes()
}

/// A root with one channel and one frame.
fn one(row: &str) -> Vec<u8> {
    let joints = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n}\n";
    format!("{joints}MOTION\nFrames: 1\nFrame Time: 0.04\n{row}").into_bytes()
}

/// Every order of turns, positions on any joint, joints without channels, two roots.
fn orders() -> Vec<u8> {
    let mut text = String::from("HIERARCHY\n");
    let mut row = Vec::new();
    for (index, order) in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "X", "ZY", ""].iter().enumerate() {
        let list: Vec<String> = order.chars().map(|axis| format!("{axis}rotation")).collect();
        text +=
            &format!("ROOT r{index}\n{{\nOFFSET {index} 0 0\nCHANNELS {} {}\n", list.len(), list.join(" "));
        text += "JOINT j {\n CHANNELS 1 Zposition\n OFFSET 0 1 2\n End Site\n {\n OFFSET 0 1 0\n }\n}\n}\n";
        text = text.replace("JOINT j {", &format!("JOINT j{index} {{"));
        row.extend((0..list.len()).map(|n| format!("{}", 10 * (n + 1))));
        row.push(format!("{index}.5"));
    }
    format!("{text}MOTION\nFrames: 1\nFrame Time: 0.008333333333333333\n{}\n", row.join(" ")).into_bytes()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let crlf = plain().replace('\n', "\r\n").into_bytes();
    let cr = plain().replace('\n', "\r").into_bytes();
    let odd = plain().replace("Frames: 2", "\n  Frames:\t2  ").replace(ROW_1, &format!("\n\t{ROW_1} \t\n\n"));
    vec![
        ("plain", plain().into_bytes()),
        ("crlf", crlf),
        ("cr", cr),
        (
            "blanks",
            odd.trim_end().replace("\t\tOFFSET", "\n\n OFFSET  ").replace(" 0.5", "\t0.5").into_bytes(),
        ),
        ("forms-of-numbers", with(ROW_1, "1 +90. -3 1e1 2E+1 3.0e1 0 -0 .0")),
        ("no-frames", format!("{JOINTS}MOTION\nFrames: 0\nFrame Time: 0.04\n").into_bytes()),
        (
            "no-channels",
            b"HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 0\n}MOTION\nFrames: 3\nFrame Time: 1".to_vec(),
        ),
        ("named-end", with("End Site", "End Site Top")),
        ("odd-names", with("Chest", "mixamorig:胸-1.\"a\"")),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let text = plain();
    let cut = |part: &str| text.as_bytes()[..text.find(part).unwrap()].to_vec();
    vec![
        ("channel-count", with("CHANNELS 3", "CHANNELS 2")),
        ("motion-missing", JOINTS.as_bytes().to_vec()),
        ("nonfinite", with(ROW_1, &ROW_1.replace("-3.000000", "-nan(ind)"))),
        ("nonfinite-offset", with("10.500000", "1e999")),
        ("number", with("-1.250000", "abc")),
        ("number-frames", with("Frames: 2", "Frames: -2")),
        ("number-row", with("91.500000", "91.50.000")),
        ("row-width", with(ROW_1, "1 2 3")),
        ("signature", with("HIERARCHY", "HIERARCH")),
        ("syntax", with("\tJOINT Chest\n\t{", "\tJOINT Chest\n\t")),
        ("syntax-motion", with("MOTION\nFrames:", "MOTION\nPictures:")),
        ("syntax-word", with("ROOT", "JOINT")),
        ("truncated", cut("-10.000000")),
        ("truncated-head", cut(" 0.04")),
        ("truncated-joint", cut("\t\tEnd")),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let rows = format!("{ROW_1}\n{ROW_2}");
    let commas = plain().replace(ROW_1, &ROW_1.replace('.', ","));
    vec![
        ("angle-winds", with("45.000000", "405.000000")),
        ("byte-order-mark", [b"\xef\xbb\xbf", plain().as_bytes()].concat()),
        ("channel-twice", with("CHANNELS 3 Zrotation Xrotation", "CHANNELS 3 Zrotation Zrotation")),
        ("channel-unknown", with("CHANNELS 3 Zrotation", "CHANNELS 3 Xscale")),
        (
            "channels-missing",
            one("5").replace_all(
                "CHANNELS 1 Yposition\n}",
                "CHANNELS 1 Yposition\nJOINT b\n{\nOFFSET 0 1 0\n}\n}",
            ),
        ),
        ("comma", commas.into_bytes()),
        ("comma-behind", with("0.000000 90.000000 0.000000", "0, 90, 0")),
        ("duplicate-name", with("Chest", "Hips")),
        ("extra-number", with("10.500000 -1.250000", "10.500000 -1.250000 7")),
        ("extra-number-row", with(ROW_1, &format!("{ROW_1} 0.5 0.5"))),
        ("frame-count", with("Frames: 2", "Frames: 5")),
        ("frame-count-huge", with("Frames: 2", "Frames: 18446744073709551615")),
        ("frame-count-less", with("Frames: 2", "Frames: 1")),
        ("frame-rate", with("0.04", "0.0083333")),
        ("frame-time", with("0.04", "0")),
        ("frame-time-negative", with("0.04", "-0.033333")),
        (
            "keyword",
            with("\tCHANNELS 3 Zrotation Xrotation Yrotation", "\tchannels 3 zrotation XRotation YROTATION"),
        ),
        ("keyword-end", with("End Site", "END SITE")),
        ("keyword-frames", with("Frame Time:", "FrameTime :")),
        ("name-blank", with("Chest", "Bip01 L Thigh")),
        ("name-empty", with("JOINT Chest", "JOINT")),
        ("name-encoding", with_bytes("Chest", b"\x8f\xe3\x94\xbc\x90g")),
        ("offset-missing", with("\tOFFSET 0.000000 90.000000 0.000000\n", "")),
        ("row-split", with(ROW_2, &ROW_2.replace(" 45", "\n45"))),
        ("row-split-joined", with(&rows, &rows.replace('\n', " "))),
        ("trailing-text", with("15.000000\n", "15.000000\n\nmade by hand 1 2 3\n")),
    ]
}

/// Replaces text in bytes.
trait ReplaceAll {
    fn replace_all(self, old: &str, new: &str) -> Vec<u8>;
}

impl ReplaceAll for Vec<u8> {
    fn replace_all(self, old: &str, new: &str) -> Vec<u8> {
        String::from_utf8(self).unwrap().replace(old, new).into_bytes()
    }
}

fn with_bytes(old: &str, new: &[u8]) -> Vec<u8> {
    let text = plain();
    let at = text.find(old).unwrap();
    [&text.as_bytes()[..at], new, &text.as_bytes()[at + old.len()..]].concat()
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    let mut valid = valid();
    valid.push(("orders", orders()));
    dopesheet_testkit::fixtures(valid, invalid(), quirk())
}

/// One of them.
pub(crate) fn named(name: &str) -> Vec<u8> {
    all().into_iter().find(|fixture| fixture.1 == name).unwrap_or_else(|| panic!("{name}")).2
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "bvh", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    // Those about what is to be written are shown by the tests of edits and conversions, and the unit by those of scenes.
    let elsewhere = ["bvh-file-too-long", "bvh-name-line", "bvh-several-roots", "bvh-shape", "bvh-unit"];
    dopesheet_testkit::assert_every_code_has_a_fixture::<Bvh>(&all(), "bvh-", &elsewhere, &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Bvh::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Bvh::INFO.checks.len(), 31);
}

#[test]
fn sound_files_have_no_findings() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, mut report) = dopesheet_testkit::read_reporting::<Bvh>(&bytes);
        // A double with all its digits is no more exact than the rate it stands for.
        report.findings.retain(|finding| name != "orders" || finding.fault.code != "bvh-frame-rate");
        assert_eq!(report.findings, [], "{name}");
    }
}
