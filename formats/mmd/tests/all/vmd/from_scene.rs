//! Scene to document.

use crate::vmd::fixtures;
use crate::vmd::to_scene::{bezier, scene_of};
use dopesheet_core::diag::{ConvertErrorKind, Loss, Report};
use dopesheet_core::format::{Format, FromScene};
use dopesheet_core::model::{
    Blend, Camera, CameraIndex, Channel, Clip, Composition, Curve, EulerOrder, Law, Laws, Lens, Light,
    LightIndex, LightKind, Marker, Node, NodeIndex, PoseRelation, Property, Scene, Target, TargetKind, Times,
    Timing, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_mmd::vmd::{
    BoneChannel, BoneKeyframe, CameraChannel, Document, LINEAR, ModelName, Physics, Section, Version,
};
use dopesheet_mmd::{BASIS, Vmd};
use dopesheet_testkit::read;

fn document_of(scene: &Scene, options: &FromScene) -> (Document, Report) {
    let mut report = Report::default();
    let document = Vmd::from_scene(scene, options, &mut report).unwrap_or_else(|e| panic!("{e}"));
    (document, report)
}

fn times(frames: &[i64]) -> Times {
    Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() }
}

fn lines(frames: &[i64], width: usize, values: &[f32]) -> Curve {
    Curve::new(times(frames), width, values.to_vec(), Laws::uniform(Law::LINEAR))
}

fn moving(kind: TargetKind, name: &str, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(kind, name, 0, None), channels }
}

fn scene_with(tracks: Vec<Track>) -> Scene {
    let mut scene = Scene::new(BASIS);
    scene.clips.push(Clip { tracks, relation: PoseRelation::OnTopOfRest, ..Clip::default() });
    scene
}

fn dropped(report: &Report) -> Vec<String> {
    let line = |loss: &Loss| match loss {
        Loss::Dropped { what, why } => Some(format!("{what}: {why}")),
        _ => None,
    };
    report.losses.iter().filter_map(line).collect()
}

#[test]
fn a_motion_comes_back_with_its_curves_its_physics_and_its_model() {
    let (scene, _) = scene_of(&fixtures::motion());
    let (document, report) = document_of(&scene, &FromScene::default());
    let mut expected = read::<Vmd>(&fixtures::motion());
    // One straight line is written as another: 0 0 127 127 as 20 20 107 107.
    let curves = [LINEAR, LINEAR, [64, 0, 64, 127], [20, 0, 30, 127]];
    expected.bones[1].interpolation = BoneKeyframe::interpolation_bytes(curves, Physics::Off);
    assert_eq!(document, expected);
    assert_eq!(dropped(&report), [] as [&str; 0]);
    assert_eq!(report.losses.len(), 3, "{report:?}");
}

#[test]
fn a_camera_motion_comes_back_but_for_old_memory() {
    let original = read::<Vmd>(&fixtures::camera());
    let (scene, _) = scene_of(&fixtures::camera());
    let (document, _) = document_of(&scene, &FromScene::default());
    assert_eq!(document.signature, Version::V0002.field());
    let ModelName::Long(name) = original.model else { panic!("a field of 20 bytes") };
    let expected =
        Document { signature: Version::V0002.field(), model: ModelName::Long(name.cleared()), ..original };
    // The curves of a first key at frame 0 are never used.
    assert_eq!(document, expected);
}

#[test]
fn the_old_variant_is_written_on_demand() {
    let (scene, _) = scene_of(&fixtures::motion());
    let options = FromScene { variant: Some("old".into()), ..FromScene::default() };
    let (document, _) = document_of(&scene, &options);
    assert_eq!((document.version(), document.model.text().as_str()), (Some(Version::Old), "初音ミク"));
    let options = FromScene { variant: Some("new".into()), ..FromScene::default() };
    assert!(Vmd::from_scene(&scene, &options, &mut Report::default()).is_err());
}

