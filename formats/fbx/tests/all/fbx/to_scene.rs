//! Scenes of files made by hand, at times where formulas say what is to come out.

use crate::fbx::chain::{self, Chain};
use crate::fbx::fixtures::{edited, named, with, without_lift};
use crate::fbx::records;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{Basis, Clip, Lens, Property, Scene, TargetKind, rebase};
use dopesheet_core::units::Seconds;
use dopesheet_fbx::{Fbx, fbx};
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit::rotation_angle;
use glam::{DQuat, DVec3};

pub(crate) fn scene(bytes: &[u8]) -> (Scene, Report) {
    scene_with(bytes, &ToScene::default())
}

/// As [`scene`], with stored curves between the frames of recordings.
pub(crate) fn stored_scene(bytes: &[u8]) -> Scene {
    scene_with(bytes, &ToScene { literal_angles: true, ..ToScene::default() }).0
}

fn scene_with(bytes: &[u8], options: &ToScene) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Fbx::to_scene(&dopesheet_testkit::read::<Fbx>(bytes), options, &mut report).unwrap();
    (scene, report)
}

/// A value of a track at a time.
pub(crate) fn at(clip: &Clip, target: &str, property: &Property, time_s: f64, side: Side) -> Vec<f64> {
    let channels =
        clip.tracks.iter().filter(|track| track.target.name == target).flat_map(|track| &track.channels);
    let channel = channels.into_iter().find(|channel| channel.property == *property).unwrap();
    let mut out = Vec::new();
    assert!(channel_at(channel, Seconds(time_s), side, &mut out));
    out
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && off <= tolerance, "{what}: {found:?}, expected {expected:?}");
}

const TIMES: [f64; 7] = [0.0, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.777, 1.0];

/// A turn without speed at its ends: 90°·(3t² − 2t³) about Z, behind a quarter turn about X.
fn chest(t: f64) -> [f64; 4] {
    let angle = 90f64.to_radians() * (3.0 * t * t - 2.0 * t * t * t);
    (DQuat::from_rotation_x(90f64.to_radians()) * DQuat::from_rotation_z(angle)).to_array()
}

#[test]
fn layers_slopes_and_turns_before_are_as_the_formulas_have_them() {
    for name in ["chain", "chain-text"] {
        let (scene, _) = scene(&named(name));
        let walk = &scene.clips[0];
        assert_eq!((walk.name.as_deref(), walk.duration), (Some("Walk"), Seconds(1.0)));
        for t in TIMES {
            let hips = at(walk, "Hips", &Property::Translation, t, Side::After);
            assert_near(&hips, &[100.0 * t, 0.0, 100.0 + 20.0 * t], 1e-4, &format!("{name} hips at {t}"));
            let turn = at(walk, "Chest", &Property::Rotation, t, Side::After);
            let off = rotation_angle(turn.try_into().unwrap(), chest(t));
            assert!(off <= fbx::TOLERANCE_RAD * 1.01, "{name} chest at {t}: {off} rad");
        }
        // Straight ways need no keys in between.
        let keys = walk.tracks[0].channels[0].composition.curves().next().unwrap().len();
        assert_eq!(keys, 2);
    }
}

#[test]
fn steps_stay_steps() {
    let (scene, _) = scene(&named("chain"));
    let jump = &scene.clips[1];
    let x = |t, side| at(jump, "Hips", &Property::Translation, t, side)[0];
    for (t, side, expected) in [
        (0.0, Side::After, 0.0),
        (0.499, Side::After, 0.0),
        (0.5, Side::Before, 0.0),
        (0.5, Side::After, 30.0),
        (0.75, Side::After, 30.0),
        (1.0, Side::After, 30.0),
    ] {
        assert_eq!(x(t, side), expected, "{t} {side:?}");
    }
}

/// The way of the hips along X in the take `Jump` with another curve, whose take begins at a frame on the clock of the file.
fn jump_along(keys: &[(f64, f64)], how: &[(i32, i32)]) -> impl Fn(f64, Side) -> f64 {
    let chain = Chain { begin: 7 * chain::SECOND / 30, ..Chain::default() };
    let keys: Vec<(f64, f64)> = keys.iter().map(|(t, v)| (t + 7.0 / 30.0, *v)).collect();
    let records = edited(chain::records(&chain), "Objects", |all| {
        let own = all.iter_mut().find(|own| matches!(own.values.first(), Some(records::Value::Long(60))));
        *own.unwrap() = chain::curve_of(60, &keys, how);
    });
    let jump = scene(&records::binary(&records)).0.clips.remove(1);
    move |t, side| at(&jump, "Hips", &Property::Translation, t, side)[0]
}

