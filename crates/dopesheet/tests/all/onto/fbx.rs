//! Figures of FBX, in layouts that people have, put onto others and under the motion of others.
#![cfg(all(feature = "fbx", feature = "mmd", feature = "gltf", feature = "bvh"))]

use crate::convert::fbx_layouts::{LAYOUTS, Layout, Skin, figure, jump};
use crate::onto::avatars::parts;
use dopesheet::core::diag::Report;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Scene, rebase};
use dopesheet::core::units::Seconds;
use dopesheet::human::{ContactLimits, contacts, propose};
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, open, registry};
use dopesheet_testkit::workspace;
use glam::{DAffine3, DMat4, DVec3};
use std::collections::BTreeSet;

/// Bones with the one at their end, and the largest angle in degrees by which their directions may differ.
const BONES: [([B; 2], f64); 12] = [
    ([B::LeftUpperLeg, B::LeftLowerLeg], 1.0),
    ([B::LeftLowerLeg, B::LeftFoot], 1.0),
    ([B::RightUpperLeg, B::RightLowerLeg], 1.0),
    ([B::RightLowerLeg, B::RightFoot], 1.0),
    ([B::LeftUpperArm, B::LeftLowerArm], 1.0),
    ([B::LeftLowerArm, B::LeftHand], 1.0),
    ([B::RightUpperArm, B::RightLowerArm], 1.0),
    ([B::RightLowerArm, B::RightHand], 1.0),
    ([B::Hips, B::Spine], 5.0),
    ([B::Spine, B::Neck], 5.0),
    ([B::LeftShoulder, B::LeftUpperArm], 5.0),
    ([B::RightShoulder, B::RightUpperArm], 5.0),
];
const FEET: [B; 4] = [B::LeftFoot, B::RightFoot, B::LeftToes, B::RightToes];
const FEET_OF_SIDES: [[B; 2]; 2] = [[B::LeftFoot, B::LeftToes], [B::RightFoot, B::RightToes]];

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn read(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

/// A motion on a figure, as GLB.
fn onto(input: Opened, target: &Opened) -> Scene {
    let options =
        ConvertOptions { onto: Some(target), ..ConvertOptions::to(registry::by_id("glb").unwrap()) };
    let converted = convert(&[input], &options).unwrap();
    scene(&read("x.glb", &converted.output.main))
}

fn scene(opened: &Opened) -> Scene {
    let scene = opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default());
    upright(scene.unwrap())
}

