//! Cameras, lights, visibility, morphs through several shapes, and vertices of more than four joints.

use crate::fbx::chain::{self, Chain, assemble, joint, moves, object, on, property};
use crate::fbx::faults::{self, on_square};
use crate::fbx::fixtures::{edited, named, with};
use crate::fbx::records::{self, Record, Value, leaf, node};
use crate::fbx::to_scene::{at, scene};
use crate::fbx::unplaced;
use dopesheet_core::diag::Loss;
use dopesheet_core::model::{CameraIndex, LightKind, Property, Scene, TargetKind, Track};
use dopesheet_motion::Side;

/// A lamp whose colour goes from black to red and whose intensity from 100 to 300 percent in a second; `Hat`, which is seen from half a
/// second on, by steps; and `Veil`, whose visibility falls from 1 to 0 in a straight line.
pub(crate) fn lamp() -> Vec<Record> {
    let light = vec![
        leaf("TypeFlags", vec!["Light".into()]),
        node("Properties70", Vec::new(), vec![property("Intensity", "Number", vec![100.0.into()])]),
    ];
    let lamp = object("Model", 2, "Lamp", "Model", "Light", vec![leaf("Version", vec![232.into()])]);
    let number = |id: i64, name: &'static str, value: f64| {
        let own = property(&format!("d|{name}"), "Number", vec![value.into()]);
        let children = vec![node("Properties70", Vec::new(), vec![own])];
        object("AnimationCurveNode", id, name, "AnimCurveNode", "", children)
    };
    let objects = vec![
        object("NodeAttribute", 1, "Lamp", "NodeAttribute", "Light", light),
        lamp,
        joint(3, "Hat", Vec::new()),
        joint(4, "Veil", Vec::new()),
        chain::take(10, "Show", 0),
        chain::layer(11, "Base", 0),
        chain::curves(20, "Color", [0.0; 3]),
        chain::curve(21, &[(0.0, 0.0), (1.0, 1.0)], chain::LINEAR),
        number(22, "Intensity", 100.0),
        chain::curve(23, &[(0.0, 100.0), (1.0, 300.0)], chain::LINEAR),
        number(24, "Visibility", 1.0),
        chain::curve(25, &[(0.0, 0.0), (0.5, 1.0), (1.0, 1.0)], chain::STEP),
        number(26, "Visibility", 1.0),
        chain::curve(27, &[(0.0, 1.0), (1.0, 0.0)], chain::LINEAR),
    ];
    let connections = vec![
        on(1, 2),
        on(2, 0),
        on(3, 0),
        on(4, 0),
        on(11, 10),
        on(20, 11),
        on(22, 11),
        on(24, 11),
        on(26, 11),
        moves(20, 1, "Color"),
        moves(21, 20, "d|X"),
        moves(22, 1, "Intensity"),
        moves(23, 22, "d|Intensity"),
        moves(24, 3, "Visibility"),
        moves(25, 24, "d|Visibility"),
        moves(26, 4, "Visibility"),
        moves(27, 26, "d|Visibility"),
    ];
    assemble(&Chain::default(), objects, connections)
}

#[test]
fn equal_normals_of_a_vertex_at_several_places_of_their_list_are_a_single_vertex() {
    let normals = [0.0, 0.0, 1.0].repeat(6);
    let all = on_square(unplaced::corners("LayerElementNormal", 0, "Normals", normals));
    let (scene, _) = scene(&records::text(&edited(all, "Objects", |all| faults::in_triangles(all))));
    let square = &scene.meshes[0].primitives[0];
    assert_eq!((square.positions.len(), square.normals.len(), square.indices.len()), (4, 4, 6));
    assert_eq!(square.morphs[0].positions.len(), 1);
}

#[test]
fn different_normals_of_a_vertex_stay_apart() {
    let normals = [[0.0, 0.0, 1.0].repeat(3), [0.0, 1.0, 0.0].repeat(3)].concat();
    let all = on_square(unplaced::corners("LayerElementNormal", 0, "Normals", normals));
    let (scene, _) = scene(&records::text(&edited(all, "Objects", |all| faults::in_triangles(all))));
    let square = &scene.meshes[0].primitives[0];
    assert_eq!((square.positions.len(), square.joints.len(), square.indices.len()), (6, 6, 6));
    // Corner 0, which the morph moves, is in both triangles.
    assert_eq!(square.morphs[0].positions.len(), 2);
}

