//! Document to scene.

use crate::vmd::bytes::{
    BLINK, CAMERA, CENTER, ELBOW, File, LEG_IK, MIKU, NO_TURN, STRAIGHT, STRAIGHT_CAMERA, with,
};
use crate::vmd::fixtures;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{
    Blend, CameraIndex, Channel, Composition, Curve, Hierarchy, Law, Lens, NodeIndex, Outside, PoseRelation,
    Property, Scene, TargetKind, Timing, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_mmd::{BASIS, Vmd};
use dopesheet_testkit::{close, read};

pub(crate) fn scene_of(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Vmd::to_scene(&read::<Vmd>(bytes), &ToScene::default(), &mut report).unwrap();
    (scene, report)
}

fn track<'a>(scene: &'a Scene, name: &str) -> &'a Track {
    let found = scene.clips[0].tracks.iter().find(|track| track.target.name == name);
    found.unwrap_or_else(|| panic!("no track {name}"))
}

fn channel<'a>(scene: &'a Scene, name: &str, property: &Property) -> &'a Channel {
    track(scene, name).channels.iter().find(|channel| channel.property == *property).unwrap()
}

fn curve<'a>(scene: &'a Scene, name: &str, property: &Property) -> &'a Curve {
    match &channel(scene, name, property).composition {
        Composition::Whole(curve) => curve,
        other => panic!("{name}: expected one curve, found {other:?}"),
    }
}

fn frames(curve: &Curve) -> Vec<i64> {
    (0..curve.len()).map(|key| curve.times.frame(key).unwrap().0).collect()
}

pub(crate) fn bezier(curve: [u8; 4], blend: Blend) -> Law {
    let [x1, y1, x2, y2] = curve.map(|byte| f32::from(byte) / 127.0);
    Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend }
}

fn one_bone(keys: &[(u32, [f32; 3], [f32; 4])]) -> Vec<u8> {
    let mut file = File::new(MIKU);
    file.count(keys.len() as u32);
    for (frame, place, turn) in keys {
        file.bone(CENTER, *frame, *place, *turn, &STRAIGHT);
    }
    file.empty(5).done()
}

#[test]
fn a_motion_is_a_clip_on_top_of_rest_on_a_grid_of_thirty() {
    let (scene, report) = scene_of(&fixtures::motion());
    assert_eq!((scene.basis, scene.hierarchy), (BASIS, Hierarchy::Unknown));
    let clip = &scene.clips[0];
    assert_eq!((clip.relation, clip.grid), (PoseRelation::OnTopOfRest, Some(FrameRate::FPS_30)));
    assert_eq!(clip.duration, Seconds(1.0));
    let targets: Vec<_> =
        clip.tracks.iter().map(|t| (t.target.kind, t.target.name.as_str(), t.target.index)).collect();
    assert_eq!(
        targets,
        [
            (TargetKind::Joint, "センター", 0),
            (TargetKind::Joint, "左ひじ", 1),
            (TargetKind::Morph, "まばたき", 0),
            (TargetKind::Custom, "model", 0),
            (TargetKind::Custom, "左足ＩＫ", 0),
        ]
    );
    let nodes: Vec<_> = scene.nodes.iter().map(|n| (n.name.as_str(), n.parent, n.rest)).collect();
    assert_eq!(nodes, [("センター", None, Transform::IDENTITY), ("左ひじ", None, Transform::IDENTITY)]);
    assert_eq!(clip.tracks[1].target.node, Some(NodeIndex(1)));
    assert_eq!(scene.morph_sets[0].morphs, ["まばたき"]);
    assert_eq!(report, Report::default());
}

#[test]
fn the_clip_is_named_after_the_file() {
    let options = ToScene { fallback_name: Some("dance".into()), ..ToScene::default() };
    let scene = Vmd::to_scene(&read::<Vmd>(&fixtures::motion()), &options, &mut Report::default()).unwrap();
    assert_eq!(scene.clips[0].name.as_deref(), Some("dance"));
}

