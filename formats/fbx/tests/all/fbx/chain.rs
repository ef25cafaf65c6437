//! Two joints that move, as records: what [`crate::fbx::fixtures`] puts down, and what the tests work out by formulas.

use crate::fbx::records::{Record, Value, leaf, node};

/// Ticks of the format's clock in a second.
pub(crate) const SECOND: i64 = 46_186_158_000;

/// Interpolation of a curve's keys, as flags of the format.
pub(crate) const STEP: i32 = 0x2;
pub(crate) const LINEAR: i32 = 0x4;
/// A step at the earlier of two keys: between them the later one counts.
pub(crate) const NEXT: i32 = 0x102;
/// Cubic, with slopes that stand beside it.
pub(crate) const CUBIC: i32 = 0x408;

/// Settings that differ from file to file.
#[derive(Clone)]
pub(crate) struct Chain {
    /// Upwards, towards what looks at a figure's face, and to the figure's left: axis and sign.
    pub(crate) axes: [(i32, i32); 3],
    /// Centimetres per unit.
    pub(crate) unit: f64,
    /// The format's number of a frame rate: 6 is 30 frames per second.
    pub(crate) time_mode: i32,
    /// Start of the takes, in ticks.
    pub(crate) begin: i64,
}

impl Default for Chain {
    fn default() -> Self {
        // As 3ds Max has it: Z up, and what faces us looks along −Y.
        Self { axes: [(2, 1), (1, -1), (0, 1)], unit: 1.0, time_mode: 6, begin: 0 }
    }
}

/// A property of an object.
pub(crate) fn property(name: &str, kind: &str, values: Vec<Value>) -> Record {
    let head = [name, kind, "", "A"].map(Value::from);
    leaf("P", head.into_iter().chain(values).collect())
}

fn properties(all: Vec<Record>) -> Record {
    node("Properties70", Vec::new(), all)
}

fn vector(name: &str, [x, y, z]: [f64; 3]) -> Record {
    property(name, "Vector3D", vec![x.into(), y.into(), z.into()])
}

/// An object with a number, a name, a class and a kind.
pub(crate) fn object(
    word: &'static str,
    id: i64,
    name: &str,
    class: &'static str,
    kind: &str,
    children: Vec<Record>,
) -> Record {
    node(word, vec![id.into(), Value::Name(name.to_owned(), class), kind.into()], children)
}

/// A joint.
pub(crate) fn joint(id: i64, name: &str, own: Vec<Record>) -> Record {
    object("Model", id, name, "Model", "LimbNode", vec![leaf("Version", vec![232.into()]), properties(own)])
}

/// A joint at a place.
pub(crate) fn joint_at(id: i64, name: &str, place: [f64; 3]) -> Record {
    joint(id, name, vec![vector("Lcl Translation", place)])
}

/// A connection that makes one object the child of another.
pub(crate) fn on(child: i64, parent: i64) -> Record {
    leaf("C", vec!["OO".into(), child.into(), parent.into()])
}

/// One object moves a property of another.
pub(crate) fn moves(child: i64, parent: i64, property: &str) -> Record {
    leaf("C", vec!["OP".into(), child.into(), parent.into(), property.into()])
}

/// A curve through keys (seconds and values), all joined alike. Cubics have no slope at their keys.
pub(crate) fn curve(id: i64, keys: &[(f64, f64)], how: i32) -> Record {
    curve_of(id, keys, &[(how, keys.len() as i32)])
}

/// A curve through keys, of which so many are joined to the next in one way, so many in another.
pub(crate) fn curve_of(id: i64, keys: &[(f64, f64)], how: &[(i32, i32)]) -> Record {
    let (flags, counts): (Vec<i32>, Vec<i32>) = how.iter().copied().unzip();
    let times = keys.iter().map(|(time_s, _)| (time_s * SECOND as f64).round() as i64).collect();
    let children = vec![
        leaf("Default", vec![0.0.into()]),
        leaf("KeyVer", vec![4008.into()]),
        leaf("KeyTime", vec![Value::Longs(times)]),
        leaf("KeyValueFloat", vec![Value::Floats(keys.iter().map(|key| key.1 as f32).collect())]),
        leaf("KeyAttrFlags", vec![Value::Ints(flags)]),
        leaf("KeyAttrDataFloat", vec![Value::Floats(vec![0.0; 4 * how.len()])]),
        leaf("KeyAttrRefCount", vec![Value::Ints(counts)]),
    ];
    object("AnimationCurve", id, "", "AnimCurve", "", children)
}

/// Three curves of one property.
pub(crate) fn curves(id: i64, name: &str, rest: [f64; 3]) -> Record {
    let own = ["d|X", "d|Y", "d|Z"].into_iter().zip(rest);
    let own = own.map(|(name, value)| property(name, "Number", vec![value.into()]));
    object("AnimationCurveNode", id, name, "AnimCurveNode", "", vec![properties(own.collect())])
}