#[test]
fn a_key_before_a_step_to_the_next_value_counts_at_its_own_time() {
    let x = jump_along(&[(0.0, -30.0), (0.5, -20.0), (1.0, -10.0)], &[(chain::STEP, 1), (chain::NEXT, 2)]);
    for (t, side, expected) in [
        (0.0, Side::At, -30.0),
        (0.499, Side::At, -30.0),
        (0.5, Side::Before, -30.0),
        (0.5, Side::At, -20.0),
        // A tick of the format's clock later.
        (0.5 + 2.5e-11, Side::At, -10.0),
        (0.75, Side::At, -10.0),
        (1.0, Side::At, -10.0),
    ] {
        assert_eq!(x(t, side), expected, "{t} {side:?}");
    }
}

#[test]
fn a_straight_way_ends_at_a_key_before_a_step_to_the_next_value() {
    let x = jump_along(&[(0.0, 0.0), (0.5, 20.0), (1.0, 50.0)], &[(chain::LINEAR, 1), (chain::NEXT, 2)]);
    for (t, expected) in [(0.0, 0.0), (0.25, 10.0), (0.5, 20.0), (0.501, 50.0), (1.0, 50.0)] {
        assert!((x(t, Side::At) - expected).abs() < 1e-6, "{t}: {}, expected {expected}", x(t, Side::At));
    }
}

#[test]
fn rest_poses_axes_and_units_become_those_of_gltf() {
    let (mut scene, _) = scene(&named("chain"));
    assert_near(&scene.nodes[0].rest.translation, &[0.0, 0.0, 100.0], 1e-9, "hips in the file");
    rebase(&mut scene, &Basis::GLTF, None);
    assert_near(&scene.nodes[0].rest.translation, &[0.0, 1.0, 0.0], 1e-9, "hips in metres, Y up");
    assert_near(&scene.nodes[1].rest.translation, &[0.0, 0.5, 0.0], 1e-9, "chest");
    // A quarter turn about X is one about X also where Y is up.
    let quarter = DQuat::from_rotation_x(90f64.to_radians()).to_array();
    assert!(rotation_angle(scene.nodes[1].rest.rotation, quarter) < 1e-6);
    let hips = at(&scene.clips[0], "Hips", &Property::Translation, 0.5, Side::After);
    assert_near(&hips, &[0.5, 1.1, 0.0], 1e-6, "half way");
}

#[test]
fn takes_start_at_0_whatever_their_clock_says() {
    let late = Chain { begin: 3 * chain::SECOND, ..Chain::default() };
    let (late, _) = scene(&records::binary(&chain::records(&late)));
    let (usual, _) = scene(&named("chain"));
    assert_eq!(late.clips[0].duration, Seconds(1.0));
    for t in TIMES {
        let of = |scene: &Scene| at(&scene.clips[0], "Hips", &Property::Translation, t, Side::After);
        assert_near(&of(&late), &of(&usual), 1e-4, &format!("at {t}"));
    }
}

#[test]
fn what_is_between_keys_is_reported_with_its_largest_error() {
    let (_, report) = scene(&named("chain"));
    let rotations = report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("rotations of take \"Walk\"") => {
            Some(max_error)
        }
        _ => None,
    });
    let worst = rotations.unwrap();
    assert!(worst.value > 0.0 && worst.value <= fbx::TOLERANCE_RAD, "{worst:?}");
    assert_eq!(worst.target, "Chest");
    assert!(
        !report.losses.iter().any(|loss| loss.to_string().contains("Jump")),
        "its steps stay as they are"
    );
}

#[test]
fn a_single_layer_plays_alone() {
    let records = without_lift(chain::records(&Chain::default()));
    let (scene, _) = scene(&records::binary(&records));
    let hips = at(&scene.clips[0], "Hips", &Property::Translation, 0.5, Side::After);
    assert_near(&hips, &[50.0, 0.0, 100.0], 1e-4, "without the layer that lifts");
}

