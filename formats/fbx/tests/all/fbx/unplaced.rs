//! Content without a place in a scene: a report tells each kind with its number and names.

use crate::fbx::chain::{Chain, face, joint, object, on};
use crate::fbx::fixtures::{edited, named, without_lift};
use crate::fbx::records::{self, Record, Value, leaf, node};
use crate::fbx::to_scene::scene;
use crate::fbx::{chain, faults};
use dopesheet_core::diag::Loss;

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

/// The face with colours, two sets of coordinates, another skin, normals of its morph, a curve and a constraint.
pub(crate) fn unplaced() -> Vec<Record> {
    let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
    let curve = vec![
        leaf("Order", vec![2.into()]),
        leaf("Dimension", vec![3.into()]),
        leaf("Form", vec!["Open".into()]),
        leaf("Points", vec![Value::Doubles(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])]),
        leaf("KnotVector", vec![Value::Doubles(vec![0.0, 0.0, 1.0, 1.0])]),
    ];
    let all = edited(face(), "Objects", |all| {
        faults::own(all, 1).children.as_mut().unwrap().extend([
            corners("LayerElementColor", 0, "Colors", [1.0, 0.5, 0.0, 1.0].repeat(4)),
            corners("LayerElementUV", 0, "UV", square.to_vec()),
            corners("LayerElementUV", 1, "UV", square.map(|part| part / 2.0).to_vec()),
        ]);
        let shape = faults::own(all, 2).children.as_mut().unwrap();
        let normals = shape.iter_mut().find(|list| list.word == "Normals").unwrap();
        normals.values = vec![Value::Doubles(vec![0.0, 0.1, 0.0])];
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
fn colours_further_coordinates_normals_skins_curves_and_constraints_are_told_as_lost() {
    let lost = |what: &str| format!("dropped: {what}: a scene has no place for them");
    assert_eq!(
        dropped(&named("unplaced")),
        [
            lost("vertex colours of 1 mesh (Square)"),
            lost("further UV sets of 1 mesh (Square)"),
            lost("normals of morphs of 1 mesh (Square)"),
            lost("further skins of 1 mesh (Square)"),
            lost("1 NURBS curve (Rail)"),
            lost("1 constraint (Aim)"),
        ]
    );
    assert_eq!(dropped(&named("face")), [""; 0]);
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