#[test]
fn control_points_are_rounded_to_127ths() {
    let law = Law { timing: Timing::Bezier { x1: 0.25, y1: 0.1, x2: 0.25, y2: 1.0 }, blend: Blend::Slerp };
    let mut curve = lines(&[0, 10], 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    curve.laws = Laws::uniform(law);
    let track = moving(TargetKind::Joint, "a", vec![Channel::whole(Property::Rotation, curve)]);
    let (document, _) = document_of(&scene_with(vec![track]), &FromScene::default());
    let [first, last] = document.bones.as_slice() else { panic!("two keys") };
    assert_eq!(first.interpolation, BoneKeyframe::interpolation_bytes([LINEAR; 4], Physics::On));
    assert_eq!(BoneChannel::ALL.map(|c| last.curve(c)), [LINEAR, LINEAR, LINEAR, [32, 13, 32, 127]]);
    assert_eq!((last.translation, last.rotation), ([0.0; 3], [0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn a_track_that_holds_before_its_first_key_gets_a_key_at_frame_0() {
    let curve = lines(&[10, 20], 1, &[0.5, 1.0]);
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, curve)]);
    let (document, _) = document_of(&scene_with(vec![track]), &FromScene::default());
    let keys: Vec<_> = document.morphs.iter().map(|key| (key.frame, key.weight)).collect();
    assert_eq!(keys, [(0, 0.5), (10, 0.5), (20, 1.0)]);
}

#[test]
fn a_jump_becomes_a_change_within_one_frame() {
    let curve = lines(&[0, 10, 10, 11, 11, 20], 1, &[0.0, 0.5, 1.0, 1.0, 0.0, 0.0]);
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, curve)]);
    let (document, report) = document_of(&scene_with(vec![track]), &FromScene::default());
    let keys: Vec<_> = document.morphs.iter().map(|key| (key.frame, key.weight)).collect();
    assert_eq!(keys, [(0, 0.0), (9, 0.5), (10, 1.0), (11, 0.0), (20, 0.0)]);
    assert_eq!(dropped(&report), [] as [&str; 0], "frame 10 already has the old value of the second jump");

    let curve = lines(&[0, 9, 10, 10], 1, &[0.0, 0.3, 0.5, 1.0]);
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, curve)]);
    let (_, report) = document_of(&scene_with(vec![track]), &FromScene::default());
    assert_eq!(dropped(&report), ["the old side of 1 jump: there is a key one frame earlier already"]);
}

#[test]
fn a_step_keeps_its_value_until_one_frame_before() {
    let mut curve = lines(&[0, 10], 1, &[0.0, 1.0]);
    curve.laws = Laws::uniform(Law::STEP);
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, curve)]);
    let (document, _) = document_of(&scene_with(vec![track]), &FromScene::default());
    let keys: Vec<_> = document.morphs.iter().map(|key| (key.frame, key.weight)).collect();
    assert_eq!(keys, [(0, 0.0), (9, 0.0), (10, 1.0)]);
}

#[test]
fn names_are_encoded_cut_and_kept_apart() {
    let weight = || vec![Channel::whole(Property::Weight, lines(&[0], 1, &[1.0]))];
    let names = ["左足左足左足左足左", "左足左足左足左足右", "〜"];
    let tracks = names.iter().map(|name| moving(TargetKind::Morph, name, weight())).collect();
    let (document, report) = document_of(&scene_with(tracks), &FromScene::default());
    let written: Vec<_> = document.morphs.iter().map(|key| key.name.text()).collect();
    assert_eq!(written, ["左足左足左足左", "～"]);
    insta::assert_debug_snapshot!(dropped(&report));
}

#[test]
fn the_names_that_nodes_will_have_are_told_beforehand() {
    let mut scene = Scene::new(BASIS);
    for name in ["左足左足左足左足左", "웃음", "view"] {
        scene.push_node(Node::new(name, None, Transform::IDENTITY));
    }
    scene.nodes[2].camera = Some(CameraIndex(0));
    assert_eq!(Vmd::node_names(&scene), ["左足左足左足左", "??", "camera"]);
}