#[test]
fn colours_and_intensities_of_lights_move() {
    let (scene, report) = scene(&records::binary(&lamp()));
    let show = &scene.clips[0];
    assert_eq!(at(show, "Lamp", &Property::Color, 0.5, Side::After), [0.5, 0.0, 0.0]);
    assert_eq!(at(show, "Lamp", &Property::Intensity, 0.5, Side::After), [2.0]);
    assert_eq!(show.tracks.iter().filter(|track| track.target.name == "Lamp").count(), 1);
    assert!(!report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { .. })), "{:?}", report.losses);
}

/// A camera `Shot` behind two views of MotionBuilder, their switcher, and a view on which a joint hangs.
fn views() -> Vec<Record> {
    let (mut objects, mut connections) = (Vec::new(), Vec::new());
    let views = [
        ("Producer Perspective", "Camera"),
        ("Producer Front", "Camera"),
        ("Camera Switcher", "CameraSwitcher"),
        ("Shot", "Camera"),
        ("Producer Top", "Camera"),
    ];
    for (id, (name, kind)) in (1..).map(|number| 10 * number).zip(views) {
        let properties = vec![property("FieldOfView", "Number", vec![f64::from(id as i32).into()])];
        let lists =
            vec![leaf("TypeFlags", vec!["Camera".into()]), node("Properties70", Vec::new(), properties)];
        objects.push(object("NodeAttribute", id, name, "NodeAttribute", kind, lists));
        objects.push(object("Model", id + 1, name, "Model", kind, vec![leaf("Version", vec![232.into()])]));
        connections.extend([on(id, id + 1), on(id + 1, 0)]);
    }
    objects.push(joint(90, "Hat", Vec::new()));
    connections.push(on(90, 51));
    assemble(&Chain::default(), objects, connections)
}

#[test]
fn views_of_an_editor_are_told_and_no_cameras_of_the_scene() {
    let (scene, report) = scene(&records::binary(&views()));
    let nodes: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.camera)).collect();
    assert_eq!(nodes, [("Shot", Some(CameraIndex(0))), ("Producer Top", None), ("Hat", None)]);
    assert_eq!(scene.cameras.iter().map(|camera| camera.name.as_str()).collect::<Vec<_>>(), ["Shot"]);
    let told: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    let views = "Producer Perspective, Producer Front, Camera Switcher, Producer Top";
    assert_eq!(told, [format!("dropped: 4 producer cameras ({views}): a scene has no place for them")]);
}

#[test]
fn lights_of_an_area_or_a_volume_become_points_and_are_told() {
    let lit = |kind: i32| {
        let all = edited(lamp(), "Objects", |all| {
            let lists = faults::own(all, 1).children.as_mut().unwrap();
            let properties = lists.iter_mut().find(|own| own.word == "Properties70").unwrap();
            properties.children.as_mut().unwrap().push(property("LightType", "enum", vec![kind.into()]));
        });
        scene(&records::binary(&all))
    };
    for (kind, is_told) in [(0, false), (3, true), (4, true)] {
        let (scene, report) = lit(kind);
        assert_eq!(scene.lights[0].kind, LightKind::Point { range: None }, "{kind}");
        let told: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
        let lost =
            "dropped: the area or volume of 1 light (Lamp), now at a point: a scene has no place for them";
        assert_eq!(told.iter().any(|told| told == lost), is_told, "{kind}: {told:?}");
    }
}

#[test]
fn nodes_are_seen_and_hidden_when_the_file_says_so() {
    let (scene, _) = scene(&records::binary(&lamp()));
    let is_seen = |name: &str, t: f64| at(&scene.clips[0], name, &Property::Visible, t, Side::After) == [1.0];
    assert_eq!([0.0, 0.49, 0.5, 1.0].map(|t| is_seen("Hat", t)), [false, false, true, true]);
    assert_eq!([0.0, 0.49, 0.51, 1.0].map(|t| is_seen("Veil", t)), [true, true, false, false]);
}

