//! Surfaces from every format with meshes to GLB: colours, texture coordinates and directions are equal to the bit.
#![cfg(all(feature = "fbx", feature = "gltf", feature = "mmd", feature = "playcanvas"))]

use crate::convert::vmd::{made, options};
use dopesheet::core::format::{FromScene, ToScene};
use dopesheet::core::model::{Basis, Material, Primitive, Scene, rebase};
use dopesheet::{Opened, ReadOptions, Report, open};
use dopesheet_testkit::workspace;

fn scene(file: &Opened) -> Scene {
    file.format().to_scene(&file.document, &ToScene::default(), &mut file.report.clone()).unwrap()
}

/// A fixture's scene in the basis of glTF, the scene of the GLB that it is converted to, and the scene after writing it anew, which a
/// conversion from glTF leaves out.
fn there_and_back(fixture: &str) -> [Scene; 3] {
    let file = open(&workspace().join("formats").join(fixture), None, &ReadOptions::default()).unwrap();
    let mut before = scene(&file);
    rebase(&mut before, &Basis::GLTF, None);
    let options = options("glb");
    let converted = scene(&made(&file, &options).0);
    let document = options.to.from_scene(&before, &FromScene::default(), &mut Report::default()).unwrap();
    let anew = options.to.to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    [before, converted, anew]
}

fn bits<const N: usize>(vectors: &[[f32; N]]) -> Vec<[u32; N]> {
    vectors.iter().map(|vector| vector.map(f32::to_bits)).collect()
}

fn offset_bits<const N: usize>(offsets: &[(u32, [f32; N])]) -> Vec<(u32, [u32; N])> {
    let moved = offsets.iter().filter(|(_, offset)| *offset != [0.0; N]);
    moved.map(|(vertex, offset)| (*vertex, offset.map(f32::to_bits))).collect()
}

fn assert_equal(a: &Primitive, b: &Primitive, whose: &str) {
    let [colors_a, colors_b] = [a, b].map(|p| p.colors.iter().map(|set| bits(set)).collect::<Vec<_>>());
    assert_eq!(colors_a, colors_b, "{whose}");
    for (set, uvs) in a.uv_sets.iter().enumerate().filter(|(_, uvs)| !uvs.is_empty()) {
        assert_eq!(bits(uvs), bits(&b.uv_sets[set]), "{whose} {set}");
    }
    assert_eq!(a.morphs.len(), b.morphs.len(), "{whose}");
    for (a, b) in a.morphs.iter().zip(&b.morphs) {
        assert_eq!(offset_bits(&a.normals), offset_bits(&b.normals), "{whose}");
        assert_eq!(offset_bits(&a.tangents), offset_bits(&b.tangents), "{whose}");
        for (set, offsets) in a.uv_sets.iter().enumerate().filter(|(_, offsets)| !offsets.is_empty()) {
            assert_eq!(offset_bits(offsets), offset_bits(&b.uv_sets[set]), "{whose} {set}");
        }
    }
    assert_eq!(bits(&a.tangents), bits(&b.tangents), "{whose}");
}

#[test]
fn surfaces_of_every_format_with_meshes_are_equal_to_the_bit_in_a_glb() {
    for (fixture, colors, uv_sets, turned) in [
        ("fbx/src/fbx/fixtures/valid/surface.fbx", 1, 2, 1),
        ("gltf/src/gltf/fixtures/valid/surface.gltf", 2, 2, 2),
        ("mmd/src/pmx/fixtures/valid/everything.pmx", 0, 3, 0),
        ("playcanvas/src/model/fixtures/valid/surface.json", 0, 3, 1),
    ] {
        let [before, converted, anew] = there_and_back(fixture);
        let primitives = |scene: &Scene| -> Vec<Primitive> {
            scene.meshes.iter().flat_map(|mesh| mesh.primitives.clone()).collect()
        };
        let used = |scene: &Scene| -> Vec<u8> {
            scene.materials.iter().flat_map(Material::images).map(|image| image.uv_set).collect()
        };
        let all = primitives(&before);
        let normals: usize = all[0].morphs.iter().map(|morph| morph.normals.len()).sum();
        assert_eq!(
            (all[0].colors.len(), all[0].uv_sets.len(), normals),
            (colors, uv_sets, turned),
            "{fixture}"
        );
        for after in [converted, anew] {
            assert_eq!(all.len(), primitives(&after).len(), "{fixture}");
            for (a, b) in all.iter().zip(&primitives(&after)) {
                assert_equal(a, b, fixture);
            }
            assert_eq!(used(&before), used(&after), "{fixture}");
        }
    }
}
