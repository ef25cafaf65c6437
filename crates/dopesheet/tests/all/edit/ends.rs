//! Motion that files play beside their keys, and have to play after an edit as well: ends that are held, repetitions, cuts, and parts without keys.

use crate::edit::formats::{edited, opened, speed, trim, written};
use dopesheet::core::diag::{ErrorUnit, Loss};
use dopesheet::core::times::TimeValue;
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::edit::{Kept, KeyChange, Keys, Loop, Operation, Reduce, Repeat, Resample, described};
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::motion::{Side, Tolerance, channel_at};
use dopesheet::{ClipChoice, ConvertOptions, Error, Opened, convert, registry};
use dopesheet_testkit::{bytes, workspace};
use glam::DAffine3;

/// A sound fixture of a room.
fn fixture(room: &str, name: &str) -> Opened {
    let path = workspace().join("formats").join(room).join("fixtures/valid").join(name);
    opened(&path, &bytes(&path)).unwrap()
}

/// The file after an operation, read again.
fn after(file: &Opened, operation: Operation) -> Opened {
    let made = edited(file, &[operation]);
    Opened { report: made.report.clone(), ..opened(made.name.as_ref(), &written(&made)).unwrap() }
}

fn insert(at: TimeValue) -> Operation {
    Operation::Keys(Keys { on: Kept::default(), change: KeyChange::Insert { at }, snap: false })
}

/// Pose of a node in the model at a time.
fn pose(file: &Opened, node: &str, time: f64) -> DAffine3 {
    let scene = dopesheet::edit::scene(file).unwrap();
    let at = scene.nodes.iter().position(|own| own.name == node).unwrap();
    model_pose(&scene, &local_pose(&scene, &scene.clips[0], Seconds(time))).0[at]
}

/// Value of a channel of a target at a time.
fn value(file: &Opened, target: &str, property: &str, time: f64) -> Vec<f64> {
    let scene = dopesheet::edit::scene(file).unwrap();
    let mut tracks = scene.clips[0].tracks.iter().filter(|track| track.target.name == target);
    let channel = tracks.find_map(|track| track.channels.iter().find(|own| own.property.word() == property));
    let mut value = Vec::new();
    assert!(channel_at(channel.unwrap(), Seconds(time), Side::At, &mut value));
    value
}

fn end(file: &Opened) -> f64 {
    dopesheet::edit::scene(file).unwrap().clips[0].end().0
}

