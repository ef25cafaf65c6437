//! Content without a place in a scene: a report tells each kind with its number and names.

use crate::fbx::chain::{Chain, face, joint, moves, object, on};
use crate::fbx::fixtures::{edited, named, without_lift};
use crate::fbx::pictures::RED_TGA;
use crate::fbx::records::{self, Record, Value, leaf, node};
use crate::fbx::to_scene::scene;
use crate::fbx::{chain, faults};
use dopesheet_core::diag::Loss;
use dopesheet_core::model::{ImageIndex, MaterialImage};
use dopesheet_fbx::Fbx;
use dopesheet_testkit as testkit;

/// A list of numbers for each corner of the square.
pub(crate) fn corners(word: &'static str, at: i32, list: &'static str, numbers: Vec<f64>) -> Record {
    let children = vec![
        leaf("Version", vec![101.into()]),
        leaf("Name", vec![format!("set {at}").as_str().into()]),
        leaf("MappingInformationType", vec!["ByPolygonVertex".into()]),
        leaf("ReferenceInformationType", vec!["Direct".into()]),
        leaf(list, vec![Value::Doubles(numbers)]),
    ];
    node(word, vec![at.into()], children)
}

/// Normals and tangents of the square, and bitangents to a side.
fn directions(side: f64) -> [Record; 4] {
    let element = |kind: &str| {
        node(
            "LayerElement",
            vec![],
            vec![leaf("Type", vec![kind.into()]), leaf("TypedIndex", vec![0.into()])],
        )
    };
    let elements = ["LayerElementUV", "LayerElementTangent", "LayerElementBinormal"].map(element);
    [
        corners("LayerElementNormal", 0, "Normals", [0.0, 0.0, 1.0].repeat(4)),
        corners("LayerElementTangent", 0, "Tangents", [2.0, 0.0, 0.0].repeat(4)),
        corners("LayerElementBinormal", 0, "Binormals", [0.0, side, 0.0].repeat(4)),
        node("Layer", vec![0.into()], elements.to_vec()),
    ]
}

/// The face with normals, tangents, colours, two sets of coordinates, normals of its morph, and a picture on the second set.
pub(crate) fn surface() -> Vec<Record> {
    let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
    let all = edited(face(), "Objects", |all| {
        let mesh = faults::own(all, 1).children.as_mut().unwrap();
        mesh.extend(directions(1.0));
        mesh.extend([
            corners("LayerElementColor", 0, "Colors", [1.0, 0.5, 0.1, 1.0].repeat(4)),
            corners("LayerElementUV", 0, "UV", square.to_vec()),
            corners("LayerElementUV", 1, "UV", square.map(|part| part / 3.0).to_vec()),
        ]);
        let shape = faults::own(all, 2).children.as_mut().unwrap();
        let normals = shape.iter_mut().find(|list| list.word == "Normals").unwrap();
        normals.values = vec![Value::Doubles(vec![0.0, 0.1, 0.0])];
        let set =
            node("Properties70", Vec::new(), vec![chain::property("UVSet", "KString", vec!["set 1".into()])]);
        let name = leaf("RelativeFilename", vec!["red.tga".into()]);
        let content = leaf("Content", vec![RED_TGA.into()]);
        all.extend([
            object("Material", 30, "Skin", "Material", "", vec![leaf("ShadingModel", vec!["phong".into()])]),
            object("Texture", 31, "Colours", "Texture", "", vec![set, name.clone()]),
            object("Video", 32, "Colours", "Video", "Clip", vec![name, content]),
        ]);
    });
    edited(all, "Connections", |all| all.extend([on(30, 3), on(32, 31), moves(31, 30, "DiffuseColor")]))
}