#[test]
fn a_take_without_keys_stays_in_the_order_of_the_file() {
    let (scene, _) = scene(&named("empty-take"));
    let takes: Vec<_> =
        scene.clips.iter().map(|clip| (clip.name.as_deref().unwrap(), clip.key_count() > 0)).collect();
    assert_eq!(takes, [("Take 001", false), ("Walk", true), ("Jump", true)]);
}

#[test]
fn the_only_take_with_a_usual_name_and_keys_is_marked_to_be_named_as_its_file() {
    let file = |names: [&str; 2]| {
        let text =
            with(&named("empty-take"), b"AnimStack::Walk", format!("AnimStack::{}", names[0]).as_bytes());
        with(&text, b"AnimStack::Jump", format!("AnimStack::{}", names[1]).as_bytes())
    };
    for (names, marked) in [
        (["Walk", "Jump"], None),
        (["mixamo.com", "Jump"], Some("mixamo.com")),
        (["Walk", "Unreal Take"], Some("Unreal Take")),
        (["mixamo.com", "Take 001"], None),
    ] {
        let (scene, report) = scene(&file(names));
        let stored: Vec<&str> = scene.clips.iter().filter_map(|clip| clip.stored_name.as_deref()).collect();
        assert_eq!(stored, marked.into_iter().collect::<Vec<_>>());
        let told =
            report.losses.iter().map(ToString::to_string).filter(|loss| loss.contains("named as its file"));
        assert_eq!(told.count(), stored.len(), "{:?}", report.losses);
    }
}

#[test]
fn meshes_skins_morphs_and_cameras_come_along() {
    for name in ["face", "face-text"] {
        let (scene, _) = scene(&named(name));
        let face = scene.nodes.iter().find(|node| node.name == "Face").unwrap();
        let mesh = &scene.meshes[face.mesh.unwrap().0];
        let square = &mesh.primitives[0];
        assert_eq!((square.positions.len(), square.indices.len()), (4, 6), "{name}");
        let corner = square.positions.iter().position(|p| *p == [-1.0, 0.0, 0.0]).unwrap() as u32;
        assert_eq!(square.morphs[0].positions, [(corner, [0.0, 1.0, 0.0])]);
        let skin = &scene.skins[face.skin.unwrap().0];
        let names: Vec<_> = skin.joints.iter().map(|joint| scene.nodes[joint.0].name.as_str()).collect();
        assert_eq!(names, ["Tip", "Root"]);
        assert_near(&skin.inverse_bind[0][12..15], &[0.0, -1.0, 0.0], 1e-9, "the tip is 1 up");
        for (place, joints) in square.positions.iter().zip(&square.joints) {
            let tip = f32::from(place[1] > 1.0);
            let weight = |joint| {
                (0..4).filter(|at| joints.joints[*at] == joint).map(|at| joints.weights[at]).sum::<f32>()
            };
            assert_eq!((weight(0), weight(1)), (tip, 1.0 - tip), "{place:?}");
        }
        assert_eq!(scene.morph_sets[face.morphs.unwrap().0].morphs, ["Smile"]);
        let grin = &scene.clips[0];
        assert_eq!(grin.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph).count(), 1);
        for t in TIMES {
            assert_near(&at(grin, "Face", &Property::Weights, t, Side::After), &[t], 1e-6, "smile");
        }
        let Lens::Perspective { yfov_rad, .. } = scene.cameras[0].lens else { panic!("{:?}", scene.cameras) };
        assert_near(&[yfov_rad], &[40f64.to_radians()], 1e-9, "field of view");
        looks_along_x(scene);
    }
}

/// A camera of FBX looks along its X, whatever else is up.
fn looks_along_x(mut scene: Scene) {
    rebase(&mut scene, &Basis::GLTF, None);
    let eye = scene.nodes.iter().find(|node| node.camera.is_some()).unwrap();
    let turn = DQuat::from_array(eye.rest.rotation);
    assert!((turn * DVec3::NEG_Z - DVec3::X).length() < 1e-6, "{turn:?}");
    assert!((turn * DVec3::Y - DVec3::Y).length() < 1e-6, "{turn:?}");
}
