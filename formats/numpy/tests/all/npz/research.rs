//! Layouts of research projects: their numbers as scenes.

use crate::npz::fixtures::{PLAIN, f8, npz, texts};
use crate::npz::pickles::{aist, array, dict, float, gmr, pickle, results, torch, torch_with};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Assumptions, Format, FromScene, ToScene};
use dopesheet_core::model::{Axis, Basis, Channel, Clip, Hierarchy, Property, Scene, TargetKind};
use dopesheet_core::units::FrameRate;
use dopesheet_curve::{quat_angle, quat_from_rotation_vector};
use dopesheet_numpy::Npz;
use dopesheet_testkit::{close, read};

fn scene(bytes: &[u8]) -> Scene {
    Npz::to_scene(&read::<Npz>(bytes), &ToScene::default(), &mut Report::default()).unwrap()
}

fn channel<'a>(clip: &'a Clip, target: &str, property: &Property) -> &'a Channel {
    let track = clip.tracks.iter().find(|track| track.target.name == target).unwrap();
    track.channels.iter().find(|channel| channel.property == *property).unwrap()
}

fn row(clip: &Clip, target: &str, property: &Property, frame: usize) -> Vec<f64> {
    let channel = channel(clip, target, property);
    let curve = channel.composition.curves().next().unwrap();
    curve.value(frame).unwrap().iter().map(|x| f64::from(*x)).collect()
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| close(*a, *b, 1e-6))
}

#[test]
fn samples_of_mdm_are_clips_of_their_own_lengths() {
    let scene = scene(&results(2, 3, &[3.0, 2.0], &[]));
    assert_eq!(scene.nodes[3].name, "spine1");
    let [walks, jumps] = &scene.clips[..] else { panic!("{}", scene.clips.len()) };
    assert_eq!((walks.name.as_deref(), jumps.name.as_deref()), (Some("walks"), Some("jumps")));
    assert_eq!((walks.grid, walks.duration.0, jumps.duration.0), (FrameRate::new(20, 1), 0.1, 0.05));
    assert!(walks.places_only);
    // Element ((sample · 22 + joint) · 3 + axis) · 3 + frame, in hundredths.
    assert!(near(&row(walks, "pelvis", &Property::Translation, 2), &[0.02, 0.05, 0.08]));
    assert!(near(&row(jumps, "pelvis", &Property::Translation, 1), &[1.99, 2.02, 2.05]));
}

#[test]
fn an_empty_sample_that_announces_many_is_none() {
    let empty = crate::npz::fixtures::npy("<f8", "(99999999999, 22, 3, 0)", &[]);
    let bytes = npz(&[("motion", empty)], PLAIN);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&bytes), ["npz-shape"]);
}

#[test]
fn what_a_layout_of_research_lacks_is_named() {
    for (arrays, missing) in [
        (vec![isaac_lab().swap_remove(3)], "body_quat_w"),
        (vec![("root_rot", f8("(1, 4)", &[0.0, 0.0, 0.0, 1.0]))], "root_pos"),
        (vec![kimodo().swap_remove(0)], "global_rot_mats"),
        (vec![kimodo().swap_remove(1)], "posed_joints"),
    ] {
        let (_, report) = dopesheet_testkit::read_reporting::<Npz>(&npz(&arrays, PLAIN));
        let said = report.findings.iter().map(|finding| finding.to_string()).collect::<String>();
        assert!(said.contains(&format!("expected an array {missing}, found none")), "{said}");
    }
}

#[test]
fn a_body_of_aist_goes_as_far_as_its_scale_says() {
    let scene = scene(&aist());
    assert_eq!((scene.basis, scene.clips[0].grid), (Basis::GLTF, FrameRate::new(60, 1)));
    assert!(near(&row(&scene.clips[0], "pelvis", &Property::Translation, 1), &[0.5, 1.0, 0.1]));
    let turn: [f64; 4] = row(&scene.clips[0], "pelvis", &Property::Rotation, 0).try_into().unwrap();
    assert!(quat_angle(turn, quat_from_rotation_vector([0.1, 0.0, 0.0])) < 1e-6);
}