/// That face with another skin, a curve and a constraint.
pub(crate) fn unplaced() -> Vec<Record> {
    let curve = vec![
        leaf("Order", vec![2.into()]),
        leaf("Dimension", vec![3.into()]),
        leaf("Form", vec!["Open".into()]),
        leaf("Points", vec![Value::Doubles(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])]),
        leaf("KnotVector", vec![Value::Doubles(vec![0.0, 0.0, 1.0, 1.0])]),
    ];
    let all = edited(surface(), "Objects", |all| {
        let cluster = Record {
            values: vec![61i64.into(), Value::Name("Tip again".into(), "SubDeformer"), "Cluster".into()],
            ..faults::own(all, 7).clone()
        };
        let skin = vec![leaf("Version", vec![101.into()])];
        all.extend([
            object("Deformer", 60, "Cloth", "Deformer", "Skin", skin),
            cluster,
            object("Geometry", 62, "Rail", "Geometry", "NurbsCurve", curve),
            object("Model", 63, "Rail", "Model", "NurbsCurve", vec![leaf("Version", vec![232.into()])]),
            object("Constraint", 64, "Aim", "Constraint", "Aim", vec![leaf("Type", vec!["Aim".into()])]),
        ]);
    });
    edited(all, "Connections", |all| all.extend([on(60, 1), on(61, 60), on(5, 61), on(62, 63), on(63, 0)]))
}

/// The chain with two properties of its author on the hips, and another on its chest.
pub(crate) fn properties() -> Vec<Record> {
    let property =
        |name: &str| leaf("P", vec![name.into(), "double".into(), "Number".into(), "A+U".into(), 7.0.into()]);
    edited(without_lift(chain::records(&Chain::default())), "Objects", |all| {
        for (id, name) in [(1, "Mood"), (1, "Age"), (2, "Mood")] {
            let lists = faults::own(all, id).children.as_mut().unwrap();
            let own = lists.iter_mut().find(|own| own.word == "Properties70").unwrap();
            own.children.as_mut().unwrap().push(property(name));
        }
    })
}

fn dropped(bytes: &[u8]) -> Vec<String> {
    let losses = scene(bytes).1.losses;
    losses.iter().filter(|loss| matches!(loss, Loss::Dropped { .. })).map(ToString::to_string).collect()
}

#[test]
fn further_skins_curves_and_constraints_are_told_as_lost() {
    let lost = |what: &str| format!("dropped: {what}: a scene has no place for them");
    assert_eq!(
        dropped(&named("unplaced")),
        [lost("further skins of 1 mesh (Square)"), lost("1 NURBS curve (Rail)"), lost("1 constraint (Aim)"),]
    );
    assert_eq!(dropped(&named("face")), [""; 0]);
}

#[test]
fn colours_all_coordinates_tangents_and_normals_of_morphs_arrive() {
    let (scene, report) = scene(&named("surface"));
    let square = &scene.meshes[0].primitives[0];
    assert_eq!(square.colors, [[[1.0, 0.5, 0.1, 1.0]; 4]]);
    assert_eq!(square.tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
    let [first, second] = &square.uv_sets[..] else { panic!("two sets") };
    assert_eq!(first.len(), 4);
    for ([u, v], own) in first.iter().zip(second) {
        assert_eq!([f64::from(*u) / 3.0, 1.0 - f64::from(1.0 - v) / 3.0].map(|x| x as f32), *own);
    }
    let [(moved, _)] = square.morphs[0].positions[..] else { panic!("a vertex") };
    assert_eq!(square.morphs[0].normals, [(moved, [0.0, 0.1, 0.0])]);
    let picture = MaterialImage { image: ImageIndex(0), uv_set: 1 };
    assert_eq!(scene.materials[0].base_color_image, Some(picture), "the texture names the second set");
    assert!(!report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { .. })), "{:?}", report.losses);
}

#[test]
fn corners_of_a_vertex_with_different_colours_or_second_coordinates_stay_apart() {
    let vertices = |colors: Vec<f64>, second: Vec<f64>| {
        let all = edited(face(), "Objects", |all| {
            faults::own(all, 1).children.as_mut().unwrap().extend([
                corners("LayerElementColor", 0, "Colors", colors),
                corners("LayerElementUV", 0, "UV", vec![0.5; 12]),
                corners("LayerElementUV", 1, "UV", second),
            ]);
            faults::in_triangles(all);
        });
        scene(&records::text(&all)).0.meshes[0].primitives[0].positions.len()
    };
    let (white, halves) = (vec![1.0; 24], [[1.0; 12], [0.5; 12]].concat());
    assert_eq!(vertices(white.clone(), vec![0.5; 12]), 4);
    assert_eq!(vertices(halves, vec![0.5; 12]), 6);
    assert_eq!(vertices(white, [[0.5; 6], [0.25; 6]].concat()), 6);
}