/// Corner of the face at a time: its place, and what each morph adds.
fn corner_y(scene: &Scene, t: f64) -> f64 {
    let face = scene.nodes.iter().find(|node| node.name == "Face").unwrap();
    let square = &scene.meshes[face.mesh.unwrap().0].primitives[0];
    let weights = at(&scene.clips[0], "Face", &Property::Weights, t, Side::After);
    let corner = square.positions.iter().position(|p| p[0] == -1.0 && p[1] == 0.0).unwrap();
    let added = |morph: &dopesheet_core::model::MorphDelta| {
        let own = morph.positions.iter().find(|(vertex, _)| *vertex as usize == corner);
        own.map_or(0.0, |(_, offset)| f64::from(offset[1]))
    };
    square.morphs.iter().zip(weights).map(|(morph, weight)| added(morph) * weight).sum()
}

#[test]
fn a_morph_with_a_shape_in_between_passes_through_that_shape() {
    // The first shape lifts the corner by 3 at 50 percent, the other one by 1 at 100.
    let records = edited(faults::two_shapes(), "Objects", |all| {
        let lists = faults::own(all, 2).children.as_mut().unwrap();
        let lift = lists.iter_mut().find(|list| list.word == "Vertices").unwrap();
        lift.values = vec![Value::Doubles(vec![0.0, 3.0, 0.0])];
    });
    let (scene, _) = scene(&records::binary(&records));
    assert_eq!(scene.morph_sets[0].morphs, ["Smile 50", "Smile"]);
    for (t, y) in [(0.0, 0.0), (0.25, 1.5), (0.5, 3.0), (0.75, 2.0), (1.0, 1.0)] {
        assert!((corner_y(&scene, t) - y).abs() < 1e-5, "{t}: {}, expected {y}", corner_y(&scene, t));
    }
}

#[test]
fn vertices_of_a_morph_have_weights_of_their_own_in_files_of_blender() {
    let records = edited(chain::face(), "Objects", |all| {
        let lists = faults::own(all, 10).children.as_mut().unwrap();
        let full = lists.iter_mut().find(|list| list.word == "FullWeights").unwrap();
        full.values = vec![Value::Doubles(vec![25.0])];
    });
    let (other, blender) = (
        records.clone(),
        edited(records, "FBXHeaderExtension", |all| {
            let creator = all.iter_mut().find(|own| own.word == "Creator").unwrap();
            creator.values = vec!["Blender (stable FBX IO) - 4.4.1 - 5.12.7".into()];
        }),
    );
    // Elsewhere the number is the weight at which the whole morph counts.
    for (records, y) in [(blender, 0.25), (other, 4.0)] {
        let (scene, _) = scene(&records::binary(&records));
        assert!((corner_y(&scene, 1.0) - y).abs() < 1e-6, "{}, expected {y}", corner_y(&scene, 1.0));
    }
}

/// The morph `Smile` as files up to version 7.1 have it: in the mesh, weighed by an animated property of that name of the mesh.
fn smile_in_mesh() -> Vec<u8> {
    let all = edited(chain::face(), "Objects", |all| {
        let shape = node("Shape", vec!["Smile".into()], faults::own(all, 2).children.clone().unwrap());
        let weight = property("Smile", "Number", vec![0.0.into()]);
        let mesh = faults::own(all, 1).children.as_mut().unwrap();
        mesh.extend([node("Properties70", Vec::new(), vec![weight]), shape]);
        all.retain(|own| !matches!(own.values.first(), Some(Value::Long(2 | 9 | 10))));
    });
    let all = edited(all, "Connections", |all| {
        let is_gone = |own: &Record| own.values.iter().any(|value| matches!(value, Value::Long(2 | 9 | 10)));
        all.retain(|own| !is_gone(own));
        all.push(moves(22, 1, "Smile"));
    });
    let text = with(&records::text(&all), b"; FBX 7.4.0", b"; FBX 7.1.0");
    with(&text, b"FBXVersion: 7400", b"FBXVersion: 7100")
}

