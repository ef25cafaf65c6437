//! Human figures as motions of a model of MikuMikuDance.
#![cfg(all(feature = "mmd", feature = "gltf"))]

use dopesheet::core::diag::{ErrorUnit, Loss, Report, Severity};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Property, Scene, rebase};
use dopesheet::core::units::Seconds;
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::motion::sample::rig::{Behaviour, Player};
use dopesheet::motion::{Side, bind, channel_at};
use dopesheet::{
    Conversion, ConvertOptions, Opened, ReadOptions, convert, open, puppet::standard_model, registry,
};
use dopesheet_mmd::Vmd;
use dopesheet_testkit::{corpus, workspace};

/// Bones that are compared, by their names in VRM and in MikuMikuDance.
const JOINTS: [(B, &str); 5] = [
    (B::LeftHand, "左手首"),
    (B::RightHand, "右手首"),
    (B::LeftFoot, "左足首"),
    (B::RightFoot, "右足首"),
    (B::Head, "頭"),
];

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn converted(input: &Opened, model: Option<&Opened>, format: &str) -> (Opened, Conversion) {
    scaled(input, model, format, None)
}

fn scaled(input: &Opened, model: Option<&Opened>, format: &str, unit: Option<f64>) -> (Opened, Conversion) {
    let (id, variant) = registry::split_variant(format);
    let to = registry::by_id(id).unwrap();
    let variant = variant.map(str::to_owned);
    let options = ConvertOptions {
        model,
        variant,
        metres_per_unit: unit,
        planted: dopesheet::human::Planted::Nothing,
        ..ConvertOptions::to(to)
    };
    let made = convert(std::slice::from_ref(input), &options).unwrap();
    let bytes = &made.output.main;
    let read = open::read_as(to, &format!("x.{id}"), bytes, &ReadOptions::default(), &mut |_| None);
    (read.unwrap(), made)
}

