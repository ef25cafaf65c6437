//! Arrays of NumPy beside other formats: bodies and points become files, and arrays again, within stated bounds.
#![cfg(all(feature = "numpy", feature = "bvh", feature = "gltf", feature = "mmd"))]

use dopesheet::core::format::{Format, NameMap, Source, WriteOptions};
use dopesheet::core::model::Scene;
use dopesheet::human::{Floor, Planted, propose};
use dopesheet::{
    Conversion, ConvertOptions, Loss, Opened, ReadOptions, SampleOptions, TimeSpec, convert,
    core::format::Assumptions, puppet::standard_model, registry, sample::Axes,
};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{Array, Document, smpl_joints};

fn opened(arrays: Vec<(&str, Array)>) -> Opened {
    let document = Document::of_arrays(arrays.into_iter().map(|(name, array)| (name.to_owned(), array)));
    read("made.npz", &Npz::write(&document, &WriteOptions::default()).unwrap().main)
}

fn read(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn to(source: &Opened, word: &str, model: Option<&Opened>) -> Conversion {
    let (id, variant) = registry::split_variant(word);
    let format = registry::by_id(id).unwrap();
    let variant = variant.map(str::to_owned);
    convert(&[source], &ConvertOptions { variant, model, ..ConvertOptions::to(format) }).unwrap()
}

fn again(source: &Opened, word: &str) -> Opened {
    let conversion = to(source, word, None);
    read(&format!("made.{}", registry::split_variant(word).0), &conversion.output.main)
}

/// Where the joints are in glTF's axes and metres at `fps`, by their names.
fn places(opened: &Opened, fps: f64) -> Vec<(String, Vec<[f32; 3]>)> {
    let options = SampleOptions { axes: Axes::Gltf, ..SampleOptions::at(TimeSpec::Rate(fps)) };
    let poses = dopesheet::poses(opened, &options).unwrap();
    let model = poses.in_model_space().unwrap();
    let points = model.positions.as_chunks::<3>().0;
    let column = |joint: usize| points.iter().skip(joint).step_by(poses.joints.len()).copied().collect();
    poses.joints.iter().enumerate().map(|(index, joint)| (joint.name.clone(), column(index))).collect()
}

/// The largest distance between joints of equal names, and how many places were compared.
fn farthest(a: &[(String, Vec<[f32; 3]>)], b: &[(String, Vec<[f32; 3]>)]) -> (f32, usize) {
    let (mut worst, mut count) = (0.0f32, 0);
    for (name, own) in a {
        let Some((_, other)) = b.iter().find(|(other, _)| other == name) else { continue };
        assert_eq!(own.len(), other.len(), "{name}");
        for (p, q) in own.iter().zip(other) {
            worst = worst.max(p.iter().zip(q).map(|(x, y)| (x - y).powi(2)).sum::<f32>().sqrt());
            count += 1;
        }
    }
    (worst, count)
}

/// A body that walks on, bends its knees and waves, as AMASS has it: Z up, 30 frames per second.
fn body(joints: usize) -> Vec<(&'static str, Array)> {
    let frames = 24;
    let numbers = (0..frames).flat_map(|frame| {
        (0..3 * joints).map(move |n| {
            let phase = f64::from(frame) * 0.2 + n as f64 * 0.7;
            // The root stands up in the world: a quarter of a turn about X.
            let upright = if n == 0 { std::f64::consts::FRAC_PI_2 } else { 0.0 };
            upright + if n < 3 { 0.1 * phase.sin() } else { 0.25 * phase.sin() }
        })
    });
    let gone = (0..frames).flat_map(|frame| [0.02 * f64::from(frame), -0.03 * f64::from(frame), 0.95]);
    let frames = frames as usize;
    vec![
        ("poses", Array::f64s(&[frames, 3 * joints], numbers)),
        ("trans", Array::f64s(&[frames, 3], gone)),
        ("mocap_framerate", Array::f64s(&[], [30.0])),
        ("betas", Array::f64s(&[2], [0.5, -1.0])),
        ("gender", Array::texts(&[], &["female"])),
    ]
}

#[test]
fn the_bones_of_a_body_are_those_that_its_names_say() {
    for count in [22, 24, 52, 55] {
        let joints = smpl_joints(count).unwrap();
        let mut scene = Scene::new(dopesheet::core::model::Basis::GLTF);
        for joint in &joints {
            let parent = joint.parent.map(dopesheet::core::model::NodeIndex);
            scene.push_node(dopesheet::core::model::Node::new(&joint.name, parent, Default::default()));
        }
        let proposal = propose(&scene, &NameMap::default());
        assert_eq!((proposal.vocabulary.map(|own| own.word()), proposal.certainty), (Some("SMPL"), 1.0));
        let named: Vec<_> = proposal.humanoid.bones.iter().map(|(bone, node)| (*bone, node.0)).collect();
        let mut stated: Vec<_> =
            joints.iter().enumerate().filter_map(|(index, joint)| Some((joint.bone?, index))).collect();
        stated.sort();
        assert_eq!(named, stated, "{count}");
    }
}

#[test]
fn a_body_stands_upright_in_every_format() {
    let source = opened(body(52));
    let expected = places(&source, 30.0);
    let head = &expected.iter().find(|(name, _)| name == "head").unwrap().1[0];
    assert!(head[1] > 1.3, "{head:?}");
    for (id, bound) in [("bvh", 2e-4), ("glb", 2e-4), ("npz@clip", 1e-5), ("npz@positions", 1e-5)] {
        let (off, count) = farthest(&expected, &places(&again(&source, id), 30.0));
        assert!(off <= bound && count == 24 * 52, "{id}: {off} m at {count} places");
    }
}

#[test]
fn a_body_comes_back_from_other_formats_as_it_was() {
    for (joints, variant) in [(24, "npz@smpl"), (52, "npz@smplh"), (55, "npz@smplx")] {
        let source = opened(body(joints));
        for between in ["glb", "bvh"] {
            let back = again(&again(&source, between), variant);
            let (off, count) = farthest(&places(&source, 30.0), &places(&back, 30.0));
            let known = smpl_joints(joints).unwrap().iter().filter(|joint| joint.bone.is_some()).count();
            assert!(count >= 24 * known, "{between}: {count}");
            assert!(off <= 1e-3, "{variant} by way of {between}: {off} m");
        }
    }
}

#[test]
fn a_body_comes_back_from_the_layouts_of_motion_x_and_kimodo_as_it_was() {
    let source = opened(body(55));
    for (variant, joints) in [("npz@motionx", 53), ("npz@kimodo", 22), ("npz@amass", 52)] {
        let (off, count) = farthest(&places(&source, 30.0), &places(&again(&source, variant), 30.0));
        // Motion-X has no eyes, and only they may be elsewhere.
        assert!(count >= 24 * joints, "{variant}: {count}");
        assert!(off <= 1e-3, "{variant}: {off} m");
    }
}

#[test]
fn bodies_of_isaac_lab_stand_where_the_joints_of_a_figure_are() {
    let source = opened(body(22));
    let conversion = to(&source, "npz@isaaclab", None);
    let robot = read("robot.npz", &conversion.output.main);
    let (off, count) = farthest(&places(&source, 30.0), &places(&robot, 30.0));
    assert!(off <= 1e-5 && count == 24 * 22, "{off} m at {count} places");
    let lost = conversion.report.report.losses.iter().map(ToString::to_string).collect::<String>();
    assert!(lost.contains("only a robot has motors"), "{lost}");
    let back = to(&robot, "npz@isaaclab", None);
    let again = read("again.npz", &back.output.main);
    let (off, count) = farthest(&places(&robot, 30.0), &places(&again, 30.0));
    assert!(off <= 1e-6 && count == 24 * 22, "{off} m at {count} places");
}

#[test]
fn bodies_side_by_side_are_no_human_figure() {
    let made = to(&opened(body(22)), "npz@isaaclab", None).output.main;
    let source = Source::new(&made);
    let document = Npz::read(&source, &Default::default(), &mut Default::default()).unwrap();
    let arrays = document.arrays().filter(|(name, _)| name != "parents");
    let without = Document::of_arrays(arrays.map(|(name, array)| (name, array.clone())));
    let robot = read("robot.npz", &Npz::write(&without, &WriteOptions::default()).unwrap().main);
    let format = registry::by_id("npz").unwrap();
    let options = ConvertOptions { variant: Some("kimodo".into()), ..ConvertOptions::to(format) };
    let error = convert(&[&robot], &options).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("for its hierarchy"), "{error}");
}

