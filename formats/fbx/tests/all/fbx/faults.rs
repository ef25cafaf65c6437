//! Faults of meshes, morphs, skins and settings, one each, as records: what [`crate::fbx::fixtures`] puts down as quirks.

use crate::fbx::chain::{self, Chain, face, joint, object, on, property};
use crate::fbx::fixtures::{edited, with, without_lift};
use crate::fbx::records::{self, Record, Value, leaf, node};

/// Files that are read although something is odd, by the code that says what.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>)> {
    let text = |all: Vec<Record>| records::text(&all);
    vec![
        ("array", text(short_list())),
        ("base64", text(picture_in_no_base64())),
        ("connection", text(edited(face(), "Connections", |all| all.push(on(7, 6))))),
        ("dual-quaternion", text(dual_quaternions())),
        ("frame-rate", text(rate_of_no_frames())),
        ("geometry", text(on_square(layer("LayerElementSmoothing", "ByPolygon", Vec::new())))),
        ("in-between", text(two_shapes())),
        ("index", text(on_square(coordinates_beyond()))),
        ("mapping", text(on_square(layer("LayerElementNormal", "BySide", vec![normals()])))),
        ("version", with(&text(face()), b"; FBX 7.4.0", b"; FBX 7.9.0")),
        ("weights", text(five_joints())),
    ]
}

/// The object with a number.
pub(crate) fn own(all: &mut [Record], id: i64) -> &mut Record {
    let is_own = |own: &&mut Record| matches!(own.values.first(), Some(Value::Long(own)) if *own == id);
    all.iter_mut().find(is_own).unwrap()
}

/// A list of the mesh, as it says how it belongs to it.
fn layer(word: &'static str, mapping: &str, lists: Vec<Record>) -> Record {
    let about = vec![
        leaf("Version", vec![101.into()]),
        leaf("MappingInformationType", vec![mapping.into()]),
        leaf("ReferenceInformationType", vec!["IndexToDirect".into()]),
    ];
    node(word, vec![0.into()], [about, lists].concat())
}

/// The face whose square has one more list.
pub(crate) fn on_square(layer: Record) -> Vec<Record> {
    edited(face(), "Objects", |all| own(all, 1).children.as_mut().unwrap().push(layer))
}

/// Of two triangles only one says whether it is smooth.
fn short_list() -> Vec<Record> {
    let smooth = vec![leaf("Smoothing", vec![Value::Ints(vec![1])])];
    let all = on_square(layer("LayerElementSmoothing", "ByPolygon", smooth));
    edited(all, "Objects", |all| in_triangles(all))
}

/// Makes two triangles of the square.
pub(crate) fn in_triangles(all: &mut [Record]) {
    let lists = own(all, 1).children.as_mut().unwrap();
    let corners = lists.iter_mut().find(|list| list.word == "PolygonVertexIndex").unwrap();
    corners.values = vec![Value::Ints(vec![0, 1, !2, 0, 2, !3])];
}

fn normals() -> Record {
    leaf("Normals", vec![Value::Doubles(vec![0.0, 0.0, 1.0])])
}

/// Of two coordinates a corner has the eighth.
pub(crate) fn coordinates_beyond() -> Record {
    let lists = vec![
        leaf("UV", vec![Value::Doubles(vec![0.0, 0.0, 1.0, 1.0])]),
        leaf("UVIndex", vec![Value::Ints(vec![0, 1, 1, 7])]),
    ];
    layer("LayerElementUV", "ByPolygonVertex", lists)
}

fn picture_in_no_base64() -> Vec<Record> {
    let content = vec![leaf("Type", vec!["Clip".into()]), leaf("Content", vec!["?not base64?".into()])];
    edited(face(), "Objects", |all| all.push(object("Video", 30, "Picture", "Video", "Clip", content)))
}

/// A rate of its own, which is 0.
fn rate_of_no_frames() -> Vec<Record> {
    let custom = Chain { time_mode: 14, ..Chain::default() };
    edited(without_lift(chain::records(&custom)), "GlobalSettings", |all| {
        let settings = all.iter_mut().find(|own| own.word == "Properties70").unwrap();
        settings.children.as_mut().unwrap().push(property("CustomFrameRate", "double", vec![0.0.into()]));
    })
}

/// The morph goes half way through one shape and from there to another.
pub(crate) fn two_shapes() -> Vec<Record> {
    let all = edited(face(), "Objects", |all| {
        let half = Record {
            values: vec![16i64.into(), Value::Name("Half".into(), "Geometry"), "Shape".into()],
            ..own(all, 2).clone()
        };
        all.push(half);
        let lists = own(all, 10).children.as_mut().unwrap();
        let full = lists.iter_mut().find(|list| list.word == "FullWeights").unwrap();
        full.values = vec![Value::Doubles(vec![50.0, 100.0])];
    });
    edited(all, "Connections", |all| all.push(on(16, 10)))
}

/// The skin blends its joints as dual quaternions.
fn dual_quaternions() -> Vec<Record> {
    edited(face(), "Objects", |all| {
        let skin = own(all, 6).children.as_mut().unwrap();
        skin.push(leaf("SkinningType", vec!["DualQuaternion".into()]));
    })
}

/// Besides `Tip` four joints more move corner 2.
pub(crate) fn five_joints() -> Vec<Record> {
    let ids = 40..44;
    let all = edited(face(), "Objects", |all| {
        for id in ids.clone() {
            let cluster = Record {
                values: vec![(id + 10).into(), Value::Name("More".into(), "SubDeformer"), "Cluster".into()],
                ..own(all, 7).clone()
            };
            all.extend([joint(id, "More", Vec::new()), cluster]);
        }
    });
    edited(all, "Connections", |all| {
        all.extend(ids.flat_map(|id| [on(id, 0), on(id + 10, 6), on(id, id + 10)]));
    })
}