#[test]
fn a_segment_has_the_curve_of_the_key_it_arrives_at() {
    let (scene, _) = scene_of(&fixtures::motion());
    let rotation = curve(&scene, "センター", &Property::Rotation);
    assert_eq!((frames(rotation), rotation.values[4..].to_vec()), (vec![0, 30], vec![0.0, 0.6, 0.0, 0.8]));
    assert_eq!(rotation.laws.get(0), bezier([20, 0, 30, 127], Blend::Slerp));
    let Composition::Components(axes) = &channel(&scene, "センター", &Property::Translation).composition
    else {
        panic!("the axes have different curves")
    };
    let laws: Vec<_> = axes.iter().map(|axis| axis.laws.get(0)).collect();
    assert_eq!(laws, [Law::LINEAR, Law::LINEAR, bezier([64, 0, 64, 127], Blend::Lerp)]);
    assert_eq!(axes[2].values, [0.0, -3.0]);
    assert!(axes.iter().all(|axis| axis.times.is_same_list(&rotation.times)), "the key times are shared");
}

#[test]
fn a_track_that_starts_late_moves_there_from_rest_along_its_own_curve() {
    let (scene, _) = scene_of(&fixtures::motion());
    let start = Seconds(0.0);
    let rotation = curve(&scene, "左ひじ", &Property::Rotation);
    let from = Box::from(NO_TURN);
    assert_eq!(rotation.before, Outside::Ramp { start, from, law: Law::SLERP });
    let translation = curve(&scene, "左ひじ", &Property::Translation);
    assert_eq!(translation.before, Outside::Ramp { start, from: [0.0; 3].into(), law: Law::LINEAR });
    assert_eq!(curve(&scene, "まばたき", &Property::Weight).before, Outside::Hold, "has a key at frame 0");

    let mut file = File::new(MIKU);
    let (scene, _) = scene_of(&file.empty(1).count(1).morph(BLINK, 8, 1.0).empty(4).done());
    let weight = curve(&scene, "まばたき", &Property::Weight);
    assert_eq!(weight.before, Outside::Ramp { start, from: [0.0].into(), law: Law::LINEAR });
}

#[test]
fn a_ramp_with_different_curves_per_axis_keeps_the_axes_apart() {
    // Only the curve of Y bends: bytes 16, 20, 24, 28 and their copies.
    let mut file = File::new(MIKU);
    let bent = with(with(STRAIGHT, 16, 64), 1, 64);
    let (scene, _) = scene_of(&file.count(1).bone(CENTER, 10, [1.0; 3], NO_TURN, &bent).empty(5).done());
    let Composition::Components(axes) = &channel(&scene, "センター", &Property::Translation).composition
    else {
        panic!("the axes have different curves")
    };
    let law = bezier([64, 20, 107, 107], Blend::Lerp);
    assert_eq!(axes[1].before, Outside::Ramp { start: Seconds(0.0), from: [0.0].into(), law });
}

#[test]
fn keys_are_sorted_and_of_one_frame_the_first_and_the_last_remain() {
    let at = |frame, x| (frame, [x, 0.0, 0.0], NO_TURN);
    let keys = [at(20, 9.0), at(0, 0.0), at(10, 1.0), at(10, 2.0), at(10, 3.0)];
    let (scene, _) = scene_of(&one_bone(&keys));
    let translation = curve(&scene, "センター", &Property::Translation);
    assert_eq!(frames(translation), [0, 10, 10, 20]);
    let x: Vec<_> = translation.values.chunks(3).map(|v| v[0]).collect();
    assert_eq!(x, [0.0, 1.0, 3.0, 9.0]);
    assert_eq!(translation.validate(), Ok(()));
}

#[test]
fn repeated_keys_that_look_the_same_become_one() {
    let mut file = File::new(MIKU);
    file.empty(1).count(112);
    for _ in 0..111 {
        file.morph(b"base", 0, 0.0);
    }
    let (scene, _) = scene_of(&file.morph(b"base", 3, 0.0).empty(4).done());
    assert_eq!(frames(curve(&scene, "base", &Property::Weight)), [0, 3]);
    // A B A at one frame is A.
    let at = |frame, x| (frame, [x, 0.0, 0.0], NO_TURN);
    let (scene, _) = scene_of(&one_bone(&[at(0, 1.0), at(0, 2.0), at(0, 1.0)]));
    assert_eq!(frames(curve(&scene, "センター", &Property::Translation)), [0]);
}

