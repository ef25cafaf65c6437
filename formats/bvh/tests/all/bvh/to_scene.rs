//! Files as scenes.

use crate::bvh::fixtures::{named, plain, with};
use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::Document;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Assumptions, Format, ToScene, WriteOptions};
use dopesheet_core::model::{Axis, Composition, Property, Scene, Times};
use dopesheet_core::units::Seconds;
use dopesheet_curve::quat_angle;
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit::read;

fn scene_of(text: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Bvh::to_scene(&read::<Bvh>(text), &ToScene::default(), &mut report).unwrap();
    for curve in scene
        .clips
        .iter()
        .flat_map(|c| &c.tracks)
        .flat_map(|t| &t.channels)
        .flat_map(|c| c.composition.curves())
    {
        assert_eq!(curve.validate(), Ok(()));
    }
    (scene, report)
}

fn value(scene: &Scene, joint: &str, property: &Property, time: f64) -> Vec<f64> {
    let track = scene.clips[0].tracks.iter().find(|track| track.target.name == joint).unwrap();
    let channel = track.channels.iter().find(|channel| channel.property == *property).unwrap();
    let mut value = Vec::new();
    assert!(channel_at(channel, Seconds(time), Side::At, &mut value));
    value
}

fn turn(scene: &Scene, joint: &str, time: f64) -> [f64; 4] {
    value(scene, joint, &Property::Rotation, time).try_into().unwrap()
}

/// The product of turns about axes, left to right, by their matrices: what the format's description says.
fn by_matrices(turns: &[(usize, f64)]) -> [[f64; 3]; 3] {
    let mut m = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (axis, degrees) in turns {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut r = [[0.0; 3]; 3];
        r[*axis][*axis] = 1.0;
        (r[i][i], r[j][j], r[i][j], r[j][i]) = (cos, cos, -sin, sin);
        let old = m;
        for (row, line) in m.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                *cell = (0..3).map(|n| old[row][n] * r[n][column]).sum();
            }
        }
    }
    m
}

fn matrix([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn assert_turned(found: [f64; 4], turns: &[(usize, f64)]) {
    for (found, wanted) in matrix(found).concat().into_iter().zip(by_matrices(turns).concat()) {
        assert!((found - wanted).abs() < 1e-6, "{turns:?}");
    }
}

#[test]
fn joints_rest_at_their_offsets_and_turn_in_the_order_of_their_channels() {
    let (scene, _) = scene_of(plain().as_bytes());
    let nodes: Vec<_> =
        scene.nodes.iter().map(|n| (n.name.as_str(), n.parent.map(|p| p.0), n.rest.translation)).collect();
    let expected = [
        ("Hips", None, [0.0, 90.0, 0.0]),
        ("Chest", Some(0), [0.0, 10.5, -1.25]),
        ("Chest_end", Some(1), [0.0, 25.0, 0.0]),
    ];
    assert_eq!(nodes, expected);
    assert!(scene.nodes.iter().all(|node| node.rest.rotation == [0.0, 0.0, 0.0, 1.0]));
    assert_turned(turn(&scene, "Hips", 0.0), &[(2, 10.0), (0, 20.0), (1, 30.0)]);
    assert_turned(turn(&scene, "Chest", 0.04), &[(2, 45.0), (0, -30.0), (1, 15.0)]);
    // Half-way, the rotation is, not the angles.
    let half = turn(&scene, "Chest", 0.02);
    let [there, back] = [0.0, 0.04].map(|time| quat_angle(half, turn(&scene, "Chest", time)));
    assert!(
        (there - back).abs() < 1e-7
            && (there + back - quat_angle(turn(&scene, "Chest", 0.0), turn(&scene, "Chest", 0.04))).abs()
                < 1e-7
    );
    assert_eq!(scene.clips[0].duration, Seconds(0.04));
}

#[test]
fn positions_stand_in_the_place_of_the_offset() {
    let (scene, _) = scene_of(plain().as_bytes());
    assert_eq!(value(&scene, "Hips", &Property::Translation, 0.0), [1.0, 90.0, -3.0]);
    // An axis without a channel stays where the offset has it.
    let (scene, _) = scene_of(&named("orders"));
    assert_eq!(value(&scene, "j3", &Property::Translation, 0.0), [0.0, 1.0, 3.5]);
}

#[test]
fn every_order_and_any_number_of_turns_is_the_product_of_them() {
    let (scene, _) = scene_of(&named("orders"));
    let axes: [&[usize]; 8] =
        [&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0], &[0], &[2, 1]];
    for (index, axes) in axes.iter().enumerate() {
        let turns: Vec<_> =
            axes.iter().enumerate().map(|(n, axis)| (*axis, 10.0 * (n as f64 + 1.0))).collect();
        assert_turned(turn(&scene, &format!("r{index}"), 0.0), &turns);
    }
    assert!(scene.clips[0].tracks.iter().all(|track| track.target.name != "r8"), "it has no channels");
    let (scene, report) = scene_of(&named("channel-twice"));
    assert_turned(turn(&scene, "Chest", 0.04), &[(2, 45.0), (2, -30.0), (1, 15.0)]);
    assert!(report.findings.iter().any(|finding| finding.fault.code == "bvh-channel-twice"));
}

#[test]
fn keys_are_frames_of_one_list() {
    let (scene, _) = scene_of(&named("frame-rate"));
    let clip = &scene.clips[0];
    assert_eq!(clip.grid.unwrap().fps(), 120.0);
    let curves: Vec<_> =
        clip.tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()).collect();
    assert_eq!(curves.len(), 3);
    for curve in curves {
        let Times::Frames { frames, .. } = &curve.times else { panic!("frames") };
        assert_eq!(**frames, [0, 1]);
        assert!(
            curve.times.is_same_list(&clip.tracks[0].channels[0].composition.curves().next().unwrap().times)
        );
    }
}

