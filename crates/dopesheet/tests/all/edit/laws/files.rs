//! Files of all formats that can be written, each with one awkward property.

use super::motions::{self, SHAPES};
use crate::onto::avatars::{glb, read, sample};
use dopesheet::core::format::AnyFormat;
use dopesheet::core::model::Scene;
use dopesheet::{ConvertOptions, Opened, ReadOptions, WriteOptions, convert, registry};
use dopesheet_testkit::{files, workspace};
use serde_json::json;
use std::path::PathBuf;

/// A file that is edited, with its bytes and its motion.
pub(crate) struct Source {
    /// Its property, or its name among the fixtures.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: Opened,
    pub(crate) scene: Scene,
    /// True if results are compared everywhere, not only at some times.
    pub(crate) is_seeded: bool,
}

impl Source {
    pub(crate) fn format(&self) -> &'static str {
        self.file.format().info().id
    }
}

/// All formats with motions that can be written or edited.
pub(crate) fn writable() -> impl Iterator<Item = &'static dyn AnyFormat> {
    registry::formats().iter().copied().filter(|format| {
        let capabilities = &format.info().capabilities;
        capabilities.writes || capabilities.attaches
    })
}

/// Largest file that is edited, so that the matrix stays quick.
const MOST_BYTES: usize = 200_000;

/// Joints that move, of the two skeletons.
pub(crate) const BODY: [&str; 6] = ["Hips", "Spine", "LeftArm", "RightArm", "LeftForeArm", "Head"];
pub(crate) const HANDS: [&str; 5] =
    ["Left_Wrist", "Right_Wrist", "Left_IndexTip", "Right_IndexTip", "Right_Palm"];

/// Files made of all motions in all formats, and the sound fixtures.
pub(crate) fn sources() -> Vec<Source> {
    let body = scene(&sample("jump.bvh"));
    let hands = scene(&sample("hands.bin"));
    let mut sources = Vec::new();
    for format in writable() {
        for shape in SHAPES {
            let file = |what: &str, scene: Scene| made(format, &format!("{what}, {}", shape.name), &scene);
            let figure = file("body", motions::of_joints(body.clone(), &BODY, &|track| shape.keys(track)));
            sources.extend(figure.or_else(|| {
                file("hands", motions::of_joints(hands.clone(), &HANDS, &|track| shape.keys(track)))
            }));
            if shape.is_for_cameras {
                sources.extend(file("camera", motions::of_camera(motions::studio(), shape)));
            }
        }
    }
    // A frame of some recordings states all joints anew.
    sources.retain(|source| source.bytes.len() < MOST_BYTES);
    sources.extend([mesh_behind_animation(), avatar()]);
    sources.extend(fixtures());
    sources
}

pub(crate) fn scene(file: &Opened) -> Scene {
    let mut scene = dopesheet::edit::scene(file).unwrap();
    scene.clips.clear();
    scene
}

/// A motion in a format, if the format has room for it.
pub(crate) fn made(format: &'static dyn AnyFormat, name: &str, scene: &Scene) -> Option<Source> {
    let options = ConvertOptions { keep_constant: true, ..ConvertOptions::to(format) };
    let input = Opened::from_scene(name, scene).unwrap();
    let made = convert(&[input], &options).ok()?.output;
    let fetch = made.resources.clone();
    let source = opened(format.info().id, name, &made.main, &fetch).unwrap_or_else(|error| panic!("{error}"));
    let has_motion =
        source.scene.clips.iter().any(|clip| !clip.tracks.is_empty()) || name.contains("no keys");
    has_motion.then_some(source)
}

type Resources = [(String, Vec<u8>)];

fn opened(format: &str, name: &str, main: &[u8], resources: &Resources) -> Result<Source, String> {
    let file_name = format!("{name}.{}", registry::by_id(format).unwrap().info().extensions[0]);
    let mut fetch = |wanted: &str| resources.iter().find(|(own, _)| own == wanted).map(|own| own.1.clone());
    let file = dopesheet::read(&file_name, main, &ReadOptions::default(), &mut fetch);
    let file = file.map_err(|error| format!("{name} ({format}) cannot be read again: {error}"))?;
    if file.format().info().id != format {
        return Err(format!("{name} ({format}) is {} when it is read again", file.format().info().id));
    }
    let scene = dopesheet::edit::scene(&file).map_err(|error| format!("{name} ({format}): {error}"))?;
    Ok(Source { name: name.to_owned(), bytes: main.to_vec(), file, scene, is_seeded: false })
}

