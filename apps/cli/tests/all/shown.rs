//! What a converted motion shows, and what goes to files of its own, without being asked for twice.

use crate::common::{Folder, dance, parts_of};
use dopesheet_testkit::workspace;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("dance.vmd", &dance());
    folder.put("jump.bvh", &std::fs::read(workspace().join("samples/jump.bvh")).unwrap());
    for name in ["chain.fbx", "face.fbx"] {
        let fixture = workspace().join("formats/fbx/src/fbx/fixtures/valid").join(name);
        folder.put(name, &std::fs::read(fixture).unwrap());
    }
    folder
}

/// True if a GLB has a mesh.
fn has_mesh(folder: &Folder, name: &str) -> bool {
    parts_of(&folder.get(name)).0.get("meshes").is_some()
}

#[test]
fn a_skeleton_without_a_mesh_gets_one_in_a_new_glb_and_nowhere_else() {
    let folder = folder();
    let convert = |input: &str, output: &str, more: &[&str]| {
        let ran = folder.run(&[&["convert", input, "-o", output], more].concat());
        assert_eq!(ran.code, Some(0), "{output}: {}", ran.err);
        ran.err
    };
    let told = convert("jump.bvh", "a.glb", &[]);
    assert!(has_mesh(&folder, "a.glb") && !told.contains("nothing-to-see"), "{told}");
    convert("jump.bvh", "jump.npz", &[]);
    convert("jump.npz", "b.glb", &[]);
    assert!(has_mesh(&folder, "b.glb"));
    convert("chain.fbx", "chain.glb", &[]);
    assert!(has_mesh(&folder, "chain.glb"));
    convert("face.fbx", "face.glb", &[]);
    let names = parts_of(&folder.get("face.glb")).0["meshes"].to_string();
    assert!(!names.contains("Bones"), "a file with a mesh shows its own: {names}");
    let told = convert("jump.bvh", "c.glb", &["--no-show-bones"]);
    assert!(!has_mesh(&folder, "c.glb") && told.contains("nothing-to-see"), "{told}");
    let gltf = folder.run(&["convert", "jump.bvh", "-o", "d.gltf"]);
    assert!(!folder.get("d.gltf").windows(8).any(|word| word == b"\"meshes\""), "{}", gltf.err);
    convert("dance.vmd", "e.glb", &[]);
    assert!(!has_mesh(&folder, "e.glb"), "nobody knows how its bones hang together");
    convert("c.glb", "f.glb", &[]);
    assert_eq!(folder.get("c.glb"), folder.get("f.glb"));
    convert("jump.bvh", "g.glb", &["--into", "c.glb", "--replace"]);
    assert!(!has_mesh(&folder, "g.glb"));
    let edited = folder.run(&["edit", "jump.bvh", "-o", "h.glb", "-e", "reverse"]);
    assert!(edited.code == Some(0) && !has_mesh(&folder, "h.glb"), "{}", edited.err);
    let both = folder.run(&["convert", "jump.bvh", "-o", "i.glb", "--show-bones", "--no-show-bones"]);
    assert_eq!(both.code, Some(2), "{}", both.err);
}

#[test]
fn joints_and_a_camera_in_one_vmd_are_told_and_split_makes_two_files() {
    let folder = folder();
    let made = folder.run(&["convert", "dance.vmd", "-o", "dance.glb"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let one = folder.run(&["convert", "dance.glb", "-o", "one.vmd"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    let warning = one.err.lines().find(|line| line.starts_with("warning: ")).unwrap_or_default();
    assert!(warning.contains("(--split writes two files) [mmd-camera-with-bones]"), "{}", one.err);
    let two = folder.run(&["convert", "dance.glb", "-o", "two.vmd", "--split"]);
    assert_eq!(two.code, Some(0), "{}", two.err);
    assert!(!two.err.contains("mmd-camera-with-bones"), "{}", two.err);
    let tracks = |name: &str| {
        let ran = folder.run(&["sample", name, "--times", "0,0.5,1,1.5,2", "--json"]);
        ran.json("sample.json").remove(0)["tracks"].as_array().unwrap().clone()
    };
    let together = tracks("one.vmd");
    for (name, kind) in [("two.vmd", "joint"), ("two-camera.vmd", "camera")] {
        let of_kind: Vec<_> = together.iter().filter(|track| track["kind"] == kind).cloned().collect();
        assert_eq!(of_kind.len(), 1, "{together:?}");
        assert_eq!(tracks(name), of_kind, "{name}");
        let check = folder.run(&["check", name]);
        assert!(check.code == Some(0) && !check.out.contains("camera-with-bones"), "{}", check.out);
    }
    let alone = folder.run(&["convert", "bow.vmd", "-o", "b.vmd", "--split"]);
    assert!(alone.code == Some(2) && alone.err.contains("found only one of them"), "{}", alone.err);
    let many = folder.run(&["convert", "dance.glb", "bow.vmd", "-t", "vmd", "-o", "out", "--split"]);
    assert!(many.err.contains("needs an output file"), "{}", many.err);
}
