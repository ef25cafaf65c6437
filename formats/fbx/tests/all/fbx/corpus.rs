//! Every file of ufbx's own corpus: read or refused with a message, with as many parts as ufbx counts, in memory within its limit.

use crate::fbx::memory::read_counting;
use crate::fbx::players;
use dopesheet_core::diag::ReadError;
use dopesheet_fbx::fbx::Document;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Parts of a file: nodes, meshes, triangles, materials, skins, sets of morphs, morphs, cameras, lights, takes.
type Counts = [usize; 10];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "fbx")).collect();
    files.sort();
    files
}

fn ours(document: &Document) -> Counts {
    let scene = &document.still;
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    [
        scene.nodes.len(),
        scene.meshes.len(),
        primitives().map(|own| own.indices.len() / 3).sum(),
        scene.materials.len(),
        scene.skins.len(),
        scene.morph_sets.len(),
        scene.morph_sets.iter().map(|set| set.morphs.len()).sum(),
        scene.cameras.len(),
        scene.lights.len(),
        document.takes.len(),
    ]
}

/// The counts of ufbx, which has a root that we have not and the views of editors, and of several skins of a mesh plays the first.
fn of_ufbx(file: &ufbx::Scene) -> Counts {
    let views = || file.nodes.iter().filter(|node| players::is_view(node));
    let skins = || file.meshes.iter().filter_map(|mesh| mesh.skin_deformers.first());
    let morphs = |mesh: &ufbx::Mesh| -> usize {
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
        channels.map(|channel| channel.keyframes.len()).sum()
    };
    [
        file.nodes.len() - 1 - views().count(),
        file.meshes.len(),
        file.meshes.iter().map(|mesh| mesh.num_triangles).sum(),
        file.materials.len(),
        skins().count(),
        file.meshes.iter().filter(|mesh| morphs(mesh) > 0).count(),
        file.meshes.iter().map(|mesh| morphs(mesh)).sum(),
        file.cameras.len() - views().filter(|node| node.camera.is_some()).count(),
        file.lights.len(),
        file.anim_stacks.len(),
    ]
}

/// Joints of each skin: nodes that its clusters name, and one more at most, which holds vertices that none of them moves.
fn has_joints_of(document: &Document, file: &ufbx::Scene) -> bool {
    let skins = file.meshes.iter().filter_map(|mesh| mesh.skin_deformers.first());
    let named = skins.map(|skin| {
        let bones = skin.clusters.iter().filter_map(|own| Some(own.bone_node.as_ref()?.element.element_id));
        bones.collect::<HashSet<u32>>().len()
    });
    let joints = document.still.skins.iter().map(|skin| skin.joints.len());
    joints.zip(named).all(|(ours, named)| ours == named || ours == named + 1)
}

fn assert_message(path: &Path, error: &ReadError) {
    let fault = &error.fault;
    let says = !fault.expected.is_empty() && !fault.found.is_empty() && fault.code.starts_with("fbx-");
    assert!(says, "{}: {error}", path.display());
}

#[test]
#[ignore = "cargo xtask interop fbx"]
fn every_file_of_the_corpus_is_read_with_all_its_parts_or_refused_with_a_message() {
    let Some(folder) = std::env::var_os("DOPESHEET_FBX_FILES") else { return };
    let files = files(folder.as_ref());
    let (mut read, mut with_skins, mut with_morphs, mut largest) = (0, 0, 0, (0.0, PathBuf::new()));
    let (mut differ, mut transforms) = (Vec::new(), 0);
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let (document, taken) = read_counting(&bytes);
        let limit = taken.limit(bytes.len());
        assert!(taken.peak <= limit, "{}: {} of {limit} bytes", path.display(), taken.peak);
        let share = taken.peak as f64 / limit as f64;
        if share > largest.0 {
            largest = (share, path.clone());
        }
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                println!("refused: {}: {error}", path.file_name().unwrap().to_string_lossy());
                assert_message(path, &error);
                continue;
            }
        };
        read += 1;
        with_skins += usize::from(!document.still.skins.is_empty());
        with_morphs += usize::from(!document.still.morph_sets.is_empty());
        let options = ufbx::LoadOpts {
            geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
            inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
            ..ufbx::LoadOpts::default()
        };
        let file = ufbx::load_memory(&bytes, options).ok().unwrap();
        if ours(&document) != of_ufbx(&file) || !has_joints_of(&document, &file) {
            differ.push(format!("{}: {:?}, ufbx {:?}", path.display(), ours(&document), of_ufbx(&file)));
        }
        let (odd, count) = players::differences(&document, &file);
        transforms += count;
        differ.extend(odd.into_iter().map(|odd| format!("{}: {odd}", path.display())));
    }
    println!(
        "{read} of {} files read, {with_skins} with skins, {with_morphs} with morphs; at most {:.0} % of the memory they may take \
         ({})",
        files.len(),
        largest.0 * 100.0,
        largest.1.display()
    );
    println!("{transforms} transforms of nodes are as ufbx evaluates them");
    assert!(differ.is_empty() && transforms > 70_000, "{differ:#?}");
    assert!(read > 350 && with_skins > 40 && with_morphs > 10, "{read} read, {with_skins}, {with_morphs}");
}
