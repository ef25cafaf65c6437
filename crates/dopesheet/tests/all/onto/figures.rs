//! Human figures of files as people have them, found by names and by their shape alone.
#![cfg(all(feature = "bvh", feature = "mmd", feature = "gltf", feature = "numpy", feature = "research"))]

use dopesheet::ReadOptions;
use dopesheet::core::diag::Report;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{HumanBone as B, Scene};
use dopesheet::human::{Proposal, propose};
use dopesheet_testkit::{corpus, files};
use std::path::{Path, PathBuf};

/// Bones that turn limbs, which say where a figure's limbs are.
const BENDING: [B; 8] = [
    B::LeftUpperLeg,
    B::LeftLowerLeg,
    B::RightUpperLeg,
    B::RightLowerLeg,
    B::LeftUpperArm,
    B::LeftLowerArm,
    B::RightUpperArm,
    B::RightLowerArm,
];

fn scene(path: &Path) -> Scene {
    let file = dopesheet::open(path, None, &ReadOptions::default()).unwrap();
    file.format().to_scene(&file.document, &Default::default(), &mut Report::default()).unwrap()
}

fn found(scene: &Scene) -> Proposal {
    propose(scene, &NameMap::default())
}

/// The same figure with names that tell nothing.
fn nameless(scene: &Scene) -> Scene {
    let mut scene = Scene { humanoid: None, ..scene.clone() };
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        node.name = format!("n{index}");
    }
    scene
}

/// Files of a folder of the corpus; none where there is no corpus.
fn wild(folder: &str) -> Option<Vec<PathBuf>> {
    let extensions = ["bvh", "glb", "vrm", "vrma", "pmx", "npz", "vmd"];
    Some(files(&corpus(&format!("wild/{folder}"))?, &extensions, 1))
}

#[test]
fn every_human_of_the_corpus_is_found_by_its_names() {
    let mut count = 0;
    for path in ["bvh", "bodies", "motions"].into_iter().filter_map(wild).flatten() {
        let found = found(&scene(&path));
        // Motions without a model leave bones to its rig.
        let is_alone = path.extension().is_some_and(|own| own == "vmd");
        assert!(is_alone || found.humanoid.is_human(), "{}: {found:?}", path.display());
        assert!(!found.is_by_shape(), "{}", path.display());
        count += 1;
    }
    assert!(count == 0 || count >= 57, "{count}");
}

#[test]
fn no_animal_of_the_corpus_is_taken_for_a_human() {
    let Some(paths) = wild("nonhuman") else { return };
    let mut refused = Vec::new();
    for path in &paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let whole = found(&scene(path)).humanoid.is_human();
        let unnamed = found(&nameless(&scene(path))).humanoid.is_human();
        // A VRM without a mesh that states all bones of a body, whose joints lie as those of one do.
        assert_eq!([whole, unnamed], [name == "basicarm"; 2], "{name}");
        refused.extend((!whole).then_some(name));
    }
    assert!(refused.len() >= 2, "{refused:?}");
}

#[test]
fn nearly_every_capture_of_the_corpus_is_found_by_its_shape_alone() {
    let Some(paths) = wild("bvh") else { return };
    let mut lacking = Vec::new();
    for path in &paths {
        let scene = scene(path);
        let (by_names, by_shape) = (found(&scene).humanoid, found(&nameless(&scene)));
        let is_same = |bone: &B| by_names.bones.get(bone) == by_shape.humanoid.bones.get(bone);
        if !by_shape.is_by_shape() || !BENDING.iter().all(is_same) {
            lacking.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert!(paths.len() >= 36 && lacking.len() <= 2, "{} of {}: {lacking:?}", lacking.len(), paths.len());
}
