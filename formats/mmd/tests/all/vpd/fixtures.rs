//! The files of `src/vpd/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_core::format::Format;
use dopesheet_mmd::Vpd;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

/// センター.
pub(crate) const CENTER: &[u8] = b"\x83\x5a\x83\x93\x83\x5e\x81\x5b";
/// 左ひじ.
pub(crate) const ELBOW: &[u8] = b"\x8d\xb6\x82\xd0\x82\xb6";
/// まばたき.
pub(crate) const BLINK: &[u8] = b"\x82\xdc\x82\xce\x82\xbd\x82\xab";
/// 親ファイル名.
const PARENT_COMMENT: &[u8] = b"\x90\x65\x83\x74\x83\x40\x83\x43\x83\x8b\x96\xbc";
/// 総ポーズボーン数.
const COUNT_COMMENT: &[u8] = b"\x91\x8d\x83\x7c\x81\x5b\x83\x59\x83\x7b\x81\x5b\x83\x93\x90\x94";

pub(crate) const REST: &str = "0.000000,0.000000,0.000000";
pub(crate) const NO_TURN: &str = "0.000000,0.000000,0.000000,1.000000";

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vpd/fixtures")
}

/// A file in the making, line by line as MikuMikuDance writes it.
#[derive(Default)]
pub(crate) struct File(Vec<u8>);

impl File {
    /// A file up to the first bone.
    pub(crate) fn new(count: &str) -> Self {
        let mut file = Self::default();
        file.raw(b"Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// ").raw(PARENT_COMMENT).raw(b"\r\n");
        file.raw(count.as_bytes()).raw(b";\t\t\t\t// ").raw(COUNT_COMMENT).raw(b"\r\n\r\n");
        file
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn bone(&mut self, index: &str, name: &[u8], place: &str, turn: &str) -> &mut Self {
        self.raw(format!("Bone{index}{{").as_bytes()).raw(name);
        self.raw(format!("\r\n  {place};\t\t\t\t// trans x,y,z\r\n").as_bytes());
        self.raw(format!("  {turn};\t\t// Quaternion x,y,z,w\r\n}}\r\n\r\n").as_bytes())
    }

    pub(crate) fn morph(&mut self, index: &str, name: &[u8], weight: &str) -> &mut Self {
        self.raw(format!("Morph{index}{{").as_bytes()).raw(name);
        self.raw(format!("\r\n  {weight};\t\t\t\t// weight\r\n}}\r\n\r\n").as_bytes())
    }

    pub(crate) fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// Two bones, as MikuMikuDance writes them.
pub(crate) fn pose() -> Vec<u8> {
    let mut file = File::new("2");
    file.bone("0", CENTER, "0.500000,-1.250000,3.000000", NO_TURN);
    file.bone("1", ELBOW, REST, "0.000000,0.000000,0.500000,0.866025").done()
}

/// One bone and one morph, as MikuMikuMoving writes them.
pub(crate) fn with_morph() -> Vec<u8> {
    File::new("1").bone("0", CENTER, REST, NO_TURN).morph("0", BLINK, "0.750000").done()
}

fn without(text: &[u8], byte: u8) -> Vec<u8> {
    text.iter().copied().filter(|b| *b != byte).collect()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let mut blanks = b"Vocaloid Pose Data file  \n  a model.osm ;1;Bone0 {  x y  \n".to_vec();
    blanks.extend(b" +1 , .5 ,\n-2e-1 ; // a comment\n// another\n0,0,0,1;} ");
    vec![
        ("pose", pose()),
        ("empty", File::new("0").done()),
        ("line-feeds", without(&pose(), b'\r')),
        ("odd-blanks", blanks),
        // 表 ends in the byte of a backslash, ボ in that of an opening brace and ポ in a vertical bar.
        (
            "braces-in-names",
            File::new("1").bone("0", b"\x95\x5c\x83\x7b\x83\x7c\x81\x7d", REST, NO_TURN).done(),
        ),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let one = |place: &str| File::new("1").bone("0", CENTER, place, NO_TURN).done();
    let mut unclosed = one(REST);
    unclosed.retain(|byte| *byte != b'}');
    let mut signature = pose();
    signature[16] = b'e';
    vec![
        ("nonfinite", one("nan,inf,-2.000000")),
        ("number", one("0.500000,abc,-2.000000")),
        ("number-count", File::new("-1").done()),
        ("signature", signature),
        ("syntax", one("0.500000,0.000000")),
        ("syntax-word", File::new("1").raw(b"Camera0{").done()),
        ("truncated", pose()[..200].to_vec()),
        ("truncated-brace", unclosed),
        ("truncated-header", pose()[..30].to_vec()),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let named = |name: &[u8]| File::new("1").bone("0", name, REST, NO_TURN).done();
    let turned = |turn: &str| File::new("1").bone("0", CENTER, REST, turn).done();
    let twice =
        |index| File::new("2").bone("0", CENTER, REST, NO_TURN).bone(index, CENTER, "1,1,1", NO_TURN).done();
    vec![
        ("count-mismatch", File::new("5").bone("0", CENTER, REST, NO_TURN).done()),
        ("count-mismatch-huge", File::new("4294967295").bone("0", CENTER, REST, NO_TURN).done()),
        ("duplicate-name", twice("1")),
        ("index-order", File::new("1").bone("7", CENTER, REST, NO_TURN).done()),
        ("morphs", with_morph()),
        ("name-cut", named(&ELBOW[..5])),
        ("name-empty", named(b"")),
        ("name-encoding", named(b"\xd7\xf3\xff\x80")),
        ("quaternion-norm", turned("0.000000,0.000000,3.000000,4.000000")),
        (
            "trailing-text",
            File::new("1").bone("0", CENTER, REST, NO_TURN).raw(b"// bye\r\nmade by hand").done(),
        ),
        ("zero-quaternion", turned("0.000000,0.000000,0.000000,0.000000")),
    ]
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "vpd", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    // The two about names to be written are shown by the tests of edits.
    let elsewhere = ["mmd-file-too-long", "mmd-name-line", "mmd-name-unencodable"];
    dopesheet_testkit::assert_every_code_has_a_fixture::<Vpd>(&all(), "mmd-", &elsewhere, &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Vpd::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Vpd::INFO.checks.len(), 18);
}

#[test]
fn sound_files_have_no_findings() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, report) = dopesheet_testkit::read_reporting::<Vpd>(&bytes);
        assert_eq!(report.findings, [], "{name}");
    }
}