fn upright(mut scene: Scene) -> Scene {
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// Places of bones of a figure at a time of its first clip.
fn places(scene: &Scene, time: f64) -> impl Fn(B) -> Option<DVec3> {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    let pose = model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0;
    move |bone| Some(pose[humanoid.bones.get(&bone)?.0].translation)
}

/// Differences of two figures beyond their limits: directions of bones in degrees, beyond what each bone may, and places of feet in
/// metres beyond 2 cm where both are of one size.
fn differences(a: &Scene, b: &Scene, has_same_size: bool) -> Vec<String> {
    let end = a.clips[0].end().0;
    assert!((end - b.clips[0].end().0).abs() < 1e-3);
    let mut out = Vec::new();
    // On frames, at which turns about the three axes are the jump's whatever way they take in between.
    for n in 0..=25 {
        let time = end * f64::from(n) / 25.0;
        let (a, b) = (places(a, time), places(b, time));
        for ([from, to], limit) in BONES {
            let Some((own, other)) = a(to).zip(a(from)).zip(b(to).zip(b(from))) else { continue };
            let off = (own.0 - own.1).angle_between(other.0 - other.1).to_degrees();
            if off > limit {
                out.push(format!("{from:?} {off:.2}° at {time:.2} s"));
            }
        }
        for foot in FEET.into_iter().filter(|_| has_same_size) {
            let Some(off) = a(foot).zip(b(foot)).map(|(a, b)| a.distance(b)) else { continue };
            if off > 0.02 {
                out.push(format!("{foot:?} {off:.3} m at {time:.2} s"));
            }
        }
    }
    out
}

/// Largest distance in metres of a sole from the ground, above or below, while feet of the jump stand. The sole is as high as the lower of
/// the ankle and the ball, each above its height in the rest pose, in which all figures here stand on the ground.
fn farthest_from_ground(moved: &Scene) -> f64 {
    let jump = upright(jump());
    let stands = contacts(
        &jump,
        &propose(&jump, &NameMap::default()).humanoid,
        &jump.clips[0],
        &ContactLimits::default(),
    );
    let stands = stands.unwrap();
    let bones = propose(moved, &NameMap::default()).humanoid.bones;
    let rest = model_pose(moved, &rest_pose(moved)).0;
    let mut farthest = 0.0f64;
    for time in (0..=75).map(|frame| f64::from(frame) / 30.0) {
        let now = places(moved, time);
        for foot in FEET_OF_SIDES.into_iter().filter(|foot| stands.stands(foot[0], Seconds(time))) {
            let height = |bone: B| Some(now(bone)?.y - rest[bones.get(&bone)?.0].translation.y);
            let sole = foot.into_iter().filter_map(height).reduce(f64::min).unwrap();
            farthest = farthest.max(sole.abs());
        }
    }
    farthest
}

/// Every layout, without a skin and with one.
fn all() -> impl Iterator<Item = (&'static Layout, Skin)> {
    LAYOUTS.iter().flat_map(|layout| Skin::BOTH.map(|skin| (layout, skin)))
}

/// Largest distance in metres between a corner at a joint and that joint, while the first clip of a scene with one skin plays; 0 without.
fn farthest_corner(scene: &Scene) -> f64 {
    let Some((skin, mesh)) = scene.skins.first().zip(scene.meshes.first()) else { return 0.0 };
    let end = scene.clips[0].end().0;
    let mut farthest = 0.0f64;
    for n in 0..=5 {
        let time = Seconds(end * f64::from(n) / 5.0);
        let pose = model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0;
        let corners = mesh.primitives[0].positions.iter().zip(&mesh.primitives[0].joints);
        for (corner, joints) in corners.step_by(3) {
            let number = usize::from(joints.joints[0]);
            let joint = pose[skin.joints[number].0];
            let posed = joint * DAffine3::from_mat4(DMat4::from_cols_array(&skin.inverse_bind[number]));
            let corner = DVec3::from_array(corner.map(f64::from));
            farthest = farthest.max(posed.transform_point3(corner).distance(joint.translation));
        }
    }
    farthest
}

#[test]
fn layouts_of_fbx_are_the_figure_that_they_were_made_of() {
    for (layout, skin) in all() {
        let bytes = figure(layout, 0..76, skin);
        if let Ok(folder) = std::env::var("KEEP_FIGURES") {
            let name = layout.about.replace([' ', ','], "-");
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}-{skin:?}.fbx")), &bytes)
                .unwrap();
        }
        let built = scene(&read("figure.fbx", &bytes));
        let names: Vec<_> = built.clips.iter().map(|clip| clip.name.as_deref().unwrap_or_default()).collect();
        assert_eq!(names, layout.takes.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{}", layout.about);
        let bones = propose(&built, &NameMap::default()).humanoid.bones.len();
        assert_eq!(bones, 21, "{}", layout.about);
        assert_eq!(built.skins.len(), usize::from(skin == Skin::With), "{}", layout.about);
        assert!(farthest_corner(&built) < 1e-5, "{}: {} m", layout.about, farthest_corner(&built));
        assert_eq!(differences(&upright(jump()), &built, true), [""; 0], "{} {skin:?}", layout.about);
    }
}

#[test]
fn layouts_of_fbx_move_figures_as_the_capture_does() {
    let puppet = dopesheet::puppet::standard_model().unwrap();
    for target in [sample("character.glb"), sample("avatar.vrm"), puppet] {
        let expected = onto(sample("jump.bvh"), &target);
        for (layout, skin) in all() {
            let moved = onto(read("figure.fbx", &figure(layout, 0..76, skin)), &target);
            let off = differences(&expected, &moved, true);
            assert!(off.is_empty(), "{} {skin:?} onto {}: {off:?}", layout.about, target.name);
            let sole_m = farthest_from_ground(&moved);
            assert!(sole_m <= 0.02, "{} {skin:?} onto {}: {sole_m} m", layout.about, target.name);
        }
    }
}

#[test]
fn figures_of_fbx_take_the_motion_of_a_capture_with_their_skin() {
    for (layout, skin) in all() {
        let target = read("figure.fbx", &figure(layout, 0..2, skin));
        let mut moved = onto(sample("jump.bvh"), &target);
        // Clips of the figure itself stand before the new one.
        moved.clips.drain(..moved.clips.len() - 1);
        assert_eq!(moved.skins.len(), usize::from(skin == Skin::With), "{}", layout.about);
        assert!(farthest_corner(&moved) < 1e-5, "{}: {} m", layout.about, farthest_corner(&moved));
        assert_eq!(differences(&upright(jump()), &moved, true), [""; 0], "{} {skin:?}", layout.about);
        let sole_m = farthest_from_ground(&moved);
        assert!(sole_m <= 0.02, "{} {skin:?}: {sole_m} m", layout.about);
    }
}

/// A figure whose mesh has the name of the joint of its head and stands before all joints, as in files of Blender.
fn with_a_mesh_called_head(layout: &Layout) -> Opened {
    let text = String::from_utf8(figure(layout, 0..2, Skin::With)).unwrap();
    let hung = "\tC: \"OO\",901,0\n";
    let named = text.replace("Model::Body", &format!("Model::{}", (layout.name)("Head"))).replace(hung, "");
    let start = "Connections:  {\n";
    assert!(text.contains(hung) && named.contains(start));
    read("figure.fbx", named.replace(start, &format!("{start}{hung}")).as_bytes())
}

#[test]
fn a_mesh_with_the_name_of_the_head_does_not_become_the_head() {
    for layout in &LAYOUTS[..2] {
        let moved = onto(sample("jump.bvh"), &with_a_mesh_called_head(layout));
        let head = (layout.name)("Head");
        let tracks = moved.clips.last().unwrap().tracks.iter().filter(|track| track.target.name == head);
        let nodes: Vec<_> = tracks.map(|track| moved.node(track.target.node.unwrap()).unwrap()).collect();
        assert_eq!(nodes.len(), 1, "{}", layout.about);
        assert!(nodes[0].mesh.is_none() && nodes[0].parent.is_some(), "{}: the joint turns", layout.about);
    }
}

#[test]
fn motions_of_many_fbx_files_become_clips_of_one_figure_with_each_list_once() {
    let hero = sample("character.glb");
    let mixamo = |name: &str, frames| read(name, &figure(&LAYOUTS[0], frames, Skin::With));
    let inputs = [mixamo("walk.fbx", 0..76), mixamo("run.fbx", 0..40), mixamo("again.fbx", 0..76)];
    let options = ConvertOptions { onto: Some(&hero), ..ConvertOptions::to(registry::by_id("glb").unwrap()) };
    let converted = convert(&inputs, &options).unwrap();
    let (document, _) = parts(&converted.output.main);
    let clips = document["animations"].as_array().unwrap();
    // All takes of Mixamo have one name, so that the clips go by those of the files.
    let names: Vec<_> = clips.iter().map(|clip| clip["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk", "run", "again"]);
    assert_eq!(document["nodes"].as_array().unwrap().len(), 34);
    let lists = |clip: usize, which: &str| -> BTreeSet<u64> {
        let samplers = clips[clip]["samplers"].as_array().unwrap();
        samplers.iter().map(|sampler| sampler[which].as_u64().unwrap()).collect()
    };
    assert_eq!(lists(0, "output"), lists(2, "output"));
    assert_eq!(lists(0, "input"), lists(2, "input"));
    assert!(lists(0, "input").len() < lists(0, "output").len(), "{:?}", lists(0, "input"));
}