#[test]
fn angles_keep_their_degrees() {
    let (scene, _) = scene_of(plain().as_bytes());
    let channel = &scene.clips[0].tracks[0].channels[1];
    let Composition::Euler { angles, .. } = &channel.composition else { panic!("angles") };
    assert_eq!(angles[0].values, [20.0, 30.0, 10.0, 5.0, 0.5, -10.0]);
    assert_eq!(channel.native.as_ref().unwrap().scale, 1f64.to_radians());
}

#[test]
fn what_is_assumed_and_mended_is_said() {
    let mut said = String::new();
    for name in ["plain", "frame-rate", "frame-time", "nonfinite", "channel-unknown"] {
        let (_, report) = scene_of(&named(name));
        said += &format!("{name}\n");
        report.findings.iter().for_each(|finding| said += &format!("  {finding}\n"));
        report.losses.iter().for_each(|loss| said += &format!("  {loss:?}\n"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_number_that_is_none_is_as_it_was_before() {
    let (scene, _) = scene_of(&with("-3.500000", "nan"));
    assert_eq!(value(&scene, "Hips", &Property::Translation, 0.04), [2.0, 91.5, -3.0]);
}

#[test]
fn a_file_without_frames_is_a_skeleton() {
    let (scene, _) = scene_of(&named("no-frames"));
    assert_eq!((scene.nodes.len(), scene.clips.len()), (3, 0));
}

#[test]
fn turns_of_a_joint_come_before_those_of_what_hangs_on_it() {
    let (scene, _) = scene_of(plain().as_bytes());
    let pose = local_pose(&scene, &scene.clips[0], Seconds(0.04));
    let found = model_pose(&scene, &pose).0[2].translation;
    // Positions of the root, then each offset turned by all that stands above it.
    let hips = by_matrices(&[(2, -10.0), (0, 5.0), (1, 0.5)]);
    let chest = by_matrices(&[(2, -10.0), (0, 5.0), (1, 0.5), (2, 45.0), (0, -30.0), (1, 15.0)]);
    for axis in 0..3 {
        let wanted =
            [2.0, 91.5, -3.5][axis] + hips[axis][1] * 10.5 + hips[axis][2] * -1.25 + chest[axis][1] * 25.0;
        assert!((found[axis] - wanted).abs() < 1e-4, "{found:?}: {wanted}");
    }
}

#[test]
fn figures_that_stand_along_z_are_said_to() {
    let mut document = read::<Bvh>(plain().as_bytes());
    let stated = |document: &mut Document, word: &str, value: &str| {
        Bvh::assume(document, &Assumptions::new([(word.to_owned(), value.to_owned())]))
    };
    let basis = |document: &Document| {
        Bvh::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap().basis
    };
    let (before, y_up) = (Bvh::write(&document, &WriteOptions::default()).unwrap().main, basis(&document));
    stated(&mut document, "axes", "zup").unwrap();
    let z_up = basis(&document);
    assert_eq!((z_up.left, z_up.up, z_up.front), (Axis::PosX, Axis::PosZ, Axis::NegY));
    assert_eq!(z_up.metres_per_unit, y_up.metres_per_unit);
    assert_eq!(Bvh::write(&document, &WriteOptions::default()).unwrap().main, before);
    stated(&mut document, "axes", "yup").unwrap();
    assert_eq!(basis(&document), y_up);
    assert!(stated(&mut document, "axes", "up").unwrap_err().to_string().ends_with("(yup or zup)"));
    assert!(stated(&mut document, "rate", "30").is_err());
}

#[test]
fn positions_that_are_zero_throughout_do_not_collapse_a_bone_with_an_offset() {
    let text = |arm: &str| {
        format!(
            "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT b\n{{\nOFFSET \
             0 30 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\nMOTION\nFrames: \
             2\nFrame Time: 0.033333333\n0 0 0 0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 {arm} 0 0 0\n"
        )
    };
    let (scene, report) = scene_of(text("0 0 0").as_bytes());
    let pose = model_pose(&scene, &local_pose(&scene, &scene.clips[0], Seconds(0.0))).0;
    assert!((pose[1].translation.y - 0.3).abs() < 1e-6 || (pose[1].translation.y - 30.0).abs() < 1e-6);
    let said = format!("{:?}", report.losses);
    assert!(said.contains("positions of 1 joint, all of them zero"), "{said}");
    // Those of a joint that moves are its places.
    let (scene, report) = scene_of(text("0 31 0").as_bytes());
    assert!(!format!("{:?}", report.losses).contains("all of them zero"));
    assert_eq!(value(&scene, "b", &Property::Translation, 1.0 / 30.0)[1], 31.0);
}