#[test]
fn characters_that_the_encoding_lacks_are_refused_or_replaced() {
    let channel = Channel::whole(Property::Weight, lines(&[0], 1, &[1.0]));
    let scene = scene_with(vec![moving(TargetKind::Morph, "웃음", vec![channel])]);
    let error = Vmd::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert_eq!(error.kind, ConvertErrorKind::Unencodable { name: "웃음".into(), encoding: "CP932" });
    let options = FromScene { replace_unencodable: true, ..FromScene::default() };
    let (document, report) = document_of(&scene, &options);
    assert_eq!(document.morphs[0].name.text(), "??");
    assert_eq!(
        dropped(&report),
        ["2 characters of the morph name \"웃음\": CP932 lacks them; ? stands in their place"]
    );
}

#[test]
fn what_has_no_place_is_dropped_with_a_count() {
    let scale = || Channel::whole(Property::Scale, lines(&[0], 3, &[2.0; 3]));
    let turn = || Channel::whole(Property::Rotation, lines(&[0], 4, &[0.0, 1.0, 0.0, 0.0]));
    let value = Channel::whole(Property::Value, lines(&[0], 1, &[2.0]));
    let mut scene = scene_with(vec![
        moving(TargetKind::Joint, "a", vec![scale(), turn()]),
        moving(TargetKind::Joint, "b", vec![scale()]),
        moving(TargetKind::Custom, "c", vec![value]),
    ]);
    scene.clips[0].markers.push(Marker { time: Seconds(0.0), name: "m".into(), data: None });
    let (document, report) = document_of(&scene, &FromScene::default());
    assert_eq!(document.bones.len(), 1);
    insta::assert_debug_snapshot!(dropped(&report));
}

#[test]
fn a_scene_of_which_nothing_fits_is_refused_and_an_empty_one_is_not() {
    let value = Channel::whole(Property::Value, lines(&[0], 1, &[2.0]));
    let scene = scene_with(vec![moving(TargetKind::Custom, "c", vec![value])]);
    let error = Vmd::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"nothing to convert: 1 track, none of which moves a bone, morph, camera or light");
    for scene in [scene_with(Vec::new()), Scene::new(BASIS)] {
        let (document, _) = document_of(&scene, &FromScene::default());
        assert!(Section::ALL.into_iter().all(|section| document.count(section) == 0));
    }
}

#[test]
fn targets_that_stay_at_rest_are_left_out_unless_asked_for() {
    let still = Channel::whole(Property::Translation, lines(&[0, 9], 3, &[0.0; 6]));
    let scene = scene_with(vec![moving(TargetKind::Joint, "a", vec![still])]);
    let (document, report) = document_of(&scene, &FromScene::default());
    assert_eq!((document.bones.len(), dropped(&report).len()), (0, 1));
    let options = FromScene { keep_constant: true, ..FromScene::default() };
    let (document, report) = document_of(&scene, &options);
    assert_eq!((document.bones.len(), dropped(&report).len()), (2, 0));
}

#[test]
fn a_time_before_zero_is_refused() {
    let mut negative = lines(&[0], 1, &[1.0]);
    negative.times = Times::Seconds([-1.0].into());
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, negative)]);
    let error =
        Vmd::from_scene(&scene_with(vec![track]), &FromScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"vmd: expected a key from time 0 to frame 4294967295, found one at -1 s");
}