#[test]
fn a_robot_of_gmr_is_where_its_root_takes_its_bodies() {
    let scene = scene(&gmr());
    assert_eq!(
        (scene.hierarchy, scene.basis.up, scene.basis.front),
        (Hierarchy::Unknown, Axis::PosZ, Axis::PosX)
    );
    let clip = &scene.clips[0];
    assert!(near(&row(clip, "hand", &Property::Translation, 0), &[1.0, 0.0, 1.0]));
    // The root has turned by a quarter to the left, and its order is x y z w.
    assert!(near(&row(clip, "hand", &Property::Translation, 1), &[1.0, 1.0, 1.0]));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(near(&row(clip, "pelvis", &Property::Rotation, 1), &[0.0, 0.0, half, half]));
    let motor = clip.tracks.iter().find(|track| track.target.kind == TargetKind::Custom).unwrap();
    assert_eq!(motor.target.name, "motor_0");
    assert!(near(&row(clip, "motor_0", &Property::Named("dof_pos".into()), 1), &[0.25]));
}

/// Two bodies in the world, as Isaac Lab writes them.
pub(crate) fn isaac_lab() -> Vec<(&'static str, Vec<u8>)> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    vec![
        ("fps", f8("(1,)", &[50.0])),
        ("joint_pos", f8("(2, 1)", &[0.5, 0.25])),
        ("joint_vel", f8("(2, 1)", &[0.0, -12.5])),
        ("body_pos_w", f8("(2, 2, 3)", &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.5, 0.0, 1.0, 1.5, 0.0, 1.0])),
        (
            "body_quat_w",
            f8(
                "(2, 2, 4)",
                &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, half, 0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0],
            ),
        ),
    ]
}

#[test]
fn bodies_of_isaac_lab_have_their_real_part_first_unless_somebody_says_otherwise() {
    let bytes = npz(&isaac_lab(), PLAIN);
    let own = scene(&bytes);
    assert_eq!((own.hierarchy, own.clips[0].grid), (Hierarchy::Unknown, FrameRate::new(50, 1)));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(near(&row(&own.clips[0], "body_0", &Property::Rotation, 1), &[0.0, 0.0, half, half]));
    assert!(near(&row(&own.clips[0], "body_1", &Property::Translation, 1), &[1.5, 0.0, 1.0]));
    assert!(near(&row(&own.clips[0], "motor_0", &Property::Named("joint_vel".into()), 1), &[-12.5]));
    let mut document = read::<Npz>(&bytes);
    Npz::assume(&mut document, &"order=xyzw".parse::<Assumptions>().unwrap()).unwrap();
    let other = Npz::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    assert!(near(&row(&other.clips[0], "body_0", &Property::Rotation, 1), &[half, 0.0, 0.0, half]));
}

#[test]
fn numbers_of_robots_that_no_scene_has_a_place_for_are_told() {
    let mut arrays = isaac_lab();
    arrays.retain(|(name, _)| !name.starts_with("joint_"));
    arrays.push(("joint_pos", f8("(2, 8)", &(0..16).map(f64::from).collect::<Vec<_>>())));
    arrays.push(("joint_names", texts(&["knee"])));
    arrays.push(("object_pos_w", f8("(2, 3)", &[0.0; 6])));
    arrays.push(("object_quat_w", f8("(2, 4)", &[0.5; 8])));
    arrays.push(("body_lin_vel_w", f8("(2, 2, 3)", &[0.0; 12])));
    arrays.push(("contact_threshold", f8("(1,)", &[0.5])));
    let (document, mut report) = (read::<Npz>(&npz(&arrays, PLAIN)), Report::default());
    Npz::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    let told: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    let lost = |array| format!("dropped: the array {array}: a scene has no place for its numbers");
    assert_eq!(
        told,
        [
            "dropped: the first 7 columns of joint_pos: they are of the root, whose body has places and rotations".to_owned(),
            lost("object_pos_w (2, 3)"),
            lost("object_quat_w (2, 4)"),
            lost("body_lin_vel_w (2, 2, 3)"),
        ]
    );
    let nothing_left = Npz::to_scene(&read::<Npz>(&npz(&kimodo(), PLAIN)), &ToScene::default(), &mut report);
    assert!(nothing_left.is_ok() && report.losses.len() == 4, "{:?}", report.losses);
}

#[test]
fn robots_that_are_edited_stay_robots() {
    let document = read::<Npz>(&npz(&isaac_lab(), PLAIN));
    assert_eq!(Npz::summary(&document).variant.as_deref(), Some("isaaclab"));
    let mut scene = Npz::to_scene(&document, &ToScene::to_update(), &mut Report::default()).unwrap();
    // A frame comes again that is none of the file's.
    scene.clips[0].tracks[0].channels[0] = scene.clips[0].tracks[1].channels[0].clone();
    let (mut edited, mut report) = (document, Report::default());
    let options = FromScene { variant: Some("isaaclab".into()), ..FromScene::default() };
    Npz::update(&mut edited, &scene, &options, &mut report).unwrap();
    let numbers = |name: &str| edited.array(name).unwrap().numbers().unwrap();
    assert_eq!((numbers("joint_pos"), numbers("joint_vel")), (vec![0.5, 0.25], vec![0.0, -12.5]));
}

