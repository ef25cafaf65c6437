//! Skeletons without a mesh, of which viewers show nothing.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "mmd"))]

use crate::convert::vmd::{made, options};
use dopesheet::core::format::ToScene;
use dopesheet::core::model::{NodeIndex, Scene};
use dopesheet::core::units::Seconds;
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::{ConvertOptions, Error, Opened, ReadOptions, convert, open};
use dopesheet_testkit::workspace;
use glam::{DMat4, DVec3};
use std::collections::HashSet;

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn shown(to: &str) -> ConvertOptions<'static> {
    ConvertOptions { show_bones: true, ..options(to) }
}

fn scene(file: &Opened) -> Scene {
    file.format().to_scene(&file.document, &ToScene::default(), &mut file.report.clone()).unwrap()
}

fn warns(conversion: &dopesheet::Conversion) -> bool {
    conversion.report.report.findings.iter().any(|finding| finding.fault.code == "nothing-to-see")
}

#[test]
fn a_skeleton_without_a_mesh_is_said_to_be_nothing_that_viewers_show() {
    for (source, to, is_said) in [
        (sample("jump.bvh"), "glb", true),
        (sample("jump.bvh"), "gltf", true),
        // That wants a model, which is said.
        (sample("walk.vmd"), "glb", false),
        (sample("jump.bvh"), "vmd", false),
        // Neither has a camera anything to show, nor does a figure want more than it has.
        (sample("camera.vmd"), "glb", false),
        (sample("character.glb"), "gltf", false),
    ] {
        let (file, conversion) = made(&source, &options(to));
        assert_eq!(warns(&conversion), is_said, "{} to {to}", source.stem());
        assert!(!is_said || scene(&file).meshes.is_empty());
    }
}

#[test]
fn shown_bones_lead_from_joint_to_joint_at_every_time() {
    let (file, conversion) = made(&sample("jump.bvh"), &shown("glb"));
    assert!(!warns(&conversion));
    let scene = scene(&file);
    let [skin] = &scene.skins[..] else { panic!("one skin") };
    let [primitive] = &scene.meshes[0].primitives[..] else { panic!("one primitive") };
    assert!(scene.nodes.iter().any(|node| node.mesh.is_some() && node.skin.is_some()));
    let mut bones = HashSet::new();
    for time in [0.0, 0.5, 1.0] {
        let pose = model_pose(&scene, &local_pose(&scene, &scene.clips[0], Seconds(time))).0;
        let place = |node: NodeIndex| pose[node.0].translation;
        for (corners, bound) in primitive.positions.chunks(6).zip(primitive.joints.chunks(6)) {
            let joint = usize::from(bound[0].joints[0]);
            let moved =
                DMat4::from(pose[skin.joints[joint].0]) * DMat4::from_cols_array(&skin.inverse_bind[joint]);
            let [from, to] =
                [corners[0], corners[1]].map(|c| moved.transform_point3(DVec3::from(c.map(f64::from))));
            let own = skin.joints[joint];
            if from.distance(place(own)) > 1e-5 {
                // A joint from which nothing leads on is in the middle of its knob.
                assert!(from.lerp(to, 0.5).distance(place(own)) < 1e-5, "{time}");
                continue;
            }
            let child = (0..scene.nodes.len())
                .map(NodeIndex)
                .find(|child| scene.nodes[child.0].parent == Some(own) && to.distance(place(*child)) < 1e-5);
            bones.insert((own, child.unwrap_or_else(|| panic!("no joint at the end of a bone at {time}"))));
        }
    }
    let joined = scene.nodes.iter().filter(|node| {
        node.parent.is_some() && node.rest.translation.iter().any(|length| length.abs() > 1e-3)
    });
    assert_eq!(bones.len(), joined.count());
}

#[test]
fn shown_bones_face_outwards() {
    let (file, _) = made(&sample("jump.bvh"), &shown("glb"));
    let scene = scene(&file);
    let primitive = &scene.meshes[0].primitives[0];
    for (triangle, number) in primitive.indices.chunks_exact(3).zip(0usize..) {
        let corner = |index: u32| DVec3::from(primitive.positions[index as usize].map(f64::from));
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(corner);
        // Eight triangles each, of six corners.
        let own = &primitive.positions[number / 8 * 6..number / 8 * 6 + 6];
        let middle = own.iter().map(|p| DVec3::from(p.map(f64::from))).sum::<DVec3>() / 6.0;
        assert!((b - a).cross(c - a).dot(a - middle) > 0.0, "triangle {number}");
    }
}

#[test]
fn bones_are_no_part_of_a_figure_and_of_no_format_without_meshes() {
    let (file, _) = made(&sample("character.glb"), &shown("gltf"));
    assert_eq!(scene(&file).meshes.len(), 1);
    let refused = convert(&[sample("jump.bvh")], &shown("vmd")).unwrap_err();
    assert!(matches!(refused, Error::Usage(ref why) if why.contains("vmd holds no meshes")), "{refused}");
}
