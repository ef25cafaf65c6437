//! Shared parts of the tests of this crate: files built by hand, and scenes.

use base64::Engine as _;
use dopesheet_core::diag::{ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions, joined};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Curve, Handles, Law, Laws, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Timing, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_gltf::{Document, Glb, Gltf};

/// JSON text and the bytes of its one buffer. `@BUFFER` in the text stands for the buffer's members.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) json: String,
    pub(crate) data: Vec<u8>,
}

/// Two nodes; the second moves and turns from 0 to 1 s.
pub(crate) fn walk() -> Draft {
    let json = concat!(
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"#,
        r#""nodes":[{"name":"hip","children":[1]},{"name":"leg"}],"#,
        r#""animations":[{"name":"walk","channels":["#,
        r#"{"sampler":0,"target":{"node":1,"path":"translation"}},"#,
        r#"{"sampler":1,"target":{"node":1,"path":"rotation"}}],"#,
        r#""samplers":[{"input":0,"output":1},{"input":0,"output":2}]}],"#,
        r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[1]},"#,
        r#"{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"},"#,
        r#"{"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"}],"#,
        r#""bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":36},"#,
        r#"{"buffer":0,"byteOffset":48,"byteLength":48}],"#,
        r#""buffers":[{@BUFFER}]}"#,
    );
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let times = [0.0, 0.5, 1.0];
    let positions = [0.0, -1.0, 0.0, 0.0, -1.0, 0.5, 0.0, -1.0, 0.0];
    let rotations = [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half, 0.0, 0.0, 0.0, 1.0];
    let data = floats(times.iter().chain(&positions).chain(&rotations));
    Draft { json: json.into(), data }
}

