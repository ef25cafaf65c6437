//! Scenes as arrays, and what comes back of them.

use crate::npz::fixtures::{PLAIN, amass, f8, named, npz, with};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_core::model::{Humanoid, NodeIndex, Scene};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{Document, File, smpl_joints};
use dopesheet_testkit::{close, read};

fn scene(bytes: &[u8]) -> Scene {
    Npz::to_scene(&read::<Npz>(bytes), &ToScene::default(), &mut Report::default()).unwrap()
}

fn made(scene: &Scene, variant: &str) -> (Document, Report) {
    let options = FromScene { variant: Some(variant.into()), ..FromScene::default() };
    let mut report = Report::default();
    (Npz::from_scene(scene, &options, &mut report).unwrap(), report)
}

fn numbers(document: &Document, name: &str) -> Vec<f64> {
    document.array(name).unwrap_or_else(|| panic!("{name}")).numbers().unwrap()
}

/// The human figure that conversion makes of a body. Here its joints are its bones already.
fn figure(bytes: &[u8]) -> Scene {
    let mut scene = scene(bytes);
    let joints = smpl_joints(scene.nodes.len()).unwrap();
    let bones = joints.iter().enumerate().filter_map(|(index, joint)| Some((joint.bone?, NodeIndex(index))));
    scene.humanoid = Some(Humanoid { bones: bones.collect(), ..Humanoid::default() });
    scene
}

#[test]
fn rotations_survive_a_document() {
    let before = scene(&named("clip"));
    let (document, report) = made(&before, "clip");
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    let after = scene(&bytes);
    assert_eq!((&after.nodes, after.basis), (&before.nodes, before.basis));
    assert_eq!(after.clips[0].tracks, before.clips[0].tracks);
    assert!(format!("{:?}", report.losses).contains("2 frames at 30 fps"));
    assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).is_empty());
}

#[test]
fn places_are_those_of_turned_joints() {
    let (document, _) = made(&scene(&named("clip")), "positions");
    let places = numbers(&document, "positions");
    let expected = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0];
    assert!(places.iter().zip(expected).all(|(a, b)| close(*a, b, 1e-6)), "{places:?}");
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).is_empty());
}

#[test]
fn a_body_comes_back_as_it_was() {
    let bytes = npz(&amass(), PLAIN);
    let (document, report) = made(&figure(&bytes), "smplh");
    let (before, after) = (numbers(&read::<Npz>(&bytes), "poses"), numbers(&document, "poses"));
    assert_eq!(document.array("poses").unwrap().shape, [3, 156]);
    for frame in 0..3 {
        let pairs = before[66 * frame..66 * (frame + 1)].iter().zip(&after[156 * frame..]);
        assert!(pairs.into_iter().all(|(a, b)| close(*a, *b, 1e-6)), "frame {frame}");
        assert!(after[156 * frame + 66..156 * (frame + 1)].iter().all(|x| *x == 0.0), "fingers rest");
    }
    let gone = numbers(&document, "trans");
    assert!(gone.iter().zip(numbers(&read::<Npz>(&bytes), "trans")).all(|(a, b)| close(*a, b, 1e-6)));
    assert_eq!(document.array("gender").unwrap().strings().unwrap(), ["male"]);
    assert_eq!(numbers(&document, "betas"), [0.5, -1.0]);
    assert_eq!(numbers(&document, "mocap_framerate"), [120.0]);
    let said = format!("{:?}", report.losses);
    assert!(said.contains("the motion of 30 joints (left_index1, left_index2, left_index3 …)"), "{said}");
}

#[test]
fn humanml3d_has_its_22_joints_in_their_order() {
    let rest = f8("(22, 3)", &vec![0.1; 66]);
    let scene = figure(&npz(&with(amass(), "offsets", rest), PLAIN));
    let (document, _) = made(&scene, "humanml3d,npy");
    assert!(matches!(document.file, File::Npy(_)));
    let array = document.array("").unwrap();
    assert_eq!((array.shape.as_slice(), array.dtype.to_string()), (&[3, 22, 3][..], "'<f4'".to_owned()));
    let (named, _) = made(&scene, "humanml3d");
    assert_eq!(named.array("positions").unwrap().numbers(), array.numbers());
}

/// What is written as a variant, as numbers, and the scene that it is read as.
fn again(scene: &Scene, variant: &str) -> (Document, Scene) {
    let (document, _) = made(scene, variant);
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    (document, self::scene(&bytes))
}

/// Asserts that two scenes have the same tracks of their first clips, in the same order, up to what f32 can hold.
fn assert_same_motion(before: &Scene, after: &Scene) {
    let [before, after] = [before, after].map(|scene| &scene.clips[0]);
    assert_eq!((before.grid, before.tracks.len()), (after.grid, after.tracks.len()));
    for (old, new) in before.tracks.iter().zip(&after.tracks) {
        assert_eq!(old.target, new.target);
        for (old, new) in old.channels.iter().zip(&new.channels) {
            let values = |channel: &dopesheet_core::model::Channel| -> Vec<f64> {
                let curves = channel.composition.curves();
                let rows =
                    curves.flat_map(|curve| (0..curve.len()).filter_map(|key| curve.value(key)).flatten());
                rows.map(|number| f64::from(*number)).collect()
            };
            let (old, new) = (values(old), values(new));
            assert!(old.len() == new.len() && !old.is_empty());
            assert!(old.iter().zip(&new).all(|(a, b)| close(*a, *b, 1e-5)), "{old:?} {new:?}");
        }
    }
}

