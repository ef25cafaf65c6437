//! Ways onto another figure, and what refusals say of them: cloth beside a figure, avatars with feet that stand, names that nobody knows.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh", feature = "unity"))]

use dopesheet::core::diag::{Judgement, Loss, MeasureKind, Report, Verdict};
use dopesheet::core::format::{FromScene, NameMap, WriteOptions};
use dopesheet::core::model::{Basis, HumanBone as B, Scene, Target, TargetKind, Track, rebase};
use dopesheet::diff::{Tolerances, diff_onto};
use dopesheet::human::{Floor, propose};
use dopesheet::motion::sample::pose::{model_pose, rest_pose};
use dopesheet::{
    ClipChoice, Conversion, ConvertOptions, DiffOptions, Error, Opened, ReadOptions, convert, open, registry,
};
use dopesheet_testkit::workspace;

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn onto(input: &Opened, target: &Opened, format: &str) -> Result<Conversion, Error> {
    let to = registry::by_id(format).unwrap();
    convert(std::slice::from_ref(input), &ConvertOptions { onto: Some(target), ..ConvertOptions::to(to) })
}

fn read(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn scene(opened: &Opened) -> Scene {
    let mut scene =
        opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

fn codes(made: &Conversion) -> Vec<&'static str> {
    made.report.report.findings.iter().map(|finding| finding.fault.code).collect()
}

/// The text of a BVH with other names of joints.
fn renamed(name: impl Fn(usize) -> String) -> Opened {
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let mut count = 0;
    let lines = text.lines().map(|line| match line.trim_start().split_once(' ') {
        Some((word @ ("ROOT" | "JOINT"), _)) => {
            count += 1;
            format!("{word} {}", name(count))
        }
        _ => line.to_owned(),
    });
    read("unknown.bvh", lines.collect::<Vec<_>>().join("\n").as_bytes())
}

/// A dance whose cloth moves as well: three tracks of it for each of a bone.
fn with_skirt() -> Opened {
    let vmd = registry::by_id("vmd").unwrap();
    let walk = sample("walk.vmd");
    let mut scene =
        walk.format().to_scene(&walk.document, &Default::default(), &mut Report::default()).unwrap();
    let clip = &mut scene.clips[0];
    let moving: Vec<Track> =
        clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint).cloned().collect();
    for (index, track) in moving.iter().cycle().take(3 * moving.len()).enumerate() {
        let target = Target { name: format!("skirt{index}"), node: None, ..track.target.clone() };
        clip.tracks.push(Track { target, channels: track.channels.clone() });
    }
    let document = vmd.from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
    read("dance.vmd", &vmd.write(&document, &WriteOptions::default()).unwrap().main)
}

#[test]
fn a_dance_with_more_cloth_than_bones_is_a_human_all_the_same() {
    let dance = with_skirt();
    onto(&dance, &sample("character.glb"), "glb").unwrap();
    convert(&[&dance], &ConvertOptions::to(registry::by_id("vrma").unwrap())).unwrap();
}

