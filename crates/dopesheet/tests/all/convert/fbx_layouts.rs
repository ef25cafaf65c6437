//! The jump of the samples as text of FBX, with names, rests, axes and units of programs that write such files.

use dopesheet::core::diag::Report;
use dopesheet::core::model::{NodeIndex, Scene, Transform};
use dopesheet::core::units::Seconds;
use dopesheet::motion::sample::pose::local_pose;
use dopesheet::{ReadOptions, open};
use dopesheet_testkit::workspace;
use glam::{DMat4, DQuat, DVec3, EulerRot};
use std::fmt::Write as _;

/// Ticks of the format's clock in a second.
const SECOND: f64 = 46_186_158_000.0;

/// Names and rests of a program.
pub(crate) struct Layout {
    /// The program.
    pub(crate) about: &'static str,
    /// Name of a joint by that of the jump's.
    pub(crate) name: fn(&str) -> String,
    /// A node above the hips that stands still, or that has their motion, if any.
    pub(crate) above: Option<(&'static str, Above)>,
    /// Local axis along which bones lie at rest.
    pub(crate) along: DVec3,
    /// True if Z is up, and what faces us looks along −Y.
    pub(crate) z_up: bool,
    /// Centimetres per unit.
    pub(crate) unit: f64,
    /// Name and start in seconds of each take, all of which are the jump.
    pub(crate) takes: &'static [(&'static str, f64)],
}

/// Motion of the node above the hips.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Above {
    /// None.
    Still,
    /// All that the hips have.
    Moves,
}

/// True of a figure with a mesh that its joints move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skin {
    Without,
    With,
}

impl Skin {
    pub(crate) const BOTH: [Self; 2] = [Self::Without, Self::With];
}

/// A joint of the file.
struct Joint {
    name: String,
    parent: Option<usize>,
    /// The jump's node whose motion it has.
    moves: Option<NodeIndex>,
    rest: DVec3,
    /// Orientation in the world at rest.
    axes: DQuat,
}

pub(crate) fn jump() -> Scene {
    let opened = open(&workspace().join("samples/jump.bvh"), None, &ReadOptions::default()).unwrap();
    opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap()
}

/// The jump in a layout, in a range of its frames, 30 of which are a second.
pub(crate) fn figure(layout: &Layout, frames: std::ops::Range<usize>, skin: Skin) -> Vec<u8> {
    let jump = jump();
    let joints = joints(layout, &jump);
    let pose = |frame: usize| local_pose(&jump, &jump.clips[0], Seconds(frame as f64 / 30.0)).0;
    let poses: Vec<Vec<Transform>> = frames.map(pose).collect();
    let mut out = head(layout);
    let mut links = String::new();
    out += "Objects:  {\n";
    for (at, joint) in joints.iter().enumerate() {
        let [px, py, pz] = degrees(joint_frame(&joints, joint).inverse() * joint.axes);
        let [x, y, z] = (place(layout, &joints, joint, joint.rest)).to_array();
        let _ = write!(
            out,
            "\tModel: {}, \"Model::{}\", \"LimbNode\" {{\n\t\tVersion: 232\n\t\tProperties70:  {{\n\
             \t\t\tP: \"RotationActive\", \"bool\", \"\", \"\",1\n\
             \t\t\tP: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{px},{py},{pz}\n\
             \t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n\t\t}}\n\t}}\n",
            at + 1,
            joint.name
        );
        let _ = writeln!(links, "\tC: \"OO\",{},{}", at + 1, joint.parent.map_or(0, |parent| parent + 1));
    }
    if skin == Skin::With {
        body(&mut out, &mut links, layout, &joints);
    }
    for (number, (name, begin)) in layout.takes.iter().enumerate() {
        let base = 1000 * (number + 1);
        take(&mut out, &mut links, base, (name, *begin), (poses.len() - 1) as f64 / 30.0);
        for (at, joint) in joints.iter().enumerate() {
            let Some(node) = joint.moves else { continue };
            let turn = |pose: &Vec<Transform>| {
                let axes = upright(layout).inverse() * joint.axes;
                degrees(axes.inverse() * DQuat::from_array(pose[node.0].rotation) * axes)
            };
            let turns = unrolled(poses.iter().map(turn).collect());
            curves(
                &mut out,
                &mut links,
                base + 10 * (at + 1),
                (at + 1, "R", "Lcl Rotation"),
                (*begin, turns),
            );
            if jump.nodes[node.0].parent.is_none() {
                let way = |pose: &Vec<Transform>| {
                    place(layout, &joints, joint, DVec3::from_array(pose[node.0].translation)).to_array()
                };
                let ways = poses.iter().map(way).collect();
                curves(&mut out, &mut links, base + 500, (at + 1, "T", "Lcl Translation"), (*begin, ways));
            }
        }
    }
    format!("{out}}}\nConnections:  {{\n{links}}}\n").into_bytes()
}