#[test]
fn a_frame_of_motion_x_comes_back_as_it_was_but_for_its_face() {
    let bytes = crate::npz::research::motion_x();
    let mut before = figure(&bytes);
    let (document, mut after) = again(&before, "motionx,npy");
    assert!(matches!(document.file, File::Npy(_)));
    let (old, new) = (numbers(&read::<Npz>(&bytes), ""), numbers(&document, ""));
    for (number, (old, new)) in old.iter().zip(&new).enumerate() {
        let expected = if (159..309).contains(&number) { 0.0 } else { *old };
        assert!(close(expected, *new, 1e-6), "number {number}: {expected} became {new}");
    }
    for scene in [&mut before, &mut after] {
        scene.clips[0].tracks.retain(|track| track.target.node.is_some());
    }
    assert_same_motion(&before, &after);
    assert_eq!(numbers(&made(&before, "motionx").0, "motion"), new);
}

#[test]
fn joints_of_kimodo_come_back_as_they_were() {
    let bytes = npz(&crate::npz::research::kimodo(), PLAIN);
    let before = figure(&bytes);
    let (document, after) = again(&before, "kimodo");
    assert_same_motion(&before, &after);
    for name in ["posed_joints", "global_rot_mats"] {
        let (old, new) = (numbers(&read::<Npz>(&bytes), name), numbers(&document, name));
        assert!(old.iter().zip(&new).all(|(a, b)| close(*a, *b, 1e-6)), "{name}");
    }
    assert_eq!(document.array("local_rot_mats").unwrap().shape, [2, 22, 3, 3]);
    assert_eq!(document.array("root_positions").unwrap().shape, [2, 3]);
}

#[test]
fn bodies_of_isaac_lab_come_back_with_their_motors_and_velocities() {
    let bytes = npz(&crate::npz::research::isaac_lab(), PLAIN);
    let before = scene(&bytes);
    let (document, after) = again(&before, "isaaclab");
    assert_same_motion(&before, &after);
    for name in ["joint_pos", "joint_vel", "body_pos_w", "body_quat_w", "fps"] {
        let (old, new) = (numbers(&read::<Npz>(&bytes), name), numbers(&document, name));
        assert!(old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| close(*a, *b, 1e-6)), "{name}");
    }
    // Half a metre and a quarter turn about Z in a fiftieth of a second.
    let going = numbers(&document, "body_lin_vel_w");
    assert!(going.as_chunks::<3>().0.iter().all(|own| close(own[0], 25.0, 1e-4)), "{going:?}");
    let turning = numbers(&document, "body_ang_vel_w");
    assert!(close(turning[2], 25.0 * std::f64::consts::PI, 1e-3) && turning[5] == 0.0, "{turning:?}");
}

#[test]
fn joints_of_a_figure_are_bodies_in_the_world_without_motors() {
    let (document, report) = made(&scene(&named("clip")), "isaaclab");
    // The hip has turned by a quarter about Z, and takes the leg along.
    let places = numbers(&document, "body_pos_w");
    assert!(places[9..].iter().zip([0.0, 2.0, 0.0]).all(|(a, b)| close(*a, b, 1e-6)), "{places:?}");
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turns = numbers(&document, "body_quat_w");
    assert!(turns[12..].iter().zip([half, 0.0, 0.0, half]).all(|(a, b)| close(*a, b, 1e-6)), "{turns:?}");
    assert_eq!(document.array("joint_pos").unwrap().shape, [2, 0]);
    assert_eq!(document.array("body_names").unwrap().strings().unwrap(), ["hip", "leg"]);
    assert!(format!("{:?}", report.losses).contains("only a robot has motors"));
}

#[test]
fn motors_of_gmr_become_those_of_isaac_lab_with_the_speeds_that_they_have() {
    let scene = scene(&crate::npz::pickles::gmr());
    assert!(Npz::capabilities(&scene, Some("isaaclab")).parts.custom_tracks);
    let (document, report) = made(&scene, "isaaclab");
    assert_eq!(numbers(&document, "joint_pos"), [0.5, 0.25]);
    assert_eq!(numbers(&document, "joint_vel"), [-7.5, -7.5]);
    assert_eq!(document.array("joint_names").unwrap().strings().unwrap(), ["motor_0"]);
    assert!(!format!("{:?}", report.losses).contains("only a robot has motors"));
    let face = self::scene(&crate::npz::research::motion_x());
    assert!(!Npz::capabilities(&face, Some("isaaclab")).parts.custom_tracks, "a face has no motors");
}

