//! The files of `src/pmx/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::pmx::bytes::{
    BODIES, BONES, FACES, FRAMES, File, Fill, JOINTS, MATERIALS, MORPHS, Of, PLAIN, Record, Style, TEXTURES,
    VERTICES, bone, bone_with, material, morph, record, vertex,
};
use crate::pmx::everything::everything;
use dopesheet_core::format::Format;
use dopesheet_mmd::Pmx;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pmx/fixtures")
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let wide = Style { utf16: true, sizes: [4; 6], ..PLAIN };
    let point = vertex(wide, [0.0; 3], |r| r.u8(0).at(Of::Bone, 0));
    let wide = File::empty(wide).with(BONES, bone(wide, "センター", [0.0; 3], -1)).with(VERTICES, point);
    vec![
        ("empty", File::empty(PLAIN).done()),
        ("everything", everything()),
        ("small", File::small().done()),
        ("wide-indices", wide.done()),
    ]
}

/// A header with some bytes replaced.
fn header(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = File::small();
    file.header[at..at + bytes.len()].copy_from_slice(bytes);
    file.done()
}

/// One file per code of severity `error`, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let mut text = File::small();
    text.texts = record(PLAIN, |r| r.raw(&[0xfb, 0xff, 0xff, 0xff]));
    let mut long = File::small();
    long.texts = record(PLAIN, |r| r.i32(0x7fff_fff0));
    let mut count = File::small().done();
    let vertices = File::small().header.len() + File::small().texts.len();
    count[vertices..vertices + 4].copy_from_slice(&[0xff; 4]);
    let vertex_of = |skin: Fill| vertex(PLAIN, [0.0; 3], skin);
    let bone = |head, parent| bone(PLAIN, "頭", head, parent);
    vec![
        ("count", count),
        ("index-parent", File::small().replacing(BONES, 1, bone([0.0, 1.5, 0.0], 77)).done()),
        ("index-face", File::small().replacing(FACES, 5, vec![9]).done()),
        ("index-skin", File::small().replacing(VERTICES, 0, vertex_of(|r| r.u8(0).at(Of::Bone, -1))).done()),
        (
            "kind-weight-type",
            File::small().replacing(VERTICES, 1, vertex_of(|r| r.u8(5).at(Of::Bone, 0))).done(),
        ),
        ("kind-toon", small_material(6, |r| r.at(Of::Texture, 0).at(Of::Texture, -1).u8(0).u8(2).u8(0))),
        ("kind-morph", File::small().replacing(MORPHS, 0, morph(PLAIN, "あ", 11, &[])).done()),
        ("nonfinite", File::small().replacing(BONES, 1, bone([0.0, f32::NAN, f32::INFINITY], 0)).done()),
        (
            "parent-cycle",
            File::small().replacing(BONES, 0, self::bone(PLAIN, "センター", [0.0; 3], 0)).done(),
        ),
        ("settings", header(8, &[7])),
        ("settings-encoding", header(9, &[2])),
        ("settings-index-size", header(11, &[3])),
        ("settings-uvs", header(10, &[5])),
        ("signature", header(0, b"PMY ")),
        ("text-length", text.done()),
        ("text-length-long", long.done()),
        ("truncated", File::small().done()[..12].to_vec()),
        ("version", header(4, &9_f32.to_le_bytes())),
    ]
}

fn small_material(indices: i32, pictures: Fill) -> Vec<u8> {
    File::small().replacing(MATERIALS, 0, material(PLAIN, indices, pictures)).done()
}

/// A file with a third bone, flags and what follows them.
fn third_bone(level: i32, flags: u16, parent: i32, rest: Fill) -> Vec<u8> {
    File::small().with(BONES, bone_with(PLAIN, ("目", [0.0, 1.6, 0.0], parent), (level, flags), rest)).done()
}

/// A leg of three bones and a goal, whose IK block is filled in.
pub(crate) fn leg(goal_parent: i32, ik: Fill) -> File {
    File::empty(PLAIN)
        .with(BONES, bone(PLAIN, "足", [0.0, 3.0, 0.0], -1))
        .with(BONES, bone(PLAIN, "ひざ", [0.0, 2.0, 0.0], 0))
        .with(BONES, bone(PLAIN, "足首", [0.0, 1.0, 0.0], 1))
        .with(BONES, bone_with(PLAIN, ("足ＩＫ", [0.0, 1.0, 0.0], goal_parent), (1, 0x3e), ik))
}

