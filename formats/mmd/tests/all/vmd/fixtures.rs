//! The files of `src/vmd/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::vmd::bytes::{
    BLINK, CAMERA, CENTER, ELBOW, File, LEG_IK, MIKU, NO_TURN, STRAIGHT, STRAIGHT_CAMERA, STRAIGHT_OLD, with,
};
use dopesheet_core::format::Format;
use dopesheet_mmd::Vmd;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vmd/fixtures")
}

/// A key of every kind that a model's motion has, and each section of it.
pub(crate) fn motion() -> Vec<u8> {
    let eased = {
        // X straight, Y 0 0 127 127 (also straight), Z 64 0 64 127, rotation 20 0 30 127; physics off.
        let base = [20, 0, 64, 20, 20, 0, 0, 0, 107, 127, 64, 30, 107, 127, 127, 127];
        let mut block = [0; 64];
        for row in 0..4 {
            block[16 * row..16 * row + 16 - row].copy_from_slice(&base[row..]);
        }
        with(with(block, 2, 0x63), 3, 0x0f)
    };
    let mut file = File::new(MIKU);
    file.count(3).rest(CENTER, 0).bone(CENTER, 30, [1.0, 2.0, -3.0], [0.0, 0.6, 0.0, 0.8], &eased);
    file.bone(ELBOW, 15, [0.0; 3], [0.0, 0.0, 0.5, 0.866_025_4], &STRAIGHT);
    file.count(2).morph(BLINK, 0, 0.0).morph(BLINK, 12, 1.0).empty(3);
    file.count(2).model(0, 1, &[(LEG_IK, 1)]).model(20, 0, &[(LEG_IK, 0)]).done()
}

