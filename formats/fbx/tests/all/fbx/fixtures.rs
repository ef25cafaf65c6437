//! The files of `src/fbx/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::fbx::bad;
use crate::fbx::chain::{self, Chain, assemble, joint, on};
use crate::fbx::faults;
use crate::fbx::records::{self, Record, Value};
use crate::fbx::unplaced;
use dopesheet_core::format::Format;
use dopesheet_fbx::Fbx;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/fbx/fixtures")
}

fn chain() -> Vec<Record> {
    chain::records(&Chain::default())
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("chain", records::binary(&chain())),
        ("chain-text", records::text(&chain())),
        ("face", records::binary(&chain::face())),
        ("face-text", records::text(&chain::face())),
        ("surface", records::text(&unplaced::surface())),
        ("empty-take", records::text(&empty_take())),
        ("mesh-named-as-bone", records::text(&mesh_named_as_bone())),
        ("nothing", records::text(&assemble(&Chain::default(), Vec::new(), Vec::new()))),
    ]
}

/// The chain with a take without keys in front of the others, as Mixamo writes its files.
fn empty_take() -> Vec<Record> {
    let chain = without_lift(chain());
    let all = edited(chain, "Objects", |all| {
        let first = all.iter().position(|own| own.word == "AnimationStack").unwrap();
        all.splice(first..first, [chain::take(90, "Take 001", 0), chain::layer(91, "Base", 0)]);
    });
    edited(all, "Connections", |all| all.push(on(91, 90)))
}

/// The face with a mesh that has the name of the joint `Tip`, before all joints.
fn mesh_named_as_bone() -> Vec<Record> {
    edited(chain::face(), "Objects", |all| {
        faults::own(all, 3).values[1] = Value::Name("Tip".to_owned(), "Model");
    })
}

/// One file per code that stops reading, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let binary = records::binary(&chain());
    let deep = 600;
    let joints = (1..=deep).map(|id| joint(id, "j", Vec::new())).collect();
    let hung = (1..=deep).map(|id| on(id, id - 1)).collect();
    let mut damaged = binary.clone();
    let list = find(&binary, b"KeyValueFloat") + b"KeyValueFloat".len();
    // More numbers than the list has room for.
    damaged[list + 1] = 0x7f;
    vec![
        ("cycle", records::text(&bad::ring())),
        ("damaged", damaged),
        ("depth", records::binary(&assemble(&Chain::default(), joints, hung))),
        ("empty", Vec::new()),
        ("encrypted", bad::encrypted(records::binary)),
        ("key-time", records::binary(&bad::at_times(Value::Longs(vec![0, i64::MAX])))),
        ("signature", [&b"glTF\x02\0\0\0"[..], &[0; 120]].concat()),
        ("truncated", binary[..find(&binary, b"KeyValueFloat")].to_vec()),
        ("unsupported", with(&binary, &7400u32.to_le_bytes(), &9900u32.to_le_bytes())),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let text = records::text(&chain());
    let axes = Chain { axes: [(1, 1), (1, 1), (0, 1)], ..Chain::default() };
    let start = Chain { begin: chain::SECOND / 2, ..Chain::default() };
    let unit = Chain { unit: 0.0, ..Chain::default() };
    let one_layer = |chain: &Chain| without_lift(chain::records(chain));
    let own = vec![
        ("axes", records::text(&one_layer(&axes))),
        (
            "duplicate-id",
            records::text(&edited(one_layer(&Chain::default()), "Objects", |all| {
                all.push(joint(2, "Chest again", Vec::new()));
            })),
        ),
        ("key-order", records::text(&bad::at_times(Value::Longs(vec![chain::SECOND, 0])))),
        ("layers", text),
        (
            "root",
            records::text(&edited(one_layer(&Chain::default()), "Connections", |all| all.push(on(50, 0)))),
        ),
        ("nonfinite", records::text(&one_joint(f64::NAN, 30.0))),
        ("nonfinite-key", records::text(&one_joint(0.0, f32::INFINITY))),
        ("take-start", records::text(&one_layer(&start))),
        ("properties", records::text(&unplaced::properties())),
        ("unplaced", records::text(&unplaced::unplaced())),
        ("unicode", with(&records::text(&one_layer(&Chain::default())), b"Model::Chest", b"Model::Ch\xe9st")),
        ("unit", records::text(&one_layer(&unit))),
    ];
    [own, faults::all()].concat()
}

/// The chain with the hips at a place along Y, and in its second take alone on their way to an end.
fn one_joint(place: f64, end: f32) -> Vec<Record> {
    let all = edited(without_lift(chain::records(&Chain::default())), "Objects", |all| {
        all.retain(|own| !matches!(own.values.first(), Some(Value::Long(1 | 10 | 11 | 60))));
        all.push(chain::joint_at(1, "Hips", [0.0, place, 100.0]));
        all.push(chain::curve(60, &[(0.0, 0.0), (1.0, f64::from(end))], chain::LINEAR));
    });
    let is_of_walk = |own: &Record| [10, 11, 20, 22, 30, 32].iter().any(|id| is_connection_of(own, *id));
    edited(all, "Connections", |all| all.retain(|own| !is_of_walk(own)))
}

/// The chain without its second layer.
pub(crate) fn without_lift(all: Vec<Record>) -> Vec<Record> {
    edited(all, "Connections", |all| {
        all.retain(|own| !is_connection_of(own, 12) && !is_connection_of(own, 21))
    })
}

fn is_connection_of(record: &Record, id: i64) -> bool {
    matches!(record.values.get(1), Some(Value::Long(own)) if *own == id)
}

pub(crate) fn edited(mut all: Vec<Record>, word: &str, edit: impl FnOnce(&mut Vec<Record>)) -> Vec<Record> {
    let own = all.iter_mut().find(|record| record.word == word).unwrap();
    edit(own.children.as_mut().unwrap());
    all
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).unwrap()
}

/// Bytes with one part put in the place of the first that is like another.
pub(crate) fn with(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = find(bytes, old);
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// One of them.
pub(crate) fn named(name: &str) -> Vec<u8> {
    all().into_iter().find(|fixture| fixture.1 == name).unwrap_or_else(|| panic!("{name}")).2
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "fbx", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    // The first two need more than reading one file; the others take long files, which tests of their own make.
    let elsewhere = ["fbx-file-too-long", "fbx-read-only", "fbx-memory", "fbx-work"];
    dopesheet_testkit::assert_every_code_has_a_fixture::<Fbx>(&all(), "fbx-", &elsewhere, &[]);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Fbx::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
}

#[test]
fn sound_files_have_no_warnings() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, mut report) = dopesheet_testkit::read_reporting::<Fbx>(&bytes);
        report.findings.retain(|finding| finding.fault.code != "fbx-layers");
        assert_eq!(report.findings, [], "{name}");
    }
}