#[test]
fn arrays_are_not_written_under_names_of_pickles() {
    let is_refused = |bytes: &[u8], name: &str| {
        let options = WriteOptions { file_name: Some(name.into()) };
        let written = Npz::write(&read::<Npz>(bytes), &options);
        written.is_err_and(|error| error.fault.code == "npz-bare")
    };
    for (name, is_of_objects) in [("a.npz", false), ("a.PKL", true), ("a.pt", true), ("a", false)] {
        assert_eq!(is_refused(&named("clip"), name), is_of_objects, "{name}");
    }
}

#[test]
fn only_a_figure_is_a_body() {
    let options = FromScene { variant: Some("smplh".into()), ..FromScene::default() };
    let error = Npz::from_scene(&scene(&named("clip")), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.to_string(), "npz: it only holds the motion of a human figure, and the scene has none");
}

/// Features of a motion of 12 frames, with the lengths of another figure's bones if there is one.
fn features(other: Option<&[u8]>) -> (Document, Report) {
    let other = other.map(|bytes| Box::new(figure(bytes)));
    let options = FromScene { variant: Some("features,npy".into()), figure: other, ..FromScene::default() };
    let mut report = Report::default();
    let scene = figure(include_bytes!("humanml3d/positions.npy"));
    (Npz::from_scene(&scene, &options, &mut report).unwrap(), report)
}

#[test]
fn features_are_those_that_the_code_of_humanml3d_makes() {
    let own: (&[u8], _) = (include_bytes!("humanml3d/features.npy"), None);
    let other: &[u8] = include_bytes!("humanml3d/figure.npy");
    let others: (&[u8], _) = (include_bytes!("humanml3d/features-of-figure.npy"), Some(other));
    for (expected, figure) in [own, others] {
        let (document, report) = features(figure);
        let array = document.array("").unwrap();
        assert_eq!((array.shape.as_slice(), array.dtype.to_string()), (&[11, 263][..], "'<f4'".to_owned()));
        let expected = numbers(&read::<Npz>(expected), "");
        for (at, (old, new)) in expected.iter().zip(numbers(&document, "")).enumerate() {
            assert!(close(*old, new, 1e-6), "row {}, number {}: {old} is {new}", at / 263, at % 263);
        }
        let said = format!("{:?}", report.losses);
        let lengths = if figure.is_some() { "those of the other figure" } else { "the figure's own bones" };
        assert!(said.contains(lengths) && said.contains("twist of bones"), "{said}");
    }
}

#[test]
fn features_come_back_as_the_positions_that_they_were_made_of() {
    let rows = npz(&crate::npz::research::kimodo(), PLAIN);
    let (document, report) = made(&figure(&rows), "features");
    assert_eq!(document.array("features").unwrap().shape, [1, 263]);
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    assert!(!dopesheet_testkit::codes_of::<Npz>(&bytes).contains(&"npz-layout-by-shape"));
    let (before, _) = made(&figure(&rows), "humanml3d,npy");
    let (after, _) = made(&figure(&bytes), "humanml3d,npy");
    let (before, after) = (numbers(&before, ""), numbers(&after, ""));
    // Its lowest joint is a metre above the floor, and it faces +Z or where it is turned to.
    let lengths = |own: &[f64]| -> Vec<f64> {
        own[..66]
            .as_chunks::<3>()
            .0
            .iter()
            .map(|[x, y, z]| (x - own[0]).hypot(z - own[2]).hypot(*y - own[1]))
            .collect()
    };
    assert!(lengths(&before).iter().zip(lengths(&after)).all(|(a, b)| close(*a, b, 1e-5)));
    assert!(close(after[1], before[1] - 1.0, 1e-5));
    assert!(format!("{:?}", report.losses).contains("the last frame"));
}

#[test]
fn a_single_frame_has_no_features() {
    let mut scene = figure(include_bytes!("humanml3d/figure.npy"));
    for clips in [scene.clips.clone(), Vec::new()] {
        scene.clips = clips;
        let options = FromScene { variant: Some("features".into()), ..FromScene::default() };
        let error = Npz::from_scene(&scene, &options, &mut Report::default()).unwrap_err();
        assert!(error.to_string().contains("the motion has only one"), "{error}");
    }
}

#[test]
fn joints_that_a_figure_lacks_divide_the_way_evenly() {
    let mut scene = figure(include_bytes!("humanml3d/positions.npy"));
    let bones = &mut scene.humanoid.as_mut().unwrap().bones;
    use dopesheet_core::model::HumanBone as B;
    for bone in [B::Chest, B::UpperChest, B::LeftToes] {
        bones.remove(&bone);
    }
    let (document, _) = made(&scene, "humanml3d,npy");
    let places = numbers(&document, "");
    let [_, _, _, spine, _, _, chest, ankle, _, upper, toes, _, neck, ..] = places.as_chunks::<3>().0 else {
        panic!("22 joints")
    };
    for axis in 0..3 {
        assert!(close(chest[axis], spine[axis] + (neck[axis] - spine[axis]) / 3.0, 1e-6));
        assert!(close(upper[axis], spine[axis] + (neck[axis] - spine[axis]) / 1.5, 1e-6));
        assert_eq!(toes[axis], ankle[axis]);
    }
    let (features, _) = made(&scene, "features,npy");
    assert!(numbers(&features, "").iter().all(|number| number.is_finite()));
}