#[test]
fn bodies_with_parents_are_where_these_see_them() {
    let parents =
        crate::npz::fixtures::npy("<i8", "(2,)", &[(-1i64).to_le_bytes(), 0i64.to_le_bytes()].concat());
    let arrays = crate::npz::fixtures::with(isaac_lab(), "parents", parents);
    let bytes = npz(&arrays, PLAIN);
    assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).is_empty());
    let scene = scene(&bytes);
    assert_eq!((scene.hierarchy, scene.nodes[1].parent.map(|parent| parent.0)), (Hierarchy::Known, Some(0)));
    let clip = &scene.clips[0];
    // The first body has turned by a quarter to its left, the second stays in front of it and does not turn.
    assert!(near(&row(clip, "body_1", &Property::Translation, 1), &[0.0, -1.0, 0.0]));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(near(&row(clip, "body_1", &Property::Rotation, 1), &[0.0, 0.0, -half, half]));
    assert!(near(&row(clip, "body_0", &Property::Translation, 1), &[0.5, 0.0, 1.0]));
}

#[test]
fn motors_of_holosoma_come_behind_the_root_and_have_names() {
    let mut arrays = isaac_lab();
    arrays.retain(|(name, _)| !name.starts_with("joint_"));
    arrays.push(("joint_pos", f8("(2, 8)", &(0..16).map(f64::from).collect::<Vec<_>>())));
    arrays.push(("joint_vel", f8("(2, 7)", &(0..14).map(f64::from).collect::<Vec<_>>())));
    arrays.push(("joint_names", texts(&["knee"])));
    arrays.push(("body_names", texts(&["world", "pelvis"])));
    let scene = scene(&npz(&arrays, PLAIN));
    assert_eq!(scene.nodes[1].name, "pelvis");
    assert!(near(&row(&scene.clips[0], "knee", &Property::Named("joint_pos".into()), 1), &[15.0]));
    assert!(near(&row(&scene.clips[0], "knee", &Property::Named("joint_vel".into()), 1), &[13.0]));
}

/// A body of 22 joints of kimodo on two frames, of which the second turns the figure to its left about Y.
pub(crate) fn kimodo() -> Vec<(&'static str, Vec<u8>)> {
    let places: Vec<f64> =
        (0..22).flat_map(|joint| [0.0, 1.0 + 0.05 * f64::from(joint), 0.1 * f64::from(joint)]).collect();
    let turned = places.as_chunks::<3>().0.iter().flat_map(|[x, y, z]| [*z, *y, -x]);
    let places = f8("(2, 22, 3)", &places.iter().copied().chain(turned).collect::<Vec<_>>());
    let one = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let left = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0];
    let matrices = f8("(2, 22, 3, 3)", &[one.repeat(22), left.repeat(22)].concat());
    vec![("posed_joints", places), ("global_rot_mats", matrices)]
}

#[test]
fn joints_of_kimodo_turn_as_their_matrices_say_and_rest_where_the_matrices_put_them() {
    let scene = scene(&npz(&kimodo(), PLAIN));
    assert_eq!((scene.basis, scene.clips[0].grid), (Basis::GLTF, FrameRate::new(30, 1)));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(near(&row(&scene.clips[0], "pelvis", &Property::Rotation, 1), &[0.0, half, 0.0, half]));
    assert!(near(&row(&scene.clips[0], "left_hip", &Property::Rotation, 1), &[0.0, 0.0, 0.0, 1.0]));
    assert!(near(&scene.nodes[1].rest.translation, &[0.0, 0.05, 0.1]));
    let clip = &scene.clips[0];
    assert!(near(&row(clip, "pelvis", &Property::Translation, 1), &[0.0, 1.0, 0.0]));
}

/// A frame of Motion-X in which each number is its own position.
pub(crate) fn motion_x() -> Vec<u8> {
    f8("(1, 322)", &(0..322).map(|n| f64::from(n) / 1000.0).collect::<Vec<_>>())
}