/// A skinned triangle with everything that a vertex and a morph of it may have, and a picture on the second set of coordinates.
pub(crate) fn surface() -> Draft {
    let all: [(&str, &str, Vec<u8>); 13] = [
        (r#"5126,"min":[0,0,0],"max":[1,1,0]"#, "VEC3", floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0.])),
        ("5126", "VEC3", floats(&[0.0, 0.6, 0.8].repeat(3))),
        ("5126", "VEC4", floats(&[1.0, 0.0, 0.0, -1.0].repeat(3))),
        ("5126", "VEC2", floats(&[0.0, 1.0, 1.0, 1.0, 0.1, 0.0])),
        ("5126", "VEC2", floats(&[0.25, 0.3, 0.75, 0.3, 0.25, 0.7])),
        (r#"5121,"normalized":true"#, "VEC4", [255, 128, 64, 255].repeat(3)),
        (r#"5126"#, "VEC3", floats(&[0.1, 0.2, 0.3].repeat(3))),
        ("5121", "VEC4", vec![0; 12]),
        ("5126", "VEC4", floats(&[1.0, 0.0, 0.0, 0.0].repeat(3))),
        (r#"5126,"min":[0,0,0],"max":[0,0.5,0]"#, "VEC3", floats(&[0., 0., 0., 0., 0.5, 0., 0., 0., 0.])),
        ("5126", "VEC3", floats(&[0.0, 0.0, 0.0, 0.1, 0.2, -0.3, 0.0, 0.0, 0.7])),
        ("5126", "VEC3", floats(&[0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0])),
        ("5126", "VEC2", floats(&[0.0, 0.0, 0.125, 0.0, 0.0, 0.0])),
    ];
    let (mut accessors, mut views, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (component, shape, bytes)) in all.into_iter().enumerate() {
        accessors.push(format!(
            r#"{{"bufferView":{number},"count":3,"type":"{shape}","componentType":{component}}}"#
        ));
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, data.len(), bytes.len()));
        data.extend(bytes);
    }
    let json = concat!(
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"#,
        r#""nodes":[{"name":"hip"},{"name":"cloth","mesh":0,"skin":0}],"skins":[{"joints":[0]}],"#,
        r#""meshes":[{"name":"cloth","extras":{"targetNames":["fold"]},"primitives":[{"material":0,"#,
        r#""attributes":{"POSITION":0,"NORMAL":1,"TANGENT":2,"TEXCOORD_0":3,"TEXCOORD_1":4,"COLOR_0":5,"COLOR_1":6,"#,
        r#""JOINTS_0":7,"WEIGHTS_0":8},"#,
        r#""targets":[{"POSITION":9,"NORMAL":10,"TANGENT":11,"TEXCOORD_0":12,"TEXCOORD_1":12}]}]}],"#,
        r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":1},"metallicFactor":0}}],"#,
        r#""textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="}],"#,
        r#""accessors":[@ACCESSORS],"bufferViews":[@VIEWS],"buffers":[{@BUFFER}]}"#,
    );
    let json = json.replace("@ACCESSORS", &accessors.join(",")).replace("@VIEWS", &views.join(","));
    Draft { json, data }
}

pub(crate) fn floats<'a>(values: impl IntoIterator<Item = &'a f32>) -> Vec<u8> {
    values.into_iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Draft {
    /// Replaces the one place where `from` stands.
    pub(crate) fn swap(mut self, from: &str, to: &str) -> Self {
        assert_eq!(self.json.matches(from).count(), 1, "{from:?} in {}", self.json);
        self.json = self.json.replace(from, to);
        self
    }

    /// Replaces a number of the buffer, counted in floats.
    pub(crate) fn float(mut self, index: usize, value: f32) -> Self {
        self.data[index * 4..index * 4 + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    /// The text with the buffer as a data URI.
    pub(crate) fn gltf(&self) -> Vec<u8> {
        let data = base64::engine::general_purpose::STANDARD.encode(&self.data);
        let uri = format!(
            r#""byteLength":{},"uri":"data:application/octet-stream;base64,{data}""#,
            self.data.len()
        );
        self.json.replace("@BUFFER", &uri).into_bytes()
    }

    /// The text in a GLB with the buffer as its BIN chunk.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let json = self.json.replace("@BUFFER", &format!(r#""byteLength":{}"#, self.data.len()));
        glb(&json, Some(&self.data))
    }
}

/// A GLB from its parts, byte by byte.
pub(crate) fn glb(json: &str, bin: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = chunk(b"JSON", json.as_bytes(), b' ');
    if let Some(bin) = bin {
        chunks.extend(chunk(b"BIN\0", bin, 0));
    }
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2u32.to_le_bytes());
    bytes.extend((12 + chunks.len() as u32).to_le_bytes());
    bytes.extend(chunks);
    bytes
}

pub(crate) fn chunk(kind: &[u8; 4], data: &[u8], padding: u8) -> Vec<u8> {
    let length = data.len().next_multiple_of(4);
    let mut bytes = (length as u32).to_le_bytes().to_vec();
    bytes.extend(kind);
    bytes.extend(data);
    bytes.resize(8 + length, padding);
    bytes
}

/// Reads in whichever container the bytes are.
pub(crate) fn try_read(bytes: &[u8]) -> Result<Document, ReadError> {
    let (source, options, mut report) = (Source::new(bytes), ReadOptions::default(), Report::default());
    match bytes.starts_with(b"{") || bytes.starts_with(b" ") {
        true => Gltf::read(&source, &options, &mut report),
        false => Glb::read(&source, &options, &mut report),
    }
}

/// Messages of reading and checking a file, a line each.
pub(crate) fn said(bytes: &[u8]) -> Vec<(String, String)> {
    let mut report = Report::default();
    match try_read(bytes) {
        Err(error) => vec![(error.fault.code.to_owned(), format!("error {}: {error}", error.fault.code))],
        Ok(document) => {
            match document.container {
                dopesheet_gltf::gltf::DocumentContainer::Text => Gltf::check(&document, &mut report),
                _ => Glb::check(&document, &mut report),
            }
            report.findings.iter().map(|f| (f.fault.code.to_owned(), f.to_string())).collect()
        }
    }
}

pub(crate) fn to_scene(document: &Document) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Glb::to_scene(document, &ToScene::default(), &mut report).unwrap_or_else(|e| panic!("{e}"));
    (scene, report)
}

pub(crate) fn write(document: &Document) -> Vec<u8> {
    match document.container {
        dopesheet_gltf::gltf::DocumentContainer::Text => Gltf::write(document, &WriteOptions::default()),
        _ => Glb::write(document, &WriteOptions::default()),
    }
    .unwrap()
    .main
}

/// Keeps a written file where `clients/validate.mjs` can be pointed at it.
pub(crate) fn keep(name: &str, bytes: &[u8]) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("written");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

pub(crate) fn seconds(times: &[f64]) -> Times {
    Times::Seconds(times.into())
}

pub(crate) fn curve(times: &[f64], width: usize, values: &[f32], law: Law) -> Curve {
    Curve::new(seconds(times), width, values.to_vec(), Laws::uniform(law))
}

pub(crate) const HERMITE: Law = Law { timing: Timing::Linear, blend: Blend::Hermite };

pub(crate) fn cubic(times: &[f64], width: usize, values: &[f32], arriving: &[f32], leaving: &[f32]) -> Curve {
    let mut curve = curve(times, width, values, HERMITE);
    curve.handles = Some(Box::new(Handles { arriving: arriving.to_vec(), leaving: leaving.to_vec() }));
    curve
}

/// A scene of nodes, each the child of the one whose position stands beside its name.
pub(crate) fn scene(nodes: &[(&str, Option<usize>)]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for (index, (name, parent)) in nodes.iter().enumerate() {
        let mut node = Node::new(*name, parent.map(NodeIndex), Transform::IDENTITY);
        node.source_index = Some(index);
        scene.push_node(node);
    }
    scene
}

pub(crate) fn joint(scene: &Scene, node: usize, channels: Vec<Channel>) -> Track {
    let name = scene.nodes[node].name.clone();
    Track { target: Target::new(TargetKind::Joint, name, node, Some(NodeIndex(node))), channels }
}

pub(crate) fn clip(name: &str, duration: f64, tracks: Vec<Track>) -> Clip {
    Clip { name: Some(name.into()), duration: Seconds(duration), tracks, ..Clip::default() }
}

pub(crate) fn moves(times: &[f64], values: &[f32]) -> Channel {
    Channel::whole(Property::Translation, curve(times, 3, values, Law::LINEAR))
}

pub(crate) fn turns(times: &[f64], values: &[f32]) -> Channel {
    Channel::whole(Property::Rotation, curve(times, 4, values, Law::SLERP))
}

/// Writes and reads a document.
pub(crate) fn read_back(document: &Document) -> Document {
    try_read(&write(document)).unwrap()
}

/// Writes a scene as a GLB and keeps it under `name`.
pub(crate) fn written(name: &str, scene: &Scene) -> (Document, Report) {
    written_with(name, scene, &dopesheet_core::format::FromScene::default())
}

pub(crate) fn written_with(
    name: &str,
    scene: &Scene,
    options: &dopesheet_core::format::FromScene,
) -> (Document, Report) {
    let mut report = Report::default();
    let document = Glb::from_scene(scene, options, &mut report).unwrap_or_else(|e| panic!("{name}: {e}"));
    keep(&format!("{name}.glb"), &write(&document));
    let (again, found) = dopesheet_testkit::read_reporting::<Glb>(&write(&document));
    assert_eq!(again, document, "{name}");
    let mut said = Report::default();
    let pieces = Glb::compose(scene, options, &mut said).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(joined(pieces.unwrap()) == write(&document), "{name}: in pieces it is another file");
    assert_eq!(said, report, "{name}");
    let worst = found.findings.iter().find(|f| f.severity > dopesheet_core::diag::Severity::Info);
    assert!(worst.is_none(), "{name}: {}", worst.unwrap());
    (document, report)
}

/// The JSON of a document.
pub(crate) fn value(document: &Document) -> serde_json::Value {
    serde_json::from_str(&document.json).unwrap()
}
