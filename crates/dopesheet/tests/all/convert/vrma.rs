//! Motions on their models as VRM animations, and back.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "playcanvas"))]

use dopesheet::core::diag::Loss;
use dopesheet::core::format::{Format, FromScene, NameMap, WriteOptions};
use dopesheet::core::model::{Axis, Basis, HumanBone, Node, NodeIndex, Scene, TargetKind, Transform};
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, open};
use dopesheet_gltf::{Glb, Vrma};
use dopesheet_testkit::{corpus, workspace};

/// Figures face −Z, left is +X, a unit is 8 cm.
const MMD: Basis = Basis {
    front: Axis::NegZ,
    metres_per_unit: Some(0.08),
    camera_looks: Axis::PosZ,
    light_shines: Axis::PosZ,
    ..Basis::GLTF
};

/// Name, parent and place of each bone; `@` is the side, places are those of the left.
const PUPPET: &[(&str, &str, [f64; 3])] = &[
    ("センター", "", [0.0, 8.0, 0.0]),
    ("下半身", "センター", [0.0, 12.4, 0.0]),
    ("上半身", "センター", [0.0, 12.4, 0.0]),
    ("上半身2", "上半身", [0.0, 13.9, 0.0]),
    ("首", "上半身2", [0.0, 16.4, 0.0]),
    ("頭", "首", [0.0, 17.1, 0.0]),
    ("@肩", "上半身2", [0.2, 16.0, 0.0]),
    ("@腕", "@肩", [1.2, 15.8, 0.0]),
    ("@ひじ", "@腕", [3.41, 14.25, 0.0]),
    ("@手首", "@ひじ", [5.3, 12.93, 0.0]),
    ("@足", "下半身", [0.85, 10.9, 0.0]),
    ("@ひざ", "@足", [0.85, 6.0, -0.1]),
    ("@足首", "@ひざ", [0.85, 1.15, 0.2]),
];

