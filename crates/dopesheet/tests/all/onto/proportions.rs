//! Motions on an avatar of VRM with lengths of its own: what comes back from it, and feet that stand there.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh"))]

use crate::onto::avatars::{Version, allowing, avatar, glb, parts, read, sample};
use dopesheet::core::diag::{Report, Slide};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Scene, rebase};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::human::{Planted, propose};
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::{Conversion, ConvertOptions, Opened, ReadOptions, convert, registry};
use dopesheet_testkit::files;
use glam::DVec3;

/// Of the puppet's trunk, that part which hangs on one bone in both: the avatar has one for both parts, and the puppet's halves stand side by side.
const ARMS_AND_TRUNK: [[B; 2]; 6] = [
    [B::Chest, B::Neck],
    [B::Neck, B::Head],
    [B::LeftUpperArm, B::LeftLowerArm],
    [B::LeftLowerArm, B::LeftHand],
    [B::RightUpperArm, B::RightLowerArm],
    [B::RightLowerArm, B::RightHand],
];
const LEGS: [[B; 2]; 4] = [
    [B::LeftUpperLeg, B::LeftLowerLeg],
    [B::LeftLowerLeg, B::LeftFoot],
    [B::RightUpperLeg, B::RightLowerLeg],
    [B::RightLowerLeg, B::RightFoot],
];

/// Our avatar in the T-pose, with long thighs and short shins, or the other way about.
fn of_lengths(thigh: f64, shin: f64) -> Opened {
    let bytes = avatar(Version::One, allowing(Version::One));
    let (mut document, rest) = parts(&bytes);
    for node in document["nodes"].as_array_mut().unwrap() {
        let at = match node["name"].as_str().unwrap() {
            "LeftForeArm" => [0.28, 0.0, 0.0],
            "LeftHand" => [0.25, 0.0, 0.0],
            "RightForeArm" => [-0.28, 0.0, 0.0],
            "RightHand" => [-0.25, 0.0, 0.0],
            "LeftLeg" | "RightLeg" => [0.0, -thigh, 0.0],
            "LeftFoot" | "RightFoot" => [0.0, -shin, 0.0],
            "Hips" => [0.0, thigh + shin + 0.13, 0.0],
            _ => continue,
        };
        node["translation"] = serde_json::json!(at);
    }
    read("hero.vrm", &glb(&document, rest))
}

fn onto(input: &Opened, target: &Opened, to: &str, planted: Planted) -> (Opened, Conversion) {
    let format = registry::by_id(to).unwrap();
    let options = ConvertOptions { onto: Some(target), planted, ..ConvertOptions::to(format) };
    let options = ConvertOptions { motion_only: to != "vrm", ..options };
    let made = convert(std::slice::from_ref(input), &options).unwrap();
    (read(&format!("x.{to}"), &made.output.main), made)
}