/// The way from the axes of the jump, in which Y is up and the figure looks along Z, to those of the file.
fn upright(layout: &Layout) -> DQuat {
    if layout.z_up { DQuat::from_rotation_x(90f64.to_radians()) } else { DQuat::IDENTITY }
}

/// Orientation of what a joint hangs on.
fn joint_frame(joints: &[Joint], joint: &Joint) -> DQuat {
    joint.parent.map_or(DQuat::IDENTITY, |parent| joints[parent].axes)
}

/// A place of the jump as that of a joint in the file.
fn place(layout: &Layout, joints: &[Joint], joint: &Joint, place: DVec3) -> DVec3 {
    joint_frame(joints, joint).inverse() * (upright(layout) * place) / layout.unit
}

/// Position of each joint at rest, in the axes and the unit of the file.
fn places(layout: &Layout, joints: &[Joint]) -> Vec<DVec3> {
    let mut places: Vec<DVec3> = Vec::new();
    for joint in joints {
        let above = joint.parent.map_or(DVec3::ZERO, |parent| places[parent]);
        places.push(above + upright(layout) * joint.rest / layout.unit);
    }
    places
}

/// A mesh with a triangle of 1 cm at each joint, which that joint moves alone.
fn body(out: &mut String, links: &mut String, layout: &Layout, joints: &[Joint]) {
    const MESH: usize = 900;
    const MODEL: usize = 901;
    const SKIN: usize = 902;
    const FIRST: usize = 910;
    let list = |numbers: &[f64]| {
        let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        format!("*{} {{\n\t\t\ta: {}\n\t\t}}", words.len(), words.join(","))
    };
    let places = places(layout, joints);
    let corners = [DVec3::ZERO, DVec3::X / layout.unit, DVec3::Y / layout.unit];
    let vertices = places.iter().flat_map(|place| corners.map(|way| (*place + way).to_array()));
    // The last corner of a polygon is that number's complement.
    let triangle = |at: usize| [3 * at as i64, 3 * at as i64 + 1, !(3 * at as i64 + 2)];
    let polygons: Vec<f64> = (0..joints.len()).flat_map(triangle).map(|corner| corner as f64).collect();
    let _ = write!(
        out,
        "\tGeometry: {MESH}, \"Geometry::Body\", \"Mesh\" {{\n\t\tVertices: {}\n\t\tPolygonVertexIndex: {}\n\t}}\n\
         \tModel: {MODEL}, \"Model::Body\", \"Mesh\" {{\n\t\tVersion: 232\n\t}}\n\
         \tDeformer: {SKIN}, \"Deformer::Skin\", \"Skin\" {{\n\t\tVersion: 101\n\t}}\n",
        list(&vertices.flatten().collect::<Vec<f64>>()),
        list(&polygons)
    );
    let _ = writeln!(links, "\tC: \"OO\",{MESH},{MODEL}\n\tC: \"OO\",{MODEL},0\n\tC: \"OO\",{SKIN},{MESH}");
    for (at, (joint, place)) in joints.iter().zip(&places).enumerate() {
        let bind = DMat4::from_rotation_translation(joint.axes, *place);
        let _ = write!(
            out,
            "\tDeformer: {}, \"SubDeformer::{}\", \"Cluster\" {{\n\t\tVersion: 100\n\t\tIndexes: {}\n\t\tWeights: {}\n\
             \t\tTransform: {}\n\t\tTransformLink: {}\n\t}}\n",
            FIRST + at,
            joint.name,
            list(&[0, 1, 2].map(|corner| (3 * at + corner) as f64)),
            list(&[1.0; 3]),
            list(&bind.inverse().to_cols_array()),
            list(&bind.to_cols_array())
        );
        let _ = writeln!(links, "\tC: \"OO\",{},{SKIN}\n\tC: \"OO\",{},{}", FIRST + at, at + 1, FIRST + at);
    }
}