#[test]
fn keys_of_one_channel_split_straight_segments_of_the_others() {
    let turn = lines(&[0, 10], 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let turn = Curve { laws: Laws::uniform(Law::SLERP), ..turn };
    let channels = |turn| {
        let place = lines(&[0, 5], 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        vec![Channel::whole(Property::Translation, place), Channel::whole(Property::Rotation, turn)]
    };
    let scene = scene_with(vec![moving(TargetKind::Joint, "a", channels(turn.clone()))]);
    let (document, report) = document_of(&scene, &FromScene::default());
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys: Vec<_> = document.bones.iter().map(|key| (key.frame, key.translation, key.rotation)).collect();
    let expected = [
        (0, [0.0; 3], [0.0, 0.0, 0.0, 1.0]),
        (5, [1.0, 2.0, 3.0], [0.0, half, 0.0, half]),
        (10, [1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 0.0]),
    ];
    assert_eq!(keys, expected);
    assert_eq!(dropped(&report), [] as [&str; 0]);

    let eased = Curve { laws: Laws::uniform(bezier([64, 0, 64, 127], Blend::Slerp)), ..turn };
    let scene = scene_with(vec![moving(TargetKind::Joint, "a", channels(eased))]);
    let (document, report) = document_of(&scene, &FromScene::default());
    assert_eq!(BoneChannel::ALL.map(|c| document.bones[2].curve(c)), [LINEAR; 4]);
    insta::assert_debug_snapshot!(dropped(&report));
}

#[test]
fn laws_that_the_format_lacks_become_straight_and_are_counted() {
    let mut curve = lines(&[0, 10, 20], 1, &[0.0, 1.0, 0.0]);
    curve.laws = Laws::uniform(Law { timing: Timing::Ease { from: 0.3, to: 0.3 }, blend: Blend::Lerp });
    let track = moving(TargetKind::Morph, "a", vec![Channel::whole(Property::Weight, curve)]);
    let (_, report) = document_of(&scene_with(vec![track]), &FromScene::default());
    assert_eq!(dropped(&report).len(), 1);
}

#[test]
fn compositions_that_the_format_lacks_are_dropped_with_a_count() {
    let angles = vec![lines(&[0], 3, &[1.0; 3])];
    let composition = Composition::Euler { order: EulerOrder::Zyx, angles };
    let turn = Channel { property: Property::Rotation, composition, native: None };
    let place = Channel::whole(Property::Translation, lines(&[0], 3, &[1.0; 3]));
    let scene = scene_with(vec![moving(TargetKind::Joint, "a", vec![turn, place])]);
    let (_, report) = document_of(&scene, &FromScene::default());
    assert_eq!(dropped(&report), ["1 joint rotation channel: the format has no place for them"]);
}

#[test]
fn a_light_that_turns_shines_along_z_and_an_aimed_one_where_it_aims() {
    let turn = Channel::whole(Property::Rotation, lines(&[0], 4, &[0.0, 1.0, 0.0, 0.0]));
    let direction = Box::new(lines(&[0], 3, &[0.0, -2.0, 0.0]));
    let composition = Composition::Aim { direction, axis: [0.0, 0.0, 1.0] };
    let aimed = Channel { property: Property::Rotation, composition, native: None };
    for (channel, expected) in [(turn, [0.0, 0.0, -1.0]), (aimed, [0.0, -2.0, 0.0])] {
        let mut scene = scene_with(vec![moving(TargetKind::Light, "sun", vec![channel])]);
        scene.clips[0].tracks[0].target.node = Some(NodeIndex(0));
        scene.push_node(Node { light: Some(LightIndex(0)), ..Node::new("sun", None, Transform::IDENTITY) });
        let kind = LightKind::Directional;
        scene.lights.push(Light { name: String::new(), color: [1.0, 0.5, 0.25], intensity: 1.0, kind });
        let (document, report) = document_of(&scene, &FromScene::default());
        assert_eq!((document.lights[0].direction, document.lights[0].color), (expected, [1.0, 0.5, 0.25]));
        assert_eq!(dropped(&report), [] as [&str; 0]);
    }
}

fn camera_scene(place: &[f32], turn: &[f32], yfov_rad: f64) -> Scene {
    let frames: Vec<i64> = (0..).take(place.len() / 3).map(|n| 10 * n).collect();
    let mut track = moving(
        TargetKind::Joint,
        "view",
        vec![
            Channel::whole(Property::Translation, lines(&frames, 3, place)),
            Channel::whole(Property::Rotation, lines(&frames, 4, turn)),
        ],
    );
    track.target.node = Some(NodeIndex(0));
    let mut scene = scene_with(vec![track]);
    scene.push_node(Node { camera: Some(CameraIndex(0)), ..Node::new("view", None, Transform::IDENTITY) });
    let lens = Lens::Perspective { yfov_rad, aspect: None };
    scene.cameras.push(Camera { name: String::new(), lens, near: 0.5, far: None });
    scene
}

/// Eye and angles of three cameras, worked out by hand from `R = Ry(−ry)·Rx(−rx)·Rz(−rz)`.
#[test]
fn a_camera_that_is_merely_placed_becomes_an_orbit() {
    let eyes = [0.0, 10.0, -45.0, 21.143_084, 25.390_906, -36.620_896];
    // The second looks down by 20° and to the side by 30°: (rx, ry, rz) = (−20°, 30°, 0°).
    let turns = [0.0, 0.0, 0.0, 1.0, 0.167_731, -0.254_887, 0.044_943, 0.951_251];
    let (document, report) = document_of(&camera_scene(&eyes, &turns, 0.5), &FromScene::default());
    assert_eq!(document.model.text(), ModelName::CAMERA_AND_LIGHT);
    assert_eq!(document.last_section, Section::Shadows);
    let [first, .., second] = document.cameras.as_slice() else { panic!("two keys and more between them") };
    for key in [first, second] {
        assert!(
            key.target.iter().zip([0.0, 10.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-4),
            "{:?}",
            key.target
        );
        assert_eq!((key.distance, key.fov_deg, key.perspective_off), (-45.0, 29, 0));
        assert_eq!(CameraChannel::ALL.map(|c| key.curve(c)), [LINEAR; 6]);
    }
    let degrees = second.angles.map(f32::to_degrees);
    assert!(degrees.iter().zip([-20.0, 30.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-3), "{degrees:?}");
    let is_fov = |loss: &Loss| match loss {
        Loss::Approximated { what, max_error, .. } => {
            what.starts_with("field of view") && max_error.value < 0.01
        }
        _ => false,
    };
    assert_eq!(report.losses.iter().filter(|loss| is_fov(loss)).count(), 1, "0.5 rad are 28.65°");
}

#[test]
fn camera_angles_continue_the_turns_of_the_key_before() {
    // Half turns to the left, written as 0°, 120°, 240°.
    let turn =
        |degrees: f32| [0.0, -(degrees / 2.0).to_radians().sin(), 0.0, (degrees / 2.0).to_radians().cos()];
    let turns = [turn(0.0), turn(120.0), turn(240.0), turn(360.0)].concat();
    let (document, _) = document_of(&camera_scene(&[0.0; 12], &turns, 0.5), &FromScene::default());
    let keys = document.cameras.iter().filter(|key| key.frame % 10 == 0);
    let angles: Vec<_> = keys.map(|key| key.angles[1].to_degrees().round()).collect();
    assert_eq!(angles, [0.0, 120.0, 240.0, 360.0]);
}

#[test]
fn a_camera_rests_where_its_node_does() {
    let mut scene = camera_scene(&[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0, 1.0], 0.5);
    scene.nodes[0].rest.translation = [0.0, 20.0, -45.0];
    let (document, _) = document_of(&scene, &FromScene::default());
    assert_eq!(document.cameras[0].target, [0.0, 21.0, 0.0]);
    scene.clips[0].relation = PoseRelation::Absolute;
    let (document, _) = document_of(&scene, &FromScene::default());
    assert_eq!(document.cameras[0].target, [0.0, 1.0, 45.0]);
}

#[test]
fn a_turning_camera_gets_keys_until_its_angles_follow_it() {
    // 120° about a slanted axis within two seconds: its angles do not run evenly.
    let turn = [0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5];
    let mut scene = camera_scene(&[0.0; 6], &turn, 0.5);
    for channel in &mut scene.clips[0].tracks[0].channels {
        if let Composition::Whole(curve) = &mut channel.composition {
            curve.times = times(&[0, 60]);
            if channel.property == Property::Rotation {
                curve.laws = Laws::uniform(Law::SLERP);
            }
        }
    }
    let (document, report) = document_of(&scene, &FromScene::default());
    let gaps: Vec<_> = document.cameras.windows(2).map(|pair| pair[1].frame - pair[0].frame).collect();
    assert!(gaps.len() > 8 && gaps.iter().all(|gap| *gap >= 2), "{gaps:?}");
    for loss in &report.losses {
        if let Loss::Approximated { what, max_error, .. } = loss {
            assert!(what == "field of view, in whole degrees" || max_error.value < 4e-3, "{loss:?}");
        }
    }
    // Where there are keys, the camera is where it was.
    let middle = document.cameras.iter().find(|key| key.frame == 30).unwrap();
    let convention = dopesheet_curve::OrbitConvention::MMD;
    let found = convention.rotation(middle.angles.map(f64::from));
    let wanted = dopesheet_curve::slerp([0.0, 0.0, 0.0, 1.0], [0.5; 4], 0.5);
    assert!(dopesheet_testkit::rotation_angle(found, wanted) < 1e-6);
    let eye = convention.eye(middle.target.map(f64::from), middle.angles.map(f64::from), -45.0);
    assert!(eye.iter().all(|part| part.abs() < 1e-4), "{eye:?}");
}

#[test]
fn a_camera_of_which_only_the_lens_moves_stays_where_it_rests() {
    let mut scene = camera_scene(&[0.0; 3], &[0.0, 0.0, 0.0, 1.0], 0.5);
    scene.nodes[0].rest.translation = [0.0, 20.0, -45.0];
    let degrees = [0.5f32, 0.7].map(f32::to_radians).map(|r| r * 100.0);
    let mut track =
        moving(TargetKind::Camera, "lens", vec![Channel::whole(Property::YFov, lines(&[0, 9], 1, &degrees))]);
    track.target.node = Some(NodeIndex(0));
    scene.clips[0].tracks = vec![track];
    let (document, _) = document_of(&scene, &FromScene::default());
    let keys: Vec<_> = document.cameras.iter().map(|key| (key.frame, key.target, key.fov_deg)).collect();
    assert_eq!(keys, [(0, [0.0, 20.0, 0.0], 50), (9, [0.0, 20.0, 0.0], 70)]);
}

#[test]
fn the_lens_may_move_by_a_track_without_a_node() {
    let mut scene = camera_scene(&[0.0; 3], &[0.0, 0.0, 0.0, 1.0], 0.5);
    let lens = |degrees: f32| {
        let curve = lines(&[0], 1, &[degrees.to_radians()]);
        moving(TargetKind::Camera, "lens", vec![Channel::whole(Property::YFov, curve)])
    };
    scene.clips[0].tracks.extend([lens(50.0), lens(70.0)]);
    let (document, report) = document_of(&scene, &FromScene::default());
    assert_eq!(document.cameras[0].fov_deg, 50);
    assert_eq!(dropped(&report), ["1 further camera track: the format holds one"]);
}

#[test]
fn a_second_camera_is_dropped() {
    let mut scene = camera_scene(&[0.0; 3], &[0.0, 0.0, 0.0, 1.0], 0.5);
    let mut second = scene.clips[0].tracks[0].clone();
    second.target.node = Some(NodeIndex(1));
    scene.clips[0].tracks.push(second);
    scene.push_node(scene.nodes[0].clone());
    let (document, report) = document_of(&scene, &FromScene::default());
    assert_eq!(document.cameras.len(), 1);
    assert_eq!(dropped(&report), ["1 further camera track: the format holds one"]);
}

#[test]
fn notes_are_used_only_while_the_clip_has_its_length() {
    let (mut scene, _) = scene_of(&fixtures::motion());
    scene.clips[0].tracks.retain(|track| track.target.kind != TargetKind::Custom);
    let (document, _) = document_of(&scene, &FromScene::default());
    assert_eq!(document.models, read::<Vmd>(&fixtures::motion()).models);
    scene.clips[0].duration = Seconds(0.5);
    let (document, _) = document_of(&scene, &FromScene::default());
    assert_eq!(document.models, []);
    assert_eq!(document.model.text(), "初音ミク");
}