/// Largest error of a unit that a report states.
fn stated(file: &Opened, unit: ErrorUnit) -> f64 {
    let errors = file.report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { max_error, .. } if max_error.unit == unit => Some(max_error.value),
        _ => None,
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn a_recording_lasts_as_long_as_its_range_where_nothing_moves_at_the_end() {
    let recording = fixture("mrtk2/src/animation", "version-1-0.bin");
    let trimmed = after(&recording, trim("1:2.4"));
    assert!((end(&trimmed) - 1.4).abs() < 1e-6, "{}", end(&trimmed));
    // The last key holds its value until the one at 3 s, and repeats were there beyond that alone.
    let [before, held] = [(&recording, 2.3), (&trimmed, 1.3)].map(|(file, time)| pose(file, "Camera", time));
    assert!(held.translation.distance(before.translation) < 1e-6, "{held:?} instead of {before:?}");
}

#[test]
fn a_recording_whose_components_lack_keys_is_repeated_whole() {
    let recording = fixture("mrtk2/src/animation", "head-and-gaze.bin");
    let twice = after(&recording, Operation::Repeat(Repeat { times: 2 }));
    assert_eq!(end(&twice), 4.0);
    for (node, time) in [("Camera", 0.7), ("Gaze", 1.4)] {
        let before = pose(&recording, node, time);
        for later in [0.0, 2.0] {
            assert!(
                pose(&twice, node, time + later).abs_diff_eq(before, 1e-6),
                "{node} at {time} + {later} s"
            );
        }
    }
}

#[test]
fn a_gaze_that_stays_as_it_was_has_no_error_of_a_reduction() {
    let recording = fixture("mrtk2/src/animation", "head-and-gaze.bin");
    let tolerance = Tolerance { length_m: 1e-3, ..Tolerance::DEFAULT };
    let fewer = after(&recording, Operation::Reduce(Reduce { tolerance, editable: false }));
    assert!(stated(&fewer, ErrorUnit::Metre) <= 1e-3, "{:?}", fewer.report);
}

#[cfg(feature = "unity")]
#[test]
fn a_curve_that_repeats_within_its_clip_repeats_in_every_copy_of_it() {
    let wave = fixture("unity/src/animation", "crlf.anim");
    let twice = after(&wave, Operation::Repeat(Repeat { times: 2 }));
    let second = end(&twice) - end(&wave);
    let told = stated(&twice, ErrorUnit::Metre);
    assert!(0.0 < told && told <= 1e-4, "repetitions have keys of their own: {:?}", twice.report);
    for time in [0.4, 1.2, 1.4] {
        let before = pose(&wave, "Spine", time);
        for later in [0.0, second] {
            let off = (pose(&twice, "Spine", time + later).matrix3 - before.matrix3).x_axis.length();
            assert!(off <= 1e-3, "{off} at {time} + {later} s");
        }
    }
}

#[cfg(feature = "research")]
#[test]
fn joints_of_a_hand_whose_ray_stays_as_it_was_hang_on_that_ray() {
    let recording = fixture("webxr/src/iwer", "both.json");
    let over = Some(TimeValue::Seconds(0.02666));
    let looped = after(&recording, Operation::Loop(Loop { over, travels: false }));
    for time in [0.02, 0.038] {
        let [before, now] = [&recording, &looped].map(|file| pose(file, "right-pinky-finger-tip", time));
        assert!(now.translation.distance(before.translation) < 1e-6, "{now:?} instead of {before:?}");
    }
}

#[cfg(feature = "research")]
#[test]
fn the_last_pose_of_a_hand_that_leaves_is_played_backwards_too() {
    let recording = fixture("webxr/src/iwer", "both.json");
    let reversed = after(&recording, Operation::Reverse);
    for time in [0.015, 0.02, 0.05] {
        let [before, now] = [(&recording, time), (&reversed, end(&recording) - time)]
            .map(|(file, time)| pose(file, "right-wrist", time));
        assert!(now.abs_diff_eq(before, 1e-5), "{now:?} instead of {before:?} at {time} s");
    }
}

#[test]
fn a_key_of_a_pose_at_another_time_is_refused_with_the_way_out() {
    let pose = fixture("mmd/src/vpd", "odd-blanks.vpd");
    let later = described("keys move", r#"{"range": "0f:0f", "by": "1f"}"#, Vec::new()).unwrap();
    let error = dopesheet::edit(pose, &[later], &ClipChoice::All).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("a pose is one moment") && message.contains("convert the pose to VMD"),
        "{message}"
    );
}

#[test]
fn a_light_with_keys_on_neighbouring_frames_is_said_to_hold_between_them() {
    let camera = fixture("mmd/src/vmd", "camera.vmd");
    let more = after(&camera, insert(TimeValue::Frames(19.0)));
    let at = 19.9 / 30.0;
    let [before, now] = [&camera, &more].map(|file| value(file, "light", "direction", at));
    let off: f64 = before.iter().zip(&now).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!(off > 0.04, "neighbouring frames are a cut");
    assert!(stated(&more, ErrorUnit::Radian) > 0.04, "{:?}", more.report);
}

#[test]
fn a_camera_that_is_slowed_down_keeps_its_projection_until_the_cut() {
    let camera = fixture("mmd/src/vmd", "camera.vmd");
    let slow = after(&camera, speed(0.5));
    for (frame, is_flat) in [(60.5, 0.0), (61.5, 0.0), (62.0, 1.0)] {
        assert_eq!(value(&slow, "camera", "orthographic", frame / 30.0), [is_flat], "frame {frame}");
    }
}

#[test]
fn a_bone_of_one_key_comes_back_to_rest_at_the_end_of_a_loop() {
    let motion = fixture("mmd/src/vmd", "motion.vmd");
    let over = Some(TimeValue::Seconds(0.4));
    let looped = after(&motion, Operation::Loop(Loop { over, travels: false }));
    let [start, last] = [0.0, 1.0].map(|time| pose(&looped, "左ひじ", time));
    assert!(last.abs_diff_eq(start, 1e-5), "{last:?} instead of {start:?}");
}

#[cfg(feature = "research")]
#[test]
fn a_figure_of_rotations_alone_is_moved_in_an_npz() {
    let path = workspace().join("samples/jump.bvh");
    let mut scene = dopesheet::edit::scene(&opened(&path, &bytes(&path)).unwrap()).unwrap();
    scene.clips[0].tracks.clear();
    let still = Opened::from_scene("still", &scene).unwrap();
    let options =
        ConvertOptions { keep_constant: true, ..ConvertOptions::to(registry::by_id("npz").unwrap()) };
    let arrays = opened("still.npz".as_ref(), &convert(&[still], &options).unwrap().output.main).unwrap();
    let there = described("move", r#"{"by": "1m,0,0"}"#, Vec::new()).unwrap();
    let moved = after(&arrays, there);
    let [before, now] = [&arrays, &moved].map(|file| pose(file, "Hips", 0.0).translation);
    assert!((now - before).distance(glam::DVec3::X) < 1e-6, "{now} instead of {before}");
}

#[test]
fn a_text_of_gltf_that_loses_its_animations_stays_sound() {
    let walk = fixture("gltf/src/gltf", "accessor-without-view.gltf");
    let names = described("drop", r#"{"names": ["leg"]}"#, Vec::new()).unwrap();
    let still = after(&walk, names);
    assert!(dopesheet::edit::scene(&still).unwrap().clips.is_empty());
}

/// A GLB with a joint that turns along a cubic way far from unit quaternions.
fn turning() -> Opened {
    use dopesheet::core::model::{
        Basis, Channel, Clip, Curve, Handles, Law, Laws, Node, NodeIndex, Property, Scene, Target,
        TargetKind, Times, Track, Transform,
    };
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("arm", None, Transform::IDENTITY));
    let mut tip = Transform::IDENTITY;
    tip.translation = [1.0, 0.0, 0.0];
    scene.push_node(Node::new("hand", Some(NodeIndex(0)), tip));
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.9486833, 0.3162278];
    let curve = Curve::new(Times::Seconds([0.0, 1.0].into()), 4, values, Laws::uniform(Law::HERMITE));
    let slopes = vec![0.0, 0.8, 0.6, 0.0, 0.5, 0.0, 0.2, -0.4];
    let curve =
        Curve { handles: Some(Box::new(Handles { arriving: slopes.clone(), leaving: slopes })), ..curve };
    let target = Target::new(TargetKind::Joint, "arm", 0, Some(NodeIndex(0)));
    let tracks = vec![Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] }];
    scene.clips = vec![Clip { duration: Seconds(1.0), tracks, ..Clip::default() }];
    let input = Opened::from_scene("turning", &scene).unwrap();
    let made = convert(&[input], &ConvertOptions::to(registry::by_id("glb").unwrap())).unwrap();
    opened("turning.glb".as_ref(), &made.output.main).unwrap()
}