#[test]
fn rotations_are_normalised_and_zero_is_no_rotation() {
    let keys =
        [(0, [0.0; 3], [0.0, 3.0, 0.0, 4.0]), (5, [0.0; 3], [0.0; 4]), (6, [0.0; 3], [0.0, 0.0, 0.0, -1.0])];
    let (scene, report) = scene_of(&one_bone(&keys));
    let rotation = curve(&scene, "センター", &Property::Rotation);
    assert_eq!(rotation.values, [0.0, 0.6, 0.0, 0.8, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]);
    let findings: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(findings.join("\n"), @r"
    warning mmd-zero-quaternion: file: expected rotations of any length but 0, found 1 zero; read as no rotation
    info mmd-quaternion-norm: file: expected rotations of length 1, found 1 of another length; normalised
    ");
}

#[test]
fn values_can_be_had_as_they_are_stored() {
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let keys = [(0, [0.0; 3], [0.0, 3.0, 0.0, 4.0]), (5, [0.0; 3], [0.0; 4])];
    let scene = Vmd::to_scene(&read::<Vmd>(&one_bone(&keys)), &options, &mut Report::default()).unwrap();
    let rotation = curve(&scene, "センター", &Property::Rotation);
    assert_eq!(rotation.values, [0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn keys_that_cannot_be_played_are_left_out_and_counted() {
    let at = |frame, x| (frame, [x, 0.0, 0.0], NO_TURN);
    let keys = [at(0, 1.0), at(5, f32::NAN), at(9, 2.0), at(u32::MAX, 3.0), at(2_592_001, 4.0)];
    let (scene, report) = scene_of(&one_bone(&keys));
    let translation = curve(&scene, "センター", &Property::Translation);
    assert_eq!(frames(translation), [0, 9]);
    assert_eq!(translation.after, Outside::Hold, "as if the far key were infinitely far");
    assert_eq!(scene.clips[0].duration, Seconds(0.3));
    insta::assert_debug_snapshot!(report.losses);

    let (scene, _) = scene_of(&one_bone(&[at(u32::MAX, 3.0)]));
    assert_eq!((scene.nodes.len(), scene.clips[0].tracks.len()), (1, 0));
}

#[test]
fn control_points_above_127_count_as_127() {
    let mut file = File::new(MIKU);
    let odd = with(with(STRAIGHT, 48, 200), 60, 255);
    let (scene, _) =
        scene_of(&file.count(2).rest(CENTER, 0).bone(CENTER, 9, [0.0; 3], NO_TURN, &odd).empty(5).done());
    assert_eq!(
        curve(&scene, "センター", &Property::Rotation).laws.get(0),
        bezier([127, 20, 107, 127], Blend::Slerp)
    );
}

#[test]
fn names_that_look_alike_stay_apart() {
    let (_, _, bytes) = fixtures::all().into_iter().find(|(_, name, _)| *name == "name-alike").unwrap();
    let (scene, _) = scene_of(&bytes);
    let targets: Vec<_> =
        scene.clips[0].tracks.iter().map(|t| (t.target.name.as_str(), t.target.index)).collect();
    assert_eq!(targets, [("￢", 0), ("￢", 1)]);
    assert_eq!(scene.nodes.len(), 2);
}

#[test]
fn the_camera_circles_and_cuts_where_keys_are_one_frame_apart() {
    let (scene, _) = scene_of(&fixtures::camera());
    let Composition::Orbit(orbit) = &channel(&scene, "camera", &Property::Placement).composition else {
        panic!("an orbit")
    };
    assert_eq!((orbit.angle_signs, orbit.axis), ([-1.0; 3], [0.0, 0.0, 1.0]));
    assert_eq!(orbit.distance.values, [-45.0, -20.0, 5.0]);
    assert_eq!(orbit.distance.laws.get(0), bezier([64, 0, 107, 107], Blend::Lerp));
    assert!(orbit.target.iter().chain([&orbit.angles]).all(|c| c.laws.get(0) == Law::LINEAR));
    let all = orbit.target.iter().chain([&orbit.angles, &orbit.distance]);
    assert!(all.into_iter().all(|c| c.laws.get(1) == Law::STEP), "frames 30 and 31");
    let fov = channel(&scene, "camera", &Property::YFov);
    let native = fov.native.as_ref().unwrap();
    assert_eq!((native.name.as_ref(), native.scale), ("yfov_deg", std::f64::consts::PI / 180.0));
    assert_eq!(curve(&scene, "camera", &Property::YFov).values, [30.0, 50.0, 45.0]);
    assert_eq!(curve(&scene, "camera", &Property::Orthographic).values, [0.0, 0.0, 1.0]);
    let node = &scene.nodes[0];
    assert_eq!((node.name.as_str(), node.camera), ("camera", Some(CameraIndex(0))));
    let Lens::Perspective { yfov_rad, aspect: None } = scene.cameras[0].lens else { panic!("a perspective") };
    assert!(close(yfov_rad, 30f64.to_radians(), 1e-12));
}

#[test]
fn camera_and_light_start_from_their_defaults() {
    let mut file = File::new(CAMERA);
    file.empty(2).count(1).camera(10, -20.0, 50, 1, &STRAIGHT_CAMERA).count(1).light(1, [1.0, 0.0, 0.0]);
    file.count(1).shadow(4, 2, 0.05).count(1).model(6, 0, &[(LEG_IK, 0)]);
    let (scene, _) = scene_of(&file.done());
    let start = Seconds(0.0);
    let ramp = |from: &[f32], law| Outside::Ramp { start, from: from.into(), law };
    let Composition::Orbit(orbit) = &channel(&scene, "camera", &Property::Placement).composition else {
        panic!("an orbit")
    };
    assert_eq!(orbit.target[1].before, ramp(&[10.0], Law::LINEAR));
    assert_eq!(orbit.distance.before, ramp(&[-45.0], Law::LINEAR));
    assert_eq!(orbit.angles.before, ramp(&[0.0; 3], Law::LINEAR));
    assert_eq!(curve(&scene, "camera", &Property::YFov).before, ramp(&[30.0], Law::LINEAR));
    assert_eq!(curve(&scene, "camera", &Property::Orthographic).before, ramp(&[0.0], Law::STEP));
    // One frame from the default: a cut.
    assert_eq!(curve(&scene, "light", &Property::Color).before, ramp(&[0.602; 3], Law::STEP));
    assert_eq!(curve(&scene, "light", &Property::Direction).before, ramp(&[-0.5, -1.0, 0.5], Law::STEP));
    let named = |name: &'static str| Property::Named(name.into());
    assert_eq!(curve(&scene, "self-shadow", &named("mode")).before, ramp(&[1.0], Law::STEP));
    assert_eq!(curve(&scene, "self-shadow", &named("distance")).before, ramp(&[0.01125], Law::STEP));
    assert_eq!(curve(&scene, "model", &Property::Visible).before, ramp(&[1.0], Law::STEP));
    assert_eq!(curve(&scene, "左足ＩＫ", &Property::Enabled).before, ramp(&[1.0], Law::STEP));
}

#[test]
fn an_ik_bone_that_a_key_does_not_list_is_on_there() {
    let mut file = File::new(MIKU);
    file.empty(5).count(3).model(0, 1, &[(LEG_IK, 0)]).model(5, 1, &[]).model(
        9,
        1,
        &[(LEG_IK, 0), (ELBOW, 0)],
    );
    let (scene, _) = scene_of(&file.done());
    assert_eq!(curve(&scene, "左足ＩＫ", &Property::Enabled).values, [0.0, 1.0, 0.0]);
    assert_eq!(curve(&scene, "左ひじ", &Property::Enabled).values, [1.0, 1.0, 0.0]);
}

#[test]
fn odd_values_of_camera_light_and_shadow_are_mended() {
    let mut file = File::new(CAMERA);
    file.empty(2).count(2).camera(0, -45.0, 0, 0, &STRAIGHT_CAMERA).camera(
        5,
        -45.0,
        500,
        7,
        &STRAIGHT_CAMERA,
    );
    file.count(1).light(0, [0.0; 3]).count(1).shadow(0, 9, 0.05);
    let (scene, report) = scene_of(&file.done());
    assert_eq!(curve(&scene, "camera", &Property::YFov).values, [1.0, 179.0]);
    assert_eq!(curve(&scene, "camera", &Property::Orthographic).values, [0.0, 1.0]);
    assert_eq!(curve(&scene, "light", &Property::Direction).values, [-0.5, -1.0, 0.5]);
    assert_eq!(curve(&scene, "self-shadow", &Property::Named("mode".into())).values, [1.0]);
    let codes: Vec<_> = report.findings.iter().map(|finding| finding.fault.code).collect();
    assert_eq!(codes, ["mmd-fov", "mmd-light-direction", "mmd-shadow-mode"]);
}

#[test]
fn what_only_vmd_knows_travels_as_notes() {
    let (scene, _) = scene_of(&fixtures::motion());
    insta::assert_json_snapshot!(scene.clips[0].source);
    let (scene, _) = scene_of(&fixtures::camera());
    insta::assert_json_snapshot!(scene.clips[0].source);
}
