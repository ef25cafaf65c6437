//! Documents as scenes.

use crate::model::fixtures::{BONE, MESH, Parts, ROOT, SKIN, all};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::{Hierarchy, NodeIndex, Scene};
use dopesheet_playcanvas::model::PlayCanvasModel;
use dopesheet_testkit::read;

fn scene_with_report(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    (
        PlayCanvasModel::to_scene(&read::<PlayCanvasModel>(bytes), &ToScene::default(), &mut report).unwrap(),
        report,
    )
}

fn scene(bytes: &[u8]) -> Scene {
    scene_with_report(bytes).0
}

#[test]
fn nodes_keep_their_order_and_their_numbers() {
    let scene = scene(&Parts::new().bytes());
    assert_eq!((scene.hierarchy, scene.basis.metres_per_unit), (Hierarchy::Known, None));
    assert_eq!(scene.nodes[1].parent, Some(NodeIndex(0)));
    assert_eq!(scene.nodes[1].rest.translation, [0.0, 2.0, 0.0]);
    assert!((scene.nodes[1].rest.rotation[2] - 0.5f64.sqrt()).abs() < 1e-15);
    assert!(scene.clips.is_empty());
}

#[test]
fn parents_are_put_before_their_children() {
    let scene = scene(&all()["valid/children-before-parents.json"]);
    let names: Vec<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["RootNode", "bone", "tip"]);
    let sources: Vec<usize> = scene.nodes.iter().filter_map(|node| node.source_index).collect();
    assert_eq!(sources, [0, 2, 1]);
    assert_eq!(scene.nodes[2].parent, Some(NodeIndex(1)));
    assert_eq!(scene.skins[0].joints, [NodeIndex(1), NodeIndex(0)]);
}

#[test]
fn only_the_vertices_that_are_drawn_are_taken() {
    let scene = scene(&Parts::new().bytes());
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(primitive.uv_sets, [[[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]], "V runs downwards");
    assert_eq!(primitive.indices, [0, 1, 2]);
    assert_eq!(primitive.joints[0].joints, [0, 1, 0, 0]);
    assert_eq!(primitive.joints[0].weights, [0.5, 0.5, 0.0, 0.0]);
    let moved: Vec<_> = primitive.morphs.iter().map(|morph| morph.positions.clone()).collect();
    assert_eq!(moved, [vec![(0, [0.0, 1.0, 0.0])], vec![(2, [1.0, 0.0, 0.0])]]);
    assert_eq!(scene.morph_sets[0].morphs, ["up", "side"]);
    let node = &scene.nodes[1];
    assert!(node.mesh.is_some() && node.skin.is_some() && node.morphs.is_some());
}

#[test]
fn tangents_further_coordinates_and_normals_of_morphs_are_taken_and_colours_told() {
    let (scene, report) = scene_with_report(&all()["valid/surface.json"]);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.tangents, [[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]);
    assert_eq!(primitive.uv_sets[1..], [vec![], vec![[0.25, 0.5], [0.5, 0.5], [0.75, 1.0]]]);
    let turned: Vec<_> = primitive.morphs.iter().map(|morph| morph.normals.clone()).collect();
    assert_eq!(turned, [vec![(1, [0.0, 0.5, 0.0])], vec![]]);
    assert!(
        matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what == "colours of 1 vertex buffer")
    );
}

#[test]
fn strips_and_fans_are_triangles() {
    let indices = |kind: &str| {
        let parts = Parts::new().replaced("meshes", "triangles", kind).replaced(
            "meshes",
            "\"count\":3",
            "\"count\":4",
        );
        let parts = parts.replaced("meshes", "[0,1,2,2,1,3]", "[0,1,2,3]");
        scene(&parts.bytes()).meshes[0].primitives[0].indices.clone()
    };
    assert_eq!(indices("trianglestrip"), [0, 1, 2, 2, 1, 3]);
    assert_eq!(indices("trianglefan"), [0, 1, 2, 0, 2, 3]);
}