#[test]
fn a_cubic_rotation_of_a_glb_that_is_divided_is_off_by_what_is_stated() {
    let turning = turning();
    let divided = after(&turning, insert(TimeValue::Seconds(0.5)));
    let mut most: f64 = 0.0;
    for step in 0..200 {
        let [before, now] = [&turning, &divided].map(|file| pose(file, "hand", f64::from(step) / 200.0));
        most = most.max(before.translation.distance(now.translation));
    }
    assert!(most > 1e-3, "{most}");
    let stated = stated(&divided, ErrorUnit::Metre);
    assert!(most <= 1.01 * stated && stated <= 1.1 * most, "{stated} m stated, {most} m off");
    let tolerance = Some(Tolerance::DEFAULT);
    let options = dopesheet::edit::EditOptions { tolerance, ..Default::default() };
    let refused = dopesheet::edit(turning, &[insert(TimeValue::Seconds(0.5))], options);
    assert!(matches!(refused, Err(Error::Forbidden { code: "tolerance-exceeded", .. })), "{refused:?}");
}

#[test]
fn the_last_pose_stays_where_a_clip_is_sampled_that_ends_between_frames() {
    let turning = opened("turning.glb".as_ref(), &written(&edited(&turning(), &[trim("0:0.98")]))).unwrap();
    let rate = FrameRate::from_fps(30.0).unwrap();
    let sampled = after(&turning, Operation::Resample(Resample { rate }));
    let [before, now] = [&turning, &sampled].map(|file| pose(file, "hand", 0.98).translation);
    assert!(before.distance(now) < 1e-5, "{now} instead of {before}");
    let kept = sampled
        .report
        .losses
        .iter()
        .any(|loss| matches!(loss, Loss::Kept { what } if what.contains("rotation: ")));
    assert!(!kept, "{:?}", sampled.report);
}