#[test]
fn a_body_moves_a_figure_of_vrm_and_a_model_of_mikumikudance() {
    let source = opened(body(52));
    let vrma = to(&source, "vrma", None);
    assert!(vrma.report.report.findings.iter().any(|own| own.fault.code == "npz-rest-assumed"));
    let figure = places(&read("made.vrma", &vrma.output.main), 30.0);
    let hand = &figure.iter().find(|(name, _)| name == "leftHand").unwrap().1;
    let own = &places(&source, 30.0).into_iter().find(|(name, _)| name == "left_wrist").unwrap().1;
    let off = hand.iter().zip(own).map(|(a, b)| (0..3).map(|n| (a[n] - b[n]).abs()).fold(0.0, f32::max));
    assert!(off.fold(0.0, f32::max) <= 1e-3, "the figure has the body's own bones");
    let model = standard_model().unwrap();
    let vmd = to(&source, "vmd", Some(&model));
    let moved = read("made.vmd", &vmd.output.main);
    let tracks = dopesheet::info(&moved).unwrap().clips[0].tracks;
    assert!(tracks > 40, "{tracks}");
    let missing = vmd.report.report.findings.iter().any(|own| own.fault.code == "model-missing");
    assert!(!missing, "the model is there");
}

#[test]
fn a_body_of_unknown_lengths_stands_on_the_floor_however_high_its_pelvis_is() {
    let frames = 24;
    let standing = |pelvis: f64| {
        let upright = (0..frames * 156).map(|n| if n % 156 == 0 { std::f64::consts::FRAC_PI_2 } else { 0.0 });
        opened(vec![
            ("poses", Array::f64s(&[frames, 156], upright)),
            ("trans", Array::f64s(&[frames, 3], (0..frames).flat_map(|_| [0.0, 0.0, pelvis]))),
            ("mocap_framerate", Array::f64s(&[], [30.0])),
        ])
    };
    let figure = standard_model().unwrap();
    let made = |pelvis: f64, floor: Floor| {
        let onto = ConvertOptions {
            onto: Some(&figure),
            floor,
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        };
        let made = convert(&[&standing(pelvis)], &onto).unwrap();
        let heights = places(&read("made.glb", &made.output.main), 30.0);
        let ankle = heights.into_iter().find(|(name, _)| name == "左足首").unwrap().1[12][1];
        (ankle, format!("{:?}", made.report.report.losses))
    };
    let (reference, told) = made(0.9734, Floor::Weighed);
    assert!(!told.contains("the file's zero"), "{told}");
    for pelvis in [0.75, 0.9, 1.05, 1.4] {
        let (ankle, told) = made(pelvis, Floor::Weighed);
        assert!((ankle - reference).abs() < 0.005, "{pelvis}: {ankle} {reference}");
        assert!(told.contains("the ground, taken from where its feet stand"), "{pelvis}: {told}");
        let (ankle, told) = made(pelvis, Floor::Origin);
        assert!((ankle - reference).abs() > 0.04 && !told.contains("the file's zero"), "{pelvis}: {told}");
    }
}