#[test]
fn a_mesh_without_indices_takes_vertices_as_they_come() {
    let parts = Parts::new().replaced("meshes", "\"indices\":[0,1,2,2,1,3],", "").replaced(
        "meshes",
        "\"base\":0",
        "\"base\":1",
    );
    let scene = scene(&parts.bytes());
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]]);
    assert_eq!(primitive.indices, [0, 1, 2]);
}

#[test]
fn meshes_of_one_node_share_it_unless_their_skins_differ() {
    let plain = MESH.replace(",\"skin\":0,\"morph\":0", "");
    let parts = Parts::new().with("meshes", &format!("[{MESH},{MESH},{plain}]")).with(
        "meshInstances",
        r#"[{"node":1,"mesh":0},{"node":1,"mesh":2},{"node":1,"mesh":1},{"node":1,"mesh":0}]"#,
    );
    let scene = scene(&parts.bytes());
    assert_eq!(scene.nodes.len(), 3);
    assert_eq!(scene.meshes[scene.nodes[1].mesh.unwrap().0].primitives.len(), 2);
    let beside = &scene.nodes[2];
    assert_eq!(
        (beside.name.as_str(), beside.parent, beside.source_index),
        ("bone (part 2)", Some(NodeIndex(1)), None)
    );
    assert_eq!(beside.skin, None);
}

#[test]
fn a_mesh_drawn_at_two_nodes_is_one_mesh() {
    let parts = Parts::new().with("meshInstances", r#"[{"node":0,"mesh":0},{"node":1,"mesh":0}]"#);
    let scene = scene(&parts.bytes());
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(scene.nodes[0].mesh, scene.nodes[1].mesh);
}

#[test]
fn lines_are_left_out() {
    let scene = scene(&all()["quirk/pcm-w-not-drawn.json"]);
    assert!(scene.meshes.is_empty() && scene.nodes[1].mesh.is_none());
}

#[test]
fn weights_of_bones_that_do_not_exist_are_dropped_and_counted() {
    let (scene, report) = scene_with_report(&all()["quirk/pcm-w-joint-range.json"]);
    let joints = &scene.meshes[0].primitives[0].joints;
    assert_eq!((joints[1].joints, joints[1].weights), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    assert!(
        matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what.starts_with("1 vertex weight"))
    );
}

#[test]
fn a_skin_without_weights_is_no_skin() {
    let scene = scene(&all()["quirk/pcm-w-no-weights.json"]);
    assert_eq!(scene.nodes[1].skin, None);
    assert!(scene.meshes[0].primitives[0].joints.is_empty());
}

#[test]
fn weights_counted_in_255ths_sum_to_one() {
    let parts = Parts::new().replaced("vertices", "[0.5,0.5,0,0,1,", "[102,153,0,0,255,");
    let weights = scene(&parts.bytes()).meshes[0].primitives[0].joints[0].weights;
    assert_eq!(weights, [0.4, 0.6, 0.0, 0.0]);
}

#[test]
fn bones_that_are_no_nodes_are_stood_in_for_by_the_root() {
    let parts = Parts::new().with("skins", &format!("[{}]", SKIN.replace("\"bone\"", "\"arm\"")));
    assert_eq!(scene(&parts.bytes()).skins[0].joints[0], NodeIndex(0));
    let twins = Parts::new().with("nodes", &format!("[{ROOT},{BONE},{BONE}]")).with("parents", "[-1,2,0]");
    // Depth first, the second entry is the child of the third.
    assert_eq!(scene(&twins.bytes()).nodes[scene(&twins.bytes()).skins[0].joints[0].0].source_index, Some(2));
}

#[test]
fn models_are_not_written_from_scenes() {
    let error = PlayCanvasModel::from_scene(
        &scene(&Parts::new().bytes()),
        &FromScene::default(),
        &mut Report::default(),
    )
    .unwrap_err();
    insta::assert_snapshot!(error.to_string());
}