/// The puppet as a model in a GLB.
fn puppet(rename: impl Fn(&str) -> String) -> Opened {
    let mut scene = Scene::new(MMD);
    let mut rows: Vec<(String, String, [f64; 3])> = Vec::new();
    for (name, parent, [x, y, z]) in PUPPET {
        let sides: &[(&str, f64)] =
            if name.contains('@') { &[("左", 1.0), ("右", -1.0)] } else { &[("", 1.0)] };
        for (side, sign) in sides {
            rows.push((name.replace('@', side), parent.replace('@', side), [x * sign, *y, *z]));
        }
    }
    for (name, parent, place) in &rows {
        let above = rows.iter().position(|row| row.0 == *parent);
        let from = above.map_or([0.0; 3], |above| rows[above].2);
        let translation = std::array::from_fn(|axis| place[axis] - from[axis]);
        let rest = Transform { translation, ..Transform::IDENTITY };
        scene.push_node(Node::new(rename(name), above.map(NodeIndex), rest));
    }
    dopesheet::core::model::rebase(&mut scene, &Basis::GLTF, None);
    let glb = Glb::from_scene(&scene, &FromScene::default(), &mut Default::default()).unwrap();
    let bytes = Glb::write(&glb, &WriteOptions::default()).unwrap().main;
    dopesheet::read("puppet.glb", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn bow() -> Opened {
    sample("bow.vmd")
}

/// Keeps a written file where other programs can be pointed at it.
fn keep(name: &str, bytes: &[u8]) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("written");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

fn read_back(bytes: &[u8]) -> Opened {
    open::read_as(&Vrma, "bow.vrma", bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn scene(opened: &Opened) -> Scene {
    opened.format().to_scene(&opened.document, &Default::default(), &mut Default::default()).unwrap()
}

#[test]
fn a_bow_becomes_a_sound_animation_of_every_bone_that_bows() {
    let model = puppet(str::to_owned);
    let options = ConvertOptions { model: Some(&model), ..ConvertOptions::to(&Vrma) };
    let made = convert(&[bow()], &options).unwrap();
    keep("bow.vrma", &made.output.main);
    let vrma = read_back(&made.output.main);
    let mut report = dopesheet::core::diag::Report::default();
    vrma.format().check(&vrma.document, &mut report);
    report.findings.retain(|finding| finding.fault.code != "NODE_EMPTY");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let scene = scene(&vrma);
    let clip = &scene.clips[0];
    let moved = |kind| clip.tracks.iter().filter(move |track| track.target.kind == kind);
    let bones: Vec<&str> = moved(TargetKind::Joint).map(|track| track.target.name.as_str()).collect();
    for bone in ["hips", "spine", "chest", "neck", "head", "leftUpperArm", "rightLowerArm"] {
        assert!(bones.contains(&bone), "{bone}: {bones:?}");
    }
    let faces: Vec<&str> = moved(TargetKind::Morph).map(|track| track.target.name.as_str()).collect();
    assert!(faces.contains(&"blink") && faces.contains(&"aa"), "{faces:?}");
    for loss in &made.report.report.losses {
        if let Loss::Approximated { what, max_error, .. } = loss
            && what.ends_with("re-keyed")
        {
            assert!(max_error.value <= 1e-4, "{what}: {max_error:?}");
        }
    }
}

#[test]
fn a_map_names_bones_that_no_vocabulary_knows() {
    let model = puppet(|name| name.replace("左足", "脚"));
    let without = ConvertOptions { model: Some(&model), ..ConvertOptions::to(&Vrma) };
    let error = convert(&[bow()], &without).unwrap_err().to_string();
    let expected =
        "vrma: expected a node for each bone of a humanoid, found none for leftUpperLeg, leftFoot; ";
    assert!(error.starts_with(expected) && error.contains("--map says which node is which bone"), "{error}");
    assert!(
        error.contains("edit this map and give it: {") && error.contains(r#""左ひざ":"leftLowerLeg""#),
        "{error}"
    );
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let names = NameMap::new([pair("脚", "leftUpperLeg"), pair("脚首", "leftFoot")]);
    let with = ConvertOptions { names, ..without };
    let made = convert(&[bow()], &with).unwrap();
    let humanoid = scene(&read_back(&made.output.main)).humanoid.unwrap();
    assert!(humanoid.bones.contains_key(&HumanBone::LeftFoot));
}

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

#[test]
fn a_motion_alone_says_that_it_needs_a_model() {
    let error = convert(&[sample("wave.json")], &ConvertOptions::to(&Vrma)).unwrap_err().to_string();
    let expected = "vrma: expected a model, for its hierarchy (give one with -m), found a motion alone";
    assert_eq!(error, expected);
}

#[test]
fn a_motion_of_mikumikudance_alone_is_that_of_the_standard_model_and_says_so() {
    let standard = dopesheet::puppet::standard_model().unwrap();
    for name in ["bow.vmd", "walk.vmd"] {
        let alone = convert(&[sample(name)], &ConvertOptions::to(&Vrma)).unwrap();
        let options = ConvertOptions { model: Some(&standard), ..ConvertOptions::to(&Vrma) };
        let with = convert(&[sample(name)], &options).unwrap();
        assert!(alone.output.main == with.output.main, "{name}");
        let assumed: Vec<_> =
            alone.report.report.findings.iter().filter(|f| f.fault.code == "model-assumed").collect();
        let [assumed] = &assumed[..] else { panic!("{name}: {assumed:?}") };
        assert_eq!(
            assumed.fault.to_string(),
            "file: expected a model, for its hierarchy (give one with -m), found none; the standard model stands for it, as with -m standard"
        );
        assert!(with.report.report.findings.iter().all(|f| f.fault.code != "model-assumed"));
    }
    let other = convert(&[sample("bow.vmd")], &ConvertOptions::to(&Glb)).unwrap();
    assert!(other.report.report.findings.iter().all(|f| f.fault.code != "model-assumed"));
}

#[test]
fn a_camera_is_no_figure() {
    let standard = dopesheet::puppet::standard_model().unwrap();
    for model in [None, Some(&standard)] {
        let options = ConvertOptions { model, ..ConvertOptions::to(&Vrma) };
        let error = convert(&[sample("camera.vmd")], &options).unwrap_err().to_string();
        let expected = "nothing to convert: the file moves no joint and no morph of a figure, only camera, custom, light";
        assert_eq!(error, expected);
    }
}

#[test]
fn steps_of_the_corpus_on_its_model_become_sound_animations() {
    let Some(folder) = corpus("mmd") else { return };
    let model = open(&folder.join("pmx/miku_animasa.pmx"), None, &ReadOptions::default()).unwrap();
    let mut seen = 0;
    for name in ["walk.vmd", "run.vmd", "makoto_guard1.vmd"] {
        let motion = open(&folder.join("vmd").join(name), None, &ReadOptions::default()).unwrap();
        let options = ConvertOptions { model: Some(&model), ..ConvertOptions::to(&Vrma) };
        let made = convert(&[motion], &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        keep(&name.replace("vmd", "vrma"), &made.output.main);
        let vrma = read_back(&made.output.main);
        let mut report = dopesheet::core::diag::Report::default();
        vrma.format().check(&vrma.document, &mut report);
        report.findings.retain(|finding| finding.fault.code != "NODE_EMPTY");
        assert!(report.findings.is_empty(), "{name}: {:?}", report.findings);
        let scene = scene(&vrma);
        let tracks = &scene.clips[0].tracks;
        let legs = ["leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg", "hips"];
        let moved = legs.iter().filter(|leg| tracks.iter().any(|track| track.target.name == **leg));
        assert_eq!(moved.count(), 5, "{name}: solved legs");
        assert!(scene.humanoid.unwrap().bones.len() >= 40, "{name}: fingers as well");
        seen += 1;
    }
    assert_eq!(seen, 3);
}
