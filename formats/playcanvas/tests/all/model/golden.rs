//! Texts built by hand and what they say.

use crate::model::fixtures::Parts;
use dopesheet_playcanvas::model::{
    Attribute, Mesh, MeshInstance, Morph, MorphTarget, Node, PlayCanvasModel, Skin,
};
use dopesheet_testkit::read;

#[test]
fn a_model_is_read_into_its_fields() {
    let document = read::<PlayCanvasModel>(&Parts::new().bytes());
    let model = document.model();
    assert_eq!(model.version, Some(3.0));
    let bone = Node {
        name: "bone".into(),
        parent: Some(0),
        position: [0.0, 2.0, 0.0],
        rotation: [0.0, 0.0, 90.0],
        scale: [1.0; 3],
        scale_compensation: false,
    };
    assert_eq!(model.nodes[1], bone);
    assert_eq!(model.nodes[0].parent, None);
    let mut identity = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        identity[diagonal] = 1.0;
    }
    let mut down = identity;
    down[13] = -2.0;
    let skin =
        Skin { bone_names: vec!["bone".into(), "RootNode".into()], inverse_bind: vec![down, identity] };
    assert_eq!(model.skins, [skin]);
    let uv = Attribute {
        name: "texCoord0".into(),
        kind: "float32".into(),
        components: 2,
        data: vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.25],
    };
    assert_eq!(model.vertices[0].attribute("texCoord0"), Some(&uv));
    assert_eq!((model.vertices[0].len(), model.vertices[0].is_empty()), (4, false));
    let mesh = Mesh {
        vertices: 0,
        indices: Some(vec![0, 1, 2, 2, 1, 3]),
        kind: "triangles".into(),
        base: 0,
        count: 3,
        skin: Some(0),
        morph: Some(0),
    };
    assert_eq!(model.meshes, [mesh]);
    assert_eq!(model.mesh_instances, [MeshInstance { node: 1, mesh: 0 }]);
    let side = MorphTarget {
        name: "side".into(),
        indices: Some(vec![2, 3]),
        delta_positions: vec![1.0, 0.0, 0.0, 9.0, 9.0, 9.0],
        delta_normals: vec![0.0; 6],
    };
    let [Morph { targets }] = &model.morphs[..] else { panic!() };
    assert_eq!(targets[1], side);
    assert_eq!(document.source().as_bytes(), Parts::new().bytes());
}

#[test]
fn members_may_stand_in_any_order_and_be_unknown() {
    let text = String::from_utf8(Parts::new().bytes()).unwrap();
    let text = text.replacen("{\"model\":{", "\n{\"x\":[{}],\"model\":{\"extra\":{\"a\":null}, ", 1);
    let parts = |text: &str| read::<PlayCanvasModel>(text.as_bytes()).model().clone();
    assert_eq!(parts(&text), *read::<PlayCanvasModel>(&Parts::new().bytes()).model());
}

#[test]
fn nodes_are_found_depth_first() {
    let node = |name: &str| crate::model::fixtures::BONE.replace("bone", name);
    let nodes: Vec<String> = ["a", "b", "c", "d", "e"].iter().map(|name| node(name)).collect();
    let bytes = Parts::new()
        .with("nodes", &format!("[{}]", nodes.join(",")))
        .with("parents", "[-1,0,0,1,2]")
        .with("skins", "[]")
        .with("meshes", "[]")
        .with("meshInstances", "[]")
        .bytes();
    assert_eq!(read::<PlayCanvasModel>(&bytes).model().depth_first(), [0, 1, 3, 2, 4]);
}
