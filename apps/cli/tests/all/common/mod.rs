//! A folder with small files, and the command run in it.

use assert_cmd::Command;
use dopesheet::core::bytes::ByteBuilder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A door that opens in one second: a PlayCanvas animation with one moving node.
pub(crate) const DOOR: &str = r#"{"animation":{"version":4,"name":"door","duration":1,"nodes":[{"name":"Hinge","defaults":{"p":[0,1,0],"s":[1,1,1]},"keys":[{"t":0,"r":[0,0,0]},{"t":1,"r":[0,90,0]}]}]}}"#;

/// A glTF file with a node of the door's name.
pub(crate) const FRAME: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Frame","children":[1]},{"name":"Hinge","translation":[0,1,0]}]}"#;

/// Bytes of a VMD: センター moves from 0 to (1, 2, 3) in 30 frames, eased by `curve`, and turns once.
pub(crate) fn motion(curve: [u8; 4]) -> Vec<u8> {
    let mut out = header("dancer");
    out.u32(2);
    for (frame, at) in [(0, [0.0; 3]), (30, [1.0, 2.0, 3.0])] {
        bone(&mut out, frame, &at, curve);
    }
    out.u32(0).u32(0).u32(0).u32(0).u32(0);
    out.finish()
}

/// Bytes of a VMD that only moves the camera.
pub(crate) fn camera_motion() -> Vec<u8> {
    let mut out = header("camera");
    out.u32(0).u32(0).u32(1);
    out.u32(0).f32(-45.0).f32s(&[0.0, 10.0, 0.0]).f32s(&[0.0; 3]);
    out.bytes(&[20, 107, 20, 107].repeat(6)).u32(30).u8(0);
    out.u32(0).u32(0).u32(0);
    out.finish()
}

/// Bytes of a VMD with a body and a camera: センター moves as in [`motion`]; the camera stands, and a frame after a second
/// it is 4.8 m farther up.
pub(crate) fn dance() -> Vec<u8> {
    let mut out = header("dancer");
    out.u32(2);
    for (frame, at) in [(0, [0.0; 3]), (60, [1.0, 2.0, 3.0])] {
        bone(&mut out, frame, &at, [20, 20, 107, 107]);
    }
    out.u32(0).u32(3);
    for (frame, height) in [(0, 10.0), (30, 10.0), (31, 70.0)] {
        out.u32(frame).f32(-45.0).f32s(&[0.0, height, 0.0]).f32s(&[0.0; 3]);
        out.bytes(&[20, 107, 20, 107].repeat(6)).u32(30).u8(0);
    }
    out.u32(0).u32(0).u32(0);
    out.finish()
}

/// The JSON of a GLB and its binary part.
pub(crate) fn parts_of(glb: &[u8]) -> (Value, &[u8]) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..20 + length]).unwrap(), glb.get(28 + length..).unwrap_or_default())
}

fn header(model: &str) -> ByteBuilder {
    let mut out = ByteBuilder::default();
    padded(&mut out, b"Vocaloid Motion Data 0002", 30);
    padded(&mut out, model.as_bytes(), 20);
    out
}

fn bone(out: &mut ByteBuilder, frame: u32, at: &[f32; 3], [x1, y1, x2, y2]: [u8; 4]) {
    padded(out, b"\x83\x5a\x83\x93\x83\x5e\x81\x5b", 15);
    out.u32(frame).f32s(at).f32s(&[0.0, 0.0, 0.0, 1.0]);
    let row: Vec<u8> = [x1, y1, x2, y2].iter().flat_map(|b| [*b; 4]).collect();
    for shift in 0..4 {
        padded(out, &row[shift..], 16);
    }
}

fn padded(out: &mut ByteBuilder, text: &[u8], length: usize) {
    out.bytes(text).bytes(&vec![0; length - text.len()]);
}

/// After so long a run will not end at all.
const LONGEST: Duration = Duration::from_secs(300);

/// A folder with `door.json`, `frame.gltf`, `bow.vmd` (curved), `line.vmd` (straight), `camera.vmd` and `broken.vmd`.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.put("door.json", DOOR.as_bytes());
        folder.put("frame.gltf", FRAME.as_bytes());
        folder.put("bow.vmd", &motion([64, 0, 64, 127]));
        folder.put("line.vmd", &motion([20, 20, 107, 107]));
        folder.put("camera.vmd", &camera_motion());
        folder.put("broken.vmd", &motion([20, 20, 107, 107])[..200]);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Names of all files below the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        list(self.0.path(), self.0.path(), &mut names);
        names.sort();
        names
    }

    /// Runs the command here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(arguments, b"")
    }

    /// Runs the command here with something on standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = Command::cargo_bin("dopesheet").unwrap();
        command.current_dir(self.0.path()).args(arguments).write_stdin(input).timeout(LONGEST);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran {
            code: output.status.code(),
            bytes: output.stdout.clone(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

fn list(root: &Path, folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(root, &path, names);
        } else {
            names.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The JSON objects on standard output, one a line, each valid against a schema of the documentation.
    pub(crate) fn json(&self, schema: &str) -> Vec<Value> {
        let schema =
            dopesheet_testkit::json(&dopesheet_testkit::workspace().join("docs/schemas").join(schema));
        let validator = jsonschema::validator_for(&schema).unwrap();
        let lines = self.out.lines().map(|line| {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let faults: Vec<_> =
                validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert!(faults.is_empty(), "{faults:?} in {line}");
            value
        });
        lines.collect()
    }
}