fn joints(layout: &Layout, jump: &Scene) -> Vec<Joint> {
    let up = upright(layout);
    let mut joints: Vec<Joint> = Vec::new();
    let mut of_node: Vec<Option<usize>> = Vec::new();
    if let Some((name, Above::Still)) = layout.above {
        joints.push(Joint {
            name: name.into(),
            parent: None,
            moves: None,
            rest: DVec3::ZERO,
            axes: DQuat::IDENTITY,
        });
    }
    for (at, node) in jump.nodes.iter().enumerate() {
        let is_end = !jump.nodes.iter().any(|other| other.parent == Some(NodeIndex(at)));
        let mut parent = match node.parent {
            Some(parent) => of_node[parent.0],
            None => joints.len().checked_sub(1),
        };
        let end = jump.nodes.iter().find(|other| other.parent == Some(NodeIndex(at)));
        let way = end.map_or(DVec3::Y, |end| DVec3::from_array(end.rest.translation).normalize_or(DVec3::Y));
        let axes = DQuat::from_rotation_arc(layout.along, up * way);
        let (mut rest, mut moves) = (DVec3::from_array(node.rest.translation), Some(NodeIndex(at)));
        if let (Some((name, Above::Moves)), None) = (layout.above, node.parent) {
            joints.push(Joint { name: name.into(), parent, moves, rest, axes });
            (parent, rest, moves) = (Some(joints.len() - 1), DVec3::ZERO, None);
        }
        of_node.push(Some(joints.len()));
        if is_end && node.name.is_empty() {
            moves = None;
        }
        joints.push(Joint { name: (layout.name)(&node.name), parent, moves, rest, axes });
    }
    joints
}

/// Angles about X, then Y, then Z.
fn degrees(turn: DQuat) -> [f64; 3] {
    let (z, y, x) = turn.to_euler(EulerRot::ZYX);
    [x, y, z].map(f64::to_degrees)
}

/// Angles that turn as little as they can from each frame to the next, as exporters write them.
fn unrolled(mut all: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    for at in 1..all.len() {
        let (before, [x, y, z]) = (all[at - 1], all[at]);
        let near = |angles: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|axis| angles[axis] - ((angles[axis] - before[axis]) / 360.0).round() * 360.0)
        };
        let ways = [near([x, y, z]), near([x + 180.0, 180.0 - y, z + 180.0])];
        let length = |angles: &[f64; 3]| (0..3).map(|axis| (angles[axis] - before[axis]).abs()).sum::<f64>();
        let [a, b] = ways;
        all[at] = if length(&b) < length(&a) { b } else { a };
    }
    all
}

fn head(layout: &Layout) -> String {
    let axes = if layout.z_up { [(2, 1), (1, -1), (0, 1)] } else { [(1, 1), (2, 1), (0, 1)] };
    let names = [["UpAxis", "UpAxisSign"], ["FrontAxis", "FrontAxisSign"], ["CoordAxis", "CoordAxisSign"]];
    let mut out =
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n\
                   GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
            .to_owned();
    for ([axis, sign], (number, positive)) in names.into_iter().zip(axes) {
        let _ = writeln!(out, "\t\tP: \"{axis}\", \"int\", \"Integer\", \"\",{number}");
        let _ = writeln!(out, "\t\tP: \"{sign}\", \"int\", \"Integer\", \"\",{positive}");
    }
    let _ = writeln!(out, "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}", layout.unit);
    out + "\t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}\n}\n"
}

fn take(out: &mut String, links: &mut String, id: usize, (name, begin): (&str, f64), length: f64) {
    let [start, stop] = [begin, begin + length].map(ticks);
    let _ = write!(
        out,
        "\tAnimationStack: {id}, \"AnimStack::{name}\", \"\" {{\n\t\tProperties70:  {{\n\
         \t\t\tP: \"LocalStart\", \"KTime\", \"Time\", \"\",{start}\n\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",{stop}\n\t\t}}\n\t}}\n\
         \tAnimationLayer: {}, \"AnimLayer::BaseLayer\", \"\" {{\n\t}}\n",
        id + 1
    );
    let _ = writeln!(links, "\tC: \"OO\",{},{id}", id + 1);
}

fn ticks(time_s: f64) -> i64 {
    (time_s * SECOND).round() as i64
}