/// A file as it is when it was written and read again.
pub(crate) fn source_of(name: &str, file: &Opened) -> Result<Source, String> {
    let written = file.format().write(&file.document, &WriteOptions::default());
    let written = written.map_err(|error| format!("expected a file that can be written, found {error}"))?;
    opened(file.format().info().id, name, &written.main, &written.resources)
}

/// A GLB whose buffer has the animation's numbers before those of a mesh and a skin.
fn mesh_behind_animation() -> Source {
    let times = [0.0f32, 1.0, 2.5, 4.0];
    let turns: [[f32; 4]; 4] =
        [[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8], [0.6, 0.0, 0.0, 0.8], [0.0, 0.0, 0.0, 1.0]];
    let points: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let bind = glam::Mat4::IDENTITY.to_cols_array();
    let joints = [[0u8; 4]; 3];
    let weights: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, 0.0]; 3];
    let floats = |all: &[f32]| all.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let parts = [
        floats(&times),
        floats(turns.as_flattened()),
        floats(points.as_flattened()),
        floats(&bind),
        joints.as_flattened().to_vec(),
        floats(weights.as_flattened()),
    ];
    let mut views = Vec::new();
    let mut buffer = Vec::new();
    for part in &parts {
        views.push(json!({"buffer": 0, "byteOffset": buffer.len(), "byteLength": part.len()}));
        buffer.extend(part);
    }
    let document = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "Hinge"}, {"name": "Door", "mesh": 0, "skin": 0}],
        "animations": [{"name": "open", "samplers": [{"input": 0, "output": 1}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 2, "JOINTS_0": 4, "WEIGHTS_0": 5}}]}],
        "skins": [{"joints": [0], "inverseBindMatrices": 3}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "SCALAR", "min": [0], "max": [4]},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 3, "componentType": 5126, "count": 1, "type": "MAT4"},
            {"bufferView": 4, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 5, "componentType": 5126, "count": 3, "type": "VEC4"}
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": buffer.len()}],
    });
    let chunk = [&(buffer.len() as u32).to_le_bytes()[..], b"BIN\0", &buffer].concat();
    let bytes = glb(&document, &chunk);
    let file = read("door.glb", &bytes);
    source_of("mesh behind animation", &file).unwrap()
}

/// An avatar that plays a motion.
fn avatar() -> Source {
    let [motion, figure] = ["walk.vmd", "avatar.vrm"].map(sample);
    let options =
        ConvertOptions { onto: Some(&figure), ..ConvertOptions::to(registry::by_id("vrm").unwrap()) };
    let made = convert(&[motion], &options).unwrap().output.main;
    opened("vrm", "avatar", &made, &[]).unwrap()
}

/// The sound files of all rooms that can be edited.
fn fixtures() -> Vec<Source> {
    let folders = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut folders: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        folders.sort();
        folders
    };
    let families = folders(workspace().join("formats"));
    let rooms = families.iter().flat_map(|family| folders(family.join("src")));
    let valid = rooms.map(|room| room.join("fixtures/valid")).filter(|folder| folder.is_dir());
    let extensions: Vec<&str> =
        writable().flat_map(|format| format.info().extensions.iter().copied()).collect();
    let all = valid.flat_map(|folder| files(&folder, &extensions, 0)).filter_map(|path| fixture(&path));
    let mut different: Vec<Source> = Vec::new();
    for source in all {
        // Many differ only in white space and the like.
        let tracks = |source: &Source| -> Vec<_> {
            source.scene.clips.iter().map(|clip| clip.tracks.clone()).collect()
        };
        let is_same = |other: &Source| other.format() == source.format() && tracks(other) == tracks(&source);
        if !different.iter().any(is_same) {
            different.push(source);
        }
    }
    different
}

/// A fixture with a motion that can be edited.
fn fixture(path: &std::path::Path) -> Option<Source> {
    let file = dopesheet::open(path, None, &ReadOptions::default()).ok()?;
    if !writable().any(|format| format.info().id == file.format().info().id) {
        return None;
    }
    let scene = dopesheet::edit::scene(&file).ok()?;
    // A number that is none is not even itself.
    if scene.clips.is_empty() || scene.clips != scene.clips.clone() {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    let bytes = file.format().write(&file.document, &WriteOptions::default()).ok()?.main;
    Some(Source { name, bytes, file, scene, is_seeded: false })
}