#[test]
fn morphs_that_a_property_of_their_mesh_weighs_move() {
    let (scene, report) = scene(&smile_in_mesh());
    assert!((corner_y(&scene, 0.5) - 0.5).abs() < 1e-6, "{}", corner_y(&scene, 0.5));
    assert!(!report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { .. })), "{:?}", report.losses);
}

#[test]
fn vertices_that_no_joint_moves_stay_with_the_node_of_their_mesh() {
    // `Root` lets go of the lower corners.
    for (records, holder) in [(free_corners(Some(4)), "Face"), (free_corners(None), "Root")] {
        let (scene, _) = scene(&records::binary(&records));
        let square = &scene.meshes[0].primitives[0];
        for (place, joints) in square.positions.iter().zip(&square.joints) {
            let joint = scene.skins[0].joints[usize::from(joints.joints[0])];
            assert_eq!(joints.weights, [1.0, 0.0, 0.0, 0.0]);
            assert_eq!(scene.nodes[joint.0].name, if place[1] > 0.0 { "Tip" } else { holder }, "{place:?}");
        }
    }
}

#[test]
fn a_skin_of_dual_quaternions_is_played_with_matrices_and_told() {
    let (_, report) = scene(&named("dual-quaternion"));
    let told = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what.starts_with("blending of joints as dual"));
    assert!(report.losses.iter().any(told), "{:?}", report.losses);
}

#[test]
fn a_node_that_two_clusters_name_is_one_joint() {
    let records = edited(chain::face(), "Connections", |all| {
        let is_root = |own: &Record| matches!(own.values[..], [_, Value::Long(4), Value::Long(8)]);
        all.iter_mut().find(|own| is_root(own)).unwrap().values[1] = 5i64.into();
    });
    let (scene, _) = scene(&records::binary(&records));
    assert_eq!(scene.skins[0].joints.len(), 1);
    let joints = scene.meshes[0].primitives[0].joints.iter();
    assert!(joints.into_iter().all(|own| own.joints[0] == 0 && own.weights[0] == 1.0));
}

#[test]
fn motion_of_a_node_that_only_shows_a_skinned_mesh_is_left_out_and_told() {
    for (end, is_told) in [(1.0, true), (0.0, false)] {
        let all = edited(chain::face(), "Objects", |all| {
            all.extend([
                chain::curves(30, "T", [0.0; 3]),
                chain::curve(31, &[(0.0, 0.0), (1.0, end)], chain::LINEAR),
            ]);
        });
        let all = edited(all, "Connections", |all| {
            all.extend([on(30, 21), moves(30, 3, "Lcl Translation"), moves(31, 30, "d|X")]);
        });
        let (scene, report) = scene(&records::binary(&all));
        let of_face = |own: &&Track| own.target.name == "Face" && own.target.kind == TargetKind::Joint;
        assert_eq!(scene.clips[0].tracks.iter().filter(of_face).count(), 0);
        let told = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what.starts_with("motion of 1 skinned mesh"));
        assert_eq!(report.losses.iter().any(told), is_told, "{:?}", report.losses);
    }
}

/// The face without weights of `Root`, on a node or by itself.
fn free_corners(parent: Option<i64>) -> Vec<Record> {
    let all = edited(chain::face(), "Objects", |all| {
        let lists = faults::own(all, 8).children.as_mut().unwrap();
        lists.iter_mut().find(|list| list.word == "Weights").unwrap().values =
            vec![Value::Doubles(vec![0.0; 2])];
    });
    edited(all, "Connections", |all| {
        let Some(parent) = parent else { return };
        let is_face = |own: &Record| matches!(own.values.get(1), Some(Value::Long(3)));
        all.iter_mut().find(|own| is_face(own)).unwrap().values[2] = parent.into();
    })
}

#[test]
fn joints_beyond_the_strongest_four_of_a_vertex_are_told() {
    let (scene, report) = scene(&named("weights"));
    let of_corner = scene.meshes[0].primitives[0].joints.iter().map(|own| own.weights.iter().sum::<f32>());
    assert!(of_corner.into_iter().all(|sum| (sum - 1.0).abs() < 1e-6));
    let told = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what.ends_with(" of a vertex, in mesh \"Square\""));
    assert!(report.losses.iter().any(told), "{:?}", report.losses);
}