/// The curves of a property of a model, with a key on each frame.
fn curves(
    out: &mut String,
    links: &mut String,
    id: usize,
    (model, short, property): (usize, &str, &str),
    (begin, values): (f64, Vec<[f64; 3]>),
) {
    let layer = id / 1000 * 1000 + 1;
    let _ = writeln!(out, "\tAnimationCurveNode: {id}, \"AnimCurveNode::{short}\", \"\" {{\n\t}}");
    let _ = writeln!(links, "\tC: \"OO\",{id},{layer}\n\tC: \"OP\",{id},{model}, \"{property}\"");
    let list =
        |numbers: Vec<String>| format!("*{} {{\n\t\t\ta: {}\n\t\t}}", numbers.len(), numbers.join(","));
    let times = list((0..values.len()).map(|at| ticks(begin + at as f64 / 30.0).to_string()).collect());
    for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
        let curve = id + 1 + axis;
        let numbers = list(values.iter().map(|value| value[axis].to_string()).collect());
        let _ = write!(
            out,
            "\tAnimationCurve: {curve}, \"AnimCurve::\", \"\" {{\n\t\tDefault: 0\n\t\tKeyVer: 4008\n\t\tKeyTime: {times}\n\
             \t\tKeyValueFloat: {numbers}\n\t\tKeyAttrFlags: *1 {{\n\t\t\ta: 4\n\t\t}}\n\t\tKeyAttrDataFloat: *4 {{\n\t\t\ta: 0,0,0,0\n\t\t}}\n\
             \t\tKeyAttrRefCount: *1 {{\n\t\t\ta: {}\n\t\t}}\n\t}}\n",
            values.len()
        );
        let _ = writeln!(links, "\tC: \"OP\",{curve},{id}, \"d|{letter}\"");
    }
}

/// Layouts that people have.
pub(crate) const LAYOUTS: [Layout; 6] = [
    Layout {
        about: "Mixamo",
        name: |name| format!("mixamorig:{name}"),
        above: None,
        along: DVec3::Y,
        z_up: false,
        unit: 1.0,
        takes: &[("mixamo.com", 0.0)],
    },
    Layout {
        about: "Rokoko",
        name: |name| {
            let parts =
                [("UpLeg", "Thigh"), ("LeftLeg", "LeftShin"), ("RightLeg", "RightShin"), ("ToeBase", "Toe")];
            match name {
                "Spine" => "Spine1".into(),
                "Spine1" => "Spine2".into(),
                _ => parts.iter().fold(name.to_owned(), |name, (old, new)| name.replace(old, new)),
            }
        },
        above: Some(("Root", Above::Still)),
        along: DVec3::Y,
        z_up: false,
        unit: 100.0,
        takes: &[("Take 001", 0.0)],
    },
    Layout {
        about: "MotionBuilder",
        name: |name| format!("Actor:{name}"),
        above: Some(("Actor:Reference", Above::Still)),
        along: DVec3::X,
        z_up: false,
        unit: 1.0,
        takes: &[("Take 001", 5.0 / 30.0)],
    },
    Layout {
        about: "Unity, from Maya",
        name: str::to_owned,
        above: Some(("Hero", Above::Still)),
        along: DVec3::NEG_X,
        z_up: false,
        unit: 1.0,
        takes: &[("Walk", 1.0 / 30.0), ("Run", 1.0)],
    },
    Layout {
        about: "3ds Max Biped",
        name: |name| biped(name, "Bip001"),
        above: Some(("Bip001", Above::Moves)),
        along: DVec3::X,
        z_up: true,
        unit: 2.54,
        takes: &[("Take 001", 0.0)],
    },
    Layout {
        about: "3ds Max Biped of another name",
        name: |name| biped(name, "Bip01"),
        above: Some(("Bip01", Above::Moves)),
        along: DVec3::X,
        z_up: true,
        unit: 1.0,
        takes: &[("Take 001", 0.0)],
    },
];

/// A name of the jump as Biped has it.
fn biped(name: &str, figure: &str) -> String {
    let part = match name.trim_start_matches("Left").trim_start_matches("Right") {
        "Hips" => "Pelvis",
        "UpLeg" => "Thigh",
        "Leg" => "Calf",
        "ToeBase" => "Toe0",
        "Shoulder" => "Clavicle",
        "Arm" => "UpperArm",
        "ForeArm" => "Forearm",
        other => other,
    };
    match (name.starts_with("Left"), name.starts_with("Right")) {
        (true, _) => format!("{figure} L {part}"),
        (_, true) => format!("{figure} R {part}"),
        _ => format!("{figure} {part}"),
    }
}