fn plain_ik(r: &mut Record) -> &mut Record {
    r.f(&[0.0; 3]).at(Of::Bone, 2).i32(40).f(&[2.0]).i32(2).at(Of::Bone, 1).u8(0).at(Of::Bone, 0).u8(0)
}

/// Codes about bones.
fn quirks_of_bones() -> Vec<(&'static str, Vec<u8>)> {
    let named = |name: &str| File::small().replacing(BONES, 1, bone(PLAIN, name, [0.0, 1.5, 0.25], 0));
    let none: Fill = |r| r.f(&[0.0; 3]).at(Of::Bone, -1).f(&[0.5]);
    let next: Fill = |r| r.f(&[0.0; 3]).at(Of::Bone, 1).f(&[0.5]);
    let last: Fill = |r| r.f(&[0.0; 3]).at(Of::Bone, 2).f(&[0.5]);
    let chain: Fill = |r| {
        r.f(&[0.0; 3]).at(Of::Bone, 1).i32(40).f(&[2.0]).i32(2).at(Of::Bone, 2).u8(0).at(Of::Bone, 0).u8(0)
    };
    let rounds: Fill = |r| r.f(&[0.0; 3]).at(Of::Bone, 2).i32(-1).f(&[2.0]).i32(0);
    let limit: Fill = |r| {
        r.f(&[0.0; 3]).at(Of::Bone, 2).i32(40).f(&[2.0]).i32(1).at(Of::Bone, 1).u8(1);
        r.f(&[0.5, 0.0, 0.0]).f(&[-0.5, 0.0, 0.0])
    };
    let circle = File::small().replacing(BONES, 1, bone_with(PLAIN, ("頭", [0.0; 3], 0), (0, 0x11e), last));
    let circle = circle.with(BONES, bone_with(PLAIN, ("目", [0.0; 3], 0), (0, 0x21e), next));
    let late = |level, flags| {
        let root = bone_with(PLAIN, ("センター", [0.0; 3], -1), (level, flags), |r| r.f(&[0.0; 3]));
        File::small().replacing(BONES, 0, root).done()
    };
    let forward = File::small().replacing(BONES, 0, bone(PLAIN, "センター", [0.0; 3], 1));
    let forward =
        forward.replacing(BONES, 1, bone_with(PLAIN, ("頭", [0.0; 3], -1), (-1, 0x1e), |r| r.f(&[0.0; 3])));
    vec![
        ("append-cycle", circle.done()),
        ("append-none", third_bone(0, 0x11e, 1, none)),
        ("fixed-axis", third_bone(0, 0x41e, 1, |r| r.f(&[0.0; 6]))),
        ("forward-parent", forward.done()),
        ("ik-chain", leg(-1, chain).done()),
        ("ik-goal", leg(1, plain_ik).done()),
        ("ik-iterations", leg(-1, rounds).done()),
        ("ik-limit", leg(-1, limit).done()),
        ("name-duplicate", named("センター").done()),
        ("name-empty", named("").done()),
        ("name-long", named("とても長い名前の骨").done()),
        ("name-long-lacks", named("골").done()),
        ("parent-order", late(1, 0x1e)),
        ("parent-order-physics", late(0, 0x101e)),
    ]
}