#[test]
fn names_that_nobody_knows_are_told_with_a_map_to_edit() {
    let character = sample("character.glb");
    let unknown = renamed(|index| format!("j{index}"));
    for format in ["glb", "vrma"] {
        let made = onto(&unknown, &character, format).unwrap();
        assert!(codes(&made).contains(&"figure-by-shape"), "{format}: {:?}", codes(&made));
        let said =
            made.report.report.findings.iter().find(|own| own.fault.code == "figure-by-shape").unwrap();
        assert!(said.fault.found.contains(r#""j1":"hips""#), "{}", said.fault.found);
        assert!(!codes(&onto(&sample("jump.bvh"), &character, format).unwrap()).contains(&"figure-by-shape"));
    }
    let tracks = |file: &Opened| onto(file, &character, "glb").unwrap().report.tracks;
    assert_eq!(tracks(&unknown), tracks(&sample("jump.bvh")));
}

#[test]
fn names_that_contradict_the_shape_are_refused_unless_anything_will_do() {
    let (jump, character) = (workspace().join("samples/jump.bvh"), sample("character.glb"));
    let text = std::fs::read_to_string(jump).unwrap();
    let swapped = text.replace("Left", "@").replace("Right", "Left").replace('@', "Right");
    let swapped = read("swapped.bvh", swapped.as_bytes());
    let error = onto(&swapped, &character, "glb").unwrap_err().to_string();
    for part in ["is on the right side", "--partial", "edit this map and give it: {"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let glb = registry::by_id("glb").unwrap();
    let options = ConvertOptions { onto: Some(&character), partial: true, ..ConvertOptions::to(glb) };
    assert!(codes(&convert(&[swapped], &options).unwrap()).contains(&"figure-shape"));
}

#[test]
fn two_figures_with_the_same_names_are_refused() {
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let (head, motion) = text.split_once("MOTION").unwrap();
    let root = head.trim_start().strip_prefix("HIERARCHY").unwrap();
    let (frames, rows) = motion.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let rows: Vec<String> = rows.lines().map(|row| format!("{row} {row}")).collect();
    let text = format!("HIERARCHY{root}{root}MOTION{frames}Frame Time:{time}\n{}\n", rows.join("\n"));
    let error =
        onto(&read("two.bvh", text.as_bytes()), &sample("character.glb"), "glb").unwrap_err().to_string();
    assert!(error.contains("as of two figures") && error.contains("--person 1 or 2"), "{error}");
}

#[test]
fn a_vrma_may_have_the_proportions_of_an_avatar_and_feet_that_stand() {
    let (walk, avatar) = (sample("walk.vmd"), sample("avatar.vrm"));
    let made = onto(&walk, &avatar, "vrma").unwrap();
    assert!(!made.report.report.slides.is_empty());
    let thigh = |scene: &Scene| {
        let bones = propose(scene, &NameMap::default()).humanoid.bones;
        let pose = model_pose(scene, &rest_pose(scene)).0;
        let place = |bone| pose[bones[&bone].0].translation;
        place(B::LeftUpperLeg).distance(place(B::LeftLowerLeg))
    };
    let vrma = scene(&read("walk.vrma", &made.output.main));
    assert!((thigh(&vrma) - thigh(&scene(&avatar))).abs() < 1e-4);
    let faces = vrma.clips[0].tracks.iter().filter(|track| track.target.kind == TargetKind::Morph);
    let faces: Vec<&str> = faces.map(|track| track.target.name.as_str()).collect();
    assert!(faces.contains(&"blink"), "{faces:?}");
    let lost = made
        .report
        .report
        .losses
        .iter()
        .find(|loss| matches!(loss, Loss::Dropped { what, .. } if what.contains("weights of")));
    assert_eq!(lost, None);
}

#[test]
fn refusals_of_clips_for_another_figure_name_the_way_onto_it() {
    let (jump, avatar) = (sample("jump.bvh"), sample("avatar.vrm"));
    let into = |input: &Opened, target: &Opened| {
        let to = target.format();
        let options = ConvertOptions { into: Some(target), ..ConvertOptions::to(to) };
        convert(std::slice::from_ref(input), &options).unwrap_err().to_string()
    };
    let vrma = convert(&[&jump], &ConvertOptions::to(registry::by_id("vrma").unwrap())).unwrap();
    for motion in [&jump, &read("jump.vrma", &vrma.output.main)] {
        let error = into(motion, &avatar);
        assert!(error.contains("--onto") && error.contains("avatar.vrm"), "{error}");
    }
    assert!(into(&sample("walk.vmd"), &jump).contains("--onto"));
    let muscles = workspace().join("formats/unity/src/animation/fixtures/quirk/humanoid.anim");
    let muscles = open(&muscles, None, &ReadOptions::default()).unwrap();
    let error = onto(&muscles, &avatar, "vrm").unwrap_err().to_string();
    assert!(error.contains("need an avatar") && error.contains("--onto"), "{error}");
}

/// The verdict of a conversion onto a figure.
fn verdict(made: &Conversion) -> &Verdict {
    &made.report.report.verdicts[0]
}

#[test]
fn a_verdict_on_what_is_written_is_the_first_line_and_in_json() {
    for (target, format) in
        [("character.glb", "glb"), ("avatar.vrm", "vrm"), ("jump.bvh", "bvh"), ("avatar.vrm", "vrma")]
    {
        let made = onto(&sample("jump.bvh"), &sample(target), format).unwrap();
        let judged = verdict(&made);
        assert_eq!(judged.judgement(), Judgement::Good, "{target}: {judged}");
        assert!(judged.measures.len() >= 8, "{target}: {judged:?}");
        assert!(judged.measure(MeasureKind::Soles).unwrap().size() < 0.02, "{target}: {judged:?}");
        let telling = convert::Telling { inputs: "a", output: "b", way_to_more: "more" };
        assert!(made.report.brief(&telling)[1].text.trim().starts_with(&judged.to_string()), "{target}");
        let json = &made.report.to_json("b")["verdicts"][0];
        assert_eq!(json["judgement"].as_str(), Some("good"));
        assert_eq!(json["text"].as_str(), Some(judged.to_string().as_str()));
        assert_eq!(json["measures"].as_array().map(Vec::len), Some(judged.measures.len()));
    }
}

/// The jump without its heights, too fast for feet to stand anywhere: its hips run along the ground.
fn sunken() -> Opened {
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let (head, frames) = text.split_once("Frame Time: 0.033333\n").unwrap();
    let run = |(frame, line): (usize, &str)| {
        let rest = line.splitn(3, ' ').nth(2).unwrap();
        format!("{}.0 0.0 {rest}\n", frame * 20)
    };
    let frames: String = frames.lines().enumerate().map(run).collect();
    read("sunken.bvh", format!("{head}Frame Time: 0.033333\n{frames}").as_bytes())
}

#[test]
fn a_figure_that_stands_nowhere_is_on_the_floor_or_told_below_it() {
    let character = sample("character.glb");
    let made = onto(&sunken(), &character, "glb").unwrap();
    let on_floor = verdict(&made);
    assert!(!on_floor.to_string().contains(" below the floor at "), "{on_floor}");
    let glb = registry::by_id("glb").unwrap();
    let options = ConvertOptions { onto: Some(&character), floor: Floor::Origin, ..ConvertOptions::to(glb) };
    let made = convert(&[&sunken()], &options).unwrap();
    let judged = verdict(&made);
    assert_eq!(judged.judgement(), Judgement::Bad, "{judged}");
    let depth = judged.measure(MeasureKind::Depth).unwrap();
    assert!(depth.value + depth.source > 0.7, "{judged}");
    let told =
        |finding: &dopesheet::core::diag::Finding| finding.to_string().contains(" below the floor at ");
    assert!(judged.to_string().contains(" below the floor at "), "{judged}");
    assert!(made.report.report.findings.iter().any(told), "{:?}", made.report.report.findings);
    let written = read("made.glb", &made.output.main);
    let length_m = Some(0.02);
    let tolerances = Tolerances { length_m, ..Tolerances::default() };
    let far = diff_onto(&sunken(), &written, &DiffOptions::default(), tolerances).unwrap();
    assert!(!far.is_within(), "{far:?}");
    // Of a figure on its ground, only the full report and JSON say it in numbers.
    let made = onto(&sample("jump.bvh"), &character, "glb").unwrap();
    let telling = convert::Telling { inputs: "a", output: "b", way_to_more: "more" };
    let [brief, full] = [made.report.brief(&telling), made.report.full(&telling)];
    let is_said = |lines: &[convert::ReportLine]| lines.iter().any(|line| line.text.contains("depth "));
    assert_eq!((is_said(&brief), is_said(&full)), (false, true));
}

#[test]
fn a_first_frame_at_rest_is_told_and_stays() {
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let (head, frames) = text.split_once("Frame Time: 0.033333\n").unwrap();
    let (first, others) = frames.split_once('\n').unwrap();
    let numbers = first.split_whitespace().enumerate();
    let at_rest: Vec<&str> = numbers.map(|(n, number)| if n < 3 { number } else { "0" }).collect();
    let text = format!("{head}Frame Time: 0.033333\n{}\n{others}", at_rest.join(" "));
    let (plain, resting) = (sample("jump.bvh"), read("resting.bvh", text.as_bytes()));
    let character = sample("character.glb");
    let made = [&plain, &resting].map(|motion| onto(motion, &character, "glb").unwrap());
    let is_told = |made: &Conversion| {
        made.report.report.findings.iter().any(|finding| finding.fault.code == "first-frame-at-rest")
    };
    assert_eq!(made.each_ref().map(is_told), [false, true]);
    assert_eq!(verdict(&made[1]).judgement(), verdict(&made[0]).judgement());
    let ends =
        made.each_ref().map(|made| read("made.glb", &made.output.main).scene().unwrap().clips[0].end());
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn each_of_several_inputs_has_a_verdict_of_its_own() {
    let (jump, walk, character) = (sample("jump.bvh"), sample("walk.vmd"), sample("character.glb"));
    let glb = registry::by_id("glb").unwrap();
    let options = ConvertOptions { onto: Some(&character), ..ConvertOptions::to(glb) };
    let made = convert(&[&jump, &walk], &options).unwrap();
    let alone = [&jump, &walk].map(|input| verdict(&onto(input, &character, "glb").unwrap()).measures.len());
    let both: Vec<usize> = made.report.report.verdicts.iter().map(|judged| judged.measures.len()).collect();
    assert_eq!(both, alone);
    let json = made.report.to_json("b");
    assert_eq!(json["verdicts"].as_array().map(Vec::len), Some(2));
}

#[test]
fn keys_for_a_model_of_mikumikudance_have_a_verdict() {
    let puppet = dopesheet::puppet::standard_model().unwrap();
    let made = onto(&sample("jump.bvh"), &puppet, "vmd").unwrap();
    let judged = verdict(&made);
    assert_eq!(judged.judgement(), Judgement::Good, "{judged}");
    assert!(judged.measure(MeasureKind::Slides).is_some(), "{judged:?}");
}

#[test]
fn legs_with_second_bones_for_their_surface_move_in_each_format_and_are_judged_by_these() {
    let puppet = dopesheet::puppet::standard_model().unwrap();
    for format in ["glb", "vrma", "npz"] {
        let made = onto(&sample("jump.bvh"), &puppet, format).unwrap();
        let judged = verdict(&made);
        assert!(judged.complaints().is_empty(), "{format}: {judged}");
        let leg = judged.measure(MeasureKind::StandingLegs).unwrap();
        assert!(leg.value < 0.2, "{format}: {leg:?}");
        let sole = |verdict: &Verdict| verdict.measure(MeasureKind::Soles).unwrap().size();
        assert!(sole(judged) < 0.02, "{format}: {judged}");
        let written = read(&format!("jump.{format}"), &made.output.main);
        let (options, tolerances) = (DiffOptions::default(), Tolerances::default());
        let again = diff_onto(&sample("jump.bvh"), &written, &options, tolerances).unwrap();
        assert!(sole(&again.verdict) < 0.02, "{format}: {again:?}");
    }
}

#[test]
fn a_surface_below_the_floor_is_told_of_every_result() {
    let mut puppet = dopesheet::puppet::standard_model().unwrap();
    let document = puppet.document.get_mut::<dopesheet_mmd::pmx::Document>().unwrap();
    // The tips of the fingers of a hand, a metre farther along the arm.
    let outermost = document.vertices.iter().map(|vertex| vertex.position[0]).fold(0.0, f32::min);
    let (sin, cos) = 35f32.to_radians().sin_cos();
    for vertex in document.vertices.iter_mut().filter(|vertex| vertex.position[0] < outermost + 0.3) {
        vertex.position[0] -= 12.5 * cos;
        vertex.position[1] -= 12.5 * sin;
    }
    let jump = sample("jump.bvh");
    let glb = registry::by_id("glb").unwrap();
    let whole = convert(std::slice::from_ref(&puppet), &ConvertOptions::to(glb)).unwrap();
    let whole = read("puppet.glb", &whole.output.main);
    for (figure, format, motion_only) in
        [(&puppet, "vmd", false), (&puppet, "glb", false), (&whole, "glb", false), (&whole, "glb", true)]
    {
        let to = registry::by_id(format).unwrap();
        let options = ConvertOptions { onto: Some(figure), motion_only, ..ConvertOptions::to(to) };
        let made = convert(std::slice::from_ref(&jump), &options).unwrap();
        let is_deep = |verdict: &Verdict| {
            let depth = verdict.measure(MeasureKind::Depth).unwrap();
            depth.value > 0.1 && depth.bone.starts_with("right") && !depth.bone.contains("Foot")
        };
        assert!(is_deep(verdict(&made)), "{format}, {motion_only}: {:?}", verdict(&made));
        if format == "glb" {
            let written = read("jump.glb", &made.output.main);
            let again = diff_onto(&jump, &written, &DiffOptions::default(), Tolerances::default()).unwrap();
            assert_eq!(is_deep(&again.verdict), !motion_only, "{:?}", again.verdict);
        }
    }
}

#[test]
fn a_limb_that_points_elsewhere_is_found_where_what_is_written_is_compared() {
    let (jump, character) = (sample("jump.bvh"), sample("character.glb"));
    let made = read("made.glb", &onto(&jump, &character, "glb").unwrap().output.main);
    let of = |b: &Opened, clip| {
        let options = DiffOptions { clip, ..DiffOptions::default() };
        diff_onto(&jump, b, &options, Tolerances::default()).unwrap()
    };
    let last = ClipChoice::Position(scene(&made).clips.len() - 1);
    let own = of(&made, last.clone());
    assert_eq!(own.verdict.judgement(), Judgement::Good, "{}", own.verdict);
    // Half-way through the clip another pose is there.
    let other = convert(
        &[&jump],
        &ConvertOptions {
            onto: Some(&character),
            motion_only: true,
            range: Some(dopesheet::times::RangeSpec::parse("0.4:2.4").unwrap()),
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        },
    );
    let late = of(&read("late.glb", &other.unwrap().output.main), ClipChoice::First);
    assert!(!late.is_within() && late.verdict.judgement() != Judgement::Good, "{}", late.verdict);
}

#[test]
fn fingers_that_a_motion_lacks_are_relaxed_on_request() {
    let (jump, puppet) = (sample("jump.bvh"), dopesheet::puppet::standard_model().unwrap());
    let of = |relaxed_hands| {
        let glb = registry::by_id("glb").unwrap();
        let options = ConvertOptions { onto: Some(&puppet), relaxed_hands, ..ConvertOptions::to(glb) };
        scene(&read("x.glb", &convert(&[&jump], &options).unwrap().output.main))
    };
    // From knuckle to the last joint of the middle finger, beside the way from the wrist to the knuckle.
    let bend = |scene: &Scene, [hand, knuckle, tip]: [B; 3]| {
        let bones = propose(scene, &NameMap::default()).humanoid.bones;
        let clip = scene.clips.last().unwrap();
        let pose = model_pose(scene, &dopesheet::motion::sample::pose::local_pose(scene, clip, clip.end())).0;
        let place = |bone: B| pose[bones[&bone].0].translation;
        (place(knuckle) - place(hand)).angle_between(place(tip) - place(knuckle)).to_degrees()
    };
    let fingers = [
        [B::LeftHand, B::LeftMiddleProximal, B::LeftMiddleDistal],
        [B::RightHand, B::RightMiddleProximal, B::RightMiddleDistal],
    ];
    let (rest, relaxed) = (of(false), of(true));
    for finger in fingers {
        let (before, after) = (bend(&rest, finger), bend(&relaxed, finger));
        assert!(after - before > 15.0 && after < 80.0, "{finger:?}: {before}° and {after}°");
    }
}

#[test]
fn hands_keep_off_a_broad_body_on_request() {
    let (walk, character) = (sample("walk.vmd"), sample("character.glb"));
    let of = |arm_space_m| {
        let glb = registry::by_id("glb").unwrap();
        let options = ConvertOptions { onto: Some(&character), arm_space_m, ..ConvertOptions::to(glb) };
        scene(&read("x.glb", &convert(&[&walk], &options).unwrap().output.main))
    };
    // The nearest that a hand comes to the middle of the trunk.
    let nearest = |scene: &Scene| {
        let bones = propose(scene, &NameMap::default()).humanoid.bones;
        let clip = scene.clips.last().unwrap();
        let at = |n: u32| {
            let time = dopesheet::core::units::Seconds(clip.end().0 * f64::from(n) / 40.0);
            let pose = model_pose(scene, &dopesheet::motion::sample::pose::local_pose(scene, clip, time)).0;
            let place = |bone: B| pose[bones[&bone].0].translation;
            [B::LeftHand, B::RightHand].map(|hand| {
                let off = place(hand) - place(B::Hips);
                off.x.hypot(off.z)
            })
        };
        (0..=40).flat_map(at).fold(f64::INFINITY, f64::min)
    };
    let (before, after) = (nearest(&of(None)), nearest(&of(Some(0.3))));
    assert!(after > before + 0.02, "{before} m and {after} m");
}
