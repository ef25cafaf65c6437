//! The files of `src/animation/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::animation::bytes::{CLAMP, File, Full};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/animation/fixtures")
}

const CAMERA: [u8; 3] = [1, 0, 0];
const GAZE: [u8; 3] = [0, 0, 1];

/// A head that moves right and turns left, straight from key to key.
fn head(file: &mut File) -> &mut File {
    file.curve(CLAMP, &[[0.0, 0.0], [1.0, 0.5], [2.0, 1.0]]).curve(CLAMP, &[[0.0, 1.6]]).empty(2);
    file.curve(CLAMP, &[[0.0, 0.0], [2.0, -0.6]]).empty(1).curve(CLAMP, &[[0.0, 1.0], [2.0, 0.8]])
}

/// As MRTK 2.6 and later write it: head and gaze, two markers.
pub(crate) fn head_and_gaze() -> Vec<u8> {
    let mut file = File::flags([1, 0, 1]);
    head(&mut file).curve(CLAMP, &[[0.0, 0.1]]).curve(CLAMP, &[[0.0, 1.6]]).empty(2);
    file.curve(CLAMP, &[[0.0, -0.25], [1.5, 0.25]]).curve(CLAMP, &[[0.0, 1.0]]);
    file.markers(&[(0.5, b"look"), (3.0, "конец".as_bytes())]).done()
}

/// Both hands, of which the left one is tracked for a second and pinches, with its wrist and the tip of its index.
pub(crate) fn hands() -> Vec<u8> {
    let mut file = File::flags([0, 1, 0]);
    file.curve(CLAMP, &[[0.0, 0.0], [0.5, 1.0], [1.5, 0.0]]).empty(1);
    file.curve(CLAMP, &[[0.0, 0.0], [0.75, 1.0]]).empty(1);
    let wrist = |file: &mut File, y: f32| {
        file.curve(CLAMP, &[[0.5, -0.2], [1.5, -0.1]]).curve(CLAMP, &[[0.5, y]]).curve(CLAMP, &[[0.5, 0.3]]);
        file.empty(3).curve(CLAMP, &[[0.5, 1.0]]);
    };
    file.empty(7);
    wrist(&mut file, 1.0);
    file.empty(9 * 7);
    wrist(&mut file, 1.1);
    file.empty((27 - 12) * 7 + 27 * 7).markers(&[]).done()
}