#[test]
fn a_frame_of_motion_x_is_a_body_of_smplx() {
    let scene = scene(&motion_x());
    let clip = &scene.clips[0];
    assert_eq!((scene.basis, scene.nodes.len(), clip.grid), (Basis::GLTF, 55, FrameRate::new(30, 1)));
    let turns = |joint: &str, first: i32| {
        let turn: [f64; 4] = row(clip, joint, &Property::Rotation, 0).try_into().unwrap();
        let vector = [0, 1, 2].map(|axis| f64::from(first + axis) / 1000.0);
        quat_angle(turn, quat_from_rotation_vector(vector)) < 1e-6
    };
    assert!(turns("pelvis", 0) && turns("right_wrist", 63), "the body comes first");
    assert!(turns("left_index1", 66) && turns("right_thumb3", 153) && turns("jaw", 156));
    assert!(near(&row(clip, "left_eye_smplhf", &Property::Rotation, 0), &[0.0, 0.0, 0.0, 1.0]));
    assert!(near(&row(clip, "pelvis", &Property::Translation, 0), &[0.309, 0.310, 0.311]));
    assert!(near(&row(clip, "face_expr_49", &Property::Named("face_expr".into()), 0), &[0.208]));
    assert_eq!(clip.source.as_ref().unwrap()["betas"][9], 0.321);
}

#[test]
fn tensors_of_pytorch_are_read_along_their_strides() {
    let document = read::<Npz>(&torch(&[]));
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let scene = Npz::to_scene(&document, &options, &mut Report::default()).unwrap();
    // It rests at (0, 0.001, 0.002), and has gone on by (2, 4, 6).
    assert!(near(&row(&scene.clips[0], "pelvis", &Property::Translation, 1), &[2.0, 4.001, 6.002]));
    let turn: [f64; 4] = row(&scene.clips[0], "pelvis", &Property::Rotation, 1).try_into().unwrap();
    assert!(quat_angle(turn, quat_from_rotation_vector([0.066, 0.067, 0.068])) < 1e-6);
    // A storage that is too short for its tensor holds none.
    let short = read::<Npz>(&torch_with(&[], 66));
    assert!(Npz::to_scene(&short, &ToScene::default(), &mut Report::default()).is_err());
}

#[test]
fn a_body_in_the_words_of_the_package_smplx_is_the_same_body() {
    let body: Vec<f64> = (0..2 * 69).map(|n| f64::from(n) / 500.0).collect();
    let root = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let whole = [&root[..3], &body[..69], &root[3..], &body[69..]].concat();
    let facts = [("fps", f8("()", &[30.0])), ("axes", texts(&["yup"]))];
    let transl = ("transl", f8("(2, 3)", &[0.0, 1.0, 0.0, 0.0, 1.0, 0.5]));
    let parts = [
        ("global_orient", f8("(2, 3)", &root)),
        ("body_pose", f8("(2, 23, 3)", &body)),
        transl.clone(),
        facts[0].clone(),
        facts[1].clone(),
    ];
    let whole = [("poses", f8("(2, 72)", &whole)), transl, facts[0].clone(), facts[1].clone()];
    assert_eq!(scene(&npz(&parts, PLAIN)), scene(&npz(&whole, PLAIN)));
}

#[test]
fn arrays_of_a_dictionary_in_another_have_the_names_of_both() {
    let inner = dict(&[("poses", array(&[1, 66], &[0.0; 66])), ("fps", float(25.0))]);
    let mut document = read::<Npz>(&pickle(&[&dict(&[("smpl", inner), ("other", float(1.0))])]));
    assert!(Npz::to_scene(&document, &ToScene::default(), &mut Report::default()).is_err());
    let facts = "axes=yup,arrays=poses:smpl/poses+fps:smpl/fps".parse::<Assumptions>().unwrap();
    Npz::assume(&mut document, &facts).unwrap();
    let scene = Npz::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    assert_eq!((scene.nodes.len(), scene.clips[0].grid), (22, FrameRate::new(25, 1)));
}

#[test]
fn a_body_of_hy_motion_stands_upright_although_its_rate_is_spelled_as_in_amass() {
    let arrays = [
        ("poses", f8("(1, 156)", &[0.0; 156])),
        ("trans", f8("(1, 3)", &[0.0, 1.0, 0.0])),
        ("mocap_framerate", f8("()", &[30.0])),
        ("Rh", f8("(1, 3)", &[0.0; 3])),
    ];
    let upright = scene(&npz(&arrays, PLAIN));
    assert!(near(&row(&upright.clips[0], "pelvis", &Property::Translation, 0), &[0.0, 1.0, 0.0]));
    let lying = scene(&npz(&arrays[..3], PLAIN));
    assert!(near(&row(&lying.clips[0], "pelvis", &Property::Translation, 0), &[0.0, 0.0, -1.0]));
}
