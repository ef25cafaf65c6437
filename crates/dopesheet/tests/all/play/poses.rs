//! Poses as arrays: of files, and made into files.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "mmd", feature = "playcanvas"))]

use dopesheet::core::model::{Basis, Hierarchy, Transform};
use dopesheet::{
    ConvertOptions, FrameRate, Opened, Poses, ReadOptions, SampleOptions, TimeSpec, poses::PoseJoint,
    registry, sample::Axes, sample::Space, times::TimeValue,
};
use dopesheet_testkit::{rotation_angle, workspace};

fn open(name: &str) -> Opened {
    dopesheet::open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn at(times: &[f64]) -> SampleOptions<'static> {
    SampleOptions::at(TimeSpec::List(times.iter().map(|t| TimeValue::Seconds(*t)).collect()))
}

/// Two joints, a leg on a hip, at three times.
fn two_joints() -> Poses {
    let joint = |name: &str, parent, translation| PoseJoint {
        name: name.into(),
        index: usize::from(parent == Some(0)),
        parent,
        rest: Transform { translation, ..Transform::IDENTITY },
    };
    let (half, unit) = (0.5_f32.sqrt(), [0.0, 0.0, 0.0, 1.0]);
    let quarter = [0.0, 0.0, half, half];
    Poses {
        name: Some("swing".into()),
        basis: Basis::GLTF,
        hierarchy: Hierarchy::Known,
        joints: vec![joint("hip", None, [0.0, 1.0, 0.0]), joint("leg", Some(0), [1.0, 0.0, 0.0])],
        rate: FrameRate::new(30, 1),
        times_s: vec![0.0, 1.0 / 30.0, 2.0 / 30.0],
        translations: [0.0, 1.0, 0.0, 1.0, 0.0, 0.0].repeat(3),
        rotations: [unit, unit, quarter, unit, quarter, quarter].as_flattened().to_vec(),
        scales: vec![1.0; 18],
    }
}