pub(crate) fn take(id: i64, name: &str, begin: i64) -> Record {
    let end = begin + SECOND;
    let own = vec![
        property("LocalStart", "KTime", vec![begin.into()]),
        property("LocalStop", "KTime", vec![end.into()]),
    ];
    object("AnimationStack", id, name, "AnimStack", "", vec![properties(own)])
}

pub(crate) fn layer(id: i64, name: &str, blend: i32) -> Record {
    let own = vec![property("BlendMode", "enum", vec![blend.into()])];
    object("AnimationLayer", id, name, "AnimLayer", "", vec![properties(own)])
}

/// Records at the start of every file.
pub(crate) fn head(chain: &Chain) -> Vec<Record> {
    let axis = |name: &str, value: i32| property(name, "int", vec![value.into()]);
    let [up, front, left] = chain.axes;
    let settings = vec![
        axis("UpAxis", up.0),
        axis("UpAxisSign", up.1),
        axis("FrontAxis", front.0),
        axis("FrontAxisSign", front.1),
        axis("CoordAxis", left.0),
        axis("CoordAxisSign", left.1),
        property("UnitScaleFactor", "double", vec![chain.unit.into()]),
        property("TimeMode", "enum", vec![chain.time_mode.into()]),
    ];
    let header = vec![
        leaf("FBXHeaderVersion", vec![1003.into()]),
        leaf("FBXVersion", vec![7400.into()]),
        leaf("Creator", vec!["made by hand".into()]),
    ];
    vec![
        node("FBXHeaderExtension", Vec::new(), header),
        node("GlobalSettings", Vec::new(), vec![leaf("Version", vec![1000.into()]), properties(settings)]),
    ]
}

/// `Hips`, 100 units up, and `Chest` 50 above it, which is turned a quarter about X before anything else.
///
/// * Take `Walk`: in a second the hips go 100 along X, evenly, and a second layer lifts them by 20·t; the chest turns 90° about
///   Z with no speed at either end.
/// * Take `Jump`: the hips are at 0 along X, from half a second on at 30.
pub(crate) fn records(chain: &Chain) -> Vec<Record> {
    let begin = chain.begin as f64 / SECOND as f64;
    let keys =
        |pairs: &[(f64, f64)]| -> Vec<(f64, f64)> { pairs.iter().map(|(t, v)| (begin + t, *v)).collect() };
    let objects = vec![
        joint(1, "Hips", vec![vector("Lcl Translation", [0.0, 0.0, 100.0])]),
        joint(
            2,
            "Chest",
            vec![
                property("RotationActive", "bool", vec![1.into()]),
                vector("PreRotation", [90.0, 0.0, 0.0]),
                vector("Lcl Translation", [0.0, 0.0, 50.0]),
            ],
        ),
        take(10, "Walk", chain.begin),
        layer(11, "Base", 0),
        layer(12, "Lift", 0),
        curves(20, "T", [0.0, 0.0, 100.0]),
        curve(30, &keys(&[(0.0, 0.0), (1.0, 100.0)]), LINEAR),
        curves(21, "T", [0.0, 0.0, 0.0]),
        curve(31, &keys(&[(0.0, 0.0), (1.0, 20.0)]), LINEAR),
        curves(22, "R", [0.0; 3]),
        curve(32, &keys(&[(0.0, 0.0), (1.0, 90.0)]), CUBIC),
        take(40, "Jump", chain.begin),
        layer(41, "Base", 0),
        curves(50, "T", [0.0, 0.0, 100.0]),
        curve(60, &keys(&[(0.0, 0.0), (0.5, 30.0), (1.0, 30.0)]), STEP),
    ];
    let connections = vec![
        on(1, 0),
        on(2, 1),
        on(11, 10),
        on(12, 10),
        on(20, 11),
        on(21, 12),
        on(22, 11),
        moves(20, 1, "Lcl Translation"),
        moves(21, 1, "Lcl Translation"),
        moves(22, 2, "Lcl Rotation"),
        moves(30, 20, "d|X"),
        moves(31, 21, "d|Z"),
        moves(32, 22, "d|Z"),
        on(41, 40),
        on(50, 41),
        moves(50, 1, "Lcl Translation"),
        moves(60, 50, "d|X"),
    ];
    assemble(chain, objects, connections)
}

/// A file of objects and connections.
pub(crate) fn assemble(chain: &Chain, objects: Vec<Record>, connections: Vec<Record>) -> Vec<Record> {
    let mut all = head(chain);
    all.push(node("Objects", Vec::new(), objects));
    all.push(node("Connections", Vec::new(), connections));
    all
}