fn scene(opened: &Opened) -> Scene {
    let mut scene =
        opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// Places of bones at a time of the last clip; of legs with a twin (左足D), those of that.
fn places(scene: &Scene, time: f64) -> impl Fn(B) -> DVec3 {
    let mut bones = propose(scene, &NameMap::default()).humanoid.bones;
    for node in bones.values_mut() {
        let twin = format!("{}D", scene.nodes[node.0].name);
        let twin = scene.nodes.iter().position(|own| own.name == twin);
        node.0 = twin.unwrap_or(node.0);
    }
    let pose = model_pose(scene, &local_pose(scene, scene.clips.last().unwrap(), Seconds(time))).0;
    move |bone| pose[bones[&bone].0].translation
}

/// Largest angle in degrees between bones of a figure in two clips, and which bone it is.
fn apart(a: &Scene, b: &Scene, bones: &[[B; 2]]) -> (f64, B) {
    let end = a.clips.last().unwrap().end().0;
    let mut worst = (0.0, B::Hips);
    for n in 0..=60 {
        let time = end * f64::from(n) / 60.0;
        let (a, b) = (places(a, time), places(b, time));
        for [from, to] in bones.iter().copied() {
            let off = (a(to) - a(from)).angle_between(b(to) - b(from)).to_degrees();
            worst = if off > worst.0 { (off, from) } else { worst };
        }
    }
    worst
}

#[test]
fn a_dance_on_an_avatar_comes_back_to_the_puppet() {
    let puppet = dopesheet::puppet::standard_model().unwrap();
    let glb = ConvertOptions { model: Some(&puppet), ..ConvertOptions::to(registry::by_id("glb").unwrap()) };
    let first = read("walk.glb", &convert(&[&sample("walk.vmd")], &glb).unwrap().output.main);
    let hero = of_lengths(0.5, 0.3);
    let all: Vec<[B; 2]> = ARMS_AND_TRUNK.iter().chain(&LEGS).copied().collect();
    for (planted, bones) in [(Planted::Nothing, &all[..]), (Planted::Feet, &ARMS_AND_TRUNK)] {
        let (there, to) = onto(&first, &hero, "glb", planted);
        let (back, from) = onto(&there, &first, "glb", planted);
        let (off, bone) = apart(&scene(&first), &scene(&back), bones);
        assert!(off < 0.5, "{planted:?}: {bone:?} is {off}° off");
        let slides = to.report.report.slides.iter().chain(&from.report.report.slides);
        let slides: Vec<&Slide> = slides.collect();
        assert_eq!(slides.is_empty(), planted == Planted::Nothing);
        for slide in slides {
            assert!(slide.after_m <= 0.005, "{slide:?}");
        }
    }
}

/// A walk as CMU's files have it: a BVH with 120 frames a second, which trembles, or as LAFAN1 has it, with 30.
fn captured(fps: f64, jitter_cm: f64) -> Opened {
    let (walk, _) = onto(&sample("walk.vmd"), &sample("jump.bvh"), "bvh", Planted::Feet);
    let options = ConvertOptions {
        bake: FrameRate::from_fps(fps),
        ..ConvertOptions::to(registry::by_id("bvh").unwrap())
    };
    let text = String::from_utf8(convert(&[&walk], &options).unwrap().output.main).unwrap();
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let shaken = rows.lines().enumerate().map(|(frame, row)| {
        let mut numbers: Vec<f64> = row.split_whitespace().map(|number| number.parse().unwrap()).collect();
        for (axis, number) in numbers.iter_mut().take(3).enumerate() {
            *number += jitter_cm * (frame as f64 * (2.1 + axis as f64)).sin();
        }
        numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
    });
    let rows: Vec<String> = shaken.collect();
    read("walk.bvh", format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")).as_bytes())
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Speeds of both knees from frame to frame, in degrees per second.
fn knees(scene: &Scene, fps: f64) -> Vec<f64> {
    let frames = (scene.clips.last().unwrap().end().0 * fps).round() as usize;
    let angles = |frame: usize| {
        let at = places(scene, frame as f64 / fps);
        [[LEGS[0], LEGS[1]], [LEGS[2], LEGS[3]]].map(|[[hip, knee], [_, ankle]]| {
            (at(knee) - at(hip)).angle_between(at(ankle) - at(knee)).to_degrees()
        })
    };
    let all: Vec<[f64; 2]> = (0..=frames).map(angles).collect();
    all.windows(2).flat_map(|pair| [0, 1].map(|leg| (pair[1][leg] - pair[0][leg]).abs() * fps)).collect()
}

/// An avatar that is tried.
struct Tried {
    name: String,
    avatar: Opened,
    /// Least slide without contacts that there has to be, so that something is seen: the avatar has other proportions than the walk.
    least_m: f64,
}

/// Our avatars of other proportions, and those of others in the folder that `DOPESHEET_AVATARS` names, where it names one.
fn avatars() -> Vec<Tried> {
    let own = |[thigh, shin]: [f64; 2]| Tried {
        name: format!("{thigh} and {shin}"),
        avatar: of_lengths(thigh, shin),
        least_m: 0.002,
    };
    let mut all: Vec<Tried> = [[0.5, 0.3], [0.33, 0.5]].map(own).into();
    if let Some(folder) = std::env::var_os("DOPESHEET_AVATARS") {
        all.extend(files(folder.as_ref(), &["vrm"], 1).into_iter().map(|path| Tried {
            name: path.display().to_string(),
            avatar: dopesheet::open(&path, None, &ReadOptions::default()).unwrap(),
            least_m: 0.0,
        }));
    }
    all
}

#[test]
fn feet_of_a_captured_walk_slide_half_as_far_at_most_on_an_avatar() {
    for (fps, jitter_cm) in [(30.0, 0.0), (120.0, 0.1)] {
        let walk = captured(fps, jitter_cm);
        for Tried { name, avatar, least_m } in avatars() {
            let (made, told) = onto(&walk, &avatar, "vrm", Planted::Feet);
            let slides = &told.report.report.slides;
            let what = format!("{name} at {fps} fps: {slides:?}");
            assert!(slides.len() >= 6, "{what}");
            let first = &told.report.to_json("x.vrm")["slides"][0];
            assert_eq!(
                (&first["bone"], first["after_m"].as_f64()),
                (&slides[0].bone.as_str().into(), Some(slides[0].after_m))
            );
            let before = median(slides.iter().map(|own| own.before_m).collect());
            let after = median(slides.iter().map(|own| own.after_m).collect());
            assert!(before > least_m && after <= before / 2.0, "{what}");
            let [theirs, ours] = [&walk, &made].map(|file| knees(&scene(file), fps));
            let faster = ours.iter().zip(&theirs).map(|(ours, theirs)| ours - theirs).fold(0.0, f64::max);
            assert!(faster <= 300.0, "{what}: knees turn {faster}°/s faster");
        }
    }
}
