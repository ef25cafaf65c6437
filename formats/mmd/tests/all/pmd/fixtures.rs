//! The files of `src/pmd/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::pmd::bytes::{
    BLINK, CENTER, File, KNEE, NONE, body, bone, empty_end, field, ik, joint, material, morph, physics,
    plain, toons, vertex,
};
use dopesheet_core::format::Format;
use dopesheet_mmd::Pmd;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pmd/fixtures")
}

/// Names of the ten pictures that every program has, but for the second.
const TOONS: [&[u8]; 10] = [
    b"toon01.bmp",
    b"skin.bmp",
    b"toon03.bmp",
    b"toon04.bmp",
    b"toon05.bmp",
    b"toon06.bmp",
    b"toon07.bmp",
    b"toon08.bmp",
    b"toon09.bmp",
    b"toon10.bmp",
];

/// Something in every list, and every part of the end.
pub(crate) fn everything() -> File {
    let english = [
        &[1][..],
        &field(b"Miku", 20, 0),
        &field(b"made by hand", 256, 0xfd),
        &[&b"center"[..], b"leg", b"knee", b"ankle", b"leg IK"].map(|name| field(name, 20, 0)).concat(),
        &field(b"blink", 20, 0),
        &field(b"Legs\n", 50, 0),
    ];
    let end = [
        english.concat(),
        toons(TOONS),
        physics(
            &[body(b"a", 1, 0, [0.5, 0.0, 0.0]), body(b"b", NONE, 2, [0.0, 0.25, 0.0])],
            &[joint(b"j", [0, 1])],
        ),
    ];
    File {
        vertices: vec![
            vertex([0.0, 0.0, 0.0], [0, 0], 100),
            vertex([1.0, 0.0, 0.0], [0, 1], 25),
            vertex([0.0, 1.0, 0.0], [1, 0], 0),
        ],
        faces: vec![0, 1, 2],
        materials: vec![material(0.5, 1, 1, 3, b"skin.bmp*shine.spa")],
        bones: vec![
            bone(CENTER, NONE, 1, 1, 0, [0.0, 8.0, 0.0]),
            bone(b"\x8d\xb6\x91\xab", 0, 2, 4, 4, [1.0, 7.0, 0.0]),
            bone(KNEE, 1, 3, 4, 4, [1.0, 4.0, -0.25]),
            bone(b"\x8d\xb6\x91\xab\x8e\xf1", 2, 0, 6, 0, [1.0, 1.0, 0.0]),
            bone(b"\x8d\xb6\x91\xab\x82\x68\x82\x6a", NONE, 3, 2, 3, [1.0, 1.0, 0.0]),
        ],
        ik: vec![ik(4, 3, 40, 0.5, &[2, 1])],
        morphs: vec![
            morph(b"base", 0, &[(2, [0.0, 1.0, 0.0]), (0, [0.0; 3])]),
            morph(BLINK, 2, &[(0, [0.0, -0.5, 0.0])]),
        ],
        panel: vec![1],
        frames: vec![field(b"\x91\xab\n", 50, 0)],
        framed: vec![(1, 1), (4, 1)],
        end: end.concat(),
    }
}

/// A file that ends after the frames, the English flag, the toons and the bodies.
pub(crate) fn short_files() -> [(&'static str, Vec<u8>); 4] {
    let file = |length: usize| File::new().with(|file| file.end.truncate(length)).done();
    [
        ("short-file", file(0)),
        ("short-file-english", file(1)),
        ("short-file-toons", file(1001)),
        ("short-file-bodies", file(1005)),
    ]
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let follows = vec![
        plain(CENTER, NONE),
        bone(b"eyes", 0, 0, 7, 0, [0.0, 2.0, 0.0]),
        bone(b"eye", 0, 0, 5, 1, [0.0, 2.0, 0.0]),
        bone(b"twist", 0, 0, 0, 0, [0.0; 3]),
        bone(b"twist1", 0, 3, 9, 25, [0.0; 3]),
        bone(b"axis", 0, 3, 8, 0, [3.0, 4.0, 0.0]),
    ];
    vec![
        ("everything", everything().done()),
        ("empty", File::default().with(|file| file.end = empty_end()).done()),
        ("following-bones", File::new().with(|file| file.bones = follows).done()),
    ]
}

/// One file per code that reading reports, named after it; and those about numbers, indices and circles.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let mut signature = File::new().done();
    signature[2] = b'x';
    let mut count = File::new().done();
    count[283..287].copy_from_slice(&[0xff; 4]);
    let links = File::new().with(|file| file.ik = vec![ik(0, 0, 1, 1.0, &[0; 3])]).done();
    let mut count_links = links.clone();
    let at = 283 + 12 + 2 + 39 + 2 + 4;
    count_links[at] = 0xff;
    count_links.truncate(at + 20);
    let circle = vec![plain(b"a", 1), plain(b"b", 0)];
    vec![
        ("count", count),
        ("count-links", count_links),
        ("index", File::new().with(|file| file.bones = vec![plain(CENTER, 7)]).done()),
        (
            "nonfinite",
            File::new()
                .with(|file| file.bones = vec![bone(CENTER, NONE, 0, 0, 0, [f32::NAN, 0.0, f32::INFINITY])])
                .done(),
        ),
        ("parent-cycle", File::new().with(|file| file.bones = circle).done()),
        ("signature", signature),
        ("truncated", everything().done()[..100].to_vec()),
    ]
}