fn scene(opened: &Opened) -> Scene {
    let mut scene =
        opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// The standard model with a motion on its bones.
fn on_standard(motion: &Opened) -> Scene {
    let model = scene(&standard_model().unwrap());
    bind(scene(motion), model, &NameMap::default(), &mut Report::default())
}

fn node(scene: &Scene, name: &str) -> usize {
    scene.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The largest distance at some times between joints of a VRMA and those of the standard model that plays a VMD.
fn apart(
    vrma: &Opened,
    vmd: &Opened,
    joints: &[(B, &'static str)],
    times: &[f64],
) -> (f64, &'static str, f64) {
    let (figure, played) = (scene(vrma), on_standard(vmd));
    let humanoid = figure.humanoid.clone().unwrap();
    let mut player = Player::new(&played, &played.clips[0], Behaviour::default()).unwrap();
    let mut worst = (0.0, "", 0.0);
    for time in times {
        let wanted = model_pose(&figure, &local_pose(&figure, &figure.clips[0], Seconds(*time))).0;
        let solved = &player.pose_at(Seconds(*time), Side::At).model;
        for (bone, name) in joints {
            let (wanted, solved) = (&wanted[humanoid.bones[bone].0], &solved[node(&played, name)]);
            let off = distance(wanted.translation.to_array(), solved.translation);
            if off > worst.0 {
                worst = (off, *name, *time);
            }
        }
    }
    worst
}

/// 20 times from the start to the end.
fn twenty(vrma: &Opened) -> Vec<f64> {
    let end = scene(vrma).clips[0].duration.0;
    (0..20).map(|n| end * f64::from(n) / 19.0).collect()
}

fn frames(vrma: &Opened) -> Vec<f64> {
    let end = (scene(vrma).clips[0].duration.0 * 30.0).round() as u32;
    (0..=end).map(|frame| f64::from(frame) / 30.0).collect()
}

fn bones(vmd: &Opened) -> Vec<String> {
    let scene = scene(vmd);
    let tracks = scene.clips[0].tracks.iter();
    tracks.map(|track| track.target.name.clone()).collect()
}

#[test]
fn motions_that_went_through_vrma_put_hands_feet_and_head_where_they_were() {
    let model = standard_model().unwrap();
    for name in ["bow.vmd", "walk.vmd"] {
        let (vrma, _) = converted(&sample(name), Some(&model), "vrma");
        let (vmd, _) = converted(&vrma, Some(&model), "vmd");
        let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &twenty(&vrma));
        println!("{name}: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
        assert!(off < 0.02, "{name}: {off} m at {joint}, {time} s");
        assert!(off > 0.0, "{name} moves");
    }
}

#[test]
fn knees_and_toes_are_where_they_were_on_every_frame() {
    let model = standard_model().unwrap();
    let (vrma, _) = converted(&sample("walk.vmd"), Some(&model), "vrma");
    let (vmd, _) = converted(&vrma, Some(&model), "vmd");
    let joints = [
        (B::LeftLowerLeg, "左ひざ"),
        (B::RightLowerLeg, "右ひざ"),
        (B::LeftToes, "左足先EX"),
        (B::RightToes, "右足先EX"),
    ];
    let (off, joint, time) = apart(&vrma, &vmd, &joints, &frames(&vrma));
    println!("knees and toes: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
    assert!(off < 0.002, "{off} m at {joint}, {time} s");
}

#[test]
fn dances_of_the_corpus_come_back_as_they_were() {
    let Some(folder) = corpus("mmd") else { return };
    let model = standard_model().unwrap();
    let mut seen = 0;
    for name in ["kishimen.vmd", "walk.vmd", "makoto_guard1.vmd", "yayoi_right_hand_rise2.vmd"] {
        let motion = open(&folder.join("vmd").join(name), None, &ReadOptions::default()).unwrap();
        let (vrma, _) = converted(&motion, Some(&model), "vrma");
        let (vmd, _) = converted(&vrma, Some(&model), "vmd");
        let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &twenty(&vrma));
        println!("{name}: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
        assert!(off < 0.02, "{name}: {off} m at {joint}, {time} s");
        let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &frames(&vrma));
        println!("{name}, on frames: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
        assert!(off < 0.005, "{name}, on frames: {off} m at {joint}, {time} s");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

/// The rotation of a bone's first key, x y z w in glTF's axes.
fn first_turn(vmd: &Opened, bone: &str) -> Option<[f64; 4]> {
    let scene = scene(vmd);
    let track = scene.clips[0].tracks.iter().find(|track| track.target.name == bone)?;
    let channel = track.channels.iter().find(|channel| channel.property == Property::Rotation)?;
    let mut value = Vec::new();
    channel_at(channel, Seconds(0.0), Side::At, &mut value).then(|| value.try_into().unwrap())
}

fn nod() -> Opened {
    let path = workspace().join("formats/gltf/src/vrma/fixtures/valid/nod.vrma");
    open(&path, None, &ReadOptions::default()).unwrap()
}

#[test]
fn arms_of_a_t_pose_are_raised_from_the_a_pose_of_the_model() {
    let model = standard_model().unwrap();
    let (vmd, _) = converted(&nod(), Some(&model), "vmd");
    // The model's arms point 35° below the horizontal.
    let half = 35f64.to_radians() / 2.0;
    for (arm, side) in [("左腕", 1.0), ("右腕", -1.0)] {
        let turn = first_turn(&vmd, arm).unwrap();
        let wanted = [0.0, 0.0, side * half.sin(), half.cos()];
        assert!(turn.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{arm}: {turn:?}");
    }
    assert_eq!(first_turn(&vmd, "左ひじ"), None, "the elbow is straight");
}

#[test]
fn a_figure_gets_the_bones_the_morphs_and_the_ik_of_the_model() {
    let model = standard_model().unwrap();
    let (vmd, made) = converted(&nod(), Some(&model), "vmd");
    let names = bones(&vmd);
    for name in ["センター", "頭", "両目", "左腕", "左足ＩＫ", "あ", "pout"] {
        assert!(names.iter().any(|own| own == name), "{name}: {names:?}");
    }
    for name in ["hips", "つま先", "aa"] {
        assert!(!names.iter().any(|own| own == name), "{name}: {names:?}");
    }
    let document = vmd.document.downcast_ref::<Vmd>().unwrap();
    let switches: Vec<_> = document.models[0].ik.iter().map(|ik| (ik.bone().text(), ik.enabled)).collect();
    let on = ["左足ＩＫ", "左つま先ＩＫ", "右足ＩＫ", "右つま先ＩＫ"].map(|goal| (goal.to_owned(), 1));
    assert_eq!(switches, on);
    let lines = made.report.report.losses.iter();
    let measured: Vec<_> = lines
        .filter_map(|loss| match loss {
            Loss::Approximated { what, max_error, .. } if what.contains("with its rig") => Some(max_error),
            _ => None,
        })
        .collect();
    assert!((1..=3).contains(&measured.len()), "wrists, ankles, head");
    assert!(measured.iter().all(|e| e.unit == ErrorUnit::Metre && !e.target.is_empty() && e.value < 0.01));
}

#[test]
fn a_smaller_figure_moves_the_model_as_one_of_its_size_does() {
    let model = standard_model().unwrap();
    let (vrma, _) = converted(&sample("walk.vmd"), Some(&model), "vrma");
    let (vmd, _) = scaled(&vrma, Some(&model), "vmd", Some(0.5));
    let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &twenty(&vrma));
    println!("half the size: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
    assert!(off < 0.02, "{off} m at {joint}, {time} s");
}

#[test]
fn without_a_model_a_figure_keeps_its_own_names_and_says_so() {
    let (vmd, made) = converted(&nod(), None, "vmd");
    assert!(bones(&vmd).iter().any(|name| name == "hips"));
    let said: Vec<String> = made.report.report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("warning model-missing: ") && said[0].contains("-m standard"), "{said:?}");
}

#[test]
fn hair_that_a_figure_lacks_is_a_remark_and_a_bone_is_a_warning() {
    for (bone, severity) in [("髪", Severity::Info), ("あご", Severity::Warning)] {
        let mut walk = sample("walk.vmd");
        let document = walk.document.get_mut::<dopesheet_mmd::vmd::Document>().unwrap();
        let name = dopesheet_mmd::text::Name::encode(bone, false).unwrap().name;
        let mut keys: Vec<_> = document.bones.iter().filter(|key| key.name.text() == "頭").cloned().collect();
        assert!(keys.len() > 1);
        keys.iter_mut().for_each(|key| key.name = name);
        document.bones.extend(keys);
        for (model, format) in [(None, "vrma"), (Some(&standard_model().unwrap()), "glb")] {
            let report = converted(&walk, model, format).1.report.report;
            let unbound = report.findings.iter().find(|finding| finding.fault.code == "unbound-track");
            assert_eq!(
                unbound.map(|finding| finding.severity),
                Some(severity),
                "{bone}, {format}: {report:?}"
            );
            let is_told = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what.contains(bone));
            assert!(report.losses.iter().any(is_told), "{bone}, {format}: {report:?}");
        }
    }
}

#[test]
fn bones_with_the_names_of_the_model_are_joined_by_name() {
    let model = standard_model().unwrap();
    let (glb, _) = converted(&sample("bow.vmd"), None, "glb");
    let (vmd, _) = converted(&glb, Some(&model), "vmd");
    let turned = |opened: &Opened| first_turn(opened, "左腕").unwrap();
    let (own, there) = (turned(&vmd), turned(&sample("bow.vmd")));
    assert!(own.iter().zip(there).all(|(a, b)| (a - b).abs() < 1e-5), "{own:?}, {there:?}");
}

#[test]
fn figures_that_only_names_tell_move_the_model_as_well() {
    let model = standard_model().unwrap();
    let (vrma, _) = converted(&sample("bow.vmd"), Some(&model), "vrma");
    let (glb, _) = converted(&vrma, None, "glb");
    assert_eq!(scene(&glb).humanoid, None);
    let (vmd, _) = converted(&glb, Some(&model), "vmd");
    let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &twenty(&vrma));
    println!("bow.glb: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
    assert!(off < 0.02, "{off} m at {joint}, {time} s");
    let (vpd, _) = converted(&vrma, Some(&model), "vpd");
    assert!(bones(&vpd).iter().any(|name| name == "左腕"), "a pose is one, too");
}

/// The largest distance at some times between bones of the standard model that plays one VMD or another.
#[cfg(feature = "bvh")]
fn apart_on_standard(motions: [&Opened; 2], times: &[f64]) -> (f64, &'static str, f64) {
    let scenes = motions.map(on_standard);
    let mut players = [&scenes[0], &scenes[1]]
        .map(|scene| Player::new(scene, &scene.clips[0], Behaviour::default()).unwrap());
    let mut worst = (0.0, "", 0.0);
    for time in times {
        let [a, b] = &mut players;
        let (a, b) = (
            a.pose_at(Seconds(*time), Side::At).model.clone(),
            b.pose_at(Seconds(*time), Side::At).model.clone(),
        );
        for (_, name) in JOINTS {
            let index = node(&scenes[0], name);
            let off = distance(a[index].translation, b[index].translation);
            if off > worst.0 {
                worst = (off, name, *time);
            }
        }
    }
    worst
}

#[test]
#[cfg(feature = "bvh")]
fn motions_that_went_through_bvh_put_hands_feet_and_head_where_they_were() {
    let model = standard_model().unwrap();
    for name in ["bow.vmd", "walk.vmd"] {
        let own = sample(name);
        let (bvh, _) = converted(&own, Some(&model), "bvh");
        let (vmd, _) = converted(&bvh, Some(&model), "vmd");
        let (off, joint, time) = apart_on_standard([&own, &vmd], &twenty(&bvh));
        println!("{name}: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
        assert!(off < 0.02, "{name}: {off} m at {joint}, {time} s");
        assert!(off > 0.0, "{name} moves");
    }
}

#[test]
#[cfg(all(feature = "bvh", feature = "numpy"))]
fn motions_that_went_through_arrays_put_hands_feet_and_head_where_they_were() {
    let model = standard_model().unwrap();
    // Rotations of every joint, and places alone.
    for arrays in ["npz@clip", "npz@positions"] {
        for name in ["bow.vmd", "walk.vmd"] {
            let own = sample(name);
            let (npz, _) = converted(&own, Some(&model), arrays);
            let (vmd, _) = converted(&npz, Some(&model), "vmd");
            let (off, joint, time) = apart_on_standard([&own, &vmd], &twenty(&npz));
            println!("{name} as {arrays}: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
            assert!(off < 0.02, "{name} as {arrays}: {off} m at {joint}, {time} s");
            assert!(off > 0.0, "{name} moves");
        }
    }
}

/// The names that a figure of motion capture has for bones of the standard model.
#[cfg(feature = "bvh")]
const CAPTURED: [(&str, &str); 21] = [
    ("下半身", "Hips"),
    ("上半身", "Spine"),
    ("上半身2", "Spine1"),
    ("首", "Neck"),
    ("頭", "Head"),
    ("左肩", "LeftShoulder"),
    ("左腕", "LeftArm"),
    ("左ひじ", "LeftForeArm"),
    ("左手首", "LeftHand"),
    ("右肩", "RightShoulder"),
    ("右腕", "RightArm"),
    ("右ひじ", "RightForeArm"),
    ("右手首", "RightHand"),
    ("左足", "LeftUpLeg"),
    ("左ひざ", "LeftLeg"),
    ("左足首", "LeftFoot"),
    ("左足先EX", "LeftToeBase"),
    ("右足", "RightUpLeg"),
    ("右ひざ", "RightLeg"),
    ("右足首", "RightFoot"),
    ("右足先EX", "RightToeBase"),
];

#[test]
#[cfg(feature = "bvh")]
fn figures_of_motion_capture_move_the_model_and_become_vrma() {
    let model = standard_model().unwrap();
    let own = sample("walk.vmd");
    let (bvh, _) = converted(&own, Some(&model), "bvh");
    let mut text = String::from_utf8(
        convert(std::slice::from_ref(&bvh), &ConvertOptions::to(registry::by_id("bvh").unwrap()))
            .unwrap()
            .output
            .main,
    )
    .unwrap();
    for (ours, theirs) in CAPTURED {
        let (old, new) = (format!("JOINT {ours}\n"), format!("JOINT {theirs}\n"));
        assert_eq!(text.matches(&old).count(), 1, "{ours}");
        text = text.replace(&old, &new);
    }
    let to = registry::by_id("bvh").unwrap();
    let captured =
        open::read_as(to, "capture.bvh", text.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap();
    let (vrma, _) = converted(&captured, None, "vrma");
    assert!(scene(&vrma).humanoid.unwrap().bones.len() >= 21);
    let (vmd, _) = converted(&captured, Some(&model), "vmd");
    assert!(bones(&vmd).iter().any(|name| name == "左足ＩＫ"));
    let (off, joint, time) = apart(&vrma, &vmd, &JOINTS, &twenty(&vrma));
    println!("capture: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
    assert!(off < 0.02, "{off} m at {joint}, {time} s");
    let (off, joint, time) = apart_on_standard([&own, &vmd], &twenty(&bvh));
    println!("capture and the motion that it was: {:.3} cm at {joint}, {time:.2} s", off * 100.0);
    assert!(off < 0.05, "{off} m at {joint}, {time} s");
}

#[test]
#[cfg(feature = "bvh")]
fn motion_capture_comes_back_from_glb_within_the_tolerance() {
    let model = standard_model().unwrap();
    let (bvh, _) = converted(&sample("walk.vmd"), Some(&model), "bvh");
    let (glb, _) = converted(&bvh, None, "glb");
    let to = registry::by_id("bvh").unwrap();
    let options =
        ConvertOptions { bake: dopesheet::core::units::FrameRate::new(30, 1), ..ConvertOptions::to(to) };
    let made = convert(std::slice::from_ref(&glb), &options).unwrap();
    let back = open::read_as(to, "x.bvh", &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    let (a, b) = (scene(&bvh), scene(&back));
    let mut worst = 0.0f64;
    for frame in 0..=132 {
        let time = Seconds(f64::from(frame) / 30.0);
        let pose = |scene: &Scene| model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0;
        let (before, after) = (pose(&a), pose(&b));
        for (index, joint) in a.nodes.iter().enumerate().filter(|(_, node)| !node.name.ends_with("_end")) {
            let after = after[node(&b, &joint.name)].translation;
            worst = worst.max(before[index].translation.distance(after));
        }
    }
    println!("bvh to glb to bvh: {:.4} mm", worst * 1e3);
    assert!(worst < 1e-4, "{worst} m");
    assert!(worst > 0.0);
}