/// Joints by name, and where each is at every frame.
type Places = Vec<(String, Vec<[f32; 3]>)>;

/// The 22 joints of a body as points, as HumanML3D has them.
fn points(stretch: f64) -> (Opened, Places) {
    let mut arrays = body(22);
    arrays.retain(|(name, _)| *name != "mocap_framerate");
    arrays.extend([("fps", Array::f64s(&[], [20.0])), ("axes", Array::texts(&[], &["zup"]))]);
    let expected = places(&opened(arrays), 20.0);
    let rows = (0..24).flat_map(|frame| expected.iter().flat_map(move |(_, own)| own[frame]));
    let rows = rows.enumerate().map(|(n, x)| x + (stretch * (n as f64 * 1.3).sin()) as f32);
    let array = Array::f32s(&[24, 22, 3], rows);
    let bytes = Npz::write(&Document::of_array(array), &WriteOptions::default()).unwrap().main;
    (read("points.npy", &bytes), expected)
}

/// Error of the positions in the report, in metres.
fn off(conversion: &Conversion) -> f64 {
    let losses = conversion.report.report.losses.iter();
    let mut found = losses.filter_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("places of 22 joints") => {
            Some(max_error.value)
        }
        _ => None,
    });
    found.next().expect("how far joints are off is said")
}

