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

#[test]
fn only_a_figure_is_a_body() {
    let options = FromScene { variant: Some("smplh".into()), ..FromScene::default() };
    let error = Npz::from_scene(&scene(&named("clip")), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.to_string(), "npz: it only holds the motion of a human figure, and the scene has none");
}
