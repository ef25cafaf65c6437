//! Bytes that we write, and legal bytes that we never write.

use crate::common::{chunk, clip, glb, joint, keep, moves, read_back, scene, turns, walk};
use dopesheet_core::format::{Format, FromScene, WriteOptions};
use dopesheet_core::model::Scene;
use dopesheet_gltf::{Glb, Gltf};
use dopesheet_testkit as testkit;

fn step_and_turn() -> Scene {
    let mut scene = scene(&[("hip", None), ("leg", Some(0))]);
    scene.nodes[1].rest.translation = [0.0, -1.0, 0.0];
    let channels = vec![
        moves(&[0.0, 0.1], &[0.0, -1.0, 0.0, 0.0, -1.0, 0.5]),
        turns(&[0.0, 0.1], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]),
    ];
    scene.clips.push(clip("walk", 0.1, vec![joint(&scene, 1, channels)]));
    scene
}

/// Members in a fixed order, defaults left out, one input for both samplers, one view for each kind of data, times
/// rounded to f32 and bounds equal to what is stored.
const JSON: &str = concat!(
    r#"{"asset":{"version":"2.0","generator":"Dopesheet 0.1.0"},"#,
    r#""scene":0,"scenes":[{"nodes":[0]}],"#,
    r#""nodes":[{"name":"hip","children":[1]},{"name":"leg","translation":[0,-1,0]}],"#,
    r#""animations":[{"name":"walk","channels":["#,
    r#"{"sampler":0,"target":{"node":1,"path":"translation"}},"#,
    r#"{"sampler":1,"target":{"node":1,"path":"rotation"}}],"#,
    r#""samplers":[{"input":0,"output":1},{"input":0,"output":2}]}],"#,
    r#""accessors":["#,
    r#"{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.1]},"#,
    r#"{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"},"#,
    r#"{"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24},"#,
    r#"{"buffer":0,"byteOffset":32,"byteLength":32}],"#,
    r#""buffers":[{"byteLength":64}]}"#,
);

#[rustfmt::skip]
const DATA: [u8; 64] = [
    0, 0, 0, 0, 0xcd, 0xcc, 0xcc, 0x3d,
    0, 0, 0, 0, 0, 0, 0x80, 0xbf, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0x80, 0xbf, 0, 0, 0, 0x3f,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f,
    0, 0, 0, 0, 0x9a, 0x99, 0x19, 0x3f, 0, 0, 0, 0, 0xcd, 0xcc, 0x4c, 0x3f,
];

#[test]
fn a_glb_is_these_bytes() {
    let document = Glb::from_scene(&step_and_turn(), &FromScene::default(), &mut Default::default()).unwrap();
    let written = Glb::write(&document, &WriteOptions::default()).unwrap();
    assert_eq!(document.json.trim_end(), JSON);
    assert_eq!(written.main, glb(JSON, Some(&DATA)));
    assert!(written.resources.is_empty());
    keep("golden.glb", &written.main);
}

#[test]
fn a_gltf_has_its_buffer_beside_it_or_in_it() {
    let document =
        Gltf::from_scene(&step_and_turn(), &FromScene::default(), &mut Default::default()).unwrap();
    let mut options = WriteOptions::default();
    let inside = Gltf::write(&document, &options).unwrap();
    let text = String::from_utf8(inside.main).unwrap();
    assert!(
        text.starts_with(JSON.strip_suffix("}]}").unwrap())
            && text.contains("data:application/octet-stream;base64,")
    );
    keep("golden.gltf", text.as_bytes());
    options.file_name = Some("a b.gltf".into());
    let beside = Gltf::write(&document, &options).unwrap();
    let text = String::from_utf8(beside.main).unwrap();
    assert_eq!(text, JSON.replace("\"byteLength\":64}", "\"byteLength\":64,\"uri\":\"a%20b.bin\"}"));
    assert_eq!(beside.resources, [("a b.bin".to_owned(), DATA.to_vec())]);
}

#[test]
fn a_document_can_be_written_in_the_other_container() {
    let (mut report, options) = (Default::default(), WriteOptions::default());
    let text = Gltf::from_scene(&step_and_turn(), &FromScene::default(), &mut report).unwrap();
    let binary = Glb::from_scene(&step_and_turn(), &FromScene::default(), &mut report).unwrap();
    assert_eq!(Glb::write(&text, &options).unwrap(), Glb::write(&binary, &options).unwrap());
    assert_eq!(Gltf::write(&binary, &options).unwrap(), Gltf::write(&text, &options).unwrap());
}

#[test]
fn legal_bytes_that_we_never_write_are_kept() {
    let json = walk().json.replace("@BUFFER", "\"byteLength\":96");
    let mut bytes = glb(&json, Some(&walk().data));
    bytes.extend(chunk(b"XTRA", b"more", 0));
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes.extend(b"behind the end");
    testkit::assert_identity::<Glb>(&bytes, "chunks and bytes behind the BIN chunk");
    let document = testkit::read::<Glb>(&bytes);
    let dopesheet_gltf::gltf::DocumentContainer::Binary(container) = &document.container else { panic!() };
    assert_eq!(container.other_chunks[0].data, b"more");
    assert_eq!(container.trailing, b"behind the end");
}

#[test]
fn changing_one_part_of_a_document_changes_only_that() {
    let mut document = testkit::read::<Glb>(&walk().glb());
    let dopesheet_gltf::gltf::DocumentContainer::Binary(container) = &mut document.container else {
        panic!()
    };
    container.bin.as_mut().unwrap()[4..8].copy_from_slice(&0.25f32.to_le_bytes());
    let again = read_back(&document);
    assert_eq!(again.json, document.json);
    assert_eq!(again, testkit::read::<Glb>(&walk().float(1, 0.25).glb()));
}

#[test]
fn probing_looks_at_the_bytes_first() {
    use dopesheet_core::format::{Confidence, Hint};
    let (nothing, glb_name) = (Hint::default(), Hint::from_file_name("x.glb"));
    assert_eq!(Glb::probe(&walk().glb(), &nothing), Confidence::Certain);
    assert_eq!(Glb::probe(b"glTX", &glb_name), Confidence::ByName);
    assert_eq!(Glb::probe(&walk().gltf(), &nothing), Confidence::No);
    assert_eq!(Gltf::probe(&walk().gltf(), &nothing), Confidence::Certain);
    assert_eq!(Gltf::probe(b"{\"animation\":{\"version\":4}}", &nothing), Confidence::No);
    assert_eq!(Gltf::probe(b"{\"nodes\":[", &Hint::from_file_name("x.gltf")), Confidence::Plausible);
    assert_eq!(Gltf::probe(b"oops", &Hint::from_file_name("x.gltf")), Confidence::ByName);
    assert_eq!(Gltf::probe(&walk().glb(), &nothing), Confidence::No);
}

#[test]
fn a_summary_counts_and_names() {
    let document = Glb::from_scene(&step_and_turn(), &FromScene::default(), &mut Default::default()).unwrap();
    let summary = Glb::summary(&document);
    assert_eq!(summary.version.as_deref(), Some("2.0"));
    let fact =
        |name: &str| summary.facts.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
    assert_eq!(fact("generator"), Some("Dopesheet 0.1.0"));
    assert_eq!((fact("nodes"), fact("animations"), fact("accessors")), (Some("2"), Some("1"), Some("3")));
    assert_eq!(fact("extensions used"), None);
}