/// Codes about vertices, faces, materials and morphs.
fn quirks_of_the_surface() -> Vec<(&'static str, Vec<u8>)> {
    let skinned = |skin: Fill| File::small().replacing(VERTICES, 0, vertex(PLAIN, [0.0; 3], skin)).done();
    let sphere =
        |mode| material(PLAIN, 6, move |r| r.at(Of::Texture, 0).at(Of::Texture, -1).u8(mode).u8(1).u8(0));
    let mut normal = File::small();
    normal.sections[VERTICES][0][12..24].copy_from_slice(&[0; 12]);
    let group = |of| morph(PLAIN, "い", 0, &[record(PLAIN, |r| r.at(Of::Morph, of).f(&[1.0]))]);
    let turn = record(PLAIN, |r| r.at(Of::Bone, 0).f(&[0.0; 3]).f(&[0.0, 0.0, 0.0, 2.0]));
    let mut odd = File::small().with(FACES, vec![0]);
    odd.sections[MATERIALS][0] =
        material(PLAIN, 7, |r| r.at(Of::Texture, 0).at(Of::Texture, -1).u8(0).u8(1).u8(0));
    let nested = File::small().replacing(MORPHS, 0, group(1)).with(MORPHS, morph(PLAIN, "う", 0, &[]));
    let path = |path: &str| File::small().replacing(TEXTURES, 0, record(PLAIN, |r| r.text(path))).done();
    vec![
        ("choice-sphere", File::small().replacing(MATERIALS, 0, sphere(4)).done()),
        ("face-count", odd.done()),
        ("material-faces", small_material(3, |r| r.at(Of::Texture, 0).at(Of::Texture, -1).u8(0).u8(1).u8(0))),
        ("morph-nested", nested.done()),
        ("normal", normal.done()),
        ("picture-path", path("..\\face.png")),
        ("picture-path-drive", path("C:\\face.png")),
        ("rotation", File::small().with(MORPHS, morph(PLAIN, "い", 2, &[turn])).done()),
        ("weight-range", skinned(|r| r.u8(1).at(Of::Bone, 0).at(Of::Bone, 1).f(&[1.5]))),
        ("weight-sum", skinned(|r| r.u8(2).raw(&[0, 1, 0, 0]).f(&[0.5, 0.25, 0.0, 0.0]))),
    ]
}

/// Codes about everything else.
fn quirks_of_the_rest() -> Vec<(&'static str, Vec<u8>)> {
    let body =
        |mode| record(PLAIN, |r| r.names("髪", "").at(Of::Bone, 0).u8(0).u16(0).u8(0).f(&[0.5; 14]).u8(mode));
    let joint =
        |kind| record(PLAIN, |r| r.names("関節", "").u8(kind).at(Of::Body, 0).at(Of::Body, 0).f(&[0.0; 24]));
    let frame = record(PLAIN, |r| r.names("表情", "").u8(2).i32(0));
    let mut further = File::small();
    further.header[8] = 10;
    further.header.extend([1, 2]);
    let mut text = File::small();
    text.texts = record(PLAIN, |r| r.i32(2).raw(b"\xff\xfe").text("").names("", ""));
    let tailed = |tail: &[u8]| File { tail: tail.to_vec(), ..File::small() }.done();
    let mut missing = File::empty(Style { version: 2.1, ..PLAIN });
    missing.sections.pop();
    let qdef = vertex(PLAIN, [0.0; 3], |r| r.u8(4).raw(&[0, 1, 0, 0]).f(&[0.5, 0.5, 0.0, 0.0]));
    vec![
        ("choice-body", File::small().with(BODIES, body(3)).done()),
        ("choice-frame", File::small().with(FRAMES, frame).done()),
        ("choice-joint", File::small().with(BODIES, body(0)).with(JOINTS, joint(6)).done()),
        ("empty-soft-bodies", tailed(&[0; 4])),
        ("further-settings", further.done()),
        ("magic", header(0, b"PMX\xa0")),
        ("section-missing", missing.done()),
        ("text", text.done()),
        ("trailing-bytes", tailed(b"tail")),
        ("version-feature-flip", File::small().with(MORPHS, morph(PLAIN, "い", 9, &[])).done()),
        ("version-feature-joint", File::small().with(BODIES, body(0)).with(JOINTS, joint(1)).done()),
        ("version-feature-qdef", File::small().replacing(VERTICES, 0, qdef).done()),
    ]
}

/// Files for codes that only checking reports, named after them.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let mut files = quirks_of_bones();
    files.extend(quirks_of_the_surface());
    files.extend(quirks_of_the_rest());
    files.sort();
    files
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// Those that reading accepts.
pub(crate) fn accepted() -> Vec<Fixture> {
    let by_checking = ["index-parent", "index-face", "index-skin", "nonfinite", "parent-cycle"];
    all().into_iter().filter(|(kind, name, _)| *kind != "invalid" || by_checking.contains(name)).collect()
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "pmx", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<Pmx>(&all(), "mmd-", &["mmd-file-too-long"], &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Pmx::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Pmx::INFO.checks.len(), 39);
}

#[test]
fn sound_files_have_no_findings() {
    let mut seen = 0;
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, report) = dopesheet_testkit::read_reporting::<Pmx>(&bytes);
        assert_eq!(report.findings, [], "{name}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}