#[test]
fn points_of_a_body_become_rotations_and_points_again() {
    let (source, expected) = points(0.0);
    let conversion = to(&source, "bvh", None);
    assert!(off(&conversion) <= 1e-5, "{}", off(&conversion));
    let (apart, count) = farthest(&expected, &places(&read("made.bvh", &conversion.output.main), 20.0));
    assert!(apart <= 2e-4 && count == 24 * 22, "{apart} m at {count} places");
    let back = again(&source, "npz@humanml3d");
    let (apart, count) = farthest(&expected, &places(&back, 20.0));
    assert!(apart <= 1e-3 && count == 24 * 22, "{apart} m at {count} places");
}

#[test]
fn bones_whose_length_changes_are_off_by_what_is_said() {
    let (source, _) = points(0.01);
    let conversion = to(&source, "glb", None);
    let said = off(&conversion);
    assert!((1e-3..0.08).contains(&said), "{said}");
    let noisy = places(&source, 20.0);
    let (apart, _) = farthest(&noisy, &places(&read("made.glb", &conversion.output.main), 20.0));
    assert!((f64::from(apart) - said).abs() <= 5e-4, "{apart} m, and {said} m are said");
}

#[test]
fn raw_points_stay_where_they_are() {
    let (source, _) = points(0.01);
    let format = registry::by_id("glb").unwrap();
    let made = convert(&[&source], &ConvertOptions { raw: true, ..ConvertOptions::to(format) }).unwrap();
    let (apart, count) = farthest(&places(&source, 20.0), &places(&read("raw.glb", &made.output.main), 20.0));
    assert!(apart <= 2e-4 && count == 24 * 22, "{apart} m at {count} places");
}

#[test]
fn only_formats_that_leave_something_open_take_assumptions() {
    let facts: Assumptions = "rate=30".parse().unwrap();
    let mut listed = Vec::new();
    for format in registry::formats().iter().filter(|format| !format.assumable().is_empty()) {
        listed.push(format.info().id);
    }
    assert_eq!(listed, ["more", "bvh", "npz"]);
    let mut walk = dopesheet::open(
        &dopesheet_testkit::workspace().join("samples/walk.vmd"),
        None,
        &ReadOptions::default(),
    )
    .unwrap();
    let error = walk.assume(&facts).unwrap_err().to_string();
    assert_eq!(error, "vmd: MikuMikuDance motion (VMD) leaves nothing open that could be assumed");
}

#[cfg(feature = "research")]
#[test]
fn features_have_the_lengths_of_the_figure_that_a_motion_is_put_onto() {
    let room = dopesheet_testkit::workspace().join("formats/numpy/tests/all/npz/humanml3d/figure.npy");
    let figure = read("000021.npy", &dopesheet_testkit::bytes(&room));
    let joints = |opened: &Opened| -> Vec<f64> {
        let document = opened.document.get::<Document>().unwrap();
        document.arrays().next().unwrap().1.numbers().unwrap()
    };
    let own = joints(&figure);
    let walk = dopesheet::open(
        &dopesheet_testkit::workspace().join("samples/walk.vmd"),
        None,
        &ReadOptions::default(),
    )
    .unwrap();
    let model = standard_model().unwrap();
    let options = ConvertOptions {
        variant: Some("features,npy".to_owned()),
        model: Some(&model),
        onto: Some(&figure),
        ..ConvertOptions::to(registry::by_id("npz").unwrap())
    };
    for (asked, option) in [
        (ConvertOptions { motion_only: true, ..options.clone() }, "--motion-only"),
        (ConvertOptions { planted: Planted::Nothing, ..options.clone() }, "--contacts"),
    ] {
        let refused = convert(&[&walk], &asked).unwrap_err().to_string();
        assert!(
            refused.ends_with(&format!("takes only lengths from 000021.npy; leave {option} out")),
            "{refused}"
        );
    }
    let made = convert(&[&walk], &options).unwrap();
    let rows = joints(&read("made.npy", &made.output.main));
    assert!(rows.len() > 263 * 20 && rows.len().is_multiple_of(263));
    let distance = |all: &[f64], a: usize, b: usize| {
        (0..3).map(|axis| (all[3 * a + axis] - all[3 * b + axis]).powi(2)).sum::<f64>().sqrt()
    };
    for row in rows.chunks_exact(263) {
        // Joint 1 is the first whose position a row has, behind four numbers of the root.
        for (parent, joint) in [(2, 5), (5, 8), (17, 19), (12, 15)] {
            let length = distance(&row[4..67], parent - 1, joint - 1);
            assert!((length - distance(&own, parent, joint)).abs() < 1e-4, "{parent} and {joint}: {length}");
        }
    }
}