/// A head with every kind of segment: Hermite, weighted, stepped and straight.
fn tangents(file: &mut File) -> &mut File {
    let third = 1.0 / 3.0;
    let keys: [Full; 5] = [
        ([0.0, 0.0, 0.0, 2.0, 9.0, 9.0], 0),
        ([1.0, 1.0, -1.0, 0.5, 9.0, 0.75], 2),
        ([2.0, 0.0, 0.0, f32::INFINITY, 0.25, third], 1),
        ([3.0, 5.0, 0.0, 0.0, 0.0, 0.0], 2),
        ([4.0, 6.0, 7.0, 0.0, 0.0, 0.0], 1),
    ];
    file.full([2, 4], &keys).empty(5).full(CLAMP, &[([0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 0)])
}

/// Version 1.0: always camera and hands, keys of 28 bytes.
pub(crate) fn version_1_0() -> Vec<u8> {
    let mut file = File::new(0);
    tangents(&mut file).curve(CLAMP, &[[0.0, 1.0]]).empty(3 + 2 * 27 * 7).markers(&[]).done()
}

/// Version 1.1 with keys of 28 bytes, as the documentation describes it.
pub(crate) fn documented() -> Vec<u8> {
    let mut file = File::flags(CAMERA);
    tangents(&mut file).markers(&[(1.0, b"")]).done()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("head-and-gaze", head_and_gaze()),
        ("hands", hands()),
        ("version-1-0", version_1_0()),
        ("nothing", File::flags([0; 3]).markers(&[]).done()),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let mut swapped = head_and_gaze();
    swapped[..8].reverse();
    let count = |count: i32| File::flags(CAMERA).int(8).int(8).int(count).empty(7).done();
    let mut infinite = File::flags(CAMERA);
    infinite.curve(CLAMP, &[[0.0, 1.0], [f32::INFINITY, 2.0]]).empty(6).markers(&[(f32::NAN, b"lost")]);
    let mut endless = File::flags([0; 3]);
    endless.int(1).float(0.0).raw(&[0xff; 6]);
    vec![
        ("bad-magic", swapped),
        ("bad-string-length", endless.done()),
        ("count-too-large", count(i32::MAX)),
        ("negative-count", count(-1)),
        ("non-finite-time", infinite.done()),
        ("trailing-bytes", [head_and_gaze(), b"tail".to_vec()].concat()),
        ("truncated", head_and_gaze()[..60].to_vec()),
        ("unsupported-version", File::new(2).raw(&[0; 3]).done()),
    ]
}

/// A head whose first curve is the given one.
fn first(curve: impl FnOnce(&mut File)) -> Vec<u8> {
    let mut file = File::flags(CAMERA);
    curve(&mut file);
    file.empty(6).markers(&[]).done()
}

fn full(keys: &[Full]) -> Vec<u8> {
    first(|file| {
        file.full(CLAMP, keys);
    })
}

fn simple(keys: &[[f32; 2]]) -> Vec<u8> {
    first(|file| {
        file.curve(CLAMP, keys);
    })
}

fn wrapped(wrap: [i32; 2]) -> Vec<u8> {
    first(|file| {
        file.curve(wrap, &[[0.0, 1.0], [1.0, 2.0]]);
    })
}

/// Rotations whose W has lost its keys, as MRTK 2.6 and 2.7 write them.
pub(crate) fn damaged() -> Vec<u8> {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut file = File::flags(CAMERA);
    file.curve(CLAMP, &[[0.0, 0.0], [2.0, 1.0]]).empty(2).curve(CLAMP, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    file.curve(CLAMP, &[[0.0, 0.0], [1.0, half], [2.0, 1.0]]);
    file.curve(CLAMP, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]).curve(CLAMP, &[[0.0, 1.0]]).markers(&[]).done()
}

/// One key of 28 bytes whose tangents and weights can also be read as a marker.
fn ambiguous() -> Vec<u8> {
    let key = [0.5, 1.0, f32::from_bits(1), 0.25, f32::from_bits(0x3E80_000B), 0.25];
    File::flags(GAZE).empty(5).full(CLAMP, &[(key, 0)]).done()
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let named = |markers: &[(f32, &[u8])]| File::flags([0; 3]).markers(markers).done();
    let mut switch = File::flags([0, 1, 0]);
    switch.curve(CLAMP, &[[0.0, 0.75], [1.0, 2.0]]).empty(3 + 2 * 27 * 7).markers(&[]);
    let mut gaze = File::flags(GAZE);
    gaze.empty(3).curve(CLAMP, &[[0.0, 1.0], [1.0, 0.0]]).empty(2).markers(&[]);
    let mut flag = head_and_gaze();
    flag[16] = 2;
    let tangent = |slope: f32| [([0.0, 0.0, 0.0, slope, 0.0, 0.0], 0), ([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], 0)];
    let weight = |weight: f32, mode: i32| [([0.0, 0.0, 0.0, 0.0, 0.5, weight], mode)];
    vec![
        ("bad-utf8", named(&[(0.0, b"caf\xe9")])),
        ("bool-value-not-0-1", switch.done()),
        ("doc-shape", documented()),
        ("duplicate-key-time", simple(&[[0.0, 1.0], [1.0, 2.0], [1.0, 3.0], [2.0, 4.0]])),
        ("long-name-length", File::flags([0; 3]).int(1).float(0.0).raw(&[0x82, 0x80, 0, b'o', b'k']).done()),
        ("missing-marker-list", File::flags(GAZE).empty(5).curve(CLAMP, &[[0.0, 1.0]]).done()),
        ("negative-time", simple(&[[-100.0, 1.0], [1.0, 2.0]])),
        ("non-canonical-bool-byte", flag),
        ("non-finite-tangent", full(&tangent(f32::NAN))),
        ("non-finite-value", simple(&[[0.0, f32::NAN], [1.0, f32::NEG_INFINITY]])),
        ("non-finite-weight", full(&weight(f32::INFINITY, 2))),
        ("rotation-w-damaged", damaged()),
        ("shape-ambiguous", ambiguous()),
        ("shape-indeterminate", File::flags([0, 0, 1]).empty(6).markers(&[]).done()),
        ("unknown-weighted-mode", full(&weight(0.5, 7))),
        ("unknown-wrap-mode", wrapped([99, -1])),
        ("unsorted-keys", simple(&[[1.0, 2.0], [0.0, 1.0]])),
        ("unsorted-markers", named(&[(2.0, b"late"), (1.0, b"early")])),
        ("weight-out-of-range", full(&weight(1.5, 3))),
        ("wrap-mode-combination", wrapped([3, 6])),
        ("wrap-mode-once", wrapped([8, 1])),
        ("zero-gaze-direction", gaze.done()),
    ]
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "bin", &all());
}

/// Remarks on how the file was recognised, which small files earn beside whatever else they show.
const REMARKS: [&str; 3] = ["doc-shape", "missing-marker-list", "shape-indeterminate"];

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    let fixtures = all();
    dopesheet_testkit::assert_every_code_has_a_fixture::<Mrtk2>(
        &fixtures,
        "",
        &["file-too-long", "joints-absent", "keys-of-8-bytes"],
        &REMARKS,
    );
}