/// Lines of a report about what is lost behind the last frame.
fn lost_behind_the_last_frame(losses: &[Loss]) -> Vec<&str> {
    let lost = losses.iter().filter_map(|loss| match loss {
        Loss::Dropped { what, .. } if what.starts_with("the last ") => Some(what.as_str()),
        _ => None,
    });
    lost.collect()
}

/// Targets that a motion is baked to at 30 fps: those that lose an end, which they say once, those that keep it, and those that refuse it.
fn by_their_ends(motion: &Opened, end: &str) -> [Vec<&'static str>; 3] {
    let mut targets: [Vec<&str>; 3] = Default::default();
    for target in registry::formats().iter().filter(|format| format.info().capabilities.writes) {
        let bake = FrameRate::from_fps(30.0);
        let options = ConvertOptions { bake, partial: true, ..ConvertOptions::to(*target) };
        let kind = match convert(std::slice::from_ref(motion), &options) {
            Ok(made) => {
                let lost = lost_behind_the_last_frame(&made.report.report.losses);
                assert!(lost.is_empty() || lost == [end], "{}: {lost:?}", target.info().id);
                usize::from(lost.is_empty())
            }
            Err(_) => 2,
        };
        targets[kind].push(target.info().id);
    }
    targets
}

#[test]
fn targets_of_frames_say_once_what_they_lose_behind_the_last_frame_and_others_lose_nothing() {
    let [losing, keeping, refusing] =
        by_their_ends(&after(&turning(), trim("0:0.98")), "the last 0.013333 s");
    assert_eq!(losing, ["vmd", "bvh", "npz"]);
    assert_eq!(keeping, ["vpd", "more", "playcanvas", "gltf", "glb", "unity-anim"]);
    assert_eq!(refusing, ["mrtk2", "iwer", "vrma"]);
    let path = workspace().join("samples/hands.bin");
    let hands = after(&opened(&path, &bytes(&path)).unwrap(), trim("0:0.98"));
    let [losing, keeping, refusing] = by_their_ends(&hands, "the last 0.013333 s");
    assert_eq!(losing, ["vmd", "bvh", "npz"]);
    assert_eq!(keeping, ["vpd", "mrtk2", "more", "playcanvas", "iwer", "gltf", "glb", "unity-anim"]);
    assert_eq!(refusing, ["vrma"]);
}

/// An arm that circles with its middle angle near a quarter turn: the two others run against each other, written within a half turn.
#[cfg(feature = "bvh")]
fn circling_arm() -> Opened {
    let wrapped = |degrees: f64| (degrees + 180.0).rem_euclid(360.0) - 180.0;
    let rows: Vec<String> = (0..40)
        .map(|frame| 25.0 * f64::from(frame))
        .map(|turn| format!("{:.4} {:.4} {:.4}", wrapped(turn), -89.0 + turn * 1e-3, wrapped(-turn - 3.0)))
        .collect();
    let text = format!(
        "HIERARCHY\nROOT Arm\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nJOINT Hand\n{{\nOFFSET 40 30 10\n\
         CHANNELS 0\n}}\n}}\nMOTION\nFrames: 40\nFrame Time: 0.04\n{}\n",
        rows.join("\n")
    );
    opened("arm.bvh".as_ref(), text.as_bytes()).unwrap()
}

#[cfg(feature = "bvh")]
#[test]
fn angles_that_run_on_near_a_pole_bend_no_way_between_the_frames_of_a_slower_bvh() {
    let arm = circling_arm();
    let slow = after(&arm, speed(0.5));
    for step in 0..=780 {
        let time = 0.002 * f64::from(step);
        let [before, now] = [pose(&arm, "Hand", time), pose(&slow, "Hand", 2.0 * time)];
        let off_cm = now.translation.distance(before.translation);
        assert!(off_cm < 2e-4, "{off_cm} cm at {time} s");
    }
}
