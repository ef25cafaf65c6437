//! Surfaces with more numbers than vertices.

use crate::common::*;

/// Primitives of three vertices, each with a morph of a million normals that no bytes hold.
fn turned(primitives: usize) -> Vec<u8> {
    let primitive = r#"{"attributes":{"POSITION":0,"NORMAL":0},"targets":[{"NORMAL":1}]}"#;
    let json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{}]}}],"#,
            r#""accessors":[{{"componentType":5126,"count":3,"type":"VEC3"}},"#,
            r#"{{"componentType":5126,"count":1000000,"type":"VEC3"}}]}}"#
        ),
        vec![primitive; primitives].join(",")
    );
    glb(&json, None)
}

#[test]
fn a_million_normals_of_a_morph_stay_within_their_vertices_and_the_memory_of_the_file() {
    let (scene, report) = to_scene(&try_read(&turned(1)).unwrap());
    assert!(scene.meshes[0].primitives[0].morphs[0].normals.is_empty());
    assert!(report.losses.is_empty(), "{:?}", report.losses);
    let (scene, report) = to_scene(&try_read(&turned(20)).unwrap());
    assert_eq!(scene.meshes[0].primitives.len(), 5, "3,000,018 numbers each of 16,777,216");
    let lost = "dropped: primitives (15): they have more numbers than the size of the file allows for";
    assert_eq!(report.losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [lost]);
}