#[test]
fn poses_are_what_sampling_finds() {
    let times = [-1.0, 0.0, 0.41, 1.3, 50.0];
    let mut compared = 0;
    for name in ["jump.bvh", "door.json", "wave.json", "walk.vmd", "bow.vmd"] {
        let opened = open(name);
        let options = SampleOptions { axes: Axes::Gltf, ..at(&times) };
        let poses = dopesheet::poses(&opened, &options).unwrap();
        poses.validate().unwrap();
        for track in dopesheet::sample(&opened, &options).unwrap().tracks {
            let Some(joint) = poses.joints.iter().position(|j| j.name == track.target) else { continue };
            for channel in track.channels.iter().filter(|c| c.name == "rotation") {
                let rows = channel.values.as_chunks::<4>().0.iter();
                for (row, expected) in rows.enumerate() {
                    let found = poses.rotations.as_chunks::<4>().0[row * poses.joints.len() + joint];
                    assert!(
                        rotation_angle(found.map(f64::from), *expected) <= 2e-6,
                        "{name} {}",
                        track.target
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "only {compared} rotations compared");
}

#[test]
fn a_turned_hip_carries_the_leg() {
    let model = two_joints().in_model_space().unwrap();
    let leg = |time: usize| model.positions.as_chunks::<3>().0[2 * time + 1];
    assert_eq!(leg(0), [1.0, 1.0, 0.0]);
    assert!(leg(1).iter().zip([0.0, 2.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{:?}", leg(1));
    let unknown = Poses { hierarchy: Hierarchy::Unknown, ..two_joints() };
    assert!(unknown.in_model_space().unwrap_err().to_string().starts_with("expected a hierarchy"));
}

/// A turned joint below an unevenly scaled one, and what hangs on it: places and the last rotation are three.js's.
#[test]
fn a_turned_joint_below_an_uneven_scale_is_where_matrices_put_it() {
    let (half, quarter) = (30_f64.to_radians() / 2.0, 45_f64.to_radians() / 2.0);
    let locals = [
        ([0.0, 1.0, 0.0], [0.0, half.sin(), 0.0, half.cos()], [1.0, 1.0, 1.0]),
        ([0.3, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0], [2.0, 1.0, 0.5]),
        ([0.0, 0.4, 0.2], [quarter.sin(), 0.0, 0.0, quarter.cos()], [1.0, 1.0, 1.0]),
        ([0.1, 0.5, 0.25], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0]),
    ];
    let joint = |index: usize| PoseJoint {
        name: format!("n{index}"),
        index,
        parent: index.checked_sub(1),
        rest: Transform::IDENTITY,
    };
    let column = |of: &dyn Fn(usize) -> Vec<f64>| (0..4).flat_map(of).map(|x| x as f32).collect();
    let poses = Poses {
        joints: (0..4).map(joint).collect(),
        rate: None,
        times_s: vec![0.0],
        translations: column(&|n| locals[n].0.to_vec()),
        rotations: column(&|n| locals[n].1.to_vec()),
        scales: column(&|n| locals[n].2.to_vec()),
        ..two_joints()
    };
    let place = [0.615595223364697, 1.6767766952966368, 0.06624220376436689];
    let turn = [0.36809371623937276, 0.20780979231172225, -0.06421675742185047, 0.9039902180613849];
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let model = poses.in_model_space().unwrap();
    assert!(near(&model.positions[9..].iter().map(|x| f64::from(*x)).collect::<Vec<_>>(), &place));
    assert!(rotation_angle(model.rotations.as_chunks::<4>().0[3].map(f64::from), turn) < 1e-6);
    let options = SampleOptions { axes: Axes::Gltf, space: Space::Model, ..at(&[0.0]) };
    let sampled = dopesheet::sample(&poses.to_opened("chain").unwrap(), &options).unwrap();
    let [translation, rotation] = sampled.tracks[3].channels.as_slice() else { panic!("two channels") };
    assert!(near(&translation.values, &place), "{:?}", translation.values);
    assert!(near(&rotation.values, &turn), "{:?}", rotation.values);
}

#[test]
fn poses_come_back_from_a_file() {
    let poses = two_joints();
    let made = poses.to_opened("swing").unwrap();
    for id in ["glb", "bvh"] {
        let options =
            ConvertOptions { keep_constant: true, ..ConvertOptions::to(registry::by_id(id).unwrap()) };
        let conversion = dopesheet::convert(std::slice::from_ref(&made), &options).unwrap();
        let name = format!("swing.{id}");
        let main = &conversion.output.main;
        let back = dopesheet::read(&name, main, &ReadOptions::default(), &mut |_| None).unwrap();
        let options = SampleOptions { axes: Axes::Gltf, ..SampleOptions::at(TimeSpec::Rate(30.0)) };
        let found = dopesheet::poses(&back, &options).unwrap();
        assert_eq!(found.times_s.len(), 3, "{id}");
        let expected = poses.in_model_space().unwrap().positions;
        for (row, place) in
            found.in_model_space().unwrap().positions.chunks(3 * found.joints.len()).enumerate()
        {
            let expected = &expected[6 * row..][..6];
            assert!(
                place.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-6),
                "{id}: {place:?} {expected:?}"
            );
        }
    }
}

#[test]
fn a_scene_in_memory_is_no_file() {
    let made = two_joints().to_opened("swing").unwrap();
    assert_eq!((made.format().info().id, made.stem()), ("memory", "swing"));
    assert!(dopesheet::check(&made).findings.is_empty());
    assert_eq!(dopesheet::info(&made).unwrap().clips[0].keys, 6);
    let error = made.format().write(&made.document, &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "memory: file: expected a format with files, found values in memory, which are converted to one"
    );
    assert!(registry::by_id("memory").is_none(), "nobody can ask for it");
}

#[test]
fn broken_rules_are_named_with_their_place() {
    let said = |change: fn(&mut Poses)| {
        let mut poses = two_joints();
        change(&mut poses);
        poses.validate().unwrap_err().to_string()
    };
    assert_eq!(said(|p| p.joints.clear()), "expected at least one joint, found none");
    assert_eq!(
        said(|p| p.joints[0].parent = Some(1)),
        "expected the parent of joint 0 (\"hip\") to stand before it, found parent 1"
    );
    assert_eq!(
        said(|p| p.rotations.truncate(20)),
        "expected 24 rotations (3 times, 2 joints, 4 numbers each), found 20"
    );
    assert_eq!(
        said(|p| p.translations[9] = f32::NAN),
        "expected finite translations, found NaN at time 1, joint 1 (\"leg\")"
    );
    assert_eq!(
        said(|p| p.rotations[3] = 2.0),
        "expected unit quaternions, found one of length 2 at time 0, joint 0 (\"hip\")"
    );
    assert_eq!(said(|p| p.times_s[2] = 0.0), "expected ascending times, found 0 after 0.03333333333333333");
    assert_eq!(said(|p| p.times_s[2] = f64::INFINITY), "expected finite times, found inf");
}

#[test]
fn poses_are_local_and_become_those_of_the_model() {
    let options = SampleOptions { space: Space::Model, ..at(&[0.0]) };
    let error = dopesheet::poses(&open("jump.bvh"), &options).unwrap_err();
    assert_eq!(error.to_string(), "expected poses in local space, found model space");
}
