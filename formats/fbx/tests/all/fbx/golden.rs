//! Bytes and text built by hand, and what is read of them.

use crate::fbx::fixtures::named;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, WriteOptions};
use dopesheet_core::model::Axis;
use dopesheet_fbx::{Fbx, fbx};

fn read(name: &str) -> fbx::Document {
    dopesheet_testkit::read::<Fbx>(&named(name))
}

#[test]
fn text_and_bytes_say_the_same() {
    let (text, mut binary) = (read("chain-text"), read("chain"));
    assert_eq!(text.header.encoding, "text");
    assert_eq!(binary.header.encoding, "binary");
    binary.header.encoding = text.header.encoding;
    assert_eq!(text, binary);
}

#[test]
fn the_head_says_who_wrote_the_file_and_how_it_counts() {
    let document = read("chain");
    assert_eq!(document.header.version, 7400);
    assert_eq!(document.header.creator, "made by hand");
    assert_eq!(document.header.frames_per_second, 30.0);
    let basis = document.still.basis;
    assert_eq!((basis.left, basis.up, basis.front), (Axis::PosX, Axis::PosZ, Axis::NegY));
    assert_eq!(basis.metres_per_unit, Some(0.01));
    assert!(!basis.is_left_handed());
}

#[test]
fn takes_have_names_spans_and_layers() {
    let document = read("chain");
    let takes: Vec<_> =
        document.takes.iter().map(|t| (t.name.as_str(), t.begin.0, t.end.0, t.layers.len())).collect();
    assert_eq!(takes, [("Walk", 0.0, 1.0, 2), ("Jump", 0.0, 1.0, 1)]);
    assert_eq!(document.still.nodes.iter().map(|n| n.name.as_str()).collect::<Vec<_>>(), ["Hips", "Chest"]);
    assert_eq!(document.still.nodes[1].parent.map(|parent| parent.0), Some(0));
}

#[test]
fn files_are_known_by_their_bytes() {
    let hint = |name: &str| Hint::from_file_name(name);
    for name in ["chain", "chain-text"] {
        assert_eq!(Fbx::probe(&named(name), &hint("x.bin")), Confidence::Certain, "{name}");
    }
    assert_eq!(Fbx::probe(b"HIERARCHY", &hint("x.bvh")), Confidence::No);
    assert_eq!(Fbx::probe(b"HIERARCHY", &hint("x.fbx")), Confidence::ByName);
}

#[test]
fn nothing_is_written() {
    let error = Fbx::write(&read("chain"), &WriteOptions::default()).unwrap_err();
    assert_eq!(error.fault.code, "fbx-read-only");
    let mut report = Report::default();
    let scene = Fbx::to_scene(&read("chain"), &Default::default(), &mut report).unwrap();
    assert!(Fbx::from_scene(&scene, &Default::default(), &mut report).is_err());
}