#[test]
fn tangents_keep_the_side_of_their_bitangents() {
    let signs = [1.0, -1.0].map(|side: f64| {
        let all = edited(face(), "Objects", |all| {
            let mesh = faults::own(all, 1).children.as_mut().unwrap();
            mesh.extend(directions(side));
            mesh.push(corners("LayerElementUV", 0, "UV", vec![0.5; 8]));
        });
        scene(&records::text(&all)).0.meshes[0].primitives[0].tangents.clone()
    });
    assert_eq!(signs, [[[1.0, 0.0, 0.0, 1.0]; 4], [[1.0, 0.0, 0.0, -1.0]; 4]]);
}

#[test]
fn colours_that_are_no_numbers_are_0_and_told() {
    let odd = [f64::NAN, 0.5, f64::INFINITY, 1.0].repeat(4);
    let all = edited(face(), "Objects", |all| {
        let mesh = faults::own(all, 1).children.as_mut().unwrap();
        mesh.push(corners("LayerElementColor", 0, "Colors", odd));
    });
    let bytes = records::binary(&all);
    assert_eq!(scene(&bytes).0.meshes[0].primitives[0].colors[0][0], [0.0, 0.5, 0.0, 1.0]);
    let (_, report) = testkit::read_reporting::<Fbx>(&bytes);
    let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|line| line.contains("8 other numbers, read as 0")), "{told:?}");
}

#[test]
fn colours_with_wrong_indices_or_without_indices_are_told() {
    let told = |indices: Option<Vec<i32>>| {
        let mut colors = corners("LayerElementColor", 0, "Colors", [[1.0; 4], [0.5; 4]].concat());
        let lists = colors.children.as_mut().unwrap();
        lists[3].values = vec!["IndexToDirect".into()];
        lists.extend(indices.map(|indices| leaf("ColorIndex", vec![Value::Ints(indices)])));
        let all =
            edited(face(), "Objects", |all| faults::own(all, 1).children.as_mut().unwrap().push(colors));
        let (document, report) = testkit::read_reporting::<Fbx>(&records::text(&all));
        let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        (document.still.meshes[0].primitives[0].colors.clone(), told)
    };
    for indices in [Some(vec![0, 1, 7, -3]), None] {
        let (colors, told) = told(indices);
        assert_eq!(colors, [[[1.0; 4], [0.5; 4], [0.5; 4], [0.5; 4]]]);
        let expected =
            "file (Mesh \"Square\"): expected indices within their lists, found Clamped index (2 times)";
        assert_eq!(told, [format!("warning fbx-index: {expected}")]);
    }
}

#[test]
fn properties_of_the_author_are_told_as_a_remark() {
    let (_, report) = scene(&named("properties"));
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let properties = "custom properties of 2 objects (Hips, Chest)";
    assert_eq!(
        findings,
        [format!("info fbx-properties: file: expected properties of the format, found {properties}")]
    );
    assert_eq!(dropped(&named("properties")), [""; 0]);
}

#[test]
fn a_long_list_of_objects_without_a_place_ends_after_four_names() {
    let all = edited(unplaced(), "Objects", |all| {
        let names = ["B", "C", "D", "E", "F"];
        all.extend(
            names
                .iter()
                .zip(70..)
                .map(|(name, id)| object("Constraint", id, name, "Constraint", "Aim", Vec::new())),
        );
        all.push(joint(80, "Aside", Vec::new()));
    });
    let lost = dropped(&records::text(&all));
    assert!(
        lost.contains(
            &"dropped: 6 constraints (Aim, B, C, D and 2 more): a scene has no place for them".to_owned()
        ),
        "{lost:?}"
    );
}