/// Camera, light and self shadow, without the show/IK section, and old memory behind texts.
pub(crate) fn camera() -> Vec<u8> {
    let mut file = File::with_header(b"Vocaloid Motion Data 0002\0JKLM", 20, b"");
    let mut bytes = file.empty(2).done();
    bytes[30..50].copy_from_slice(&[CAMERA, b"\0on Data"].concat());
    let mut file = File::new(b"");
    file.done();
    let eased = with(with(STRAIGHT_CAMERA, 16, 64), 18, 0);
    file.count(3).camera(0, -45.0, 30, 0, &STRAIGHT_CAMERA).camera(30, -20.0, 50, 0, &eased);
    file.camera(31, 5.0, 45, 1, &STRAIGHT_CAMERA);
    file.count(2).light(0, [-0.5, -1.0, 0.5]).light(20, [0.5, -1.0, 0.0]);
    file.count(2).shadow(0, 1, 0.01125).shadow(10, 2, 0.1);
    bytes.extend(file.done());
    bytes
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let mut filled = File::new(MIKU);
    filled.count(1).text(CENTER, 15, 0xfd).count(0).raw(&[0; 12]).raw(&[0; 12]);
    filled.raw(&1f32.to_le_bytes()).raw(&STRAIGHT_OLD).empty(3);
    let mut early = File::with_header(b"Vocaloid Motion Data file", 10, MIKU);
    early.count(1).rest(CENTER, 0).count(1).morph(BLINK, 0, 0.5).empty(3);
    vec![
        ("motion", motion()),
        ("camera", camera()),
        ("empty", File::new(b"").empty(6).done()),
        ("name-filled-with-fd", filled.empty(1).done()),
        ("old-signature", early.done()),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let cut = motion()[..41].to_vec();
    let mut count = File::new(MIKU);
    count.count(3).rest(CENTER, 0);
    let mut list = File::new(MIKU);
    list.empty(5).count(1).raw(&[0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]);
    let mut bone = File::new(MIKU);
    bone.count(1).bone(CENTER, 0, [f32::NAN, 0.0, f32::INFINITY], NO_TURN, &STRAIGHT).empty(5);
    vec![
        ("signature", File::with_header(b"Vocaloid Motion Dat4 0002", 20, MIKU).empty(6).done()),
        ("truncated", cut),
        ("count", count.done()),
        ("count-ik-list", list.done()),
        ("nonfinite", bone.done()),
    ]
}

fn bones(count: u32, keys: impl FnOnce(&mut File) -> &mut File) -> Vec<u8> {
    let mut file = File::new(MIKU);
    keys(file.count(count));
    file.empty(5).done()
}

/// Codes about bone keys.
fn quirks_of_bones() -> Vec<(&'static str, Vec<u8>)> {
    let block = |bytes: &[(usize, u8)]| bytes.iter().fold(STRAIGHT, |b, (at, byte)| with(b, *at, *byte));
    let curves = |block: [u8; 64]| bones(1, |f| f.bone(CENTER, 0, [0.0; 3], NO_TURN, &block));
    let turned = |turn| bones(1, |f| f.bone(CENTER, 0, [0.0; 3], turn, &STRAIGHT));
    let named = |name: &[u8]| bones(1, |f| f.rest(name, 0));
    let one_row = std::array::from_fn(|at| if at < 16 { STRAIGHT_OLD[at] } else { 0 });
    vec![
        ("curve-range", curves(block(&[(16, 130), (1, 130)]))),
        ("curve-rows", curves(block(&[(20, 21)]))),
        ("curve-rows-missing", curves(one_row)),
        (
            "duplicate-key",
            bones(3, |f| f.rest(CENTER, 0).rest(CENTER, 5).bone(CENTER, 5, [1.0; 3], NO_TURN, &STRAIGHT)),
        ),
        ("equal-keys", bones(3, |f| f.rest(CENTER, 0).rest(CENTER, 5).rest(CENTER, 5))),
        ("frame-far", bones(2, |f| f.rest(CENTER, 0).rest(CENTER, 2_592_001))),
        ("frame-huge", bones(2, |f| f.rest(CENTER, 0).rest(CENTER, u32::MAX))),
        ("late-start", bones(1, |f| f.rest(CENTER, 10))),
        ("name-alike", bones(2, |f| f.rest(b"\x81\xca", 0).rest(b"\xee\xf9", 0))),
        ("name-cut", named(&[ELBOW, ELBOW, &ELBOW[..3]].concat())),
        ("name-empty", named(b"")),
        ("name-encoding", named(b"\xd7\xf3\xff\x80")),
        ("name-nul", named(b"\0abc")),
        ("physics-byte", curves(block(&[(2, 7)]))),
        ("quaternion-norm", turned([0.0, 0.0, 3.0, 4.0])),
        ("unsorted", bones(2, |f| f.rest(CENTER, 9).rest(CENTER, 0))),
        ("zero-quaternion", turned([0.0; 4])),
    ]
}

/// Codes about everything else.
fn quirks_of_the_rest() -> Vec<(&'static str, Vec<u8>)> {
    let view = |name: &[u8], fov, flat| {
        File::new(name).empty(2).count(1).camera(0, -45.0, fov, flat, &STRAIGHT_CAMERA).empty(2).done()
    };
    let shadow = |mode, distance| File::new(CAMERA).empty(4).count(1).shadow(0, mode, distance).done();
    let mut ik = File::new(MIKU);
    ik.empty(5).count(2).model(0, 1, &[]).model(9, 1, &[(LEG_IK, 0)]);
    let mut both = File::new(MIKU);
    both.count(1).rest(CENTER, 0).empty(1).count(1).camera(0, -45.0, 30, 0, &STRAIGHT_CAMERA).empty(3);
    let mut camera_ik = File::new(CAMERA);
    camera_ik.empty(2).count(1).camera(0, -45.0, 30, 0, &STRAIGHT_CAMERA).empty(2).count(1).model(0, 1, &[]);
    vec![
        ("bare-signature", File::with_header(b"Vocaloid Motion Data", 20, MIKU).empty(6).done()),
        ("camera-name", view(b"camera", 30, 0)),
        ("camera-with-bones", both.done()),
        ("flag-byte", view(CAMERA, 30, 2)),
        ("fov", view(CAMERA, 0, 0)),
        ("ik-in-camera-motion", camera_ik.done()),
        ("ik-late", ik.done()),
        ("light-direction", File::new(CAMERA).empty(3).count(1).light(0, [0.0; 3]).empty(1).done()),
        ("morph-weight", File::new(MIKU).empty(1).count(1).morph(b"\x82\xa0", 0, 1.5).empty(4).done()),
        ("section-missing", File::new(MIKU).empty(1).done()),
        ("shadow-distance", shadow(1, 0.2)),
        ("shadow-mode", shadow(3, 0.01125)),
        ("short-file", File::new(MIKU).empty(2).done()),
        ("trailing-bytes", File::new(MIKU).empty(6).raw(b"tail").done()),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let mut files = quirks_of_bones();
    files.extend(quirks_of_the_rest());
    files.sort();
    files
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "vmd", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<Vmd>(&all(), "mmd-", &["mmd-file-too-long"], &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Vmd::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Vmd::INFO.checks.len(), 36);
}

#[test]
fn sound_files_have_no_findings() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, report) = dopesheet_testkit::read_reporting::<Vmd>(&bytes);
        let codes: Vec<_> = report.findings.iter().map(|f| f.fault.code).collect();
        let expected: &[&str] = if name == "motion" { &["mmd-late-start"] } else { &[] };
        assert_eq!(codes, expected, "{name}");
    }
}