/// Codes about bones.
fn quirks_of_bones() -> Vec<(&'static str, Vec<u8>)> {
    let bones = |bones: Vec<Vec<u8>>| File::new().with(|file| file.bones = bones).done();
    let kind = |kind| bones(vec![plain(CENTER, NONE), bone(b"x", 0, 0, kind, 0, [0.0; 3])]);
    let chains = |chains: Vec<Vec<u8>>| {
        let names = [b"goal", b"tipp", b"link"].map(|name| plain(name, NONE));
        File::new().with(|file| (file.bones, file.ik) = (names.to_vec(), chains)).done()
    };
    let framed = |frame| {
        File::new()
            .with(|file| (file.frames, file.framed) = (vec![field(b"f\n", 50, 0)], vec![(0, frame)]))
            .done()
    };
    vec![
        (
            "append-cycle",
            bones(vec![bone(b"a", NONE, 0, 5, 1, [0.0; 3]), bone(b"b", NONE, 0, 9, 50, [0.0; 3])]),
        ),
        ("bone-type", kind(10)),
        ("bone-type-unknown", kind(3)),
        ("fixed-axis", bones(vec![plain(b"a", NONE), bone(b"b", NONE, 0, 8, 0, [0.0, 1.0, 0.0])])),
        ("frame-number", framed(0)),
        ("frame-number-above", framed(2)),
        ("ik-several", chains(vec![ik(0, 1, 1, 1.0, &[2]), ik(0, 1, 1, 1.0, &[2])])),
        ("ik-weight", chains(vec![ik(0, 1, 1, 0.0, &[2])])),
        ("name-cut", bones(vec![plain(&KNEE[..5], NONE)])),
        ("name-duplicate", bones(vec![plain(CENTER, NONE), plain(CENTER, NONE)])),
        ("name-empty", bones(vec![plain(b"", NONE)])),
        ("name-encoding", bones(vec![plain(b"\xd7\xf3\xff\x80", NONE)])),
        ("parent-order", bones(vec![plain(b"a", 1), plain(b"b", NONE)])),
        ("name-long", bones(vec![plain(b"more than fifteen", NONE)])),
    ]
}

/// Codes about everything else.
fn quirks_of_the_rest() -> Vec<(&'static str, Vec<u8>)> {
    let surface = |faces: &[u16], materials: Vec<Vec<u8>>, weight| {
        let vertices = vec![vertex([0.0; 3], [0, 0], weight); 3];
        File::new()
            .with(|file| (file.vertices, file.faces, file.materials) = (vertices, faces.to_vec(), materials))
            .done()
    };
    let painted =
        |toon, edge, texture: &[u8]| surface(&[0, 1, 2], vec![material(1.0, toon, edge, 3, texture)], 100);
    let morphs = |morphs: Vec<Vec<u8>>, panel: &[u16]| {
        File::new().with(|file| (file.morphs, file.panel) = (morphs, panel.to_vec())).done()
    };
    let base = || morph(b"base", 0, &[]);
    let mut version = File::new().done();
    version[3..7].copy_from_slice(&1.5f32.to_le_bytes());
    let bodies = |bodies: &[Vec<u8>]| {
        let end = [&[0; 1001][..], &physics(bodies, &[])].concat();
        File::new().with(|file| file.end = end).done()
    };
    let mut files = vec![
        ("base-morph", morphs(vec![morph(b"a", 1, &[])], &[])),
        ("base-morph-twice", morphs(vec![base(), morph(b"a", 0, &[])], &[])),
        ("face-count", surface(&[0, 1], vec![material(1.0, 0, 0, 2, b"")], 100)),
        ("flag-byte", painted(0, 2, b"")),
        ("kind", bodies(&[body(b"a", 0, 3, [0.0; 3])])),
        ("material-faces", surface(&[0, 1, 2], vec![], 100)),
        ("panel-base", morphs(vec![base()], &[0])),
        ("texture", painted(0, 0, b"a.bmp*b.bmp")),
        ("toon", painted(10, 0, b"")),
        ("trailing-bytes", File::new().with(|file| file.end.extend(b"tail")).done()),
        ("version", version),
        ("weight-range", surface(&[0, 1, 2], vec![material(1.0, 0, 0, 3, b"")], 101)),
    ];
    files.extend(short_files());
    files
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
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "pmd", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    // English names that are too few cannot be read, only written; see the tests of golden bytes.
    let elsewhere = ["mmd-english", "mmd-file-too-long"];
    dopesheet_testkit::assert_every_code_has_a_fixture::<Pmd>(&all(), "mmd-", &elsewhere, &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Pmd::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Pmd::INFO.checks.len(), 32);
}

#[test]
fn sound_files_have_no_findings() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, report) = dopesheet_testkit::read_reporting::<Pmd>(&bytes);
        assert_eq!(report.findings, [], "{name}");
    }
}