/// A square of two units, of which joint `Tip` (1 up) moves the upper corners, with a morph `Smile` that lifts corner 0 by 1.
///
/// In the take `Grin` the morph goes from 0 to 100 in a second, evenly, and the camera `Eye` is there.
pub(crate) fn face() -> Vec<Record> {
    let objects = [shapes(), deformers(), scenery()].concat();
    let connections = vec![
        on(3, 0),
        on(4, 0),
        on(5, 4),
        on(1, 3),
        on(6, 1),
        on(7, 6),
        on(8, 6),
        on(5, 7),
        on(4, 8),
        on(9, 1),
        on(10, 9),
        on(2, 10),
        on(15, 0),
        on(14, 15),
        on(21, 20),
        on(22, 21),
        moves(22, 10, "DeformPercent"),
        moves(23, 22, "d|DeformPercent"),
    ];
    let y_up = Chain { axes: [(1, 1), (2, 1), (0, 1)], unit: 100.0, ..Chain::default() };
    assemble(&y_up, objects, connections)
}

fn list(word: &'static str, values: &[f64]) -> Record {
    leaf(word, vec![Value::Doubles(values.to_vec())])
}

fn indices(word: &'static str, values: &[i32]) -> Record {
    leaf(word, vec![Value::Ints(values.to_vec())])
}

/// The square, and what the morph adds to it.
fn shapes() -> Vec<Record> {
    let mesh = vec![
        list("Vertices", &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0, -1.0, 2.0, 0.0]),
        indices("PolygonVertexIndex", &[0, 1, 2, !3]),
        leaf("GeometryVersion", vec![124.into()]),
    ];
    let shape = vec![
        leaf("Version", vec![100.into()]),
        indices("Indexes", &[0]),
        list("Vertices", &[0.0, 1.0, 0.0]),
        list("Normals", &[0.0, 0.0, 0.0]),
    ];
    vec![
        object("Geometry", 1, "Square", "Geometry", "Mesh", mesh),
        object("Geometry", 2, "Smile", "Geometry", "Shape", shape),
    ]
}

/// The skin with its two joints, and the morph.
fn deformers() -> Vec<Record> {
    let identity: Vec<f64> = (0..16).map(|at| f64::from(at % 5 == 0)).collect();
    let mut lifted = identity.clone();
    lifted[13] = 1.0;
    let cluster = vec![
        leaf("Version", vec![100.into()]),
        indices("Indexes", &[2, 3]),
        list("Weights", &[1.0, 1.0]),
        list("Transform", &{
            let mut inverse = identity.clone();
            inverse[13] = -1.0;
            inverse
        }),
        list("TransformLink", &lifted),
    ];
    let still = vec![
        leaf("Version", vec![100.into()]),
        indices("Indexes", &[0, 1]),
        list("Weights", &[1.0, 1.0]),
        list("Transform", &identity),
        list("TransformLink", &identity),
    ];
    vec![
        object("Deformer", 6, "Skin", "Deformer", "Skin", vec![leaf("Version", vec![101.into()])]),
        object("Deformer", 7, "Tip", "SubDeformer", "Cluster", cluster),
        object("Deformer", 8, "Root", "SubDeformer", "Cluster", still),
        object("Deformer", 9, "Morphs", "Deformer", "BlendShape", vec![leaf("Version", vec![100.into()])]),
        object(
            "Deformer",
            10,
            "Smile",
            "SubDeformer",
            "BlendShapeChannel",
            vec![
                leaf("Version", vec![100.into()]),
                leaf("DeformPercent", vec![0.0.into()]),
                leaf("FullWeights", vec![Value::Doubles(vec![100.0])]),
            ],
        ),
    ]
}

/// Objects with a position, and the take.
fn scenery() -> Vec<Record> {
    let camera = vec![
        leaf("TypeFlags", vec!["Camera".into()]),
        properties(vec![
            property("ApertureMode", "enum", vec![2.into()]),
            property("FieldOfView", "FieldOfView", vec![40.0.into()]),
        ]),
    ];
    vec![
        object("Model", 3, "Face", "Model", "Mesh", vec![leaf("Version", vec![232.into()])]),
        joint(4, "Root", Vec::new()),
        joint(5, "Tip", vec![vector("Lcl Translation", [0.0, 1.0, 0.0])]),
        object("NodeAttribute", 14, "Eye", "NodeAttribute", "Camera", camera),
        object("Model", 15, "Eye", "Model", "Camera", vec![leaf("Version", vec![232.into()])]),
        take(20, "Grin", 0),
        layer(21, "Base", 0),
        object(
            "AnimationCurveNode",
            22,
            "DeformPercent",
            "AnimCurveNode",
            "",
            vec![properties(vec![property("d|DeformPercent", "Number", vec![0.0.into()])])],
        ),
        curve(23, &[(0.0, 0.0), (1.0, 100.0)], LINEAR),
    ]
}
